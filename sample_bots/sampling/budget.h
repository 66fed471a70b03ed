// How much a decision may cost: a number of steps, and a clock that should never matter.
//
// A bot that thinks until its time is up plays otherwise on every machine and every day. This one
// counts its steps (a card played in an imagined deal is one), so that it answers a request the
// same way each time. The clock is a brake for machines that are far too slow for so many steps.

#pragma once

#include <algorithm>
#include <chrono>

class Budget {
   public:
    // Begins now. `move_ms` and `bank_ms` are what the arena leaves for this reply and the match.
    Budget(long steps, double move_ms, double bank_ms)
        : steps_(steps),
          deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       Milliseconds(allowed_ms(move_ms, bank_ms)))) {}

    void spend(long steps) { spent_ += steps; }
    // Whether a part of the steps, from 0 to 1, is used up, or the time is.
    bool used(double part) {
        if (!late_ && Clock::now() >= deadline_) late_ = true;
        return late_ || static_cast<double>(spent_) >= part * static_cast<double>(steps_);
    }
    bool late() const { return late_; }
    long steps() const { return steps_; }

   private:
    using Clock = std::chrono::steady_clock;
    using Milliseconds = std::chrono::duration<double, std::milli>;

    // A quarter of the time for a move, as the rest may go to a scheduler that is busy elsewhere;
    // and of a bank a part so small that it outlasts the longest match.
    static double allowed_ms(double move_ms, double bank_ms) {
        return std::max(0.0, std::min({move_ms / 4, bank_ms / 100, 60'000.0}));
    }

    long steps_, spent_ = 0;
    Clock::time_point deadline_;
    bool late_ = false;
};
