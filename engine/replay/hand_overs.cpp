// SPDX-License-Identifier: MIT
#include "engine/replay/hand_overs.h"

#include <map>
#include <set>

namespace lanes::replay {

namespace {

constexpr Ns handed_over = 20'000;  // a thread that did nothing for longer may have waited for another one

}  // namespace

void assume_hand_overs(const Trace& trace, Script& script)
{
    std::set<std::uint32_t> queued;  // processes whose hand-overs are recorded
    for (const auto& span : trace.host_spans) {
        if (span.thread != no_row) {
            queued.insert(trace.threads[span.thread].process);
        }
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> threads;  // by process
    for (std::uint32_t thread = 0; thread + 1 < script.first_item.size(); ++thread) {
        const auto process = trace.threads[thread].process;
        if (script.first_item[thread] < script.first_item[thread + 1] && !queued.contains(process)) {
            threads[process].push_back(thread);
        }
    }
    for (const auto& [process, of] : threads) {
        std::vector<std::uint32_t> next(of.size());
        for (std::size_t i = 0; of.size() > 1 && i < of.size(); ++i) {
            for (std::size_t other = 0; other < of.size(); ++other) {
                next[other] = script.first_item[of[other]];
            }
            for (auto index = script.first_item[of[i]]; index < script.first_item[of[i] + 1]; ++index) {
                auto& item = script.items[index];
                const Ns before = item.start - item.gap;
                if (item.gap <= handed_over) {
                    continue;
                }
                std::uint32_t last = none;
                for (std::size_t other = 0; other < of.size(); ++other) {
                    auto& at = next[other];
                    const auto end = script.first_item[of[other] + 1];
                    while (other != i && at < end && script.items[at].end <= item.start) {
                        ++at;
                    }
                    if (other == i || at == script.first_item[of[other]]) {
                        continue;
                    }
                    const auto& done = script.items[at - 1];
                    if (done.end > before && (last == none || done.end > script.items[last].end)) {
                        last = at - 1;
                    }
                }
                if (last != none) {
                    item.behind = last;
                    item.gap = item.start - script.items[last].end;
                    item.inferred = true;
                    ++script.gaps.inferred;
                }
            }
        }
    }
}

}  // namespace lanes::replay
