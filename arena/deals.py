r"""From a seed or secret to the cards: repeatable with nothing but SHA-256.

The algorithm, version 1. All texts are ASCII, lines are joined by a newline (no newline at the
end), numbers are decimal, SHA-256 results are written as 64 lower-case hex digits.

- *root* of a tournament: `seed 2026`, or `secret ` and the secret's 32 hex digits.
- *deal key* of an encounter: SHA-256 of the lines `spades-arena deals 1`, the root, the
  name of each side that meets (each once, sorted as plain strings), `cycle 0`. A side's name is its
  bot's; of two partners both names, sorted and joined by `+`. A later version of a bot is `name@2`.
- *block* k (0, 1, ...) of a label: SHA-256 of the lines deal key, label, k; as eight 32-bit
  big-endian words. A label's words are those of its blocks, in order.
- *draw(n)*: the next word w of the label with w < 2**32 - 2**32 mod n; the result is w mod n.
- the first dealer: draw(4) of the label `dealer`, counted clockwise from N. The deal then passes
  clockwise (R1.3).
- deal number d (1, 2, ...): the deck in the order of the wire, shuffled with the label `deal d`:
  for i from 51 down to 1, swap card i with card draw(i + 1). The cards go out one at a time,
  clockwise, beginning at the dealer's left (R1.4).

The deal key is one-way, so a table can be dealt without knowing the secret.

By hand, for seed 2026 and the bots a and b:

    key=$(printf 'spades-arena deals 1\nseed 2026\na\nb\ncycle 0' | sha256sum | cut -c 1-64)
    printf "$key\ndealer\n0" | sha256sum

prints 1ef147de..., which is 2 mod 4: S is the first dealer.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import count
from struct import Struct
from typing import Final

from arena.rules import sides
from protocol.cards import CLOCKWISE_FROM, NEXT_SEAT, SEATS, Deck, Seat
from protocol.rules import Players

VERSION: Final = 1

_BLOCK: Final = Struct(">8I")
"""Eight 32-bit big-endian words."""


def seed_root(seed: int) -> str:
    """The root of a tournament whose deals anybody may repeat."""
    return f"seed {seed}"


def secret_root(secret: str) -> str:
    """The root of a tournament with a secret, 32 hex digits."""
    return f"secret {secret}"


def commitment(root: str) -> str | None:
    """SHA-256 of a root's secret, to be published before the first match; None for a seed."""
    kind, _, value = root.partition(" ")
    return _digest(value) if kind == "secret" else None


def seed_of(root: str) -> int | None:
    """The seed of a root; None for a secret."""
    kind, _, value = root.partition(" ")
    return int(value) if kind == "seed" else None


def secret_of(root: str) -> str | None:
    """The secret of a root; None for a seed. Not to be shown before the last match."""
    kind, _, value = root.partition(" ")
    return value if kind == "secret" else None


def encounter(seats: Mapping[Seat, str], players: Players) -> list[str]:
    """The sides that meet, by name, each once, sorted: the deals depend on them, not on seats.

    `seats`: seat -> the name of its bot.
    """
    together = sides(players).values()
    return sorted({"+".join(sorted({seats[seat] for seat in side})) for side in together})


def deal_key(root: str, met: Iterable[str], cycle: int) -> str:
    """The key of all deals of an `encounter`; the same for all its legs."""
    return _digest("spades-arena deals 1", root, *sorted(set(met)), f"cycle {cycle}")


def bot_seed(root: str, met: Iterable[str], cycle: int, leg: int, seat: Seat) -> int:
    """The seed, below 2**53, that a bot is given for its own randomness; tells nothing of deals."""
    names = sorted(set(met))
    text = _digest(
        "spades-arena bot 1", root, *names, f"cycle {cycle}", f"leg {leg}", f"seat {seat}"
    )
    return int(text, 16) >> (256 - 53)


def first_dealer(key: str) -> Seat:
    """Who deals the first deal."""
    return SEATS[_draw(_words(key, "dealer"), 4)]


def deal_hands(key: str, number: int, dealer: Seat, deck: Deck) -> dict[Seat, list[str]]:
    """The hands of deal `number` (1, 2, ...), 13 cards each, sorted as on the wire."""
    words = _words(key, f"deal {number}")
    cards = list(deck.cards)
    for i in range(len(cards) - 1, 0, -1):
        j = _draw(words, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    order = CLOCKWISE_FROM[NEXT_SEAT[dealer]]
    return {
        seat: sorted(cards[order.index(seat) :: 4], key=deck.number.__getitem__) for seat in SEATS
    }


def _digest(*lines: str) -> str:
    return sha256("\n".join(lines).encode("ascii")).hexdigest()


def _words(key: str, label: str) -> Iterator[int]:
    for block in count():
        yield from _BLOCK.unpack(sha256(f"{key}\n{label}\n{block}".encode("ascii")).digest())


def _draw(words: Iterator[int], n: int) -> int:
    limit = 2**32 - 2**32 % n
    while (word := next(words)) >= limit:
        pass
    return word % n


def request_ids(seed: int) -> Iterator[int]:
    """The ids of the requests to a bot with this seed: from 1, they grow by 1 to 256 at random.

    So a line that was written before its request can't pass for the reply, and nobody has to look
    for such lines before each request.
    """
    number = 1
    for block in count():
        for step in sha256(b"ids %d %d" % (seed, block)).digest():
            yield number
            number += 1 + step
