"""What has changed between the settings of two runs, in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from arena.deals import commitment, seed_of
from tournaments.errors import UserError

_UNSET: Final = object()


class Change(NamedTuple):
    """A value that differs."""

    setting: str
    """`rules.target`"""
    words: str
    """A clause: `rules.target was 500, is 250`."""


class Incomparable(UserError):
    """Settings have changed, and with them what results mean."""

    def __init__(self, changed: Sequence[Change], instead: str) -> None:
        super().__init__(f"{'; '.join(each.words for each in changed)}: {instead}")
        self.setting = changed[0].setting
        """The first of them."""


def incomparable(
    old_root: str, old: Mapping[str, Any], root: str, new: Mapping[str, Any]
) -> list[Change]:
    """What makes the results of two runs incomparable.

    Roots are what all deals come from (`arena.deals`), the others settings, plain JSON data.
    """
    new = msgspec.json.decode(msgspec.json.encode(new))
    seeds = changes({"seed": _seed_shown(old_root)}, {"seed": _seed_shown(root)})
    return [*seeds, *changes(old, new)]


def changes(old: object, new: object, path: str = "") -> Iterator[Change]:
    """Each value that differs in plain data."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from changes(
                old.get(key, _UNSET), new.get(key, _UNSET), f"{path}.{key}" if path else key
            )
    elif old != new:
        yield Change(path, f"{path} was {_shown(old)}, is {_shown(new)}")


def _seed_shown(root: str) -> int | str:
    """What a root may be called in a message: never by its secret."""
    seed = seed_of(root)
    return f"drawn in secret (SHA-256 {commitment(root)})" if seed is None else seed


def _shown(value: object) -> str:
    if value is _UNSET:
        return "not set"
    return msgspec.json.encode(value, order="deterministic").decode()
