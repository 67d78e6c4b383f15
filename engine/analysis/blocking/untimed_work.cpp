// SPDX-License-Identifier: MIT
#include "engine/analysis/blocking/untimed_work.h"

#include <algorithm>

namespace lanes {

std::uint64_t UntimedWork::last_of(Row stream) const
{
    const auto known = m_processes.find(m_trace.streams[stream].process);
    return std::max(m_streams[stream].last, known == m_processes.end() ? 0 : known->second);
}

void UntimedWork::outlast(Row stream, Reach& waited)
{
    if (none()) {
        return;
    }
    m_streams[stream].done = last_of(stream);
    if (any(waited)) {
        auto parts = *waited;
        for (auto& part : parts) {
            part.done = std::max(part.done, part.last);
        }
        waited = std::make_shared<const std::vector<Submitted>>(std::move(parts));
    }
}

void UntimedWork::extend(Reach& reach, Row stream) const
{
    if (none()) {
        return;
    }
    const auto& of = m_streams[stream];
    const Submitted now {stream, last_of(stream), of.done};
    if (now.last == 0) {
        return;
    }
    if (of.own == nullptr || of.own->front() != now) {
        of.own = std::make_shared<const std::vector<Submitted>>(1, now);
    }
    extend(reach, of.own);
}

void UntimedWork::extend(Reach& reach, const Reach& other)
{
    if (reach == nullptr) {
        reach = other;
    } else if (other != nullptr && reach != other) {
        auto parts = *reach;
        parts.insert(parts.end(), other->begin(), other->end());
        reach = united(std::move(parts));
    }
}

UntimedWork::Reach UntimedWork::united(std::vector<Submitted> parts)
{
    if (parts.empty()) {
        return nullptr;
    }
    std::sort(parts.begin(), parts.end(), [](const Submitted& a, const Submitted& b) { return a.stream < b.stream; });
    std::size_t kept = 0;
    for (const auto& part : parts) {
        if (kept > 0 && parts[kept - 1].stream == part.stream) {
            auto& both = parts[kept - 1];
            both.last = std::max(both.last, part.last);
            both.done = std::max(both.done, part.done);
        } else {
            parts[kept++] = part;
        }
    }
    parts.resize(kept);
    return std::make_shared<const std::vector<Submitted>>(std::move(parts));
}

bool UntimedWork::any(const Reach& reach)
{
    return reach != nullptr
        && std::any_of(reach->begin(), reach->end(), [](const Submitted& part) { return part.last > part.done; });
}

}  // namespace lanes
