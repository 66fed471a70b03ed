// A Spades bot: what it does with each message. How it decides is in strategy.mjs.

import { fileURLToPath } from "node:url";
import { chooseBid, chooseCard, choosePassed } from "./strategy.mjs";
import { run } from "./wire.mjs";

/** From a message to the fields of the reply. All that it remembers is the deck. */
export function makeBot() {
  let deck = "standard";
  return (message) => {
    switch (message.type) {
      case "hello":
        deck = message.rules.deck;
        return {};
      case "bid":
        return { bid: chooseBid(message, deck) };
      case "exchange":
        return { cards: choosePassed(message, deck) };
      case "play":
        return { card: chooseCard(message, deck) };
      default:
        return {}; // declines a blind nil, and what a later version may ask
    }
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(makeBot());
