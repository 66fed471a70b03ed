"""Bots as they are in a commit: what `git:REF:PATH` names, taken out of a repository.

The bytes are those that git keeps, not those of a checkout: no filter, line ending or `export-`
attribute, and so no setting of a machine, changes what a commit means. Commits are as hostile as
anything else: what is in one is counted before it is written, and nothing is written through a
link, since links are written last.
"""

import atexit
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from tempfile import mkdtemp
from typing import IO, Final, NamedTuple

from arena import scratch
from arena.diagnosis import mode_of
from protocol.codec import printable
from tournaments.bots import fingerprint, git
from tournaments.errors import UserError, did_you_mean, machine_trouble, quoted, shown

PREFIX: Final = "git:"

REFS_LIMIT: Final = 10_000
"""Branches and tags among which the nearest is looked for."""
REFS_SHOWN: Final = 10
LINK_LIMIT: Final = 4096
"""Bytes of what a link leads to."""
_PIECE: Final = 1 << 20
_ROOT: Final = PurePosixPath()
_PROGRAM: Final = b"100755"
_LINK: Final = b"120000"


class _Entry(NamedTuple):
    """A file or folder of a commit."""

    mode: bytes
    kind: bytes
    """`blob`, `tree`, or `commit` for a submodule."""
    id: bytes
    size: int
    """Of a blob that is there, in bytes; else 0."""
    path: str
    """From the folder that was asked for."""


def take(text: str, folder: Path) -> Path:
    """The folder or file that `git:REF:PATH` names, in the repository that `folder` is in.

    PATH counts from the repository's root. What is taken out of the commit, of a file all of its
    folder, stands in a temporary folder until this process ends, and is taken out only once.
    Submodules are left out, as in a clone without them. Raises UserError where there is no such
    thing, or more than a bot may have.
    """
    try:
        ref, path = _parsed(text)
        repository = _repository(folder)
        commit = _commit(repository, ref)
        entry = _entry(repository, commit, path)
        if entry.kind == b"tree":
            return _taken(repository, entry.id, path.name or repository.name)
        around = _entry(repository, commit, path.parent)
        taken = _taken(repository, around.id, path.parent.name or repository.name)
        found = taken / path.name
        if not mode_of(found):
            raise UserError("a link that leads to nothing: name what it is to lead to")
        if not found.resolve().is_relative_to(taken.resolve()):
            raise UserError("a link that leads out of its folder: name what it is to lead to")
    except UserError as error:
        raise UserError(f"{quoted(text)}: {error}") from None
    return found


def _parsed(text: str) -> tuple[str, PurePosixPath]:
    ref, colon, path = text.removeprefix(PREFIX).partition(":")
    if not ref or not colon:
        raise UserError(
            "write git:REF:PATH, such as git:main:bots/mine; git:main:. is the whole repository"
        )
    if ref.startswith(("-", "^")):
        raise UserError(f"a branch, a tag or a commit does not begin with '{ref[0]}'")
    found = PurePosixPath(path)
    if found.is_absolute() or ".." in found.parts:
        raise UserError(
            "the path counts from the repository's root: write no '..', and no '/' first"
        )
    return ref, found


def _repository(folder: Path) -> Path:
    """The root of the repository that a folder is in."""
    try:
        root = git.answer(folder, "rev-parse", "--show-toplevel")
    except git.Refused as error:
        said = str(error)
        if "work tree" in said:
            raise UserError(
                f"{shown(folder.resolve())} has the repository's own files and no others: name the"
                " bot from where it is checked out, such as a clone"
            ) from None
        if "not a git repository" in said:
            raise UserError(
                f"{shown(folder.resolve())} is in no git repository: name a folder"
            ) from None
        if "dubious ownership" not in said:
            raise
        remedy = said.splitlines()[-1].strip()
        raise UserError(f"git does not trust the repository of another user: {remedy}") from None
    return Path(os.fsdecode(root.removesuffix(b"\n")))


def _commit(repository: Path, ref: str) -> str:
    """The id of the commit that a branch, a tag, or whatever else git understands, leads to."""
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    try:
        return git.answer(repository, *asked).decode().strip()
    except git.Refused:
        hint = _nearest_ref(repository, ref)
    if git.answer(repository, "rev-parse", "--is-shallow-repository").strip() == b"true":
        hint += (
            "; the clone is shallow, so it may be missing: git fetch --unshallow, or in CI"
            " fetch-depth: 0"
        )
    raise UserError(f"there is no commit {quoted(ref)} in {shown(repository)}{hint}")


def _nearest_ref(repository: Path, ref: str) -> str:
    """`: did you mean 'v1'?`, or what there is. A clone has other branches as `origin/NAME`."""
    options = (f"--count={REFS_LIMIT}", "--format=%(refname:short)")
    places = ("refs/heads", "refs/tags", "refs/remotes")
    known = os.fsdecode(git.answer(repository, "for-each-ref", *options, *places)).split()
    if ref in known:
        return ": that is a tag of something else"
    for name in known:
        if name.endswith(f"/{ref}"):
            return f": did you mean {name!r}?"
    return did_you_mean(ref, known) or f": there are {_listed(known)}"


def _listed(known: Sequence[str]) -> str:
    return printable(", ".join(known[:REFS_SHOWN])) or "none yet"


def _entry(repository: Path, commit: str, path: PurePosixPath) -> _Entry:
    """What stands at a path. Raises UserError if that is neither a folder nor a file."""
    if path == _ROOT:
        return _Entry(b"", b"tree", commit.encode(), 0, "")
    found = _list(repository, commit, "--", str(path))
    if not found:
        near = _nearest_path(repository, commit, path)
        raise UserError(f"{quoted(str(path))} is not in that commit{near}")
    if found[0].kind == b"commit":
        raise UserError("a submodule, which is a repository of its own: name the bot from there")
    return found[0]


def _nearest_path(repository: Path, commit: str, path: PurePosixPath) -> str:
    """`: did you mean 'mine'?`, for the first part of a path that is not there."""
    above = commit + ":"
    for part in path.parts:
        try:
            names = [entry.path for entry in _list(repository, above)]
        except git.Refused:  # a file, in which there is nothing
            return ""
        if part not in names:
            return did_you_mean(part, names)
        above += part + "/"
    return ""


def _list(repository: Path, *arguments: str) -> list[_Entry]:
    """The entries of a folder, or the one at a path."""
    options = ("--literal-pathspecs", "ls-tree", "-z", "--long", "--full-tree")
    found = []
    for line in git.answer(repository, *options, *arguments).split(b"\0")[:-1]:
        about, _, path = line.partition(b"\t")
        mode, kind, id_, size = about.split()
        found.append(_Entry(mode, kind, id_, int(size) if size.isdigit() else 0, os.fsdecode(path)))
    return found


def _taken(repository: Path, tree: bytes, name: str) -> Path:
    """The folder that a tree is, under a name; written only the first time."""
    place = _home() / tree.decode() / name
    if not place.exists():
        try:
            part = Path(mkdtemp(dir=_home()))
            _write(repository, _files(repository, tree), part)
            part.chmod(0o755)
            place.parent.mkdir(exist_ok=True)
            part.rename(place)
        except (OSError, ValueError) as error:  # names too long, twice there, or with a NUL
            if machine_trouble(error):
                raise
            reason = getattr(error, "strerror", None) or error
            raise UserError(f"what that commit holds can't be written: {reason}") from None
    return place


@cache
def _home() -> Path:
    """The temporary folder of all that is taken out."""
    home = Path(mkdtemp(prefix="bots-"))
    atexit.register(scratch.remove, home)
    return home


def _files(repository: Path, tree: bytes) -> list[_Entry]:
    """The files of a tree, and then its links. Raises UserError over the limits of a folder."""
    files = [e for e in _list(repository, "-r", tree.decode()) if e.kind == b"blob"]
    if len(files) > fingerprint.FILE_LIMIT:
        raise UserError(f"over {fingerprint.FILE_LIMIT:,} files: keep a bot in a folder of its own")
    if sum(entry.size for entry in files) > fingerprint.BYTE_LIMIT:
        most = f"{fingerprint.BYTE_LIMIT // 10**6:,} MB"
        raise UserError(f"over {most}: keep a bot in a folder of its own")
    for entry in files:
        path = PurePosixPath(entry.path)
        if path.is_absolute() or ".." in path.parts:
            raise UserError(f"the commit is malformed: it has a file named {quoted(entry.path)}")
    return sorted(files, key=lambda entry: entry.mode == _LINK)


def _write(repository: Path, files: Sequence[_Entry], into: Path) -> None:
    typed = b"".join(entry.id + b"\n" for entry in files)
    with git.running(repository, "cat-file", "--batch", typed=typed) as contents:
        for entry in files:
            if contents.readline().split() != [entry.id, b"blob", b"%d" % entry.size]:
                raise UserError(f"git lacks the content of {quoted(entry.path)}: try git fsck")
            path = into / entry.path
            path.parent.mkdir(parents=True, exist_ok=True)
            if entry.mode == _LINK:
                if not 0 < entry.size <= LINK_LIMIT:
                    raise UserError(f"the link {quoted(entry.path)} leads to no possible name")
                path.symlink_to(os.fsdecode(contents.read(entry.size)))
            else:
                _copy(contents, entry.size, path)
                path.chmod(0o755 if entry.mode == _PROGRAM else 0o644)
            contents.read(1)  # a line's end


def _copy(contents: IO[bytes], size: int, path: Path) -> None:
    with path.open("xb") as file:
        for start in range(0, size, _PIECE):
            file.write(contents.read(min(_PIECE, size - start)))
