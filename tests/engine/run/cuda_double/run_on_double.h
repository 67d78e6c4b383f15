// SPDX-License-Identifier: MIT
// Runs the text of a workload over the double of the CUDA runtime and hands back the
// trace of what the runner itself recorded.
#pragma once

#include "engine/run/cuda/cuda_runner.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/workload.h"
#include "probes/spool.h"

#include <QTemporaryDir>

namespace lanes {

struct Outcome {
    CudaRunResult result;
    Trace trace;
};

inline Program program_of(const std::string& body)
{
    return compile(parse_workload("title: {en: A test}\n" + body, "test.yaml"), "");
}

inline Outcome run(const std::string& body, CudaRunOptions options = {})
{
    QTemporaryDir folder;
    const auto path = folder.filePath("run.spool").toStdString();
    Outcome outcome;
    {
        SpoolWriter writer;
        writer.open(path);
        outcome.result = run_on_cuda(program_of(body), writer, options);
    }
    TraceBuilder builder;
    read_spool(path, [&](const SpoolChunk& chunk) { builder.take(chunk); });
    outcome.trace = builder.finish(Source::cupti);
    return outcome;
}

inline std::uint64_t wrong_bytes(const Trace& trace)
{
    std::uint64_t wrong = 0;
    for (const auto& read : trace.reads) {
        wrong += read.wrong_bytes;
    }
    return wrong;
}

}  // namespace lanes
