"""A run in short, for who does not open its folder: JUnit's XML, and Markdown for a comment."""

import shlex
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec.structs import replace

from protocol.codec import printable
from tournaments.exports.export import Row, faults
from tournaments.exports.junit import Case
from tournaments.exports.junit import to_junit as cases_to_junit
from tournaments.exports.layout import escaped, to_markdown
from tournaments.standings.standings import BotStanding, Standings
from tournaments.storage.reader import Reader

FAULT_CASES: Final = 1000
"""Faults that have a case of their own in JUnit's file, at most: the first ones."""
LOG_CHARACTERS: Final = 4000
"""Of a bot's standard error, at most: the last ones."""
BOTS: Final = 100
"""Of the standings in Markdown, at most: the best ones."""
BYTES: Final = 60_000
"""Of Markdown, at most: a comment on a pull request holds 65,536 characters."""
DETAIL_LINES: Final = 16
"""Of a fault in Markdown, at most."""
LINE_CHARACTERS: Final = 300


def junit(store: Reader, standings: Standings) -> str:
    """A case for the run, one for each bot, which fails where it was at fault, one for each fault.

    The standings are those of the store.
    """
    cases = [_whole(standings), *map(_bot, standings.bots)]
    cases += [_fault(fault) for fault in islice(faults(store), FAULT_CASES)]
    more = sum(map(_count, standings.bots)) - FAULT_CASES
    if more > 0:
        told = f"{more:,} faults more: {_command(store, 'export', '--what', 'faults')}"
        cases.append(Case("other faults", standings.tournament, "failure", told, kind="fault"))
    return cases_to_junit(standings.tournament, cases)


def _whole(standings: Standings) -> Case:
    name, matches = "every match was played", standings.matches
    if matches.void:
        told = f"{matches.void:,} matches could not be played, which is the arena's failure"
        return Case(name, standings.tournament, "error", told, kind="void")
    if not standings.complete:
        told = f"{matches.finished:,} of {matches.scheduled:,} matches are finished"
        return Case(name, standings.tournament, "skipped", told)
    return Case(name, standings.tournament)


def _bot(bot: BotStanding) -> Case:
    name = f"{bot.name} has no fault"
    if not bot.faults:
        return Case(name, bot.name)
    kinds = ", ".join(f"{times:,} {kind}" for kind, times in bot.faults.items())
    return Case(name, bot.name, "failure", f"at fault: {kinds}", kind="fault")


def _fault(fault: Row) -> Case:
    lines = [
        f"asked for {fault['request']}; {fault['detail']}",
        *([] if fault["raw"] is None else [f"reply: {fault['raw']}"]),
        f"ruling: {fault['ruling']}",
        f"to reproduce: {fault['debug']}",
    ]
    return Case(
        f"{fault['kind']} in match {fault['match']}, deal {fault['deal']}, {fault['seat']}",
        fault["bot"],
        "failure",
        fault["detail"],
        "\n".join(lines),
        fault["kind"],
        fault["log"][-LOG_CHARACTERS:],
    )


def markdown(store: Reader, standings: Standings) -> str:
    """The standings, the first fault of each bot and kind, and what to do next; up to BYTES.

    The standings are those of the store.
    """
    head = to_markdown(replace(standings, bots=standings.bots[:BOTS]))
    if len(standings.bots) > BOTS:
        head += f"\n{len(standings.bots) - BOTS:,} bots more: `standings` shows them.\n"
    end = "\n#### Next\n\n" + "".join(f"- {line}\n" for line in _next(store, standings))
    return head + _faults(store, standings, BYTES - len((head + end).encode())) + end


def _faults(store: Reader, standings: Standings, room: int) -> str:
    """As many as there is room for, in bytes."""
    counts = {
        (bot.name, kind): times for bot in standings.bots for kind, times in bot.faults.items()
    }
    if not counts:
        return "\nNo bot was at fault.\n"
    told = f"\n#### Faults\n\n{sum(counts.values()):,} in all. The first of each bot and kind:\n"
    for fault in _firsts(store, set(counts)):
        times = counts[fault["bot"], fault["kind"]]
        title = f"\n**{escaped(fault['bot'])}**: {times:,} {fault['kind']}\n\n"
        more = title + "".join(f"    {line}\n" for line in _details(fault))
        if len((told + more).encode()) > room - 100:
            return f"{told}\nAnd others.\n"
        told += more
    return told


def _firsts(store: Reader, wanted: set[tuple[str, str]]) -> Iterator[Row]:
    """The first fault of each bot and kind, in the order they happened."""
    for fault in faults(store):
        which = fault["bot"], fault["kind"]
        if which in wanted:
            wanted.remove(which)
            yield fault
        if not wanted:
            return


def _details(fault: Row) -> Iterator[str]:
    """Indented, nothing in them is Markdown."""
    yield f"match {fault['match']}, deal {fault['deal']}, {fault['seat']}: {fault['ruling']}"
    lines = [f"asked for {fault['request']}; {fault['detail']}"]
    if fault["raw"] is not None:
        lines.append(f"reply: {fault['raw']}")
    log = fault["log"].splitlines()
    if log:
        lines += ["its standard error ends:", *log[-(DETAIL_LINES - 4) :]]
    yield from (printable(line)[:LINE_CHARACTERS] for line in lines)
    yield f"to reproduce: {fault['debug']}"


def _next(store: Reader, standings: Standings) -> Iterator[str]:
    """What whoever looks after the run may do."""
    matches = standings.matches
    if matches.void:
        yield (
            f"{matches.void:,} matches could not be played, which is the arena's failure and costs"
            " no bot anything: `run` tries them again, `doctor` looks at the machine."
        )
    elif not standings.complete:
        missing = matches.scheduled - matches.finished
        yield f"{missing:,} matches are to be played: `run` goes on in the same folder."
    if any(bot.faults for bot in standings.bots):
        yield f"Every fault: {_code(_command(store, 'export', '--what', 'faults'))}"
    if standings.complete and standings.commitment is not None and standings.final is None:
        yield "When nothing more is to be played: `run --final` reveals the secret of the deals."
    yield f"Every record against the rules: {_code(_command(store, 'verify'))}"


def _command(store: Reader, name: str, *arguments: str) -> str:
    return printable(shlex.join(["spades-arena", name, str(store.folder), *arguments]))


def _code(text: str) -> str:
    """A span of code; what it can't hold is text."""
    return escaped(text) if "`" in text else f"`{text}`"


def _count(bot: BotStanding) -> int:
    return sum(bot.faults.values())
