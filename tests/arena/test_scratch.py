"""A scratch folder can be removed whatever a bot made of it."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import scratch

NOBODY = 65534


@pytest.fixture
def parent() -> Iterator[Path]:
    """A folder of somebody whom permissions stop, and so is this process meanwhile."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None  # some disks remove folders slowly
    with tempfile.TemporaryDirectory(dir=memory) as name:
        if os.geteuid() != 0:
            yield Path(name)
            return
        os.chown(name, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)


def test_a_new_folder_is_empty_and_for_its_owner_only(parent: Path) -> None:
    one, other = scratch.make(parent), scratch.make(parent)
    assert one != other
    assert one.stat().st_mode & 0o777 == 0o700
    assert list(one.iterdir()) == []
    for folder in (one, other):
        scratch.remove(folder)
    assert list(parent.iterdir()) == []


def test_locked_folders_and_links_are_removed_and_what_links_lead_to_is_kept(
    parent: Path,
) -> None:
    outside = parent / "outside"
    outside.mkdir(mode=0o755)
    (outside / "file").write_text("kept")
    folder = scratch.make(parent)
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    for place in (folder, inner):
        (place / "link").symlink_to(outside)
        (place / "file link").symlink_to(outside / "file")
        (place / "broken").symlink_to("nowhere")
        (place / "file").write_text("x")
        (place / "file").chmod(0)
        (place / "not \udcff utf-8").touch()
        os.mkfifo(place / "pipe")
        (place / "empty").mkdir(mode=0)
    for place in (inner, inner.parent, folder):
        place.chmod(0)
    scratch.remove(folder)
    assert list(parent.iterdir()) == [outside]
    assert (outside / "file").read_text() == "kept"
    assert outside.stat().st_mode & 0o777 == 0o755


def test_folders_nested_deeper_than_any_path_are_removed(parent: Path) -> None:
    folder = scratch.make(parent)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(2_000):
        os.mkdir("folder", dir_fd=here)
        inner = os.open("folder", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    scratch.remove(folder)
    assert list(parent.iterdir()) == []


@pytest.mark.parametrize("what", ["link", "broken link", "file", "nothing"])
def test_what_stands_in_its_place_is_removed(what: str, parent: Path) -> None:
    outside = parent / "outside"
    outside.mkdir()
    folder = scratch.make(parent)
    folder.rmdir()
    if what == "link":
        folder.symlink_to(outside)
    if what == "broken link":
        folder.symlink_to(parent / "nowhere")
    if what == "file":
        folder.touch()
    scratch.remove(folder)
    assert list(parent.iterdir()) == [outside]
