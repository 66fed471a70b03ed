#include "decision.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "bidding.h"
#include "policy.h"
#include "sampling.h"
#include "table.h"
#include "worth.h"

namespace {

struct Option {
    int what;
    double sum = 0;  // of its worth, over all deals so far
};

// Successive halving: the better half of the options goes on to the next round, so that most of
// the work goes to those between which it is close. All that are left have been tried in the same
// deals. The first option is the one to fall back on: it is taken where there is no time at all.
template <typename Draw, typename Value>
Decision best_of(std::vector<Option> options, Budget& budget, Draw draw, Value value) {
    const int rounds = static_cast<int>(std::ceil(std::log2(options.size())));
    long deals = 0;
    std::size_t left = options.size();
    for (int round = 1; round <= rounds; round++) {
        while (!budget.used(static_cast<double>(round) / rounds)) {
            const auto deal = draw();
            for (std::size_t i = 0; i < left; i++) options[i].sum += value(deal, options[i].what);
            deals++;
        }
        std::stable_sort(options.begin(), options.begin() + static_cast<long>(left),
                         [](const Option& a, const Option& b) { return a.sum > b.sum; });
        if (round < rounds) left = std::max<std::size_t>(2, (left + 1) / 2);
    }
    Decision decision{options[0].what, ""};
    if (deals && left > 1) {
        char text[80];
        std::snprintf(text, sizeof text, "%.3f, next %.3f, in %ld deals%s",
                      options[0].sum / static_cast<double>(deals),
                      options[1].sum / static_cast<double>(deals), deals,
                      budget.late() ? ", cut short by the clock" : "");
        decision.note = text;
    }
    return decision;
}

void play_out(Table& table, Budget& budget) {
    budget.spend(4 * (DEALT - table.finished));
    while (!table.over()) table.play(usual_card(table));
}

// One of each run of cards that take the same tricks, as all cards between them are gone or in the
// same hand.
Cards distinct(const Deck& deck, Cards legal, Cards hand, Cards gone) {
    Cards found = 0;
    for (int suit = CLUBS; suit < SUITS; suit++) {
        bool run = false;
        for (Card card : each(deck.suit(suit) & ~gone)) {
            if (!(hand & bit(card))) run = false;
            else if (legal & bit(card)) {
                if (!run) found |= bit(card);
                run = true;
            }
        }
    }
    return found;
}

}  // namespace

Decision choose_card(const Rules& rules, const Request& request, Budget& budget, std::uint64_t seed) {
    const Table known = Table::of(request, rules);
    Cards table_cards = 0;
    for (Card card : request.tricks.back().cards) table_cards |= bit(card);
    const Cards candidates = distinct(*rules.deck, request.legal, request.hand, known.gone & ~table_cards);
    const Card usual = usual_card(known);
    std::vector<Option> options;
    // The usual card stands first, as the lowest of its run.
    for (Card card : each(candidates))
        options.push_back({card, 0});
    std::stable_sort(options.begin(), options.end(), [&](const Option& a, const Option& b) {
        const auto far = [&](int card) { return card > usual ? 99 : usual - card; };
        return far(a.what) < far(b.what);
    });
    Random random = Random(seed).mix(request.hand).mix(known.gone);
    const Imagined imagined(rules, request, known);
    const WorthOfTricks worth(rules, request, known.bids);
    return best_of(
        options, budget,
        [&] {
            Table table = known;
            table.hands = imagined.draw(random);
            return table;
        },
        [&](Table table, Card card) {
            table.play(card);
            play_out(table, budget);
            return worth.of(table.taken);
        });
}

namespace {

// The rest of a deal from the auction on, the seats that have not bid bidding as usual.
double rest_of_deal(const Rules& rules, const Request& request, const Worth& worth, Hands hands,
                    std::array<int, 4> bids, std::array<bool, 4> blind, Budget& budget) {
    const Seat first = next(request.dealer);
    for (int i = 0; i < 4; i++) {
        const Seat seat = (first + i) % 4;
        if (bids[seat] == NONE) bids[seat] = usual_bid(rules, hands[seat], seat, bids);
    }
    if (rules.blind_nil_exchange && !rules.solo)
        for (int i = 0; i < 4; i++) {
            const Seat seat = (first + i) % 4, other = opposite(seat);
            if (!blind[seat] || (blind[other] && i >= 2)) continue;
            const Cards there = passed(*rules.deck, hands[seat], 0, rules.blind_nil_exchange);
            hands[seat] &= ~there;
            hands[other] |= there;
            const Cards back = passed(*rules.deck, hands[other], bids[other], rules.blind_nil_exchange);
            hands[other] &= ~back;
            hands[seat] |= back;
        }
    Table table(rules, first);
    table.hands = hands;
    for (Seat seat = 0; seat < 4; seat++) table.bids[seat] = static_cast<std::int8_t>(bids[seat]);
    play_out(table, budget);
    return worth.of(table.bids, blind, table.taken);
}

}  // namespace

Decision choose_bid(const Rules& rules, const Request& request, Budget& budget, std::uint64_t seed) {
    const Table known(rules, next(request.dealer));
    const int usual = usual_bid(rules, request.hand, request.seat, request.bids);
    const int near = std::max(1, static_cast<int>(expected_tricks(*rules.deck, request.hand)));
    std::vector<Option> options;
    for (int bid : each(request.legal))
        if (bid == 0 || std::abs(bid - near) <= 2) options.push_back({bid, 0});
    if (options.empty()) return {lowest(request.legal), ""};
    std::stable_sort(options.begin(), options.end(), [&](const Option& a, const Option& b) {
        return std::abs(a.what - usual) < std::abs(b.what - usual);
    });
    Random random = Random(seed).mix(request.hand).mix(static_cast<std::uint64_t>(request.deal));
    const Imagined imagined(rules, request, known);
    const Worth worth(rules, request);
    return best_of(
        options, budget, [&] { return imagined.draw(random); },
        [&](const Hands& hands, int bid) {
            std::array<int, 4> bids = request.bids;
            bids[request.seat] = bid;
            return rest_of_deal(rules, request, worth, hands, bids, request.blind, budget);
        });
}

Decision choose_blind_nil(const Rules& rules, const Request& request, Budget& budget, std::uint64_t seed) {
    const Table known(rules, next(request.dealer));
    Random random = Random(seed).mix(static_cast<std::uint64_t>(request.deal));
    const Imagined imagined(rules, request, known);
    const Worth worth(rules, request);
    return best_of(
        {{0, 0}, {1, 0}}, budget, [&] { return imagined.draw(random); },
        [&](const Hands& hands, int accepts) {
            std::array<int, 4> bids = request.bids;
            std::array<bool, 4> blind = request.blind;
            if (accepts) bids[request.seat] = 0, blind[request.seat] = true;
            return rest_of_deal(rules, request, worth, hands, bids, blind, budget);
        });
}
