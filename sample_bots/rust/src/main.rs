//! A Spades bot: what it does with each message. How it decides is in strategy.rs.

mod strategy;
mod wire;

use strategy::{choose_bid, choose_card, choose_passed, Deck};
use wire::Json;

struct Bot {
    /// All that it remembers; a request carries the rest.
    deck: Deck,
}

impl Bot {
    fn new() -> Bot {
        Bot { deck: Deck::new("standard") }
    }

    /// The reply to a message, without its id.
    fn decide(&mut self, message: &Json) -> String {
        match message.get("type").map_or("", Json::text) {
            "hello" => {
                let deck = message.get("rules").and_then(|rules| rules.get("deck"));
                self.deck = Deck::new(deck.map_or("standard", Json::text));
                String::new()
            }
            "bid" => format!("\"bid\":{}", choose_bid(message, &self.deck)),
            "exchange" => {
                let passed = choose_passed(message, &self.deck);
                let quoted: Vec<String> = passed.iter().map(|card| format!("\"{card}\"")).collect();
                format!("\"cards\":[{}]", quoted.join(","))
            }
            "play" => format!("\"card\":\"{}\"", choose_card(message, &self.deck)),
            _ => String::new(), // declines a blind nil, and what a later version may ask
        }
    }
}

fn main() -> std::io::Result<()> {
    let mut bot = Bot::new();
    wire::run(|message| bot.decide(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds the bot to conversation.txt: `>` is what it is sent, `<` what it must reply, `#` says
    /// why.
    #[test]
    fn replies_are_those_of_the_conversation() {
        let lines: Vec<&str> = include_str!("../conversation.txt").lines().chain([""]).collect();
        let mut bot = Bot::new();
        for pair in lines.windows(2) {
            if let Some(line) = pair[0].strip_prefix("> ") {
                let expected = pair[1].strip_prefix("< ").map(String::from);
                let reply = wire::answer(line, &mut |message: &Json| bot.decide(message));
                assert_eq!(reply, Ok(expected), "{line}");
            }
        }
    }
}
