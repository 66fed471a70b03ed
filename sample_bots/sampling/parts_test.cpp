// Tests of the parts that can be compared with something simpler: `make test`.
//
// With the argument `score` it scores deals instead: a JSON object a line, with rules, bids, blind,
// taken and bags, to the points and the bags of the first side.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>

#include "bidding.h"
#include "policy.h"
#include "sampling.h"
#include "solver.h"

namespace {

constexpr int ENDINGS = 150;
constexpr int DRAWS = 60'000;

void check(bool holds, const char* what) {
    if (holds) return;
    std::printf("failed: %s\n", what);
    std::exit(1);
}

// Every card of everybody, to the end: what the solver must come to without trying them all.
float minimax(const Table& table, int mine, const WorthOfTricks& worth) {
    if (table.over()) return worth.of(table.taken);
    const bool ours = table.rules->side(table.turn) == mine;
    float best = ours ? 0.0f : 1.0f;
    for (Card card : each(table.legal())) {
        Table after = table;
        after.play(card);
        const float value = minimax(after, mine, worth);
        best = ours ? std::max(best, value) : std::min(best, value);
    }
    return best;
}

void solver_finds_what_minimax_finds() {
    Random random(1);
    for (int i = 0; i < ENDINGS; i++) {
        Rules rules;
        rules.deck = &Deck::named(i % 3 == 0 ? "standard" : i % 3 == 1 ? "jokers" : "jokers_nyc");
        rules.lead_any_time = random.below(4) == 0;
        rules.broken_nil_counts = random.below(4) == 0;
        rules.only_cuts_break = random.below(2) == 0;
        Request request;
        request.score = {random.below(500), random.below(500)};
        request.bags = {random.below(10), random.below(10)};
        Table table(rules, random.below(4));
        Cards left = ALL;
        for (Seat seat = 0; seat < 4; seat++) {
            table.hands[seat] = some_of(left, DEALT, random);
            left &= ~table.hands[seat];
            request.bids[seat] = std::max(0, random.below(6) - 1);
            table.bids[seat] = static_cast<std::int8_t>(request.bids[seat]);
        }
        // Down to three or four tricks, also in the middle of one.
        const int played = 52 - 12 - random.below(5);
        for (int card = 0; card < played; card++) table.play(usual_card(table));
        const WorthOfTricks worth(rules, request, table.bids);
        Budget budget(1'000'000'000, 1e9, 1e9);
        Solver solver(rules, 0, worth, budget);
        check(solver.solve(table) == minimax(table, 0, worth), "the solver against minimax");
    }
}

// Five cards of which the first seat lacks the clubs: the ways to deal them are counted by hand.
void every_deal_that_is_possible_is_as_likely() {
    const Deck& deck = Deck::named("standard");
    Unseen unseen;
    const Cards clubs = deck.suit(CLUBS) & 0b11, hearts = deck.suit(HEARTS);
    unseen.cards = clubs | bit(lowest(hearts)) | bit(lowest(hearts) + 1) | bit(highest(ALL));
    unseen.wanted = {2, 0, 2, 1};
    unseen.lacking[0] = deck.suit(CLUBS);
    const Dealing dealing(deck, unseen);
    Random random(1);
    std::map<Hands, int> found;
    for (int i = 0; i < DRAWS; i++) {
        const Hands hands = dealing.draw(random);
        check((hands[0] | hands[1] | hands[2] | hands[3]) == unseen.cards, "all cards are dealt");
        for (Seat seat = 0; seat < 4; seat++) {
            check(count(hands[seat]) == unseen.wanted[seat], "each seat has as many as it wants");
            check(!(hands[seat] & unseen.lacking[seat]), "and none that it can't have");
        }
        found[hands]++;
    }
    // Two of the three others for the first seat; of what is left any one for the last.
    check(found.size() == 9, "every deal that is possible is drawn");
    for (const auto& [hands, times] : found)
        check(std::abs(times - DRAWS / 9) < DRAWS / 90, "each about as often");
}

void score_lines() {
    std::string line;
    while (std::getline(std::cin, line)) {
        const Json deal = Json::read(line);
        const Rules rules = Rules::read(deal["rules"]);
        Bids bids{};
        Taken taken{};
        std::array<bool, 4> blind{};
        for (std::size_t seat = 0; seat < 4; seat++) {
            bids[seat] = static_cast<std::int8_t>(deal["bids"].items()[seat].integer());
            taken[seat] = static_cast<std::int8_t>(deal["taken"].items()[seat].integer());
            blind[seat] = deal["blind"].items()[seat].is_true();
        }
        const Standing before{0, static_cast<int>(deal["bags"].integer())};
        const Standing after = after_deal(rules, 0, before, bids, blind, taken);
        std::cout << after.score << ' ' << after.bags << '\n';
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1 && std::strcmp(arguments[1], "score") == 0) {
        score_lines();
        return 0;
    }
    solver_finds_what_minimax_finds();
    every_deal_that_is_possible_is_as_likely();
    std::puts("all tests passed");
}
