"""The reference pages, made from the code: commands, files, messages, records.

The words are docstrings below fields and the help of commands, so that readers of the code and of
the pages have the same. Links in them lead from `docs/reference`.
"""

from collections.abc import Callable, Mapping
from typing import Final

from tournaments.reference.commands import commands_page
from tournaments.reference.files import files_page
from tournaments.reference.messages import messages_page
from tournaments.reference.record import record_page

PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "commands.md": commands_page,
    "files.md": files_page,
    "messages.md": messages_page,
    "record.md": record_page,
}
"""File -> what makes its text."""
