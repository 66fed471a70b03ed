// What to bid: each bid that makes sense is tried in imagined deals, which are then played out.
//
// So a nil is bid for what it brings, with the hands that the partner may hold and by the score of
// the match, and a bid is as high as pays: for contract, bags and sets of both sides.

#include <algorithm>

#include "bidding.h"
#include "decision.h"
#include "policy.h"
#include "sampling.h"
#include "table.h"
#include "worth.h"

namespace {

constexpr int AROUND = 2;  // bids so far from what the hand is expected to take are tried

using Blind = std::array<bool, 4>;
using Made = std::array<int, 4>;

// Beside a blind nil cards are exchanged before the first lead.
void exchange(const Rules& rules, Hands& hands, const Made& bids, const Blind& blind, Seat first) {
    std::array<bool, 2> done{};
    for (int i = 0; i < 4; i++) {
        const Seat seat = (first + i) % 4, partner = opposite(seat);
        if (!blind[seat] || done[seat % 2]) continue;
        done[seat % 2] = true;
        for (const auto& [from, to] : {std::pair{seat, partner}, std::pair{partner, seat}}) {
            const Cards cards =
                passed(*rules.deck, hands[from], bids[from], rules.blind_nil_exchange);
            hands[from] &= ~cards;
            hands[to] |= cards;
        }
    }
}

// The worth of a deal when the seats that have not bid bid as usual, and all play as usual.
float rest_of_deal(const Question& question, const Worth& worth, Hands hands, Made bids,
                   Blind blind) {
    const Rules& rules = question.rules;
    const Seat first = next(question.request.dealer);
    for (int i = 0; i < 4; i++) {
        const Seat seat = (first + i) % 4;
        if (bids[seat] == NONE) bids[seat] = usual_bid(rules, hands[seat], seat, bids);
    }
    if (rules.blind_nil_exchange && !rules.solo) exchange(rules, hands, bids, blind, first);
    Table table(rules, first);
    table.hands = hands;
    std::copy(bids.begin(), bids.end(), table.bids.begin());
    play_out(table, question.budget);
    return static_cast<float>(worth.of(table.bids, blind, table.taken));
}

// The nearest to the usual bid first: it is the one to fall back on.
std::vector<int> candidates(const Question& question) {
    const auto& [rules, request, seed, budget] = question;
    const int usual = usual_bid(rules, request.hand, request.seat, request.bids);
    const int near = std::max(1, static_cast<int>(expected_tricks(*rules.deck, request.hand)));
    std::vector<int> found;
    for (int bid : each(request.legal))
        if (bid == 0 || std::abs(bid - near) <= AROUND) found.push_back(bid);
    if (found.empty()) found.push_back(lowest(request.legal));  // more than the hand is worth
    std::stable_sort(found.begin(), found.end(),
                     [&](int a, int b) { return std::abs(a - usual) < std::abs(b - usual); });
    return found;
}

}  // namespace

Decision choose_bid(const Question& question) {
    const auto& [rules, request, seed, budget] = question;
    const Imagined imagined(rules, request, Table(rules, next(request.dealer)));
    if (!request.legal) return {NONE, ""};
    if (!imagined.is_possible()) return {lowest(request.legal), "not a position that can be"};
    const Worth worth(rules, request);
    Random random = Random(seed).mix(request.hand).mix(static_cast<std::uint64_t>(request.deal));
    return race(
        candidates(question), question.budget,
        [&] {
            question.budget.spend(DRAWING);
            return imagined.draw(random);
        },
        [&](const Hands& hands, int bid) {
            Made bids = question.request.bids;
            bids[question.request.seat] = bid;
            return rest_of_deal(question, worth, hands, bids, question.request.blind);
        });
}

Decision choose_blind_nil(const Question& question) {
    const auto& [rules, request, seed, budget] = question;
    const Imagined imagined(rules, request, Table(rules, next(request.dealer)));
    if (!imagined.is_possible()) return {0, "not a position that can be"};
    const Worth worth(rules, request);
    Random random = Random(seed).mix(static_cast<std::uint64_t>(request.deal));
    return race(
        {0, 1}, question.budget,
        [&] {
            question.budget.spend(DRAWING);
            return imagined.draw(random);
        },
        [&](const Hands& hands, int accepted) {
            Made bids = question.request.bids;
            Blind blind = question.request.blind;
            if (accepted) {
                bids[question.request.seat] = 0;
                blind[question.request.seat] = true;
            }
            return rest_of_deal(question, worth, hands, bids, blind);
        });
}
