"""A bot that sits behind a person: asked all that the person is asked, and heard on demand.

It is asked at every decision, as a bot may keep what it has seen, whether its hints are looked at
or not. Nothing that it does is in the record.
"""

from collections.abc import Callable

from arena.bot import Bot, BotFault
from arena.faults import ENDING
from arena.lag import ArenaLag
from protocol.codec import printable
from protocol.messages import (
    NOTE_LIMIT,
    Bid,
    BidReply,
    BlindNilReply,
    Exchange,
    ExchangeReply,
    Message,
    Play,
    PlayReply,
    Reply,
    Request,
)
from tournaments.replays.table import sign
from tournaments.replays.words import bid_words


class Adviser:
    """Gives hints, and why there are none where its bot fails."""

    def __init__(self, name: str, bot: Bot) -> None:
        self._name, self._bot = printable(name), bot
        self._gone = ""
        """Why there are no hints any more."""

    def consider(self, request: Request) -> str:
        """What the bot would choose, with its note, as a sentence. Takes as long as its clock."""
        if self._gone:
            return self._gone
        try:
            reply = self._bot.ask(request).reply
        except BotFault as fault:
            told = f"no hint from {self._name}, {fault.kind}: {printable(fault.detail)}"
            if fault.kind in ENDING:
                self._gone = told
            return told
        except ArenaLag:  # its reply may still come, and would be taken for the next one
            self._gone = (
                f"no hints from {self._name} any more: this machine was too late to hear it"
            )
            return self._gone
        note = f" ({printable(reply.note[:NOTE_LIMIT])})" if reply.note else ""
        return f"{self._name} would {_choice(request, reply)}{note}"

    def tell(self, message: Message) -> None:
        """What the person is told it is told as well."""
        self._bot.tell(message)


def _choice(request: Request, reply: Reply) -> str:
    match request, reply:
        case Play(), PlayReply(card=card):
            return f"play {_listed([card], request.legal.__contains__)}"
        case Bid(), BidReply(bid=bid):
            return f"bid {bid_words(bid)}" + ("" if bid in request.legal else ", which is illegal")
        case Exchange(), ExchangeReply(cards=cards):
            lowest = request.hand[: request.count]
            return f"pass {_listed(cards or lowest, request.hand.__contains__)}"
        case _, BlindNilReply(blind_nil=blind_nil):
            return "bid blind nil" if blind_nil else "decline blind nil"
    return "be ready"


def _listed(cards: "list[str] | tuple[str, ...]", legal: Callable[[str], bool]) -> str:
    """Cards as people write them; what may be anything where one is illegal."""
    if all(map(legal, cards)):
        return " ".join(map(sign, cards))
    return f"{printable(' '.join(cards)[:40])}, which is illegal"
