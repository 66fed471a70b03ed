"""What a person sees: the table from their seat, a question, and what the others did since."""

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from arena.replay import Moment, Replay
from protocol.cards import Seat
from protocol.messages import Bid, BlindNil, Exchange, Play
from tournaments.person.choosing import Choosing, Question
from tournaments.person.score_sheet import score_sheet
from tournaments.replays.screen import WIDEST, fitted, last_trick, sides_lines, wrapped
from tournaments.replays.table import Pointed, sign, spread, table
from tournaments.replays.words import bid_words, fault_lines, sentence

LEAST: Final = (64, 20)
"""Columns and lines without which there is no play."""
LINES_TOLD: Final = 3
"""Of why a key did nothing, and of a hint."""
TALLEST: Final = 28
"""Lines that are used of a higher window, so that the question stands near the table."""

KEYS: Final = (
    ("← →", "point at a card; ↑ ↓ as well, and for a bid one more, one less"),
    ("Q S", "point at a card by its name: rank, then c d h s; jokers are bj and lj"),
    ("0 to 13", "a bid; 0 or n is nil"),
    ("space", "mark a card that is to be passed to your partner"),
    ("Enter", "play the card, make the bid, pass the cards"),
    ("h", "what the bot behind you would do"),
    ("s", "the score sheet"),
    ("q", "leave the table; the match is then forfeited"),
    ("Ctrl-Z", "stop the program; `fg` goes on, and nobody's clock has run"),
    ("?", "these keys"),
)
"""Keys, and what they do."""


def too_small(width: int, height: int) -> list[Text]:
    """Where the table has no room."""
    columns, lines = LEAST
    told = f"This window has {width}x{height}: make it {columns}x{lines} at least to play on."
    return wrapped(Text(told), max(width - 1, 1))[:height]


def waiting(width: int, height: int) -> list[Text]:
    """Before the first deal."""
    return fitted([Text("The bots are being started ...")], width, height)


def keys_page(width: int, height: int) -> list[Text]:
    """The keys."""
    lines = [Text("Keys", "bold"), Text()]
    lines += [Text.assemble((f"{keys:<9}", "bold"), does) for keys, does in KEYS]
    lines += [Text(), Text("Legal cards are bold and underlined. Who is on turn has a ▶.")]
    return fitted([*lines, Text(), Text("any key goes back", "dim")], width, height)


def score_page(replay: Replay, asked: str, width: int, height: int) -> list[Text]:
    """The score sheet, what has just ended, and what there is to do."""
    columns = min(width - 1, WIDEST)
    below: list[Text] = []
    last = replay.moments[-1]
    if last.deal_end or last.match_end:
        # All may be seen now, also what a fault says of cards.
        below += wrapped(Text(sentence(replay, last), "bold"), columns)
        below += [Text(line, "red") for line in fault_lines(last)]
    below = below[: height // 2]
    sheet = score_sheet(replay, height - len(below) - 3)
    lines = [*sheet, Text(), *below]
    lines += [Text()] * (height - 1 - len(lines))
    return fitted([*lines[: height - 1], Text(asked, "dim")], width, height)


def at_table(
    replay: Replay,
    seat: Seat,
    choosing: Choosing | None,
    hint: str,
    width: int,
    height: int,
) -> list[Text]:
    """The table as it stands; a question is asked where there is one."""
    columns, height = min(width - 1, WIDEST), min(height, TALLEST)
    moment = replay.moments[-1]
    above = [
        _where(replay, moment, columns),
        *sides_lines(replay, moment, columns),
        Text(),
        *table(replay, len(replay.moments) - 1, seat, columns, _pointed(choosing)),
        last_trick(moment),
    ]
    below = _asked(choosing, hint, columns)
    room = max(height - len(above) - len(below), 0)
    done = [line for text in _done(replay, seat) for line in wrapped(text, columns)]
    lines = [*above, *done[max(len(done) - room, 0) :]]
    lines += [Text()] * (height - len(below) - len(lines))
    return fitted([*lines, *below], width, height)


def _where(replay: Replay, moment: Moment, columns: int) -> Text:
    position, rules = moment.position, replay.started.rules
    where = f"deal {position.deal}" + (f", trick {position.trick}" if position.trick else "")
    return spread(Text(f"Spades to {rules.target}", "bold"), Text(where), columns)


def _pointed(choosing: Choosing | None) -> Pointed:
    if choosing is None:
        return Pointed()
    cursor = () if choosing.cursor is None else (choosing.cursor,)
    deck = choosing.deck
    return Pointed(deck.card_set(cursor), deck.card_set(choosing.marked))


def _done(replay: Replay, seat: Seat) -> Iterator[Text]:
    """What has happened in this deal since the person last decided, as they may know it."""
    since: list[Moment] = []
    for moment in reversed(replay.moments):
        since.append(moment)
        own = moment.decision is not None and moment.decision.seat == seat
        if own or moment.kind != "decision":
            break
    for moment in reversed(since):
        for line in fault_lines(moment, seat):
            yield Text(line, "red")
        yield Text(sentence(replay, moment, seat, sign))


def _asked(choosing: Choosing | None, hint: str, columns: int) -> list[Text]:
    """The question, why the last key did nothing, a hint, and the keys."""
    if choosing is None:
        return [Text("any key goes on at once", "dim")]
    lines = [Text(_question(choosing), "bold")]
    for told, style in ((choosing.told, "red"), (hint, "")):
        if told:
            lines += wrapped(Text(told, style), columns)[:LINES_TOLD]
    if choosing.leaving:
        suit = ", or c d h s is a queen" if choosing.typed else ", any other key stays"
        lines.append(Text(f"Leave the table? y leaves and forfeits the match{suit}", "bold red"))
    return [*lines, Text(_KEYS[type(choosing.question)], "dim")]


_KEYS: Final[dict[type[Question], str]] = {
    BlindNil: "y yes  n no  h hint  s score  ? keys  q leave",
    Bid: "0-13 or ↑ ↓  Enter bids  h hint  s score  ? keys  q leave",
    Exchange: "← → or type it (qs)  space marks  Enter passes  h hint  s score  ? keys  q leave",
    Play: "← → or type it (qs)  Enter plays  h hint  s score  ? keys  q leave",
}


def _question(choosing: Choosing) -> str:
    typed = f" {choosing.typed}_" if choosing.typed else ""
    match choosing.question:
        case BlindNil():
            return "You have not seen your cards. Do you bid blind nil? y or n"
        case Bid(legal=legal):
            return f"Your bid, {bid_words(legal[0])} to {legal[-1]}?{typed or ' _'}"
        case Exchange(count=count, to=to):
            chosen = " ".join(map(sign, choosing.marked)) or "none yet"
            return f"Pass {count} card{'s'[: count != 1]} to {to}: {chosen}{typed}"
        case Play(trick=trick):
            card = typed or (f" {sign(choosing.cursor)}" if choosing.cursor else "")
            led = f"{trick.leader} led {sign(trick.cards[0])}" if trick.cards else "you lead"
            return f"Your card ({led})?{card}"
