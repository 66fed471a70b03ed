"""A moment as a screenful of lines: four hands around a table, and what was decided.

Everything has its place, whatever is there, so that nothing jumps from step to step.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from arena.replay import Moment, Replay
from arena.rules import sides
from arena.state import Bidding, Playing
from protocol.cards import CLOCKWISE_FROM, Seat
from protocol.codec import printable
from tournaments.replays.table import column, sign, spread, table
from tournaments.replays.words import (
    View,
    fault_lines,
    greeting_lines,
    knows,
    name_of,
    sentence,
    took,
)

WIDEST: Final = 100
"""Columns that are used of a wider window."""
MATCH_SHOWN: Final = 40
"""Characters of a match's id."""
WRAPPED_LINES: Final = 40
"""Lines of one text of a bot's, at most."""
KEYS: Final = "→ step  ← back  ↑ ↓ trick  PgUp PgDn deal  x fault  h hands  ? keys  q quit"

HELP: Final = (
    ("→ or space", "step"),
    ("←", "back"),
    ("↓ ↑", "next, previous trick"),
    ("PgDn PgUp", "next, previous deal"),
    ("x X", "next, previous fault"),
    ("Home End", "start, end of the match"),
    ("h", "all hands open, or the hand of one seat only"),
    ("?", "these keys"),
    ("q", "quit"),
)
"""Keys, and what they do."""


def help_screen(width: int, height: int) -> list[Text]:
    """The keys."""
    lines = [Text("Keys", "bold"), Text()]
    lines += [Text(f"{keys:<12}{does}") for keys, does in HELP]
    lines += [Text(), Text("any key goes back", "dim")]
    return fitted(lines, width, height)


def screen(replay: Replay, at: int, view: View, width: int, height: int) -> list[Text]:
    """The moment of that number, in so many columns and lines at most."""
    moment, columns = replay.moments[at], min(width - 1, WIDEST)
    above = [
        *_standing(replay, moment, columns),
        Text(),
        *table(replay, at, view, columns),
        last_trick(moment),
    ]
    room = max(height - len(above) - 1, 1)
    lines = above + _told(replay, moment, view, columns, room)
    lines += [Text()] * (height - 1 - len(lines))
    return fitted([*lines[: height - 1], Text(KEYS, "dim")], width, height)


def fitted(lines: Sequence[Text], width: int, height: int) -> list[Text]:
    """Cut to the window, and in the middle of a wide one."""
    margin = " " * max((width - 1 - WIDEST) // 2, 0)
    fitted = [Text.assemble(margin, line) for line in lines[:height]]
    for line in fitted:
        line.truncate(width - 1, overflow="ellipsis")
    return fitted


def _standing(replay: Replay, moment: Moment, columns: int) -> Iterator[Text]:
    """Where in the match this is; and of each side its score, bags, bids, tricks and bots."""
    position, rules = moment.position, replay.started.rules
    where = f"deal {position.deal} of {replay.deals}" if position.deal else "before the first deal"
    if position.trick:
        where += f", trick {position.trick}"
    match = Text(f"match {printable(replay.started.match[:MATCH_SHOWN])}", "bold")
    yield spread(Text.assemble(match, f" to {rules.target}"), Text(where), columns)
    yield from sides_lines(replay, moment, columns)


def sides_lines(replay: Replay, moment: Moment, columns: int) -> Iterator[Text]:
    """Of each side its score, bags, bids, tricks and bots: a line, in solo play two."""
    rules = replay.started.rules
    cells = [_side(replay, moment, side, seats) for side, seats in sides(rules.players).items()]
    for left, right in zip(cells[::2], cells[1::2], strict=True):
        half = columns // 2 - 1
        yield Text.assemble(column(left, half), "  ", column(right, half))


def _side(replay: Replay, moment: Moment, side: str, seats: Sequence[Seat]) -> Text:
    score, bags = moment.after.score[side], moment.after.bags[side]
    text = Text.assemble((f"{side} {score}", "bold"), f", {bags} bag{'' if bags == 1 else 's'}")
    bids = moment.dealt.bids if moment.dealt else {}
    made = [bids[seat] for seat in seats if seat in bids]
    if made:
        text.append(f", bid {sum(made)}, took {sum(moment.taken[seat] for seat in seats)}")
    names = " and ".join(dict.fromkeys(name_of(replay, seat) for seat in seats))
    return text.append(f"  {names}", "dim")


def last_trick(moment: Moment) -> Text:
    """The trick before that on the table."""
    tricks = moment.tricks
    if tricks and moment.table is tricks[-1]:
        tricks = tricks[:-1]
    if not tricks:
        return Text()
    trick = tricks[-1]
    played = zip(CLOCKWISE_FROM[trick.leader], trick.cards, strict=True)
    cards = (f"{seat} {sign(card)}" for seat, card in played)
    return Text(f"trick {len(tricks)}: {'  '.join(cards)}  {trick.winner} took it", "dim")


def _told(replay: Replay, moment: Moment, view: View, columns: int, room: int) -> list[Text]:
    """What was decided, in as many lines as there is room for."""
    lines = wrapped(Text(sentence(replay, moment, view, sign), "bold"), columns)
    decision = moment.decision
    if decision is not None:
        own = knows(view, decision.seat)
        choices = _choices(moment) if own else Text()
        lines += wrapped(Text.assemble(_took(replay, moment), choices), columns)
        if own and decision.note is not None:
            lines += wrapped(Text(f"note: {printable(decision.note)}"), columns)
    for line in greeting_lines(moment, view):
        lines += wrapped(Text(line), columns)
    for line in fault_lines(moment, view):
        lines += wrapped(Text(line, "bold red" if line[0] != " " else "red"), columns)
    if len(lines) > room:
        lines[room - 1 :] = [Text("... there is more: `replay` into a pipe has it all", "dim")]
    return lines


def wrapped(text: Text, columns: int) -> list[Text]:
    """Of a bot's text no more than can be shown."""
    text.truncate(columns * WRAPPED_LINES)
    return list(text.wrap(Console(width=columns), columns, overflow="fold"))


def _took(replay: Replay, moment: Moment) -> Text:
    decision = moment.decision
    if decision is None or decision.ms is None:
        return Text()
    clock = took(replay.started.clock.move_ms)
    cpu = f", {took(decision.cpu_ms)} of processor time" if decision.cpu_ms is not None else ""
    return Text(f"{took(decision.ms)} of {clock}{cpu}  ")


def _choices(moment: Moment) -> Text:
    """What was legal."""
    phase = moment.before.phase
    if isinstance(phase, Bidding):
        return Text(f"legal: {phase.legal[0]} to {phase.legal[-1]}")
    if isinstance(phase, Playing):
        return Text(f"legal: {' '.join(map(sign, moment.before.deck.names(phase.legal)))}")
    return Text()
