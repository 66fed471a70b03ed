// Choosing: every option is tried in the same imagined deals, and the best on average is taken.

#pragma once

#include <string>

#include "budget.h"
#include "request.h"

struct Decision {
    int option = 0;    // a bid, a card, or 1 for a blind nil
    std::string note;  // what it was worth, and the runner-up
};

Decision choose_blind_nil(const Rules& rules, const Request& request, Budget& budget, std::uint64_t seed);
Decision choose_bid(const Rules& rules, const Request& request, Budget& budget, std::uint64_t seed);
Decision choose_card(const Rules& rules, const Request& request, Budget& budget, std::uint64_t seed);
