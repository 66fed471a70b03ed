"""Four hands around a table as lines of a terminal: north above, west and east beside, south below.

A suit is a line of west and east, and a part of the line of north and south.
"""

from typing import Final, NamedTuple

from rich.text import Text

from arena.replay import Moment, Replay
from arena.state import Playing
from protocol.cards import CLOCKWISE_FROM, SEATS, Deck, Seat
from protocol.messages import FinishedTrick
from tournaments.replays.words import (
    View,
    bid_words,
    knows,
    name_of,
    sees_cards,
    sentence,
)

_BOX: Final = 22
"""Columns of the table, its border included."""
_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_SUITS: Final = ("♣", "♦", "♥", "♠")
_STYLES: Final = ("green", "bright_blue", "red", "default")
"""Of the suits: four colours, as few can tell clubs from spades by their signs."""


def sign(card: str) -> str:
    """A card as people write it: `10♥`; a joker as on the wire."""
    if card[1] not in _SIGNS:
        return card
    return f"{'10' if card[0] == 'T' else card[0]}{_SIGNS[card[1]]}"


def spread(left: Text, right: Text, columns: int) -> Text:
    """Two texts at the two ends of a line."""
    return Text.assemble(column(left, max(columns - right.cell_len - 1, 0)), " ", right)


def column(text: Text, columns: int) -> Text:
    """Exactly so wide, cut or filled."""
    text.truncate(columns, overflow="ellipsis", pad=True)
    return text


class Pointed(NamedTuple):
    """Cards that stand out in a hand while its seat chooses, as card sets."""

    cursor: int = 0
    marked: int = 0
    """Chosen, where several are to be."""


_NOTHING: Final = Pointed()


def table(
    replay: Replay, at: int, view: View, columns: int, pointed: Pointed = _NOTHING
) -> list[Text]:
    """Ten lines, whatever there is to be seen."""
    place = _Place(replay, at, view, pointed)
    side = max((columns - _BOX) // 2 - 1, 0)
    north, west, east, south = (place.seat(seat) for seat in ("N", "W", "E", "S"))
    middle = [
        Text.assemble(column(left, side), " ", box, " ", column(right, side))
        for left, box, right in zip(west.below(), place.box(), east.below(), strict=True)
    ]
    return [
        *(_centred(line, columns) for line in north.in_one()),
        *middle,
        *(_centred(line, columns) for line in south.in_one()),
    ]


def _centred(text: Text, columns: int) -> Text:
    text.truncate(columns, overflow="ellipsis")
    return Text.assemble(" " * ((columns - text.cell_len) // 2), text)


class _Seat:
    """A seat as lines."""

    def __init__(self, plate: Text, contract: Text, suits: list[Text] | None, held: int) -> None:
        self._plate, self._contract = plate, contract
        self._suits = suits
        """None where they are hidden."""
        self._hidden = Text(f"{held} card{'' if held == 1 else 's'}, hidden", "dim")

    def in_one(self) -> list[Text]:
        """Two lines."""
        held = [suit for suit in self._suits or [] if len(suit) > 1]
        hand = self._hidden if self._suits is None else Text("  ").join(held)
        return [Text.assemble(self._plate, "  ", self._contract), hand]

    def below(self) -> list[Text]:
        """Six lines."""
        suits = [self._hidden, Text(), Text(), Text()] if self._suits is None else self._suits
        return [self._plate, self._contract, *suits]


class _Place:
    """A moment of a match, looked at from somewhere."""

    def __init__(self, replay: Replay, at: int, view: View, pointed: Pointed) -> None:
        self._replay, self._view, self._pointed = replay, view, pointed
        self._moment: Moment = replay.moments[at]
        self._deck: Deck = self._moment.after.deck

    def seat(self, seat: Seat) -> _Seat:
        moment = self._moment
        plate = Text.assemble((seat, "bold"), " ", name_of(self._replay, seat))
        if self._turn() == seat:
            plate = Text.assemble("▶ ", plate)
            plate.stylize("bold")
        deal = moment.dealt
        if deal is None:
            return _Seat(plate, Text(), [Text()] * len(_SUITS), 0)
        if deal.dealer == seat:
            plate.append(" (dealer)", "dim")
        contract = Text("no bid yet", "dim")
        if seat in deal.bids:
            bid = bid_words(deal.bids[seat], seat in deal.blind)
            contract = Text(f"bid {bid}, took {moment.taken[seat]}")
        shown = knows(self._view, seat)
        if shown and self._view is not None:
            shown = sees_cards(self._replay, moment, seat)
        held = moment.hands[seat]
        return _Seat(plate, contract, self._suits(seat, held) if shown else None, held.bit_count())

    def _turn(self) -> Seat | None:
        """Who is to decide next."""
        return getattr(self._moment.phase, "turn", None) if self._moment.kind != "end" else None

    def _suits(self, seat: Seat, held: int) -> list[Text]:
        """A line a suit; while the seat is to play, what is legal stands out."""
        phase = self._moment.phase
        legal = None
        if isinstance(phase, Playing) and self._turn() == seat:
            legal = phase.legal
        cursor, marked = self._pointed
        lines = []
        for suit, its_sign, style in zip(self._deck.suits, _SUITS, _STYLES, strict=True):
            line = Text(its_sign, style)
            for card in self._deck.names(held & suit):
                rank, bit = sign(card).removesuffix(its_sign), self._deck.bit[card]
                line.append(" ")
                drawn = self._style(style, legal, bit)
                if bit & marked:
                    drawn += " bold underline"
                line.append(rank, style=f"{drawn} reverse" if bit & cursor else drawn)
            lines.append(line)
        return lines

    @staticmethod
    def _style(suit: str, legal: int | None, card: int) -> str:
        if legal is None:
            return suit
        return f"{suit} bold underline" if card & legal else f"{suit} dim"

    def box(self) -> list[Text]:
        """The table: six lines."""
        inside = _BOX - 2
        lying = self._lying()
        if lying is None:
            rows = [Text(), _centred(Text(self._said()), inside), Text(), Text()]
        else:
            west, east = (column(lying[seat], 4) for seat in ("W", "E"))
            rows = [
                _centred(lying["N"], inside),
                Text(),
                Text.assemble("  ", west, " " * (inside - 12), east),
                _centred(lying["S"], inside),
            ]
        edge = ("│", "dim")
        return [
            Text(f"┌{'─' * inside}┐", "dim"),
            *(Text.assemble(edge, column(row, inside), edge) for row in rows),
            Text(f"└{'─' * inside}┘", "dim"),
        ]

    def _said(self) -> str:
        """What stands on the table where no cards lie there."""
        moment, result = self._moment, self._moment.match_end
        if result is not None:
            return f"{result.winner} wins" if result.winner else "nobody wins"
        if moment.kind == "end":
            return f"deal {moment.position.deal} is over"
        return sentence(self._replay, moment) if moment.kind != "decision" else ""

    def _lying(self) -> dict[Seat, Text] | None:
        """The card of each seat; None where nothing lies there."""
        trick = self._moment.table
        if trick is None:
            return None
        lying: dict[Seat, Text] = {seat: Text() for seat in SEATS}
        for seat, card in zip(CLOCKWISE_FROM[trick.leader], trick.cards, strict=False):
            style = _STYLES[self._deck.suits.index(self._deck.suit_of[card])]
            won = isinstance(trick, FinishedTrick) and trick.winner == seat
            lying[seat] = Text(sign(card), f"{style} bold reverse" if won else f"{style} bold")
        return lying
