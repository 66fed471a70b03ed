"""`python -m tournaments.cli` is `spades-arena`."""

from tournaments.cli import main

main()
