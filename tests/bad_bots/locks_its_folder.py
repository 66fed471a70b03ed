"""Proper, with locked folders and links that lead out in its scratch folder."""

import os
from pathlib import Path

from proper import replies

home = Path(os.environ["HOME"])
inner = home / "locked" / "inner"
inner.mkdir(parents=True)
for folder in (inner, home):
    (folder / "out").symlink_to(Path.cwd())
for folder in (inner, inner.parent, home):
    folder.chmod(0)
for reply in replies():
    print(reply, flush=True)
