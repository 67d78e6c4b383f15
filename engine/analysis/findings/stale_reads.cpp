// SPDX-License-Identifier: MIT
// Reads that found old bytes: they cost no time, but the result is wrong.
#include "engine/analysis/findings/search.h"
#include "engine/analysis/words/shown.h"

namespace lanes {

std::optional<Finding> find_stale_reads(const Search& search)
{
    const auto& trace = search.trace;
    Finding finding;
    finding.rule = "stale-read";
    std::vector<std::pair<std::uint64_t, Row>> stale;
    for (const Row row : search.report.reads) {
        if (const auto wrong = trace.reads[row].wrong_bytes; wrong > 0) {
            finding.stale_bytes += wrong;
            stale.emplace_back(wrong, row);
        }
    }
    if (stale.empty()) {
        return {};
    }
    std::stable_sort(stale.begin(), stale.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    finding.count = stale.size();
    for (std::size_t i = 0; i < std::min(stale.size(), most_evidence); ++i) {
        finding.evidence.push_back({EventTable::reads, stale[i].second});
    }
    const auto& worst = trace.reads[stale.front().second];
    finding.title = {finding.count == 1 ? "finding.stale-read.title" : "finding.stale-read.titles",
        {{"buffer", std::string(trace.text(worst.buffer))}, {"count", std::to_string(finding.count)}}};
    finding.advice = {
        "finding.stale-read.advice", {{"wrong", shown_bytes(worst.wrong_bytes)}, {"bytes", shown_bytes(worst.bytes)}}};
    return finding;
}

}  // namespace lanes
