"""Records to walk through: of bots that play fair, that are at fault, that are hostile."""

from collections.abc import Callable
from random import Random
from typing import Final

from msgspec.structs import replace

from arena.bot import Answer, Bot, BotFault
from arena.events import FaultPolicy
from arena.record import Writer
from protocol.cards import SEATS, Seat
from protocol.messages import BidReply, BlindNilReply, HelloReply, PlayReply, Request
from protocol.rules import Rules
from tests.arena.tables import FORFEIT, choose, every, play, started

HOSTILE: Final = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    "\x1b[2J\x1b]0;owned\x07\u2028\u202egnihtemos\u0000\n\r{{ 7 * 7 }}&lt;b&gt;"
)
HOSTILE_NAME: Final = HOSTILE.partition("\x1b")[0] + "{{ 7 * 7 }}&lt;b&gt;"
"""As far as a label can be: one that is not printable ASCII is refused where it is read."""
LONG: Final = "long " * 2_000


class Steady(Bot):
    """Chooses at random, always in the same time; its notes are `note`, its faults by the number of
    the request."""

    def __init__(self, seed: str, note: str | None, faults: dict[int, BotFault]) -> None:
        self._choose = choose(Random(seed))
        self._note, self._faults, self._asked = note, faults, -1

    def ask(self, request: Request) -> Answer:
        self._asked += 1
        if self._asked in self._faults:
            raise self._faults[self._asked]
        reply = self._choose(request)
        if isinstance(reply, HelloReply):
            reply.name = reply.version = self._note or "steady"
        if self._note and isinstance(reply, HelloReply | BidReply | PlayReply | BlindNilReply):
            reply.note = self._note
        return Answer(reply, ms=12.3, cpu_ms=9.8)

    def tell(self, message: object) -> None:
        pass


def record(
    rules: Rules = Rules(max_deals=2),  # noqa: B008 - frozen
    *,
    names: tuple[str, str] = ("counting", "lowest"),
    notes: dict[Seat, str] | None = None,
    faults: dict[Seat, dict[int, BotFault]] | None = None,
    policy: FaultPolicy = FORFEIT,
    seed: int = 1,
) -> bytes:
    """The record of a match between these names."""
    match = started(rules, faults=policy)
    players = {
        seat: replace(player, name=names[i % 2])
        for i, (seat, player) in enumerate(match.players.items())
    }
    # The deals are those of a seed, which other names would make others.
    origin = replace(match.origin, seed=None, commitment="0" * 64)
    match = replace(match, players=players, origin=origin, match="3f2a9c0d51e7b846")
    bots = {
        seat: Steady(f"{seed} {seat}", (notes or {}).get(seat), (faults or {}).get(seat, {}))
        for seat in SEATS
    }
    writer = Writer()
    for event in play(match, bots)[0]:
        writer.add(event)
    return writer.close()


def fair() -> bytes:
    """Two deals, each bid with a note."""
    return record()


def blind() -> bytes:
    """Blind nils with their exchanges."""
    return record(Rules(max_deals=3, blind_nil=200, blind_nil_exchange=2), seed=3)


ILLEGAL: Final = BotFault(
    "illegal", "the card '2C' is not legal: it is not in the hand - choose from AS KS", "'2C'"
)


def substituted() -> bytes:
    """The arena decides for E twice: a bid and a card."""
    policy = every("substitute", limit=100)
    return record(faults={"E": {1: ILLEGAL, 9: ILLEGAL}}, policy=policy)


def renege() -> bytes:
    """The first deal is set in its third trick."""
    return record(faults={"E": {4: ILLEGAL}}, policy=every("set"))


def forfeit() -> bytes:
    """W exits in the fifth trick of the first deal."""
    fault = BotFault("exit", "it exited with status 1 - see its standard error", None)
    return record(faults={"W": {6: fault}})


def hostile() -> bytes:
    """Bots whose names, notes and replies are meant to do harm."""
    fault = BotFault("malformed", f"not JSON: {HOSTILE} - {LONG}", HOSTILE + LONG)
    return record(
        names=(HOSTILE_NAME, LONG),
        notes={"N": HOSTILE, "E": LONG, "S": "<b>bold</b>", "W": "\u202e\u2067\u200f"},
        faults={"E": {3: fault}},
        policy=every("substitute", limit=100),
    )


def nobody_starts() -> bytes:
    """N never starts, so nothing is dealt."""
    return record(faults={"N": {0: BotFault("start", "it did not answer - hurry", None)}})


def jokers() -> bytes:
    """A deck with jokers, led at any time."""
    return record(Rules(max_deals=2, deck="jokers_nyc", lead_spades="any_time"))


def solo() -> bytes:
    """Each seat for itself."""
    return record(Rules(max_deals=2, players="solo", min_bid=1, nil=0))


def level() -> bytes:
    """Nobody has won when all deals are played: nils of nothing, and bags of none."""
    rules = Rules(max_deals=1, nil=0, min_bid=13, bag_points=0)
    return record(rules)


RECORDS: Final[dict[str, Callable[[], bytes]]] = {
    each.__name__: each
    for each in (
        fair, blind, substituted, renege, forfeit, hostile, nobody_starts, jokers, solo, level,
    )
}  # fmt: skip
"""One of every kind, by its name."""
