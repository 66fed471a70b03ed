"""Which card to play: keep and cover nils, break theirs, make the contract, then mind the bags."""

from collections.abc import Iterator

from table import Table, each, highest, lowest

SURE = 0.75
"""A card with this chance counts as a winner."""
SECOND_HAND = 0.6
"""The least chance for which the second hand plays high: its partner is still to play."""
SETTABLE = 2
"""Tricks over what the other side needs, up to which it is worth trying to set it."""
SPARE_TRICKS = 3
"""Tricks that this side must be able to lose before it goes for a nil of the others'."""
LATER_TRICKS = (1.0, 0.6, 0.25, 0.1)
"""What a card may still take, by the number of unseen cards above it in its suit."""


def choose_card(table: Table) -> int:
    """The card to play, as a card set."""
    if table.legal == lowest(table.legal):
        return table.legal
    if table.me in table.nils:
        return keep_nil(table)
    card = 0
    if table.partner in table.nils:
        card = cover_nil(table)
    elif table.left - table.need >= SPARE_TRICKS:
        card = break_nil(table)
    if card:
        return card
    return take(table) if wants_tricks(table) else duck(table)


def wants_tricks(table: Table) -> bool:
    """Whether another trick is worth having."""
    rules = table.rules
    if table.need > 0 or rules.bag_points * rules.bag_limit >= rules.bag_penalty:
        return True
    return table.foes_need > 0 and table.left - table.foes_need <= SETTABLE


def take(table: Table) -> int:
    """Wins the trick as cheaply as it can, or else loses what is missed least."""
    if not table.led:
        return lead_winner(table)
    winners = table.winners()
    if not winners:
        return throw_away(table)
    foes = [seat for seat in table.later if seat in table.foes]
    chances = [table.chance(card, foes) for card in winners]
    most = max(chances)
    if table.winner == table.partner:
        so_far = table.chance(table.best, foes)
        if so_far >= SURE or most <= so_far + 0.1:
            return throw_away(table)
    if len(table.later) == 2 and most < SECOND_HAND:
        return throw_away(table)
    return next(c for c, chance in zip(winners, chances, strict=True) if chance >= most - 0.03)


def lead_winner(table: Table) -> int:
    """A card that is likely to take the trick, side suits first; or else a low one."""
    spades = table.deck.spades
    for card in sorted(each(table.legal & ~spades), key=table.above):
        if table.chance(card, table.foes) >= SURE:
            return card
    mine, theirs = table.legal & spades, table.unseen & spades
    draws_enough = mine.bit_count() * 2 >= theirs.bit_count()
    if mine and theirs and draws_enough and not table.above(highest(mine)):
        return highest(mine)
    return throw_away(table)


def throw_away(table: Table) -> int:
    """The card that is missed least: side suits before spades, and short ones first."""

    def cost(suit: int) -> tuple[bool, float, int]:
        lost = worth(table, suit) - worth(table, suit ^ lowest(suit))
        return bool(suit & table.deck.spades), lost, suit.bit_count()

    return lowest(min(by_suit(table, table.legal), key=cost))


def by_suit(table: Table, cards: int) -> Iterator[int]:
    """The cards of each suit that they hold."""
    while cards:
        held = cards & table.suit(lowest(cards))
        yield held
        cards ^= held


def worth(table: Table, held: int) -> float:
    """About how many tricks the cards of one suit may still take.

    A card counts only if it has a lower one beside it for each higher one that is out: they guard
    it.
    """
    tricks = 0.0
    for card in each(held):
        above = table.above(card)
        if above < held.bit_count():
            tricks += LATER_TRICKS[min(above, 3)]
    return tricks


def duck(table: Table) -> int:
    """Loses the trick, and with it the card that is most likely to take a later one."""
    if not table.led:
        return lead_loser(table)
    foes = [seat for seat in table.later if seat in table.foes]
    if table.winner == table.partner and table.chance(table.best, foes) >= SURE:
        return most_dangerous(table, table.legal)  # the trick is this side's anyway
    losers = table.losers()
    if losers:
        return most_dangerous(table, losers)
    if table.chance(lowest(table.legal), table.later) > 0.9:
        return highest(table.legal)
    return lowest(table.legal)


def keep_nil(table: Table) -> int:
    """Takes no trick, and gets rid of what might take one."""
    if not table.led:
        return lead_loser(table)
    losers = table.losers()
    if losers:
        return most_dangerous(table, losers)
    return lowest(table.legal) if table.later else highest(table.legal)


def lead_loser(table: Table) -> int:
    """The card that is least likely to take the trick."""
    return min(each(table.legal), key=lambda card: table.chance(card, table.later))


def most_dangerous(table: Table, cards: int) -> int:
    """The card most likely to take a later trick; of equals that of the shortest suit."""

    def safety(card: int) -> tuple[int, int, int]:
        return table.above(card), (table.hand & table.suit(card)).bit_count(), -card

    return min(each(cards), key=safety)


def cover_nil(table: Table) -> int:
    """A card that keeps the partner from taking the trick; 0 where it needs none."""
    partner = table.partner
    assert partner is not None
    if table.winner == partner:
        winners = table.winners()
        return winners[0] if winners else 0
    if partner not in table.later:
        return 0
    if not table.led:
        return max(each(table.legal), key=lambda card: table.chance(card, [partner]))
    if table.chance(table.best, [partner]) >= SURE:
        return 0
    winners = table.winners()
    return winners[-1] if winners else 0


def break_nil(table: Table) -> int:
    """A card that may leave the trick to a nil of the others'; 0 where this trick is no chance."""
    nils = [foe for foe in table.foes if foe in table.nils]
    losers = table.losers()
    if table.winner in nils:
        return most_dangerous(table, losers) if losers else 0
    later = [seat for seat in nils if seat in table.later]
    if later and not table.led:
        return min(each(table.legal), key=lambda card: table.chance(card, later))
    return lowest(losers) if later and losers else 0
