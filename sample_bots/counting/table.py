"""What can be counted from one request to play: who holds what, who is winning, who needs what.

Cards are card sets, integers with a bit for each card (`protocol.cards.Deck`).
"""

from collections.abc import Collection, Iterator

from protocol.cards import CLOCKWISE_FROM, PARTNER, SEATS, Deck, Seat
from protocol.messages import FinishedTrick, Play, Trick
from protocol.rules import Rules

SPADE_RUFFS = 0.7
"""How likely a seat that is out of the suit led has a spade, and plays it."""


def each(cards: int) -> Iterator[int]:
    """The cards of a set, in the order of the wire."""
    while cards:
        card = cards & -cards
        yield card
        cards ^= card


def lowest(cards: int) -> int:
    """The lowest card of a set that is not empty."""
    return cards & -cards


def highest(cards: int) -> int:
    """The highest card of a set that is not empty."""
    return 1 << (cards.bit_length() - 1)


class Table:
    """A request to play, counted out."""

    def __init__(self, request: Play, rules: Rules, deck: Deck) -> None:
        self.deck = deck
        self.rules = rules
        self.me = request.seat
        self.partner = PARTNER[self.me] if rules.players == "partners" else None
        self.foes = [seat for seat in SEATS if seat not in (self.me, self.partner)]
        self.hand = deck.card_set(request.hand)
        self.legal = deck.card_set(request.legal)
        self.void: dict[Seat, int] = dict.fromkeys(SEATS, 0)
        """The suits that each seat is known to have no card of."""
        self._count_cards(request)
        self._count_trick(request)
        self._count_contracts(request)

    def _count_cards(self, request: Play) -> None:
        bit, gone = self.deck.bit, 0
        tricks: list[FinishedTrick | Trick] = [*request.tricks, request.trick]
        for trick in tricks:
            cards = [bit[card] for card in trick.cards]
            if not cards:
                continue
            led = self.deck.suit_of[trick.cards[0]]
            for seat, card in zip(CLOCKWISE_FROM[trick.leader], cards, strict=False):
                gone |= card
                if not card & led:
                    self.void[seat] |= led
        self.unseen = ((1 << 52) - 1) & ~gone & ~self.hand
        """What the three other seats hold."""

    def _count_trick(self, request: Play) -> None:
        cards = request.trick.cards
        self.led = self.deck.suit_of[cards[0]] if cards else 0
        """All cards of the suit led; 0 when this seat leads."""
        able = self.deck.card_set(cards) & (self.led | self.deck.spades)
        self.best = highest(able) if able else 0
        """The card that is winning; 0 when this seat leads."""
        order = CLOCKWISE_FROM[request.trick.leader]
        self.winner: Seat | None = None
        if self.best:
            self.winner = order[cards.index(self.deck.cards[self.best.bit_length() - 1])]
        self.later = order[len(cards) + 1 :]
        """The seats that play to this trick after this one."""

    def _count_contracts(self, request: Play) -> None:
        bids, taken = request.bids, request.taken
        self.nils = [seat for seat in SEATS if bids[seat] == 0 and not taken[seat]]
        """The seats whose nil still stands."""
        self.left = 13 - len(request.tricks)
        """Tricks to be played, this one included."""
        allies = [self.me, self.partner] if self.partner else [self.me]

        def need(seats: Collection[Seat]) -> int:
            spoilt = self.rules.failed_nil_tricks == "contract"
            counted = sum(taken[seat] for seat in seats if bids[seat] or spoilt)
            return sum(bids[seat] for seat in seats) - counted

        self.need = need(allies)
        """Tricks that this side's contract still needs."""
        self.foes_need = need(self.foes)

    def suit(self, card: int) -> int:
        """All cards of the card's suit."""
        return self.deck.suit_of[self.deck.cards[card.bit_length() - 1]]

    def above(self, card: int) -> int:
        """How many unseen cards of its suit are higher."""
        return (self.suit(card) & self.unseen & -(card << 1)).bit_count()

    def winners(self) -> list[int]:
        """The legal cards that would be winning, from the lowest; all of them before the lead."""
        return [card for card in each(self.legal) if self._beats(card)]

    def losers(self) -> int:
        """The legal cards that would not, as a set."""
        return sum(card for card in each(self.legal) if not self._beats(card))

    def _beats(self, card: int) -> bool:
        # A card set's spades are its highest bits, a suit's high cards are higher than its low.
        return card > self.best and (not self.led or bool(card & (self.led | self.deck.spades)))

    def chance(self, card: int, seats: Collection[Seat]) -> float:
        """About how likely none of `seats`, yet to play, can beat a card that is winning."""
        suit = self.suit(card)
        led = self.led or suit
        likely = 1.0
        for seat in seats:
            likely *= 1 - self._can_beat(seat, card, suit, led)
        return likely

    def _can_beat(self, seat: Seat, card: int, suit: int, led: int) -> float:
        spades, void = self.deck.spades, self.void[seat]
        higher_spades = (self.unseen & spades & -(card << 1)).bit_count()
        if void & spades:
            higher_spades = 0
        if void & led:
            return SPADE_RUFFS if higher_spades else 0.0
        holders = sum(1 for other in SEATS if other != self.me and not self.void[other] & led)
        elsewhere = 1 - 1 / holders
        follows = 1 - elsewhere ** (self.unseen & led).bit_count()
        if suit != led:  # a spade on another suit: only a seat that can't follow beats it
            return (1 - follows) * SPADE_RUFFS if higher_spades else 0.0
        beaten = 1 - elsewhere ** self.above(card)
        if led == spades or not higher_spades:
            return beaten
        return beaten + (1 - follows) * SPADE_RUFFS
