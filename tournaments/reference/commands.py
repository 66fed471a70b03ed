"""The page of the commands, from click itself."""

import inspect
from collections.abc import Iterator
from typing import Final

import click

from arena import ARENA
from tournaments.cli import COMMANDS, cli
from tournaments.reference.markdown import MADE, code, indented, page, table

_INTRODUCTION: Final = """\
# Commands

What `spades-arena COMMAND --help` prints, of all commands. `BOT` is a folder with a `bot.yaml`, a
program file, or a command: see [bots](../bots.md).
"""
_EXIT_STATUS: Final = {
    "0": "all is well",
    "1": "a finding; a command that has one says which",
    "2": "a mistake in what was typed or in a file, with its place and the nearest right word; a"
    " build that fails; no box to be had; something to play in a run that is final",
    "3": "the arena's own failure, or a folder that another run holds",
    "129, 130, 143": "interrupted by SIGHUP, SIGINT (Ctrl-C), SIGTERM; what was finished is kept",
}


def commands_page() -> str:
    """The page: every command with its usage, text, arguments and options."""
    context = cli.make_context(ARENA.name, [], resilient_parsing=True)
    found = [(name, cli.get_command(context, name)) for name in COMMANDS]
    return page(
        _INTRODUCTION,
        MADE,
        *(part for name, command in found if command for part in _command(name, command, context)),
        "## Exit status",
        table(["status", "means"], _EXIT_STATUS.items()),
        "Other statuses stand with the command that has them.",
    )


def _command(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield f"## {name}"
    yield indented(
        f"{parent.command_path} {name} {' '.join(command.collect_usage_pieces(context))}"
    )
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        if paragraph.startswith("\b"):
            yield indented(paragraph.removeprefix("\b\n"))
        else:
            yield " ".join(paragraph.split())
    options = [each for each in command.params if isinstance(each, click.Option)]
    if options:
        yield table(["option", "values", "default", "meaning"], map(_option, options))


def _option(option: click.Option) -> list[str]:
    value = f" {option.metavar}" if option.metavar else ""
    names = [*map(code, option.opts[:-1]), code(option.opts[-1] + value)]
    # Of click's own account of an option: there a default that is none is None, not a sentinel.
    default = None if option.is_flag else option.to_info_dict()["default"]
    told = "must be given" if option.required else "" if default is None else code(default)
    return [", ".join(names), _values(option), told, option.help or ""]


def _values(option: click.Option) -> str:
    if option.is_flag:
        return ""
    if isinstance(option.type, click.Choice):
        return ", ".join(map(code, option.type.choices))
    if isinstance(option.type, click.IntRange):
        return f"integer, {option.type.min:,} or more"
    if isinstance(option.type, click.Path):
        return "path"
    return {"float": "number", "text": "text"}.get(option.type.name, "integer")
