import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/**
 * What the bot decides, from one request and the deck alone. This is the file to change.
 *
 * <p>README.md says the strategy in words. A card is a number: 16 times its suit (clubs, diamonds,
 * hearts, spades are 0 to 3) plus its height in that suit. So of two cards that can win a trick the
 * greater number does, and the suit of a card is card / 16.
 */
final class Strategy {
    private static final String SEATS = "NESW";
    private static final int SPADES = 3;
    private static final int NONE = -1;

    private final Map<String, Object> request;
    private final Map<String, Integer> numbers;
    private final List<Integer> hand;
    private final int me;
    /** The partner's seat; NONE in solo play, where each seat is a side of its own. */
    private final int partner;

    Strategy(Map<String, Object> request, String deck) {
        this.request = request;
        numbers = cardsOf(deck);
        hand = numbered(request.get("hand"));
        String seat = (String) request.get("seat");
        me = SEATS.indexOf(seat);
        boolean solo = ((Map<?, ?>) request.get("score")).containsKey(seat);
        partner = solo ? NONE : (me + 2) % 4;
    }

    /** Every card of a deck, by name, with its number. */
    private static Map<String, Integer> cardsOf(String deck) {
        boolean jokers = !deck.equals("standard");
        boolean nyc = deck.equals("jokers_nyc");
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (int suit = 0; suit < 4; suit++) {
            char letter = "CDHS".charAt(suit);
            List<String> names = new ArrayList<>();
            for (char rank : "23456789TJQKA".toCharArray()) {
                names.add("" + rank + letter);
            }
            if (jokers && (letter != 'D' || nyc)) {
                names.remove(0); // this deck has no such two, or has it as a trump
            }
            if (jokers && suit == SPADES) {
                names.addAll(nyc ? List.of("2S", "2D", "LJ", "BJ") : List.of("2S", "LJ", "BJ"));
            }
            for (int height = 0; height < names.size(); height++) {
                numbers.put(names.get(height), 16 * suit + height);
            }
        }
        return numbers;
    }

    private List<Integer> numbered(Object names) {
        List<Integer> cards = new ArrayList<>();
        for (Object name : (List<?>) names) {
            cards.add(numbers.get(name));
        }
        return cards;
    }

    private static int suitOf(int card) {
        return card / 16;
    }

    /** A card's height in its suit, spades over all others. */
    private static int strength(int card) {
        return card % 16 + (suitOf(card) == SPADES ? 16 : 0);
    }

    /** How many of other cards beat this one in its own suit. */
    private static int above(int card, Collection<Integer> others) {
        int count = 0;
        for (int other : others) {
            if (other > card && suitOf(other) == suitOf(card)) {
                count++;
            }
        }
        return count;
    }

    private static List<Integer> those(Collection<Integer> cards, IntPredicate test) {
        return cards.stream().filter(test::test).collect(Collectors.toList());
    }

    /** The first of some numbers that a function is lowest for. */
    private static int least(List<Integer> numbers, IntUnaryOperator value) {
        int found = numbers.get(0);
        for (int number : numbers) {
            if (value.applyAsInt(number) < value.applyAsInt(found)) {
                found = number;
            }
        }
        return found;
    }

    private static int last(List<Integer> numbers) {
        return numbers.get(numbers.size() - 1);
    }

    /** What a seat has bid or taken; NONE if the request does not say, or there is no such seat. */
    private int ofSeat(String what, int seat) {
        if (seat == NONE) {
            return NONE;
        }
        Object number = ((Map<?, ?>) request.get(what)).get(SEATS.substring(seat, seat + 1));
        return number == null ? NONE : ((Long) number).intValue();
    }

    // --- Bidding: hundredths of a trick ---------------------------------------------------------

    /** What small cards take. */
    private static final int ANY_HAND = 80;
    /** An ace, a king and a queen, by how many cards are above them: unguarded, and guarded. */
    private static final int[][] HONOURS = {{95, 95}, {20, 70}, {10, 35}};
    /** Each spade from the fourth on. */
    private static final int LONG_SPADE = 85;
    /** No card, one and two in a side suit, for a hand with a spade. */
    private static final int[] RUFFS = {110, 60, 20};
    /** For a nil, so many unseen cards must be above the lowest cards of each suit. */
    private static final int[] NIL_ABOVE = {6, 3, 1};

    /** The legal bid nearest to the tricks expected; nil where that is safe. */
    int chooseBid() {
        List<Integer> legal = new ArrayList<>();
        for (Object bid : (List<?>) request.get("legal")) {
            legal.add(((Long) bid).intValue());
        }
        if (legal.contains(0) && ofSeat("bids", partner) != 0 && isNil()) {
            return 0;
        }
        int wanted = Math.max(1, expectedTricks() / 100);
        // Of two as near the lower one; nil only where nothing else is legal.
        return least(legal, bid -> bid == 0 ? 99 : Math.abs(bid - wanted));
    }

    private List<Integer> ofSuit(int suit) {
        return those(hand, card -> suitOf(card) == suit);
    }

    private int expectedTricks() {
        int tricks = ANY_HAND;
        for (int suit = 0; suit < 4; suit++) {
            List<Integer> held = ofSuit(suit);
            for (int card : held) {
                int higher = above(card, numbers.values());
                if (higher < HONOURS.length) {
                    tricks += HONOURS[higher][held.size() > higher ? 1 : 0];
                }
            }
            if (suit == SPADES) {
                tricks += LONG_SPADE * Math.max(0, held.size() - 3);
            } else if (held.size() < RUFFS.length && suitOf(last(hand)) == SPADES) {
                tricks += RUFFS[held.size()];
            }
        }
        return tricks;
    }

    /** Whether each suit is low enough to lose all its tricks; at most three spades. */
    private boolean isNil() {
        List<Integer> unseen = those(numbers.values(), card -> !hand.contains(card));
        for (int suit = 0; suit < 4; suit++) {
            List<Integer> held = ofSuit(suit);
            if (suit == SPADES && held.size() > 3) {
                return false;
            }
            for (int place = 0; place < Math.min(held.size(), NIL_ABOVE.length); place++) {
                if (above(held.get(place), unseen) < NIL_ABOVE[place]) {
                    return false;
                }
            }
        }
        return true;
    }

    // --- Passing cards --------------------------------------------------------------------------

    /** Its strongest cards if it has bid nil itself, its weakest otherwise. */
    List<String> choosePassed() {
        int sign = ofSeat("bids", me) == 0 ? -1 : 1;
        List<String> names = new ArrayList<>();
        for (Object name : (List<?>) request.get("hand")) {
            names.add((String) name);
        }
        names.sort(Comparator.comparingInt(name -> sign * strength(numbers.get(name))));
        return names.subList(0, ((Long) request.get("count")).intValue());
    }

    // --- Playing --------------------------------------------------------------------------------

    private List<Integer> legal;
    private List<Integer> unseen;
    /** The suit to follow; NONE before the lead. */
    private int led = NONE;
    /** The card that is winning; NONE before the lead. */
    private int best = NONE;
    /** How many seats play to this trick after this one. */
    private int later;
    /** Tricks to be played, this one included. */
    private int left;
    private boolean partnerWins;
    private boolean myNil;
    private boolean partnersNil;
    /** Tricks that the contracts of this side and of the others still need. */
    private int need;
    private int othersNeed;

    /** Keeps its nil, covers its partner's, makes the contract, breaks theirs; then avoids bags. */
    String chooseCard() {
        countCards();
        countContracts();
        int card;
        if (myNil) {
            card = duck();
        } else if (partnersNil && (partnerWins || later > 1)) {
            card = cover();
        } else if (need > 0 || (othersNeed > 0 && othersNeed >= left - 1)) {
            card = take();
        } else {
            card = duck();
        }
        return (String) ((List<?>) request.get("legal")).get(legal.indexOf(card));
    }

    private void countCards() {
        legal = numbered(request.get("legal"));
        List<Integer> trick = numbered(((Map<?, ?>) request.get("trick")).get("cards"));
        List<?> tricks = (List<?>) request.get("tricks");
        Set<Integer> seen = new HashSet<>(hand);
        seen.addAll(trick);
        for (Object finished : tricks) {
            seen.addAll(numbered(((Map<?, ?>) finished).get("cards")));
        }
        unseen = those(numbers.values(), card -> !seen.contains(card));
        later = 3 - trick.size();
        left = 13 - tricks.size();
        led = trick.isEmpty() ? NONE : suitOf(trick.get(0));
        for (int card : trick) {
            best = canWin(card) ? Math.max(best, card) : best;
        }
        partnerWins =
                partner != NONE && trick.size() > 1 && trick.get(trick.size() - 2) == best;
    }

    private void countContracts() {
        for (int seat = 0; seat < 4; seat++) {
            int bid = ofSeat("bids", seat);
            int taken = ofSeat("taken", seat);
            int missing = bid > 0 ? bid - taken : 0;
            if (seat == me) {
                myNil = bid == 0 && taken == 0;
                need += missing;
            } else if (seat == partner) {
                partnersNil = bid == 0 && taken == 0;
                need += missing;
            } else {
                othersNeed += missing;
            }
        }
    }

    private boolean canWin(int card) {
        return suitOf(card) == led || suitOf(card) == SPADES;
    }

    /** Whether a card beats those on the table, as every card does before the lead. */
    private boolean wins(int card) {
        return led == NONE || (card > best && canWin(card));
    }

    private int above(int card) {
        return above(card, unseen);
    }

    /** Keeps the partner's nil from taking the trick. */
    private int cover() {
        List<Integer> winners = those(legal, this::wins);
        if (winners.isEmpty()) {
            return throwAway();
        }
        return partnerWins ? winners.get(0) : least(winners, this::above);
    }

    /** Takes the trick as cheaply as it can, or lets go what is missed least. */
    private int take() {
        List<Integer> winners = those(legal, this::wins);
        List<Integer> sure = those(winners, card -> above(card) == 0);
        if (led == NONE) { // side suits come before the spades
            return sure.isEmpty() ? throwAway() : sure.get(0);
        }
        if (winners.isEmpty() || (partnerWins && (later == 0 || above(best) == 0))) {
            return throwAway();
        }
        if (later == 0 || suitOf(winners.get(0)) != led) {
            return winners.get(0); // the last card, or a ruff
        }
        if (!sure.isEmpty()) {
            return sure.get(0);
        }
        return later == 2 ? throwAway() : last(winners);
    }

    /** The lowest card, of a side suit if there is one. */
    private int throwAway() {
        return least(legal, Strategy::strength);
    }

    /** Loses the trick, and with it the card most likely to take another. */
    private int duck() {
        if (led == NONE) {
            return least(legal, card -> -above(card));
        }
        List<Integer> losers = those(legal, card -> !wins(card));
        if (!losers.isEmpty()) {
            return least(losers, this::above);
        }
        return later > 0 ? legal.get(0) : last(legal);
    }
}
