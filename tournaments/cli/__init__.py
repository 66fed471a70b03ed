"""The command `spades-arena`: one module a group of commands, loaded when it is needed."""

import sys
import traceback
from importlib import import_module
from pathlib import Path

import click

from arena import ARENA
from tournaments.cli import outputs
from tournaments.cli.typed import sentence
from tournaments.errors import ArenaError, UserError, did_you_mean, machine_trouble, quoted
from tournaments.signals import Interrupted, interruptible

COMMANDS = {
    "new": "tournaments.cli.new",
    "run": "tournaments.cli.run",
    "match": "tournaments.cli.match",
    "check": "tournaments.cli.check",
    "play": "tournaments.cli.play",
    "gate": "tournaments.cli.gate",
    "standings": "tournaments.cli.results",
    "record": "tournaments.cli.results",
    "replay": "tournaments.cli.replay",
    "debug": "tournaments.cli.debug",
    "verify": "tournaments.cli.results",
    "export": "tournaments.cli.results",
    "report": "tournaments.cli.report",
    "backup": "tournaments.cli.results",
    "rules": "tournaments.cli.rules",
    "judge": "tournaments.cli.rules",
    "doctor": "tournaments.cli.doctor",
    "schema": "tournaments.cli.schema",
}
"""Command -> the module that has it, as a function of that name."""


class _Commands(click.Group):
    """Imports a command when it is called, so that no command pays for another's libraries."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(COMMANDS[cmd_name]), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], COMMANDS) or f": there are {', '.join(COMMANDS)}"
            raise UserError(f"no command {quoted(args[0])}{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(ARENA.version, prog_name=ARENA.name, message="%(prog)s %(version)s")
def cli() -> None:
    """Plays tournaments between Spades bots and ranks them.

    \b
    spades-arena new my-bot
    spades-arena match my-bot ./other-bot --seed 7
    spades-arena run tournament.yaml
    """


def main() -> None:
    """The entry point. Exit status: 2 a mistake of the user's, 3 a failure of the arena's own."""
    outputs.prepare()
    try:
        # Not cli.main(), which gives 1 where the output was closed: with us that is a finding.
        if not _has_folder():
            raise UserError("the current folder does not exist any more: cd to another")
        with interruptible(), cli.make_context(ARENA.name, sys.argv[1:]) as context:
            cli.invoke(context)
            sys.stdout.flush()
        status = 0
    except click.exceptions.Exit as exit_:
        status = exit_.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        status = error.exit_code
    except click.ClickException as error:
        click.echo(f"error: {sentence(error)}", err=True)
        status = error.exit_code
    except UserError as error:
        outputs.tell(f"error: {error}", err=True)
        status = 2
    except ArenaError as error:
        outputs.tell(f"arena error: {error}", err=True)
        status = 3
    except Interrupted as interrupted:
        click.echo(f"interrupted by {interrupted}", err=True)
        status = interrupted.exit_status
    except BrokenPipeError:
        status = 0  # whoever read it has enough of it
    except Exception as error:
        trouble = machine_trouble(error)
        if trouble:
            outputs.tell(f"arena error: {trouble}", err=True)
        else:
            traceback.print_exc()
            click.echo("this is a bug of the arena's: please report the lines above", err=True)
        status = 3
    outputs.release()
    sys.exit(status)


def _has_folder() -> bool:
    try:
        Path.cwd()
    except OSError:
        return False
    return True
