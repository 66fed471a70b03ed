"""The option `--sandbox`, of whatever plays bots that no tournament file names."""

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast, get_args

import click

from arena.sandbox import Wanted
from tournaments.errors import UserError, did_you_mean, quoted
from tournaments.tournament import SandboxSettings

BACKENDS: Final = get_args(Wanted)
_Command = TypeVar("_Command", bound=Callable[..., Any])


def sandbox_option(default: Wanted | None, told: str) -> Callable[[_Command], _Command]:
    """`told` is its line in `--help`; the value is for `sandbox_settings`, unless it is None."""
    return click.option(
        "--sandbox",
        "backend",
        default=default,
        show_default=True,
        metavar="BACKEND",
        help=told,
    )


def sandbox_settings(backend: str) -> SandboxSettings:
    """The limits of a tournament file, with this backend. Raises UserError where it is none."""
    if backend not in BACKENDS:
        hint = did_you_mean(backend, BACKENDS) or f": there are {', '.join(BACKENDS)}"
        raise UserError(f"--sandbox: there is no sandbox {quoted(backend)}{hint}")
    return SandboxSettings(cast(Wanted, backend))
