// SPDX-License-Identifier: MIT
// What the tests of the dependency graph, and what is built on it, share: a trace with its graph, shipped recordings.
#pragma once

#include "engine/analysis/graph/graph.h"
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/tape.h"

#include <QDir>
#include <QTest>

namespace lanes {

/// A trace with what was computed from it.
struct Graphed {
    explicit Graphed(Trace of)
        : trace(std::move(of))
        , blocking(find_blocking(trace))
        , graph(trace, blocking)
    {
    }
    Graphed(const Graphed&) = delete;  // the graph refers to the others
    Graphed& operator=(const Graphed&) = delete;

    Trace trace;
    Blocking blocking;
    Graph graph;
};

inline QDir shipped_recordings()
{
    return QDir(qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200");
}

/// "copy-results-back.blocking".
inline Trace shipped_recording(const QString& name)
{
    return open_recording(shipped_recordings().filePath(name + ".sqlite").toStdString());
}

/// A row of data for each of them, with its "path".
inline void rows_of_shipped_recordings()
{
    QTest::addColumn<QString>("path");
    const auto folder = shipped_recordings();
    for (const auto& name : folder.entryList({"*.sqlite"})) {
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
}

/// Operations that began for each reason: two on stream 13 (launch, stream), on 14 after the copy engine, on 15 after
/// an event, on the legacy default stream after all.
inline void begin_for_each_reason(Tape& tape)
{
    constexpr Ns us = 1000;
    tape.stream(13, StreamRecord::non_blocking);
    tape.stream(14, StreamRecord::non_blocking);
    tape.stream(15, StreamRecord::blocking);
    tape.stream(Tape::legacy_stream, StreamRecord::null);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 4 * us), 13, 5 * us, 100 * us);
    tape.copy(tape.call("cudaMemcpyAsync", 10 * us, 14 * us), 13, 105 * us, 300 * us, CopyKind::d2h, MemoryKind::pinned,
        true);
    tape.copy(tape.call("cudaMemcpyAsync", 20 * us, 24 * us), 14, 301 * us, 400 * us, CopyKind::d2h, MemoryKind::pinned,
        true);
    tape.event(tape.call("cudaEventRecord", 30 * us, 32 * us), 14, 1, 5);
    const auto wait = tape.call("cudaStreamWaitEvent", 34 * us, 36 * us);
    tape.sync(wait, SyncRecord::stream_wait_event, 34 * us, 36 * us, 15, 1, 5);
    tape.kernel(tape.call("cudaLaunchKernel", 40 * us, 44 * us), 15, 402 * us, 500 * us);
    tape.kernel(tape.call("cudaLaunchKernel", 50 * us, 54 * us), Tape::legacy_stream, 502 * us, 600 * us);
}

}  // namespace lanes
