"""Finished deals in Portable Bridge Notation 2.1, so that programs for card games open them.

Hands, seats, dealer and play fit: the dealer's left leads, as the declarer's left does in bridge.
Spades has no contract and another score; docs/pbn.md tells what stands in their places.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO

from protocol.cards import CLOCKWISE_FROM, PARTNER, SEATS, SUITS
from protocol.codec import printable
from tournaments.errors import UserError
from tournaments.exports.finished_deals import FinishedDeal, kept_deals
from tournaments.storage.reader import Reader

CONTRACT: Final = "1S"
"""It says that spades are trumps, and nothing else."""
VALUE_LIMIT: Final = 120
"""Characters of a tag's value: escaped they are twice as many, and a line has 255 at most."""


def write_pbn(store: Reader, out: TextIO) -> None:
    """A game a finished deal, in the order played.

    Raises UserError, with nothing written, for a deck with jokers.
    """
    stored = store.tournament()
    deck = stored.compared.rules.deck
    if deck != "standard":
        raise UserError(
            f"the deck of this run is {deck!r}, and PBN has no jokers: take --format json or csv"
        )
    out.write("% PBN 2.1\n")
    for _, deal in kept_deals(store):
        out.write("\n")
        out.writelines(f"{line}\n" for line in game(stored.name, deal))


def game(event: str, deal: FinishedDeal) -> Iterator[str]:
    """The lines of one deal, played with the standard deck in the tournament `event`."""
    for tag, value in {**_tags(event, deal), **_own_tags(deal)}.items():
        yield f'[{tag} "{_escaped(value)}"]'
    yield from _play(deal)


def _tags(event: str, deal: FinishedDeal) -> dict[str, str]:
    """The fifteen that every game has, in their order. What does not apply is empty."""
    dealer, players, end = deal.dealt.dealer, deal.match.players, deal.end
    started = deal.match.started
    return {
        "Event": event,
        "Site": "",
        "Date": "????.??.??" if started is None else started[:10].replace("-", "."),
        "Board": str(end.deal),
        "West": players["W"].name,
        "North": players["N"].name,
        "East": players["E"].name,
        "South": players["S"].name,
        "Dealer": dealer,
        "Vulnerable": "None",
        "Deal": f"{dealer}:{' '.join(_hand(deal.hands[seat]) for seat in CLOCKWISE_FROM[dealer])}",
        "Scoring": "",
        "Declarer": dealer,
        "Contract": CONTRACT,
        "Result": "?" if deal.stopped else str(end.taken[dealer] + end.taken[PARTNER[dealer]]),
    }


def _own_tags(deal: FinishedDeal) -> dict[str, str]:
    """Others, in the order of their names. What begins with `Spades` is ours."""
    end = deal.end
    own = {
        "Round": str(deal.match.origin.cycle + 1),
        "SpadesBags": _pairs(end.bags),
        "SpadesBids": _pairs(deal.bids),
        "SpadesBlind": " ".join(deal.blind),
        "SpadesDelta": _pairs(end.delta),
        "SpadesGave": _pairs({seat: "".join(cards) for seat, cards in deal.gave.items()}),
        "SpadesMatch": deal.match.match,
        "SpadesScore": _pairs(end.score),
        "SpadesStopped": deal.stopped or "",
        "SpadesTaken": _pairs(end.taken),
        "Table": str(deal.match.origin.leg + 1),
    }
    return {tag: value for tag, value in own.items() if value}


def _play(deal: FinishedDeal) -> Iterator[str]:
    """A line a trick, a column a seat, from the one who leads to the first trick."""
    dealer, *others = CLOCKWISE_FROM[deal.dealt.dealer]
    yield f'[Play "{others[0]}"]'
    for start in range(0, len(deal.cards), len(SEATS)):
        trick = deal.cards[start : start + len(SEATS)]
        cards = {played.seat: played.card[1] + played.card[0] for played in trick}
        yield " ".join(cards.get(seat, "-") for seat in (*others, dealer))
    if deal.stopped:
        yield "*"


def _hand(cards: list[str]) -> str:
    """Spades, hearts, diamonds, clubs, each from high to low."""
    return ".".join(
        "".join(card[0] for card in reversed(cards) if card[1] == suit) for suit in reversed(SUITS)
    )


def _pairs(of: Mapping[Any, object]) -> str:
    return " ".join(f"{key}:{value}" for key, value in of.items())


def _escaped(value: str) -> str:
    """A value as it stands between quotes: ASCII, as PBN knows no UTF-8."""
    shown = printable(value).encode("ascii", "backslashreplace").decode()[:VALUE_LIMIT]
    if shown.startswith("#"):
        shown = f" {shown}"  # alone it means: as in the game before
    return shown.replace("\\", "\\\\").replace('"', '\\"')
