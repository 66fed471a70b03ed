"""The loop for bots written in Python: a request in, a reply out, nothing kept in between.

from protocol.client import Bot, run

class Cheap(Bot):
    def bid(self, request):
        return request.legal[0]

    def play(self, request):
        return request.legal[0]

run(Cheap())
"""

import sys
from collections.abc import Collection, Sequence
from contextlib import redirect_stdout

from protocol.codec import decode_message, encode, reply_id
from protocol.messages import (
    Bid,
    BidReply,
    BlindNil,
    BlindNilReply,
    DealEnd,
    Exchange,
    ExchangeReply,
    Fault,
    Hello,
    HelloReply,
    MatchEnd,
    Play,
    PlayReply,
    Reply,
)


class Bot:
    """What a bot does with each message. Only `bid` and `play` must be written."""

    name: str | None = None
    """What the bot calls itself; goes with the reply to `hello`."""
    version: str | None = None
    note: str | None = None
    """A remark for the record: set while a request is answered, it goes with that reply alone."""

    def hello(self, request: Hello) -> None:
        """The first message: seat, rules, clock, seed."""

    def bid(self, request: Bid) -> int:
        """One of `request.legal`."""
        raise _not_written(self, "bid")

    def play(self, request: Play) -> str:
        """One of `request.legal`."""
        raise _not_written(self, "play")

    def blind_nil(self, request: BlindNil) -> bool:
        """Whether to bid nil without having seen the cards."""
        return False

    def exchange(self, request: Exchange) -> Sequence[str]:
        """`request.count` cards of `request.hand` for the partner."""
        return request.hand[: request.count]

    def fault(self, message: Fault) -> None:
        """This bot did something wrong."""

    def deal_end(self, message: DealEnd) -> None:
        """A deal is over, and every card may be seen."""

    def match_end(self, message: MatchEnd) -> None:
        """The match is over."""


def answer(bot: Bot, line: bytes) -> Reply | None:
    """What `bot` replies to a line of the arena; None where no reply is due.

    Raises TypeError where a method of the bot's returned what can't be sent.
    """
    bot.note = None
    match message := decode_message(line):
        case Play():
            card = bot.play(message)
            if not isinstance(card, str):
                raise _wrong_type(bot, "play", card, "a card, which is a string such as 'AS'")
            return PlayReply(id=message.id, card=card, note=bot.note or "")
        case Bid():
            bid = bot.bid(message)
            if not isinstance(bid, int) or isinstance(bid, bool):
                raise _wrong_type(bot, "bid", bid, "a bid, which is an int")
            return BidReply(id=message.id, bid=bid, note=bot.note or "")
        case Hello():
            bot.hello(message)
            name, version = bot.name or "", bot.version or ""
            return HelloReply(id=message.id, name=name, version=version, note=bot.note or "")
        case BlindNil():
            blind_nil = bot.blind_nil(message)
            if not isinstance(blind_nil, bool):
                raise _wrong_type(bot, "blind_nil", blind_nil, "True or False")
            return BlindNilReply(id=message.id, blind_nil=blind_nil, note=bot.note or "")
        case Exchange():
            cards = bot.exchange(message)
            if isinstance(cards, str) or not _are_all_text(cards):
                raise _wrong_type(bot, "exchange", cards, "a list of cards such as ['2S', '9H']")
            return ExchangeReply(id=message.id, cards=list(cards), note=bot.note or "")
        case DealEnd():
            bot.deal_end(message)
        case Fault():
            bot.fault(message)
        case MatchEnd():
            bot.match_end(message)
        case _:  # a message of a later version: what has an id is declined
            unknown = reply_id(line)
            return None if unknown is None else Reply(id=unknown)
    return None


def _are_all_text(cards: object) -> bool:
    return isinstance(cards, Collection) and all(isinstance(card, str) for card in cards)


def _not_written(bot: Bot, method: str) -> NotImplementedError:
    return NotImplementedError(f"{type(bot).__name__}.{method}(self, request) is not written")


def _wrong_type(bot: Bot, method: str, found: object, wanted: str) -> TypeError:
    """The error of an author whose method returned something else, or nothing."""
    hint = " (is a return missing?)" if found is None else f" ({type(found).__name__})"
    return TypeError(
        f"{type(bot).__name__}.{method}() returned {str(found)[:100]}{hint}, and not {wanted}"
    )


def run(bot: Bot) -> None:
    """Plays one match: reads standard input to its end.

    What the bot prints goes to standard error, since standard output carries the replies. An
    exception of the bot's is not caught: its traceback stands in the bot's log.
    """
    replies = sys.stdout.buffer
    with redirect_stdout(sys.stderr):
        for line in sys.stdin.buffer:
            reply = answer(bot, line)
            if reply is not None:
                replies.write(encode(reply))
                replies.flush()
