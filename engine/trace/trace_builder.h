// SPDX-License-Identifier: MIT
// Makes a Trace from records that come in any order, late, from several writers.
#pragma once

#include "engine/trace/progress.h"
#include "engine/trace/trace.h"
#include "probes/record_sink.h"
#include "probes/spool.h"

#include <memory>

namespace lanes {

/// Takes records until finish(). What finish() does, in this order: tells devices apart (see DeviceRecord); keeps what
/// began in the `window`, if there is one (an operation belongs to its call; device, context, stream, thread and
/// process descriptions are always kept, of several windows' threads those of the one that is kept); joins range edges,
/// operations to calls, driver calls to the runtime calls around them, calls to steps, syncs and events to calls; names
/// kernels after their step (meta "step_names"); sorts every table; moves t = 0 to the window's start, or to the
/// earliest record.
///
/// An operation that starts before its own call's start is kept and counted in meta "clock_violations".
/// Timed records with start and end 0, or more than 2^61 ns from 0, are left out; the operations among them count as
/// dropped and in meta "untimed". Where a call's name says what kind of synchronisation it is, or that a copy is
/// asynchronous, the name counts (exports of Nsight Systems have the former wrong and the latter not at all). Of two
/// descriptions of one thing the later one counts, field by field where it says something.
/// Cost: n log n in the records, only where they come unsorted; about twice the Trace's memory while it works.
class TraceBuilder final : public RecordSink {
public:
    TraceBuilder();
    ~TraceBuilder() override;

    StringId intern(std::string_view text) override;
    void write_meta(std::string_view key, std::string_view value) override;

    /// What write_meta() and the spools said of `key` so far; "" if nothing.
    std::string meta_of(std::string_view key) const;

    /// That so many records of `kind` come: growing copies them otherwise. No memory is touched before it is used.
    void expect(RecordKind kind, std::size_t records);

    /// As write(), of records that need not be kept beside: nothing is copied where these are the first of their kind.
    template <Record R> void take(std::vector<R>&& records);

    /// Takes a chunk of a spool; its StringIds are those of its writer.
    void take(const SpoolChunk& chunk);

    /// For records of a recording that was assembled before: their times count from its start and their devices have
    /// the trace's ids already, and finish() leaves both as they are. `origin` is where t = 0 lies on the source's
    /// clock.
    void keep_times_and_devices(Ns origin);

    /// Of records that have several windows, one a repetition of a run, the trace gets this one, counted from 0; the
    /// last one where there are fewer.
    void keep_repetition(std::size_t repetition);

    /// Of a program's records the trace gets what began in [begin, end), on the records' own clock, counted from
    /// `begin`: a part that was found in a recording made of them before. meta::windows says so.
    void keep_part(Interval part);

    /// For the last records of a program that is being recorded: t = 0 lies at `origin` on the records' own clock, or
    /// at the earliest record where that is earlier. A window has its own start.
    void begin_by(Ns origin);

    /// The trace; the builder is empty afterwards, also where this was cancelled.
    Trace finish(Source source, const Progress& progress = {});

private:
    void append(RecordKind kind, std::span<const std::byte> payload, std::size_t record_size) override;

    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace lanes
