// How much a decision may cost: a number of steps, and a clock that should never matter.
//
// A bot that thinks until its time is up plays otherwise on every machine and every day. This one
// counts steps (a card chosen in an imagined deal is one), so that it answers a request the same
// way each time. Short clocks make the number smaller, by what a slow machine can do in a part of
// them; the clock itself is the brake for when even that was too much.

#pragma once

#include <algorithm>
#include <chrono>

class Budget {
   public:
    // Begins now. `move_ms` and `bank_ms` are what the arena leaves for this reply and the match.
    Budget(long steps, double move_ms, double bank_ms)
        : ms_(allowed_ms(move_ms, bank_ms)),
          steps_(std::min(steps, static_cast<long>(ms_ * STEPS_A_MS))),
          deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double, std::milli>(ms_))) {}

    long steps() const { return steps_; }
    void spend(long steps) { spent_ += steps; }
    bool used() { return spent_ >= steps_ || is_late(); }
    bool is_late() {
        if (!late_ && Clock::now() >= deadline_) late_ = true;
        return late_;
    }

   private:
    using Clock = std::chrono::steady_clock;
    static constexpr double STEPS_A_MS = 2'000;  // a core of 2023 does 7,000
    static constexpr double LONGEST_MS = 60'000;

    // A quarter of the time for a move, as the rest may go to a scheduler that is busy elsewhere;
    // and of a bank a part so small that it outlasts the longest match.
    static double allowed_ms(double move_ms, double bank_ms) {
        return std::max(0.0, std::min({move_ms / 4, bank_ms / 100, LONGEST_MS}));
    }

    double ms_;
    long steps_, spent_ = 0;
    Clock::time_point deadline_;
    bool late_ = false;
};
