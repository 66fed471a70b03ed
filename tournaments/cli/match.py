"""`match`: one match at one table, played in this process."""

import os
import secrets
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from arena.deals import seed_root
from arena.events import Clocks, DealEnded, Faulted, FaultPolicy, Sealed
from arena.lag import ArenaLag
from arena.match import MatchResult, MatchSpec, play, specify
from arena.program import Program
from arena.record import read
from arena.rules import PRESETS, seats_of
from arena.sandbox import Sandbox
from arena.turns import Source, Turns
from protocol.cards import SEATS, Seat
from protocol.codec import printable
from tournaments.bots.bots import bot_from_argument, distinct
from tournaments.bots.preparation import prepare_all
from tournaments.boxes import TRUSTED, box_for
from tournaments.cli.lines import say
from tournaments.cli.outputs import check_writable, write_file
from tournaments.cli.sandbox import sandbox_option, sandbox_settings
from tournaments.cli.seed import seed_option
from tournaments.cli.typed import Choice
from tournaments.debugging.shown import Shown, deal_result
from tournaments.errors import ArenaError, UserError
from tournaments.sources import in_file

rules_option = click.option(
    "--rules",
    "preset",
    type=Choice(list(PRESETS)),
    default="standard",
    show_default=True,
    metavar="PRESET",
    help="A preset of the rules.",
)
record_option = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="RECORD",
    help="Write the match's record, JSON lines, to this file.",
)


@click.command(short_help="Play one match between two bots, or four.")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT BOT]")
@seed_option("Repeatable deals; drawn and printed without it.")
@rules_option
@sandbox_option("none", "What the bots are boxed in: auto, bubblewrap or none.")
@record_option
@click.option("--show", is_flag=True, help="Show what is asked and answered, as it happens.")
@click.pass_context
def match(
    ctx: click.Context,
    bots: tuple[str, ...],
    seed: int | None,
    preset: str,
    backend: str,
    output: Path | None,
    show: bool,
) -> None:
    """Play one match. Two bots: each plays a partnership; four: N E S W.

    A BOT is a folder with bot.yaml, a program file, or a command. Clocks and
    limits are the defaults of a tournament file, and every fault forfeits.
    Exit status 1: the match ended by forfeit.

    \b
    spades-arena match sample_bots/counting ./my-bot.py --seed 7 -o match.jsonl
    """
    if PRESETS[preset].players == "solo" and len(bots) != len(SEATS):
        raise UserError(f"a solo match needs four bots, not {len(bots)}")
    if len(bots) not in (2, 4):
        raise UserError(f"a match needs two bots or four, not {len(bots)}")
    sandbox = box_for(sandbox_settings(backend), "--sandbox none")
    named = distinct([bot_from_argument(bot, Path.cwd()) for bot in bots])
    if output is not None:
        check_writable(output)
    if seed is None:
        seed = secrets.randbelow(2**31)
    with TemporaryDirectory(prefix="bots-", ignore_cleanup_errors=True) as copies:
        # A box may change nothing of the user's folder, also not while a bot is built.
        snapshots = None if sandbox.backend == "none" else Path(copies)
        programs = prepare_all(named, snapshots, sandbox)
        seats = dict(zip(SEATS, programs * (4 // len(programs)), strict=True))
        sources = _sources(bots, output, sandbox)
        shown = Shown(say, sources) if show else None
        if shown is not None:
            click.echo(_head(seats, seed, sandbox))
        try:
            with on_one_core():
                result = play(_spec(seats, seed, preset, sandbox), listener=shown)
        except ArenaLag as lag:
            raise ArenaError(f"the match is void: {lag}, and play it again") from None
    try:
        if output is not None:
            write_file(output, zlib.decompress(result.record))
    finally:
        if shown is None:
            show_result(result, seats, sources, seed, sandbox)
        else:
            shown.end()
            click.echo(_outcome(result, seats))
    if output is None and result.faults:
        click.echo("(-o RECORD keeps the match, to reproduce the fault from)")
    if result.reason == "forfeit":
        ctx.exit(1)


@contextmanager
def on_one_core() -> Iterator[None]:
    """For a table: its bots inherit the core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _spec(seats: dict[Seat, Program], seed: int, preset: str, sandbox: Sandbox) -> MatchSpec:
    return specify(
        "match",
        seed_root(seed),
        seats,
        rules=PRESETS[preset],
        clock=Clocks(),
        faults=FaultPolicy(),
        sandbox=sandbox,
    )


def _sources(bots: tuple[str, ...], output: Path | None, sandbox: Sandbox) -> dict[Seat, Source]:
    """What `debug` is told of each seat."""
    file = "RECORD" if output is None else output
    named = zip(SEATS, bots * (4 // len(bots)), strict=True)
    return {seat: in_file(file, bot, sandbox.backend) for seat, bot in named}


def show_result(
    result: MatchResult,
    seats: dict[Seat, Program],
    sources: Mapping[Seat, Source],
    seed: int,
    sandbox: Sandbox,
) -> None:
    """A match from who sat where to who has won. `sources` are of the seats that `debug` takes."""
    click.echo(_head(seats, seed, sandbox))
    _tell(result, seats, sources)
    click.echo(_outcome(result, seats))


def _head(seats: dict[Seat, Program], seed: int, sandbox: Sandbox) -> str:
    names = "  ".join(f"{seat} {program.name}" for seat, program in seats.items())
    box = TRUSTED if sandbox.backend == "none" else f"sandbox {sandbox.backend}"
    return f"{names}\nseed {seed}, {box}"


def _tell(result: MatchResult, seats: dict[Seat, Program], sources: Mapping[Seat, Source]) -> None:
    """A line a deal, and the faults with what the bot said of itself."""
    turns = Turns()
    for _, event in read(zlib.decompress(result.record)):
        turn = None if isinstance(event, Sealed) else turns.take(event)
        if isinstance(event, DealEnded):
            click.echo(deal_result(event))
        elif isinstance(event, Faulted):
            assert turn is not None
            click.echo(f"fault of {event.seat} {seats[event.seat].name}: {event.kind}")
            click.echo(f"  asked for {event.request}; {printable(event.detail)}")
            source = sources.get(event.seat)
            if source is None:  # a person has left
                continue
            log = result.logs[event.seat]
            for line in log.splitlines():
                click.echo(f"  | {printable(line)}")
            if event.kind == "exit" and not log:  # the sentence has sent its reader here
                click.echo("  (it wrote nothing to standard error)")
            click.echo(f"  to reproduce: {source.debug(event.seat, turn)}")


def _outcome(result: MatchResult, seats: dict[Seat, Program]) -> str:
    if result.winner is None:
        how = "nobody wins"
    else:
        winners = dict.fromkeys(seats[seat].name for seat in seats_of(result.winner))
        how = f"{result.winner}, {' and '.join(winners)}, wins"
    return f"{how} after {_counted(result.deals, 'deal')} ({result.reason})"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
