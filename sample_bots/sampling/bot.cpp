// Imagines the hands that it can't see, plays them out, and takes what is best on average.
//
// The wire: a line in, a line out. Nothing is kept between requests but what `hello` has said.

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "bidding.h"
#include "decision.h"

namespace {

constexpr long STEPS = 150'000;  // about 20 ms on an ordinary core

long steps_wanted() {
    const char* text = std::getenv("STEPS");
    const long steps = text ? std::strtol(text, nullptr, 10) : 0;
    return steps > 0 ? steps : STEPS;
}

std::string quoted(const std::string& text) { return '"' + text + '"'; }

class Bot {
   public:
    std::string reply(const Json& message) {
        const std::string& type = message["type"].text();
        if (type == "hello") {
            rules_ = Rules::read(message["rules"]);
            seat_ = seat_named(message["seat"].text());
            seed_ = static_cast<std::uint64_t>(message["seed"].integer());
            return R"(,"name":"sampling","version":"1.0")";
        }
        const Request request = Request::read(message, rules_, seat_);
        Budget budget(steps_, request.move_ms, request.bank_ms);
        const Question question{rules_, request, seed_, budget};
        if (type == "bid") {
            const Decision made = choose_bid(question);
            if (made.option == NONE) return "";
            return ",\"bid\":" + std::to_string(made.option) + note(made);
        }
        if (type == "play") {
            const Decision made = choose_card(question);
            if (made.option == NONE) return "";
            return ",\"card\":" + quoted(rules_.deck->name(made.option)) + note(made);
        }
        if (type == "blind_nil") {
            const Decision made = choose_blind_nil(question);
            return std::string(",\"blind_nil\":") + (made.option ? "true" : "false") + note(made);
        }
        if (type == "exchange") {
            std::string cards;
            for (Card card : each(
                     passed(*rules_.deck, request.hand, request.bids[request.seat], request.count)))
                cards += (cards.empty() ? "" : ",") + quoted(rules_.deck->name(card));
            return ",\"cards\":[" + cards + "]";
        }
        return "";  // what a later version may ask: the id is answer enough
    }

   private:
    static std::string note(const Decision& made) {
        return made.note.empty() ? "" : ",\"note\":" + quoted(made.note);
    }

    Rules rules_;
    Seat seat_ = 0;
    std::uint64_t seed_ = 0;
    const long steps_ = steps_wanted();
};

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    Bot bot;
    std::string line;
    while (std::getline(std::cin, line)) {
        const Json message = Json::read(line);
        if (!message["id"].is_number()) continue;
        std::cout << "{\"id\":" << message["id"].integer() << bot.reply(message) << "}"
                  << std::endl;
    }
}
