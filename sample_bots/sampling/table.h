// A deal as it is played: hands, the trick on the table, and what all four have seen of it.

#pragma once

#include <array>

#include "cards.h"
#include "request.h"

struct Table {
    const Rules* rules = nullptr;
    std::array<Cards, 4> hands{};    // of a real deal only one's own is known, and the rest empty
    std::array<Cards, 4> lacking{};  // the suits that a seat has shown to have no card of
    std::array<std::int8_t, 4> bids{}, taken{};
    Cards gone = 0;                      // all cards played
    Cards led = 0;                       // all cards of the suit led; 0 before the lead
    std::array<std::int8_t, 4> cards{};  // on the table, in the order played
    Card best = NONE;                    // the card that is winning
    Seat winner = 0;                     // and whose it is
    Seat turn = 0;
    std::int8_t on_table = 0, finished = 0;  // cards of the trick, and tricks before it
    bool broken = false;

    Table(const Rules& rules, Seat leader) : rules(&rules), turn(leader) {}

    // A deal as a request to play shows it. A dishonest one can't make more of it than a deal.
    static Table of(const Request& request, const Rules& rules);

    bool over() const { return finished == DEALT; }
    Cards legal() const;
    void play(Card card);  // by the seat on turn
};

inline Cards Table::legal() const {
    const Cards hand = hands[turn];
    if (led) return hand & led ? hand & led : hand;
    const Cards others = hand & ~rules->deck->spades();
    return broken || rules->lead_any_time || !others ? hand : others;
}

inline void Table::play(Card card) {
    const Cards spades = rules->deck->spades();
    if (!led) {
        led = rules->deck->suit_of(card);
        best = NONE;
    }
    if (!(bit(card) & led)) lacking[turn] |= led;
    if (bit(card) & spades && (!rules->only_cuts_break || led != spades)) broken = true;
    if (bit(card) & (led | spades) && card > best) {
        best = card;
        winner = turn;
    }
    hands[turn] &= ~bit(card);
    gone |= bit(card);
    cards[static_cast<std::size_t>(on_table)] = static_cast<std::int8_t>(card);
    turn = next(turn);
    if (++on_table < 4) return;
    taken[winner]++;
    finished++;
    turn = winner;
    on_table = 0;
    led = 0;
}
