// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_reader.h"
#include "engine/store/chrome/chrome_records.h"
#include "engine/store/chrome/chrome_stream.h"
#include "engine/store/read_ahead.h"
#include "engine/trace/meta_keys.h"

#include <simdjson.h>

namespace lanes {

namespace {

constexpr double reading_share = 0.75;  // the rest is joining and sorting

}  // namespace

Trace read_chrome_trace(const std::string& path, const Progress& progress, std::size_t most_bytes)
{
    const auto reading = progress.part(0, reading_share);
    reading.report(0);
    ChromeRecords records;
    simdjson::dom::parser values;
    ChromeStream stream(path, most_bytes);
    struct Piece {
        ChromeBatch batch;
        double fraction = 0;
    };
    // Another thread reads and parses while this one makes records from what was parsed before.
    read_ahead<Piece>(
        [&](Piece& piece) {
            const bool any = stream.next(piece.batch);
            piece.fraction = stream.fraction();
            return any;
        },
        [&](const Piece& piece) {
            records.expect(piece.fraction);
            for (const auto& said : piece.batch.said) {
                simdjson::dom::element value;
                if (values.parse(simdjson::padded_string(said.json)).get(value) == simdjson::SUCCESS) {
                    records.say(said.key, value);
                }
            }
            for (const auto& event : piece.batch.events) {
                records.take(event, piece.batch.values);
            }
            records.leave_out("damaged", piece.batch.damaged);
            records.leave_out("other_events", piece.batch.others);
            reading.report(piece.fraction);
        });
    records.leave_out("after_end", stream.bytes_behind());
    auto trace = records.finish(progress.part(reading_share, 1));
    if (stream.cut_short()) {
        trace.meta[meta::complete] = "no";
    }
    return trace;
}

}  // namespace lanes
