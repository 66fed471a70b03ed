// Cards as bits: card number i, in the order of the wire, is the bit 1 << i of a set of cards.
//
// Spades stand last and each suit runs from low to high, so of two cards that can win a trick the
// one with the higher number does, whatever the deck. A set is one machine word: following suit is
// an `&`, counting a popcount, and a deal is copied faster than a move could be taken back.

#pragma once

#include <array>
#include <cstdint>
#include <string>

using Cards = std::uint64_t;
using Card = int;  // 0 to 51
using Seat = int;  // 0 to 3, clockwise from N

constexpr int NONE = -1;
constexpr Cards ALL = (Cards{1} << 52) - 1;
constexpr int DEALT = 13;  // cards a seat, tricks a deal

constexpr Cards bit(Card card) { return Cards{1} << card; }
constexpr Cards higher(Card card) { return ~(bit(card) | (bit(card) - 1)); }
constexpr Seat next(Seat seat) { return (seat + 1) % 4; }
constexpr Seat opposite(Seat seat) { return (seat + 2) % 4; }
inline int count(Cards cards) { return __builtin_popcountll(cards); }
inline Card lowest(Cards cards) { return __builtin_ctzll(cards); }        // of a set with a card
inline Card highest(Cards cards) { return 63 - __builtin_clzll(cards); }  // the same

// `for (Card card : each(cards))`, from the lowest.
struct each {
    struct iterator {
        Cards rest;
        Card operator*() const { return lowest(rest); }
        void operator++() { rest &= rest - 1; }
        bool operator!=(const iterator& other) const { return rest != other.rest; }
    };
    explicit each(Cards cards) : cards(cards) {}
    iterator begin() const { return {cards}; }
    iterator end() const { return {0}; }
    Cards cards;
};

enum Suit { CLUBS, DIAMONDS, HEARTS, SPADES, SUITS };

class Deck {
   public:
    // "standard", "jokers" or "jokers_nyc"; any other name is taken for the first.
    static const Deck& named(const std::string& name);

    Card number(const std::string& name) const;  // NONE where the deck has no such card
    const std::string& name(Card card) const { return names_[card]; }
    Cards suit(int suit) const { return suits_[suit]; }
    Cards suit_of(Card card) const { return suit_of_[card]; }
    Cards spades() const { return suits_[SPADES]; }

   private:
    Deck(bool jokers, bool nyc);

    std::array<std::string, 52> names_;
    std::array<Cards, SUITS> suits_{};
    std::array<Cards, 52> suit_of_{};
};
