#include "sampling.h"

#include <algorithm>

#include "bidding.h"

namespace {

constexpr int DRAWN = 8;  // deals of which the likeliest is likely to be taken

double choose(int n, int k) {
    static const auto table = [] {
        std::array<std::array<double, 17>, 17> ways{};
        for (std::size_t i = 0; i < ways.size(); i++)
            for (std::size_t j = 0; j <= i; j++)
                ways[i][j] = j == 0 || j == i ? 1 : ways[i - 1][j - 1] + ways[i - 1][j];
        return ways;
    }();
    return table[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

Hands played_by(const Request& request) {
    Hands played{};
    for (const Trick& trick : request.tricks) {
        Seat seat = trick.leader;
        for (Card card : trick.cards) {
            played[seat] |= bit(card);
            seat = next(seat);
        }
    }
    return played;
}

// Cards that the partner was passed in an exchange and has not played.
Cards with_partner(const Request& request, const Table& table) {
    return request.gave & ~table.gone;
}

// Whether each card is in one place alone, and the hand has as many as it must.
bool agrees(const Rules& rules, const Request& request, const Table& table) {
    const Cards passed = rules.solo ? 0 : with_partner(request, table);
    return count(table.gone) == 4 * table.finished + table.on_table &&
           !(request.hand & (table.gone | passed)) &&
           (!request.hand || count(request.hand) == DEALT - table.finished);
}

Unseen unseen_of(const Rules& rules, const Request& request, const Table& table) {
    Unseen unseen;
    const Cards passed = rules.solo ? 0 : with_partner(request, table);
    unseen.cards = ALL & ~table.gone & ~request.hand & ~passed;
    for (Seat seat = 0; seat < 4; seat++) {
        if (seat == request.seat && request.hand) continue;
        const bool has_played = (seat - table.turn + 4) % 4 + table.on_table >= 4;
        unseen.wanted[seat] = DEALT - table.finished - has_played;
        if (seat == rules.partner(request.seat)) unseen.wanted[seat] -= count(passed);
        unseen.lacking[seat] = table.lacking[seat];
    }
    return unseen;
}

}  // namespace

Cards some_of(Cards cards, int wanted, Random& random) {
    Cards found = 0;
    int left = count(cards);
    for (Card card : each(cards)) {
        if (random.below(left--) >= wanted) continue;
        found |= bit(card);
        if (--wanted == 0) break;
    }
    return found;
}

Dealing::Dealing(const Deck& deck, const Unseen& unseen) : deck_(deck), unseen_(unseen) {
    int hidden = 0;
    Cards lacking = 0;
    for (Seat seat = 0; seat < 4; seat++) {
        lacking |= unseen.lacking[seat];
        if (unseen.wanted[seat] > 0 && hidden < 3)
            seats_[static_cast<std::size_t>(hidden++)] = seat;
    }
    if (!(lacking & unseen.cards)) return;
    ways_.assign(SUITS + 1, Ways{});
    ways_[SUITS][0][0] = 1;
    for (int suit = SPADES; suit >= CLUBS; suit--)
        for (int a = 0; a <= DEALT; a++)
            for (int b = 0; b <= DEALT; b++)
                for (int x = 0; x <= a; x++)
                    for (int y = 0; y <= b; y++) ways_[suit][a][b] += splits(suit, a, b, x, y);
}

// In how many ways, when the first and second seat still want a and b cards, they get x and y of
// this suit, and the third seat the rest of it.
double Dealing::splits(int suit, int a, int b, int x, int y) const {
    const Cards cards = unseen_.cards & deck_.suit(suit);
    const int n = count(cards), z = n - x - y;
    if (z < 0) return 0;
    const std::array<int, 3> parts{x, y, z};
    for (std::size_t i = 0; i < parts.size(); i++)
        if (parts[i] && (seats_[i] == NONE || unseen_.lacking[seats_[i]] & cards)) return 0;
    const double rest = ways_[suit + 1][a - x][b - y];
    return rest ? rest * choose(n, x) * choose(n - x, y) : 0;
}

bool Dealing::is_possible() const {
    int wanted = 0;
    for (int cards : unseen_.wanted) {
        if (cards < 0 || cards > DEALT) return false;
        wanted += cards;
    }
    if (wanted != count(unseen_.cards)) return false;
    return ways_.empty() || ways_[CLUBS][wanted_by(seats_[0])][wanted_by(seats_[1])] > 0;
}

int Dealing::wanted_by(Seat seat) const { return seat == NONE ? 0 : unseen_.wanted[seat]; }

Hands Dealing::draw_freely(Random& random) const {
    Hands hands{};
    Cards cards = unseen_.cards;
    for (Seat seat = 0; seat < 4; seat++) {
        if (unseen_.wanted[seat] <= 0) continue;
        hands[seat] = some_of(cards, unseen_.wanted[seat], random);
        cards &= ~hands[seat];
    }
    return hands;
}

Hands Dealing::draw(Random& random) const {
    if (ways_.empty()) return draw_freely(random);
    Hands hands{};
    int a = wanted_by(seats_[0]), b = wanted_by(seats_[1]);
    for (int suit = CLUBS; suit < SUITS; suit++) {
        double left = random.unit() * ways_[suit][a][b];
        int gets_x = 0, gets_y = 0;
        for (int x = 0; x <= a && left >= 0; x++)
            for (int y = 0; y <= b && left >= 0; y++) {
                const double ways = splits(suit, a, b, x, y);
                if (ways > 0) gets_x = x, gets_y = y;
                left -= ways;
            }
        const Cards cards = unseen_.cards & deck_.suit(suit);
        const Cards first = some_of(cards, gets_x, random);
        const Cards second = some_of(cards & ~first, gets_y, random);
        const Cards third = cards & ~first & ~second;
        if (first) hands[seats_[0]] |= first;
        if (second) hands[seats_[1]] |= second;
        if (third) hands[seats_[2]] |= third;
        a -= gets_x;
        b -= gets_y;
    }
    return hands;
}

Imagined::Imagined(const Rules& rules, const Request& request, const Table& table)
    : rules_(rules),
      played_(played_by(request)),
      bids_(request.bids),
      is_consistent_(agrees(rules, request, table)),
      dealing_(*rules.deck, unseen_of(rules, request, table)) {
    known_[request.seat] = request.hand;
    if (!rules.solo) known_[opposite(request.seat)] = with_partner(request, table);
    bids_[request.seat] = NONE;
    for (Seat seat = 0; seat < 4; seat++) {
        if (!request.blind[seat]) continue;
        bids_[seat] = NONE;  // bid without a look at the hand
        if (rules.blind_nil_exchange && !rules.solo)
            bids_[opposite(seat)] = NONE;  // bid on a hand that is another now
    }
}

bool Imagined::is_possible() const { return is_consistent_ && dealing_.is_possible(); }

double Imagined::likelihood(const Hands& hands) const {
    double likely = 1;
    for (Seat seat = 0; seat < 4; seat++)
        if (bids_[seat] != NONE)
            likely *= fits_bid(*rules_.deck, hands[seat] | played_[seat], bids_[seat]);
    return likely;
}

Hands Imagined::draw(Random& random) const {
    Hands taken{};
    double total = 0;
    for (int i = 0; i < DRAWN; i++) {
        Hands hands = dealing_.draw(random);
        for (Seat seat = 0; seat < 4; seat++) hands[seat] |= known_[seat];
        const double likely = likelihood(hands);
        total += likely;
        if (i == 0 || random.unit() * total < likely) taken = hands;
    }
    return taken;
}
