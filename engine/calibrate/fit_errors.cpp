// SPDX-License-Identifier: MIT
// Fits calls that fail: those that a capture refuses, and how long the driver takes to report a fault.
#include "engine/calibrate/fit.h"
#include "engine/calibrate/samples.h"

#include <algorithm>

namespace lanes {

namespace {

bool is_launch(const Call& call)
{
    return call.name == "cudaLaunchKernel";
}

/// From the fault to the return of the last call, which reports it. The kernel that faulted has no record: it began
/// when the one before it ended, or with its launch.
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
    // The driver reports after one of two very different times, and a few runs do not show which one comes next: a
    // value between the known ones changes nothing.
    const auto& device = fit.device();
    const auto times = samples_of(recorded, {"fault that a call waits for", "fault that no call waits for"},
        [&](const Experiment& experiment, Samples& samples) { reports(experiment, device, samples); });
    const auto is_new = [&](double time) {
        constexpr double tolerance = 1.1;
        return time > static_cast<double>(device.fault_report + device.fault_report_spread) * tolerance
            || time * tolerance < static_cast<double>(device.fault_report - device.fault_report_spread);
    };
    if (std::any_of(times.begin(), times.end(), is_new)) {
        fit.set("fault_report", times, "faults, to the end of the call that reports them", 1);
    }
}

}  // namespace lanes
