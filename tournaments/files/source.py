"""YAML text to plain data and positions.

The only module that knows PyYAML, and of it only the parser: its loaders take a duplicate key, a
`no` that means False, and aliases that explode. Here a plain scalar means what YAML 1.2's core
schema says, and anchors, aliases, tags, deep nesting and second documents are refused.
"""

import codecs
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import yaml

from protocol.codec import printable
from tournaments.errors import UserError, quoted
from tournaments.files.positions import Mark, Place, Source, SourceError, end_of

SIZE_LIMIT: Final = 1_000_000
"""Bytes of a file."""
DEPTH_LIMIT: Final = 32
"""Lists and mappings inside each other."""
NUMBER_LIMIT: Final = 40
"""Characters of a number."""


def read(path: Path, shown: Path | None = None) -> Source:
    """The YAML file at `path`, which messages call `shown`.

    Raises UserError if it can't be read or is no such YAML.
    """
    shown = Path(printable(str(shown or path)))
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise UserError(f"{shown}: not a file")
        with path.open("rb") as file:
            raw = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror}") from None
    if len(raw) > SIZE_LIMIT:
        raise UserError(f"{shown}: over {SIZE_LIMIT:,} bytes, which no file of this kind needs")
    text = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return parse(shown, text.decode())
    except UnicodeDecodeError as error:
        raise Source(shown, text.decode(errors="replace")).refuse(
            end_of(text[: error.start].decode()),
            f"not UTF-8 (the byte 0x{text[error.start]:02x}): save the file as UTF-8",
        ) from None


def found_later(path: Path, place: Place, message: str) -> UserError:
    """A mistake that came up after the file at `path` was read: at its place, if that is there.

    What no file says any more, or never did, as of a gate, has none.
    """
    try:
        source = read(path)
    except UserError:
        return UserError(message)
    if source.at(place[:1]) is None:
        return UserError(f"{path}: {message}")
    return source.spot(place).error(message)


def parse(path: Path, text: str) -> Source:
    """The YAML in `text`, under the name of `path`. Raises SourceError if it is no such YAML.

    A duplicate key is noted in the source; the last of its values stands.
    """
    source = Source(path, text)
    source.data = _Composer(source, text).document()
    return source


class _Composer:
    """Makes data of the parser's events."""

    def __init__(self, source: Source, text: str) -> None:
        self._source = source
        unprintable = yaml.SafeLoader.NON_PRINTABLE.search(text)
        if unprintable:
            raise source.refuse(
                end_of(text[: unprintable.start()]),
                f"a control character (U+{ord(unprintable.group()):04X}): remove it",
            )
        self._loader = yaml.SafeLoader(text)

    def document(self) -> Any:
        """The only document, None if there is none."""
        self._next()  # the stream's start
        if isinstance(self._next(), yaml.StreamEndEvent):
            self._source.values[()] = Mark(1, 1)
            return None
        data = self._node(self._next(), ())
        self._next()  # the document's end
        end = self._next()
        if not isinstance(end, yaml.StreamEndEvent):
            raise self._refuse(end, "a second document: a file has one, so remove this '---'")
        return data

    def _node(self, event: yaml.Event, place: Place) -> Any:
        self._refuse_decorated(event)
        self._source.values[place] = _mark(event)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if len(place) >= DEPTH_LIMIT:
            raise self._refuse(event, f"nested over {DEPTH_LIMIT} deep")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(place)
        return self._mapping(place)

    def _list(self, place: Place) -> list[Any]:
        found: list[Any] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            found.append(self._node(event, (*place, len(found))))
        return found

    def _mapping(self, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            below = (*place, key := self._key(event))
            first = self._source.keys.get(below)
            self._source.keys[below] = _mark(event)
            if key in found and first:
                message = f"the key {quoted(key)} stands twice, first in line {first.line}"
                self._source.add(below, message, on_key=True)
            found[key] = self._node(self._next(), below)
        return found

    def _key(self, event: yaml.Event) -> str:
        self._refuse_decorated(event)
        if not isinstance(event, yaml.ScalarEvent):
            raise self._refuse(event, "a key must be text, not a list or a mapping")
        key = self._scalar(event)
        if not isinstance(key, str):
            shown = f"put {event.value} in quotes" if event.value else "there is none before ':'"
            raise self._refuse(event, f"a key must be text: {shown}")
        return key

    def _refuse_decorated(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise self._refuse(event, "anchors (&) and aliases (*) are not taken: write it out")
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise self._refuse(event, f"the tag {quoted(tag)} is not taken: remove it")

    def _scalar(self, event: yaml.ScalarEvent) -> Any:
        text: str = event.value
        if _FORBIDDEN.search(text):
            raise self._refuse(event, f"a control character in {quoted(text)}: remove it")
        if not event.implicit[0]:  # quoted, or a block
            return text
        for pattern, value in _CORE:
            if pattern.fullmatch(text):
                if len(text) > NUMBER_LIMIT:
                    raise self._refuse(event, f"a number of over {NUMBER_LIMIT} characters")
                return value(text)
        return text

    def _next(self) -> yaml.Event:
        try:
            event: yaml.Event = self._loader.get_event()  # type: ignore[no-untyped-call]
            return event
        except yaml.MarkedYAMLError as error:
            raise self._syntax_error(error) from None
        except (ValueError, OverflowError):  # escapes and versions of absurd size
            mark = _at(self._loader.get_mark())
            raise self._source.refuse(mark, "not YAML: a number that is out of range") from None

    def _syntax_error(self, error: yaml.MarkedYAMLError) -> SourceError:
        problem, mark = error.problem or "unreadable", error.problem_mark or error.context_mark
        for part, opened, words in _SYNTAX:
            if part in problem:
                return self._source.refuse(_at(error.context_mark if opened else mark), words)
        context = f"{error.context}, " if error.context else ""
        return self._source.refuse(_at(mark), f"not YAML: {context}{problem}")

    def _refuse(self, event: yaml.Event, message: str) -> SourceError:
        return self._source.refuse(_mark(event), message)


def _at(mark: Any) -> Mark:
    return Mark(mark.line + 1, mark.column + 1)


def _mark(event: yaml.Event) -> Mark:
    return _at(event.start_mark)


_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that only an escape can bring in."""

_CORE: Final[Iterable[tuple[re.Pattern[str], Callable[[str], Any]]]] = (
    (re.compile(r"~|null|Null|NULL|"), lambda _: None),
    (re.compile(r"true|True|TRUE"), lambda _: True),
    (re.compile(r"false|False|FALSE"), lambda _: False),
    (re.compile(r"[-+]?[0-9]+"), int),
    (re.compile(r"0o[0-7]+"), lambda text: int(text[2:], 8)),
    (re.compile(r"0x[0-9a-fA-F]+"), lambda text: int(text[2:], 16)),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), float),
    (re.compile(r"[-+]?\.(inf|Inf|INF)"), lambda text: float(text.replace(".", ""))),
    (re.compile(r"\.(nan|NaN|NAN)"), lambda _: float("nan")),
)
"""The plain scalars of YAML 1.2's core schema that are no text (section 10.3.2)."""

_SYNTAX: Final = (
    (
        "mapping values are not allowed",
        False,
        "a ': ' that is out of place: put the text in quotes, or mind how far the line is indented",
    ),
    ("'\\t' that cannot start", False, "a tab: indent with spaces"),
    (
        "that cannot start any token",
        False,
        "text can't begin with this character: put it in quotes",
    ),
    ("unexpected end of stream", True, "this quote is never closed"),
    ("but got '<stream end>'", True, "this bracket is never closed"),
    ("but found '<stream end>'", False, "the file ends inside a bracket"),
    ("expected ',' or", False, "a ',' or the closing bracket is missing before this"),
    ("expected <block end>", False, "out of place: mind how far the line is indented"),
    ("expected '<document start>'", False, "text after the end: there is one value in a file"),
)
"""Part of the parser's words, whether the fault lies where it began, and what to say instead."""
