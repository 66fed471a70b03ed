"""What a bot is asked and what it answers, each on one line, for people."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby

from arena.bot import BotFault
from arena.events import BidMade, BlindNilAnswered, CardPlayed, CardsPassed, Decision, Greeted
from protocol.cards import Seat
from protocol.codec import printable
from protocol.messages import Bid, BlindNil, Exchange, Hello, Play, Request
from tournaments.replays.words import bid_words

ALL_BIDS = tuple(range(14))


def asked(request: Request) -> str:
    """What is asked, with the hand: `[ ]` around what is legal."""
    match request:
        case Play(trick=trick, hand=hand, legal=legal):
            table = " ".join(trick.cards)
            return _columns(f"{trick.leader}: {table}" if table else "leads", _cards(hand, legal))
        case Bid(hand=hand, legal=legal):
            which = "" if legal == ALL_BIDS else f"  of {' '.join(map(str, legal))}"
            return _columns(_bids(request.bids, request.blind), _cards(hand)) + which
        case BlindNil():
            score = ", ".join(f"{side} {points}" for side, points in request.score.items())
            return _columns(_bids(request.bids, request.blind), f"unseen cards, at {score}")
        case Exchange(hand=hand, count=count, to=to, received=received):
            got = f"  got {' '.join(received)}" if received else ""
            return _columns(f"{count} to {to}", _cards(hand)) + got
        case Hello():
            return printable(f"to {request.rules.target}, match {request.match[:40]}")
    raise AssertionError(request)


def answered(event: Greeted | Decision) -> str:
    """What was chosen."""
    match event:
        case BidMade(bid=bid):
            return bid_words(bid)
        case BlindNilAnswered(blind_nil=blind_nil):
            return "blind nil" if blind_nil else "declines"
        case CardPlayed(card=card):
            return card
        case CardsPassed(cards=cards):
            return " ".join(cards) or "nothing"
        case Greeted(name=name, version=version):
            return printable(" ".join(text for text in (name, version) if text)) or "ready"


def fault_lines(fault: BotFault) -> Iterator[str]:
    """Why it is one, and the line at fault where there was one."""
    yield printable(fault.detail)
    if fault.raw is not None:
        yield f"it wrote {printable(fault.raw)}"


def _columns(table: str, cards: str) -> str:
    return f"{table:<11} {cards}"


def _bids(bids: Mapping[Seat, int], blind: Collection[Seat]) -> str:
    made = (f"{seat} {bid_words(bid, seat in blind)}" for seat, bid in bids.items())
    return " ".join(made) or "first"


def _cards(hand: Iterable[str], legal: Collection[str] = ()) -> str:
    """The hand by suits, with what is legal marked where that is not said of none."""
    runs = []
    for marked, cards in groupby(hand, lambda card: card in legal):
        suits = ("  ".join(" ".join(suit) for _, suit in groupby(cards, lambda card: card[-1])),)
        runs.append(f"[{suits[0]}]" if marked else suits[0])
    return "  ".join(runs)
