// SPDX-License-Identifier: MIT
// Makes a Trace from records that come in any order, late, from several writers.
#pragma once

#include "engine/trace/progress.h"
#include "engine/trace/trace.h"
#include "probes/record_sink.h"
#include "probes/spool.h"

#include <memory>

namespace lanes {

/// Takes records until finish(), which in this order
///   - tells devices apart (see DeviceRecord);
///   - keeps what began in the window (WindowRecord), if there is one. An operation begins with its call. Descriptions
///     of devices, contexts, streams, threads and processes are always kept; if there are several windows, only the
///     threads of the kept one;
///   - joins the two edges of ranges, operations, syncs and events to calls, calls to the outermost one around them on
///     their thread, and calls to steps;
///   - names kernels after their step (meta::step_names);
///   - sorts every table, and makes the window's start, or the earliest record, t = 0.
///
/// An operation that starts before its call is kept and counted in meta::clock_violations. Calls and operations whose
/// start and end are 0, and timed records that are more than record_time_limit from 0, are left out; so is a time of 0
/// that, judging by the others, was never filled in (trace_unset.cpp). In files of other tools all of them count
/// in meta::skipped_rows; elsewhere operations count as dropped, and in meta::untimed. A record that ends before it
/// starts gets no length, counted in meta::without_length. An operation that lasts a second or more beyond the start of
/// the next one of its stream ends there, and a copy or memset that holds two later ones, by 100 us: neither is
/// possible; meta::overlong counts them. If a call's name says what kind of synchronisation it is, or that a copy is
/// asynchronous, the name counts: exports of Nsight Systems have the former wrong and lack the latter. If a thing is
/// described twice, the later description counts, except for fields that it leaves empty.
///
/// Cost: linear in sorted records, else n log n; while finish() works, about twice the memory of the Trace.
class TraceBuilder final : public RecordSink {
public:
    TraceBuilder();
    ~TraceBuilder() override;

    StringId intern(std::string_view text) override;
    /// A text that was interned; valid as long as the builder.
    std::string_view text(StringId id) const;
    void write_meta(std::string_view key, std::string_view value) override;

    /// The value of `key` so far, from write_meta() and spools; "" if there is none.
    std::string meta_of(std::string_view key) const;

    /// Reserves memory for that number of further records of `kind`.
    void expect(RecordKind kind, std::size_t records);

    /// Like write(), but takes the records over; nothing is copied if they are the first of their kind.
    template <Record R> void take(std::vector<R>&& records);

    /// Takes a chunk of a spool. Its StringIds are those of its writer.
    void take(const SpoolChunk& chunk);

    /// For records taken from a finished Trace: finish() keeps their times and device ids. `origin` is t = 0 on the
    /// source's clock.
    void keep_times_and_devices(Ns origin);

    /// t = 0 of the records in ns since 1970, if the source says it: added to the trace's origin, unless that is in
    /// 2001 or later already, as in an export by `nsys export --ts-normalize=true`.
    void count_from(Ns base);

    /// For a run that was repeated, with one window for each repetition: keeps this one, counted from 0, or the last
    /// one if there are fewer.
    void keep_repetition(std::size_t repetition);

    /// Keeps only what began in [start, end) on the records' own clock, and makes `start` t = 0. Notes it in
    /// meta::windows.
    void keep_part(Interval part);

    /// For a program of which several parts were recorded: keeps of each process the part that meets `part`, a closed
    /// interval on the records' own clock, or nothing. Else the last part is kept.
    void keep_recorded(Interval part);

    /// For a live recording, which has only the latest records: t = 0 is `origin` on the records' own clock, or the
    /// earliest record if that is earlier. Has no effect if there is a window.
    void begin_by(Ns origin);

    /// Makes the trace. The builder is empty afterwards, also if this was cancelled.
    Trace finish(Source source, const Progress& progress = {});

private:
    void append(RecordKind kind, std::span<const std::byte> payload, std::size_t record_size) override;

    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace lanes
