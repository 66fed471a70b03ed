"""The blocks of a page as one story in one folder: files are saved, and what is typed is run.

A block `console` is a transcript: `$ ` begins a command, `> ` a further line of it, and all else is
what it prints. Where what is printed varies, the page has `...`: alone in a line for any lines, and
within one for any text. Blocks of other languages are files, named by the second word behind the
fence: ```` ```python lowest.py ````. What is not run carries its reason (`pages.NOT_RUN`).
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.docs.pages import ROOT, Block

PATIENCE = 120
"""Seconds for one command; most take less than one."""


class Step(NamedTuple):
    """A command, and what it prints."""

    command: str
    shown: list[str]


def steps(transcript: str) -> Iterator[Step]:
    """The commands of a transcript."""
    for part in re.split(r"^\$ ", transcript, flags=re.M)[1:]:
        lines = part.splitlines()
        more = [line[2:] for line in lines[1:] if line.startswith("> ")]
        yield Step("\n".join([lines[0], *more]), lines[1 + len(more) :])


def matches(shown: Iterable[str], printed: str) -> bool:
    """Whether it was printed as it is shown. Where a line has spaces it may have more or fewer:
    columns are as wide as what stands in them."""
    lines = [r"(.*\n)*?" if line == "..." else f"{_line(line)}\n" for line in shown]
    return re.fullmatch("".join(lines), re.sub(r" +\n", "\n", printed)) is not None


def _line(shown: str) -> str:
    texts = [re.sub(r"(\\ )+", " +", re.escape(text)) for text in shown.rstrip().split("...")]
    return ".*".join(texts)


def tell(blocks: Iterable[Block], folder: Path) -> None:
    """Goes through the story in an empty folder; an assertion names page and line of a block that
    is not true."""
    environment = _environment(folder.parent)
    for block in blocks:
        place = f"{block.page}:{block.line}"
        if block.reason:
            continue
        if block.language != "console":
            assert block.file, f"{place}: a block that is no file and no transcript"
            (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.file).write_text(block.text)
            continue
        for step in steps(block.text):
            printed = _printed(step.command, folder, environment)
            shown = "\n".join(step.shown)
            assert matches(step.shown, printed), f"{place}: {step.command}\n{printed}\n--\n{shown}"


def _environment(folder: Path) -> dict[str, str]:
    """That of a user with `spades-arena` on PATH, and the package of these tests behind it."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    command = programs / "spades-arena"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tournaments.cli "$@"\n')
    command.chmod(0o755)
    return {
        "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "LANG": "C.UTF-8",
    }


def _printed(command: str, folder: Path, environment: dict[str, str]) -> str:
    """What a command prints, its standard error too."""
    ended = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
    )
    return ended.stdout
