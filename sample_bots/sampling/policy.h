// How a seat plays that thinks for no time: the player of all seats in the deals that are imagined.
//
// It sees its own hand and what all have seen, never the other hands, though in an imagined deal
// they are there: so what it makes of a position is what one can make of it at a table.

#pragma once

#include "budget.h"
#include "table.h"

Card usual_card(const Table& table);

// Plays a deal to its end, all seats alike; each card is a step.
void play_out(Table& table, Budget& budget);
