"""Prints the page: `python -m arena.rules.words > docs/rules.md`."""

from arena.rules.words import page

print(page(), end="")
