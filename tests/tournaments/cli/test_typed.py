"""What is typed and wrong: every command tells it alike, with the nearest right word."""

from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from tests.tournaments.league import Outcome
from tournaments.cli import COMMANDS, cli
from tournaments.cli.typed import Choice, Existing, Whole

Command = Callable[..., Outcome]


def parameters() -> Iterator[tuple[str, click.Parameter]]:
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield from ((name, parameter) for parameter in command.params)


CHOICES = [(name, one) for name, one in parameters() if isinstance(one.type, click.Choice)]
OPTIONS = [
    (name, option)
    for name, one in parameters()
    for option in one.opts
    if option.startswith("--") and option != "--against"
]


def test_every_parameter_with_limits_is_of_the_types_that_tell_the_nearest_word() -> None:
    for name, parameter in parameters():
        kind = parameter.type
        told = f"{name} {parameter.opts}"
        assert isinstance(kind, Choice) == isinstance(kind, click.Choice), told
        assert isinstance(kind, Whole) == isinstance(kind, click.IntRange), told
        exists = isinstance(kind, click.Path) and kind.exists
        assert isinstance(kind, Existing) == exists, told


@pytest.mark.parametrize(("name", "parameter"), CHOICES)
def test_a_misspelt_word_is_told_with_the_nearest(
    name: str, parameter: click.Parameter, command: Command
) -> None:
    assert isinstance(parameter.type, Choice)
    word = str(parameter.type.choices[0])
    wrong = f"{word}{word[-1]}q"
    option = parameter.opts[-1:] if isinstance(parameter, click.Option) else []
    where = option[0] if option else str(parameter.name).upper()
    outcome = command(name, *option, wrong)
    assert outcome.status == 2
    assert outcome.err.startswith(f"error: {where}: there is no {wrong!r}: ")
    assert outcome.err.count("\n") == 1
    if len(word) > 1:
        assert outcome.err.endswith(f": did you mean {word!r}?\n")


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_a_misspelt_option_is_told_with_the_nearest(
    name: str, option: str, command: Command
) -> None:
    outcome = command(name, f"{option}q")
    assert outcome.status == 2
    assert outcome.err == f"error: no option {option + 'q'!r}: did you mean {option!r}?\n"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["match", "a", "b", "--rules", "STANDARD"], "--rules: there is no 'STANDARD': did you mean"
         " 'standard'?"),
        (["standings", "quikstart"], "RUN: 'quikstart' does not exist: did you mean 'quickstart'?"),
        (["replay", "quikstart"], "FILE | RUN MATCH: 'quikstart' does not exist: did you mean"
         " 'quickstart'?"),
        (["run", "quickstart"], "TOURNAMENT: 'quickstart' is a directory"),
        (["match", "a", "b", "--seed"], "option '--seed' requires an argument"),
        (["match", "a", "b", "-z"], "no option '-z': there are --seed, --rules, --sandbox, -o,"
         " --output, --show, -h, --help"),
        (["gate", "a", "--against", "b", "--elo0", "x"], "--elo0: 'x' is not a number"),
        (["gate", "a", "--against", "b", "--max-pairs", "x"], "--max-pairs: 'x' is not a whole"
         " number"),
        (["schema", "bot", "x"], "got unexpected extra argument (x): spades-arena schema [OPTIONS]"
         " {tournament|bot|protocol|record}"),
        (["new"], "DIR is missing: spades-arena new [OPTIONS] DIR"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(
    typed: list[str],
    told: str,
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quickstart").mkdir()
    outcome = command(*typed)
    assert (outcome.status, outcome.out, outcome.err) == (2, "", f"error: {told}\n")
