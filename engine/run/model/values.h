// SPDX-License-Identifier: MIT
// What a stretch of memory holds: runs of words with the same double.
//
// Invariant: `rest` is sorted by `begin`, which is above 0; neighbours differ. A
// run lasts to the next one's begin. Values are compared by their bits, so that a
// NaN equals itself.
// Cost: linear in the runs; there is one unless parts were written.
#pragma once

#include <cstdint>
#include <vector>

namespace lanes::model {

class Values {
public:
    explicit Values(double value = 0)
        : m_first(value)
    {
    }

    /// The value of the word at byte `offset`.
    double at(std::uint64_t offset) const;

    /// The values in [offset, offset + bytes), moved to 0.
    Values slice(std::uint64_t offset, std::uint64_t bytes) const;

    /// Puts the first `bytes` of `source` at `offset` of this, which is `size` bytes long. Needs offset + bytes <=
    /// size.
    void write(std::uint64_t size, std::uint64_t offset, std::uint64_t bytes, const Values& source);

    friend Values sum_of(const std::vector<Values>& summands, std::uint64_t size);
    friend std::uint64_t wrong_bytes(const Values& a, const Values& b, std::uint64_t size);

private:
    struct Run {
        std::uint64_t begin;
        double value;
    };
    void append(std::uint64_t begin, double value);

    double m_first;
    std::vector<Run> m_rest;
};

/// Word by word, of the first `size` bytes. One summand keeps its bits; none is 0.
Values sum_of(const std::vector<Values>& summands, std::uint64_t size);

/// Bytes of the first `size` in which the two differ, whole words counted.
std::uint64_t wrong_bytes(const Values& a, const Values& b, std::uint64_t size);

/// The double whose bytes are all `byte`: what a memset leaves.
double value_of_bytes(std::uint8_t byte);

}  // namespace lanes::model
