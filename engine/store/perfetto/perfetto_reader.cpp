// SPDX-License-Identifier: MIT
#include "engine/store/perfetto/perfetto_reader.h"

#include "engine/store/chrome/chrome_records.h"
#include "engine/store/chrome/read_events.h"
#include "engine/store/perfetto/perfetto_stream.h"
#include "engine/store/perfetto/protobuf_fields.h"

#include <algorithm>
#include <array>
#include <simdjson.h>

namespace lanes {

bool is_perfetto_trace(std::string_view begin)
{
    // JSON may begin with a line end and a brace, which could be a packet of 123 bytes.
    const auto text = begin.find_first_not_of(" \t\r\n");
    if (text != std::string_view::npos && (begin[text] == '{' || begin[text] == '[')) {
        const auto next = begin.find_first_not_of(" \t\r\n", text + 1);
        if (next == std::string_view::npos || std::string_view("\"{}[]").find(begin[next]) != std::string_view::npos) {
            return false;
        }
    }
    // The fields of a packet that come first: a time, its sequence, clocks, descriptions, events.
    static constexpr std::array<std::uint32_t, 23> first {
        3, 6, 8, 10, 11, 12, 13, 33, 35, 36, 41, 42, 43, 44, 45, 50, 52, 53, 58, 59, 60, 87, 89};
    try {
        const auto packet = protobuf_head(begin);
        if (packet.size == 0 || packet.number != 1 || packet.type != ProtobufField::bytes) {
            return false;
        }
        auto rest = begin.substr(packet.size, static_cast<std::size_t>(std::min<std::uint64_t>(packet.length, 4096)));
        bool any = false;
        while (!rest.empty()) {
            const auto field = protobuf_head(rest);
            if (field.size == 0) {
                return any;
            }
            if (!any && std::find(first.begin(), first.end(), field.number) == first.end()) {
                return false;
            }
            any = true;
            if (field.length > rest.size() - field.size) {
                return rest.size() + packet.size >= 64 || field.length + field.size <= packet.length;
            }
            rest.remove_prefix(field.size + static_cast<std::size_t>(field.length));
        }
        return any;
    } catch (const ProtobufDamage&) {
        return false;
    }
}

Trace read_perfetto_trace(const std::string& path, const Progress& progress, std::size_t most_bytes)
{
    ChromeRecords records;
    PerfettoStream stream(path, most_bytes);
    return read_events(
        stream, records, progress, [](const ChromeBatch&) {},
        [&] {
            records.leave_out("flows", stream.flows());
            records.leave_out("lone_ends", stream.lone_ends());
            records.leave_out("other_events", stream.unnamed());
            simdjson::dom::parser values;
            simdjson::dom::element base;
            const auto since = std::to_string(stream.since_1970());
            if (values.parse(since).get(base) == simdjson::SUCCESS) {
                records.say("baseTimeNanoseconds", base);
            }
        });
}

}  // namespace lanes
