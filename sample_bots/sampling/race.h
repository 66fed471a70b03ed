// The best of several options, when each can only be tried in one imagined deal after another.
//
// All that are still in the race are tried in the same deals, so that luck is the same for all. Who
// is clearly behind drops out, and what is left of the budget goes to those between which it is
// close; where one is left the race is over, so that what is obvious costs next to nothing.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "budget.h"

struct Decision {
    int option;
    std::string note;  // what it was worth, and the runner-up
};

struct Runner {
    int option;
    std::vector<float> worth;  // in each deal
    double sum = 0;
};

constexpr long FIRST_LOOK = 16;  // deals before anybody drops out; the next is after twice as many
constexpr double BEHIND = 3;     // standard errors behind the leader, at which one does
constexpr double AHEAD = 1;      // so many ahead of the first option, where there are fewer deals

// Best first. Of equals the earlier stays before the later.
inline void rank(std::vector<Runner>& runners) {
    std::stable_sort(runners.begin(), runners.end(),
                     [](const Runner& a, const Runner& b) { return a.sum > b.sum; });
}

// Whether one is ahead of another by so many standard errors; also if they never differ.
inline bool is_ahead(const Runner& leader, const Runner& runner, double errors) {
    const double deals = static_cast<double>(runner.worth.size());
    double squares = 0;
    for (std::size_t i = 0; i < runner.worth.size(); i++) {
        const double behind = leader.worth[i] - runner.worth[i];
        squares += behind * behind;
    }
    const double mean = (leader.sum - runner.sum) / deals;
    const double variance = std::max(0.0, squares / deals - mean * mean);
    return mean >= errors * std::sqrt(variance / deals);
}

// Leaves out who is clearly behind; the leader comes to stand first.
inline void drop_hopeless(std::vector<Runner>& runners) {
    rank(runners);
    const Runner leader = runners[0];
    const auto hopeless = [&](const Runner& runner) { return is_ahead(leader, runner, BEHIND); };
    runners.erase(std::remove_if(runners.begin() + 1, runners.end(), hopeless), runners.end());
}

inline std::string in_words(const std::vector<Runner>& runners) {
    const double deals = static_cast<double>(runners[0].worth.size());
    if (deals == 0) return "no time to think";
    char text[80];
    int length =
        std::snprintf(text, sizeof text, "%.3f in %.0f deals", runners[0].sum / deals, deals);
    if (runners.size() > 1)
        std::snprintf(text + length, sizeof text - length, ", next %.3f", runners[1].sum / deals);
    return text;
}

// `draw()` imagines a deal, `value(deal, option)` is the worth of an option in it. The first option
// is the one to fall back on: where there is no time for a deal, or for so few that a lead over it
// may well be luck.
template <typename Draw, typename Value>
Decision race(const std::vector<int>& options, Budget& budget, Draw draw, Value value) {
    if (options.size() == 1) return {options[0], "the only choice"};
    std::vector<Runner> runners;
    for (int option : options) runners.push_back({option, {}});
    std::vector<float> found;
    long deals = 0;
    for (long look = FIRST_LOOK; runners.size() > 1 && !budget.used();) {
        const auto deal = draw();
        found.clear();
        for (const Runner& runner : runners) found.push_back(value(deal, runner.option));
        if (budget.is_late()) break;  // the last search may have been broken off
        for (std::size_t i = 0; i < runners.size(); i++) {
            runners[i].worth.push_back(found[i]);
            runners[i].sum += found[i];
        }
        if (++deals == look) {
            drop_hopeless(runners);
            look *= 2;
        }
    }
    const std::vector<Runner> unranked = runners;
    rank(runners);
    if (deals < FIRST_LOOK && !is_ahead(runners[0], unranked[0], AHEAD)) runners = unranked;
    return {runners[0].option, in_words(runners)};
}
