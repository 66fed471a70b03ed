#include "bidding.h"

#include <algorithm>
#include <cmath>

// The tables are those of ../counting/bidding.py, which says where the numbers come from.

namespace {

constexpr double HONOURS[3][7] = {
    {0, .98, .98, .98, .95, .9, .8},  // ace, by the number of cards in the suit
    {0, .15, .72, .7, .63, .5, .28},  // king
    {0, 0, 0, .25, .25, .25, .25},    // queen
};
constexpr double HIGH_SPADES[4][5] = {
    {0, .79, .79, .79, .79},
    {0, .38, .87, .87, .87},
    {0, .07, .5, .71, .71},
    {0, .03, .25, .43, .52},
};
constexpr double SPADE_LENGTH[] = {-.2, .22, .46, .8, 1.42, 2.1, 2.9, 3.75, 4.7, 5.7};
constexpr double RUFFS[] = {.9, .38, .05, 0};

// Bids scatter so far around what a hand is worth, and lie a little below it.
constexpr double SCATTER = 0.95, BELOW = 0.35;
constexpr double NIL_EDGE = 10;  // points that a nil must promise over a plain bid

}  // namespace

double expected_tricks(const Deck& deck, Cards hand) {
    const int trumps = count(hand & deck.spades());
    double tricks = SPADE_LENGTH[std::min(trumps, 9)];
    for (int i = 0; i < 4; i++)
        if (hand & bit(highest(deck.spades()) - i)) tricks += HIGH_SPADES[i][std::min(trumps, 4)];
    for (int suit = CLUBS; suit < SPADES; suit++) {
        const int length = count(hand & deck.suit(suit));
        for (int i = 0; i < 3; i++)
            if (hand & bit(highest(deck.suit(suit)) - i)) tricks += HONOURS[i][std::min(length, 6)];
        if (trumps) tricks += RUFFS[std::min(length, 3)];
    }
    return tricks;
}

double nil_chance(const Deck& deck, Cards hand) {
    const Cards spades = hand & deck.spades();
    double chance = .92 - .045 * count(spades) - (count(spades) > 3 ? .13 : 0);
    if (spades) {
        const int danger = 4 - count(deck.spades() & higher(highest(spades)));
        if (danger > 0) chance -= .05 * danger * danger;
    }
    for (int suit = CLUBS; suit < SPADES; suit++) {
        int held = 0;  // only the lowest cards of a suit are likely to be played on its lead
        for (Card card : each(hand & deck.suit(suit))) {
            const int danger = 7 - held - count(deck.suit(suit) & higher(card));
            if (danger > 0) chance -= .0123 * danger * danger;
            if (++held == 3) break;
        }
    }
    return std::max(0.0, chance);
}

int usual_bid(const Rules& rules, Cards hand, Seat seat, const std::array<int, 4>& bids) {
    double tricks = expected_tricks(*rules.deck, hand);
    const int made = static_cast<int>(
        std::count_if(bids.begin(), bids.end(), [](int bid) { return bid != NONE; }));
    if (made == 3) {  // the last bidder knows how much is left
        int total = 1;
        for (int bid : bids) total += bid;
        tricks -= (total - 8) / 8.0;
    }
    const int wanted = std::max(1, static_cast<int>(tricks));
    const bool covered = !rules.solo && bids[opposite(seat)] != 0;
    if (rules.nil && covered &&
        rules.nil * (2 * nil_chance(*rules.deck, hand) - 1) > 10 * wanted + NIL_EDGE)
        return 0;
    return wanted;
}

double fits_bid(const Deck& deck, Cards hand, int bid) {
    if (bid == 0) {
        const double chance = nil_chance(deck, hand);
        return std::max(0.01, chance * chance * chance);
    }
    const double off = (expected_tricks(deck, hand) - BELOW - bid) / SCATTER;
    return std::exp(-off * off / 2) + 0.001;
}

Cards passed(const Deck& deck, Cards hand, int bid, int cards) {
    const auto danger = [&](Card card) {
        const Cards suit = deck.suit_of(card);
        return count(suit & ~higher(card)) + (suit == deck.spades() ? DEALT : 0);
    };
    Cards found = 0;
    while (count(found) < std::min(cards, count(hand))) {
        Card most = NONE;
        for (Card card : each(hand & ~found)) {
            const bool better = most == NONE || (bid == 0 ? danger(card) > danger(most)
                                                          : danger(card) < danger(most));
            if (better) most = card;
        }
        found |= bit(most);
    }
    return found;
}
