"""A proper bot that attacks nobody: the opponent whom others spy on."""

from playing import play

play(lambda number: None)
