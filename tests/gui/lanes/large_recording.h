// SPDX-License-Identifier: MIT
// Recordings large enough that several threads make their lanes, and the comparison of lanes made twice.
#pragma once

#include "gui/lanes/lane_model.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>

namespace lanes::gui::large {

/// Streams with operations, the last of which overlap themselves; threads with nested ranges and calls.
inline Trace largeTrace(int operations, int streams)
{
    Trace trace;
    std::mt19937_64 random(31);
    const StringId name = trace.strings.intern("kernel");
    trace.kernels.push_back({});
    trace.processes.push_back({1, 0, name});
    for (std::uint32_t thread = 0; thread < 2; ++thread) {
        trace.threads.push_back({1, thread + 1, 0, thread});
    }
    OperationTable& t = trace.operations;
    for (int stream = 0; stream < streams; ++stream) {
        trace.streams.push_back({1, 0, 1, static_cast<std::uint32_t>(stream), 0, 0, StreamRecord::non_blocking});
        Ns now = 0;
        for (int i = 0; i < operations / streams; ++i) {
            now += static_cast<Ns>(random() % 5000);
            t.start.push_back(now);
            t.end.push_back(now + 1 + static_cast<Ns>(random() % 9000));
            t.stream.push_back(static_cast<Row>(stream));
            t.kind.push_back(OperationKind::kernel);
            now = stream + 1 == streams ? now + 1 : t.end.back();
            trace.duration = std::max(trace.duration, t.end.back());
        }
    }
    t.name.assign(t.size(), name);
    t.correlation.assign(t.size(), 0);
    t.call.assign(t.size(), no_row);
    t.detail.assign(t.size(), 0);
    for (Ns i = 0; i < 1000; ++i) {
        trace.ranges.push_back({1000 * i, 1000 * i + 900, static_cast<Row>(i % 2), name, 0, 0, 0, false, false});
        trace.ranges.push_back({1000 * i, 1000 * i + 500, static_cast<Row>(i % 2), name, 0, 0, 1, false, false});
    }
    return trace;
}

inline RecordingPtr recordingOf(Trace trace)
{
    auto recording = std::make_shared<ShownRecording>();
    recording->trace = std::make_shared<const Trace>(std::move(trace));
    recording->blocking = std::make_shared<const Blocking>();
    return recording;
}

inline RecordingPtr largeRecording(int operations, int streams)
{
    return recordingOf(largeTrace(operations, streams));
}

inline void compare(const LaneModel& one, const LaneModel& other)
{
    QCOMPARE(one.lanes().size(), other.lanes().size());
    for (std::size_t lane = 0; lane < one.lanes().size(); ++lane) {
        const auto& a = one.lanes()[lane].rows;
        const auto& b = other.lanes()[lane].rows;
        QCOMPARE(a.size(), b.size());
        for (std::size_t row = 0; row < a.size(); ++row) {
            QCOMPARE(a[row].items.size(), b[row].items.size());
            for (std::size_t i = 0; i < a[row].items.size(); ++i) {
                QVERIFY(a[row].items.place(i) == b[row].items.place(i) && a[row].items.start(i) == b[row].items.start(i)
                    && a[row].items.end(i) == b[row].items.end(i));
            }
            QCOMPARE(a[row].busyIn(0, one.duration()), b[row].busyIn(0, one.duration()));
        }
    }
}

}  // namespace lanes::gui::large
