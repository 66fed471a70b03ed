// The hands that can't be seen, drawn so that they agree with all that can.
//
// What is certain is kept exactly: cards that are gone or have been passed to the partner, how many
// each seat holds, and the suits that it has shown out of. Every deal that agrees with that is
// drawn equally often. What is only likely, a hand's fit to the bid that was made on it, is put on
// top: several deals are drawn, and one of them taken, each as often as it is likely.

#pragma once

#include <array>
#include <memory>
#include <vector>

#include "random.h"
#include "table.h"

using Hands = std::array<Cards, 4>;

constexpr long DRAWING = 30;  // steps that it takes to draw a deal

// What is to be dealt: all that is certain.
struct Unseen {
    Cards cards = 0;
    std::array<int, 4> wanted{};  // of these cards by each seat
    Hands lacking{};              // the suits that a seat can't get
};

class Dealing {
   public:
    Dealing(const Deck& deck, const Unseen& unseen);
    bool is_possible() const;
    Hands draw(Random& random) const;  // of what is possible

   private:
    Hands draw_freely(Random& random) const;
    double splits(int suit, int first, int second, int x, int y) const;

    const Deck& deck_;
    Unseen unseen_;
    int wanted_by(Seat seat) const;
    std::array<Seat, 3> seats_{NONE, NONE, NONE};
    // ways_[s][a][b]: in how many ways the suits from s on can be dealt so that the first hidden
    // seat gets a cards of them and the second b. Filled only where a seat lacks a suit.
    using Ways = std::array<std::array<double, DEALT + 1>, DEALT + 1>;
    std::vector<Ways> ways_;
};

class Imagined {
   public:
    // The deals that a request leaves possible, in the auction or during play.
    Imagined(const Rules& rules, const Request& request, const Table& table);
    bool is_possible() const;  // false only if the request contradicts itself
    Hands draw(Random& random) const;

   private:
    double likelihood(const Hands& hands) const;

    const Rules& rules_;
    Hands known_{}, played_{};
    std::array<int, 4> bids_;  // NONE where it tells nothing
    bool is_consistent_;
    Dealing dealing_;
};

// Some of the cards, `wanted` of them, each choice as likely.
Cards some_of(Cards cards, int wanted, Random& random);
