"""Counts: its tricks before it bids, the cards that are gone before it plays one."""

from bidding import choose_bid, is_blind_nil
from passing import choose_passed
from playing import choose_card
from table import Table

from protocol.cards import DECKS
from protocol.client import Bot, run
from protocol.messages import Bid, BlindNil, Exchange, Hello, Play


class Counting(Bot):
    """Answers from the request alone; only the rules are kept."""

    name, version = "counting", "1.0"

    def hello(self, request: Hello) -> None:
        self.rules = request.rules
        self.deck = DECKS[request.rules.deck]

    def blind_nil(self, request: BlindNil) -> bool:
        return is_blind_nil(request, self.rules)

    def exchange(self, request: Exchange) -> list[str]:
        return choose_passed(request, self.deck)

    def bid(self, request: Bid) -> int:
        return choose_bid(request, self.rules, self.deck)

    def play(self, request: Play) -> str:
        card = choose_card(Table(request, self.rules, self.deck))
        return self.deck.cards[card.bit_length() - 1]


if __name__ == "__main__":
    run(Counting())
