// What a hand is worth before a card is played: from a hand to a bid, and from a bid to the hand.

#pragma once

#include <array>

#include "request.h"
#include "worth.h"

double expected_tricks(const Deck& deck, Cards hand);
double nil_chance(const Deck& deck, Cards hand);

// What a seat bids by these two alone; `bids` are those made so far, NONE where there is none.
int usual_bid(const Rules& rules, Cards hand, Seat seat, const std::array<int, 4>& bids);

// How well a hand goes with what its seat has bid: 1 where it is just what one would expect.
double fits_bid(const Deck& deck, Cards hand, int bid);

// The cards to pass beside a blind nil: what is likeliest to take a trick goes from the nil to its
// partner, what is least likely to comes back.
Cards passed(const Deck& deck, Cards hand, int bid, int cards);
