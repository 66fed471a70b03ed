# What the bot decides, from $message (wire.sh) and the deck alone. This is the file to change.
#
# README.md says the strategy in words. A card is a number: 16 times its suit (clubs, diamonds,
# hearts, spades are 0 to 3) plus its height in that suit. So of two cards that can win a trick
# the greater number does. A function gives what it has found in $found.

SPADES=3
NONE=-1
SEATS=(N E S W)

declare -A number=([N]=0 [E]=1 [S]=2 [W]=3)
# Of a seat, and of a card of the deck, by name.
declare -a name all_cards
# The names of the cards, by number; all their numbers.

set_deck() {
    local deck=$1 suit letter ranks rank card
    name=() all_cards=()
    for suit in 0 1 2 3; do
        letter=CDHS
        letter=${letter:suit:1}
        ranks="2 3 4 5 6 7 8 9 T J Q K A"
        if [[ $deck != standard && ($letter != D || $deck == jokers_nyc) ]]; then
            ranks=${ranks#2 } # this deck has no such two, or has it as a trump
        fi
        card=$((16 * suit))
        for rank in $ranks; do
            name[card++]=$rank$letter
        done
    done
    case $deck in
    jokers) name+=(2S LJ BJ) ;;
    jokers_nyc) name+=(2S 2D LJ BJ) ;;
    esac
    for card in "${!name[@]}"; do
        number[${name[card]}]=$card
        all_cards+=("$card")
    done
}

# Puts the numbers of cards into an array: numbered hand "2C AS".
numbered() {
    local -n into=$1
    local each
    into=()
    for each in $2; do
        into+=("${number[$each]}")
    done
}

# How many of other cards beat a card in its own suit: above CARD OTHERS...
above() {
    local card=$1 end=$((($1 / 16 + 1) * 16)) other
    shift
    found=0
    for other; do
        if ((card < other && other < end)); then
            found=$((found + 1))
        fi
    done
}

# The cards of the deck that are not among others, into the array `unseen`.
set_unseen() {
    local card
    local -a is_seen=()
    for card; do
        is_seen[card]=1
    done
    unseen=()
    for card in "${all_cards[@]}"; do
        if [[ -z ${is_seen[card]:-} ]]; then
            unseen+=("$card")
        fi
    done
}

# The partner's seat, or NONE in solo play, where each seat is a side of its own.
set_partner() {
    me=${number[${message[seat]}]}
    partner=$(((me + 2) % 4))
    if [[ -n ${message[score.${message[seat]}]:-} ]]; then
        partner=$NONE
    fi
}

# What a seat has bid or taken, or NONE: of_seat bids 2
of_seat() {
    found=$NONE
    if (($2 != NONE)); then
        found=${message[$1.${SEATS[$2]}]:-$NONE}
    fi
}

# --- Bidding: hundredths of a trick ---------------------------------------------------------------

ANY_HAND=80 # what small cards take
# An ace, a king and a queen, by how many cards are above them: unguarded, and guarded.
UNGUARDED=(95 20 10)
GUARDED=(95 70 35)
LONG_SPADE=85       # each spade from the fourth on
RUFFS=(110 60 20)   # no card, one and two in a side suit, for a hand with a spade
NIL_ABOVE=(6 3 1)   # for a nil, unseen cards above the lowest cards of each suit

# The legal bid nearest to the tricks expected; nil where that is safe.
choose_bid() {
    local -a hand unseen
    local me partner wanted bid distance nearest=99
    numbered hand "${message[hand]}"
    set_unseen "${hand[@]}"
    set_partner
    of_seat bids "$partner"
    if [[ " ${message[legal]} " == *" 0 "* ]] && ((found != 0)) && is_nil; then
        found=0
        return
    fi
    set_expected_tricks
    wanted=$((tricks < 100 ? 1 : tricks / 100))
    found=0 # nil only where nothing else is legal
    for bid in ${message[legal]}; do # of two as near the lower one
        distance=$((bid < wanted ? wanted - bid : bid - wanted))
        if ((bid > 0 && distance < nearest)); then
            nearest=$distance
            found=$bid
        fi
    done
}

set_held() { # the cards of one suit in hand
    local card
    held=()
    for card in "${hand[@]}"; do
        if ((card / 16 == $1)); then
            held+=("$card")
        fi
    done
}

set_expected_tricks() {
    local suit card
    local -a held
    tricks=$ANY_HAND
    for suit in 0 1 2 3; do
        set_held "$suit"
        for card in ${held[@]+"${held[@]}"}; do
            above "$card" "${all_cards[@]}"
            if ((found < 3)); then
                tricks=$((tricks + (${#held[@]} > found ? GUARDED[found] : UNGUARDED[found])))
            fi
        done
        if ((suit == SPADES)); then
            tricks=$((tricks + (${#held[@]} > 3 ? LONG_SPADE * (${#held[@]} - 3) : 0)))
        elif ((${#held[@]} < 3 && hand[-1] / 16 == SPADES)); then
            tricks=$((tricks + RUFFS[${#held[@]}]))
        fi
    done
}

# Whether each suit is low enough to lose all its tricks; at most three spades.
is_nil() {
    local suit place
    local -a held
    for suit in 0 1 2 3; do
        set_held "$suit"
        if ((suit == SPADES && ${#held[@]} > 3)); then
            return 1
        fi
        for ((place = 0; place < ${#held[@]} && place < 3; place++)); do
            above "${held[place]}" "${unseen[@]}"
            if ((found < NIL_ABOVE[place])); then
                return 1
            fi
        done
    done
}

# --- Passing cards --------------------------------------------------------------------------------

# Its strongest cards if it has bid nil itself, its weakest otherwise.
choose_passed() {
    local -a hand
    local card chosen strength best sign=-1 passed="" count=${message[count]}
    numbered hand "${message[hand]}"
    if [[ ${message[bids.${message[seat]}]} == 0 ]]; then
        sign=1
    fi
    while ((count-- > 0)); do
        chosen=$NONE
        for card in "${hand[@]}"; do
            set_strength "$card"
            if [[ $passed != *"${name[card]}"* ]] &&
                ((chosen == NONE || sign * strength > best)); then
                chosen=$card
                best=$((sign * strength))
            fi
        done
        passed+="${passed:+,}\"${name[chosen]}\""
    done
    found=$passed
}

# A card's height in its suit, spades over all others.
set_strength() {
    strength=$(($1 % 16 + ($1 / 16 == SPADES ? 16 : 0)))
}

# --- Playing --------------------------------------------------------------------------------------

# Keeps its nil, covers its partner's, makes the contract, breaks theirs; then avoids bags.
choose_card() {
    local -a legal unseen winners=() losers=()
    local me partner led=$NONE best=$NONE later left partner_wins=0
    local my_nil=0 partners_nil=0 need=0 others_need=0
    count_cards
    count_contracts
    if ((my_nil)); then
        duck
    elif ((partners_nil && (partner_wins || later > 1))); then
        cover
    elif ((need > 0 || (others_need > 0 && others_need >= left - 1))); then
        take
    else
        duck
    fi
    found=${name[found]}
}

# The cards: `led`, the suit to follow, and `best`, the card that is winning, are NONE before the
# lead; `later` is how many seats play to this trick after this one; `left` are the tricks to be
# played, this one included; `winners` are the legal cards that beat those on the table, as every
# card does before the lead.
count_cards() {
    local -a trick seen
    local card played="${message[hand]} ${message[trick.cards]}" finished=0
    while [[ -n ${message[tricks.$finished.cards]:-} ]]; do
        played+=" ${message[tricks.$finished.cards]}"
        finished=$((finished + 1))
    done
    numbered seen "$played"
    set_unseen "${seen[@]}"
    numbered legal "${message[legal]}"
    numbered trick "${message[trick.cards]}"
    left=$((13 - finished))
    later=$((3 - ${#trick[@]}))
    for card in ${trick[@]+"${trick[@]}"}; do
        if ((led == NONE)); then
            led=$((card / 16))
        fi
        if ((card > best && (card / 16 == led || card / 16 == SPADES))); then
            best=$card
        fi
    done
    set_partner
    if ((partner != NONE && ${#trick[@]} > 1)); then
        partner_wins=$((trick[-2] == best))
    fi
    for card in "${legal[@]}"; do
        if ((led == NONE || (card > best && (card / 16 == led || card / 16 == SPADES)))); then
            winners+=("$card")
        else
            losers+=("$card")
        fi
    done
}

# The contracts: nils that stand, and the tricks that this side and the others still need.
count_contracts() {
    local seat bid taken missing
    for seat in 0 1 2 3; do
        of_seat bids "$seat"
        bid=$found
        of_seat taken "$seat"
        taken=$found
        missing=$((bid > 0 ? bid - taken : 0))
        if ((seat == me)); then
            my_nil=$((bid == 0 && taken == 0))
            need=$((need + missing))
        elif ((seat == partner)); then
            partners_nil=$((bid == 0 && taken == 0))
            need=$((need + missing))
        else
            others_need=$((others_need + missing))
        fi
    done
}

# The first of some cards that most, or fewest, unseen cards are above.
most_above() {
    extreme 1 "$@"
}

fewest_above() {
    extreme -1 "$@"
}

extreme() {
    local sign=$1 card chosen=$NONE highest
    shift
    for card; do
        above "$card" "${unseen[@]}"
        if ((chosen == NONE || sign * found > highest)); then
            chosen=$card
            highest=$((sign * found))
        fi
    done
    found=$chosen
}

# Keeps the partner's nil from taking the trick.
cover() {
    if ((${#winners[@]} == 0)); then
        throw_away
    elif ((partner_wins)); then
        found=${winners[0]}
    else
        fewest_above "${winners[@]}"
    fi
}

# Takes the trick as cheaply as it can, or lets go what is missed least.
take() {
    local -a sure=()
    local card
    for card in ${winners[@]+"${winners[@]}"}; do
        above "$card" "${unseen[@]}"
        if ((found == 0)); then
            sure+=("$card")
        fi
    done
    if ((led == NONE)); then
        if ((${#sure[@]} == 0)); then
            throw_away
        else
            found=${sure[0]} # side suits come before the spades
        fi
        return
    fi
    above "$best" "${unseen[@]}"
    if ((${#winners[@]} == 0 || (partner_wins && (later == 0 || found == 0)))); then
        throw_away
    elif ((later == 0 || winners[0] / 16 != led)); then
        found=${winners[0]} # the last card, or a ruff
    elif ((${#sure[@]} > 0)); then
        found=${sure[0]}
    elif ((later == 2)); then
        throw_away
    else
        found=${winners[-1]}
    fi
}

# The lowest card, of a side suit if there is one.
throw_away() {
    local card strength lowest=99
    for card in "${legal[@]}"; do
        set_strength "$card"
        if ((strength < lowest)); then
            lowest=$strength
            found=$card
        fi
    done
}

# Loses the trick, and with it the card most likely to take another.
duck() {
    if ((led == NONE)); then
        most_above "${legal[@]}"
    elif ((${#losers[@]} > 0)); then
        fewest_above "${losers[@]}"
    elif ((later > 0)); then
        found=${legal[0]}
    else
        found=${legal[-1]}
    fi
}
