"""`debug`: sends a bot the lines of a recorded match, and shows where its answers differ now."""

import shlex
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import click
from msgspec.structs import replace

from arena.events import Faulted, MatchStarted, Player
from arena.lines import LogLines
from arena.program import Program
from arena.record import BadRecord, read
from arena.refeeding import Refed, refeed
from arena.sandbox import Sandbox
from arena.sent import Asked, sent
from arena.turns import Turn
from protocol.cards import SEATS, Seat
from protocol.codec import printable
from protocol.messages import Message
from tournaments.bots.bots import bot_from_argument
from tournaments.bots.preparation import prepare_all
from tournaments.boxes import TRUSTED, box_for
from tournaments.cli.lines import say
from tournaments.cli.outputs import at_a_terminal
from tournaments.cli.recorded import recorded
from tournaments.cli.sandbox import sandbox_option, sandbox_settings
from tournaments.cli.typed import Choice, Existing
from tournaments.debugging.handover import Handover, with_debugger
from tournaments.debugging.kept import Kept, kept_bot, kept_sandbox
from tournaments.debugging.refed import Line, Summary, compact, log_lines, request_line, whole
from tournaments.errors import UserError, quoted, shown
from tournaments.signals import Interrupted

Shown = Literal["all", "lines", "differing"]
"""Of requests: all of them, all with their lines, or where answers differ."""


class _Command(click.Command):
    """What stands behind `--` is the bot's, whatever it looks like."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = args.index("--") if "--" in args else len(args)
        rest = super().parse_args(ctx, args[:at])
        ctx.params["command"] = tuple(args[at + 1 :])
        return rest


@click.command(cls=_Command, short_help="Send a bot a recorded match again, and compare.")
@click.argument("what", metavar="FILE | RUN MATCH", type=Existing())
@click.argument("match", required=False, metavar="-- BOT")
@click.option(
    "--seat",
    type=Choice(SEATS, case_sensitive=False),
    required=True,
    metavar="S",
    help="Whose lines: N, E, S or W.",
)
@click.option("--until", metavar="DEAL:DECISION", help="Stop there, in a debugger if it can be.")
@click.option("--diff", is_flag=True, help="Show only where answers differ.")
@click.option("--lines", is_flag=True, help="Show every request also as the line that is sent.")
@sandbox_option(
    None,
    "auto, bubblewrap or none. By default as in the RUN; none for a BOT.",
)
@click.pass_context
def debug(
    ctx: click.Context,
    what: Path,
    match: str | None,
    seat: Seat,
    until: str | None,
    diff: bool,
    lines: bool,
    backend: str | None,
    command: tuple[str, ...],
) -> None:
    """Send BOT, without a clock, the very lines that a seat was sent in a match.

    BOT is a folder with bot.yaml, a program file or a command; it may be left
    out for a RUN. DECISION counts what the seat was asked in the deal, from 1;
    0:1 is `hello`. There a bot in Python stops in pdb, any other waits for a
    debugger, unless it is in a box. Exit status 1: an answer differs.

    \b
    spades-arena debug match.jsonl --seat N --diff -- ./my-bot.py
    spades-arena debug runs/friday ef25c2 --seat E --until 2:5
    """
    name, record, _ = recorded(what, match)
    shown: Shown = "lines" if lines else "differing" if diff or until else "all"
    fed = _lines(name, record, seat)
    turn = None if until is None else _turn(until, fed)
    started = next(event for _, event in read(record) if isinstance(event, MatchStarted))
    player = started.players[seat]
    sandbox = _sandbox(what, backend, command)
    with TemporaryDirectory(prefix="bots-", ignore_cleanup_errors=True) as copies:
        bot = _bot(what, player.name, command, sandbox, Path(copies))
        _head(f"{name}: {seat}", player, bot, sandbox)
        if _debug(fed, bot.program, sandbox, turn, shown):
            ctx.exit(1)


def _lines(name: str, record: bytes, seat: Seat) -> list[Asked | Message]:
    """What the seat was sent. Raises UserError for what is no record, and for a seat without."""
    try:
        lines = list(sent(record, seat))
    except BadRecord as error:
        raise UserError(f"{shown(name)}: {error}") from None
    if not lines:
        raise UserError(
            f"{shown(name)}: {seat} was sent nothing, as the match had ended before it began"
        )
    return lines


def _turn(text: str, lines: Sequence[Asked | Message]) -> Turn:
    """The turn that was typed. Raises UserError for one that the seat did not have."""
    turns = [line.turn for line in lines if isinstance(line, Asked)]
    deal, colon, number = text.partition(":")
    if not (colon and deal.isdecimal() and number.isdecimal()):
        raise UserError(f"--until {quoted(text)}: expected DEAL:DECISION, such as {turns[-1]}")
    try:
        wanted = Turn(int(deal), int(number))
    except ValueError:  # of more digits than Python reads
        wanted = Turn(1 << 62, 1)
    if wanted not in turns:
        near = min(turns, key=lambda turn: (abs(turn.deal - wanted.deal), abs(turn[1] - wanted[1])))
        raise UserError(
            f"--until {quoted(text)}: the seat was not asked then; the nearest is {near}"
        )
    return wanted


def _sandbox(what: Path, backend: str | None, words: tuple[str, ...]) -> Sandbox:
    """As `match` has it for a bot that was typed, else as the run had it.

    Raises UserError where it can't be had.
    """
    if words or not what.is_dir():
        settings = sandbox_settings(backend or "none")
    else:
        settings = kept_sandbox(what)
        if backend is not None:
            settings = replace(settings, backend=sandbox_settings(backend).backend)
    sandbox = box_for(settings, "--sandbox none")
    # A debugger must find it awake.
    return replace(sandbox, pause=False) if sandbox.backend == "none" else sandbox


def _bot(what: Path, label: str, words: tuple[str, ...], sandbox: Sandbox, copies: Path) -> Kept:
    """Who is to answer. Raises UserError where nobody is named or nobody is left."""
    if words:
        text = words[0] if len(words) == 1 else shlex.join(words)
        source = bot_from_argument(text, Path.cwd())
        # A box may change nothing of the user's folder, also not while a bot is built.
        snapshots = None if sandbox.backend == "none" else copies
        (program,) = prepare_all([source], snapshots, sandbox)
        return Kept(program, "")
    if not what.is_dir():
        raise UserError(
            f"{shown(what)} does not say where {quoted(label)} is: name it, as in `-- BOT`"
        )
    return kept_bot(what, label)


def _head(where: str, player: Player, bot: Kept, sandbox: Sandbox) -> None:
    """What is sent to what, and how that is boxed in."""
    program, changed = bot
    same = "its files are" if program.hash == player.hash else "its files are not"
    files = changed or f"{same} those of the match"
    say(Line(printable(f"{where} {player.name}, sent again to {program.folder}"), "bold"))
    say(Line(printable(f"  {shlex.join(program.command)}  ({files})"), "yellow" if changed else ""))
    say(Line(f"  {TRUSTED if sandbox.backend == 'none' else f'sandbox {sandbox.backend}'}"))


def _debug(
    lines: Sequence[Asked | Message],
    program: Program,
    sandbox: Sandbox,
    until: Turn | None,
    shown: Shown,
) -> bool:
    """In a debugger where there is somebody and no box; whether anything differs."""
    terminal, boxed = at_a_terminal(), sandbox.backend != "none"
    if terminal and not boxed:
        return _feed(lines, with_debugger(program), sandbox, until, shown, stops=True)
    differs = _feed(lines, program, sandbox, until, shown, stops=False)
    if terminal and until is not None:
        say(Line("no debugger reaches into a box: --sandbox none stops there, for bots you trust"))
    return differs


def _feed(
    lines: Sequence[Asked | Message],
    program: Program,
    sandbox: Sandbox,
    until: Turn | None,
    shown: Shown,
    *,
    stops: bool,
) -> bool:
    """Sends the lines and shows what comes; whether anything differs."""
    log, summary = LogLines(), Summary()
    handover = Handover(say)
    waiting: Asked | None = None

    def before(asked: Asked, pid: int) -> None:
        nonlocal waiting
        waiting = asked
        if stops and asked.turn == until:
            handover.begin(asked, pid)

    try:
        with closing(refeed(lines, program, log, before, sandbox)) as answers:
            for refed in answers:
                waiting = None
                handover.end()
                summary.add(refed)
                if refed.asked.turn != until:
                    _show(refed, log.take(), shown)
                    continue
                for line in whole(refed, log.take(), line=not stops):
                    say(line)
                break
    except Interrupted:
        if waiting is not None:
            say(Line(f"interrupted at {waiting.turn}, where it had not answered", "red"))
            say(Line(f"    {request_line(waiting)}"))
        raise
    finally:
        handover.end()
    for line in [*log_lines(log.take(rest=True)), *summary.lines(stopped=until)]:
        say(line)
    return summary.differs


def _show(refed: Refed, log: list[str], shown: Shown) -> None:
    """What is worth it; what was not sent is only counted."""
    if refed.now is None:
        return
    faulty = isinstance(refed.asked.recorded, Faulted)
    if shown == "lines" or refed.differs or (shown == "all" and faulty):
        lines = whole(refed, log)
    elif shown == "all":
        lines = compact(refed, log)
    else:
        return
    for line in lines:
        say(line)
