"""What is measured in conversations that went well, and what their replies are like."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from arena.checks.observed import Departure
from arena.checks.plans import AGAIN, BASIC, WHOLE
from arena.checks.transcript import Step, Transcript
from arena.events import Clocks
from arena.judgement import NAME_LIMIT
from arena.lines import LOG_LIMIT, OUTPUT_LIMIT
from arena.sandbox import Sandbox
from protocol.codec import encode, quote
from protocol.messages import NOTE_LIMIT, Hello, HelloReply, Reply
from protocol.rules import Rules

WARN_SHARE: Final = 0.5
"""Of a limit: more is worth a warning."""
FAIL_SHARE: Final = 0.9
"""Of the limit of memory: a bot that dies with so much is charged with that."""
LONGEST_MATCH: Final = Rules().max_deals * 15
"""Requests to one process: in each deal a bid, 13 cards, and one more."""


class Conditions(Struct, frozen=True):
    """What a bot is held to."""

    clock: Clocks
    sandbox: Sandbox

    @property
    def boxed(self) -> bool:
        """It runs in a box."""
        return self.sandbox.backend != "none"


class Seen(Struct, frozen=True):
    """What was seen."""

    status: Literal["passed", "warning", "failed", "skipped"]
    text: str
    step: Step | None = None
    """The one that shows it."""


Transcripts = Sequence[Transcript]
"""Of conversations without a fault."""


def _start_time(of: Transcripts, conditions: Conditions) -> Seen:
    return _time([s for s in _steps(of) if isinstance(s.request, Hello)], conditions.clock.start_ms)


def _decision_time(of: Transcripts, conditions: Conditions) -> Seen:
    steps = [step for step in _steps(of) if not isinstance(step.request, Hello)]
    return _time(steps, conditions.clock.move_ms)


def _time(steps: Sequence[Step], limit_ms: float) -> Seen:
    """The slowest of these answers against the limit."""
    slowest = max(steps, key=_ms)
    text = f"at most {_ms(slowest) / 1000:.3f} s of {limit_ms / 1000:g} s"
    return _against(WARN_SHARE * limit_ms, _ms(slowest), text, slowest)


def _memory(of: Transcripts, conditions: Conditions) -> Seen:
    used, limit = max(transcript.memory for transcript in of), conditions.sandbox.memory
    text = f"at most {used / 1e6:.0f} MB of {limit / 1e6:.0f} MB"
    if used > FAIL_SHARE * limit:
        return Seen("failed", text)
    return _against(WARN_SHARE * limit, used, text)


def _output_volume(of: Transcripts, _: Conditions) -> Seen:
    return _volume([(t.output_bytes, t) for t in of], OUTPUT_LIMIT)


def _log_volume(of: Transcripts, _: Conditions) -> Seen:
    return _volume([(t.log_bytes, t) for t in of], LOG_LIMIT)


def _volume(written: Sequence[tuple[int, Transcript]], limit: int) -> Seen:
    """What it writes for a request, against what there is room for in the longest match."""
    each = max(count / len(transcript.steps) for count, transcript in written)
    room = limit / LONGEST_MATCH
    text = f"{each:,.0f} bytes a request of {room:,.0f}"
    return Seen("failed" if each > room else "passed", text)


def _name_and_version(of: Transcripts, _: Conditions) -> Seen:
    for step, reply in _replies(of):
        if isinstance(reply, HelloReply):
            for text in filter(None, (reply.name, reply.version)):
                if len(text) > NAME_LIMIT or not text.isprintable():
                    return Seen("failed", f"{text[:NAME_LIMIT]!r}", step)
    return Seen("passed", "short and printable, or not given")


def _note_length(of: Transcripts, _: Conditions) -> Seen:
    step, longest = max(_notes(of), key=lambda each: len(each[1]), default=(None, ""))
    text = f"at most {len(longest):,} characters of {NOTE_LIMIT:,}" if longest else "no notes"
    return Seen("failed" if len(longest) > NOTE_LIMIT else "passed", text, step)


def _plain_notes(of: Transcripts, _: Conditions) -> Seen:
    for step, note in _notes(of):
        if not note.isprintable():
            return Seen("failed", f"the note {note[:NAME_LIMIT]!r}", step)
    return Seen("passed", "printable, or none")


def _longest_request(of: Transcripts, _: Conditions) -> Seen:
    longest = max(_steps(of), key=lambda step: len(step.line))
    return Seen("passed", f"{len(longest.line) + 1:,} bytes", longest)


def _lasts(of: Transcripts, _: Conditions) -> Seen:
    whole = next((transcript for transcript in of if transcript.plan.name == WHOLE.name), None)
    if whole is None:
        return Seen("skipped", "its match came to no end: see what has failed")
    return Seen("passed", f"{len(whole.steps)} requests to one process")


def _same_answers(of: Transcripts, _: Conditions) -> Seen:
    by_plan = {transcript.plan.name: transcript for transcript in of}
    if AGAIN.name not in by_plan:
        return Seen("skipped", "it was not asked again")
    first, second = by_plan[BASIC.name].steps, by_plan[AGAIN.name].steps
    for one, other in zip(first, second, strict=False):
        choices = _choice(one), _choice(other)
        if choices[0] != choices[1]:
            return Seen("failed", f"first {choices[0]}, then {choices[1]}", other)
    return Seen("passed", f"{len(first)} answers, and the same again")


def _leaves_in_time(of: Transcripts, conditions: Conditions) -> Seen:
    limit = conditions.clock.exit_ms
    slowest = max(left.ms for left in _departures(of))
    if not all(left.by_itself for left in _departures(of)):
        return Seen("failed", f"still running {slowest / 1000:.1f} s after its input ended: killed")
    if slowest > limit:
        killed = f"a match kills it after {limit / 1000:g} s"
        return Seen("warning", f"{slowest / 1000:.1f} s after its input ended; {killed}")
    return Seen("passed", f"after at most {slowest / 1000:.3f} s of {limit / 1000:g} s")


def _exit_status(of: Transcripts, _: Conditions) -> Seen:
    return _status([transcript for transcript in of if not transcript.plan.later])


def _unknown_values(of: Transcripts, conditions: Conditions) -> Seen:
    """Those told last: what asks for no reply, of which the status alone can tell."""
    later = _status([transcript for transcript in of if transcript.plan.later])
    if later.status != "failed":
        return later
    if _exit_status(of, conditions).status == "failed":
        return Seen("skipped", "it ends so whatever it is told: see exit_status")
    return Seen("failed", f'{later.text} after a match_end with "reason":"walkover"')


def _status(of: Transcripts) -> Seen:
    ended = [left.status for left in _departures(of) if left.by_itself]
    if not ended:
        return Seen("skipped", "it did not end by itself")
    wrong = next((status for status in ended if status != 0), 0)
    return Seen("failed" if wrong else "passed", f"status {wrong}")


def _silent_at_end(of: Transcripts, _: Conditions) -> Seen:
    lines = [line for left in _departures(of) for line in left.lines]
    if lines:
        return Seen("failed", f"it wrote {quote(lines[0])} when nothing was owed")
    return Seen("passed", "nothing")


def _leaves_nothing_behind(of: Transcripts, _: Conditions) -> Seen:
    strays = max(left.strays for left in of[0].departures.values())
    if strays:
        return Seen("failed", f"processes of it that were still there when it had ended: {strays}")
    return Seen("passed", "none")


MEASURES: Final[Mapping[str, Callable[[Transcripts, Conditions], Seen]]] = {
    "start_time": _start_time,
    "decision_time": _decision_time,
    "memory": _memory,
    "output_volume": _output_volume,
    "log_volume": _log_volume,
    "name_and_version": _name_and_version,
    "note_length": _note_length,
    "plain_notes": _plain_notes,
    "longest_request": _longest_request,
    "lasts": _lasts,
    "same_answers": _same_answers,
    "unknown_values": _unknown_values,
    "leaves_in_time": _leaves_in_time,
    "exit_status": _exit_status,
    "silent_at_end": _silent_at_end,
    "leaves_nothing_behind": _leaves_nothing_behind,
}
"""Name of a check -> what it is measured by. The first transcript is that of BASIC."""


def _against(threshold: float, value: float, text: str, step: Step | None = None) -> Seen:
    return Seen("warning" if value > threshold else "passed", text, step)


def _steps(of: Transcripts) -> Iterator[Step]:
    return (step for transcript in of for step in transcript.steps)


def _replies(of: Transcripts) -> Iterator[tuple[Step, Reply]]:
    return ((step, step.answer.reply) for step in _steps(of) if step.answer is not None)


def _notes(of: Transcripts) -> Iterator[tuple[Step, str]]:
    return ((step, reply.note) for step, reply in _replies(of) if reply.note)


def _departures(of: Transcripts) -> Iterator[Departure]:
    return (left for transcript in of for left in transcript.departures.values())


def _ms(step: Step) -> float:
    return 0.0 if step.answer is None else step.answer.ms


def _choice(step: Step) -> str:
    """The reply, without what may differ: the bot's remark."""
    if step.answer is None:
        return "nothing"
    reply = step.answer.reply
    note, reply.note = reply.note, ""
    try:
        return encode(reply).decode().rstrip()
    finally:
        reply.note = note
