"""Who takes part in a tournament, as its file says: the bots, who left, and who is to meet whom."""

from collections.abc import Collection, Sequence
from typing import Final, Literal

import msgspec
from msgspec import UNSET

from tournaments.bots.bots import BotSource, bot_from_argument, bot_from_entry, program_of
from tournaments.errors import UserError, did_you_mean, quoted
from tournaments.files.positions import Place, Source
from tournaments.files.vocabulary import BotEntry, Format, ScheduleSection, TopGoal
from tournaments.schedules.schedule import MOST_COMPARED, least_bots, total
from tournaments.tournament import ScheduleSettings

MOST_MATCHES: Final = 10_000_000
"""Of a tournament. Its schedule takes 3 GB of disk, and its records a hundred times as much."""

Leaving = Literal["withdrawn", "disqualified"]


def entrants(source: Source, left: Collection[str]) -> tuple[BotSource, ...]:
    """The bots of the entries that are sound, in the order of the file.

    Of those that `left`, by name, nothing is started, so that nothing need be there.
    """
    entries, folder = source.data.get("bots"), source.path.parent
    found: dict[str, BotSource] = {}
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        place = ("bots", index)
        if not source.sound(*place):
            continue
        try:
            if isinstance(entry, dict) and entry["name"] in left:
                bot = BotSource(entry["name"], (), folder)
            elif isinstance(entry, str):
                bot = bot_from_argument(entry, folder)
            else:
                bot = bot_from_entry(msgspec.convert(entry, BotEntry), folder)
                if "command" in entry:
                    written = source.spot((*place, "command", 0))
                    bot = msgspec.structs.replace(bot, command_at=written)
            if not bot.build and bot.name not in left:  # a build may have to make it
                program_of(bot, bot.folder)
        except UserError as error:
            source.add_error(place, error)
            continue
        if bot.name in found:
            source.add(
                (*place, "name"),
                f"the name {quoted(bot.name)} is taken by the bot at {found[bot.name].where}:"
                " give this one a name of its own",
            )
        found.setdefault(bot.name, msgspec.structs.replace(bot, where=source.spot(place).where))
    return tuple(found.values())


def leavers(source: Source, key: Leaving) -> tuple[str, ...]:
    """The names under a key, as far as they are sound."""
    written = source.data.get(key, [])
    if not source.sound(key):
        return ()
    return (written,) if isinstance(written, str) else tuple(written)


def check_leavers(source: Source, bots: Sequence[BotSource]) -> None:
    """Adds to the source what is wrong with the names of those who left."""
    names = [bot.name for bot in bots]
    for key in ("withdrawn", "disqualified"):
        _check_names(source, (key,), leavers(source, key), names)
    for name in set(leavers(source, "withdrawn")) & set(leavers(source, "disqualified")):
        source.add(("withdrawn",), f"{name!r} is disqualified as well: leave it there alone")


def schedule_settings(
    source: Source, section: ScheduleSection, form: Format, bots: tuple[BotSource, ...]
) -> ScheduleSettings:
    """The schedule, with what contradicts the bots or itself added to the source."""
    of = () if section.of is UNSET else (section.of,) if isinstance(section.of, str) else section.of
    names = [bot.name for bot in bots]
    if source.sound("schedule"):
        if section.type == "gauntlet" and not of:
            source.add(
                ("schedule", "of"), "a gauntlet needs 'of': the bot, or bots, that meet all others"
            )
        if section.type != "gauntlet" and of:
            source.add(("schedule", "of"), "'of' belongs to a gauntlet: write type: gauntlet")
        _check_adaptive(source, section, form, len(names))
    _check_names(source, ("schedule", "of"), of, names)
    settings = ScheduleSettings(
        type=section.type,
        rounds=section.rounds,
        mirror=section.mirror,
        of=tuple(of),
        top=section.goal.top if isinstance(section.goal, TopGoal) else None,
        confidence=0.95 if section.confidence is UNSET else section.confidence,
    )
    if not source.sound("bots") or not source.sound("schedule"):
        return settings
    if not set(names) - set(of):
        source.add(("schedule", "of"), "'of' names every bot, so no other is left to meet")
    elif len(bots) < least_bots(settings, form):
        source.add(
            ("bots",),
            f"a {settings.type} in the format {form!r} needs {least_bots(settings, form)} bots or"
            f" more, not {len(bots)}",
        )
    elif (matches := total(settings, len(bots), form)) > MOST_MATCHES:
        source.add(
            ("bots",) if settings.rounds == 1 else ("schedule", "rounds"),
            f"a {settings.type} of {len(bots):,} bots and rounds: {settings.rounds} has"
            f" {matches:,} matches; a tournament has at most {MOST_MATCHES:,}",
        )
    return settings


def _check_adaptive(source: Source, section: ScheduleSection, form: Format, bots: int) -> None:
    """Adds to the source what an adaptive schedule can't be, and what others have not."""
    if section.type != "adaptive":
        for key in ("goal", "confidence"):
            if getattr(section, key) is not UNSET:
                message = f"{key!r} belongs to an adaptive schedule: write type: adaptive"
                source.add(("schedule", key), message)
        return
    if form != "pairs":
        source.add(
            ("schedule", "type"),
            f"an adaptive schedule plays in the format 'pairs', not in {form!r}: write"
            " format: pairs, or another schedule",
        )
    if not source.sound("bots"):
        return
    if bots > MOST_COMPARED:
        source.add(
            ("schedule", "type"),
            f"an adaptive schedule compares every two bots, and takes {MOST_COMPARED} at most,"
            f" not {bots:,}: write type: swiss, or name fewer",
        )
    if isinstance(section.goal, TopGoal) and section.goal.top >= bots:
        source.add(
            ("schedule", "goal", "top"),
            f"of {bots} bots the first 1 to {bots - 1} can be the goal, not {section.goal.top}: for"
            " all of them write goal: order",
        )


def _check_names(source: Source, place: Place, found: Sequence[str], names: list[str]) -> None:
    """Each must be the name of a bot, and stand once."""
    several = isinstance(source.at(place), list)
    for index, name in enumerate(found):
        where = (*place, index) if several else place
        if source.sound("bots") and name not in names:
            known = did_you_mean(name, names) or f": there are {', '.join(names[:20])}"
            source.add(where, f"no bot is named {name!r}{known}")
        elif name in found[:index]:
            source.add(where, f"{name!r} stands twice")
