// What the bot decides, from one request and the deck alone. This is the file to change.
//
// README.md says the strategy in words. A card is a number: 16 times its suit (clubs, diamonds,
// hearts, spades are 0 to 3) plus its height in that suit. So of two cards that can win a trick
// the greater number does, and the suit of a card is `card >> 4`.

const SEATS = ["N", "E", "S", "W"];
const SPADES = 3;

/** Every card of a deck, by name, with its number. */
function cardsOf(deck) {
  const jokers = deck !== "standard";
  const numbers = new Map();
  [..."CDHS"].forEach((letter, suit) => {
    const names = [..."23456789TJQKA"].map((rank) => rank + letter);
    // A deck with jokers has no such two, or has it as a trump.
    if (jokers && (letter !== "D" || deck === "jokers_nyc")) names.shift();
    if (jokers && letter === "S") {
      names.push("2S", ...(deck === "jokers_nyc" ? ["2D"] : []), "LJ", "BJ");
    }
    names.forEach((name, height) => numbers.set(name, 16 * suit + height));
  });
  return numbers;
}

const suitOf = (card) => card >> 4;

/** How many of other cards beat this one in its own suit. */
function above(card, others) {
  return others.filter((other) => other > card && suitOf(other) === suitOf(card)).length;
}

const partnerOf = (seat) => SEATS[(SEATS.indexOf(seat) + 2) % 4];

/** The first of some things that a function is highest, or lowest, for. */
const most = (things, value) => things.reduce((a, b) => (value(b) > value(a) ? b : a));
const least = (things, value) => things.reduce((a, b) => (value(b) < value(a) ? b : a));

// --- Bidding: hundredths of a trick --------------------------------------------------------------

const ANY_HAND = 80; // what small cards take
// An ace, a king and a queen, by how many cards are above them: unguarded, and guarded.
const HONOURS = [[95, 95], [20, 70], [10, 35]];
const LONG_SPADE = 85; // each spade from the fourth on
const RUFFS = [110, 60, 20]; // no card, one and two in a side suit, for a hand with a spade
// For a nil, so many unseen cards must be above the lowest cards of each suit.
const NIL_ABOVE = [6, 3, 1];

/** The legal bid nearest to the tricks expected; nil where that is safe. */
export function chooseBid(request, deck) {
  const numbers = cardsOf(deck);
  const hand = request.hand.map((name) => numbers.get(name));
  const all = [...numbers.values()];
  const solo = request.seat in request.score;
  const covered = solo || request.bids[partnerOf(request.seat)] !== 0;
  if (request.legal.includes(0) && covered && isNil(hand, all)) return 0;
  const wanted = Math.max(1, Math.floor(expectedTricks(hand, all) / 100));
  // Of two as near the lower one; nil only where nothing else is legal.
  return least(request.legal, (bid) => (bid === 0 ? 99 : Math.abs(bid - wanted)));
}

function expectedTricks(hand, deck) {
  let tricks = ANY_HAND;
  for (let suit = 0; suit < 4; suit++) {
    const held = hand.filter((card) => suitOf(card) === suit);
    for (const card of held) {
      const higher = above(card, deck);
      if (higher < HONOURS.length) tricks += HONOURS[higher][held.length > higher ? 1 : 0];
    }
    if (suit === SPADES) tricks += LONG_SPADE * Math.max(0, held.length - 3);
    else if (held.length < RUFFS.length && suitOf(hand.at(-1)) === SPADES) {
      tricks += RUFFS[held.length];
    }
  }
  return tricks;
}

/** Whether each suit is low enough to lose all its tricks; at most three spades. */
function isNil(hand, deck) {
  const unseen = deck.filter((card) => !hand.includes(card));
  if (hand.filter((card) => suitOf(card) === SPADES).length > 3) return false;
  return [0, 1, 2, 3].every((suit) => {
    const lowest = hand.filter((card) => suitOf(card) === suit).slice(0, NIL_ABOVE.length);
    return lowest.every((card, place) => above(card, unseen) >= NIL_ABOVE[place]);
  });
}

// --- Passing cards -------------------------------------------------------------------------------

/** Its strongest cards if it has bid nil itself, its weakest otherwise. */
export function choosePassed(request, deck) {
  const numbers = cardsOf(deck);
  const strength = (name) => {
    const card = numbers.get(name);
    return (card % 16) + (suitOf(card) === SPADES ? 16 : 0);
  };
  const sign = request.bids[request.seat] === 0 ? -1 : 1;
  const ordered = [...request.hand].sort((a, b) => sign * (strength(a) - strength(b)));
  return ordered.slice(0, request.count);
}

// --- Playing -------------------------------------------------------------------------------------

/** What can be counted from a request to play. */
class Table {
  constructor(request, deck) {
    const numbers = cardsOf(deck);
    const numbered = (names) => names.map((name) => numbers.get(name));
    this.legal = numbered(request.legal);
    const trick = numbered(request.trick.cards);
    const finished = request.tricks.flatMap((each) => numbered(each.cards));
    const seen = new Set([...numbered(request.hand), ...trick, ...finished]);
    this.unseen = [...numbers.values()].filter((card) => !seen.has(card));
    /** The suit to follow; -1 before the lead. */
    this.led = trick.length ? suitOf(trick[0]) : -1;
    /** The card that is winning; -1 before the lead. */
    this.best = Math.max(-1, ...trick.filter((card) => this.#counts(card)));
    /** How many seats play to this trick after this one. */
    this.later = 3 - trick.length;
    /** Tricks to be played, this one included. */
    this.left = 13 - request.tricks.length;

    const { bids, taken, seat: me } = request;
    const partner = me in request.score ? null : partnerOf(me);
    const missing = (seat) => (bids[seat] ? bids[seat] - taken[seat] : 0);
    const ours = SEATS.filter((seat) => seat === me || seat === partner);
    const sum = (seats) => seats.reduce((total, seat) => total + missing(seat), 0);
    this.partnerWins = partner !== null && trick.length > 1 && trick.at(-2) === this.best;
    this.myNil = bids[me] === 0 && taken[me] === 0;
    this.partnersNil = partner !== null && bids[partner] === 0 && taken[partner] === 0;
    /** Tricks that this side's contract still needs. */
    this.need = sum(ours);
    this.othersNeed = sum(SEATS) - this.need;
  }

  #counts(card) {
    return suitOf(card) === this.led || suitOf(card) === SPADES;
  }

  above(card) {
    return above(card, this.unseen);
  }

  /** Whether a card beats those on the table, as every card does before the lead. */
  wins(card) {
    return this.led < 0 || (card > this.best && this.#counts(card));
  }
}

/** Keeps its nil, covers its partner's, makes the contract, breaks theirs; then avoids bags. */
export function chooseCard(request, deck) {
  const table = new Table(request, deck);
  const breaks = table.othersNeed > 0 && table.othersNeed >= table.left - 1;
  let card;
  if (table.myNil) card = duck(table);
  else if (table.partnersNil && (table.partnerWins || table.later > 1)) card = cover(table);
  else if (table.need > 0 || breaks) card = take(table);
  else card = duck(table);
  return request.legal[table.legal.indexOf(card)];
}

/** Keeps the partner's nil from taking the trick. */
function cover(table) {
  const winners = table.legal.filter((card) => table.wins(card));
  if (winners.length === 0) return throwAway(table);
  return table.partnerWins ? winners[0] : least(winners, (card) => table.above(card));
}

/** Takes the trick as cheaply as it can, or lets go what is missed least. */
function take(table) {
  const winners = table.legal.filter((card) => table.wins(card));
  const sure = winners.filter((card) => table.above(card) === 0);
  if (table.led < 0) return sure[0] ?? throwAway(table); // side suits come before the spades
  if (winners.length === 0) return throwAway(table);
  if (table.partnerWins && (table.later === 0 || table.above(table.best) === 0)) {
    return throwAway(table);
  }
  if (table.later === 0 || suitOf(winners[0]) !== table.led) return winners[0]; // last, or a ruff
  if (sure.length > 0) return sure[0];
  return table.later === 2 ? throwAway(table) : winners.at(-1);
}

/** The lowest card, of a side suit if there is one. */
function throwAway(table) {
  return least(table.legal, (card) => (card % 16) + (suitOf(card) === SPADES ? 16 : 0));
}

/** Loses the trick, and with it the card most likely to take another. */
function duck(table) {
  if (table.led < 0) return most(table.legal, (card) => table.above(card));
  const losers = table.legal.filter((card) => !table.wins(card));
  if (losers.length > 0) return least(losers, (card) => table.above(card));
  return table.later > 0 ? table.legal[0] : table.legal.at(-1);
}
