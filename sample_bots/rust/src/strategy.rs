//! What the bot decides, from one request and the deck alone. This is the file to change.
//!
//! README.md says the strategy in words. A card is a number: 16 times its suit (clubs, diamonds,
//! hearts, spades are 0 to 3) plus its height in that suit. So of two cards that can win a trick
//! the greater number does, and the suit of a card is `card / 16`.

use crate::wire::Json;

type Card = i32;

const SEATS: &str = "NESW";
const SPADES: i32 = 3;

/// Every card of a deck, with its name.
pub struct Deck(Vec<(String, Card)>);

impl Deck {
    pub fn new(name: &str) -> Deck {
        let (jokers, nyc) = (name != "standard", name == "jokers_nyc");
        let mut cards = Vec::new();
        for (suit, letter) in (0..).zip("CDHS".chars()) {
            // A deck with jokers has no such two, or has it as a trump.
            let no_two = jokers && (letter != 'D' || nyc);
            let ranks = "23456789TJQKA".chars().skip(usize::from(no_two));
            let mut names: Vec<String> = ranks.map(|rank| format!("{rank}{letter}")).collect();
            if jokers && suit == SPADES {
                let trumps = ["2S", "2D", "LJ", "BJ"].iter().filter(|&&trump| nyc || trump != "2D");
                names.extend(trumps.map(ToString::to_string));
            }
            cards.extend(names.into_iter().zip(16 * suit..));
        }
        Deck(cards)
    }

    fn all(&self) -> Vec<Card> {
        self.0.iter().map(|&(_, card)| card).collect()
    }

    /// The cards of a list of names.
    fn numbered(&self, names: &Json) -> Vec<Card> {
        names.items().iter().map(|name| self.number(name.text())).collect()
    }

    fn number(&self, name: &str) -> Card {
        let found = self.0.iter().find(|(each, _)| each == name);
        found.unwrap_or_else(|| panic!("no card of this deck: {name}")).1
    }

    fn name(&self, card: Card) -> String {
        let found = self.0.iter().find(|&&(_, each)| each == card);
        found.expect("a card of this deck").0.clone()
    }

    fn without(&self, others: &[Card]) -> Vec<Card> {
        self.all().into_iter().filter(|card| !others.contains(card)).collect()
    }
}

fn suit_of(card: Card) -> i32 {
    card / 16
}

/// A card's height in its suit, spades over all others.
fn strength(card: Card) -> i32 {
    card % 16 + if suit_of(card) == SPADES { 16 } else { 0 }
}

/// How many of other cards beat this one in its own suit.
fn above(card: Card, others: &[Card]) -> i32 {
    let beats = |&&other: &&Card| other > card && suit_of(other) == suit_of(card);
    others.iter().filter(beats).count() as i32
}

/// The first of some cards that a function is lowest for.
fn least(cards: &[Card], value: impl Fn(Card) -> i32) -> Card {
    *cards.iter().min_by_key(|&&card| value(card)).expect("at least one card")
}

/// A field that every request of this type has.
fn field<'a>(request: &'a Json, name: &str) -> &'a Json {
    request.get(name).unwrap_or_else(|| panic!("no {name} in {request:?}"))
}

/// What a seat has bid or taken, where the request says so.
fn of_seat(request: &Json, what: &str, seat: usize) -> Option<i32> {
    field(request, what).get(&SEATS[seat..=seat])?.number()
}

fn seat(request: &Json) -> usize {
    SEATS.find(field(request, "seat").text()).expect("a seat")
}

/// The partner's seat; none in solo play, where each seat is a side of its own.
fn partner(request: &Json) -> Option<usize> {
    let me = seat(request);
    let solo = field(request, "score").get(&SEATS[me..=me]).is_some();
    (!solo).then_some((me + 2) % 4)
}

// --- Bidding: hundredths of a trick -------------------------------------------------------------

/// What small cards take.
const ANY_HAND: i32 = 80;
/// An ace, a king and a queen, by how many cards are above them: unguarded, and guarded.
const HONOURS: [[i32; 2]; 3] = [[95, 95], [20, 70], [10, 35]];
/// Each spade from the fourth on.
const LONG_SPADE: i32 = 85;
/// No card, one and two in a side suit, for a hand with a spade.
const RUFFS: [i32; 3] = [110, 60, 20];
/// For a nil, so many unseen cards must be above the lowest cards of each suit.
const NIL_ABOVE: [i32; 3] = [6, 3, 1];

/// The legal bid nearest to the tricks expected; nil where that is safe.
pub fn choose_bid(request: &Json, deck: &Deck) -> i32 {
    let hand = deck.numbered(field(request, "hand"));
    let legal: Vec<i32> = field(request, "legal").items().iter().filter_map(Json::number).collect();
    let partners_bid = partner(request).and_then(|seat| of_seat(request, "bids", seat));
    if legal.contains(&0) && partners_bid != Some(0) && is_nil(&hand, deck) {
        return 0;
    }
    let wanted = (expected_tricks(&hand, deck) / 100).max(1);
    // Of two as near the lower one; nil only where nothing else is legal.
    least(&legal, |bid| if bid == 0 { 99 } else { (bid - wanted).abs() })
}

fn of_suit(hand: &[Card], suit: i32) -> Vec<Card> {
    hand.iter().copied().filter(|&card| suit_of(card) == suit).collect()
}

fn expected_tricks(hand: &[Card], deck: &Deck) -> i32 {
    let all = deck.all();
    let has_spade = hand.iter().any(|&card| suit_of(card) == SPADES);
    let mut tricks = ANY_HAND;
    for suit in 0..=SPADES {
        let held = of_suit(hand, suit);
        for &card in &held {
            let higher = above(card, &all) as usize;
            if let Some(worth) = HONOURS.get(higher) {
                tricks += worth[usize::from(held.len() > higher)];
            }
        }
        if suit == SPADES {
            tricks += LONG_SPADE * (held.len() as i32 - 3).max(0);
        } else if has_spade {
            tricks += RUFFS.get(held.len()).unwrap_or(&0);
        }
    }
    tricks
}

/// Whether each suit is low enough to lose all its tricks; at most three spades.
fn is_nil(hand: &[Card], deck: &Deck) -> bool {
    let unseen = deck.without(hand);
    let is_low = |suit| {
        let held = of_suit(hand, suit);
        held.iter().zip(NIL_ABOVE).all(|(&card, needed)| above(card, &unseen) >= needed)
    };
    of_suit(hand, SPADES).len() <= 3 && (0..=SPADES).all(is_low)
}

// --- Passing cards ------------------------------------------------------------------------------

/// Its strongest cards if it has bid nil itself, its weakest otherwise.
pub fn choose_passed(request: &Json, deck: &Deck) -> Vec<String> {
    let mut hand = deck.numbered(field(request, "hand"));
    let sign = if of_seat(request, "bids", seat(request)) == Some(0) { -1 } else { 1 };
    hand.sort_by_key(|&card| sign * strength(card)); // stable: of equals the first
    let count = field(request, "count").number().unwrap_or(0) as usize;
    hand.iter().take(count).map(|&card| deck.name(card)).collect()
}

// --- Playing ------------------------------------------------------------------------------------

/// What can be counted from a request to play.
struct Table {
    legal: Vec<Card>,
    unseen: Vec<Card>,
    /// The suit to follow; none before the lead.
    led: Option<i32>,
    /// The card that is winning; -1 before the lead.
    best: Card,
    /// How many seats play to this trick after this one.
    later: usize,
    /// Tricks to be played, this one included.
    left: i32,
    partner_wins: bool,
    my_nil: bool,
    partners_nil: bool,
    /// Tricks that the contracts of this side and of the others still need.
    need: i32,
    others_need: i32,
}

impl Table {
    fn new(request: &Json, deck: &Deck) -> Table {
        let trick = deck.numbered(field(field(request, "trick"), "cards"));
        let tricks = field(request, "tricks").items();
        let mut seen = deck.numbered(field(request, "hand"));
        seen.extend(&trick);
        for finished in tricks {
            seen.extend(deck.numbered(field(finished, "cards")));
        }
        let mut table = Table {
            legal: deck.numbered(field(request, "legal")),
            unseen: deck.without(&seen),
            led: trick.first().map(|&card| suit_of(card)),
            best: -1,
            later: 3 - trick.len(),
            left: 13 - tricks.len() as i32,
            partner_wins: false,
            my_nil: false,
            partners_nil: false,
            need: 0,
            others_need: 0,
        };
        let able = trick.iter().copied().filter(|&card| table.can_win(card));
        table.best = able.max().unwrap_or(-1);
        let partner = partner(request);
        let partners_card = partner.and_then(|_| trick.iter().rev().nth(1));
        table.partner_wins = partners_card == Some(&table.best);
        table.count_contracts(request, partner);
        table
    }

    fn count_contracts(&mut self, request: &Json, partner: Option<usize>) {
        for each in 0..4 {
            let bid = of_seat(request, "bids", each).unwrap_or(0);
            let taken = of_seat(request, "taken", each).unwrap_or(0);
            let is_nil = bid == 0 && taken == 0;
            let missing = if bid > 0 { bid - taken } else { 0 };
            if each == seat(request) {
                self.my_nil = is_nil;
                self.need += missing;
            } else if Some(each) == partner {
                self.partners_nil = is_nil;
                self.need += missing;
            } else {
                self.others_need += missing;
            }
        }
    }

    fn can_win(&self, card: Card) -> bool {
        suit_of(card) == SPADES || Some(suit_of(card)) == self.led
    }

    /// Whether a card beats those on the table, as every card does before the lead.
    fn wins(&self, card: Card) -> bool {
        self.led.is_none() || (card > self.best && self.can_win(card))
    }

    fn above(&self, card: Card) -> i32 {
        above(card, &self.unseen)
    }

    fn legal_where(&self, test: impl Fn(Card) -> bool) -> Vec<Card> {
        self.legal.iter().copied().filter(|&card| test(card)).collect()
    }

    /// Keeps the partner's nil from taking the trick.
    fn cover(&self) -> Card {
        let winners = self.legal_where(|card| self.wins(card));
        match winners.first() {
            None => self.throw_away(),
            Some(&lowest) if self.partner_wins => lowest,
            Some(_) => least(&winners, |card| self.above(card)),
        }
    }

    /// Takes the trick as cheaply as it can, or lets go what is missed least.
    fn take(&self) -> Card {
        let winners = self.legal_where(|card| self.wins(card));
        let sure = winners.iter().copied().find(|&card| self.above(card) == 0);
        if self.led.is_none() {
            return sure.unwrap_or_else(|| self.throw_away()); // side suits come before the spades
        }
        let partner_holds = self.partner_wins && (self.later == 0 || self.above(self.best) == 0);
        match (winners.first(), winners.last(), sure) {
            _ if partner_holds => self.throw_away(),
            (Some(&lowest), _, _) if self.later == 0 || Some(suit_of(lowest)) != self.led => {
                lowest // the last card, or a ruff
            }
            (_, _, Some(card)) => card,
            (_, Some(&highest), None) if self.later != 2 => highest,
            _ => self.throw_away(),
        }
    }

    /// The lowest card, of a side suit if there is one.
    fn throw_away(&self) -> Card {
        least(&self.legal, strength)
    }

    /// Loses the trick, and with it the card most likely to take another.
    fn duck(&self) -> Card {
        if self.led.is_none() {
            return least(&self.legal, |card| -self.above(card));
        }
        let losers = self.legal_where(|card| !self.wins(card));
        if !losers.is_empty() {
            return least(&losers, |card| self.above(card));
        }
        self.legal[if self.later > 0 { 0 } else { self.legal.len() - 1 }]
    }
}

/// Keeps its nil, covers its partner's, makes the contract, breaks theirs; then avoids bags.
pub fn choose_card(request: &Json, deck: &Deck) -> String {
    let table = Table::new(request, deck);
    let breaks = table.others_need > 0 && table.others_need >= table.left - 1;
    deck.name(if table.my_nil {
        table.duck()
    } else if table.partners_nil && (table.partner_wins || table.later > 1) {
        table.cover()
    } else if table.need > 0 || breaks {
        table.take()
    } else {
        table.duck()
    })
}
