"""A user without rights, for tests that run as root: what it can run, and what it can read."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import msgspec

ROOT = Path(__file__).parents[2]
USER = 65533
NEEDED = [
    "arena",
    "protocol",
    "tests/__init__.py",
    "tests/arena",
    "tests/attacks",
    "tests/bad_bots",
]
RUNS = "import ctypes, os, sys; os.stat(sys.executable)"
"""What an interpreter must be able to do."""
BECOME = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]


@cache
def interpreter() -> str | None:
    """A Python like ours that this user may run: ours may stand in the home folder of root."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folders = ("/usr/bin", "/usr/local/bin", "/opt/bin")
    for path in (os.path.realpath(sys.executable), *(f"{folder}/{version}" for folder in folders)):
        try:
            tried = subprocess.run([*BECOME, path, "-c", RUNS], capture_output=True)
        except OSError:
            return None
        if tried.returncode == 0:
            return path
    return None


def workplace() -> Path:
    """A folder of this user's, with copies of what it needs. Whoever makes one removes it."""
    place = Path(mkdtemp(prefix="normal-user-"))
    for name in NEEDED:
        source, target = ROOT / name, place / name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    shutil.copytree(Path(msgspec.__file__).parent, place / "msgspec")
    for path in (place, *place.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (place / "tmp").mkdir()
    os.chown(place / "tmp", USER, USER)
    return place


def environment(place: Path) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(place),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(place / "tmp"),
        "TMPDIR": str(place / "tmp"),
    }
