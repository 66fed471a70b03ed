"""Proper, with a link to its working directory in the place of its scratch folder."""

import os
from pathlib import Path

from proper import replies

home = Path(os.environ["HOME"])
home.rmdir()
home.symlink_to(Path.cwd())
for reply in replies():
    print(reply, flush=True)
