"""Bots to start from, one a language: copied into a folder of their own, and given a name."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from arena.diagnosis import mode_of
from tournaments.bots.fingerprint import is_left_out
from tournaments.bots.programs import name_of
from tournaments.errors import UserError, did_you_mean, quoted


class Toolchain(Struct, frozen=True):
    """What a language takes."""

    title: str
    """How people write it."""
    programs: tuple[str, ...] = ()
    """What builds and runs a bot, looked up on PATH."""
    install: str = ""
    """How to get them."""


LANGUAGES: Final = {
    "python": Toolchain("Python"),
    "c": Toolchain("C", ("make", "cc"), "apt-get install make gcc"),
    "cpp": Toolchain("C++", ("make", "c++"), "apt-get install make g++"),
    "rust": Toolchain("Rust", ("cargo", "cc"), "https://rustup.rs, or apt-get install cargo"),
    "java": Toolchain("Java", ("javac", "java"), "apt-get install default-jdk-headless"),
    "javascript": Toolchain("JavaScript", ("node",), "apt-get install nodejs"),
    "bash": Toolchain("Bash", ("bash",), "apt-get install bash"),
    "go": Toolchain("Go", ("go",), "https://go.dev/dl, or apt-get install golang-go"),
}
"""Each is a folder of this name."""

_NAMED: Final = {"bot.yaml": (r"^name: .*$", 'name: "{}"'), "README.md": (r"^# .*$", "# {}")}
"""Files in which the bot's name stands, in the first line that looks so."""


def source_of(language: str) -> Path:
    """The folder of a starter. Raises UserError for a language that there is none in."""
    if language not in LANGUAGES:
        hint = did_you_mean(language.lower(), LANGUAGES) or f": there are {', '.join(LANGUAGES)}"
        raise UserError(f"no bot to start from in {quoted(language)}{hint}")
    here = Path(__file__).parents[1]
    installed = here / "sample_bots" / language
    # In a clone they stand where all sample bots do; pyproject.toml puts them into the package.
    return installed if installed.is_dir() else here.parent / "sample_bots" / language


def missing(language: str) -> list[str]:
    """The programs that a bot in this language takes and that are not on PATH."""
    return [program for program in LANGUAGES[language].programs if not shutil.which(program)]


def make(folder: Path, language: str) -> str:
    """Makes a bot in a folder that is new or empty; returns its name, which comes from that.

    Raises UserError where it can't be made; then nothing of it is left in the folder.
    """
    source = source_of(language)
    is_new = not mode_of(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UserError(f"the folder {quoted(str(folder))} is not empty: name a new one")
        name = name_of(folder.resolve().name)
        try:
            _copy(source, folder, name)
        except BaseException:
            _clear(folder, remove=is_new)
            raise
    except OSError as error:
        why = "it is there, and no folder" if isinstance(error, FileExistsError) else error.strerror
        raise UserError(f"the folder {quoted(str(folder))} can't be made: {why}") from None
    return name


def _copy(source: Path, folder: Path, name: str) -> None:
    for path in _below(source):
        target = folder / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8")
        if path.parent == source and path.name in _NAMED:
            line, named = _NAMED[path.name]
            text = re.sub(line, named.format(name), text, count=1, flags=re.M)
        target.write_text(text, "utf-8")
        target.chmod(target.stat().st_mode | (path.stat().st_mode & 0o111))


def _below(folder: Path) -> Iterator[Path]:
    """The files of a starter, without what a build or a test has left there."""
    for path in sorted(folder.iterdir()):
        if path.is_file():
            yield path
        elif not is_left_out(path, path.parent):
            yield from _below(path)


def _clear(folder: Path, *, remove: bool) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    if remove:
        folder.rmdir()
