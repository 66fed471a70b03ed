// A Spades bot: what it does with each message. How it decides is in strategy.go.
package main

import (
	"log"
	"os"
)

// Bot remembers the deck alone; a request carries the rest.
type Bot struct {
	deck string
}

// Decide makes the reply to a message; its id is put in afterwards.
func (bot *Bot) Decide(message *Message) Reply {
	switch message.Type {
	case "hello":
		bot.deck = message.Rules.Deck
	case "bid":
		bid := chooseBid(message, bot.deck)
		return Reply{Bid: &bid}
	case "exchange":
		return Reply{Cards: choosePassed(message, bot.deck)}
	case "play":
		return Reply{Card: chooseCard(message, bot.deck)}
	}
	return Reply{} // declines a blind nil, and what a later version may ask
}

func main() {
	bot := Bot{deck: "standard"}
	// The log goes to standard error: standard output is the replies' alone.
	if err := run(os.Stdin, os.Stdout, bot.Decide); err != nil {
		log.Fatal(err)
	}
}
