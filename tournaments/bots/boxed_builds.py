"""Runs a bot's build in a box: no network, no files but the copy of the bot's folder."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.bot import BotFault
from arena.sandbox import BoxFailed, workshop
from tournaments.bots.builds import TIME_LIMIT, as_line, end_of, how_it_ended
from tournaments.bots.programs import find_program
from tournaments.errors import ArenaError, UserError, machine_trouble

_WANTED_NETWORK: Final = re.compile(
    r"resolve host|resolve proxy|name resolution|name or service not known|getaddrinfo|ENOTFOUND"
    r"|EAI_AGAIN|dial tcp|network is unreachable|unable to resolve|couldn.t connect|socket"
    r"|NewConnectionError|No matching distribution|failed to download|unable to update registry",
    re.IGNORECASE,
)
"""How the usual tools say that they could not reach the network."""


def run_boxed_build(command: Sequence[str], folder: Path, time_limit: float = TIME_LIMIT) -> None:
    """Runs a build in the copy of a bot's folder, which it sees as /bot.

    Raises UserError, with the end of what it printed, if it fails, and ArenaError where the box
    does. However this ends, nothing that the build has started goes on.
    """
    line = as_line(command)
    try:
        found = find_program(command, folder)
    except UserError as error:
        raise UserError(f"the build {line} cannot be started: {error}") from None
    try:
        made = workshop.make(found, folder, time_limit, toolchain="/" not in command[0])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"the build {line} cannot be started: {reason}") from None
    except BotFault as fault:
        raise UserError(f"the build {line} cannot be started: {fault.detail}") from None
    except BoxFailed as error:
        raise ArenaError(f"the build {line}: {machine_trouble(error)}") from None
    output = made.output.decode(errors="replace")
    if made.stopped is not None:
        raise UserError(f"the build {line} was stopped {made.stopped}{end_of(output)}")
    if made.status:
        network = "; it has no network: put what it fetches into the bot's folder"
        hint = network if _WANTED_NETWORK.search(output) else ""
        raise UserError(f"the build {line} {how_it_ended(made.status)}{hint}{end_of(output)}")
