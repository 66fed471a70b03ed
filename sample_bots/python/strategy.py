"""What the bot decides, from one request and the deck alone. This is the file to change.

README.md says the strategy in words. A card is a number: 16 times its suit (clubs, diamonds,
hearts, spades are 0 to 3) plus its height in that suit. So of two cards that can win a trick the
greater number does, and the suit of a card is `card // 16`.
"""

from collections.abc import Collection
from typing import Any

SEATS = "NESW"
SPADES = 3


def cards_of(deck: str) -> dict[str, int]:
    """Every card of a deck, by name, with its number."""
    jokers = deck != "standard"
    numbers: dict[str, int] = {}
    for suit, letter in enumerate("CDHS"):
        names = [rank + letter for rank in "23456789TJQKA"]
        if jokers and (letter != "D" or deck == "jokers_nyc"):
            names.pop(0)  # this deck has no such two, or has it as a trump
        if jokers and letter == "S":
            names += ["2S", "2D", "LJ", "BJ"] if deck == "jokers_nyc" else ["2S", "LJ", "BJ"]
        numbers.update((name, 16 * suit + height) for height, name in enumerate(names))
    return numbers


def suit_of(card: int) -> int:
    return card // 16


def above(card: int, others: Collection[int]) -> int:
    """How many of other cards beat this one in its own suit."""
    return sum(card < other and suit_of(card) == suit_of(other) for other in others)


# --- Bidding: hundredths of a trick ---------------------------------------------------------------

ANY_HAND = 80
"""What small cards take."""
HONOURS = {0: (95, 95), 1: (20, 70), 2: (10, 35)}
"""An ace, a king and a queen, by how many cards are above them: unguarded, and guarded."""
LONG_SPADE = 85
"""Each spade from the fourth on."""
RUFFS = (110, 60, 20)
"""No card, one and two in a side suit, for a hand with a spade."""
NIL_ABOVE = (6, 3, 1)
"""For a nil, so many unseen cards must be above the lowest cards of each suit."""


def choose_bid(request: dict[str, Any], deck: str) -> int:
    """The legal bid nearest to the tricks expected; nil where that is safe."""
    numbers = cards_of(deck)
    hand = [numbers[name] for name in request["hand"]]
    solo = request["seat"] in request["score"]
    covered = solo or request["bids"].get(partner_of(request["seat"])) != 0
    if 0 in request["legal"] and covered and is_nil(hand, numbers.values()):
        return 0
    wanted = max(1, expected_tricks(hand, numbers.values()) // 100)
    # Of two as near the lower one; nil only where nothing else is legal.
    legal: list[int] = request["legal"]
    return min(legal, key=lambda bid: abs(bid - wanted) if bid else 99)


def expected_tricks(hand: list[int], deck: Collection[int]) -> int:
    tricks = ANY_HAND
    for suit in range(4):
        held = [card for card in hand if suit_of(card) == suit]
        for card in held:
            higher = above(card, deck)
            if higher in HONOURS:
                tricks += HONOURS[higher][len(held) > higher]
        if suit == SPADES:
            tricks += LONG_SPADE * max(0, len(held) - 3)
        elif len(held) < len(RUFFS) and suit_of(hand[-1]) == SPADES:
            tricks += RUFFS[len(held)]
    return tricks


def is_nil(hand: list[int], deck: Collection[int]) -> bool:
    """Whether each suit is low enough to lose all its tricks; at most three spades."""
    unseen = [card for card in deck if card not in hand]
    for suit in range(4):
        held = [card for card in hand if suit_of(card) == suit]
        if suit == SPADES and len(held) > 3:
            return False
        if any(above(c, unseen) < least for c, least in zip(held, NIL_ABOVE, strict=False)):
            return False
    return True


def partner_of(seat: str) -> str:
    return SEATS[(SEATS.index(seat) + 2) % 4]


# --- Passing cards --------------------------------------------------------------------------------


def choose_passed(request: dict[str, Any], deck: str) -> list[str]:
    """Its strongest cards if it has bid nil itself, its weakest otherwise."""
    numbers = cards_of(deck)

    def strength(name: str) -> int:
        suit, height = divmod(numbers[name], 16)
        return height + (16 if suit == SPADES else 0)

    nil = request["bids"][request["seat"]] == 0
    return sorted(request["hand"], key=strength, reverse=nil)[: request["count"]]


# --- Playing --------------------------------------------------------------------------------------


class Table:
    """What can be counted from a request to play."""

    def __init__(self, request: dict[str, Any], deck: str) -> None:
        numbers = cards_of(deck)
        self.legal = [numbers[name] for name in request["legal"]]
        trick = [numbers[name] for name in request["trick"]["cards"]]
        seen = {numbers[name] for name in request["hand"]}.union(trick)
        for finished in request["tricks"]:
            seen.update(numbers[name] for name in finished["cards"])
        self.unseen = [card for card in numbers.values() if card not in seen]
        self.led = suit_of(trick[0]) if trick else None
        """The suit to follow; None before the lead."""
        self.best = max((c for c in trick if suit_of(c) in (self.led, SPADES)), default=-1)
        """The card that is winning; -1 before the lead."""
        self.later = 3 - len(trick)
        """How many seats play to this trick after this one."""
        self.left = 13 - len(request["tricks"])
        """Tricks to be played, this one included."""

        bids, taken, me = request["bids"], request["taken"], request["seat"]
        partner = None if me in request["score"] else partner_of(me)
        self.partner_wins = partner is not None and len(trick) > 1 and trick[-2] == self.best
        self.my_nil = bids[me] == taken[me] == 0
        self.partners_nil = partner is not None and bids[partner] == taken[partner] == 0
        missing = {seat: bids[seat] - taken[seat] if bids[seat] else 0 for seat in SEATS}
        self.need = sum(missing[seat] for seat in SEATS if seat in (me, partner))
        """Tricks that this side's contract still needs."""
        self.others_need = sum(missing.values()) - self.need

    def above(self, card: int) -> int:
        return above(card, self.unseen)

    def wins(self, card: int) -> bool:
        """Whether a card beats those on the table, as every card does before the lead."""
        return self.led is None or (card > self.best and suit_of(card) in (self.led, SPADES))


def choose_card(request: dict[str, Any], deck: str) -> str:
    """Keeps its nil, covers its partner's, makes the contract, breaks theirs; then avoids bags."""
    table = Table(request, deck)
    if table.my_nil:
        card = duck(table)
    elif table.partners_nil and (table.partner_wins or table.later > 1):
        card = cover(table)
    elif table.need > 0 or 0 < table.others_need >= table.left - 1:
        card = take(table)
    else:
        card = duck(table)
    return str(request["legal"][table.legal.index(card)])


def cover(table: Table) -> int:
    """Keeps the partner's nil from taking the trick."""
    winners = [card for card in table.legal if table.wins(card)]
    if not winners:
        return throw_away(table)
    if table.partner_wins:
        return winners[0]
    return min(winners, key=table.above)


def take(table: Table) -> int:
    """Takes the trick as cheaply as it can, or lets go what is missed least."""
    winners = [card for card in table.legal if table.wins(card)]
    sure = [card for card in winners if table.above(card) == 0]
    if table.led is None:
        return sure[0] if sure else throw_away(table)  # side suits come before the spades
    if not winners:
        return throw_away(table)
    if table.partner_wins and (table.later == 0 or table.above(table.best) == 0):
        return throw_away(table)
    if table.later == 0 or suit_of(winners[0]) != table.led:
        return winners[0]  # the last card, or a ruff
    if sure:
        return sure[0]
    return throw_away(table) if table.later == 2 else winners[-1]


def throw_away(table: Table) -> int:
    """The lowest card, of a side suit if there is one."""
    return min(table.legal, key=lambda card: (suit_of(card) == SPADES, card % 16))


def duck(table: Table) -> int:
    """Loses the trick, and with it the card most likely to take another."""
    if table.led is None:
        return max(table.legal, key=table.above)
    losers = [card for card in table.legal if not table.wins(card)]
    if losers:
        return min(losers, key=table.above)
    return table.legal[0] if table.later else table.legal[-1]
