// SPDX-License-Identifier: MIT
// Records of all kinds, gathered so that each kind reaches the sink as one chunk.
#pragma once

#include "probes/record_sink.h"

#include <tuple>
#include <vector>

namespace lanes {

/// Not safe for threads: one batch belongs to one thread at a time. Keeps its memory when cleared.
class RecordBatch {
public:
    template <Record R> void add(const R& record) { of<R>().push_back(record); }

    template <Record R> std::vector<R>& of() { return std::get<std::vector<R>>(m_records); }

    /// Hands everything to `sink` and is empty then.
    void move_to(RecordSink& sink)
    {
        std::apply([&sink](auto&... records) { (move_kind(sink, records), ...); }, m_records);
    }

private:
    template <Record R> static void move_kind(RecordSink& sink, std::vector<R>& records)
    {
        if (!records.empty()) {
            sink.write(std::span<const R>(records));
            records.clear();
        }
    }

    template <class List> struct Columns;
    template <class... Rs> struct Columns<RecordList<Rs...>> {
        using Type = std::tuple<std::vector<Rs>...>;
    };
    Columns<AllRecords>::Type m_records;
};

}  // namespace lanes
