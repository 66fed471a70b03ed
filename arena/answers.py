"""Answers questions about the rules: a line of JSON in, a line of JSON out.

Whatever is wrong with a question is said in its answer; nothing is raised for a line.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw

from arena.questions import (
    KINDS,
    TRICKS,
    AnyAnswer,
    AnyQuestion,
    Bidding,
    BiddingAnswer,
    Id,
    Legality,
    LegalityAnswer,
    MatchEnd,
    MatchEndAnswer,
    Refusal,
    Scoring,
    ScoringAnswer,
    TrickWinner,
    TrickWinnerAnswer,
)
from arena.rules import (
    RulesError,
    SeatResult,
    legal_bids,
    legal_cards,
    offers_blind_nil,
    outcome,
    resolve,
    score_side,
    sides,
    trick_winner,
)
from protocol.cards import DECKS, SEATS, Deck
from protocol.codec import printable, quote
from protocol.malformed import MalformedReply, refuse_duplicates
from protocol.messages import LINE_LIMIT, Side
from protocol.rules import Rules

ERROR_LIMIT: Final = 500
"""Characters of a refusal."""


class BadQuestion(ValueError):
    """A question that has no answer; the text is a sentence for whoever asked."""


_decode: Final = msgspec.json.Decoder(AnyQuestion).decode
_decode_rules: Final = msgspec.json.Decoder(str | dict[str, Any]).decode
_encode: Final = msgspec.json.Encoder().encode

_TOO_DEEP: Final = "nested too deeply: a question is an object with a few fields"
Explain = Callable[[dict[str, Any]], str | None]
"""Of a question as it was written, what of it has not the shape of one; None: nothing."""

_RULES_KEPT: Final = 1000
_resolved: Final[dict[bytes, Rules]] = {}
"""Rules as written -> resolved; bulk questions have few of them."""


def reply(line: bytes, explain: Explain = lambda _: None) -> bytes:
    """The answer to the question in `line`, or a refusal; both without a line's end.

    `explain` finds better words for a mistake than those of the reader of JSON.
    """
    try:
        line.decode()
        question = _decode(line)
        if line.count(b":") != _keys(msgspec.json.decode(line)):  # more in strings, or a key twice
            refuse_duplicates(line)
    except (ValueError, RecursionError) as error:
        return _encode(_diagnose(line, error, explain))
    try:
        return _encode(answer(question))
    except (BadQuestion, RulesError, RecursionError) as error:
        return _encode(_diagnose(line, error, explain))


def _keys(value: Any) -> int:
    """How many keys there are, all in all."""
    count = 0
    if type(value) is dict:
        count, value = len(value), value.values()
    for each in value:
        if type(each) is dict or type(each) is list:
            count += _keys(each)
    return count


def refuse_long_line() -> bytes:
    """The refusal of a line over LINE_LIMIT, whatever stands in it."""
    return _encode(Refusal(None, f"the line is over {LINE_LIMIT >> 10} KiB: ask shorter questions"))


def answer(question: AnyQuestion) -> AnyAnswer:
    """Raises BadQuestion or RulesError where there is no answer."""
    rules = _rules(question.rules)
    match question:
        case Legality():
            return LegalityAnswer(question.id, _legal(rules, question))
        case TrickWinner(cards=cards):
            if len(cards) != len(SEATS):
                raise BadQuestion(f"a trick has four cards, and `cards` has {len(cards)}")
            _card_set(DECKS[rules.deck], cards, "`cards`")
            return TrickWinnerAnswer(question.id, trick_winner(DECKS[rules.deck], tuple(cards)))
        case Scoring():
            return _score(rules, question)
        case MatchEnd():
            return _end(rules, question)
        case Bidding():
            return _bid(rules, question)


def _rules(written: Raw) -> Rules:
    raw = bytes(written)
    if raw not in _resolved:
        try:
            rules = resolve(_decode_rules(raw))
        except msgspec.DecodeError as error:
            raise RulesError(
                f"`rules`: {error}: a preset's name, or a mapping of options"
            ) from None
        if len(_resolved) >= _RULES_KEPT:
            _resolved.clear()
        _resolved[raw] = rules
    return _resolved[raw]


def _legal(rules: Rules, question: Legality) -> list[str]:
    deck, hand, trick = DECKS[rules.deck], question.hand, question.trick
    if not 1 <= len(hand) <= TRICKS:
        raise BadQuestion(
            f"a hand to play from has 1 to {TRICKS} cards, and `hand` has {len(hand)}"
        )
    if len(trick) >= len(SEATS):
        raise BadQuestion(f"on the table are up to 3 cards, and `trick` has {len(trick)}")
    held = _card_set(deck, [*hand, *trick], "`hand` and `trick`") & ~deck.card_set(trick)
    led = deck.suit_of[trick[0]] if trick else 0
    return sorted(deck.names(legal_cards(rules, deck, held, led, question.broken)))


def _card_set(deck: Deck, cards: list[str], what: str) -> int:
    try:
        found = deck.card_set(cards)
    except KeyError as error:
        unknown = quote(str(error.args[0]).encode())
        raise BadQuestion(
            f"{what}: this deck has no card {unknown}; a card is rank then suit, as in 'TD' (R1.1)"
        ) from None
    if found.bit_count() != len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise BadQuestion(f"{what}: {twice} stands there twice")
    return found


def _score(rules: Rules, question: Scoring) -> ScoringAnswer:
    bids, tricks, blind = question.bids, question.tricks, question.blind
    for name, of_seats in (("bids", bids), ("tricks", tricks)):
        if len(of_seats) != len(SEATS):
            raise BadQuestion(f"`{name}` must name the seats N, E, S and W")
    if sum(tricks.values()) != TRICKS:
        raise BadQuestion(
            f"a deal has {TRICKS} tricks, and `tricks` come to {sum(tricks.values())}"
        )
    if len(set(blind)) != len(blind):
        raise BadQuestion("a seat stands twice in `blind`")
    if blind and not rules.blind_nil:
        raise BadQuestion("there is no blind nil in these rules (R3.1), and `blind` names seats")
    if any(bids[seat] for seat in blind):
        raise BadQuestion("a seat in `blind` has bid nil, so its bid is 0 (R3.1)")
    _by_side(rules, question.before.score, "before.score")
    bags = _by_side(rules, question.before.bags, "before.bags")
    delta: dict[Side, int] = {}
    after: dict[Side, int] = {}
    for side, seats in sides(rules.players).items():
        results = [SeatResult(bids[seat], tricks[seat], seat in blind) for seat in seats]
        score = score_side(rules, results, bags[side])
        delta[side], after[side] = score.delta, score.bags
    return ScoringAnswer(question.id, delta, after)


def _end(rules: Rules, question: MatchEnd) -> MatchEndAnswer:
    before = _by_side(rules, question.before, "before")
    delta = _by_side(rules, question.delta, "delta")
    score = {side: before[side] + delta[side] for side in sides(rules.players)}
    ended = outcome(rules, score, deals=0)
    return MatchEndAnswer(question.id, ended is not None, ended.winner if ended else None)


def _bid(rules: Rules, question: Bidding) -> BiddingAnswer:
    if rules.players == "solo" and question.partner_bid is not None:
        raise BadQuestion("in solo play nobody has a partner: `partner_bid` is null (R8.1)")
    score = _by_side(rules, question.score, "score")
    side = question.side
    if side is None and question.score is not None:
        raise BadQuestion("beside `score` the bidder's `side` is needed")
    if side is not None and side not in score:
        raise BadQuestion(f"`side` is one of {', '.join(score)} in these rules")
    offered = offers_blind_nil(rules, score, side or next(iter(score)), question.partner_bid)
    return BiddingAnswer(question.id, legal_bids(rules, question.partner_bid), offered)


def _by_side(rules: Rules, given: Mapping[Side, int] | None, what: str) -> Mapping[Side, int]:
    known = sides(rules.players)
    if given is None:
        return dict.fromkeys(known, 0)
    if given.keys() != known.keys():
        raise BadQuestion(f"`{what}` must name the sides of these rules, {', '.join(known)}")
    return given


def _refusal(asked: Id, sentence: str) -> Refusal:
    return Refusal(asked, printable(sentence)[:ERROR_LIMIT])


def _diagnose(line: bytes, error: Exception, explain: Explain) -> Refusal:
    """What is wrong with a line that has no answer, with its id where it has one."""
    try:
        line.decode()
        found = msgspec.json.decode(line)
    except RecursionError:
        return _refusal(None, _TOO_DEEP)
    except ValueError as unreadable:
        return _refusal(None, f"not JSON in UTF-8 ({unreadable}): {quote(line)}")
    if not isinstance(found, dict):
        return _refusal(None, f"not a JSON object: {quote(line)}")
    asked = found.get("id")
    if asked is not None and type(asked) not in (str, int):
        return _refusal(None, "`id` is text or a whole number")
    if isinstance(error, RecursionError):
        return _refusal(asked, _TOO_DEEP)
    if isinstance(error, BadQuestion):
        return _refusal(asked, str(error))
    try:
        refuse_duplicates(line)
    except MalformedReply as twice:
        return _refusal(asked, str(twice))
    if words := explain(found):
        return _refusal(asked, words)
    kind = found.get("kind")
    if kind not in KINDS:
        shown = f" {quote(kind.encode())} is unknown" if isinstance(kind, str) else " is missing"
        return _refusal(asked, f"`kind`{shown}: it is one of {', '.join(KINDS)}")
    return _refusal(asked, str(error))
