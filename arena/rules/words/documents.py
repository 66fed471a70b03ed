"""The documents that the rules rest on, and which of them each preset plays."""

from typing import Final

from msgspec import Struct

PAGAT: Final = "000 first text"
CLASSIC: Final = "000 second text"
APP: Final = "001"
SOLO: Final = "002"
FOUR: Final = "003"
IO: Final = "004"


class Document(Struct, frozen=True):
    """Somebody's rules of Spades, as they were found on the web."""

    title: str
    about: str


DOCUMENTS: Final[dict[str, Document]] = {
    PAGAT: Document(
        "Spades Rules",
        "the partnership game after pagat.com by John McLeod (2011, reprinted there with"
        " permission)",
    ),
    CLASSIC: Document(
        "Classic Spades online",
        "a second text on the same page, headed How to Play Spades: a retelling that differs in"
        " how bags are counted",
    ),
    APP: Document(
        "How to Play Spades",
        "the rules page of an online app, with its own scoring, a quick match, and the house rules"
        " it knows from other tables, some of them after pagat.com",
    ),
    SOLO: Document(
        "(untitled)",
        "rules for solo play, also called cut-throat, among fragments of the second text of 000",
    ),
    FOUR: Document("Four Player Spades Rules", "a short description of the partnership game"),
    IO: Document(
        "Spades on PlayingCards.io", "the partnership game of a virtual card table, with blind nil"
    ),
}
"""What a rule's `documents` name -> the document. They are cited by these labels."""

PARTNERSHIP: Final = (PAGAT, CLASSIC, APP, FOUR, IO)
"""The documents on the partnership game."""

EVERY: Final = tuple(DOCUMENTS)
"""All of them."""


def cited(documents: tuple[str, ...]) -> str:
    """The documents in a few words."""
    return "all documents" if documents == EVERY else ", ".join(documents) or "the arena"


PRESET_SOURCES: Final[dict[str, str]] = {
    "standard": PAGAT,
    "classic": CLASSIC,
    "four_player": FOUR,
    "app": APP,
    "quick": f"{APP}, its quick match",
    "playingcards": IO,
    "blind": f"{APP}, a house rule",
    "min4": f"{APP}, a house rule",
    "no_bags": f"{APP}, a house rule",
    "barmore": f"{APP}, a house rule",
    "nyc": f"{APP}, a house rule",
    "solo": SOLO,
    "solo_short": f"{SOLO}, its short game",
    "solo_bags": f"{SOLO}, with bags",
}
"""Preset -> the document that it plays."""
