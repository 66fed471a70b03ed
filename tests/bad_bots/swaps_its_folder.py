"""Proper, with a link to its working directory in the place of its scratch folder."""

import os
import sys
from pathlib import Path

home = Path(os.environ["HOME"])
home.rmdir()
home.symlink_to(Path.cwd())
for number in range(1, 100):
    if not sys.stdin.readline():
        break
    print('{"id":', number, ', "bid": 3}', flush=True)
