"""Bids its sure tricks and always plays its highest legal card."""

from collections.abc import Collection

from protocol.cards import DECKS, RANKS, SUITS, Deck
from protocol.client import Bot, run
from protocol.messages import Bid, Exchange, Hello, Play


def sure_tricks(hand: Collection[str], deck: Deck) -> int:
    """How many tricks the hand is almost sure of.

    They are the highest card of each suit, the second highest where another card of the suit
    guards it, and every spade from the fourth on.
    """
    tricks = 0
    for suit in SUITS:
        *_, second, highest = deck.names(deck.suit_of["A" + suit])
        held = deck.names(deck.card_set(hand) & deck.suit_of["A" + suit])
        tricks += highest in held
        tricks += second in held and len(held) > 1
        if suit == "S":
            tricks += max(0, len(held) - 3)
    return tricks


def choose_bid(request: Bid, deck: Deck) -> int:
    """The legal bid nearest to the sure tricks, and to 1 where there are none: 0 would be nil."""
    wanted = max(1, sure_tricks(request.hand, deck))
    return min(request.legal, key=lambda bid: abs(bid - wanted))


def height(card: str, deck: Deck) -> tuple[int, int, int]:
    """Orders cards: any spade over all others, and those by rank, whatever the suit."""
    return deck.bit[card] & deck.spades, RANKS.find(card[0]), deck.number[card]


def choose_card(request: Play, deck: Deck) -> str:
    """The highest spade, or else the highest rank; of equal ranks the last on the wire."""
    return max(request.legal, key=lambda card: height(card, deck))


def choose_passed(request: Exchange, deck: Deck) -> list[str]:
    """The highest to a partner, the lowest to one who has bid nil: that is what each needs."""
    by_height = sorted(request.hand, key=lambda card: height(card, deck))
    if request.bids[request.to] == 0:
        return by_height[: request.count]
    return by_height[-request.count :]


class HighCard(Bot):
    """Answers from the request alone; only the deck is kept."""

    name, version = "high_card", "1.0"

    def hello(self, request: Hello) -> None:
        self.deck = DECKS[request.rules.deck]

    def bid(self, request: Bid) -> int:
        return choose_bid(request, self.deck)

    def exchange(self, request: Exchange) -> list[str]:
        return choose_passed(request, self.deck)

    def play(self, request: Play) -> str:
        return choose_card(request, self.deck)


if __name__ == "__main__":
    run(HighCard())
