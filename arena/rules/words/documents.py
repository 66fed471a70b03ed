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
        "Solo play",
        "rules without a title, for what is also called cut-throat, among fragments of the second"
        " text of 000",
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


class PresetWords(Struct, frozen=True):
    """What is said of a preset."""

    sentence: str
    """How it plays; after `Like app, but` only what is not as in that preset."""
    document: str
    """The label of the document that it plays."""
    part: str = ""
    """What of the document it is, where it is not all of it."""

    @property
    def source(self) -> str:
        """The document by its title, as in `How to Play Spades, a house rule (001)`."""
        part = f", {self.part}" if self.part else ""
        return f"{DOCUMENTS[self.document].title}{part} ({self.document})"


_HOUSE_RULE: Final = "a house rule"
PRESET_WORDS: Final[dict[str, PresetWords]] = {
    "standard": PresetWords(
        "Two partnerships play to 500: a nil is worth 100, every 10 bags cost 100, and any spade"
        " played breaks spades.",
        PAGAT,
    ),
    "classic": PresetWords(
        "Like standard, but a bag penalty sets the count back to 0, and if the partner of a broken"
        " nil is set, only tricks above the contract are bags.",
        CLASSIC,
    ),
    "four_player": PresetWords(
        "Like standard, but only a spade played on another suit breaks spades, and the tricks of a"
        " broken nil count towards the partner's contract.",
        FOUR,
    ),
    "app": PresetWords("Like standard, but a side at -200 points or less loses at once.", APP),
    "quick": PresetWords("Like app, but to 250 points.", APP, "its quick match"),
    "playingcards": PresetWords(
        "Like standard, but blind nil may be bid at any score, for 200 points, and only a spade"
        " played on another suit breaks spades.",
        IO,
    ),
    "blind": PresetWords(
        "Like standard, but a side 100 points behind or more may bid blind nil, for 200 points, and"
        " the bidder and its partner exchange 2 cards.",
        APP,
        _HOUSE_RULE,
    ),
    "min4": PresetWords(
        "Like standard, but the bids of a side must come to 4 or more, and beside a nil the other"
        " bid alone must.",
        APP,
        _HOUSE_RULE,
    ),
    "no_bags": PresetWords(
        "Like standard, but bags cost nothing: each is worth a point, however many there are.",
        APP,
        _HOUSE_RULE,
    ),
    "barmore": PresetWords(
        "Like standard, but two jokers are the highest trumps, the 2S comes after them, and spades"
        " may be led at any time.",
        APP,
        _HOUSE_RULE,
    ),
    "nyc": PresetWords(
        "Like barmore, but the 2D is a trump too, between the jokers and the 2S.",
        APP,
        _HOUSE_RULE,
    ),
    "solo": PresetWords(
        "Like standard, but each seat plays for itself, nobody bids less than 1, so there is no"
        " nil, and bags cost nothing.",
        SOLO,
    ),
    "solo_short": PresetWords("Like solo, but to 300 points.", SOLO, "its short game"),
    "solo_bags": PresetWords("Like solo, but every 10 bags cost 100 points.", SOLO, "with bags"),
}
"""Preset -> how it plays, in a sentence, and whose rules it is."""
