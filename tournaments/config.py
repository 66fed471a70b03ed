"""A tournament file, checked and resolved; every mistake in it with its place, all at once."""

import re
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
from msgspec import UNSET, UnsetType

from arena.events import Clocks, FaultPolicy
from arena.rules import RulesError, resolve
from protocol.messages import FaultKind, Ruling
from protocol.rules import Rules
from tournaments.bots import BotSource, bot_from_argument, bot_from_entry
from tournaments.errors import UserError, did_you_mean, quoted
from tournaments.not_yet import UNOFFERED, refuse_unavailable
from tournaments.positions import Place, Source
from tournaments.programs import find_program
from tournaments.quantities import milliseconds, number
from tournaments.shape import check_shape
from tournaments.source import read
from tournaments.tournament import (
    SOLO_BOTS,
    RatingSettings,
    SandboxSettings,
    ScheduleSettings,
    Tournament,
)
from tournaments.vocabulary import (
    BotEntry,
    ClockSection,
    FaultsSection,
    FormatName,
    RatingSection,
    SandboxSection,
    ScheduleSection,
    Settings,
    TournamentFile,
)

__all__ = [
    "BotSource",
    "RatingSettings",
    "SandboxSettings",
    "ScheduleSettings",
    "Tournament",
    "load_tournament",
    "schema_tournament",
]

DAY_MS: Final = 24 * 3_600_000.0
"""The longest time that a clock may be set to."""

_SECTIONS: Final = ("schedule", "clock", "faults", "sandbox", "rating")


def schema_tournament() -> dict[str, Any]:
    """The JSON Schema of a tournament file."""
    return msgspec.json.schema(TournamentFile)


def load_tournament(path: Path) -> Tournament:
    """The tournament in the file at `path`.

    Raises UserError with every mistake in it: what is no YAML, what does not have the shape of a
    TournamentFile, what contradicts itself, bots that aren't there, and what is not playable yet.
    """
    source = read(path)
    check_shape(source, TournamentFile, UNOFFERED)
    if not isinstance(source.data, dict):
        source.raise_problems()
    refuse_unavailable(source)
    settings = msgspec.convert(_sound(source), Settings)
    bots = _bots(source)
    if settings.format == "solo" and source.sound("bots") and len(bots) != SOLO_BOTS:
        source.add(
            ("bots",), f"a solo tournament has {SOLO_BOTS} bots in this version, not {len(bots)}"
        )
    tournament = Tournament(
        name=_name(settings.name, path),
        seed=None if settings.seed is UNSET else settings.seed,
        rules=_rules(source),
        format="solo" if settings.format == "solo" else "pairs",
        schedule=_schedule(source, settings.schedule, bots),
        clock=_clock(source, settings.clock),
        faults=_faults(settings.faults),
        sandbox=_sandbox(source, settings.sandbox),
        cores=settings.cores,
        rating=_rating(source, settings.rating),
        bots=bots,
        path=path,
    )
    source.raise_problems()
    return tournament


def _sound(source: Source) -> dict[str, Any]:
    """The file but its bots and all that has a mistake, so that the rest is looked at as well."""
    found = {k: v for k, v in source.data.items() if k != "bots" and source.sound(k)}
    for section in _SECTIONS:
        written = source.data.get(section)
        if isinstance(written, dict):
            found[section] = {k: v for k, v in written.items() if source.sound(section, k)}
    return found


def _name(written: str | UnsetType, path: Path) -> str:
    if written is not UNSET:
        return written
    return re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem)[:64].strip("-._") or "tournament"


def _rules(source: Source) -> Rules:
    if not source.sound("rules"):
        return Rules()
    written, form = source.data.get("rules", "standard"), source.data.get("format", "pairs")

    def place(option: str) -> Place:
        """Where the option is written, or the preset that it comes from."""
        if not isinstance(written, dict):
            return ("rules",)
        return ("rules", option if option in written else "preset")

    try:
        rules = resolve(written)
    except RulesError as error:  # its sentence begins with the option
        source.add(place(str(error).partition(" ")[0]), str(error))
        return Rules()
    if form in get_args(FormatName) and (rules.players == "solo") != (form == "solo"):
        instead = "format: solo" if rules.players == "solo" else "rules: solo"
        source.add(
            place("players") if "rules" in source.data else ("format",),
            f"the rules are for {rules.players}, and the format {form!r} is not: write {instead}",
        )
    return rules


def _schedule(
    source: Source, section: ScheduleSection, bots: tuple[BotSource, ...]
) -> ScheduleSettings:
    of = () if section.of is UNSET else (section.of,) if isinstance(section.of, str) else section.of
    names = [bot.name for bot in bots]
    sound = source.sound("schedule")
    if sound and section.type == "gauntlet" and not of:
        source.add(
            ("schedule", "of"), "a gauntlet needs 'of': the bot, or bots, that meet all others"
        )
    if sound and section.type == "gauntlet" and source.data.get("format") == "solo":
        source.add(("schedule", "type"), "a solo table seats every bot: write type: round_robin")
    if sound and section.type != "gauntlet" and of:
        source.add(("schedule", "of"), "'of' belongs to a gauntlet: write type: gauntlet")
    if source.sound("bots"):
        for index, name in enumerate(of):
            place = (
                ("schedule", "of", index) if isinstance(section.of, list) else ("schedule", "of")
            )
            if name not in names:
                known = did_you_mean(name, names) or f": there are {', '.join(names[:20])}"
                source.add(place, f"no bot is named {name!r}{known}")
            elif name in of[:index]:
                source.add(place, f"{name!r} stands twice")
        if set(of) == set(names):
            source.add(("schedule", "of"), "'of' names every bot, so no other is left to meet")
    return ScheduleSettings(
        type="gauntlet" if section.type == "gauntlet" else "round_robin",
        rounds=section.rounds,
        mirror=section.mirror,
        of=tuple(of),
    )


def _faults(section: FaultsSection) -> FaultPolicy:
    """A ruling for every kind of fault."""
    rulings: dict[str, Ruling] = {}
    for kind in get_args(FaultKind):
        own = getattr(section, kind)
        rulings[kind] = section.policy if own is UNSET else own
    return FaultPolicy(limit=section.limit, **rulings)


def _clock(source: Source, section: ClockSection) -> Clocks:
    found: dict[str, float | None] = {}
    for key, text in msgspec.to_builtins(section).items():
        value = None if text is None else milliseconds(text)
        if value is not None and not 0 < value <= DAY_MS:
            source.add(("clock", key), f"expected a time above 0 and up to 24h, found {text}")
        found[f"{key}_ms"] = value
    return msgspec.structs.replace(Clocks(), **found)


def _sandbox(source: Source, section: SandboxSection | UnsetType) -> SandboxSettings:
    if section is not UNSET and section.pause is True and section.processes > 1:
        source.add(("sandbox", "pause"), "pause needs processes: 1")
    return SandboxSettings(given=section is not UNSET)


# Nearer to 0 TrueSkill's arithmetic breaks down.
_RATING_LEAST: Final = {"mu": -1_000_000, "sigma": 0.001, "beta": 0.001, "tau": 0}


def _rating(source: Source, section: RatingSection) -> RatingSettings:
    found = {}
    for key, written in msgspec.to_builtins(section).items():
        try:
            value = number(written)
        except ZeroDivisionError:
            source.add(("rating", key), f"{written} divides by zero")
            continue
        least = _RATING_LEAST[key]
        if not least <= value <= 1_000_000:
            shown = source.data["rating"][key]
            source.add(("rating", key), f"{key} must be from {least:,} to 1,000,000, found {shown}")
        found[key] = value
    return msgspec.structs.replace(RatingSettings(), **found)


def _bots(source: Source) -> tuple[BotSource, ...]:
    """The bots of the entries that are sound."""
    entries, folder = source.data.get("bots"), source.path.parent
    found: dict[str, BotSource] = {}
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        place = ("bots", index)
        if not source.sound(*place):
            continue
        try:
            if isinstance(entry, str):
                bot = bot_from_argument(entry, folder)
            else:
                bot = bot_from_entry(msgspec.convert(entry, BotEntry), folder)
            if not bot.build:  # a build may have to make it
                find_program(bot.command, bot.folder)
        except UserError as error:
            source.add_error(place, error)
            continue
        if bot.name in found:
            source.add(
                (*place, "name"),
                f"the name {quoted(bot.name)} is taken by the bot at {found[bot.name].where}:"
                " give this one a name of its own",
            )
        found.setdefault(bot.name, msgspec.structs.replace(bot, where=source.where(place)))
    return tuple(found.values())
