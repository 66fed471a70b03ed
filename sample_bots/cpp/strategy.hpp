// What the bot decides, from one request and the deck alone.

#pragma once

#include <string>
#include <vector>

#include "wire.hpp"

// The legal bid nearest to the tricks expected; nil where that is safe.
int choose_bid(const Json &request, const std::string &deck);

// Its strongest cards if it has bid nil itself, its weakest otherwise.
std::vector<std::string> choose_passed(const Json &request, const std::string &deck);

// Keeps its nil, covers its partner's, makes the contract, breaks theirs; then avoids bags.
std::string choose_card(const Json &request, const std::string &deck);
