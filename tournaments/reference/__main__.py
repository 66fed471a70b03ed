"""Writes the pages: `python -m tournaments.reference docs/reference`."""

import sys
from pathlib import Path

from tournaments.reference import PAGES

(folder,) = map(Path, sys.argv[1:])
for name, page in PAGES.items():
    (folder / name).write_text(page())
