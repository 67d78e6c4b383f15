// SPDX-License-Identifier: MIT
// Reads a stream of events, whatever format they have, into records; private to engine/store.
#pragma once

#include "engine/store/chrome/chrome_event.h"
#include "engine/store/chrome/chrome_records.h"
#include "engine/store/read_ahead.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/progress.h"

namespace lanes {

/// Another thread reads and parses while this one makes records of what was parsed before. `each(batch)` takes what
/// else a batch says, before its events; `at_end()` what the stream says once it has ended.
template <class Stream>
Trace read_events(Stream& stream, ChromeRecords& records, const Progress& progress, auto each, auto at_end)
{
    constexpr double reading_share = 0.75;  // the rest is joining and sorting
    const auto reading = progress.part(0, reading_share);
    reading.report(0);
    struct Piece {
        ChromeBatch batch;
        double fraction = 0;
    };
    read_ahead<Piece>(
        [&](Piece& piece) {
            const bool any = stream.next(piece.batch);
            piece.fraction = stream.fraction();
            return any;
        },
        [&](const Piece& piece) {
            records.expect(piece.fraction);
            each(piece.batch);
            for (const auto& event : piece.batch.events) {
                records.take(event, piece.batch);
            }
            records.leave_out("damaged", piece.batch.damaged);
            records.leave_out("other_events", piece.batch.others);
            reading.report(piece.fraction);
        });
    at_end();
    auto trace = records.finish(progress.part(reading_share, 1));
    if (stream.cut_short()) {
        trace.meta[meta::complete] = "no";
    }
    return trace;
}

}  // namespace lanes
