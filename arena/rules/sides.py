"""Which seats play together: partners (R1.2), or each for itself (R8.1)."""

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
_SEATS_OF: Final = _SIDES["partners"] | _SIDES["solo"]

assert tuple(_SIDES["partners"]) == PARTNERSHIPS


def sides(players: Players) -> dict[Side, tuple[Seat, ...]]:
    """Side -> its seats, in the order of the sides on the wire."""
    return _SIDES[players]


def side_of(players: Players) -> dict[Seat, Side]:
    """Seat -> its side."""
    return _SIDE_OF[players]


def seats_of(side: Side) -> tuple[Seat, ...]:
    """The seats of a side of either kind of play, clockwise."""
    return _SEATS_OF[side]
