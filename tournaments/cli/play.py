"""`play`: a person at a table with bots, in the terminal."""

import secrets
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click
from msgspec.structs import replace

from arena.lag import ArenaLag
from arena.program import Program
from arena.rules import PRESETS
from arena.sandbox import Sandbox
from tournaments.bots.bots import BotSource, bot_from_argument, distinct
from tournaments.bots.preparation import prepare_all
from tournaments.boxes import box_for
from tournaments.cli.match import on_one_core, record_option, rules_option, show_result
from tournaments.cli.outputs import at_a_screen, check_writable, write_file
from tournaments.cli.sandbox import sandbox_option, sandbox_settings
from tournaments.cli.seed import seed_option
from tournaments.errors import ArenaError, UserError
from tournaments.signals import Interrupted
from tournaments.sources import in_file

PERSON: Final = "person"
"""The person's name in records."""


@click.command(short_help="Play with bots yourself, in the terminal.")
@click.argument("bots", nargs=-1, required=True, metavar="BOT [BOT BOT]")
@seed_option("Repeatable deals; drawn and printed without it.")
@rules_option
@sandbox_option("none", "What the bots are boxed in: auto, bubblewrap or none.")
@click.option("--hint", metavar="BOT", help="Who gives hints.  [default: the first BOT]")
@record_option
def play(
    bots: tuple[str, ...],
    seed: int | None,
    preset: str,
    backend: str,
    hint: str | None,
    output: Path | None,
) -> None:
    """Take a seat, S. One bot plays the other three; three: your partner N, E, W.

    In the terminal keys choose cards, ? tells them, h is a hint. You have no
    clock; a bot that is late or breaks a rule has its lowest card played. Who
    leaves forfeits; with -o the record is kept, for `replay` and `verify`.

    \b
    spades-arena play sample_bots/counting --rules quick -o evening.jsonl
    """
    if not at_a_screen():
        raise UserError(
            "play needs a terminal to draw on and to read keys from: type it at one, without pipes"
            " and with TERM set; `match` plays bots without a person"
        )
    if len(bots) not in (1, 3):
        raise UserError(f"a person plays with one bot or with three, not {len(bots)}")
    sandbox = box_for(sandbox_settings(backend), "--sandbox none")
    sources = [bot_from_argument(bot, Path.cwd()) for bot in (*bots, hint or bots[0])]
    if output is not None:
        check_writable(output)
    if seed is None:
        seed = secrets.randbelow(2**31)
    with TemporaryDirectory(prefix="bots-", ignore_cleanup_errors=True) as copies:
        # A box may change nothing of the user's folder, also not while a bot is built.
        snapshots = None if sandbox.backend == "none" else Path(copies)
        _play(bots, _programs(sources, snapshots, sandbox), seed, preset, sandbox, output)


def _programs(
    sources: list[BotSource], snapshots: Path | None, sandbox: Sandbox
) -> tuple[list[Program], Program]:
    """Of the three bots, and of the one that gives hints."""
    *seated, adviser = sources
    person = BotSource(PERSON, (), Path.cwd())
    named = distinct([person, *seated, adviser])[1:]
    *programs, advising = prepare_all(named, snapshots, sandbox)
    return programs * (3 // len(programs)), replace(advising, name=adviser.name)


def _play(
    bots: tuple[str, ...],
    programs: tuple[list[Program], Program],
    seed: int,
    preset: str,
    sandbox: Sandbox,
    output: Path | None,
) -> None:
    from tournaments.person.game import OTHERS, game
    from tournaments.person.game import play as play_in_terminal

    unkept: list[UserError] = []

    def keep(record: bytes) -> None:
        try:
            if output is not None:
                write_file(output, record)
        except UserError as error:  # what was played is told all the same
            unkept.append(error)

    seats = dict(zip(OTHERS, programs[0], strict=True))
    spec = game(seats, PERSON, seed, PRESETS[preset], sandbox)
    try:
        with on_one_core():
            result = play_in_terminal(spec, programs[1], keep)
    except ArenaLag as lag:
        kept = f"; {output} has it as far as it went" if output is not None else ""
        told = f"; {unkept[0]}" if unkept else kept
        raise ArenaError(f"the match is void: {lag}{told}") from None
    except Interrupted:
        if unkept:
            raise unkept[0] from None
        raise
    file = "RECORD" if output is None else output
    others = zip(OTHERS, bots * (3 // len(bots)), strict=True)
    sources = {seat: in_file(file, bot, sandbox.backend) for seat, bot in others}
    named = {seat: each.program for seat, each in spec.seats.items()}
    show_result(result, named, sources, seed, sandbox)
    if unkept:
        raise unkept[0]
