#!/usr/bin/env bash
# A Spades bot: what it does with each message. How it decides is in strategy.sh.

set -u
cd "${BASH_SOURCE[0]%/*}"
source ./wire.sh
source ./strategy.sh

decide() {
    case ${message[type]:-} in
    hello)
        set_deck "${message[rules.deck]}" # all that it remembers; a request carries the rest
        ;;
    bid)
        choose_bid
        found="\"bid\":$found"
        ;;
    exchange)
        choose_passed
        found="\"cards\":[$found]"
        ;;
    play)
        choose_card
        found="\"card\":\"$found\""
        ;;
    esac # declines a blind nil, and what a later version may ask
}

set_deck standard
run
