"""A reader of Portable Bridge Notation, written from its grammar, that plays what it reads."""

import re
from typing import Final, NamedTuple

MANDATORY: Final = [
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable"),
    *("Deal", "Scoring", "Declarer", "Contract", "Result"),
]
SEATS: Final = "NESW"
RANKS: Final = "23456789TJQKA"
TAG: Final = re.compile(r'\[([A-Z][A-Za-z]*) "((?:[^"\\]|\\["\\])*)"\]')


class Game(NamedTuple):
    """A deal and its play."""

    tags: dict[str, str]
    leader: str
    tricks: list[dict[str, str]]
    """Seat -> card, suit first."""
    ended: bool
    """No card is left out."""

    @property
    def hands(self) -> dict[str, set[str]]:
        """Seat -> cards, suit first."""
        first, _, hands = self.tags["Deal"].partition(":")
        found = {}
        for seat, hand in zip(clockwise(first), hands.split(" "), strict=True):
            for suit in hand.split("."):
                assert list(suit) == sorted(suit, key=RANKS.index, reverse=True)
            suits = zip("SHDC", hand.split("."), strict=True)
            found[seat] = {suit + rank for suit, ranks in suits for rank in ranks}
        return found

    def taken(self) -> dict[str, int]:
        """Who takes how many tricks with spades for trumps. Raises AssertionError at a revoke."""
        held, leader, taken = self.hands, self.leader, dict.fromkeys(SEATS, 0)
        for trick in self.tricks:
            led = trick[leader][0]
            for seat in [seat for seat in clockwise(leader) if seat in trick]:
                card = trick[seat]
                assert card in held[seat], (seat, card)
                follows = card[0] == led or led not in {each[0] for each in held[seat]}
                assert follows, (seat, card)
                held[seat].remove(card)
            if len(trick) == 4:
                leader = max(trick, key=lambda seat: strength(trick[seat], led))
                taken[leader] += 1
        assert not self.ended or not any(held.values())
        return taken


def strength(card: str, led: str) -> tuple[bool, bool, int]:
    return card[0] == "S", card[0] == led, RANKS.index(card[1])


def clockwise(seat: str) -> str:
    at = SEATS.index(seat)
    return SEATS[at:] + SEATS[:at]


def read(text: str) -> list[Game]:
    """The games of a file. Raises AssertionError for what PBN does not allow."""
    assert text.isascii()
    assert all(len(line) <= 253 for line in text.split("\n"))
    head, *games = text.rstrip("\n").split("\n\n")
    assert head == "% PBN 2.1"
    return [_game(game.split("\n")) for game in games]


def _game(lines: list[str]) -> Game:
    tags: dict[str, str] = {}
    while lines and (found := TAG.fullmatch(lines[0])):
        assert found[1] not in tags
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        del lines[0]
    leader = tags.pop("Play")
    assert list(tags)[:15] == MANDATORY
    assert list(tags)[15:] == sorted(list(tags)[15:])
    ended = lines[-1:] != ["*"]
    tricks = []
    for line in lines if ended else lines[:-1]:
        row = zip(clockwise(leader), line.split(" "), strict=True)
        tricks.append({seat: card for seat, card in row if card != "-"})
    return Game(tags, leader, tricks, ended)
