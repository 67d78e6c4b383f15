// SPDX-License-Identifier: MIT
// Runs `lanes` as people and scripts do, and a small recording to run it on.
#pragma once

#include "tests/engine/analysis/tape.h"

#include <QByteArray>
#include <QProcess>
#include <QStringList>

namespace lanes {

/// How it ended; status -1: it did not.
struct Outcome {
    int status = -1;
    QByteArray out, err;
};

inline Outcome lanes_with(const QStringList& arguments, const QStringList& environment = {}, int most_ms = 60'000)
{
    QProcess process;
    auto variables = QProcessEnvironment::systemEnvironment();
    variables.insert("LANES_RESOURCES", qEnvironmentVariable("LANES_SOURCE") + "/resources");
    for (const auto& pair : environment) {
        variables.insert(pair.section('=', 0, 0), pair.section('=', 1));
    }
    process.setProcessEnvironment(variables);
    process.start(qEnvironmentVariable("LANES_BUILD") + "/bin/lanes", arguments);
    if (!process.waitForFinished(most_ms) || process.exitStatus() != QProcess::NormalExit) {
        return {};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

/// A recording of one kernel, one copy beside it and a wait, 200 us long.
inline Trace small_trace()
{
    constexpr Ns us = 1000;
    Tape tape;
    tape.thread(1, "main", 0);
    tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 13, 10 * us, 110 * us);
    tape.copy(
        tape.call("cudaMemcpyAsync", 5 * us, 9 * us), 14, 60 * us, 160 * us, CopyKind::d2h, MemoryKind::pinned, true);
    const auto sync = tape.call("cudaDeviceSynchronize", 20 * us, 200 * us);
    tape.sync(sync, SyncRecord::context_sync, 20 * us, 200 * us);
    return tape.finish();
}

}  // namespace lanes
