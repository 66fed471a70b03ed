"""Replays that a page holds, compressed many together, as far as there is room for them."""

import base64
import gzip
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from arena.packed import PackedReplay
from arena.packing import pack
from arena.replay import replay
from tournaments.sources import in_run
from tournaments.storage.reader import Reader

TOGETHER: Final = 40
"""Replays that are compressed together: of more, each takes hardly less, and opens later."""
LONGEST: Final = 1 << 18
"""Bytes of a replay before it is compressed; a longer one is left to a page of its own."""
FRAME: Final = 200
"""Bytes of a page for a bundle and for the ids of each replay, beside what is compressed."""
OF_AN_ID: Final = 24


class Bundle(Struct, frozen=True):
    """Some replays."""

    matches: list[str]
    """Their ids, in the order of the replays."""
    packed: str
    """A JSON array of PackedReplay, gzip, base64."""

    @property
    def size(self) -> int:
        """Bytes that it takes in a page, at most."""
        return FRAME + OF_AN_ID * len(self.matches) + len(self.packed)


def bundles(store: Reader, matches: Iterable[str], room: int) -> Iterator[Bundle]:
    """The replays of matches, by their ids, the first ones first, in so many bytes of a page.

    One that is too long is left out. Raises Damaged for a record that is not what was played.
    """
    replays = _replays(store, matches)
    while some := _next(replays, TOGETHER):
        bundle = _bundle(some)
        fits = True
        while bundle.size > room:
            fits = False
            some = some[: len(some) // 2]
            if not some:
                return
            bundle = _bundle(some)
        yield bundle
        room -= bundle.size
        if not fits:
            return


def _replays(store: Reader, matches: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for match in matches:
        with store.judging(match):
            found = replay(store.record(match), in_run(store.folder, match))
        packed = _encode(pack(found))
        if len(packed) > LONGEST:
            packed = _encode(pack(found, notes=False))
        if len(packed) <= LONGEST:
            yield match, packed


def _encode(replay: PackedReplay) -> bytes:
    return msgspec.json.encode(replay)


def _next(replays: Iterator[tuple[str, bytes]], most: int) -> list[tuple[str, bytes]]:
    """The next ones, until there are so many or they are long enough."""
    some: list[tuple[str, bytes]] = []
    long = 0
    for each in replays:
        some.append(each)
        long += len(each[1])
        if len(some) == most or long > LONGEST * 2:
            break
    return some


def _bundle(replays: list[tuple[str, bytes]]) -> Bundle:
    array = b"[" + b",".join(packed for _, packed in replays) + b"]"
    squeezed = gzip.compress(array, 9, mtime=0)
    return Bundle([match for match, _ in replays], base64.b64encode(squeezed).decode())
