"""A whole match once more, from the lines of its record alone, by the naive rules.

It knows what is due, which choices there are, and what each deal scores; nothing of the engine's.
"""

from typing import Any

import msgspec

from protocol.rules import Rules
from tests.arena import naive_rules as naive

SEATS = ["N", "E", "S", "W"]
PARTNER = {"N": "S", "E": "W", "S": "N", "W": "E"}

DECISIONS = {"blind_nil": "blind_nil", "bid": "bid", "exchange": "cards", "play": "card"}
ENDING = ["start", "exit", "output", "resource"]

Line = dict[str, Any]


def clockwise(first: str) -> list[str]:
    """The four seats from `first` on."""
    return (SEATS * 2)[SEATS.index(first) :][:4]


class NaiveMatch:
    """A match in progress: `take` its lines after the first, one by one."""

    def __init__(self, first: Line) -> None:
        self.rules = msgspec.convert(first["rules"], Rules)
        self.policy: dict[str, Any] = first["faults"]
        self.sides = ["NS", "EW"] if self.rules.players == "partners" else list(SEATS)
        self.score = dict.fromkeys(self.sides, 0)
        self.bags = dict.fromkeys(self.sides, 0)
        self.dealer: str = first["dealer"]
        self.deals = 0
        self.faults: dict[str, dict[str, int]] = {}
        self.forfeited: str | None = None  # the side
        self.dealing = False
        self.greeted: dict[str, int] = {}  # the deal in which a seat was last started
        self.gone: dict[str, str] = {}  # the fault that ended its process
        self.substituting = False

    def due(self) -> tuple[str, str | None]:
        """The type of the line that is due, and the seat whose it is."""
        if self.forfeited:
            return "match_end", None
        if not self.dealing:
            over = self.deals and naive.outcome(self.rules, self.score, self.deals)
            return ("match_end" if over else "deal"), None
        if self.offender:
            return "deal_end", None
        if len(self.bids) < 4:
            seat = clockwise(clockwise(self.dealer)[1])[len(self.bids)]
            return ("blind_nil" if self.offered(seat) else "bid"), seat
        steps = naive.exchanges(self.rules, list(self.bids), self.blind)
        if len(self.passed) < len(steps):
            return "exchange", steps[len(self.passed)][0]
        if len(self.tricks) == 13 and len(self.tricks[-1]) == 4:
            return "deal_end", None
        return "play", self.turn()

    def asked(self) -> tuple[str, str] | None:
        """The request that is due, if one is, and the seat whose it is."""
        due, seat = self.due()
        if seat is None or self.substituting:
            return None
        again = seat in self.gone and self.greeted.get(seat, 0) <= self.deals
        return ("hello" if again else due), seat

    def lowest(self) -> Line:
        """What the arena decides for the seat that is due."""
        due, seat = self.due()
        chosen: Any = False
        if due == "bid":
            chosen = min(self.choices(), key=lambda bid: bid or 14)
        if due == "play":
            chosen = self.choices()[0]
        if due == "exchange":
            chosen = self.choices()[: self.rules.blind_nil_exchange]
        return {"type": due, "seat": seat, DECISIONS[due]: chosen, "substituted": True}

    def choices(self) -> list[Any]:
        """What may be bid, passed or played by the seat that is due."""
        due, seat = self.due()
        assert seat
        if due == "bid":
            return naive.legal_bids(self.rules, self.partner_bid(seat))
        if due == "play":
            table = [] if len(self.tricks[-1]) == 4 else self.tricks[-1]
            broken = naive.spades_broken(self.rules, self.tricks)
            return naive.legal_cards(self.rules, self.sorted_hand(seat), table, broken)
        return [True, False] if due == "blind_nil" else self.sorted_hand(seat)

    def take(self, line: Line) -> None:
        """One line. AssertionError where the naive rules say otherwise."""
        if line["type"] not in ("hello", "fault"):
            assert (line["type"], line.get("seat")) == self.due()
        if line["type"] in DECISIONS:
            if self.substituting:
                assert line == self.lowest()
            else:
                assert self.asked() == (line["type"], line["seat"])
                assert "substituted" not in line
            self.substituting = False
        getattr(self, f"take_{line['type']}")(line)

    def take_hello(self, line: Line) -> None:
        seat = line["seat"]
        if self.dealing:
            assert self.asked() == ("hello", seat)
        else:
            assert not self.deals
            assert seat not in self.greeted
        self.start(seat)
        self.gone.pop(seat, None)

    def start(self, seat: str) -> None:
        self.greeted[seat] = self.deals + 1 if self.dealing else 0

    def take_deal(self, line: Line) -> None:
        assert (line["deal"], line["dealer"]) == (self.deals + 1, self.dealer)
        cards = [card for hand in line["hands"].values() for card in hand]
        assert sorted(cards) == sorted(naive.all_cards(self.rules.deck))
        self.hands: dict[str, list[str]] = {s: list(cards) for s, cards in line["hands"].items()}
        assert [len(self.hands[seat]) for seat in SEATS] == [13] * 4
        self.bids: dict[str, int] = {}
        self.blind: list[str] = []
        self.seen: list[str] = []  # who has declined blind nil
        self.passed: list[str] = []
        self.leads = [clockwise(self.dealer)[1]]
        self.tricks: list[list[str]] = [[]]
        self.offender: str | None = None
        self.dealing = True

    def take_blind_nil(self, line: Line) -> None:
        if line["blind_nil"]:
            self.blind.append(line["seat"])
            self.bids[line["seat"]] = 0
        else:
            self.seen.append(line["seat"])

    def take_bid(self, line: Line) -> None:
        assert line["bid"] in self.choices()
        self.bids[line["seat"]] = line["bid"]

    def take_exchange(self, line: Line) -> None:
        giver, cards = line["seat"], line["cards"]
        assert len(cards) == self.rules.blind_nil_exchange
        for card in cards:
            self.hands[giver].remove(card)  # fails for one that is not there, or no more
            self.hands[PARTNER[giver]].append(card)
        self.passed.append(giver)

    def take_play(self, line: Line) -> None:
        assert line["card"] in self.choices()
        if len(self.tricks[-1]) == 4:
            self.leads.append(self.turn())
            self.tricks.append([])
        self.tricks[-1].append(line["card"])
        self.hands[line["seat"]].remove(line["card"])

    def take_deal_end(self, line: Line) -> None:
        taken = {seat: self.winners().count(seat) for seat in SEATS}
        assert line["deal"] == self.deals + 1
        assert line["taken"] == taken
        assert set(line["delta"]) == set(self.sides)
        for side in self.sides:
            seats = [seat for seat in SEATS if seat in side]
            if self.offender:
                results = [(self.bids[s], s in self.blind) for s in seats]
                delta = naive.score_stopped(self.rules, results, self.offender in side)
            else:
                played = [(self.bids[s], taken[s], s in self.blind) for s in seats]
                delta, self.bags[side], _ = naive.score_side(self.rules, played, self.bags[side])
            self.score[side] += delta
            assert line["delta"][side] == delta
        assert (line["score"], line["bags"]) == (self.score, self.bags)
        assert self.offender or not any(self.hands.values())
        self.deals += 1
        self.dealer = clockwise(self.dealer)[1]
        self.dealing = False

    def take_match_end(self, line: Line) -> None:
        if self.forfeited:
            others = [side for side in self.sides if side != self.forfeited]
            ended: Any = (others[0] if len(others) == 1 else None, "forfeit")
        else:
            ended = naive.outcome(self.rules, self.score, self.deals)
        assert (line["winner"], line["reason"]) == ended
        assert line["forfeited"] == self.forfeited
        assert (line["score"], line["deals"]) == (self.score, self.deals)
        assert line["faults"] == self.faults

    def take_fault(self, line: Line) -> None:
        """R9, of the seat whose turn it is."""
        due, seat, kind = self.due()[0], line["seat"], line["kind"]
        if due == "deal":
            assert not self.deals
            assert line["request"] == "hello"
            assert seat not in self.greeted
        else:
            assert self.asked() == (line["request"], seat)
        if line["request"] == "hello":
            self.start(seat)
        elif seat in self.gone:
            assert kind == self.gone[seat]
        self.gone.pop(seat, None)
        if kind in ENDING:
            self.gone[seat] = kind
        counts = self.faults.setdefault(seat, {})
        counts[kind] = counts.get(kind, 0) + 1
        if self.policy[kind] == "set" and due in ("exchange", "play"):
            assert line["ruling"] == "set"
            self.offender = seat
        elif self.policy[kind] == "substitute" and sum(counts.values()) < self.policy["limit"]:
            assert line["ruling"] == "substitute"
            self.substituting = self.dealing
        else:
            assert line["ruling"] == "forfeit"
            self.forfeited = next(side for side in self.sides if line["seat"] in side)

    def offered(self, seat: str) -> bool:
        side = next(side for side in self.sides if seat in side)
        offered = naive.offers_blind_nil(self.rules, self.score, side, self.partner_bid(seat))
        return offered and seat not in self.seen

    def partner_bid(self, seat: str) -> int | None:
        return self.bids.get(PARTNER[seat]) if self.rules.players == "partners" else None

    def sorted_hand(self, seat: str) -> list[str]:
        return sorted(self.hands[seat], key=naive.all_cards(self.rules.deck).index)

    def turn(self) -> str:
        """Who plays the next card."""
        cards = self.tricks[-1]
        return self.winners()[-1] if len(cards) == 4 else clockwise(self.leads[-1])[len(cards)]

    def winners(self) -> list[str]:
        """Who took each finished trick."""
        return [
            clockwise(leader)[naive.trick_winner(self.rules.deck, cards)]
            for leader, cards in zip(self.leads, self.tricks, strict=True)
            if len(cards) == 4
        ]
