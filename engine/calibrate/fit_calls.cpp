// SPDX-License-Identifier: MIT
// Fits the host's calls that wait for nothing, delays before and after kernels, and the queue.
#include "engine/calibrate/fit.h"
#include "engine/calibrate/samples.h"

#include <string>

namespace lanes {

namespace {

constexpr double surely_blocked = 1e6;  // ns in a launch: a longer one waited for room in the queue
constexpr auto launch = "cudaLaunchKernel";

/// From the end of the last kernel before it to the end of a synchronising call.
void wake_ups(const Experiment& experiment, Samples& samples)
{
    Ns last = -1;
    for (const auto& call : experiment.calls) {
        if (!call.work.empty()) {
            last = call.work.back().end;
        } else if (call.name.find("Synchronize") != std::string_view::npos && last > call.start) {
            samples.push_back(static_cast<double>(call.end - last));
        }
    }
}

void latencies(const Experiment& experiment, Samples& samples)
{
    for (const auto& call : experiment.calls) {
        if (!call.work.empty()) {
            samples.push_back(static_cast<double>(call.work.front().start - call.start));
        }
    }
}

/// How many operations were in the stream when the first launch had to wait.
void queue_depth(const Experiment& experiment, Samples& samples)
{
    for (std::size_t k = 0; k < experiment.calls.size(); ++k) {
        if (experiment.calls[k].name == launch && experiment.calls[k].time() > surely_blocked) {
            samples.push_back(static_cast<double>(k));
            return;
        }
    }
}

}  // namespace

void fit_calls(const Experiments& recorded, Fit& fit)
{
    // Launches are slower or faster by a third, for a whole run or a part of it, depending on whether the thread's core
    // is shared. A mean of the two would describe neither: the figure is for a core that is not shared, as in the
    // faster quarter of the ranges.
    const std::initializer_list<std::string_view> launches {"launches in a row", "small kernels in a row",
        "full grids in a row", "shortest kernels", "shortest full grids", "queue behind one kernel"};
    const auto set_undisturbed = [&](const char* constant, const Samples& means, const std::string& what) {
        if (!means.empty()) {
            fit.set(constant, {quantile(means, 0.25)},
                what + ": lower quartile of the means of " + std::to_string(means.size()) + " rows of launches", 1);
        }
    };
    set_undisturbed("launch_call",
        means_of(recorded, launches,
            [](const Experiment& experiment, Samples& samples) {
                for (const auto& call : experiment.calls) {
                    if (call.name == launch && call.time() > surely_blocked) {
                        return;  // the queue is full
                    }
                    if (call.name == launch) {
                        samples.push_back(call.time());
                    }
                }
            }),
        "launches");
    set_undisturbed("step",
        means_of(recorded, launches,
            [](const Experiment& experiment, Samples& samples) {
                for (std::size_t k = 1; k < experiment.calls.size(); ++k) {
                    const auto& call = experiment.calls[k];
                    const auto& before = experiment.calls[k - 1];
                    if (call.name == launch && before.name == launch) {
                        samples.push_back(static_cast<double>(call.start - before.end));
                    }
                }
            }),
        "between two launches");
    fit.set("launch_latency", samples_of(recorded, {"launch, sync of the stream", "launch on an idle GPU"}, latencies),
        "from a launch to its kernel on an idle GPU");
    fit.set("wake_up",
        samples_of(recorded, {"launch, sync of the stream", "launch, sync of the device", "launch, sync of an event"},
            wake_ups),
        "from a kernel's end to that of the call that waits");
    auto nothing = call_times(recorded, {"sync of nothing"}, "cudaStreamSynchronize", 1);
    for (const auto* name : {"cudaDeviceSynchronize", "cudaEventSynchronize"}) {
        const auto more = call_times(recorded, {"sync of nothing"}, name, 1);
        nothing.insert(nothing.end(), more.begin(), more.end());
    }
    fit.set("sync_call", nothing, "synchronisation with nothing to wait for");
    fit.set("event_record_call",
        call_times(recorded, {"kernels across streams", "kernels with events between"}, "cudaEventRecord"),
        "records between kernels");
    fit.set("stream_wait_call", call_times(recorded, {"kernels across streams"}, "cudaStreamWaitEvent"),
        "waits between kernels");
    fit.set("launch_queue", samples_of(recorded, {"queue behind one kernel"}, queue_depth),
        "launches behind a kernel until one waits", 1);
}

}  // namespace lanes
