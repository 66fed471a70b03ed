// What the bot decides, from one request and the deck alone. This is the file to change.
//
// README.md says the strategy in words. A card is a number: 16 times its suit (clubs, diamonds,
// hearts, spades are 0 to 3) plus its height in that suit. So of two cards that can win a trick
// the greater number does, and the suit of a card is card / 16.

package main

import (
	"encoding/json"
	"sort"
	"strings"
)

const (
	seats  = "NESW"
	spades = 3
	none   = -1
)

// cardsOf has every card of a deck, by name, with its number.
func cardsOf(deck string) map[string]int {
	jokers, nyc := deck != "standard", deck == "jokers_nyc"
	numbers := map[string]int{}
	for suit, letter := range "CDHS" {
		ranks := "23456789TJQKA"
		if jokers && (letter != 'D' || nyc) {
			ranks = ranks[1:] // this deck has no such two, or has it as a trump
		}
		var names []string
		for _, rank := range ranks {
			names = append(names, string(rank)+string(letter))
		}
		if nyc && suit == spades {
			names = append(names, "2S", "2D", "LJ", "BJ")
		} else if jokers && suit == spades {
			names = append(names, "2S", "LJ", "BJ")
		}
		for height, name := range names {
			numbers[name] = 16*suit + height
		}
	}
	return numbers
}

func numbered(names []string, numbers map[string]int) []int {
	var cards []int
	for _, name := range names {
		cards = append(cards, numbers[name])
	}
	return cards
}

func suitOf(card int) int { return card / 16 }

// strength is a card's height in its suit, spades over all others.
func strength(card int) int {
	if suitOf(card) == spades {
		return card%16 + 16
	}
	return card % 16
}

// above is how many of other cards beat this one in its own suit.
func above(card int, others []int) int {
	return len(those(others, func(other int) bool {
		return other > card && suitOf(other) == suitOf(card)
	}))
}

func those(cards []int, test func(int) bool) []int {
	var found []int
	for _, card := range cards {
		if test(card) {
			found = append(found, card)
		}
	}
	return found
}

// least is the first of some numbers that a function is lowest for.
func least(numbers []int, value func(int) int) int {
	found := numbers[0]
	for _, number := range numbers {
		if value(number) < value(found) {
			found = number
		}
	}
	return found
}

// without has the cards of a deck that are not among others.
func without(deck map[string]int, others []int) []int {
	gone := map[int]bool{}
	for _, card := range others {
		gone[card] = true
	}
	var left []int
	for _, card := range deck {
		if !gone[card] {
			left = append(left, card)
		}
	}
	return left
}

// partnerOf is the partner's seat, or "" in solo play, where each seat is a side of its own.
func partnerOf(request *Message) string {
	if _, solo := request.Score[request.Seat]; solo {
		return ""
	}
	partner := (strings.Index(seats, request.Seat) + 2) % 4
	return seats[partner : partner+1]
}

// --- Bidding: hundredths of a trick -------------------------------------------------------------

const (
	anyHand   = 80 // what small cards take
	longSpade = 85 // each spade from the fourth on
)

// An ace, a king and a queen, by how many cards are above them: unguarded, and guarded.
var honours = [3][2]int{{95, 95}, {20, 70}, {10, 35}}

// No card, one and two in a side suit, for a hand with a spade.
var ruffs = [3]int{110, 60, 20}

// For a nil, so many unseen cards must be above the lowest cards of each suit.
var nilAbove = [3]int{6, 3, 1}

// chooseBid is the legal bid nearest to the tricks expected; nil where that is safe.
func chooseBid(request *Message, deck string) int {
	numbers := cardsOf(deck)
	hand := numbered(request.Hand, numbers)
	var legal []int
	if err := json.Unmarshal(request.Legal, &legal); err != nil {
		panic(err)
	}
	partnersBid, hasBid := request.Bids[partnerOf(request)]
	covered := !hasBid || partnersBid != 0
	if legal[0] == 0 && covered && isNil(hand, numbers) {
		return 0
	}
	wanted := expectedTricks(hand, numbers) / 100
	if wanted < 1 {
		wanted = 1
	}
	return least(legal, func(bid int) int { // of two as near the lower one
		switch {
		case bid == 0:
			return 99 // nil only where nothing else is legal
		case bid < wanted:
			return wanted - bid
		}
		return bid - wanted
	})
}

func ofSuit(hand []int, suit int) []int {
	return those(hand, func(card int) bool { return suitOf(card) == suit })
}

func expectedTricks(hand []int, numbers map[string]int) int {
	deck := without(numbers, nil)
	tricks := anyHand
	for suit := 0; suit < 4; suit++ {
		held := ofSuit(hand, suit)
		for _, card := range held {
			higher, guarded := above(card, deck), 0
			if higher >= len(honours) {
				continue
			}
			if len(held) > higher {
				guarded = 1
			}
			tricks += honours[higher][guarded]
		}
		if suit == spades && len(held) > 3 {
			tricks += longSpade * (len(held) - 3)
		}
		if suit != spades && len(held) < len(ruffs) && suitOf(hand[len(hand)-1]) == spades {
			tricks += ruffs[len(held)]
		}
	}
	return tricks
}

// isNil is whether each suit is low enough to lose all its tricks; at most three spades.
func isNil(hand []int, numbers map[string]int) bool {
	unseen := without(numbers, hand)
	for suit := 0; suit < 4; suit++ {
		held := ofSuit(hand, suit)
		if suit == spades && len(held) > 3 {
			return false
		}
		for place, card := range held {
			if place < len(nilAbove) && above(card, unseen) < nilAbove[place] {
				return false
			}
		}
	}
	return true
}

// --- Passing cards ------------------------------------------------------------------------------

// choosePassed has its strongest cards if it has bid nil itself, its weakest otherwise.
func choosePassed(request *Message, deck string) []string {
	numbers := cardsOf(deck)
	hand := append([]string(nil), request.Hand...)
	isNil := request.Bids[request.Seat] == 0
	sort.SliceStable(hand, func(i, j int) bool {
		first, second := strength(numbers[hand[i]]), strength(numbers[hand[j]])
		return isNil && first > second || !isNil && first < second
	})
	return hand[:request.Count]
}

// --- Playing ------------------------------------------------------------------------------------

// table is what can be counted from a request to play.
type table struct {
	legal, unseen      []int
	led                int // the suit to follow, or none before the lead
	best               int // the card that is winning, or none before the lead
	later              int // how many seats play to this trick after this one
	left               int // tricks to be played, this one included
	partnerWins        bool
	myNil, partnersNil bool
	need, othersNeed   int // tricks that the contracts still need
}

func newTable(request *Message, legal []int, numbers map[string]int) *table {
	trick := numbered(request.Trick.Cards, numbers)
	seen := append(numbered(request.Hand, numbers), trick...)
	for _, finished := range request.Tricks {
		seen = append(seen, numbered(finished.Cards, numbers)...)
	}
	t := &table{legal: legal, unseen: without(numbers, seen), led: none, best: none}
	t.later = 3 - len(trick)
	t.left = 13 - len(request.Tricks)
	if len(trick) > 0 {
		t.led = suitOf(trick[0])
	}
	for _, card := range trick {
		if card > t.best && t.canWin(card) {
			t.best = card
		}
	}
	partner := partnerOf(request)
	t.partnerWins = partner != "" && len(trick) > 1 && trick[len(trick)-2] == t.best
	t.countContracts(request, partner)
	return t
}

func (t *table) countContracts(request *Message, partner string) {
	for seat, bid := range request.Bids {
		taken, missing := request.Taken[seat], 0
		if bid > 0 {
			missing = bid - taken
		}
		switch isNil := bid == 0 && taken == 0; seat {
		case request.Seat:
			t.myNil = isNil
			t.need += missing
		case partner:
			t.partnersNil = isNil
			t.need += missing
		default:
			t.othersNeed += missing
		}
	}
}

func (t *table) canWin(card int) bool { return suitOf(card) == t.led || suitOf(card) == spades }

// wins is whether a card beats those on the table, as every card does before the lead.
func (t *table) wins(card int) bool { return t.led == none || card > t.best && t.canWin(card) }

func (t *table) loses(card int) bool { return !t.wins(card) }

func (t *table) above(card int) int { return above(card, t.unseen) }

func (t *table) below(card int) int { return -above(card, t.unseen) }

// chooseCard keeps its nil, covers its partner's, makes the contract, breaks theirs; then it
// avoids bags.
func chooseCard(request *Message, deck string) string {
	var names []string
	if err := json.Unmarshal(request.Legal, &names); err != nil {
		panic(err)
	}
	numbers := cardsOf(deck)
	t := newTable(request, numbered(names, numbers), numbers)
	chosen := t.choose()
	for i, card := range t.legal {
		if card == chosen {
			return names[i]
		}
	}
	panic("a card that is not legal was chosen")
}

func (t *table) choose() int {
	switch {
	case t.myNil:
		return t.duck()
	case t.partnersNil && (t.partnerWins || t.later > 1):
		return t.cover()
	case t.need > 0 || t.othersNeed > 0 && t.othersNeed >= t.left-1:
		return t.take()
	}
	return t.duck()
}

// cover keeps the partner's nil from taking the trick.
func (t *table) cover() int {
	winners := those(t.legal, t.wins)
	switch {
	case len(winners) == 0:
		return t.throwAway()
	case t.partnerWins:
		return winners[0]
	}
	return least(winners, t.above)
}

// take takes the trick as cheaply as it can, or lets go what is missed least.
func (t *table) take() int {
	winners := those(t.legal, t.wins)
	sure := those(winners, func(card int) bool { return t.above(card) == 0 })
	switch {
	case t.led == none && len(sure) > 0:
		return sure[0] // side suits come before the spades
	case t.led == none || len(winners) == 0:
		return t.throwAway()
	case t.partnerWins && (t.later == 0 || t.above(t.best) == 0):
		return t.throwAway()
	case t.later == 0 || suitOf(winners[0]) != t.led:
		return winners[0] // the last card, or a ruff
	case len(sure) > 0:
		return sure[0]
	case t.later == 2:
		return t.throwAway()
	}
	return winners[len(winners)-1]
}

// throwAway is the lowest card, of a side suit if there is one.
func (t *table) throwAway() int { return least(t.legal, strength) }

// duck loses the trick, and with it the card most likely to take another.
func (t *table) duck() int {
	if t.led == none {
		return least(t.legal, t.below)
	}
	if losers := those(t.legal, t.loses); len(losers) > 0 {
		return least(losers, t.above)
	}
	if t.later > 0 {
		return t.legal[0]
	}
	return t.legal[len(t.legal)-1]
}
