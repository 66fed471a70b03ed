// What the bot decides. This is the file to change; README.md says the strategy in words.
//
// A card is a number: 16 times its suit (clubs, diamonds, hearts, spades are 0 to 3) plus its
// height in that suit. So of two cards that can win a trick the greater number does.

#include "strategy.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>

namespace {

using Cards = std::vector<int>;

const std::string SEATS = "NESW";
enum { NOBODY = -1, NO_CARD = -1, SUITS = 4, SPADES = 3 };

// Every card of a deck, by name, with its number.
std::map<std::string, int> cards_of(const std::string &deck) {
    const bool jokers = deck != "standard", nyc = deck == "jokers_nyc";
    std::map<std::string, int> numbers;
    for (int suit = 0; suit < SUITS; suit++) {
        const char letter = "CDHS"[suit];
        // A deck with jokers has no such two, or has it as a trump.
        const bool no_two = jokers && (letter != 'D' || nyc);
        int height = 0;
        for (char rank : std::string("23456789TJQKA").substr(no_two ? 1 : 0))
            numbers[{rank, letter}] = 16 * suit + height++;
        if (!jokers || suit != SPADES)
            continue;
        for (const char *trump : {"2S", "2D", "LJ", "BJ"})
            if (nyc || std::string(trump) != "2D")
                numbers[trump] = 16 * suit + height++;
    }
    return numbers;
}

Cards numbered(const Json &names, const std::map<std::string, int> &numbers) {
    Cards cards;
    for (const Json &name : names.items)
        cards.push_back(numbers.at(name.text));
    return cards;
}

Cards all_of(const std::map<std::string, int> &numbers) {
    Cards cards;
    for (const auto &entry : numbers)
        cards.push_back(entry.second);
    return cards;
}

int suit_of(int card) { return card / 16; }

// A card's height in its suit, spades over all others.
int strength(int card) { return card % 16 + (suit_of(card) == SPADES ? 16 : 0); }

// How many of other cards beat this one in its own suit.
int above(int card, const Cards &others) {
    return std::count_if(others.begin(), others.end(), [card](int other) {
        return other > card && suit_of(other) == suit_of(card);
    });
}

template <typename Test> Cards those(const Cards &cards, Test test) {
    Cards found;
    std::copy_if(cards.begin(), cards.end(), std::back_inserter(found), test);
    return found;
}

// The first of some cards that a function is lowest for.
template <typename Value> int least(const Cards &cards, Value value) {
    return *std::min_element(cards.begin(), cards.end(),
                             [&](int a, int b) { return value(a) < value(b); });
}

bool is_solo(const Json &request) { return request["score"].has(request["seat"].text); }

int seat_number(const Json &request) { return SEATS.find(request["seat"].text); }

int partner_of(const Json &request) {
    return is_solo(request) ? NOBODY : (seat_number(request) + 2) % 4;
}

// What a seat has bid or taken; `none` if the request does not say.
int of_seat(const Json &numbers, int seat, int none) {
    const std::string name(1, SEATS[seat]);
    return numbers.has(name) ? numbers[name].number() : none;
}

// --- Bidding: hundredths of a trick -------------------------------------------------------------

const int ANY_HAND = 80; // what small cards take
// An ace, a king and a queen, by how many cards are above them: unguarded, and guarded.
const int HONOURS[3][2] = {{95, 95}, {20, 70}, {10, 35}};
const int LONG_SPADE = 85;          // each spade from the fourth on
const int RUFFS[] = {110, 60, 20};  // no card, one and two in a side suit, with a spade in hand
const int NIL_ABOVE[] = {6, 3, 1};  // unseen cards above the lowest cards of each suit, for a nil

Cards of_suit(const Cards &hand, int suit) {
    return those(hand, [suit](int card) { return suit_of(card) == suit; });
}

int expected_tricks(const Cards &hand, const Cards &deck) {
    int tricks = ANY_HAND;
    for (int suit = 0; suit < SUITS; suit++) {
        const Cards held = of_suit(hand, suit);
        const int length = held.size();
        for (int card : held) {
            const int higher = above(card, deck);
            if (higher < 3)
                tricks += HONOURS[higher][length > higher];
        }
        if (suit == SPADES)
            tricks += LONG_SPADE * std::max(0, length - 3);
        else if (length < 3 && suit_of(hand.back()) == SPADES)
            tricks += RUFFS[length];
    }
    return tricks;
}

// Whether each suit is low enough to lose all its tricks; at most three spades.
bool is_nil(const Cards &hand, const Cards &deck) {
    const std::set<int> own(hand.begin(), hand.end());
    const Cards unseen = those(deck, [&](int card) { return own.count(card) == 0; });
    for (int suit = 0; suit < SUITS; suit++) {
        const Cards held = of_suit(hand, suit);
        if (suit == SPADES && held.size() > 3)
            return false;
        for (std::size_t place = 0; place < held.size() && place < 3; place++)
            if (above(held[place], unseen) < NIL_ABOVE[place])
                return false;
    }
    return true;
}

// --- Playing ------------------------------------------------------------------------------------

// What can be counted from a request to play.
struct Table {
    Cards legal, unseen;
    int led = -1;        // the suit to follow; -1 before the lead
    int best = NO_CARD;  // the card that is winning; NO_CARD before the lead
    int later;           // how many seats play to this trick after this one
    int left;            // tricks to be played, this one included
    bool partner_wins = false, my_nil = false, partners_nil = false;
    int need = 0, others_need = 0; // tricks that the contracts still need

    Table(const Json &request, const std::string &deck) {
        const auto numbers = cards_of(deck);
        legal = numbered(request["legal"], numbers);
        const Cards trick = numbered(request["trick"]["cards"], numbers);
        std::set<int> seen(trick.begin(), trick.end());
        for (int card : numbered(request["hand"], numbers))
            seen.insert(card);
        for (const Json &finished : request["tricks"].items)
            for (int card : numbered(finished["cards"], numbers))
                seen.insert(card);
        unseen = those(all_of(numbers), [&](int card) { return seen.count(card) == 0; });
        if (!trick.empty())
            led = suit_of(trick[0]);
        for (int card : trick)
            if (can_win(card))
                best = std::max(best, card);
        later = 3 - trick.size();
        left = 13 - request["tricks"].items.size();
        const int partner = partner_of(request);
        partner_wins = partner != NOBODY && trick.size() > 1 && trick[trick.size() - 2] == best;
        count_contracts(request, partner);
    }

    void count_contracts(const Json &request, int partner) {
        for (int seat = 0; seat < 4; seat++) {
            const int bid = of_seat(request["bids"], seat, 0);
            const int taken = of_seat(request["taken"], seat, 0);
            const bool mine = seat == seat_number(request), ours = mine || seat == partner;
            if (bid == 0 && taken == 0 && ours)
                (mine ? my_nil : partners_nil) = true;
            (ours ? need : others_need) += bid > 0 ? bid - taken : 0;
        }
    }

    bool can_win(int card) const { return suit_of(card) == led || suit_of(card) == SPADES; }

    // Whether a card beats those on the table, as every card does before the lead.
    bool wins(int card) const { return led < 0 || (card > best && can_win(card)); }

    int above(int card) const { return ::above(card, unseen); }

    Cards winners() const {
        return those(legal, [this](int card) { return wins(card); });
    }

    // The lowest card, of a side suit if there is one.
    int throw_away() const { return least(legal, strength); }

    // Keeps the partner's nil from taking the trick.
    int cover() const {
        const Cards winning = winners();
        if (winning.empty())
            return throw_away();
        if (partner_wins)
            return winning.front();
        return least(winning, [this](int card) { return above(card); });
    }

    // Takes the trick as cheaply as it can, or lets go what is missed least.
    int take() const {
        const Cards winning = winners();
        const Cards sure = those(winning, [this](int card) { return above(card) == 0; });
        if (led < 0) // side suits come before the spades
            return sure.empty() ? throw_away() : sure.front();
        if (winning.empty() || (partner_wins && (later == 0 || above(best) == 0)))
            return throw_away();
        if (later == 0 || suit_of(winning.front()) != led)
            return winning.front(); // the last card, or a ruff
        if (!sure.empty())
            return sure.front();
        return later == 2 ? throw_away() : winning.back();
    }

    // Loses the trick, and with it the card most likely to take another.
    int duck() const {
        if (led < 0)
            return least(legal, [this](int card) { return -above(card); });
        const Cards losers = those(legal, [this](int card) { return !wins(card); });
        if (!losers.empty())
            return least(losers, [this](int card) { return above(card); });
        return later > 0 ? legal.front() : legal.back();
    }

    int choose() const {
        if (my_nil)
            return duck();
        if (partners_nil && (partner_wins || later > 1))
            return cover();
        if (need > 0 || (others_need > 0 && others_need >= left - 1))
            return take();
        return duck();
    }
};

} // namespace

int choose_bid(const Json &request, const std::string &deck) {
    const auto numbers = cards_of(deck);
    const Cards hand = numbered(request["hand"], numbers);
    const Cards all = all_of(numbers);
    const int partner = partner_of(request);
    const bool covered = partner == NOBODY || of_seat(request["bids"], partner, NOBODY) != 0;
    Cards legal;
    for (const Json &bid : request["legal"].items)
        legal.push_back(bid.number());
    if (legal.front() == 0 && covered && is_nil(hand, all))
        return 0;
    const int wanted = std::max(1, expected_tricks(hand, all) / 100);
    // Of two as near the lower one; nil only where nothing else is legal.
    return least(legal, [=](int bid) { return bid == 0 ? 99 : std::abs(bid - wanted); });
}

std::vector<std::string> choose_passed(const Json &request, const std::string &deck) {
    const auto numbers = cards_of(deck);
    std::vector<std::string> hand = request["hand"].texts();
    const int sign = request["bids"][request["seat"].text].number() == 0 ? -1 : 1;
    std::stable_sort(hand.begin(), hand.end(), [&](const auto &a, const auto &b) {
        return sign * strength(numbers.at(a)) < sign * strength(numbers.at(b));
    });
    hand.resize(std::min<std::size_t>(hand.size(), request["count"].number()));
    return hand;
}

std::string choose_card(const Json &request, const std::string &deck) {
    const Table table(request, deck);
    const int card = table.choose();
    const auto place = std::find(table.legal.begin(), table.legal.end(), card);
    return request["legal"].items[place - table.legal.begin()].text;
}
