// SPDX-License-Identifier: MIT
#include "engine/run/cuda/expected_contents.h"

#include "engine/workload/effects.h"
#include "engine/workload/read_sample.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>
#include <set>

namespace lanes {

namespace {

/// Sets of buffers that copies join, as a forest.
class Joined {
public:
    explicit Joined(std::size_t count)
        : m_parent(count)
    {
        std::iota(m_parent.begin(), m_parent.end(), 0U);
    }
    Index root(Index buffer)
    {
        while (m_parent[buffer] != buffer) {
            buffer = m_parent[buffer] = m_parent[m_parent[buffer]];
        }
        return buffer;
    }
    void join(Index a, Index b) { m_parent[root(a)] = root(b); }

private:
    std::vector<Index> m_parent;
};

template <class Visit> void each_write(const Program& program, const Visit& visit)
{
    each_effects(program, [&](const Effects& effects, const Instruction&, Index) {
        for (const Access& access : effects.accesses) {
            if (access.kind == Access::Kind::write) {
                visit(access);
            }
        }
    });
}

}  // namespace

ExpectedContents::ExpectedContents(const Program& program)
{
    const auto count = program.buffers.size();
    Joined joined(count);
    each_effects(program, [&](const Effects& effects, const Instruction&, Index) {
        for (const Access& access : effects.accesses) {
            if (effects.joins_streams) {  // what a collective adds up are segments
                joined.join(effects.accesses.front().buffer, access.buffer);
            } else if (access.copied_from != no_id) {
                joined.join(access.copied_from, access.buffer);
            }
        }
    });
    std::map<Index, std::set<std::uint64_t>> cuts;  // by root
    for (Index b = 0; b < count; ++b) {
        m_bytes.push_back(program.buffers[b].bytes);
        m_initial.push_back(std::bit_cast<std::uint64_t>(program.buffers[b].initial_value));
        cuts[joined.root(b)].insert(program.buffers[b].bytes);
    }
    each_write(program, [&](const Access& write) {
        auto& places = cuts[joined.root(write.buffer)];
        places.insert(write.offset);
        places.insert(write.offset + write.bytes);
    });
    std::map<Index, std::shared_ptr<const std::vector<std::uint64_t>>> ends;
    for (auto& [root, places] : cuts) {
        places.erase(0);
        ends[root] = std::make_shared<const std::vector<std::uint64_t>>(places.begin(), places.end());
    }
    for (Index b = 0; b < count; ++b) {
        const auto& mine = ends[joined.root(b)];
        const auto last = std::lower_bound(mine->begin(), mine->end(), m_bytes[b]);
        const auto segments = static_cast<std::uint32_t>(last - mine->begin()) + (last != mine->end() ? 1 : 0);
        m_ends.push_back(mine);
        m_buffers.push_back({m_count, std::max(segments, 1U)});
        m_count += m_buffers.back().count;
    }
    m_words = std::make_unique<std::atomic<std::uint64_t>[]>(m_count);
    reset();
}

SegmentSpan ExpectedContents::span_of(Index buffer) const
{
    return m_buffers[buffer];
}

SegmentSpan ExpectedContents::span_of(Index buffer, std::uint64_t offset, std::uint64_t bytes) const
{
    const auto& ends = *m_ends[buffer];
    const auto first = std::upper_bound(ends.begin(), ends.end(), offset) - ends.begin();
    const auto last = std::lower_bound(ends.begin(), ends.end(), offset + bytes) - ends.begin();
    return {m_buffers[buffer].first + static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - first) + 1};
}

std::uint64_t ExpectedContents::wrong_bytes(Index buffer, const void* data) const
{
    const auto* const bytes = static_cast<const std::byte*>(data);
    const auto span = m_buffers[buffer];
    std::uint64_t wrong = 0;
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i < span.count && at < m_bytes[buffer]; ++i) {
        const std::uint64_t word = m_words[span.first + i].load(std::memory_order_relaxed);
        const std::uint64_t end = std::min((*m_ends[buffer])[i], m_bytes[buffer]);
        const auto one_byte
            = [&](std::uint64_t place) { wrong += bytes[place] != static_cast<std::byte>(word >> (place % 8 * 8)); };
        for (; at < end && at % 8 != 0; ++at) {
            one_byte(at);
        }
        const auto word_differs = [&](std::uint64_t place) {
            std::uint64_t found;
            std::memcpy(&found, bytes + place, 8);
            return found != word;
        };
        for (; end - at > read_in_full; at += read_page) {
            wrong += word_differs(at) ? read_page : 0;
        }
        for (; at + 8 <= end; at += 8) {
            wrong += word_differs(at) ? 8 : 0;
        }
        for (; at < end; ++at) {
            one_byte(at);
        }
    }
    return wrong;
}

void ExpectedContents::reset()
{
    for (Index b = 0; b < m_buffers.size(); ++b) {
        set(m_buffers[b], m_initial[b]);
    }
}

}  // namespace lanes
