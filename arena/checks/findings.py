"""What each check has found out, read from what was said."""

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from arena.checks.blame import blamed
from arena.checks.catalogue import CHECKS, ONE_ANSWER_SHOWS, Check
from arena.checks.measures import MEASURES, Conditions, Seen, Transcripts
from arena.checks.plans import WHOLE
from arena.checks.transcript import Step, Transcript
from protocol.codec import encode, quote

Status = Literal["passed", "warning", "failed", "skipped"]
"""`warning`: it holds, and not by much. `skipped`: it could not be tried."""

LOG_KEPT: Final = 2000
"""Characters of standard error that go with a failure: the last ones."""

AT_ONCE: Final = frozenset({"starts", "answers_hello"})
"""What is known once hello is answered."""
BOXED_ONLY: Final = frozenset({"one_process", "scratch_only", "no_network"})
"""What only a box can show."""

_MORE: Final = {
    "flushes": "; the reply came when standard input had ended: it had lain in a buffer",
    "one_line_each": "; this line was one too many",
    "longest_request": "; every line that is shorter was read",
}


class Finding(Struct, frozen=True, kw_only=True):
    """What a check has come to. What the bot wrote is quoted, and harmless to a terminal."""

    name: str
    """Of the check."""
    title: str
    """What a sound bot does."""
    status: Status
    seen: str
    """What was seen, or why it is skipped."""
    mend: str | None = None
    """How to mend it, where it does not hold."""
    request: str | None = None
    """The line that was sent, where there is one to show."""
    reply: str | None = None
    """The line that was answered, in quotes; null where there was none."""
    log: str | None = None
    """The end of the bot's standard error, where it wrote any."""


def findings(transcripts: Sequence[Transcript], conditions: Conditions) -> list[Finding]:
    """The finding of every check, in the order of CHECKS. The first transcript is that of BASIC."""
    failures: dict[str, Finding] = {}
    # What errs in a position errs in a whole match, too: that tells less.
    for transcript in sorted(transcripts, key=lambda each: each.plan == WHOLE):
        name, step = blamed(transcript, conditions.boxed), transcript.failed
        if failures and transcript.plan == WHOLE:
            continue
        if name is not None and step is not None:
            failures.setdefault(name, _of_fault(name, step, transcript))
    return [
        failures.get(check.name) or _finding(check, transcripts, list(failures), conditions)
        for check in CHECKS
    ]


def _finding(
    check: Check, transcripts: Transcripts, failed: Sequence[str], conditions: Conditions
) -> Finding:
    """The finding of a check that no fault has failed."""
    seen = _seen(check.name, transcripts, failed, conditions)
    holds = seen.status in ("passed", "skipped")
    step = None if holds else seen.step
    return Finding(
        name=check.name,
        title=check.title,
        status=seen.status,
        seen=seen.text,
        mend=None if holds else check.mend,
        request=None if step is None else step.line.decode(),
        reply=None if step is None else _reply(step),
    )


def _seen(
    name: str, transcripts: Transcripts, failed: Sequence[str], conditions: Conditions
) -> Seen:
    sound = [transcript for transcript in transcripts if transcript.failed is None]
    if name in BOXED_ONLY and not conditions.boxed:
        return Seen("skipped", "it ran without a box: --sandbox auto")
    answered = [step for transcript in transcripts for step in transcript.steps if _held(step)]
    if name in AT_ONCE and answered:
        return Seen("passed", _counted(sum(_held(each.steps[0]) for each in transcripts), "start"))
    if transcripts[0].failed is None:
        if name in MEASURES:
            return MEASURES[name](sound, conditions)
        cases = sum(name in step.marks for step in answered)
        if cases or name not in ONE_ANSWER_SHOWS:
            return Seen("passed", _counted(cases or len(answered), "answer"))
    if failed:
        return Seen("skipped", f"not reached: see {', '.join(failed)}")
    return Seen("skipped", "it did not come to that")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _held(step: Step) -> bool:
    return step.fault is None


def _of_fault(name: str, step: Step, transcript: Transcript) -> Finding:
    """The failure of a check by a fault."""
    (check,) = (check for check in CHECKS if check.name == name)
    fault, left = step.fault, transcript.departures.get(step.seat)
    assert fault is not None
    asked = step.request.__struct_config__.tag
    return Finding(
        name=name,
        title=check.title,
        status="failed",
        seen=f"in {transcript.plan.name}, asked for {asked}: {fault.kind}: {fault.detail}"
        + _MORE.get(name, ""),
        mend=check.mend,
        request=step.line.decode(),
        reply=_reply(step) or fault.raw,
        log=(left and left.log[-LOG_KEPT:]) or None,
    )


def _reply(step: Step) -> str | None:
    return None if step.answer is None else quote(encode(step.answer.reply).rstrip())
