"""The option `--seed`, of whatever deals."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from tournaments.cli.typed import Whole

_RANGE: Final = Whole(0, 2**63 - 1)
_Command = TypeVar("_Command", bound=Callable[..., Any])


def seed_option(told: str) -> Callable[[_Command], _Command]:
    """`told` is its line in `--help`, which spells out no range."""
    return click.option("--seed", type=_seed, metavar="N", help=told)


def _seed(text: Any) -> int:
    return _RANGE.convert(text, None, None)
