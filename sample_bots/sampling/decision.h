// The three decisions that are thought about. What to pass in an exchange is a rule: `bidding.h`.

#pragma once

#include "budget.h"
#include "race.h"
#include "request.h"

// What a decision starts from.
struct Question {
    const Rules& rules;
    const Request& request;
    std::uint64_t seed;
    Budget& budget;
};

Decision choose_blind_nil(const Question& question);  // 1 to bid it, 0 to decline
Decision choose_bid(const Question& question);
Decision choose_card(const Question& question);
