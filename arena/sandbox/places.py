"""Where things are in a box: the bot's files, what its program needs beside them, nothing else.

A bot's folder is at /bot. A program outside the folders that every box shows is shown where it is,
with the libraries that belong to it.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

import protocol
from arena.program import Program
from arena.sandbox.executable import found_by_env, programs_of

BOT: Final = Path("/bot")
OWN: Final = Path("/tmp")
"""The folder that a bot may write to."""
PATH: Final = ("/usr/bin", "/bin")

SHOWN: Final = tuple(Path(p) for p in ("/usr", "/nix/store", "/gnu/store"))
"""Folders that every box shows, where the machine has them."""
_ALIASES: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""What stands beside /usr, most often as links into it."""
_ETC: Final = ("ld.so.cache", "alternatives", "localtime")
_BESIDE: Final = ("lib", "lib64", "conf", "pyvenv.cfg")
"""What belongs to P/bin/PROGRAM of P. `conf` is Java's."""
_WIRE: Final = Path("/arena")
_LINKS: Final = 40  # so many the kernel follows


class Places(Struct, frozen=True):
    """What a box shows of the machine for one bot, and its command and environment there."""

    command: tuple[str, ...]
    env: dict[str, str]
    shown: tuple[tuple[str, str], ...]
    """Source on the machine and place in the box, each read-only; parents before what is below."""


def places(program: Program) -> Places:
    """Where a bot's things are. Raises OSError or ValueError where it can't be started."""
    folder = Path(program.folder)
    if any("\0" in word for word in (*program.command, *program.env, *program.env.values())):
        raise ValueError("embedded null byte")
    if any(not name or "=" in name for name in program.env):
        raise ValueError("illegal environment variable name")
    first = Path(os.path.normpath(program.command[0]))
    programs = programs_of(first, folder)
    by_name = found_by_env(first)
    if by_name is not None:
        programs += programs_of(by_name, folder)
    shown = dict(_own_files(program, folder))
    env = {"PATH": _search_path(by_name), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    for word, value in program.env.items():
        env[word] = str(BOT) if _same(value, folder) else value
    for needed in programs:
        shown |= dict(_needs(needed, folder if needed == first else None))
    if program.command[0] == sys.executable:
        for package in (protocol, msgspec):
            source = Path(str(package.__file__)).parent
            shown[str(_WIRE / source.name)] = str(source)
        env["PYTHONPATH"] = os.pathsep.join(filter(None, [env.get("PYTHONPATH"), str(_WIRE)]))
    env |= {"HOME": str(OWN), "TMPDIR": str(OWN)}
    command = tuple(_inside(word, folder) for word in program.command)
    return Places(command, env, tuple((source, place) for place, source in sorted(shown.items())))


def system() -> Iterator[tuple[str, ...]]:
    """bwrap's arguments for what every box shows of the machine."""
    for folder in SHOWN:
        if folder.is_dir():
            yield ("--ro-bind", str(folder), str(folder))
    for name in _ALIASES:
        path = Path("/") / name
        if path.is_symlink():
            yield ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield ("--ro-bind", str(path), str(path))
    yield ("--perms", "0755", "--dir", "/etc")
    names = [*_ETC, *(path.name for path in Path("/etc").glob("java-*-openjdk"))]
    for name in names:
        yield ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")


def folders_above(place: str) -> Iterator[str]:
    """The folders that must be there first, from the top, so that anybody may pass them."""
    for parent in reversed(Path(place).parents):
        if str(parent) not in ("/", str(OWN)):
            yield str(parent)


def _search_path(by_name: Path | None) -> str:
    own = [] if by_name is None or str(by_name.parent) in PATH else [str(by_name.parent)]
    return os.pathsep.join([*own, *PATH])


def _own_files(program: Program, folder: Path) -> Iterator[tuple[str, str]]:
    """Place and source of the bot's own files."""
    if program.owns_folder:
        yield str(BOT), str(folder)
        return
    for word in program.command:
        inside = _inside(word, folder) if Path(word).is_absolute() else str(BOT / word)
        place = os.path.normpath(inside)
        if place.startswith(f"{BOT}/") and (folder / word).exists():
            yield place, str(folder / word)


def _inside(word: str, folder: Path) -> str:
    """A word of the command as it is in the box."""
    if not Path(word).is_absolute():
        return word
    path = Path(os.path.normpath(word))
    for form in (folder, folder.resolve()):
        if path.is_relative_to(form):
            return str(BOT / path.relative_to(form))
    return word


def _same(value: str, folder: Path) -> bool:
    return Path(os.path.normpath(value)) in (folder, folder.resolve())


def _needs(program: Path, folder: Path | None) -> Iterator[tuple[str, str]]:
    """Place and source of all that must be shown for a program; in the folder it is shown."""
    hops = list(_links(program))
    for hop in hops:
        if _shown_anyway(hop) or (folder is not None and hop.is_relative_to(folder)):
            continue
        yield str(hop), str(hops[-1].resolve())
        yield from _beside(hop)


def _links(program: Path) -> Iterator[Path]:
    """A path, and where its links lead, one after the other."""
    for _ in range(_LINKS):
        yield program
        if not program.is_symlink():
            break
        program = Path(os.path.normpath(program.parent / program.readlink()))
    if program.resolve() != program:
        yield program.resolve()


def _beside(program: Path) -> Iterator[tuple[str, str]]:
    """What belongs to a program in a folder `bin`; of a home folder or of the root, nothing."""
    prefix = program.parent.parent
    if program.parent.name != "bin" or _is_home(prefix):
        return
    for name in _BESIDE:
        if (prefix / name).exists() and not _shown_anyway(prefix / name):
            yield str(prefix / name), str(prefix / name)
    # A virtual environment says whose modules it goes on with.
    for base in _bases(prefix / "pyvenv.cfg"):
        if not _shown_anyway(base) and base != program.parent:
            yield from _beside(base / program.name)


def _bases(settings: Path) -> Iterable[Path]:
    if not settings.is_file():
        return []
    lines = [line.partition("=") for line in settings.read_text(errors="replace").splitlines()]
    return [Path(value.strip()) for key, _, value in lines if key.strip() == "home"]


def _is_home(folder: Path) -> bool:
    return folder in (Path("/"), Path("/root"), Path.home()) or folder.parent == Path("/home")


def _shown_anyway(path: Path) -> bool:
    shown = (*SHOWN, *(Path("/") / name for name in _ALIASES))
    return any(path.is_relative_to(folder) for folder in shown)
