"""A match as plain text, for whoever reads or greps it: all hands open, a line a trick."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.events import CardPlayed, DealEnded
from arena.replay import Moment, Replay
from arena.rules import sides
from arena.state import Deal
from protocol.cards import SEATS, Deck
from protocol.codec import printable
from protocol.messages import FinishedTrick
from tournaments.replays.words import (
    fault_lines,
    greeting_lines,
    name_of,
    sentence,
    took,
)

MATCH_SHOWN: Final = 100
"""Characters of a match's id."""


def lines(replay: Replay, deal: int | None = None) -> Iterator[str]:
    """The whole match, or one deal of it."""
    started = replay.started
    yield f"match {printable(started.match[:MATCH_SHOWN])}, to {started.rules.target}"
    for seat in SEATS:
        yield f"  {seat}  {name_of(replay, seat)}"
    for number, moments in enumerate(replay.by_deal()):
        if deal in (None, number):
            yield ""
            yield from _deal(replay, moments)


def _deal(replay: Replay, moments: Sequence[Moment]) -> Iterator[str]:
    trick: list[Moment] = []
    """Of the trick in progress, what is not printed yet."""
    for moment in moments:
        aside = [*greeting_lines(moment), *fault_lines(moment)]
        if trick and (aside or moment.kind == "end"):
            yield from _trick(trick)
            trick = []
        yield from (f"    {line}" for line in aside)
        if isinstance(moment.decision, CardPlayed):
            trick.append(moment)
            if moment.position.card == len(SEATS):
                yield from _trick(trick)
                trick = []
        else:
            yield from _moment(replay, moment)


def _moment(replay: Replay, moment: Moment) -> Iterator[str]:
    """A moment that is no card played."""
    decision = moment.decision
    time = "" if decision is None or decision.ms is None else f" ({took(decision.ms)})"
    yield f"{'  ' if moment.decision else ''}{sentence(replay, moment)}{time}"
    if decision is not None and decision.note is not None:
        yield f"    note: {printable(decision.note)}"
    if moment.kind == "deal" and moment.dealt is not None:
        yield from _hands(moment.dealt, moment.after.deck)
    if moment.deal_end is not None and moment.dealt is not None:
        yield from _scores(replay, moment.dealt, moment.deal_end)


def _hands(deal: Deal, deck: Deck) -> Iterator[str]:
    for seat in SEATS:
        held = (" ".join(deck.names(deal.dealt[seat] & suit)) for suit in deck.suits)
        yield f"  {seat}  {'  '.join(filter(None, held))}"


def _trick(moments: Sequence[Moment]) -> Iterator[str]:
    """The cards of a trick, or those of them before or after a fault, with their notes."""
    first, last = moments[0].position, moments[-1]
    label = f"trick {first.trick}" if first.card == 1 else ""
    cards = "  ".join(map(_card, moments))
    takes = f"  {last.table.winner} takes it" if isinstance(last.table, FinishedTrick) else ""
    yield f"  {label:<9} {cards}{takes}"
    for moment in moments:
        decision = moment.decision
        if isinstance(decision, CardPlayed) and decision.note is not None:
            yield f"    note of {decision.seat}: {printable(decision.note)}"


def _card(moment: Moment) -> str:
    decision = moment.decision
    assert isinstance(decision, CardPlayed)
    if decision.substituted:
        return f"{decision.seat} {decision.card} (the arena's)"
    return f"{decision.seat} {decision.card} {took(decision.ms)}".rstrip()


def _scores(replay: Replay, deal: Deal, end: DealEnded) -> Iterator[str]:
    for side, seats in sides(replay.started.rules.players).items():
        bid, taken = (sum(each[seat] for seat in seats) for each in (deal.bids, end.taken))
        yield (
            f"  {side:<2}  bid {bid}, took {taken}: {end.delta[side]:+}, score {end.score[side]},"
            f" bags {end.bags[side]}"
        )
