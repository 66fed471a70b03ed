// A Spades bot: what it does with each message. How it decides is in strategy.cpp.

#include "strategy.hpp"
#include "wire.hpp"

static std::string quoted(const std::string &card) { return '"' + card + '"'; }

static std::string list(const std::vector<std::string> &cards) {
    std::string text;
    for (const std::string &card : cards)
        text += (text.empty() ? "" : ",") + quoted(card);
    return "[" + text + "]";
}

int main() {
    std::string deck = "standard"; // all that it remembers; a request carries the rest

    run([&](const Json &message) -> std::string {
        const std::string &type = message["type"].text;
        if (type == "hello")
            deck = message["rules"]["deck"].text;
        if (type == "bid")
            return "\"bid\":" + std::to_string(choose_bid(message, deck));
        if (type == "exchange")
            return "\"cards\":" + list(choose_passed(message, deck));
        if (type == "play")
            return "\"card\":" + quoted(choose_card(message, deck));
        return ""; // declines a blind nil, and what a later version may ask
    });
}
