"""What is typed: words and numbers that are checked, and any mistake in them as a sentence."""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

import click

from tournaments.errors import did_you_mean, near, quoted


class Choice(click.Choice[str]):
    """One of some words; of any other the nearest of them is told, or all."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        return f"there is no {quoted(str(value))}{_nearest(str(value), self.choices)}"


class Whole(click.IntRange):
    """A whole number within limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            limits = f"of {self.min:,} or more"
            if self.max is not None:
                limits = f"from {self.min:,} to {self.max:,}"
            self.fail(f"expected a whole number {limits}, found {quoted(str(value))}", param, ctx)


class Existing(click.Path):
    """A file or folder that is there; of one that is not, what stands beside it and was meant."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(exists=True, file_okay=file_okay, dir_okay=dir_okay, path_type=Path)

    def convert(
        self,
        value: str | PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            message = error.message.partition(" ")[2].rstrip(".")  # without click's word for it
            hint = near(Path(value)) if message.endswith("does not exist") else ""
            self.fail(f"{message}{hint}", param, ctx)


def sentence(error: click.ClickException) -> str:
    """A mistake in what was typed, told as those in files are: where, what, the nearest word."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.NoSuchOption) and context is not None:
        known = [option for param in context.command.get_params(context) for option in param.opts]
        known = [option for option in known if option.startswith("-")]
        return f"no option {quoted(error.option_name)}{_nearest(error.option_name, known)}"
    if isinstance(error, click.MissingParameter) and error.param is not None:
        return f"{_called(error.param)} is missing: {_wanted(error.param, context)}"
    if isinstance(error, click.BadParameter) and error.param is not None:
        message = error.message.rstrip(".").replace("a valid float", "a number")
        return f"{_called(error.param)}: {message.replace('a valid integer', 'a whole number')}"
    message = error.format_message().rstrip(".")
    more = "" if context is None else f": {_usage(context)}"
    return f"{message[:1].lower()}{message[1:]}{more}"


def _nearest(word: str, words: Iterable[str]) -> str:
    return did_you_mean(word, words) or f": there are {', '.join(words)}"


def _called(param: click.Parameter) -> str:
    """What a parameter is called in `--help`."""
    if isinstance(param, click.Option):
        return param.opts[-1]
    return param.metavar or (param.name or "").upper()


def _wanted(param: click.Parameter, context: click.Context | None) -> str:
    if isinstance(param.type, click.Choice):
        return f"one of {', '.join(map(str, param.type.choices))}"
    return "it must be given" if context is None else _usage(context)


def _usage(context: click.Context) -> str:
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])
