// SPDX-License-Identifier: MIT
// Where a source puts its records: a spool on disk, or a trace in memory.
#pragma once

#include "probes/record.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace lanes {

/// Takes records of any kind in any order. StringIds are valid within one sink.
class RecordSink {
public:
    RecordSink() = default;
    virtual ~RecordSink() = default;
    RecordSink(const RecordSink&) = delete;
    RecordSink& operator=(const RecordSink&) = delete;

    /// The id of a text; "" is 0. The same text gets the same id.
    virtual StringId intern(std::string_view text) = 0;

    /// One key and value of the recording's meta data. A later value of a key replaces an earlier one.
    virtual void write_meta(std::string_view key, std::string_view value) = 0;

    /// Takes records of one kind. Hand over many at once: a sink may pay for each call.
    template <Record R> void write(std::span<const R> records) { append(R::kind, std::as_bytes(records), sizeof(R)); }
    template <Record R> void write(const R& record) { write(std::span<const R>(&record, 1)); }

private:
    virtual void append(RecordKind kind, std::span<const std::byte> payload, std::size_t record_size) = 0;
};

}  // namespace lanes
