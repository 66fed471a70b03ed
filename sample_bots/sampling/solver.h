// The end of a deal with all cards open: what it is worth when both sides play as well as can be.
//
// Alpha-beta, on the worth of the whole deal and not on tricks: nils, sets and bags of both sides
// are in it, and more tricks are not always better. Three things make it fast: of cards that take
// the same tricks one is tried; cards that win, and that win cheaply, are tried first; and what was
// found at the beginning of a trick is kept, as other ways to play often lead to the same cards.

#pragma once

#include <cstdint>
#include <vector>

#include "budget.h"
#include "table.h"
#include "worth.h"

// One of each run of cards of the seat on turn that take the same tricks, as all cards between
// them are gone or in the same hand.
Cards distinct_cards(const Table& table);

class Solver {
   public:
    Solver(const Rules& rules, Seat me, const WorthOfTricks& worth, Budget& budget);

    // The worth to `me`; anything once the budget is late. Between two sides alone: with four of
    // them nobody knows what the others would rather have.
    float solve(const Table& table) { return search(table, 0, 1); }

   private:
    struct Found {
        std::uint64_t key = 0;
        float low = 0, high = 1;
    };

    float search(const Table& table, float alpha, float beta);
    float best_card(const Table& table, float alpha, float beta);
    void count_card();
    std::uint64_t key(const Table& table) const;

    const Rules& rules_;
    const int mine_;
    const WorthOfTricks& worth_;
    Budget& budget_;
    std::vector<Found> found_;
    long played_ = 0;  // cards
    bool late_ = false;
};
