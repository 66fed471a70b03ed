"""What to run for a bot, as plain data."""

from msgspec import Struct


class Program(Struct, frozen=True):
    """What to run for a bot."""

    name: str
    """Unique in a tournament; a later version of a bot is `name@2`."""
    hash: str
    """SHA-256 over the bot's files, in hex."""
    command: tuple[str, ...]
    """The first is an absolute path."""
    folder: str
    """The working directory, absolute."""
    env: dict[str, str] = {}
    """Variables beside PATH, LANG, LC_ALL, HOME and TMPDIR."""
    owns_folder: bool = True
    """All below the folder is the bot's; otherwise the files that the command names."""
