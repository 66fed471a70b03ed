"""What no arena of this version sends and a bot is to live with: what a later one may send."""

from functools import cache
from typing import Any, Final, TypeVar

from msgspec import Struct, defstruct
from msgspec.structs import asdict, replace

from protocol.messages import Fault, MatchEnd, Message, Request

Fields = dict[str, Any]
T = TypeVar("T", bound=Struct)


class Oddity(Struct, frozen=True):
    """What is odd about a request."""

    check: str
    """The check that its answer speaks for."""
    before: Message | None = None
    """Sent before it; asked, where it is a request itself."""
    fields: Fields | None = None
    """It has these, in a field that no bot knows."""
    inner: Fields | None = None
    """And each object in it has these."""


class Weather(Message, tag="weather", kw_only=True):
    """A message of no known type, with fields of known names that mean something else."""

    hand: str = "over"
    legal: tuple[int, ...] = (99,)
    score: None = None


class Claim(Request, tag="claim", kw_only=True):
    """A request of no known type."""

    count: int = 2


FEW: Final[Fields] = {"id": 7, "legal": [], "why": [{"hand": ["XX"]}, None, 1.5e3]}
INNER: Final[Fields] = {"cards": [], "n": -1.5}
"""Short, as there are many objects in a message."""
LONG: Final[Fields] = {"why": "-" * 700}
"""Makes the first play of a match as long as the longest request there is."""

FORGIVEN: Final = Fault(
    kind="timeout",
    detail="no complete line within 1000 ms - answer sooner",
    ruling="substitute",
)
"""What a bot is told of a fault that does not end its match."""
PENALTY: Final = replace(FORGIVEN, ruling="penalty")
"""The same with a ruling that there is not."""


def with_unknown_fields(value: T, fields: Fields, inner: Fields | None = None) -> T:
    """A message, or an object in one, as a later version may send it."""
    own = asdict(value)
    if inner is not None:
        own = {name: _with_inner(each, inner) for name, each in own.items()}
    later: T = _of_a_later_version(type(value))(**own, later=fields)
    return later


def later(message: Message) -> Message:
    """A message that wants no reply as a later version may send it."""
    if isinstance(message, MatchEnd):
        message = replace(message, reason="walkover")
    return with_unknown_fields(message, INNER, INNER)


def _with_inner(value: Any, inner: Fields) -> Any:
    match value:
        case Struct():
            return with_unknown_fields(value, inner, inner)
        case tuple():
            return tuple(_with_inner(each, inner) for each in value)
        case dict():
            return {key: _with_inner(each, inner) for key, each in value.items()}
    return value


@cache
def _of_a_later_version(kind: type[Struct]) -> Any:
    """The type with one field more."""
    config = kind.__struct_config__
    return defstruct(
        f"Later{kind.__name__}",
        [("later", Fields)],
        bases=(kind,),
        tag=config.tag,
        frozen=config.frozen,
        kw_only=True,
    )
