"""The pages of the documentation, and the blocks in them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).parent.parent.parent
PAGES = {
    str(path.relative_to(ROOT)): path.read_text()
    for path in (
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("*/README.md"),
    )
}
"""Path from the root -> text."""

NOT_RUN = re.compile(r"<!-- not run: (.+) -->")
"""Before a block: why no test runs it. Nobody who reads the page sees it."""


class Block(NamedTuple):
    """A block of code that stands between fences."""

    page: str
    line: int
    language: str
    file: str
    """The second word behind the fence: the file that a reader saves it as, or empty."""
    text: str
    reason: str
    """Why it is not run, or empty."""


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page, in their order."""
    reason = ""
    for token in MarkdownIt().parse(PAGES[page]):
        if token.type == "fence":
            language, _, file = token.info.partition(" ")
            assert token.map
            yield Block(page, token.map[0] + 1, language, file, token.content, reason)
        told = NOT_RUN.fullmatch(token.content.strip()) if token.type == "html_block" else None
        reason = told[1] if told else ""


BLOCKS = [block for page in PAGES for block in blocks(page)]
