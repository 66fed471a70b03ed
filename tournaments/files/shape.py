"""Has a file the shape of a type? Every difference, in plain words, at its place.

The type's JSON Schema is the measure, the same that an editor would be given. A `title` there says
what is expected ("a time with its unit"), except for mappings, whose title is a type's name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from tournaments.errors import did_you_mean, quoted
from tournaments.files.positions import Place, Source
from tournaments.files.quantities import NO_LIST, UNITS

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

Schema = Mapping[str, Any]
_Error = Any
"""A ValidationError, whose stubs call unset what is always set on those that a validator gives."""


def check_shape(source: Source, kind: type) -> None:
    """Adds to `source` a problem for everything that keeps its data from being a `kind`."""
    if source.data is None:
        needed = " and ".join(map(repr, _schema(kind)["$defs"][kind.__name__]["required"]))
        source.add((), f"the file is empty: write at least {needed}")
        return
    for mistake in mistakes(source.data, kind):
        source.add(mistake.place, mistake.message, on_key=mistake.on_key)


class Mistake(NamedTuple):
    """A difference between data and a type."""

    place: Place
    message: str
    on_key: bool = False
    """It is about the key of the value there, which may be missing."""


def mistakes(data: Any, kind: type) -> Iterator[Mistake]:
    """All that keeps the data from being a `kind`, found as they are asked for."""
    return _Checker(kind).told(_validator(kind).iter_errors(data))


class _Checker:
    def __init__(self, kind: type) -> None:
        self._definitions: Schema = _schema(kind)["$defs"]

    def told(self, errors: Iterable[_Error]) -> Iterator[Mistake]:
        for error in errors:
            place = tuple(error.absolute_path)
            if "propertyNames" in error.relative_schema_path:
                yield Mistake((*place, error.instance), self._expectation(error), on_key=True)
            elif error.validator == "additionalProperties":
                yield from self._unknown_keys(place, error)
            elif error.validator == "required":
                yield from self._missing_keys(place, error)
            elif error.validator == "anyOf" and (meant := _meant(error)):
                yield from self.told(meant)
            else:
                yield Mistake(place, self._expectation(error))

    def _missing_keys(self, place: Place, error: _Error) -> Iterator[Mistake]:
        """All but those that an unknown key was meant to be, which is told of that one."""
        known = error.schema["properties"]
        hints = [did_you_mean(key, known) for key in error.instance if key not in known]
        for key in error.validator_value:
            if key not in error.instance and not any(repr(key) in hint for hint in hints):
                yield Mistake((*place, key), f"the key {key!r} is missing here", on_key=True)

    def _unknown_keys(self, place: Place, error: _Error) -> Iterator[Mistake]:
        known = error.schema["properties"]
        for key in error.instance:
            if key not in known:
                hint = did_you_mean(key, known) or f": known here are {', '.join(known)}"
                yield Mistake((*place, key), f"unknown key {quoted(key)}{hint}", on_key=True)

    def _expectation(self, error: _Error) -> str:
        value, branches = error.instance, list(self._branches(error.schema))
        expected = ", or ".join(dict.fromkeys(map(_words, branches)))
        hint = next(filter(None, (_hint(value, branch) for branch in branches)), "")
        return f"expected {expected}, found {_found(value)}{hint}"

    def _branches(self, schema: Schema) -> Iterator[Schema]:
        """The schema, or each of those that it leaves the choice of."""
        if "$ref" in schema:
            schema = self._definitions[schema["$ref"].rpartition("/")[2]]
        if "anyOf" not in schema:
            yield schema
        for branch in schema.get("anyOf", ()):
            yield from self._branches(branch)


def _meant(error: _Error) -> list[_Error]:
    """What is wrong by the branch of a union that the value is of the type of, if that is one.

    Where it may be null as well, all that it may be is told.
    """
    if any(branch.get("type") == "null" for branch in error.validator_value):
        return []
    branches: dict[str | int, list[_Error]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    fitting = [errors for errors in branches.values() if not any(map(_of_another_type, errors))]
    return fitting[0] if len(fitting) == 1 else []


def _of_another_type(error: _Error) -> bool:
    if error.relative_path:
        return False
    return error.validator == "type" or (
        error.validator == "enum" and not isinstance(error.instance, str)
    )


def _words(schema: Schema) -> str:
    """What a schema expects."""
    kind = schema.get("type")
    if kind == "object":
        return "a mapping"
    if "enum" in schema:
        words = list(schema["enum"])
        return words[0] if len(words) == 1 else f"one of {', '.join(words)}"
    if "title" in schema:
        return str(schema["title"])
    if kind == "integer" and "minimum" in schema:
        return f"a whole number from {schema['minimum']:,} to {schema['maximum']:,}"
    return _TYPES[str(kind)]


_TYPES: Final = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "string": "text",
}


def _found(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return f"the text {quoted(value)}"
        case list():
            return f"a list of {len(value):,}" if value else "an empty list"
        case dict():
            return "a mapping"
        case _:
            return f"the number {value}"


def _hint(value: Any, schema: Schema) -> str:
    """What to write instead, where that can be guessed."""
    kind = schema.get("type")
    if isinstance(value, list):
        return f": {schema[NO_LIST]}" if NO_LIST in schema else ""
    if isinstance(value, str):
        if kind == "null" and value.lower() == "none":
            return ": write null"
        if kind == "object":
            fields = schema.get("properties", {})  # of a mapping with any keys there are none
            fitting = (k for k, s in fields.items() if value in s.get("enum", ()))
            return "".join(f": write {{{key}: {value}}}" for key in islice(fitting, 1))
        if kind == "boolean" and value.lower() in ("yes", "on", "no", "off"):
            return f": write {'true' if value.lower() in ('yes', 'on') else 'false'}"
        if kind in ("integer", "number") and re.fullmatch(r"[-+]?[0-9.]+", value):
            return ": leave out the quotes"
        return did_you_mean(value, schema.get("enum", ()))
    if type(value) in (int, float) and UNITS in schema:
        return ": write " + " or ".join(f"{value * n:.12g}{u}" for u, n in schema[UNITS].items())
    if _is_number(value) and kind == "string" and "enum" not in schema:
        return ": put it in quotes"
    return ""


def _is_number(value: Any) -> bool:
    return type(value) is int or (type(value) is float and isfinite(value))


def _fits(_: "Validator", pattern: str, value: Any, __: Schema) -> "Iterator[ValidationError]":
    """Python's `$` also matches before a newline at the end; JSON Schema's does not."""
    if isinstance(value, str) and not re.fullmatch(pattern, value):
        from jsonschema import ValidationError

        yield ValidationError("pattern")


@cache
def _validator(kind: type) -> "Validator":
    from jsonschema import Draft202012Validator  # slow to import, and a bot may have no file
    from jsonschema.validators import extend

    strict = extend(  # type: ignore[no-untyped-call]
        Draft202012Validator,
        validators={"pattern": _fits},
        type_checker=Draft202012Validator.TYPE_CHECKER.redefine_many(
            {  # 3.0 is no whole number, and .inf no number at all
                "integer": lambda _, value: type(value) is int,
                "number": lambda _, value: _is_number(value),
            }
        ),
    )
    validator: Validator = strict(_schema(kind))
    return validator


@cache
def _schema(kind: type) -> Schema:
    return msgspec.json.schema(kind)
