#include "worth.h"

#include <algorithm>
#include <cmath>

namespace {

// What a deal brings a side on average, and how far the lead of one over another strays: between
// bots that bid what they take. They set how soon a match ends and how safe a lead is.
constexpr double GAIN = 50, GAIN_SOLO = 25;
constexpr double SPREAD = 75, SPREAD_SOLO = 35;
constexpr double BAGS_A_DEAL = 1.2;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

int bags_when_set(const Rules& rules, int of_nils, int counted, int contract) {
    switch (rules.set_nil_bags) {
        case SetNilBags::COUNT:
            return of_nils;
        case SetNilBags::OVER_CONTRACT:
            return std::max(0, counted + of_nils - contract);
        case SetNilBags::NO:
            break;
    }
    return 0;
}

// The penalties that a side still has to expect: bags that come on top of those it has are about
// as likely to be few as many, so each penalty has a chance, not a date.
double expected_penalty(const Rules& rules, int bags, double deals_left) {
    if (!rules.bag_penalty || rules.bag_limit <= 0) return 0;
    const double in_the_end = bags + BAGS_A_DEAL * deals_left;
    const double spread = 0.5 + 0.7 * std::sqrt(deals_left);
    double times = 0;
    for (int i = 1; i <= 3; i++)
        times += logistic((in_the_end - i * rules.bag_limit + 0.5) / spread);
    return times * rules.bag_penalty;
}

}  // namespace

Standing after_deal(const Rules& rules, int side, Standing before, const Bids& bids,
                    const std::array<bool, 4>& blind, const Taken& taken) {
    int contract = 0, counted = 0, of_nils = 0, points = 0;
    for (Seat seat = side; seat < 4; seat += rules.sides()) {
        if (bids[seat] > 0) {
            contract += bids[seat];
            counted += taken[seat];
            continue;
        }
        const int nil = blind[seat] ? rules.blind_nil : rules.nil;
        points += taken[seat] ? -nil : nil;
        (rules.broken_nil_counts ? counted : of_nils) += taken[seat];
    }
    int bags;
    if (counted >= contract) {
        points += 10 * contract;
        bags = counted - contract + of_nils;
    } else {
        points -= 10 * contract;
        bags = bags_when_set(rules, of_nils, counted, contract);
    }
    points += bags * rules.bag_points;
    bags += before.bags;
    if (rules.bag_penalty && rules.bag_limit > 0 && bags >= rules.bag_limit) {
        points -= rules.bag_penalty * (rules.bags_carry ? bags / rules.bag_limit : 1);
        bags = rules.bags_carry ? bags % rules.bag_limit : 0;
    }
    return {before.score + points, bags};
}

Worth::Worth(const Rules& rules, const Request& request)
    : rules_(rules), mine_(rules.side(request.seat)), deal_(request.deal) {
    for (int side = 0; side < rules.sides(); side++)
        before_[side] = {request.score[side], request.bags[side]};
}

double Worth::of(const Bids& bids, const std::array<bool, 4>& blind, const Taken& taken) const {
    std::array<Standing, 4> standings;
    for (int side = 0; side < rules_.sides(); side++)
        standings[side] = after_deal(rules_, side, before_[side], bids, blind, taken);
    return chance(standings);
}

double Worth::chance(const std::array<Standing, 4>& standings) const {
    int best = -1'000'000, lowest = 1'000'000, rival = -1'000'000;
    for (int side = 0; side < rules_.sides(); side++) {
        best = std::max(best, standings[side].score);
        lowest = std::min(lowest, standings[side].score);
        if (side != mine_) rival = std::max(rival, standings[side].score);
    }
    const bool ended = best >= rules_.target || (rules_.floor && lowest <= *rules_.floor) ||
                       deal_ >= rules_.max_deals;
    if (ended && standings[mine_].score != rival) return standings[mine_].score > rival;

    const double gain = rules_.solo ? GAIN_SOLO : GAIN, spread = rules_.solo ? SPREAD_SOLO : SPREAD;
    const double to_go = std::max(0.7, (rules_.target - best) / gain);
    const double deals_left = std::min(to_go, std::max(0.7, double(rules_.max_deals - deal_)));
    const auto prospect = [&](int side) {
        return standings[side].score - expected_penalty(rules_, standings[side].bags, deals_left);
    };
    double others = -1e9;
    for (int side = 0; side < rules_.sides(); side++)
        if (side != mine_) others = std::max(others, prospect(side));
    return logistic((prospect(mine_) - others) / (0.6 * spread * std::sqrt(deals_left)));
}
