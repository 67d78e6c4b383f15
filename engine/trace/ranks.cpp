// SPDX-License-Identifier: MIT
#include "engine/trace/ranks.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace lanes {

std::vector<Rank> parse_ranks(std::string_view text)
{
    std::vector<Rank> ranks;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto* at = text.data();
        const auto* const stop = text.data() + end;
        Rank rank {};
        const auto number = [&](auto& to) {
            at += at != stop && *at == ' ' ? 1 : 0;
            const auto [next, error] = std::from_chars(at, stop, to);
            at = next;
            return error == std::errc {};
        };
        if (number(rank.process) && number(rank.rank) && number(rank.world) && at == stop) {
            ranks.push_back(rank);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return ranks;
}

std::string text_of(const std::vector<Rank>& ranks)
{
    std::string text;
    for (const auto& r : ranks) {
        text += (text.empty() ? "" : "\n") + std::to_string(r.process) + ' ' + std::to_string(r.rank) + ' '
            + std::to_string(r.world);
    }
    return text;
}

std::vector<Rank> told_ranks(const Trace& trace)
{
    std::vector<Rank> ranks;
    if (const auto found = trace.meta.find(meta::ranks); found != trace.meta.end()) {
        ranks = parse_ranks(found->second);
        std::erase_if(ranks, [&](const Rank& rank) {
            return std::none_of(trace.processes.begin(), trace.processes.end(),
                [&](const Process& process) { return process.id == rank.process; });
        });
    }
    if (ranks.empty()) {  // as a launcher gave them
        for (const auto& process : trace.processes) {
            const auto told = trace.meta.find(meta::rank_of(process.id));
            std::int64_t rank = -1;
            if (told != trace.meta.end()
                && std::from_chars(told->second.data(), told->second.data() + told->second.size(), rank).ec
                    == std::errc {}
                && rank >= 0) {
                ranks.push_back({process.id, rank, 0});
            }
        }
        for (auto& rank : ranks) {
            rank.world = static_cast<std::int64_t>(ranks.size());
        }
    }
    return ranks;
}

std::vector<Rank> ranks_of(const Trace& trace)
{
    auto ranks = told_ranks(trace);
    if (ranks.empty()) {
        std::set<std::uint32_t> busy;
        for (Row row = 0; row < trace.streams.size(); ++row) {
            if (!trace.operations_of(row).empty()) {
                busy.insert(trace.streams[row].process);
            }
        }
        if (busy.size() > 1) {
            for (const auto process : busy) {
                ranks.push_back(
                    {process, static_cast<std::int64_t>(ranks.size()), static_cast<std::int64_t>(busy.size())});
            }
        }
    }
    std::stable_sort(ranks.begin(), ranks.end(), [](const Rank& a, const Rank& b) { return a.rank < b.rank; });
    return ranks;
}

}  // namespace lanes
