"""Two bots of one table that try to tell each other something: one sends bits, the other hears.

At the first bid both get ready; at each later one the sender is asked first. What the two share is
the folder that they run from, as partners do, and the files of the system.
"""

import json
import os
import sys
from pathlib import Path

from playing import play


class Channel:
    """What a sender and a listener do; `name` is one that only the two of them know."""

    def __init__(self, given):
        self.name = given["name"]
        self.given = given
        self.shared = os.path.realpath(sys.executable)
        """A file of the system that every bot can read."""
        self.own = Path(__file__).with_name("words.txt")
        """A file of the folder that partners run from."""
        self.turn = 0

    def ready(self):
        """Called once, before the first bit."""

    def send(self, bit):
        raise NotImplementedError

    def hear(self):
        """1, 0, or raises OSError."""
        raise NotImplementedError


def play_one_of(channels):
    """Plays with the channel that the command names, in the role that it says."""
    given = json.loads(sys.argv[2])
    channel = channels[sys.argv[1]](given)

    def attempt(turn):
        channel.turn = turn
        if turn == 0:
            return channel.ready()
        if given["role"] == "hear":
            return channel.hear()
        return channel.send(given["bits"][turn - 1])

    play(attempt)
