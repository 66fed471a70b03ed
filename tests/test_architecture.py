"""The architecture as tables, held by reading the imports of every file."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STANDARD_LIBRARY = sys.stdlib_module_names

ARROWS = {
    "protocol": {"protocol"},
    "arena": {"arena", "protocol"},
    "tournaments": {"tournaments", "arena", "protocol"},
    "sample_bots": {"protocol"},
}
"""Each folder, and the folders it may import from. Nobody imports sample bots or tests."""

KNOWN_BY = {
    "click": {"tournaments.cli", "tournaments.reference.commands"},
    "jinja2": {"tournaments.pages"},
    "jsonschema": {"tournaments.files.shape"},
    "msgspec": {"protocol", "arena", "tournaments"},
    "numpy": {"tournaments.ratings.likelihood", "tournaments.ratings.strength"},
    "rich": {
        "tournaments.cli",
        "tournaments.exports.layout",
        "tournaments.person.score_sheet",
        "tournaments.person.screen",
        "tournaments.replays.canvas",
        "tournaments.replays.screen",
        "tournaments.replays.table",
        "tournaments.replays.walk",
        "tournaments.runs.screen",
    },
    "trueskill": {"tournaments.ratings.rating"},
    "yaml": {"tournaments.files.source"},
}
"""Each outside library, and the modules or folders that know it. There are no others."""

POWERS = {
    "concurrent": {"tournaments.runs.executors", "tournaments.runs.runner"},
    "ctypes": {"arena.reaper"},
    "fcntl": {"arena.sandbox.bubblewrap", "arena.sandbox.intruder", "tournaments.storage.hold"},
    "multiprocessing": {"tournaments.runs.executors", "tournaments.runs.newsline"},
    "resource": {"arena.sandbox.bubblewrap", "arena.sandbox.limits"},
    "select": {
        "arena.checks.observed",
        "arena.pipes",
        "arena.process",
        "arena.sandbox.bubblewrap",
        "arena.sandbox.trial",
        "arena.sandbox.workshop",
        "tournaments.debugging.handover",
        "tournaments.replays.keyboard",
    },
    "signal": {
        "arena.diagnosis",
        "arena.reaper",
        "arena.sandbox.bubblewrap",
        "arena.sandbox.none",
        "arena.watch",
        "tournaments.bots.builds",
        "tournaments.runs.executors",
        "tournaments.bots.git",
        "tournaments.debugging.handover",
        "tournaments.runs.leftovers",
        "tournaments.signals",
        "tournaments.debugging.startup.sitecustomize",
    },
    "sqlite3": {"tournaments.storage.database", "tournaments.storage.database_trouble"},
    "subprocess": {
        "arena.sandbox.bubblewrap",
        "arena.sandbox.none",
        "tournaments.bots.builds",
        "tournaments.bots.git",
    },
    "termios": {"tournaments.replays.keyboard"},
    "threading": {"arena.sandbox.intruder", "tournaments.runs.executors", "tournaments.bots.git"},
    "time": {
        "arena.checks.observed",
        "arena.lag",
        "arena.match",
        "arena.process",
        "arena.reaper",
        "arena.running",
        "arena.sandbox.box",
        "arena.sandbox.workshop",
        "arena.watch",
        "tournaments.cli.gate_run",
        "tournaments.gates.progress",
        "tournaments.debugging.handover",
        "tournaments.runs.leftovers",
        "tournaments.person.person",
        "tournaments.runs.progress",
    },
    "tty": {"tournaments.replays.keyboard"},
}
"""What reaches out of a program, and the only modules that use it."""

UNUSED = {"asyncio", "pickle", "random", "requests", "shelve", "socket", "urllib"}
"""What nothing uses: no network, no pickles, and no chance but that of a seed."""

PURE = {
    "arena",  # its __init__: a name and a version
    "arena.bot",
    "arena.deals",
    "arena.events",
    "arena.faults",
    "arena.fold",
    "arena.judgement",
    "arena.news",
    "arena.packed",
    "arena.packing",
    "arena.phases",
    "arena.program",
    "arena.record",
    "arena.referee",
    "arena.replay",
    "arena.rules",
    "arena.sent",
    "arena.state",
    "arena.thinking_time",
    "arena.turns",
    "arena.view",
    "tournaments.gates.sequential",
}
"""What knows no process, no clock and no file."""
PURE_IMPORTS = {
    "collections",
    "hashlib",
    "itertools",
    "math",
    "msgspec",
    "protocol",
    "re",
    "statistics",
    "struct",
    "typing",
}

ONLY_VIEW_BUILDS = {"Hello", "BlindNil", "Bid", "Exchange", "Exchanged", "Play", "DealEnd"}
"""The messages that hide or show cards."""

LINES = 300
LONGER: dict[str, str] = {}
"""Files that are longer, and why."""


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for folder in ARROWS for path in sources(folder)}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


@cache
def imports(module: str) -> frozenset[str]:
    """Every module that a module imports, wherever in its text; ours by their full names."""
    found = set()
    for node in ast.walk(tree(MODULES[module])):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            assert node.module
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            # `from arena import fold` names a module, `from arena import ARENA` the package.
            found |= {name if name in MODULES else node.module for name in names}
    return frozenset(found)


def folder_of(module: str) -> str:
    return module.partition(".")[0]


def within(module: str, places: set[str]) -> bool:
    """The module is one of the places, or in one."""
    return any(module == place or module.startswith(f"{place}.") for place in places)


def importers(library: str) -> set[str]:
    return {m for m in MODULES if any(folder_of(used) == library for used in imports(m))}


def siblings(module: str) -> set[str]:
    """The modules that stand in the same folder, by their bare names: a sample bot's own."""
    return {path.stem for path in MODULES[module].parent.glob("*.py")}


@pytest.mark.parametrize("folder", ARROWS)
def test_a_folder_imports_only_along_the_arrows(folder: str) -> None:
    ours = {*ARROWS, "tests", "benchmarks"}
    modules = [module for module in MODULES if folder_of(module) == folder]
    assert modules
    for module in modules:
        used = {folder_of(name) for name in imports(module)} & ours
        assert used <= ARROWS[folder], module


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {module: imports(module) & MODULES.keys() - {module} for module in MODULES}
    TopologicalSorter(graph).prepare()


def test_no_folder_of_tournaments_imports_itself_in_a_circle() -> None:
    place = {m: ".".join(m.split(".")[:2]) for m in MODULES if folder_of(m) == "tournaments"}
    graph: dict[str, set[str]] = {}
    for module, folder in place.items():
        used = {place[name] for name in imports(module) & place.keys()}
        graph.setdefault(folder, set()).update(used - {folder})
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", sorted(m for m in MODULES if within(m, PURE - {"arena"})))
def test_a_pure_module_imports_nothing_that_could_reach_out(module: str) -> None:
    for name in imports(module):
        assert folder_of(name) in PURE_IMPORTS or name in PURE or within(name, PURE - {"arena"})


def test_every_outside_library_is_known_by_the_modules_of_the_table() -> None:
    outside: dict[str, set[str]] = {}
    for module in MODULES:
        own = siblings(module) if folder_of(module) == "sample_bots" else set()
        for name in {folder_of(used) for used in imports(module)} - own - ARROWS.keys():
            if name not in STANDARD_LIBRARY:
                outside.setdefault(name, set()).add(module)
    assert sorted(outside) == sorted(KNOWN_BY)
    for library, users in outside.items():
        assert all(within(user, KNOWN_BY[library]) for user in users), (library, users)
        assert all(any(within(user, {place}) for user in users) for place in KNOWN_BY[library])


@pytest.mark.parametrize("power", POWERS)
def test_what_reaches_out_is_used_by_the_modules_of_the_table(power: str) -> None:
    users = {m for m in importers(power) if folder_of(m) != "sample_bots"}
    assert users == POWERS[power]


def test_what_nothing_should_use_nothing_uses() -> None:
    exempt = {"sample_bots.random_legal.bot", "arena.sandbox.intruder"}  # it tries in vain
    users = {name: importers(name) - exempt for name in UNUSED}
    assert not any(users.values()), users


def test_only_view_builds_what_a_seat_sees_of_the_cards() -> None:
    for module in MODULES:
        if folder_of(module) != "arena" or module == "arena.view":
            continue
        for node in ast.walk(tree(MODULES[module])):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ONLY_VIEW_BUILDS, module


def test_sample_bots_use_no_library_at_all() -> None:
    for module in MODULES:
        if folder_of(module) == "sample_bots":
            used = {folder_of(name) for name in imports(module)}
            assert used <= STANDARD_LIBRARY | {"protocol"} | siblings(module), module


def everything() -> Iterator[Path]:
    for folder in (*ARROWS, "tests", "benchmarks"):
        yield from sources(folder)


CAPTION = re.compile(r'(#!.*\n)?r?"""\S')


def test_every_module_begins_with_its_caption() -> None:
    for path in everything():
        if path.stat().st_size == 0 or "bad_bots" in path.parts:
            continue
        assert CAPTION.match(path.read_text()), path


def test_no_module_is_a_drawer_for_things_without_a_home() -> None:
    for path in everything():
        assert not {"util", "utils", "helper", "helpers", "common", "misc", "manager"} & {
            *path.stem.split("_"),
            path.parent.name,
        }


def test_files_are_short_enough_to_be_read_at_a_sitting() -> None:
    long = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in MODULES.values()
    }
    assert {name for name, lines in long.items() if lines > LINES} == set(LONGER)
