// Numbers that look random and are the same on every machine (SplitMix64, by Sebastiano Vigna).

#pragma once

#include <cstdint>

class Random {
   public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    // Another start for whatever is mixed in.
    Random& mix(std::uint64_t value) {
        state_ = word() ^ value;
        return *this;
    }
    std::uint64_t word() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    double unit() { return static_cast<double>(word() >> 11) * 0x1p-53; }  // from 0, below 1
    int below(int n) {
        return static_cast<int>((word() >> 32) * static_cast<std::uint64_t>(n) >> 32);
    }

   private:
    std::uint64_t state_;
};
