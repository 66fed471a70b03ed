#include "solver.h"

#include <algorithm>
namespace {

constexpr std::size_t KEPT = 1 << 15;  // half a megabyte: more would not stay in the cache
constexpr long CARDS_A_STEP = 3;     // they are played faster here than they are chosen by a policy
constexpr long BETWEEN_LOOKS = 256;  // cards, at the clock

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    return hash ^ (hash >> 29);
}

}  // namespace

Cards distinct_cards(const Table& table) {
    const Cards legal = table.legal(), hand = table.hands[table.turn];
    Cards out = table.gone;
    for (int i = 0; i < table.on_table; i++) out &= ~bit(table.cards[i]);
    const Cards in_play = ALL & ~out;
    Cards found = 0;
    for (int suit = CLUBS; suit < SUITS; suit++) {
        const Cards of_suit = table.rules->deck->suit(suit), mine = legal & of_suit;
        if (!mine) continue;
        // A card is left out if the next lower one that is still in play is in the same hand.
        for (Card card : each(mine)) {
            const Cards below = of_suit & in_play & ~higher(card) & ~bit(card);
            if (!below || !(bit(highest(below)) & hand)) found |= bit(card);
        }
    }
    return found;
}

Solver::Solver(const Rules& rules, Seat me, const WorthOfTricks& worth, Budget& budget)
    : rules_(rules), mine_(rules.side(me)), worth_(worth), budget_(budget), found_(KEPT) {}

// All that the rest of a deal depends on, at the beginning of a trick.
std::uint64_t Solver::key(const Table& table) const {
    std::uint64_t hash = static_cast<std::uint64_t>(table.turn * 2 + table.broken + 1);
    for (Cards hand : table.hands) hash = mixed(hash, hand);
    for (int side = 0; side < 2; side++) {
        const std::uint64_t one = static_cast<std::uint64_t>(table.taken[side]);
        const std::uint64_t other = static_cast<std::uint64_t>(table.taken[side + 2]);
        // Who of a side has taken a trick matters only beside a nil.
        const bool together = table.bids[side] && table.bids[side + 2];
        hash = mixed(hash, together ? one + other : 1000 + one * 16 + other);
    }
    return hash;
}

float Solver::search(const Table& table, float alpha, float beta) {
    if (table.over()) return worth_.of(table.taken);
    if (table.on_table) return best_card(table, alpha, beta);
    const std::uint64_t name = key(table);
    Found& kept = found_[name % KEPT];
    if (kept.key == name) {
        if (kept.low >= beta || kept.low == kept.high) return kept.low;
        if (kept.high <= alpha) return kept.high;
        alpha = std::max(alpha, kept.low);
        beta = std::min(beta, kept.high);
    }
    const float value = best_card(table, alpha, beta);
    Found now = kept.key == name ? kept : Found{name, 0, 1};
    if (value > alpha) now.low = value;
    if (value < beta) now.high = value;
    kept = now;
    return value;
}

float Solver::best_card(const Table& table, float alpha, float beta) {
    const bool ours = rules_.side(table.turn) == mine_;
    float best = ours ? -1.0f : 2.0f;
    // False once no other card can matter.
    const auto goes_on_after = [&](Card card) {
        Table after = table;
        after.play(card);
        count_card();
        const float value = search(after, alpha, beta);
        best = ours ? std::max(best, value) : std::min(best, value);
        (ours ? alpha : beta) = ours ? std::max(alpha, value) : std::min(beta, value);
        return alpha < beta && !late_;
    };
    const Cards cards = distinct_cards(table);
    if (!table.led) {
        for (Cards left = cards; left; left &= ~bit(highest(left)))
            if (!goes_on_after(highest(left))) break;
        return best;
    }
    const Cards able = cards & (table.led | rules_.deck->spades()) & higher(table.best);
    for (Card card : each(able))
        if (!goes_on_after(card)) return best;
    for (Card card : each(cards & ~able))
        if (!goes_on_after(card)) break;
    return best;
}

void Solver::count_card() {
    if (++played_ % BETWEEN_LOOKS) return;
    budget_.spend(BETWEEN_LOOKS / CARDS_A_STEP);
    late_ = budget_.is_late();
}
