// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_reader.h"
#include "engine/store/chrome/chrome_records.h"
#include "engine/store/chrome/chrome_stream.h"
#include "engine/store/chrome/read_events.h"
#include "engine/trace/meta_keys.h"

#include <simdjson.h>

namespace lanes {

Trace read_chrome_trace(const std::string& path, const Progress& progress, std::size_t most_bytes)
{
    ChromeRecords records;
    simdjson::dom::parser values;
    ChromeStream stream(path, most_bytes);
    const auto say = [&](const ChromeBatch& batch) {
        for (const auto& said : batch.said) {
            simdjson::dom::element value;
            if (values.parse(simdjson::padded_string(said.json)).get(value) == simdjson::SUCCESS) {
                records.say(said.key, value);
            }
        }
    };
    auto trace
        = read_events(stream, records, progress, say, [&] { records.leave_out("after_end", stream.bytes_behind()); });
    if (auto damage = stream.first_damage(); !damage.empty()) {
        trace.meta[meta::first_damage] = std::move(damage);
    }
    return trace;
}

}  // namespace lanes
