"""A Spades bot: what it does with each message. How it decides is in strategy.py."""

from typing import Any

from strategy import choose_bid, choose_card, choose_passed
from wire import run


class Bot:
    deck = "standard"
    """All that it remembers; a request carries the rest."""

    def decide(self, message: dict[str, Any]) -> dict[str, Any]:
        match message["type"]:
            case "hello":
                self.deck = message["rules"]["deck"]
            case "bid":
                return {"bid": choose_bid(message, self.deck)}
            case "exchange":
                return {"cards": choose_passed(message, self.deck)}
            case "play":
                return {"card": choose_card(message, self.deck)}
        return {}  # declines a blind nil, and what a later version may ask


if __name__ == "__main__":
    run(Bot().decide)
