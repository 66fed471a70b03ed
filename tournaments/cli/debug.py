"""`debug`: sends a bot the lines of a recorded match, and shows where its answers differ now."""

import shlex
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal

import click

from arena.events import Faulted, MatchStarted, Player
from arena.lines import LogLines
from arena.process import Program
from arena.record import BadRecord, read
from arena.refeeding import Refed, refeed
from arena.sent import Asked, sent
from arena.turns import Turn
from protocol.cards import SEATS, Seat
from protocol.codec import printable
from protocol.messages import Message
from tournaments.bots import bot_from_argument, prepare_all
from tournaments.cli.lines import say
from tournaments.cli.recorded import recorded
from tournaments.cli.typed import Choice, Existing
from tournaments.errors import UserError, quoted
from tournaments.handover import Handover, at_a_terminal, with_debugger
from tournaments.kept import kept_program
from tournaments.refed import Line, Summary, compact, log_lines, request_line, whole
from tournaments.signals import Interrupted
from tournaments.store import Store

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
@click.pass_context
def debug(
    ctx: click.Context,
    what: Path,
    match: str | None,
    seat: Seat,
    until: str | None,
    diff: bool,
    lines: bool,
    command: tuple[str, ...],
) -> None:
    """Send BOT, without a clock, the very lines that a seat was sent in a match.

    BOT is a folder with bot.yaml, a program file or a command; it may be left
    out for a RUN. DECISION counts what the seat was asked in the deal, from 1;
    0:1 is `hello`. There a bot in Python stops in pdb, any other waits for a
    debugger. Exit status 1: an answer differs.

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
    program = _program(what, player.name, command)
    _head(f"{name}: {seat}", player, program)
    if _feed(fed, program, turn, shown):
        ctx.exit(1)


def _lines(name: str, record: bytes, seat: Seat) -> list[Asked | Message]:
    """What the seat was sent. Raises UserError for what is no record, and for a seat without."""
    try:
        lines = list(sent(record, seat))
    except BadRecord as error:
        raise UserError(f"{name}: {error}") from None
    if not lines:
        raise UserError(f"{name}: {seat} was sent nothing, as the match had ended before it began")
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


def _program(what: Path, label: str, words: tuple[str, ...]) -> Program:
    """The program that is to answer. Raises UserError where none is named or none is left."""
    if words:
        text = words[0] if len(words) == 1 else shlex.join(words)
        source = bot_from_argument(text, Path.cwd())
        (program,) = prepare_all([source])
        return program
    if not what.is_dir():
        raise UserError(f"{what} does not say where {quoted(label)} is: name it, as in `-- BOT`")
    with Store.read(what) as store:
        bot = next((bot for bot in store.bots() if bot.label == label), None)
    if bot is None:
        raise UserError(f"{what} has no bot {quoted(label)} any more: name it, as in `-- BOT`")
    return kept_program(what, bot)


def _head(where: str, player: Player, program: Program) -> None:
    """What is sent to what."""
    same = "its files are" if program.hash == player.hash else "its files are not"
    say(Line(printable(f"{where} {player.name}, sent again to {program.folder}"), "bold"))
    say(Line(printable(f"  {shlex.join(program.command)}  ({same} those of the match)")))


def _feed(
    lines: Sequence[Asked | Message], program: Program, until: Turn | None, shown: Shown
) -> bool:
    """Sends the lines and shows what comes; whether anything differs."""
    log, summary = LogLines(), Summary()
    handover = Handover(say)
    terminal = at_a_terminal()
    if terminal:
        program = with_debugger(program)
    waiting: Asked | None = None

    def before(asked: Asked, pid: int) -> None:
        nonlocal waiting
        waiting = asked
        if terminal and asked.turn == until:
            handover.begin(asked, pid)

    try:
        with closing(refeed(lines, program, log, before)) as answers:
            for refed in answers:
                waiting = None
                handover.end()
                summary.add(refed)
                if refed.asked.turn != until:
                    _show(refed, log.take(), shown)
                    continue
                for line in whole(refed, log.take(), line=not terminal):
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
