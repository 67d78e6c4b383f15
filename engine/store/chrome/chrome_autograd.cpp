// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_autograd.h"

#include <algorithm>

namespace lanes {

void ChromeAutograd::take(const ChromeEvent& event, std::uint32_t process, std::uint64_t id)
{
    if (event.sequence < 0 && event.forward_thread <= 0) {
        return;
    }
    const auto small = [](std::int64_t number, std::uint32_t otherwise) {
        return number >= 0 && number < no_id ? static_cast<std::uint32_t>(number) : otherwise;
    };
    m_records.push_back({id, 0, process, small(event.sequence, no_id), small(event.forward_thread, 0), 0});
}

bool ChromeAutograd::is_arrow(const ChromeEvent& event)
{
    // The second was its name until 2022.
    return (event.category == "fwdbwd" || event.category == "forward_backward") && event.phase != 't';
}

void ChromeAutograd::arrow(const ChromeEvent& event, std::uint32_t process, std::uint32_t thread)
{
    auto& arrow = m_arrows[std::to_string(process) + ' ' + std::string(event.id)];
    Place& place = event.phase == 's' ? arrow.from : arrow.to;
    place = {};
    place.process = process;
    place.thread = thread;
    if (event.start) {
        place.time = *event.start;
        place.there = true;
    }
}

AutogradRecord* ChromeAutograd::of(std::uint64_t range)
{
    const auto found = std::lower_bound(m_records.begin(), m_records.end(), range,
        [](const AutogradRecord& of, std::uint64_t id) { return of.range < id; });
    return found == m_records.end() || found->range != range ? nullptr : &*found;
}

bool ChromeAutograd::join(const Arrow& arrow, const Candidates& candidates, std::vector<AutogradRecord>& unnumbered)
{
    const auto from = candidates.find(arrow.from);
    const auto to = candidates.find(arrow.to);
    if (!arrow.from.there || !arrow.to.there || from->second.empty() || to->second.empty()) {
        return false;
    }
    const auto best = [](const std::vector<Candidate>& all, auto is_likely) {
        return *std::min_element(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) {
            const bool likely = is_likely(a.range);
            return likely != is_likely(b.range) ? likely : a.duration < b.duration;
        });
    };
    const auto backward = best(to->second, [this](std::uint64_t range) {
        const auto* const known = of(range);
        return known != nullptr && known->forward_thread != 0;
    });
    auto* known = of(backward.range);
    if (known == nullptr) {
        known = &unnumbered.emplace_back(AutogradRecord {backward.range, 0, arrow.to.process, no_id, 1, 0});
    }
    const auto forward = best(from->second, [&](std::uint64_t range) {
        const auto* const operator_ = of(range);
        return known->number != no_id && operator_ != nullptr && operator_->number == known->number
            && operator_->forward_thread == 0;
    });
    known->forward = forward.range;
    return true;
}

std::size_t ChromeAutograd::join_arrows(std::span<const RangeRecord> ranges)
{
    Candidates candidates;
    for (const auto& [id, arrow] : m_arrows) {
        candidates[arrow.from];
        candidates[arrow.to];
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const auto& r = ranges[i];
        if (r.edge != RangeRecord::begin) {
            continue;
        }
        if (const auto found = candidates.find({r.process, r.thread, r.time, true}); found != candidates.end()) {
            const bool ends
                = i + 1 < ranges.size() && ranges[i + 1].edge == RangeRecord::finish && ranges[i + 1].id == r.id;
            found->second.push_back({r.id, ends ? ranges[i + 1].time - r.time : std::numeric_limits<Ns>::max()});
        }
    }
    std::vector<AutogradRecord> unnumbered;
    std::size_t lone = 0;
    for (const auto& [id, arrow] : m_arrows) {
        lone += join(arrow, candidates, unnumbered) ? 0 : 1;
    }
    m_records.insert(m_records.end(), unnumbered.begin(), unnumbered.end());
    return lone;
}

std::size_t ChromeAutograd::finish(std::span<const RangeRecord> ranges, bool own, TraceBuilder& builder)
{
    std::size_t lone = 0;
    if (!m_arrows.empty()) {
        lone = join_arrows(ranges);
    } else if (!own) {
        for (auto& r : m_records) {
            r.search = 1;
        }
    }
    builder.take(std::move(m_records));
    return lone;
}

}  // namespace lanes
