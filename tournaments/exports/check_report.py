"""What the checks of a bot have come to: as data, and as text, JSON and JUnit."""

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from arena.checks import Finding, Status
from arena.events import Clocks
from arena.program import Program
from arena.sandbox import Sandbox
from protocol.codec import printable
from tournaments.exports.junit import Case
from tournaments.exports.junit import to_junit as cases_to_junit

WIDTH: Final = 80
LINE_SHOWN: Final = 600
"""Characters of a request in text, and of a line of a log, at most: the first ones."""
NAMES_SHOWN: Final = 12
"""More checks that a failure leaves untried are only counted in a text."""
LOG_LINES: Final = 12
"""Of standard error in text, at most: the last ones."""

_MARKS: Final[Mapping[Status, str]] = {
    "passed": "ok  ",
    "warning": "warn",
    "failed": "FAIL",
    "skipped": "skip",
}
_INDENT: Final = " " * 6

Paint = Callable[[str, Status], str]


class Report(Struct, frozen=True, kw_only=True):
    """Of one bot. The keys are those of the JSON."""

    bot: str
    """Its name."""
    hash: str
    """SHA-256 over its files, in hex."""
    sandbox: str
    """The backend that it ran in."""
    start_ms: float
    move_ms: float
    """The clocks that it was held to."""
    passed: int
    warnings: int
    failed: int
    skipped: int
    checks: tuple[Finding, ...]
    """Each check once, in an order that does not change."""


def report(program: Program, sandbox: Sandbox, clock: Clocks, found: Sequence[Finding]) -> Report:
    """What was found out about a bot."""
    counts = Counter(finding.status for finding in found)
    return Report(
        bot=program.name,
        hash=program.hash,
        sandbox=sandbox.backend,
        start_ms=clock.start_ms,
        move_ms=clock.move_ms,
        passed=counts["passed"],
        warnings=counts["warning"],
        failed=counts["failed"],
        skipped=counts["skipped"],
        checks=tuple(found),
    )


def to_json(report: Report) -> str:
    """For programs."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def to_junit(report: Report) -> str:
    """For a CI server: a case for each check. A warning is a case that has passed, and says so."""
    return cases_to_junit("spades-arena check", [_case(report, each) for each in report.checks])


def _case(report: Report, finding: Finding) -> Case:
    match finding.status:
        case "failed":
            text = "\n".join(_details(finding))
            log = finding.log or ""
            return Case(finding.name, report.bot, "failure", finding.seen, text, finding.name, log)
        case "skipped":
            return Case(finding.name, report.bot, "skipped", finding.seen)
        case "warning":
            return Case(finding.name, report.bot, output=f"warning: {finding.seen}")
        case "passed":
            return Case(finding.name, report.bot)


def to_text(report: Report, paint: Paint = lambda text, _: text) -> str:
    """For people: a line a check, those skipped together, failures in full, a summary.

    `paint` colours a word by a status.
    """
    marks = {status: paint(mark, status) for status, mark in _MARKS.items()}
    lines = [
        f"{marks[each.status]}  {_in_short(each)}"
        for each in report.checks
        if each.status in ("passed", "warning")
    ]
    for reason, names in _skipped(report).items():
        many = report.failed and len(names) > NAMES_SHOWN
        told = f"{len(names)} checks" if many else " ".join(names)
        lines += [f"{marks['skipped']}  {reason}", *_wrapped(told)]
    for each in report.checks:
        if each.status in ("failed", "warning"):
            lines += ["", f"{marks[each.status]}  {each.name}: it {each.title}", *_in_full(each)]
    return "\n".join([*lines, "", _summary(report)]) + "\n"


def _in_short(finding: Finding) -> str:
    start = f"{finding.name:<21} {finding.title}"
    both = f"{start}: {finding.seen}"
    return both if len(both) + len(_INDENT) <= WIDTH else start


def _skipped(report: Report) -> dict[str, list[str]]:
    """Why some checks were skipped -> their names."""
    reasons: dict[str, list[str]] = {}
    for finding in report.checks:
        if finding.status == "skipped":
            reasons.setdefault(finding.seen, []).append(finding.name)
    return reasons


def _in_full(finding: Finding) -> Iterator[str]:
    yield from _wrapped(printable(finding.seen))
    for line in _details(finding):
        yield f"{_INDENT}{line}"  # not wrapped, so that it can be copied
    if finding.log:
        yield f"{_INDENT}its standard error ends:"
        for line in finding.log.splitlines()[-LOG_LINES:]:
            yield f"{_INDENT}| {printable(line[:LINE_SHOWN])}"


def _details(finding: Finding) -> Iterator[str]:
    """The lines that were said, and what to do."""
    if finding.request is not None:
        line = printable(finding.request)
        more = f"... ({len(line):,} characters)" if len(line) > LINE_SHOWN else ""
        yield f"sent: {line[:LINE_SHOWN]}{more}"
        yield f"answered: {'nothing' if finding.reply is None else printable(finding.reply)}"
    if finding.mend is not None:
        yield f"mend: {finding.mend}"


def _summary(report: Report) -> str:
    counts = {
        "passed": report.passed,
        "with a warning": report.warnings,
        "failed": report.failed,
        "skipped": report.skipped,
    }
    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    verdict = "is not sound" if report.failed else "is sound"
    return f"{report.bot} {verdict}: {told} (sandbox {report.sandbox})"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT, break_on_hyphens=False
    )


FORMATS: Final[dict[str, Callable[[Report], str]]] = {
    "text": to_text,
    "json": to_json,
    "junit": to_junit,
}
