#include "table.h"

#include <algorithm>

Table Table::of(const Request& request, const Rules& rules) {
    Table table(rules, request.tricks.empty() ? request.seat : request.tricks.front().leader);
    for (Seat seat = 0; seat < 4; seat++)
        table.bids[seat] = static_cast<std::int8_t>(std::max(0, request.bids[seat]));
    for (const Trick& trick : request.tricks)
        for (Card card : trick.cards)
            if (!table.over()) table.play(card);
    table.hands[request.seat] = request.hand;
    return table;
}
