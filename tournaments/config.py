"""A tournament file, checked and resolved; every mistake in it with its place, all at once."""

import re
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
from msgspec import UNSET, UnsetType

from arena.events import LONGEST_MS, Clocks, FaultPolicy
from arena.rules import compose, contradictions
from protocol.messages import FaultKind, Ruling
from protocol.rules import Rules
from tournaments.entrants import check_leavers, entrants, leavers, schedule_settings
from tournaments.files.positions import Place, Source
from tournaments.files.quantities import milliseconds, number, size
from tournaments.files.shape import check_shape
from tournaments.files.source import read
from tournaments.files.vocabulary import (
    ClockSection,
    FaultsSection,
    Format,
    RatingSection,
    SandboxSection,
    Settings,
    TournamentFile,
)
from tournaments.tournament import (
    RATING_LEAST,
    RATING_MOST,
    RatingSettings,
    SandboxSettings,
    Tournament,
)

_NAMING: Final = ("bots", "withdrawn", "disqualified")
"""Keys that are about bots: `tournaments.entrants` reads them."""

_SECTIONS: Final = ("schedule", "clock", "faults", "sandbox", "rating")


def load_tournament(path: Path) -> Tournament:
    """The tournament in the file at `path`.

    Raises UserError with every mistake in it: what is no YAML, what does not have the shape of a
    TournamentFile, what contradicts itself, and bots that aren't there.
    """
    source = read(path)
    check_shape(source, TournamentFile)
    if not isinstance(source.data, dict):
        source.raise_problems()
    settings = msgspec.convert(_sound(source), Settings)
    withdrawn, disqualified = leavers(source, "withdrawn"), leavers(source, "disqualified")
    bots = entrants(source, {*withdrawn, *disqualified})
    check_leavers(source, bots)
    tournament = Tournament(
        name=_name(settings.name, path),
        seed=None if settings.seed is UNSET else settings.seed,
        rules=_rules(source),
        format=settings.format,
        schedule=schedule_settings(source, settings.schedule, settings.format, bots),
        clock=_clock(source, settings.clock),
        faults=_faults(settings.faults),
        sandbox=_sandbox(source, settings.sandbox),
        cores=settings.cores,
        rating=_rating(source, settings.rating),
        bots=bots,
        withdrawn=withdrawn,
        disqualified=disqualified,
        path=path,
    )
    source.raise_problems()
    return tournament


def _sound(source: Source) -> dict[str, Any]:
    """The file but its bots and all that has a mistake, so that the rest is looked at as well."""
    found = {k: v for k, v in source.data.items() if k not in _NAMING and source.sound(k)}
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

    rules = compose(written)
    wrong = {**_without_effect(rules, written), **contradictions(rules)}
    for option, sentence in wrong.items():
        source.add(place(option), sentence)
    if form in get_args(Format) and (rules.players == "solo") != (form == "solo"):
        instead = "format: solo" if rules.players == "solo" else "rules: solo"
        source.add(
            place("players") if "rules" in source.data else ("format",),
            f"the rules are for {rules.players}, and the format {form!r} is not: write {instead}",
        )
    return rules


def _without_effect(rules: Rules, written: str | dict[str, Any]) -> dict[str, str]:
    """For each option that changes nothing without blind nil, a sentence.

    Not where a preset brings it: who switches off its blind nil need not name them all.
    """
    if rules.blind_nil or isinstance(written, str):
        return {}
    return {
        option: f"{option} has no effect without blind nil: add blind_nil: 200, or leave it out"
        for option in ("blind_nil_deficit", "blind_nil_exchange")
        if written.get(option)
    }


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
        if value is not None and not 0 < value <= LONGEST_MS:
            source.add(("clock", key), f"expected a time above 0 and up to 24h, found {text}")
        found[f"{key}_ms"] = value
    return msgspec.structs.replace(Clocks(), **found)


def _sandbox(source: Source, section: SandboxSection) -> SandboxSettings:
    sizes = {}
    for key, least in _SANDBOX_LEAST.items():
        written = getattr(section, key)
        sizes[key] = size(written)
        if not size(least) <= sizes[key] <= size(_SANDBOX_MOST):
            source.add(
                ("sandbox", key),
                f"{key} must be from {least} to {_SANDBOX_MOST}, found {written}",
            )
    if section.pause is True and section.processes > 1:
        source.add(("sandbox", "pause"), "pause needs processes: 1")
    if section.threads < section.processes:
        source.add(
            ("sandbox", "threads"),
            f"each of the {section.processes} processes is a thread at least: write"
            f" threads: {section.processes} or more",
        )
    return SandboxSettings(
        backend=section.backend,
        processes=section.processes,
        threads=section.threads,
        pause=section.processes == 1 if section.pause is UNSET else section.pause,
        **sizes,
    )


# With less no interpreter starts.
_SANDBOX_LEAST: Final = {"memory": "16MB", "disk": "64KB"}
_SANDBOX_MOST: Final = "1000GB"


def _rating(source: Source, section: RatingSection) -> RatingSettings:
    found: dict[str, float] = {}
    for key, written in msgspec.to_builtins(section).items():
        if written == "auto":
            found["auto"] = True
            continue
        try:
            value = number(written)
        except ZeroDivisionError:
            source.add(("rating", key), f"{written} divides by zero")
            continue
        least = RATING_LEAST[key]
        if not least <= value <= RATING_MOST:
            shown = source.data["rating"][key]
            source.add(
                ("rating", key), f"{key} must be from {least:,} to {RATING_MOST:,}, found {shown}"
            )
        found[key] = value
    return msgspec.structs.replace(RatingSettings(), **found)
