"""Where things are in a box: the bot's files, what its program needs beside them, nothing else.

A bot's folder is at /bot. A program outside the folders that every box shows is shown where it is,
with the libraries that belong to it.
"""

import os
import re
import site
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

import protocol
from arena.bot import BotFault
from arena.diagnosis import mode_of
from arena.program import Program
from arena.sandbox.executable import found_by_env, is_on_path, links, programs_of
from protocol.codec import quote

RUN_FILE: Final = "arena.db"
"""What a run folder is known by."""

BOT: Final = Path("/bot")
OWN: Final = Path("/tmp")
"""The folder that a bot may write to, with what is shown there of the machine, if that is below."""
HOME: Final = OWN / "bot-home"
"""The bot's scratch folder, in which nothing is."""
PATH: Final = ("/usr/bin", "/bin")

SHOWN: Final = tuple(Path(p) for p in ("/usr", "/nix/store", "/gnu/store"))
"""Folders that every box shows, where the machine has them."""
_ALIASES: Final = tuple(Path(p) for p in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"))
"""What stands beside /usr, most often as links into it."""
_ETC: Final = tuple(Path("/etc") / name for name in ("ld.so.cache", "alternatives", "localtime"))
_ANYWAY: Final = frozenset((*SHOWN, *_ALIASES, *_ETC))
_BESIDE: Final = ("lib", "lib64", "conf", "pyvenv.cfg")
"""What belongs to P/bin/PROGRAM of P. `conf` is Java's."""
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WIRE: Final = Path("/arena")


class Places(Struct, frozen=True):
    """What a box shows of the machine for one bot, and its command and environment there."""

    command: tuple[str, ...]
    env: dict[str, str]
    shown: tuple[tuple[str, str], ...]
    """Source on the machine and place in the box, each read-only; parents before what is below."""
    workshop: bool = False
    """The folder /bot may be written to, and more files be open: for what makes a bot."""


_known: Final[dict[object, Places]] = {}


def places(program: Program, *, trusted: bool = False) -> Places:
    """Where a bot's things are. Raises OSError, ValueError or BotFault: it can't be started.

    `trusted`: it was not the bot's author who chose the program. It is looked for once in a
    process: what is gone since then does not run in the box either.
    """
    variables = tuple(program.env.items())
    path = os.environ.get("PATH")
    key = (program.command, program.folder, variables, program.owns_folder, trusted, path)
    if key not in _known:
        _known[key] = _look(program, trusted=trusted)
    return _known[key]


def _look(program: Program, *, trusted: bool) -> Places:
    folder = Path(program.folder)
    if any("\0" in word for word in (*program.command, *program.env, *program.env.values())):
        raise ValueError("embedded null byte")
    if not all(_VARIABLE.fullmatch(name) for name in program.env):
        raise ValueError("illegal environment variable name")
    first = Path(os.path.normpath(program.command[0]))
    programs = programs_of(first, folder)
    if os.geteuid() == 0:
        _check_permissions(program, first)
    by_name = found_by_env(first)
    if by_name is not None:
        programs += programs_of(by_name, folder)
    _check_choice(programs, folder, trusted=trusted or not program.owns_folder)
    shown = dict(_own_files(program, folder))
    env = {"PATH": _search_path(by_name), "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    for word, value in program.env.items():
        env[word] = str(BOT) if _same(value, folder) else value
    for needed in programs:
        shown |= dict(_needs(needed, folder))
    if program.command[0] == sys.executable and (wire := dict(_wire(shown))):
        shown |= wire
        env["PYTHONPATH"] = os.pathsep.join(filter(None, [env.get("PYTHONPATH"), str(_WIRE)]))
    env |= {"HOME": str(HOME), "TMPDIR": str(HOME)}
    command = tuple(_inside(word, folder) for word in (str(first), *program.command[1:]))
    return Places(command, env, tuple((source, place) for place, source in sorted(shown.items())))


@cache
def system() -> tuple[tuple[str, ...], ...]:
    """bwrap's arguments for what every box shows of the machine."""
    return tuple(_system())


def _system() -> Iterator[tuple[str, ...]]:
    for folder in SHOWN:
        if folder.is_dir():
            yield ("--ro-bind", str(folder), str(folder))
    for path in _ALIASES:
        if path.is_symlink():
            yield ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield ("--ro-bind", str(path), str(path))
    yield ("--perms", "0755", "--dir", "/etc")
    for path in (*_ETC, *sorted(Path("/etc").glob("java-*-openjdk"))):
        yield ("--ro-bind-try", str(path), str(path))


def folders_above(place: str) -> Iterator[str]:
    """The folders that must be there first, from the top, so that anybody may pass them."""
    for parent in reversed(Path(place).parents):
        if str(parent) not in ("/", str(OWN)):
            yield str(parent)


def _check_permissions(program: Program, first: Path) -> None:
    """Raises BotFault where root's bots, which are users without any rights, can't read theirs."""
    own = [Path(program.folder)] if program.owns_folder else []
    if first.is_relative_to(program.folder):
        own.append(first)
    for path in own:
        if path.stat().st_mode & 0o5 != 0o5:
            raise BotFault(
                "start",
                f"{_quoted(path)} can't be read by others, and bots of root run as"
                " users without rights - chmod -R a+rX the bot's folder",
            )


def _check_choice(programs: Sequence[Path], folder: Path, *, trusted: bool) -> None:
    """Raises BotFault where a bot would have a program shown that is not there for bots.

    It could read what stands beside it. What is on PATH is for bots as well, and so is what that
    needs in its turn.
    """
    own = (folder, folder.resolve())
    for program in programs:
        real = program.resolve()
        for hop in (*links(Path(os.path.normpath(program))), real):
            if _is_below(hop, own):
                trusted = False
            elif not (trusted or _is_for_bots(hop, real)):
                raise BotFault(
                    "start",
                    f"{_quoted(programs[0])} can't be started: {_quoted(hop)} is neither the bot's"
                    " nor below /usr, and its folder is not on the arena's PATH - name a program"
                    " that is, or have the folder put on PATH",
                )
            else:
                trusted = True


def _is_for_bots(program: Path, real: Path) -> bool:
    # With ".." in it, a path may only look as if it led there.
    return (_shown_anyway(program) or is_on_path(program)) and program.resolve() == real


def _quoted(path: Path) -> str:
    """The name alone: the folder may be a copy that a run makes."""
    return quote(os.fsencode(path.name))


def _search_path(by_name: Path | None) -> str:
    own = [] if by_name is None or str(by_name.parent) in PATH else [str(by_name.parent)]
    return os.pathsep.join([*own, *PATH])


def _wire(shown: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Place and source of what the protocol in Python is made of, but for what is found anyway.

    That is what is installed with the interpreter; a package that is edited in place is not.
    """
    installed = set(map(Path, site.getsitepackages()))
    for package in (protocol, msgspec):
        source = Path(str(package.__file__)).parent
        seen = _shown_anyway(source) or any(shown.get(str(p)) == str(p) for p in source.parents)
        if not (seen and source.parent in installed):
            yield str(_WIRE / source.name), str(source)


def _own_files(program: Program, folder: Path) -> Iterator[tuple[str, str]]:
    """Place and source of the bot's own files."""
    if program.owns_folder:
        yield str(BOT), str(folder)
        return
    for word in program.command:
        source = folder / word
        place = Path(os.path.normpath(BOT / _inside(word, folder)))
        if stat.S_ISREG(mode_of(source)) and not _shown_anyway(place):
            yield str(place), str(source)


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


def _needs(program: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Place and source of all that must be shown for a program outside the bot's folder.

    Nothing of a run folder is shown, where other bots are, whatever a bot names as its interpreter.
    """
    hops, own = list(links(program)), (folder, folder.resolve())
    for hop in hops:
        if not (_shown_anyway(hop) or _is_below(hop, own) or _of_a_run(hop)):
            yield str(hop), str(hops[-1])
            yield from _beside(hop)


def _of_a_run(path: Path) -> bool:
    folders = {*path.parents, *path.resolve().parents}
    return any(mode_of(folder / RUN_FILE) for folder in folders)


def _beside(program: Path) -> Iterator[tuple[str, str]]:
    """What belongs to a program in a folder `bin`; of a home folder or of the root, nothing."""
    prefix = program.parent.parent
    if program.parent.name != "bin" or _is_home(prefix):
        return
    for name in _BESIDE:
        if mode_of(prefix / name) and not _shown_anyway(prefix / name):
            yield str(prefix / name), str(prefix / name)
    # A virtual environment says whose modules it goes on with.
    for base in _bases(prefix / "pyvenv.cfg"):
        if not _shown_anyway(base) and base != program.parent:
            yield from _beside(base / program.name)


def _bases(settings: Path) -> Iterable[Path]:
    if not stat.S_ISREG(mode_of(settings)):
        return []
    lines = [line.partition("=") for line in settings.read_text(errors="replace").splitlines()]
    return [Path(value.strip()) for key, _, value in lines if key.strip() == "home"]


def _is_home(folder: Path) -> bool:
    homes = [Path("/"), Path("/root")]
    with suppress(RuntimeError):  # one has no home
        homes.append(Path.home())
    return folder in homes or folder.parent == Path("/home")


def _is_below(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _shown_anyway(path: Path) -> bool:
    return not _ANYWAY.isdisjoint((path, *path.parents))
