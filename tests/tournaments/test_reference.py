"""The reference pages are what the code gives, and every field in them has words."""

from pathlib import Path
from typing import Annotated, Literal

import click
import pytest
from msgspec import Meta, Struct
from msgspec import inspect as types

from protocol.cards import Seat
from protocol.messages import Play, PlayReply
from tournaments.cli import COMMANDS, cli
from tournaments.files.vocabulary import ScheduleSection, TournamentFile
from tournaments.reference import PAGES
from tournaments.reference.fields import caption, described, in_words, title, with_inner
from tournaments.reference.markdown import table
from tournaments.reference.sections import sections

FOLDER = Path(__file__).parent.parent.parent / "docs/reference"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_code_gives(name: str) -> None:
    written, made = (FOLDER / name).read_text(), PAGES[name]()
    assert written == made, "python -m tournaments.reference docs/reference"


def test_every_page_is_made() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


def test_no_cell_for_a_meaning_is_empty() -> None:
    for name in PAGES:
        for line in (FOLDER / name).read_text().splitlines():
            assert not line.endswith("|  |"), f"{name}: {line}"


def test_every_option_of_every_command_is_there() -> None:
    page = (FOLDER / "commands.md").read_text()
    context = cli.make_context("spades-arena", ["rules"])
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command
        (own,) = [part for part in page.split("\n## ") if part.startswith(f"{name}\n")]
        for option in command.params:
            if isinstance(option, click.Option):
                assert all(f"`{each}" in own for each in option.opts)


class Table(Struct, kw_only=True):
    """What fields may look like."""

    first: int
    """The first
    of two lines."""
    second: Literal["a", "b"] | None = None
    """May be null."""


class Longer(Table, kw_only=True):
    """One field more."""

    third: list[Table] = []
    """Tables."""


TYPES = [
    (int, "integer"),
    (Annotated[int, Meta(ge=1, le=1000)], "integer, 1 to 1,000"),
    (Annotated[int, Meta(ge=1)], "integer, 1 or more"),
    (float | None, "number or null"),
    (bool, "`true` or `false`"),
    (Seat, "seat"),
    (Literal["a", "b"], "`a`, `b`"),
    (Annotated[str, Meta(title="a word")], "a word"),
    (Annotated[str, Meta(extra_json_schema={"enum": ["x", "y"]})], "`x`, `y`"),
    (tuple[str, ...], "list of text"),
    (dict[Seat, list[int]], "mapping of seat to list of integer"),
    (Table | None, "[table](#table) or null"),
]


@pytest.mark.parametrize(("kind", "words"), TYPES, ids=[words for _, words in TYPES])
def test_a_type_is_told_in_words(kind: object, words: str) -> None:
    assert in_words(types.type_info(kind)) == words


def test_a_field_has_the_docstring_below_it_also_where_it_is_inherited() -> None:
    assert [(each.name, each.text) for each in described(Longer)] == [
        ("first", "The first of two lines."),
        ("second", "May be null."),
        ("third", "Tables."),
    ]


def test_a_field_that_no_section_has_words_for_stops_the_page() -> None:
    class Mute(Struct):
        """Says nothing."""

        silent: int

    with pytest.raises(KeyError, match="silent"):
        list(sections([Mute, Table], "key", defaults=lambda _: True))


def test_a_field_without_words_means_what_it_does_in_the_nearest_section_before() -> None:
    class Before(Struct):
        """Comes first."""

        first: int

    class After(Struct):
        """Comes last."""

        first: int
        second: int

    page = "".join(sections([Before, Table, After], "key", defaults=lambda _: False))
    assert page.count("As in [`table`](#table).") == 3


def test_a_struct_is_a_heading_a_caption_an_example_and_a_table() -> None:
    (page,) = sections(
        [Table], "key", defaults=lambda _: True, example=lambda kind: f"A {title(kind)}."
    )
    assert page == (
        "## table\n\nWhat fields may look like.\n\nA table.\n\n"
        "| key | values | default | meaning |\n|---|---|---|---|\n"
        "| `first` | integer | must be there | The first of two lines. |\n"
        "| `second` | `a`, `b` or null | `null` | May be null. |\n"
    )


def test_a_struct_is_called_by_its_tag_or_its_name_in_words() -> None:
    assert [title(each) for each in (Play, PlayReply, ScheduleSection, TournamentFile)] == [
        *("play", "play reply", "schedule", "tournament file")
    ]
    assert caption(PlayReply) == "The reply to `play`."


def test_what_a_struct_is_made_of_comes_after_it_and_once() -> None:
    assert with_inner([Longer, Table]) == [Longer, Table]


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    assert table(["a"], [["x | y"]]) == "| a |\n|---|\n| x \\| y |"
