"""Bots as users named them -> programs that can be run: hashed, copied, built, found."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from arena.process import UNBOXED
from arena.program import Program
from arena.sandbox import Sandbox
from protocol.codec import printable
from tournaments.bots import fingerprint, snapshot
from tournaments.bots.bots import BotSource, program_of
from tournaments.bots.boxed_builds import run_boxed_build
from tournaments.bots.builds import run_build
from tournaments.errors import UserError, shown
from tournaments.files.positions import SourceError

T = TypeVar("T")


def prepare_all(
    sources: Sequence[BotSource], snapshots: Path | None = None, sandbox: Sandbox = UNBOXED
) -> list[Program]:
    """The programs of these bots, in their order: hashed, built, and found.

    With `snapshots`, a folder, bots that own their folders are copied there, built and run there.
    Without it they are built where they are, which only `none` can do. Raises UserError with all
    that failed: files that can't be read, builds, nothing to run; and what can be seen without a
    build before any build.
    """

    def get_ready(source: BotSource, hash_: str) -> Program:
        folder = source.folder
        if snapshots is not None and source.owns_folder:
            folder = snapshot.take(
                folder,
                snapshot.place(snapshots, source.name, hash_),
                built=bool(source.build),
                finish=lambda copy: _finish(source, copy, hash_, sandbox),
                fingerprint=lambda copy: _fingerprint(source, copy),
            )
        elif source.build:
            assert sandbox.backend == "none"
            run_build(source.build, folder)
        command = program_of(source, folder)
        return Program(source.name, hash_, command, str(folder), source.env, source.owns_folder)

    return _for_each(get_ready, sources, hashes_of(sources))


def hashes_of(sources: Sequence[BotSource]) -> list[str]:
    """The hashes of these bots, in their order, as they are before a build.

    Raises UserError with all that can be seen to be wrong then.
    """

    def look(source: BotSource) -> str:
        if not source.build:
            program_of(source, source.folder)
        return _fingerprint(source, source.folder)

    return _for_each(look, sources)


def _finish(source: BotSource, copy: Path, hash_: str, sandbox: Sandbox) -> None:
    """Makes sure that a copy is what was hashed, and builds it."""
    if _fingerprint(source, copy) != hash_:
        raise UserError(f"{shown(source.folder)} was changed while it was copied: run again")
    if source.build:
        build = run_build if sandbox.backend == "none" else run_boxed_build
        build(source.build, copy)


def _for_each(
    step: Callable[..., T], sources: Iterable[BotSource], *more: Iterable[object]
) -> list[T]:
    """What the step gives for each; raises UserError with all its errors, and whose they are."""
    found, failures = [], []
    for source, *rest in zip(sources, *more, strict=True):
        try:
            found.append(step(source, *rest))
        except SourceError as error:
            failures.append(str(error))
        except UserError as error:
            failures.append(f"{printable(source.where)}: bot {source.name!r}: {error}")
    if failures:
        raise UserError("\n".join(dict.fromkeys(failures)))
    return found


def _fingerprint(source: BotSource, folder: Path) -> str:
    """The hash of the bot's files as they are in `folder`."""
    if source.owns_folder:
        return fingerprint.of_folder(folder, source.command, source.env, source.build)
    return fingerprint.of_command(folder, source.command, source.env)
