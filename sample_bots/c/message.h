/* What a bot is told: rules, cards, and the last message. Included by one file alone.
 *
 * Card number i, in the order of the wire, is the bit 1 << i of a set of cards. Spades stand last
 * and each suit runs from low to high, so of two cards that can win the higher number does. Seats
 * are 0 to 3, clockwise from N, and a set of seats has a bit for each.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE (-1)
#define BIT(number) ((Cards)1 << (number))
#define LOWEST(cards) __builtin_ctzll(cards)
#define HIGHEST(cards) (63 - __builtin_clzll(cards))
#define COUNT(cards) __builtin_popcountll(cards)
#define EACH(number, set)                                                                          \
    int number = first(set); number != NONE; number = first((set) & higher_than(number))

typedef uint64_t Cards;

static int first(Cards set)
{
    return set ? LOWEST(set) : NONE;
}

static Cards higher_than(int number)
{
    return ~(BIT(number) | (BIT(number) - 1));
}

enum { CLUBS, DIAMONDS, HEARTS, SPADES, SUITS };

struct trick {
    int leader, count, cards[4];
};

static struct { /* what hello says of them, as far as it matters here */
    bool solo, broken_nil_counts;
    int nil, bag_points, bag_limit, bag_penalty;
} rules;

static struct { /* the last message; a bid is NONE until it is made */
    char type[16], id[24]; /* no id: it wants no reply */
    int seat, bids[4], taken[4], finished, count; /* of cards to pass */
    Cards hand, legal; /* for a bid, `legal` has a bit for each number */
    struct trick trick, tricks[13];
} asked;

/* --- The deck --------------------------------------------------------------------------------- */

static char deck[52][3];
static Cards suits[SUITS];

static void set_deck(const char *name)
{
    bool jokers = strcmp(name, "standard") != 0, nyc = strcmp(name, "jokers_nyc") == 0;
    int number = 0;

    for (int suit = CLUBS; suit < SUITS; suit++) {
        const char *extra = !jokers || suit != SPADES ? "" : nyc ? "2S2DLJBJ" : "2SLJBJ";
        bool no_two = jokers && (suit != DIAMONDS || nyc);

        suits[suit] = 0;
        for (const char *rank = "23456789TJQKA" + no_two; *rank; rank++) {
            suits[suit] |= BIT(number);
            snprintf(deck[number++], 3, "%c%c", *rank, "CDHS"[suit]);
        }
        for (; *extra; extra += 2) {
            suits[suit] |= BIT(number);
            snprintf(deck[number++], 3, "%.2s", extra);
        }
    }
}

static Cards suit_of(int card)
{
    int suit = CLUBS;

    while (!(suits[suit] & BIT(card)))
        suit++;
    return suits[suit];
}

/* --- Reading ---------------------------------------------------------------------------------- */

#define BLANK " \t\r\n:,"

static int seat_named(const char *text)
{
    const char *found = *text ? strchr("NESW", *text) : NULL;

    return found ? (int)(found - "NESW") : NONE;
}

static void add_card(struct trick *trick, int card)
{
    if (card != NONE && trick->count < 4)
        trick->cards[trick->count++] = card;
}

/* Takes in one text or number. Its path is the keys that lead to it, each after a dot. */
static void store(const char *path, const char *text)
{
    struct trick *last = &asked.tricks[asked.finished ? asked.finished - 1 : 0];
    int number = atoi(text), card = NONE, seat;
#define IS(name) (strcmp(path, name) == 0)
#define IS_OF_SEAT(name) (strncmp(path, name, strlen(name)) == 0 &&                                \
                          (seat = seat_named(path + strlen(name))) != NONE)

    for (int i = 0; i < 52; i++)
        if (strcmp(deck[i], text) == 0)
            card = i;
    if (IS(".type"))
        snprintf(asked.type, sizeof asked.type, "%.15s", text);
    else if (IS(".id"))
        snprintf(asked.id, sizeof asked.id, "%.20s", text);
    else if (IS(".seat"))
        asked.seat = seat_named(text);
    else if (IS(".count"))
        asked.count = number;
    else if (IS(".hand") && card != NONE)
        asked.hand |= BIT(card);
    else if (IS(".legal"))
        asked.legal |= card != NONE ? BIT(card) : number >= 0 && number <= 13 ? BIT(number) : 0;
    else if (IS_OF_SEAT(".bids."))
        asked.bids[seat] = number;
    else if (IS_OF_SEAT(".taken."))
        asked.taken[seat] = number;
    else if (IS(".trick.leader"))
        asked.trick.leader = seat_named(text);
    else if (IS(".trick.cards"))
        add_card(&asked.trick, card);
    else if (IS(".tricks.leader"))
        last->leader = seat_named(text);
    else if (IS(".tricks.cards"))
        add_card(last, card);
    else if (IS(".rules.deck"))
        set_deck(text);
    else if (IS(".rules.players"))
        rules.solo = strcmp(text, "solo") == 0;
    else if (IS(".rules.failed_nil_tricks"))
        rules.broken_nil_counts = strcmp(text, "contract") == 0;
    else if (IS(".rules.nil"))
        rules.nil = number;
    else if (IS(".rules.bag_points"))
        rules.bag_points = number;
    else if (IS(".rules.bag_limit"))
        rules.bag_limit = number;
    else if (IS(".rules.bag_penalty"))
        rules.bag_penalty = number;
}

/* Reads a text or number, cut to fit; returns what stands after it. */
static const char *read_text(const char *at, char *text, size_t size)
{
    bool quoted = *at == '"';
    size_t used = 0;

    for (at += quoted; *at && (quoted ? *at != '"' : !strchr(BLANK "]}", *at)); at++) {
        if (*at == '\\' && at[1])
            at++;
        if (used + 1 < size)
            text[used++] = *at;
    }
    text[used] = '\0';
    return at + (quoted && *at);
}

/* Reads one value, and stores all that is in it; returns what stands after it. */
static const char *read_value(const char *at, const char *path)
{
    char open = *at, text[64] = "", inner[128];

    if (open != '{' && open != '[') {
        at = read_text(at, text, sizeof text);
        store(path, text);
        return at;
    }
    if (open == '{' && strcmp(path, ".tricks") == 0 && asked.finished < 13)
        asked.finished++;
    at++;
    while (*(at += strspn(at, BLANK)) && *at != '}' && *at != ']') {
        if (open == '{')
            at = read_text(at, text, sizeof text);
        snprintf(inner, sizeof inner, "%s%s%s", path, open == '{' ? "." : "", text);
        at = read_value(at + strspn(at, BLANK), inner);
    }
    return at + (*at != '\0');
}

static void read_message(const char *line)
{
    memset(&asked, 0, sizeof asked);
    for (int seat = 0; seat < 4; seat++)
        asked.bids[seat] = NONE;
    read_value(line, "");
}
