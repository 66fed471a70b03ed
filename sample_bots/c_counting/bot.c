/* Counts its tricks before it bids, and the cards that are gone before it plays one.
 *
 * The thoughts are those of ../counting, a little simpler. It keeps nothing between requests but
 * the rules, declines blind nil, and lets its lowest cards go in an exchange.
 */

#define _GNU_SOURCE
#include "message.h"

/* --- Bidding: ../counting/bidding.py says where the numbers come from ------------------------- */

static int at_most(int number, int limit)
{
    return number < limit ? number : limit;
}

static double expected_tricks(void)
{
    static const double honours[3][7] = {
        {0, .98, .98, .98, .95, .9, .8},  /* ace, by the number of cards in the suit */
        {0, .15, .72, .7, .63, .5, .28},  /* king */
        {0, 0, 0, .25, .25, .25, .25}};
    static const double high_spades[4][5] = {
        {0, .79, .79, .79, .79},
        {0, .38, .87, .87, .87},
        {0, .07, .5, .71, .71},
        {0, .03, .25, .43, .52}};
    static const double spades[] = {-.2, .22, .46, .8, 1.42, 2.1, 2.9, 3.75, 4.7, 5.7};
    static const double ruffs[] = {.9, .38, .05, 0};
    int trumps = COUNT(asked.hand & suits[SPADES]);
    double tricks = spades[at_most(trumps, 9)];

    for (int i = 0; i < 4; i++)
        if (asked.hand & BIT(HIGHEST(suits[SPADES]) - i))
            tricks += high_spades[i][at_most(trumps, 4)];
    for (int suit = CLUBS; suit < SPADES; suit++) {
        int length = COUNT(asked.hand & suits[suit]);

        for (int i = 0; i < 3; i++)
            if (asked.hand & BIT(HIGHEST(suits[suit]) - i))
                tricks += honours[i][at_most(length, 6)];
        if (trumps)
            tricks += ruffs[at_most(length, 3)];
    }
    return tricks;
}

static double nil_chance(void)
{
    Cards spades = asked.hand & suits[SPADES];
    double chance = .92 - .045 * COUNT(spades) - (COUNT(spades) > 3 ? .13 : 0);
    int danger = spades ? 4 - COUNT(suits[SPADES] & higher_than(HIGHEST(spades))) : 0;

    if (danger > 0)
        chance -= .05 * danger * danger;
    for (int suit = CLUBS; suit < SPADES; suit++) {
        int lower = 0;

        for (EACH(card, asked.hand & suits[suit])) {
            danger = 7 - lower - COUNT(suits[suit] & higher_than(card));
            if (danger > 0 && lower++ < 3)
                chance -= .0123 * danger * danger;
        }
    }
    return chance;
}

static int choose_bid(void)
{
    int total = 0, made = 0, nearest = NONE, wanted;
    double tricks = expected_tricks();
    bool covered = rules.solo || asked.bids[(asked.seat + 2) % 4] != 0;

    for (int seat = 0; seat < 4; seat++)
        if (asked.bids[seat] != NONE)
            total += asked.bids[seat], made++;
    if (made == 3) /* the last bidder knows how much is left */
        tricks -= (total - 8) / 8.0;
    wanted = tricks < 1 ? 1 : (int)tricks;
    if (asked.legal & BIT(0) && covered && rules.nil * (2 * nil_chance() - 1) > 10 * wanted + 10)
        return 0;
    for (EACH(bid, asked.legal & ~BIT(0)))
        if (nearest == NONE || abs(bid - wanted) < abs(nearest - wanted))
            nearest = bid;
    return nearest == NONE ? 0 : nearest;
}

/* --- What can be counted from a request to play ----------------------------------------------- */

static Cards unseen;       /* what the other seats hold */
static Cards led;          /* all cards of the suit led, none before the lead */
static Cards lacking[4];   /* the suits that a seat is known to have no card of */
static int best, winner;   /* the card that is winning, and its seat; NONE before the lead */
static int partner;        /* NONE in solo play */
static int foes, later;    /* sets of seats: the other sides', and those still to play */
static int nils;           /* the set of those whose nil still stands */
static int left, need, foes_need; /* tricks: to be played, and missing in the contracts */

static int still_needed(int seats)
{
    int tricks = 0;

    for (EACH(seat, (Cards)seats)) {
        tricks += asked.bids[seat];
        if (asked.bids[seat] || rules.broken_nil_counts)
            tricks -= asked.taken[seat];
    }
    return tricks;
}

static void count_cards(const struct trick *trick)
{
    for (int i = 0; i < trick->count; i++) {
        unseen &= ~BIT(trick->cards[i]);
        if (!(BIT(trick->cards[i]) & suit_of(trick->cards[0])))
            lacking[(trick->leader + i) % 4] |= suit_of(trick->cards[0]);
    }
}

static void count(void)
{
    const struct trick *trick = &asked.trick;

    memset(lacking, 0, sizeof lacking);
    unseen = (BIT(52) - 1) & ~asked.hand;
    for (int i = 0; i < asked.finished; i++)
        count_cards(&asked.tricks[i]);
    count_cards(trick);
    led = trick->count ? suit_of(trick->cards[0]) : 0;
    best = winner = NONE;
    for (int i = 0; i < trick->count; i++)
        if (trick->cards[i] > best && BIT(trick->cards[i]) & (led | suits[SPADES])) {
            best = trick->cards[i];
            winner = (trick->leader + i) % 4;
        }
    later = nils = 0;
    for (int i = trick->count + 1; i < 4; i++)
        later |= 1 << (trick->leader + i) % 4;
    for (int seat = 0; seat < 4; seat++)
        if (asked.bids[seat] == 0 && asked.taken[seat] == 0)
            nils |= 1 << seat;
    partner = rules.solo ? NONE : (asked.seat + 2) % 4;
    foes = 15 & ~(1 << asked.seat) & ~(rules.solo ? 0 : 1 << partner);
    left = 13 - asked.finished;
    need = still_needed(15 & ~foes);
    foes_need = still_needed(foes);
}

static int above(int card)
{
    return COUNT(suit_of(card) & unseen & higher_than(card));
}

/* About how likely none of some seats, yet to play, can beat a card that is winning. */
static double chance(int card, int seats)
{
    Cards suit = suit_of(card), follow = led ? led : suit, higher;
    double likely = 1;

    for (EACH(seat, (Cards)(seats & later))) {
        bool follows = !(lacking[seat] & follow) && follow & unseen;
        double share = follows && suit == follow ? 1 / 3.0 : 0;

        for (higher = suit & unseen & higher_than(card); higher; higher &= higher - 1)
            likely *= 1 - share;
        if (!follows && unseen & suits[SPADES] & higher_than(card) & ~lacking[seat])
            likely *= .3; /* it has spades, and plays one */
    }
    return likely;
}

/* How little a card will be missed: it takes no later trick, and leaves no suit unguarded. */
static double spare(int card)
{
    int length = COUNT(asked.hand & suit_of(card));
    double later_trick = above(card) < length ? 8.0 / (1 + above(card)) : 0;

    return -later_trick - length / 10.0 - (suit_of(card) == suits[SPADES] ? 10 : 0);
}

static double danger(int card)
{
    return -above(card) - COUNT(asked.hand & suit_of(card)) / 16.0 + card / 1024.0;
}

static double holds(int card)
{
    return chance(card, foes);
}

static double loses(int card)
{
    return -chance(card, 15);
}

/* The card of a set that something is highest for. */
static int most(Cards cards, double (*value)(int card))
{
    int found = first(cards);

    for (EACH(card, cards))
        if (value(card) > value(found))
            found = card;
    return found;
}

static Cards winners(void)
{
    return led ? asked.legal & (led | suits[SPADES]) & higher_than(best) : asked.legal;
}

static int take(void)
{
    Cards can = winners(), side = asked.legal & ~suits[SPADES];
    int likeliest = can ? most(can, holds) : NONE;
    bool partners = best != NONE && winner == partner;

    if (!led && side && holds(most(side, holds)) >= .75)
        return most(side, holds);
    if (!led && !(asked.legal & suits[SPADES] && !above(HIGHEST(asked.legal))))
        return most(asked.legal, spare);
    if (!can || (partners && chance(best, foes) > holds(likeliest) - .1))
        return most(asked.legal, spare);
    if (asked.trick.count == 1 && holds(likeliest) < .6)
        return most(asked.legal, spare); /* the partner is still to play */
    for (EACH(card, can)) /* as cheaply as it goes */
        if (holds(card) >= holds(likeliest) - .03)
            return card;
    return likeliest;
}

static int lose(void)
{
    Cards losers = led ? asked.legal & ~winners() : 0;

    if (!led)
        return most(asked.legal, loses);
    if (losers)
        return most(losers, danger);
    return later ? first(asked.legal) : HIGHEST(asked.legal);
}

static int choose_card(void)
{
    bool bags_cost = rules.bag_points * rules.bag_limit < rules.bag_penalty;

    count();
    if (nils & 1 << asked.seat)
        return lose();
    if (partner != NONE && nils & 1 << partner && winner == partner && winners())
        return first(winners()); /* cover its nil */
    if (need > 0 || !bags_cost || (foes_need > 0 && left - foes_need <= 2))
        return take();
    return lose();
}

/* --- The wire --------------------------------------------------------------------------------- */

int main(void)
{
    char *line = NULL;
    size_t size = 0;

    set_deck("standard");
    while (getline(&line, &size, stdin) > 0) {
        read_message(line);
        if (!*asked.id)
            continue;
        printf("{\"id\":%s", asked.id);
        if (strcmp(asked.type, "bid") == 0)
            printf(",\"bid\":%d", choose_bid());
        if (strcmp(asked.type, "play") == 0)
            printf(",\"card\":\"%s\"", deck[choose_card()]);
        printf("}\n");
        fflush(stdout);
    }
    free(line);
    return 0;
}
