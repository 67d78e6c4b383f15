// SPDX-License-Identifier: MIT
// What a spool holds, for tests: its records by kind, and its texts.
#pragma once

#include "probes/spool.h"

#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lanes {

class Spooled {
public:
    /// An empty or missing file holds nothing.
    explicit Spooled(const std::string& path)
    {
        try {
            m_end = read_spool(path, [this](const SpoolChunk& chunk) { take(chunk, AllRecords {}); });
        } catch (const std::exception&) {
        }
    }

    template <Record R> const std::vector<R>& of() const { return std::get<std::vector<R>>(m_records); }

    /// The text of an id; a test's spool has one writer, or all write the same ids.
    std::string text(StringId id) const
    {
        const auto found = m_texts.find(id);
        return found == m_texts.end() ? std::string() : found->second;
    }
    const std::map<std::string, std::string>& meta() const { return m_meta; }
    const SpoolEnd& end() const { return m_end; }

    std::uint64_t dropped() const
    {
        std::uint64_t count = 0;
        for (const auto& record : of<DroppedRecord>()) {
            count += record.count;
        }
        return count;
    }

private:
    template <class... Rs> void take(const SpoolChunk& chunk, RecordList<Rs...>)
    {
        for (const auto& entry : strings_of(chunk)) {
            m_texts[entry.id] = entry.text;
        }
        for (const auto& pair : meta_of(chunk)) {
            m_meta[std::string(pair[0])] = pair[1];
        }
        (add(std::get<std::vector<Rs>>(m_records), records_of<Rs>(chunk)), ...);
    }
    template <class R> static void add(std::vector<R>& all, const std::vector<R>& more)
    {
        all.insert(all.end(), more.begin(), more.end());
    }

    template <class List> struct Columns;
    template <class... Rs> struct Columns<RecordList<Rs...>> {
        using Type = std::tuple<std::vector<Rs>...>;
    };
    Columns<AllRecords>::Type m_records;
    std::map<StringId, std::string> m_texts;
    std::map<std::string, std::string> m_meta;
    SpoolEnd m_end;
};

/// Records have no padding, so equal bytes are equal records.
template <Record R> bool same(const R& a, const R& b)
{
    return std::memcmp(&a, &b, sizeof(R)) == 0;
}

}  // namespace lanes
