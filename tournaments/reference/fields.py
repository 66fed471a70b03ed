"""The fields of a struct: type in words, default, and the docstring below each in the source."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple, get_args

import msgspec
from msgspec import NODEFAULT, UNSET, Struct
from msgspec import inspect as types

from protocol.cards import Seat
from protocol.rules import Rules
from tournaments.reference.markdown import code

_RULES: Final = "[rules](../rules.md#options)"


class Described(NamedTuple):
    """A field, as a row of a table is made of it."""

    name: str
    type: str
    required: bool
    default: str
    """Empty where there is none, or none that is a plain value."""
    text: str
    """Its docstring, in one line; empty where it has none."""


def described(kind: type[Struct]) -> Iterator[Described]:
    """The fields of a struct, in their order."""
    words, info = _docstrings(kind), types.type_info(kind)
    assert isinstance(info, types.StructType)
    for field in info.fields:
        plain = field.default not in (NODEFAULT, UNSET) and not isinstance(field.default, Struct)
        yield Described(
            field.encode_name,
            in_words(field.type),
            field.required,
            msgspec.json.encode(field.default).decode().strip('"') if plain else "",
            words.get(field.name, ""),
        )


def title(kind: type[Struct]) -> str:
    """What a struct is called: its tag on the wire, or its name in words."""
    if kind.__struct_config__.tag:
        return str(kind.__struct_config__.tag)
    words: list[str] = re.findall(r"[A-Z][a-z]+", kind.__name__.removesuffix("Section"))
    return " ".join(words).lower()


def caption(kind: type[Struct]) -> str:
    """The docstring of a struct, a paragraph a line."""
    return "\n\n".join(map(_one_line, (inspect.getdoc(kind) or "").split("\n\n")))


def with_inner(kinds: Iterable[type[Struct]]) -> list[type[Struct]]:
    """The structs, and after each the ones that its fields are made of, each once."""
    found: dict[type[Struct], None] = {}
    for kind in kinds:
        found[kind] = None
        inner = [each for field in msgspec.structs.fields(kind) for each in _structs(field.type)]
        found |= dict.fromkeys(with_inner(each for each in inner if each not in found))
    return list(found)


def in_words(kind: types.Type) -> str:
    """A type, for people who write another language."""
    match kind:
        case types.Metadata(type=inner, extra_json_schema=extra):
            of = extra or {}
            if "examples" in of:
                return f"{_choice(of['examples'])}, or one of a later version"
            return of["title"] if "title" in of else _choice(of.get("enum", ())) or in_words(inner)
        case types.UnionType(types=choices):
            words = dict.fromkeys(map(in_words, choices))
            return " or ".join(w for w in words if not any(o.startswith(f"{w},") for o in words))
        case types.LiteralType(values=values):
            return "seat" if {*values} == {*get_args(Seat)} else _choice(values)
        case types.IntType(ge=least, le=most):
            return f"integer{_range(least, most)}"
        case types.FloatType(ge=least, le=most):
            return f"number{_range(least, most)}"
        case types.ListType(item_type=item) | types.VarTupleType(item_type=item):
            return f"list of {in_words(item)}"
        case types.DictType(key_type=key, value_type=value):
            return f"mapping of {in_words(key)} to {in_words(value)}"
        case types.StructType(cls=cls):
            called = title(cls)
            rules = issubclass(cls, Rules)
            return _RULES if rules else f"[{called}](#{called.replace(' ', '-')})"
        case types.BoolType():
            return "`true` or `false`"
        case types.NoneType():
            return "null"
        case types.AnyType():
            return "anything"
    assert isinstance(kind, types.StrType), kind
    return "text"


def _structs(annotation: object) -> list[type[Struct]]:
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return [] if issubclass(annotation, Rules) else [annotation]
    return [found for part in get_args(annotation) for found in _structs(part)]


def _docstrings(kind: type[Struct]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in kind.__mro__:
        if not issubclass(each, Struct) or each is Struct:
            continue
        (of_class,) = ast.parse(textwrap.dedent(inspect.getsource(each))).body
        assert isinstance(of_class, ast.ClassDef)
        for field, below in pairwise(of_class.body):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ):
                    found.setdefault(name, _one_line(text))
    return found


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _choice(values: Iterable[object]) -> str:
    return ", ".join(map(code, values))


def _range(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f", {least:,} to {most:,}"
    return "" if least is None else f", {least:,} or more"
