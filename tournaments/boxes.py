"""Which box bots are put in: what was asked for, against what this machine has."""

from typing import Final

from msgspec.structs import asdict

from arena.sandbox import NoSandbox, Sandbox, find
from tournaments.errors import UserError
from tournaments.tournament import SandboxSettings

TRUSTED: Final = "sandbox none: only for bots you trust"
"""What is said where bots run without a box."""


def box_for(settings: SandboxSettings, none: str = "sandbox: {backend: none}") -> Sandbox:
    """The box and its limits. Raises UserError where it can't be had; then no other is taken.

    `none` is how to write that one wants no box.
    """
    try:
        backend = find(settings.backend)
    except NoSandbox as error:
        raise UserError(
            f"{error}; `spades-arena doctor` tells more, and your own bots, which you trust, run"
            f" without a box: {none}"
        ) from None
    return Sandbox(**{**asdict(settings), "backend": backend})
