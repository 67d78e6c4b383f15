// SPDX-License-Identifier: MIT
// Autograd's data in a Chrome trace: numbers of PyTorch's operators, and arrows from forward to backward; private to
// engine/store.
#pragma once

#include "engine/store/chrome/chrome_event.h"
#include "engine/trace/trace_builder.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace lanes {

class ChromeAutograd {
public:
    /// An event that became the range `id` of `process`; ids ascend.
    void take(const ChromeEvent& event, std::uint32_t process, std::uint64_t id);
    /// Whether it is an arrow with the category that PyTorch gives to those from forward to backward.
    static bool is_arrow(const ChromeEvent& event);
    /// One end of an arrow.
    void arrow(const ChromeEvent& event, std::uint32_t process, std::uint32_t thread);

    /// Gives all to `builder`; `ranges` are those of the file. An arrow points from the start of one to the start of
    /// another. Of several that start there, it means one with the number of the range that it points to, else the
    /// innermost. In a file without arrows only the numbers say what belongs together. Returns how many arrows join no
    /// two ranges. `own`: the file is one of ours, in which the arrows are complete.
    std::size_t finish(std::span<const RangeRecord> ranges, bool own, TraceBuilder& builder);

private:
    struct Place {
        std::uint32_t process = 0, thread = 0;
        Ns time = 0;
        bool there = false;
        friend bool operator==(const Place&, const Place&) = default;
    };
    struct PlaceHash {
        std::size_t operator()(const Place& place) const
        {
            const auto thread = std::uint64_t {place.process} << 32U | place.thread;
            return std::hash<std::uint64_t> {}(
                (static_cast<std::uint64_t>(place.time) ^ thread * 0x9E3779B97F4A7C15ULL) * 0xC2B2AE3D27D4EB4FULL);
        }
    };
    struct Arrow {
        Place from, to;
    };
    struct Candidate {
        std::uint64_t range;
        Ns duration;
    };
    using Candidates = std::unordered_map<Place, std::vector<Candidate>, PlaceHash>;

    AutogradRecord* of(std::uint64_t range);
    std::size_t join_arrows(std::span<const RangeRecord> ranges);
    bool join(const Arrow& arrow, const Candidates& candidates, std::vector<AutogradRecord>& unnumbered);

    std::vector<AutogradRecord> m_records;
    std::unordered_map<std::string, Arrow> m_arrows;  ///< by process and id
};

}  // namespace lanes
