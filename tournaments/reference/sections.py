"""Structs as sections of a page: what each is, an example, and a table of its fields."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from tournaments.reference.fields import Described, caption, described, title
from tournaments.reference.markdown import code, page, table

Kind = type[Struct]


def sections(
    kinds: Sequence[Kind],
    called: str,
    *,
    defaults: Callable[[Kind], bool],
    example: Callable[[Kind], str] = lambda _: "",
) -> Iterator[str]:
    """A section each. `called` is what a field is called here; where `defaults` says so, the table
    has a column for them.

    A field without words of its own means what it does in the nearest section before, else after
    it, that has some; where none has, that is a KeyError.
    """
    said: dict[str, str] = {}
    for kind in reversed(kinds):
        said |= _told(kind)
    for kind in kinds:
        rows = [_row(field, said, defaults=defaults(kind)) for field in described(kind)]
        head = [called, "values", *(["default"] if defaults(kind) else []), "meaning"]
        yield page(f"## {title(kind)}", caption(kind), example(kind), table(head, rows))
        said |= _told(kind)


def _told(kind: Kind) -> dict[str, str]:
    """Field -> this section, of those that it has words for."""
    return {field.name: title(kind) for field in described(kind) if field.text}


def _row(field: Described, said: Mapping[str, str], *, defaults: bool) -> list[str]:
    default = "must be there" if field.required else field.default and code(field.default)
    text = field.text or f"As in [`{said[field.name]}`](#{said[field.name]})."
    return [code(field.name), field.type, *([default] if defaults else []), text]
