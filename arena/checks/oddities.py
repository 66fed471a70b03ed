"""What no arena of this version sends and a bot is to live with: what a later one may send."""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from protocol.messages import Bid, Fault, Hello, Message, Play, Request


class Oddity(Struct, frozen=True):
    """What is odd about a request."""

    check: str
    """The check that its answer speaks for."""
    before: Message | None = None
    """Sent before it; asked, where it is a request itself."""
    fields: dict[str, Any] | None = None
    """It has these, in a field that no bot knows."""


class Weather(Message, tag="weather", kw_only=True):
    """A message of no known type, with fields of known names that mean something else."""

    hand: str = "over"
    legal: tuple[int, ...] = (99,)
    score: None = None


class Claim(Request, tag="claim", kw_only=True):
    """A request of no known type."""

    count: int = 2


FEW: Final[dict[str, Any]] = {"id": 7, "legal": [], "why": [{"hand": ["XX"]}, None, 1.5e3]}
LONG: Final[dict[str, Any]] = {"why": "-" * 700}
"""Makes the first play of a match as long as the longest request there is."""


class LaterHello(Hello, tag="hello", kw_only=True):
    """A hello of a later version."""

    later: dict[str, Any]


class LaterBid(Bid, tag="bid", kw_only=True):
    """A bid of a later version."""

    later: dict[str, Any]


class LaterPlay(Play, tag="play", kw_only=True):
    """A play of a later version."""

    later: dict[str, Any]


def with_unknown_fields(request: Request, later: dict[str, Any]) -> Request:
    """The request as a later version might send it."""
    fields = asdict(request)
    match request:
        case Hello():
            return LaterHello(**fields, later=later)
        case Bid():
            return LaterBid(**fields, later=later)
        case Play():
            return LaterPlay(**fields, later=later)
    raise AssertionError(request)


FORGIVEN: Final = Fault(
    kind="timeout",
    detail="no complete line within 1000 ms - answer sooner",
    ruling="substitute",
)
"""What a bot is told of a fault that does not end its match."""
