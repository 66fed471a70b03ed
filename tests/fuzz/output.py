"""What a bot might write: proper replies, replies gone wrong, and mere bytes."""

import json
from typing import Any

from hypothesis import strategies as st

from protocol.messages import LINE_LIMIT

_KEYS = st.sampled_from(
    ["id", "bid", "card", "blind_nil", "cards", "note", "name", "version", "x", ""]
)
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.integers(0, 14)
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["AS", "2C", "BJ", "\ud800", "\x1b[2J", "\x00", '","ms":1}'])
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)
_RAW_VALUES = st.sampled_from(
    [b"1e400", b"-0", b"1E2", b"03", b"NaN", b"-Infinity", b"9" * 5_000, b'"\\ud800"', b"[[]]"]
)


class Mutation:
    """What becomes of a proper reply: keys added or in place of its own, and bytes changed."""

    def __init__(
        self,
        dropped: bool,
        pairs: list[tuple[str, Any]],
        raw: bytes | None,
        splices: list[tuple[int, int, bytes]],
        ascii_: bool,
    ) -> None:
        self._dropped = dropped
        self._pairs = pairs
        self._raw = raw
        self._splices = splices
        self._ascii = ascii_

    def __repr__(self) -> str:
        return f"Mutation{self._dropped, self._pairs, self._raw, self._splices, self._ascii}"

    def apply(self, proper: dict[str, Any]) -> bytes:
        """The line, without its end."""
        items = [] if self._dropped else list(proper.items())
        text = ", ".join(
            f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=self._ascii)}"
            for key, value in [*items, *self._pairs]
        )
        line = ("{" + text + "}").encode(errors="surrogatepass")
        if self._raw is not None:
            line = line[:-1] + b', "y": ' + self._raw + b"}"
        for at, length, inserted in self._splices:
            at %= len(line) + 1
            line = line[:at] + inserted + line[at + length :]
        return line


mutations = st.builds(
    Mutation,
    dropped=st.sampled_from([False, False, True]),
    pairs=st.lists(st.tuples(_KEYS, _VALUES), max_size=2),
    raw=st.none() | _RAW_VALUES,
    splices=st.lists(
        st.tuples(st.integers(0, 120), st.integers(0, 4), st.binary(max_size=4)), max_size=2
    ),
    ascii_=st.booleans(),
)

lines = st.binary(max_size=60) | mutations.map(lambda m: m.apply({"id": 7, "bid": 3, "card": "2C"}))
"""Lines in reply to a request whose id is 7."""


def outputs(number: int) -> st.SearchStrategy[bytes]:
    """What may be written in reply to a request of this id: some lines, or parts of them."""
    proper = {"id": number, "bid": 3, "card": "AS"}
    line = json.dumps(proper).encode()
    earlier = json.dumps({**proper, "id": number - 1}).encode()
    pieces = (
        st.sampled_from([line + b"\n", line + b"\r\n", line, earlier + b"\n"])
        | st.sampled_from([b"\n", b"\r\n", b"\xef\xbb\xbf", b" ", b"thinking\n", b"\0"])
        | st.sampled_from([b"x" * LINE_LIMIT, b" " * LINE_LIMIT, b"\n" * 3_000])
        | st.binary(max_size=20)
        | mutations.map(lambda mutation: mutation.apply(proper) + b"\n")
    )
    return st.just(line + b"\n") | st.lists(pieces, max_size=5).map(b"".join)
