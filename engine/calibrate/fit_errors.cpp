// SPDX-License-Identifier: MIT
// Calls that fail: what a capture refuses, and how long the driver takes to report a fault.
#include "engine/calibrate/fit.h"
#include "engine/calibrate/samples.h"

#include <algorithm>

namespace lanes {

namespace {

bool is_launch(const Call& call)
{
    return call.name == "cudaLaunchKernel";
}

/// To the return of the last call, which reports the fault of the last launch. The kernel that faulted has no record:
/// it began behind the one in front of it, or with its own launch.
void reports(const Experiment& experiment, const ModelDevice& device, Samples& samples)
{
    const auto& calls = experiment.calls;
    const auto launch = std::find_if(calls.rbegin(), calls.rend(), is_launch);
    if (launch == calls.rend() || launch == calls.rbegin()) {
        return;
    }
    const auto in_front = experiment.work();
    const Ns start = in_front.empty() ? launch->end : in_front.back().end + device.kernel_gap;
    samples.push_back(static_cast<double>(calls.back().end - start - device.shortest_kernel));
}

}  // namespace

void fit_errors(const Experiments& recorded, Fit& fit)
{
    fit.set("refused_call",
        samples_of(recorded, {"refused in a capture"},
            [](const Experiment& experiment, Samples& samples) {
                for (const auto& call : experiment.calls) {
                    if (call.name == "cudaStreamSynchronize" || call.name == "cudaMalloc") {
                        samples.push_back(call.time());
                    }
                }
            }),
        "a synchronisation and a cudaMalloc in a capture", 1);
    const auto set = [&](const char* constant, const char* range, const char* how) {
        fit.set(constant,
            samples_of(recorded, {range},
                [&](const Experiment& experiment, Samples& samples) { reports(experiment, fit.device(), samples); }),
            how, 1);
    };
    set("fault_report", "fault that a call waits for", "a fault behind a kernel of 2 ms, to the end of the wait");
    set("fault_report_later", "fault that no call waits for", "a fault, to the end of a wait that began 1 ms after it");
}

}  // namespace lanes
