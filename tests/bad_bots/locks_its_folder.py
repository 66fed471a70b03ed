"""Proper, with locked folders and links that lead out in its scratch folder."""

import os
import sys
from pathlib import Path

home = Path(os.environ["HOME"])
inner = home / "locked" / "inner"
inner.mkdir(parents=True)
for folder in (inner, home):
    (folder / "out").symlink_to(Path.cwd())
for folder in (inner, inner.parent, home):
    folder.chmod(0)
for number in range(1, 100):
    if not sys.stdin.readline():
        break
    print('{"id":', number, ', "bid": 3}', flush=True)
