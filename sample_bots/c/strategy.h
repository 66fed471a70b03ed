/* What the bot decides, from `asked` (message.h) alone. This is the file to change.
 *
 * README.md says the strategy in words. Cards are sets of bits: `asked.hand & suits[SPADES]` are
 * the spades in hand, and a card is the number of its bit. Numbers grow in the order of the wire.
 */

enum { BEFORE_THE_LEAD = NONE };

/* How many of other cards beat this one in its own suit. */
static int above_in(int card, Cards others)
{
    return COUNT(others & suit_of(card) & higher_than(card));
}

/* The first of some cards that a function is highest for. */
static int most(Cards cards, int (*value)(int card))
{
    int found = first(cards);

    for (EACH(card, cards))
        if (value(card) > value(found))
            found = card;
    return found;
}

static int partner(void)
{
    return rules.solo ? NONE : (asked.seat + 2) % 4;
}

/* --- Bidding: hundredths of a trick ----------------------------------------------------------- */

#define ALL_CARDS (BIT(52) - 1)

static int expected_tricks(void)
{
    enum { ANY_HAND = 80, /* what small cards take */
           LONG_SPADE = 85 }; /* each spade from the fourth on */
    /* An ace, a king and a queen, by how many cards are above them: unguarded, and guarded. */
    static const int honours[3][2] = {{95, 95}, {20, 70}, {10, 35}};
    static const int ruffs[3] = {110, 60, 20}; /* no card, one and two in a side suit */
    int tricks = ANY_HAND;

    for (int suit = CLUBS; suit < SUITS; suit++) {
        Cards held = asked.hand & suits[suit];
        int length = COUNT(held);

        for (EACH(card, held)) {
            int higher = above_in(card, ALL_CARDS);

            if (higher < 3)
                tricks += honours[higher][length > higher];
        }
        if (suit == SPADES && length > 3)
            tricks += LONG_SPADE * (length - 3);
        if (suit != SPADES && length < 3 && asked.hand & suits[SPADES])
            tricks += ruffs[length];
    }
    return tricks;
}

/* Whether each suit is low enough to lose all its tricks; at most three spades. */
static bool is_nil(void)
{
    /* So many unseen cards must be above the lowest cards of each suit. */
    static const int nil_above[3] = {6, 3, 1};

    for (int suit = CLUBS; suit < SUITS; suit++) {
        int place = 0;

        for (EACH(card, asked.hand & suits[suit])) {
            if (place < 3 && above_in(card, ALL_CARDS & ~asked.hand) < nil_above[place])
                return false;
            place++;
        }
        if (suit == SPADES && place > 3)
            return false;
    }
    return true;
}

/* The legal bid nearest to the tricks expected; nil where that is safe. */
static int choose_bid(void)
{
    bool covered = rules.solo || asked.bids[partner()] != 0;
    int wanted = expected_tricks() / 100, nearest = NONE;

    if (asked.legal & BIT(0) && covered && is_nil())
        return 0;
    if (wanted < 1)
        wanted = 1;
    for (EACH(bid, asked.legal & ~BIT(0))) /* of two as near the lower one */
        if (nearest == NONE || abs(bid - wanted) < abs(nearest - wanted))
            nearest = bid;
    return nearest == NONE ? 0 : nearest; /* nil only where nothing else is legal */
}

/* --- Passing cards ---------------------------------------------------------------------------- */

/* A card's height in its suit, spades over all others. */
static int strength(int card)
{
    Cards suit = suit_of(card);

    return card - LOWEST(suit) + (suit == suits[SPADES] ? 16 : 0);
}

static int weakness(int card)
{
    return -strength(card);
}

/* Its strongest cards if it has bid nil itself, its weakest otherwise. Returns how many. */
static int choose_passed(int passed[13])
{
    Cards hand = asked.hand;
    int count = 0;

    while (hand && count < asked.count) {
        passed[count] = most(hand, asked.bids[asked.seat] == 0 ? strength : weakness);
        hand &= ~BIT(passed[count++]);
    }
    return count;
}

/* --- Playing: what can be counted ------------------------------------------------------------- */

static Cards unseen;         /* what the other seats hold */
static Cards can_win;        /* the suit led and the spades; all cards before the lead */
static int best;             /* the card that is winning, or BEFORE_THE_LEAD */
static bool partner_wins;    /* so far */
static int later;            /* how many seats play to this trick after this one */
static int need, others_need; /* tricks that the contracts still need */

static int missing(int seat)
{
    return asked.bids[seat] > 0 ? asked.bids[seat] - asked.taken[seat] : 0;
}

static bool is_nil_standing(int seat)
{
    return seat != NONE && asked.bids[seat] == 0 && asked.taken[seat] == 0;
}

static void count(void)
{
    const struct trick *trick = &asked.trick;

    unseen = ALL_CARDS & ~asked.hand;
    for (int i = 0; i < asked.finished; i++)
        for (int j = 0; j < asked.tricks[i].count; j++)
            unseen &= ~BIT(asked.tricks[i].cards[j]);
    for (int i = 0; i < trick->count; i++)
        unseen &= ~BIT(trick->cards[i]);

    can_win = trick->count ? suit_of(trick->cards[0]) | suits[SPADES] : ALL_CARDS;
    best = BEFORE_THE_LEAD;
    for (int i = 0; i < trick->count; i++)
        if (trick->cards[i] > best && can_win & BIT(trick->cards[i]))
            best = trick->cards[i];
    partner_wins = partner() != NONE && trick->count > 1 && trick->cards[trick->count - 2] == best;
    later = 3 - trick->count;

    need = others_need = 0;
    for (int seat = 0; seat < 4; seat++)
        *(seat == asked.seat || seat == partner() ? &need : &others_need) += missing(seat);
}

static int above(int card)
{
    return above_in(card, unseen);
}

static int below(int card)
{
    return -above(card);
}

/* The legal cards that beat those on the table; all of them before the lead. */
static Cards winners(void)
{
    return best == BEFORE_THE_LEAD ? asked.legal : asked.legal & can_win & higher_than(best);
}

/* --- Playing ---------------------------------------------------------------------------------- */

/* The lowest card, of a side suit if there is one. */
static int throw_away(void)
{
    return most(asked.legal, weakness);
}

/* Keeps the partner's nil from taking the trick. */
static int cover(void)
{
    if (!winners())
        return throw_away();
    return partner_wins ? first(winners()) : most(winners(), below);
}

/* Takes the trick as cheaply as it can, or lets go what is missed least. */
static int take(void)
{
    Cards sure = 0;

    for (EACH(card, winners()))
        if (above(card) == 0)
            sure |= BIT(card);
    if (best == BEFORE_THE_LEAD)
        return sure ? first(sure) : throw_away(); /* side suits come before the spades */
    if (!winners() || (partner_wins && (later == 0 || above(best) == 0)))
        return throw_away();
    if (later == 0 || suit_of(first(winners())) != suit_of(asked.trick.cards[0]))
        return first(winners()); /* the last card, or a ruff */
    if (sure)
        return first(sure);
    return later == 2 ? throw_away() : HIGHEST(winners());
}

/* Loses the trick, and with it the card most likely to take another. */
static int duck(void)
{
    Cards losers = asked.legal & ~winners();

    if (best == BEFORE_THE_LEAD)
        return most(asked.legal, above);
    if (losers)
        return most(losers, below);
    return later ? first(asked.legal) : HIGHEST(asked.legal);
}

/* Keeps its nil, covers its partner's, makes the contract, breaks theirs; then avoids bags. */
static int choose_card(void)
{
    int left = 13 - asked.finished; /* this trick included */

    count();
    if (is_nil_standing(asked.seat))
        return duck();
    if (is_nil_standing(partner()) && (partner_wins || later > 1))
        return cover();
    if (need > 0 || (others_need > 0 && others_need >= left - 1))
        return take();
    return duck();
}
