"""Which check a fault belongs to: the one whose name tells the bot's author what to mend."""

import re
from typing import Final

from msgspec.structs import replace

from arena.bot import BotFault
from arena.checks.marks import CORNERS
from arena.checks.plans import BASIC, LONGER, NUMBERS
from arena.checks.transcript import Step, Transcript
from protocol.codec import reply_id
from protocol.messages import BlindNil, Exchange, Hello, Play

_MALFORMED: Final = (
    ("not UTF-8", "utf8"),
    ("not JSON", "json"),
    ("nested too deeply", "json"),
    ("not a JSON object", "json"),
    ("the key ", "unique_keys"),
    ('the field "id"', "echoes_ids"),
    ('"id" ', "echoes_ids"),
    ("", "fields"),
)
"""How the sentence of a fault begins -> the check. The first that fits is it."""

_OUTPUT: Final = (
    ("of standard output", "output_volume"),
    ("of standard error", "log_volume"),
    ("", "line_length"),
)
_RESOURCE: Final = (
    ("of memory", "memory"),
    ("of disk", "disk"),
    ("files and folders", "disk"),
    ("while it was stopped", "rests"),
    ("", "one_process"),
)
"""What stands in the sentence of a fault -> the check. The first that fits is it."""

_IN_A_BOX: Final = (
    (re.compile(r"[Rr]ead-only file ?system|\bEROFS\b"), "scratch_only"),
    (
        re.compile(
            r"\bsocket\.py\b|\bgetaddrinfo|\bgaierror\b|\bENOTFOUND\b|\bEAI_AGAIN\b|resolve host"
            r"|[Nn]etwork is unreachable|name resolution|\bjava\.net\.|\bsocket\("
        ),
        "no_network",
    ),
)
"""What a bot's last words tell of what a box lacks."""
_LAST_WORDS: Final = 2000
_RULES: Final = frozenset({"every_preset", "joker_decks", "solo_play"})
"""Where a request is rare, a fault is that request's rather than that of the rules it comes by."""


_LENGTH: Final = frozenset({"timeout", "exit", "malformed"})
"""The faults of a bot whose buffer is too small."""


def may_be_its_length(basic: Transcript) -> bool:
    """BASIC has failed at a line that is longer than any before it, as far as can be seen."""
    step = basic.failed
    if step is None or step.fault is None or step.fault.kind not in _LENGTH:
        return False
    before = [len(each.line) for each in basic.steps[:-1]]
    return len(before) > max(LONGER.odd) and (
        len(step.line) > max(before) or step.told == "deal_end"
    )


def too_long(basic: Transcript, longer: Transcript) -> Transcript:
    """BASIC, with its fault put down to a long request where LONGER has failed at one.

    What is long there is a request that the bot has answered in BASIC.
    """
    if longer.failed is None or longer.failed.check != "longest_request":
        return basic
    return replace(
        basic, steps=(*basic.steps[:-1], replace(basic.steps[-1], check="longest_request"))
    )


def blamed(transcript: Transcript, boxed: bool) -> str | None:
    """The name of the check that a conversation has failed by a fault; None without one."""
    step = transcript.failed
    if step is None or step.fault is None:
        return None
    if step.fault.kind in ("output", "resource"):
        return _by_kind(step, step.fault, transcript, boxed)
    if step.check in _RULES:
        if isinstance(step.request, BlindNil):
            return "answers_blind_nil"
        if isinstance(step.request, Exchange):
            return "answers_exchange"
    if transcript.plan == NUMBERS and "last_trick" in step.marks and step.fault.kind in _LENGTH:
        return "longest_request"
    if step.check is not None:
        return step.check
    corner = next((name for name in CORNERS if name in step.marks), None)
    if corner is not None and transcript.plan != BASIC:
        return corner
    if "next_deal" in step.marks and step.fault.kind in ("exit", "timeout", "illegal"):
        return "next_deal"
    return _by_kind(step, step.fault, transcript, boxed)


def _by_kind(step: Step, fault: BotFault, transcript: Transcript, boxed: bool) -> str:
    """What a fault tells by itself."""
    match fault.kind:
        case "start":
            return _not_started(step, fault, transcript)
        case "timeout":
            return _late(step, fault, transcript) or "answers_in_time"
        case "exit":
            return _gone(step, fault, transcript, boxed)
        case "malformed":
            return _malformed(step, fault, transcript)
        case "illegal":
            return _illegal(step)
        case "output":
            return _first(_OUTPUT, fault.detail)
        case "resource":
            return _first(_RESOURCE, fault.detail)


def _not_started(step: Step, fault: BotFault, transcript: Transcript) -> str:
    if "can't be started" in fault.detail:
        return "starts"
    return _late(step, fault, transcript) or "answers_hello"


def _late(step: Step, fault: BotFault, transcript: Transcript) -> str | None:
    """Why nothing came in time, if that can be told."""
    if _answered_after_all(step, transcript):
        return "flushes"
    if "only the beginning of one" in fault.detail:
        return "complete_lines"
    if "standard input" in fault.detail:
        return "reads_input"
    return None


def _gone(step: Step, fault: BotFault, transcript: Transcript, boxed: bool) -> str:
    if "closed its standard output" in fault.detail:
        return "keeps_output_open"
    if boxed:
        if "a bot is one process here" in fault.detail:
            return "one_process"
        words = transcript.departures[step.seat].log[-_LAST_WORDS:]
        lacks = next((name for said, name in _IN_A_BOX if said.search(words)), None)
        if lacks is not None:
            return lacks
    return "starts" if isinstance(step.request, Hello) else "stays_running"


def _malformed(step: Step, fault: BotFault, transcript: Transcript) -> str:
    name = next(name for words, name in _MALFORMED if fault.detail.startswith(words))
    if name == "json" and (fault.raw or "")[1:2] not in ("{", "["):
        return "clean_output"
    if name == "echoes_ids" and (step.early or _answered_after_all(step, transcript)):
        return "one_line_each" if step.told is None else "silent_unless_asked"
    return name


def _illegal(step: Step) -> str:
    request, reply = step.request, step.answer and step.answer.reply
    if not isinstance(request, Play):
        return "answers_bid"
    if getattr(reply, "card", None) not in request.hand:
        return "answers_play"
    return "follows_suit" if request.trick.cards else "unbroken_spades"


def _answered_after_all(step: Step, transcript: Transcript) -> bool:
    """The reply that was owed has come once the input had ended."""
    departure = transcript.departures.get(step.seat)
    lines = () if departure is None else departure.lines
    return any(reply_id(line) == step.request.id for line in lines)


def _first(table: tuple[tuple[str, str], ...], detail: str) -> str:
    return next(name for words, name in table if words in detail)
