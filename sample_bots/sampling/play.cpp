// Which card to play: each that differs is tried in imagined deals.
//
// A deal is played on by the policy for all four seats, which don't look at each other's hands, and
// is worth what comes out. Near the end, where few cards are hidden, it is searched to the end with
// all cards open instead: what that overlooks, that nobody sees all cards, matters less then than
// that it never errs.

#include <algorithm>

#include "decision.h"
#include "policy.h"
#include "sampling.h"
#include "solver.h"
#include "table.h"
#include "worth.h"

namespace {

// What a search costs in steps, on average, by the tricks left. It takes over from the policy where
// so many deals can be searched with the whole budget.
constexpr std::array<long, 8> SEARCH_COSTS{0, 1, 10, 50, 400, 2'000, 10'000, 100'000};
constexpr long SEARCHED_DEALS = 10;

bool is_searched(const Question& question, int tricks_left) {
    return !question.rules.solo && tricks_left < static_cast<int>(SEARCH_COSTS.size()) &&
           SEARCH_COSTS[static_cast<std::size_t>(tricks_left)] * SEARCHED_DEALS <=
               question.budget.steps();
}

// The usual card, or rather that which stands for it, comes first: it is the one to fall back on.
std::vector<int> candidates(const Table& table, Cards legal) {
    const Cards cards = distinct_cards(table) & legal ? distinct_cards(table) & legal : legal;
    const Cards usual = cards & ~higher(usual_card(table));
    std::vector<int> found;
    if (usual) found.push_back(highest(usual));
    for (Card card : each(cards))
        if (found.empty() || card != found[0]) found.push_back(card);
    return found;
}

}  // namespace

Decision choose_card(const Question& question) {
    const auto& [rules, request, seed, budget] = question;
    const Table known = Table::of(request, rules);
    const Imagined imagined(rules, request, known);
    if (!(known.legal() & request.legal) || !imagined.is_possible()) {
        const bool none = !request.legal;
        return {none ? NONE : lowest(request.legal), "not a position that can be"};
    }
    const WorthOfTricks worth(rules, request, known.bids);
    Solver solver(rules, request.seat, worth, budget);
    Random random = Random(seed).mix(request.hand).mix(known.gone);
    const bool searched = is_searched(question, DEALT - known.finished);
    return race(
        candidates(known, request.legal), question.budget,
        [&] {
            Table table = known;
            table.hands = imagined.draw(random);
            question.budget.spend(DRAWING);
            return table;
        },
        [&](Table table, Card card) {
            table.play(card);
            if (searched) return solver.solve(table);
            play_out(table, question.budget);
            return worth.of(table.taken);
        });
}
