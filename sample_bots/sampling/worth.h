// What the end of a deal is worth: the chance to win the match from there.
//
// Points are no aim in themselves. A bag is worth less near the end of a match than at its start,
// a set of the other side may be worth any price, and who is about to lose must dare: all of that
// comes out of one number, so that nobody who chooses a card has to think of it.

#pragma once

#include <array>
#include <vector>

#include "request.h"

using Bids = std::array<std::int8_t, 4>;
using Taken = std::array<std::int8_t, 4>;  // tricks of each seat

struct Standing {
    int score = 0, bags = 0;
};

// A side's standing after a deal; the rules of scoring, all of them.
Standing after_deal(const Rules& rules, int side, Standing before, const Bids& bids,
                    const std::array<bool, 4>& blind, const Taken& taken);

class Worth {
   public:
    // For the seat that the request was sent to.
    Worth(const Rules& rules, const Request& request);

    // From 0, the match is lost, to 1.
    double of(const Bids& bids, const std::array<bool, 4>& blind, const Taken& taken) const;

   private:
    double chance(const std::array<Standing, 4>& standings) const;

    const Rules& rules_;
    int mine_, deal_;
    std::array<Standing, 4> before_;
};

// The same for a deal whose bids are made: each result is computed once.
class WorthOfTricks {
   public:
    WorthOfTricks(const Rules& rules, const Request& request, const Bids& bids)
        : worth_(rules, request), bids_(bids), blind_(request.blind), known_(14 * 14 * 14, -1.0f) {}

    float of(const Taken& taken) const {
        float& known = known_[static_cast<std::size_t>((taken[0] * 14 + taken[1]) * 14 + taken[2])];
        if (known < 0) known = static_cast<float>(worth_.of(bids_, blind_, taken));
        return known;
    }

   private:
    Worth worth_;
    Bids bids_;
    std::array<bool, 4> blind_;
    mutable std::vector<float> known_;
};
