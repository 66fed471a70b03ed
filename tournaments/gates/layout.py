"""What a gate has come to as text: for terminals, programs, pull requests and CI servers."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from protocol.codec import printable
from tournaments.exports.junit import Case
from tournaments.exports.junit import to_junit as cases_to_junit
from tournaments.exports.layout import escaped
from tournaments.gates.report import Report


def to_text(report: Report) -> str:
    """For a terminal: the verdict, then what it rests on."""
    lines = [report.sentence, *(f"  {name:8} {value}" for name, value in _rows(report))]
    return "\n".join([*lines, *(f"  | {line}" for line in _details(report))]) + "\n"


def to_json(report: Report) -> str:
    """For programs."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def to_markdown(report: Report) -> str:
    """For a comment on a pull request."""
    lines = [f"**{escaped(report.sentence)}**", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {escaped(value)} |" for name, value in _rows(report)]
    details = [f"    {line}" for line in _details(report)]  # indented, nothing in it is Markdown
    return "\n".join([*lines, *(["", *details] if details else [])]) + "\n"


def to_junit(report: Report) -> str:
    """For a CI server: a case for whether the candidate is sound, one for how strong it is."""
    question = "not worse" if report.non_regression else "better"
    candidate, baseline = report.candidate.name, report.baseline.name
    told = {"message": report.sentence, "text": to_text(report)}
    sound, strong = f"{candidate} is sound", f"{candidate} is {question} than {baseline}"
    match report.verdict:
        case "passed":
            cases = [Case(sound, candidate), Case(strong, candidate)]
        case "failed":
            cases = [Case(sound, candidate), Case(strong, candidate, "failure", **told)]
        case "undecided":
            cases = [Case(sound, candidate), Case(strong, candidate, "error", **told)]
        case "broken":
            cases = [
                Case(sound, candidate, "failure", **told),
                Case(strong, candidate, "skipped", report.sentence),
            ]
        case "baseline_broken" | "void":
            cases = [
                Case(sound, candidate, "skipped", report.sentence),
                Case(strong, candidate, "error", **told),
            ]
    return cases_to_junit("spades-arena gate", cases, report.seconds)


FORMATS: Final[dict[str, Callable[[Report], str]]] = {
    "text": to_text,
    "json": to_json,
    "markdown": to_markdown,
    "junit": to_junit,
}
FILES: Final = {"gate.json": to_json, "summary.md": to_markdown, "junit.xml": to_junit}
"""What is left in the run folder."""


def _rows(report: Report) -> Iterator[tuple[str, str]]:
    pairs = report.pairs
    if pairs.counted:
        assert report.score is not None
        assert report.elo_ci95 is not None
        low, high = report.elo_ci95
        yield (
            "pairs",
            f"{pairs.counted:,}: {pairs.won:,} won, {pairs.even:,} even, {pairs.lost:,} lost",
        )
        yield "score", f"{report.score:.1%}"
        yield "Elo", f"{report.elo:+.0f}, 95 % within {low:+.0f} and {high:+.0f}"
        yield "LLR", _ratio(report)
    time = f"{report.seconds:.1f} s"
    yield "matches", f"{report.matches:,}; {report.matches_played:,} played now, in {time}"
    yield "folder", printable(report.run)


def _ratio(report: Report) -> str:
    lower, upper = report.llr_bounds
    landslide = ", and a landslide has decided" if report.landslide else ""
    return (
        f"{report.llr:+.2f} between {lower:+.2f} and {upper:+.2f}{landslide}"
        f" ({report.elo0:g} against {report.elo1:g} Elo)"
    )


def _details(report: Report) -> Iterator[str]:
    """Of a fault, or of the arena's failure: its lines, that a terminal does not obey."""
    texts = [report.void] if report.void else []
    if report.fault is not None:
        fault = report.fault
        log = f"its standard error ends:\n{fault.log}" if fault.log else None
        see = f"to reproduce: {fault.command}" if fault.command else None
        texts += [text for text in (fault.detail, log, see) if text]
    for text in texts:
        yield from map(printable, text.splitlines())
