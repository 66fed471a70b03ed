// What the arena says: the rules in `hello`, and a request as the seat asked sees it.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cards.h"
#include "json.h"

enum class SetNilBags { COUNT, OVER_CONTRACT, NO };

// Those rules that a choice depends on. The defaults are those of the protocol.
struct Rules {
    const Deck* deck = &Deck::named("standard");
    bool solo = false;
    int target = 500, max_deals = 100;
    std::optional<int> floor;
    int nil = 100, blind_nil = 0, blind_nil_exchange = 0;
    bool lead_any_time = false, only_cuts_break = false, broken_nil_counts = false;
    SetNilBags set_nil_bags = SetNilBags::COUNT;
    int bag_points = 1, bag_limit = 10, bag_penalty = 100;
    bool bags_carry = true;

    static Rules read(const Json& rules);

    int side(Seat seat) const { return solo ? seat : seat % 2; }
    int sides() const { return solo ? 4 : 2; }
    Seat partner(Seat seat) const { return solo ? NONE : opposite(seat); }
};

struct Trick {
    Seat leader = 0;
    std::vector<Card> cards;  // clockwise from the leader
};

struct Request {
    int deal = 1;
    Seat seat = 0, dealer = 0;
    Cards hand = 0;
    Cards legal = 0;  // of cards; for a bid a bit for each number
    std::array<int, 4> bids{NONE, NONE, NONE, NONE};
    std::array<bool, 4> blind{};
    std::array<int, 4> score{}, bags{};  // by side
    std::vector<Trick> tricks;           // the one on the table last, also where it has no card
    Cards gave = 0;                      // to the partner, in an exchange
    int count = 0;                       // cards to pass
    double move_ms = 1e9, bank_ms = 1e9;

    static Request read(const Json& message, const Rules& rules, Seat seat);
};

Seat seat_named(const std::string& name);  // N where it is none
