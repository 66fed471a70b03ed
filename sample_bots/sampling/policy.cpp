#include "policy.h"

#include <algorithm>
#include <cmath>

// The thoughts are those of ../counting/playing.py, on sets.

namespace {

constexpr double SURE = 0.75;        // a card with this chance counts as a winner
constexpr double SECOND_HAND = 0.6;  // the least for which it plays high before its partner
constexpr double RUFFED = 0.7;       // a seat that is out of the suit has a spade, and plays it
constexpr int SETTABLE = 2;          // tricks over their need, up to which a set is tried
constexpr int SPARE_TRICKS = 3;      // to lose before their nil is gone for
constexpr double LATER_TRICKS[] = {1, .6, .25, .1};  // by the number of higher cards that are out

// The chance that a seat has none of n cards of which each is elsewhere with 1 - 1 / holders.
struct Elsewhere {
    float chance[4][53];
    Elsewhere() {
        for (int holders = 0; holders < 4; holders++)
            for (int n = 0; n < 53; n++)
                chance[holders][n] =
                    static_cast<float>(holders ? std::pow(1 - 1.0 / holders, n) : 1.0);
    }
};
const Elsewhere elsewhere;

class Player {
   public:
    explicit Player(const Table& table);
    Card choose() const;

   private:
    int needed(unsigned seats) const;
    bool is(unsigned seats, Seat seat) const { return seats >> seat & 1; }
    bool wants_tricks() const;
    int above(Card card) const { return count(suit_of(card) & unseen_ & higher(card)); }
    Cards suit_of(Card card) const { return deck_.suit_of(card); }
    float can_beat(Seat seat, Card card, Cards suit, Cards led) const;
    float holds(Card card, unsigned seats) const;
    Cards winners() const;
    Cards losers() const { return table_.led ? legal_ & ~winners() : 0; }
    Card least(Cards cards, unsigned seats, bool most = false) const;
    double worth(Cards held) const;
    Card throw_away() const;
    Card most_dangerous(Cards cards) const;
    Card keep_nil() const;
    Card cover_nil() const;
    Card break_nil() const;
    Card lead_winner() const;
    Card take() const;
    Card duck() const;

    const Table& table_;
    const Deck& deck_;
    const Cards spades_, hand_, legal_, unseen_;
    const Seat me_, partner_;
    unsigned foes_ = 0, later_ = 0, nils_ = 0;  // sets of seats
    int left_, need_ = 0, foes_need_ = 0;       // tricks
};

Player::Player(const Table& table)
    : table_(table),
      deck_(*table.rules->deck),
      spades_(deck_.spades()),
      hand_(table.hands[table.turn]),
      legal_(table.legal()),
      unseen_(ALL & ~table.gone & ~hand_),
      me_(table.turn),
      partner_(table.rules->partner(me_)),
      left_(DEALT - table.finished) {
    foes_ = 15u & ~(1u << me_) & ~(partner_ == NONE ? 0 : 1u << partner_);
    for (int i = 1; i < 4 - table.on_table; i++) later_ |= 1u << ((me_ + i) % 4);
    for (Seat seat = 0; seat < 4; seat++)
        if (!table.bids[seat] && !table.taken[seat]) nils_ |= 1u << seat;
    need_ = needed(15u & ~foes_);
    foes_need_ = needed(foes_);
}

int Player::needed(unsigned seats) const {
    int tricks = 0;
    for (Seat seat = 0; seat < 4; seat++) {
        if (!is(seats, seat)) continue;
        tricks += table_.bids[seat];
        if (table_.bids[seat] || table_.rules->broken_nil_counts) tricks -= table_.taken[seat];
    }
    return tricks;
}

float Player::can_beat(Seat seat, Card card, Cards suit, Cards led) const {
    const bool trumps =
        unseen_ & spades_ & ~table_.lacking[seat] & (suit == spades_ ? higher(card) : ALL);
    if (table_.lacking[seat] & led || !(unseen_ & led))
        return trumps ? static_cast<float>(RUFFED) : 0;
    int holders = 0;
    for (Seat other = 0; other < 4; other++)
        holders += other != me_ && !(table_.lacking[other] & led);
    const float* none = elsewhere.chance[holders];
    const float ruffs =
        trumps && led != spades_ ? none[count(unseen_ & led)] * static_cast<float>(RUFFED) : 0;
    return suit == led ? 1 - none[above(card)] + ruffs : ruffs;
}

// About how likely none of some seats, yet to play, beats a card that is winning.
float Player::holds(Card card, unsigned seats) const {
    const Cards suit = suit_of(card), led = table_.led ? table_.led : suit;
    float likely = 1;
    for (Seat seat = 0; seat < 4; seat++)
        if (is(seats & later_, seat)) likely *= 1 - can_beat(seat, card, suit, led);
    return likely;
}

Cards Player::winners() const {
    return table_.led ? legal_ & (table_.led | spades_) & higher(table_.best) : legal_;
}

bool Player::wants_tricks() const {
    const Rules& rules = *table_.rules;
    if (need_ > 0 || rules.bag_points * rules.bag_limit >= rules.bag_penalty) return true;
    return foes_need_ > 0 && left_ - foes_need_ <= SETTABLE;
}

// The card that is least, or most, likely to hold against some seats.
Card Player::least(Cards cards, unsigned seats, bool most) const {
    Card found = NONE;
    float chance = 0;
    for (Card card : each(cards)) {
        const float likely = most ? -holds(card, seats) : holds(card, seats);
        if (found == NONE || likely < chance) found = card, chance = likely;
    }
    return found;
}

// The tricks that the cards of one suit may still take. A card counts only with a lower one beside
// it for each higher one that is out: they guard it.
double Player::worth(Cards held) const {
    double tricks = 0;
    const int length = count(held);
    for (Card card : each(held)) {
        const int over = above(card);
        if (over < length) tricks += LATER_TRICKS[std::min(over, 3)];
    }
    return tricks;
}

// The card that is missed least: side suits before spades, and short ones first.
Card Player::throw_away() const {
    Card found = NONE;
    double least = 0;
    for (int suit = CLUBS; suit < SUITS; suit++) {
        const Cards held = legal_ & deck_.suit(suit);
        if (!held || (suit == SPADES && found != NONE)) continue;
        const double cost = worth(held) - worth(held & (held - 1)) + count(held) / 64.0;
        if (found == NONE || cost < least) found = lowest(held), least = cost;
    }
    return found;
}

// The card most likely to take a later trick; of equals that of the shortest suit.
Card Player::most_dangerous(Cards cards) const {
    Card found = NONE;
    int safest = 0;
    for (Card card : each(cards)) {
        const int safety = above(card) * 16 + count(hand_ & suit_of(card));
        if (found == NONE || safety <= safest) found = card, safest = safety;
    }
    return found;
}

Card Player::keep_nil() const {
    if (!table_.led) return least(legal_, later_);
    if (const Cards can = losers()) return most_dangerous(can);
    return later_ ? lowest(legal_) : highest(legal_);
}

// A card that keeps the partner from taking the trick; NONE where it needs none.
Card Player::cover_nil() const {
    const unsigned partner = 1u << partner_;
    const Cards can = winners();
    if (table_.led && table_.winner == partner_) return can ? lowest(can) : NONE;
    if (!is(later_, partner_)) return NONE;
    if (!table_.led) return least(legal_, partner, true);
    if (holds(table_.best, partner) >= SURE) return NONE;
    return can ? highest(can) : NONE;
}

// A card that may leave the trick to a nil of theirs; NONE where this trick is no chance.
Card Player::break_nil() const {
    const unsigned nils = foes_ & nils_;
    if (!nils) return NONE;
    const Cards can = losers();
    if (table_.led && is(nils, table_.winner)) return can ? most_dangerous(can) : NONE;
    if (!(nils & later_)) return NONE;
    if (!table_.led) return least(legal_, nils);
    return can ? lowest(can) : NONE;
}

Card Player::lead_winner() const {
    Card found = NONE;
    int over = 0;
    for (Card card : each(legal_ & ~spades_))
        if (holds(card, foes_) >= SURE && (found == NONE || above(card) < over))
            found = card, over = above(card);
    if (found != NONE) return found;
    const Cards mine = legal_ & spades_, theirs = unseen_ & spades_;
    if (mine && theirs && count(mine) * 2 >= count(theirs) && !above(highest(mine)))
        return highest(mine);
    return throw_away();
}

// Wins the trick as cheaply as it can, or else loses what is missed least.
Card Player::take() const {
    if (!table_.led) return lead_winner();
    const Cards can = winners();
    if (!can) return throw_away();
    float most = 0;
    for (Card card : each(can)) most = std::max(most, holds(card, foes_));
    if (table_.winner == partner_) {
        const float so_far = holds(table_.best, foes_);
        if (so_far >= SURE || most <= so_far + 0.1f) return throw_away();
    }
    if (count(later_) == 2 && most < SECOND_HAND) return throw_away();
    for (Card card : each(can))
        if (holds(card, foes_) >= most - 0.03f) return card;
    return highest(can);
}

// Loses the trick, and with it the card that is most likely to take a later one.
Card Player::duck() const {
    if (!table_.led) return least(legal_, later_);
    if (table_.winner == partner_ && holds(table_.best, foes_) >= SURE)
        return most_dangerous(legal_);  // the trick is this side's anyway
    if (const Cards can = losers()) return most_dangerous(can);
    return holds(lowest(legal_), later_) > 0.9f ? highest(legal_) : lowest(legal_);
}

Card Player::choose() const {
    if (!(legal_ & (legal_ - 1))) return lowest(legal_);
    if (is(nils_, me_)) return keep_nil();
    Card card = NONE;
    if (partner_ != NONE && is(nils_, partner_))
        card = cover_nil();
    else if (left_ - need_ >= SPARE_TRICKS)
        card = break_nil();
    if (card != NONE) return card;
    return wants_tricks() ? take() : duck();
}

}  // namespace

Card usual_card(const Table& table) { return Player(table).choose(); }

void play_out(Table& table, Budget& budget) {
    budget.spend(1 + 4 * (DEALT - table.finished) - table.on_table);
    while (!table.over()) table.play(usual_card(table));
}
