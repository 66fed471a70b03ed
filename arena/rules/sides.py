"""Which seats play together (R1.2)."""

from typing import Final

from protocol.cards import PARTNERSHIPS, SEATS, Seat
from protocol.messages import Side
from protocol.rules import Players

_SIDES: Final[dict[Players, dict[Side, tuple[Seat, ...]]]] = {
    "partners": {"NS": ("N", "S"), "EW": ("E", "W")},
    "solo": {seat: (seat,) for seat in SEATS},
}
_SIDE_OF: Final[dict[Players, dict[Seat, Side]]] = {
    players: {seat: side for side, seats in sides.items() for seat in seats}
    for players, sides in _SIDES.items()
}

assert tuple(_SIDES["partners"]) == PARTNERSHIPS


def sides(players: Players) -> dict[Side, tuple[Seat, ...]]:
    """Side -> its seats, in the order of the sides on the wire."""
    return _SIDES[players]


def side_of(players: Players) -> dict[Seat, Side]:
    """Seat -> its side."""
    return _SIDE_OF[players]
