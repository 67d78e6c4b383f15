// SPDX-License-Identifier: MIT
// Records as they come, and passed on to another sink.
#pragma once

#include "engine/trace/trace_records.h"
#include "probes/record_sink.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

/// Keeps records as they come, for an oracle and for passing on in another order.
class Collector final : public RecordSink {
public:
    StringId intern(std::string_view text) override { return strings.intern(text); }
    void write_meta(std::string_view key, std::string_view value) override { meta.emplace_back(key, value); }

    StringTable strings;
    std::vector<std::pair<std::string, std::string>> meta;
    TraceRecords records;
    struct One {
        RecordKind kind;
        std::vector<std::byte> bytes;
    };
    std::vector<One> in_order;

private:
    void append(RecordKind kind, std::span<const std::byte> payload, std::size_t record_size) override
    {
        records.append(kind, payload, nullptr);
        for (std::size_t at = 0; at < payload.size(); at += record_size) {
            in_order.push_back({kind,
                {payload.begin() + static_cast<std::ptrdiff_t>(at),
                    payload.begin() + static_cast<std::ptrdiff_t>(at + record_size)}});
        }
    }
};

/// Writes one collected record to another sink, its texts with it.
template <class... Rs>
inline void pass_on(const Collector& from, const Collector::One& one, RecordSink& to, RecordList<Rs...>)
{
    const auto write = [&]<class R>(R record) {
        const auto translate = [&](StringId& id) { id = to.intern(from.strings.text(id)); };
        if constexpr (requires { record.name; }) {
            translate(record.name);
        }
        if constexpr (requires { record.shown_name; }) {
            translate(record.shown_name);
        }
        if constexpr (requires { record.domain; }) {
            translate(record.domain);
        }
        if constexpr (requires { record.words; }) {
            translate(record.words);
        }
        if constexpr (requires { record.buffer; }) {
            translate(record.buffer);
        }
        if constexpr (requires { record.uuid; }) {
            translate(record.uuid);
            translate(record.pci);
        }
        if constexpr (requires { record.message; }) {
            translate(record.message);
        }
        if constexpr (requires { record.within; }) {
            translate(record.within);
        }
        to.write(record);
    };
    (void)(... || (Rs::kind == one.kind && [&] {
        Rs record;
        std::copy(one.bytes.begin(), one.bytes.end(), reinterpret_cast<std::byte*>(&record));
        write(record);
        return true;
    }()));
}

}  // namespace lanes
