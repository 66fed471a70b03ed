#include "cards.h"

#include <vector>

Deck::Deck(bool jokers, bool nyc) {
    Card card = 0;
    for (int suit = CLUBS; suit < SUITS; suit++) {
        // The twos that leave: those of clubs and hearts, and the two that rise among the trumps.
        const bool has_two = !jokers || (suit == DIAMONDS && !nyc);
        std::vector<std::string> held;
        for (char rank : std::string(has_two ? "23456789TJQKA" : "3456789TJQKA"))
            held.push_back({rank, "CDHS"[suit]});
        if (jokers && suit == SPADES) {
            held.push_back("2S");
            if (nyc) held.push_back("2D");
            held.push_back("LJ");
            held.push_back("BJ");
        }
        const Card first = card;
        for (const std::string& name : held) {
            suits_[suit] |= bit(card);
            names_[card++] = name;
        }
        for (Card of_suit = first; of_suit < card; of_suit++) suit_of_[of_suit] = suits_[suit];
    }
}

const Deck& Deck::named(const std::string& name) {
    static const Deck standard(false, false), jokers(true, false), nyc(true, true);
    return name == "jokers" ? jokers : name == "jokers_nyc" ? nyc : standard;
}

Card Deck::number(const std::string& name) const {
    for (Card card = 0; card < 52; card++)
        if (names_[card] == name) return card;
    return NONE;
}
