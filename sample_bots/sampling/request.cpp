#include "request.h"

namespace {

Trick read_trick(const Json& trick, const Deck& deck) {
    Trick found{seat_named(trick["leader"].text()), {}};
    for (const Json& name : trick["cards"].items()) {
        const Card card = deck.number(name.text());
        if (card != NONE && found.cards.size() < 4) found.cards.push_back(card);
    }
    return found;
}

Cards read_cards(const Json& names, const Deck& deck) {
    Cards found = 0;
    for (const Json& name : names.items()) {
        const Card card = deck.number(name.text());
        if (card != NONE) found |= bit(card);
    }
    return found;
}

// Side or seat -> number. A side is named by its seats, so its first letter tells which it is.
std::array<int, 4> read_sides(const Json& numbers, const Rules& rules) {
    std::array<int, 4> found{};
    for (const auto& [side, number] : numbers.members())
        found[rules.side(seat_named(side))] = static_cast<int>(number.integer());
    return found;
}

}  // namespace

Seat seat_named(const std::string& name) {
    const std::size_t found = name.empty() ? std::string::npos : std::string("NESW").find(name[0]);
    return found == std::string::npos ? 0 : static_cast<Seat>(found);
}

Rules Rules::read(const Json& rules) {
    Rules found;
    const auto whole = [&](const char* key, int& into) {
        into = static_cast<int>(rules[key].integer(into));
    };
    found.deck = &Deck::named(rules["deck"].text());
    found.solo = rules["players"].text() == "solo";
    if (rules["floor"].is_number()) found.floor = static_cast<int>(rules["floor"].integer());
    whole("target", found.target);
    whole("max_deals", found.max_deals);
    whole("nil", found.nil);
    whole("blind_nil", found.blind_nil);
    whole("blind_nil_exchange", found.blind_nil_exchange);
    found.lead_any_time = rules["lead_spades"].text() == "any_time";
    found.only_cuts_break = rules["spades_broken_by"].text() == "cut";
    found.broken_nil_counts = rules["failed_nil_tricks"].text() == "contract";
    const std::string& bags = rules["set_nil_bags"].text();
    if (bags == "over_contract") found.set_nil_bags = SetNilBags::OVER_CONTRACT;
    if (bags == "none") found.set_nil_bags = SetNilBags::NO;
    whole("bag_points", found.bag_points);
    whole("bag_limit", found.bag_limit);
    whole("bag_penalty", found.bag_penalty);
    found.bags_carry = rules["bag_overflow"].text() != "reset";
    return found;
}

Request Request::read(const Json& message, const Rules& rules, Seat seat) {
    const Deck& deck = *rules.deck;
    Request found;
    found.deal = static_cast<int>(message["deal"].integer(1));
    found.seat = message["seat"].text().empty() ? seat : seat_named(message["seat"].text());
    found.dealer = seat_named(message["dealer"].text());
    found.hand = read_cards(message["hand"], deck);
    found.legal = read_cards(message["legal"], deck);
    for (const Json& bid : message["legal"].items())
        if (bid.is_number() && bid.integer() >= 0 && bid.integer() <= DEALT)
            found.legal |= bit(static_cast<int>(bid.integer()));
    for (const auto& [name, bid] : message["bids"].members())
        found.bids[seat_named(name)] = static_cast<int>(bid.integer());
    for (const Json& name : message["blind"].items()) found.blind[seat_named(name.text())] = true;
    found.score = read_sides(message["score"], rules);
    found.bags = read_sides(message["bags"], rules);
    for (const Json& trick : message["tricks"].items())
        found.tricks.push_back(read_trick(trick, deck));
    found.tricks.push_back(read_trick(message["trick"], deck));
    found.gave = read_cards(message["exchange"]["gave"], deck);
    found.count = static_cast<int>(message["count"].integer());
    found.move_ms = message["clock"]["move_ms"].number(found.move_ms);
    found.bank_ms = message["clock"]["bank_ms"].number(found.bank_ms);
    return found;
}
