// SPDX-License-Identifier: MIT
// Fits allocation and release, and the host's work outside CUDA.
#include "engine/calibrate/fit.h"
#include "engine/calibrate/samples.h"
#include "engine/run/model/model_constants.h"

#include <algorithm>

namespace lanes {

namespace {

// As in the workloads of the set, and as a read step samples a buffer (engine/workload/read_sample.h).
constexpr double sleep_ns = 500'000, memcpy_bytes = 64 * mib, read_bytes = 1 * mib, read_pages = 255 * 256;

void set_line(const Experiments& recorded, Fit& fit, const char* call_name, const char* constant, const char* rate)
{
    std::vector<std::pair<double, double>> points;
    for (const auto& experiment : recorded.of("allocation on an idle GPU")) {
        for (const auto& call : experiment.calls) {
            if (call.name == call_name && static_cast<double>(call.bytes) >= 32 * mib) {
                points.emplace_back(static_cast<double>(call.bytes), call.time());
            }
        }
    }
    if (points.size() < 6) {
        return;
    }
    auto line = robust_line(points);
    if (line.slope <= 0) {  // the size makes no difference
        Samples times;
        for (const auto& [bytes, time] : points) {
            times.push_back(time);
        }
        line = {0, median(times)};
    }
    constexpr double most_rate = 1e15;
    const std::string how = "64 and 512 MiB on an idle GPU";
    fit.set(constant, {std::max(0.0, line.intercept)}, how, 1);
    fit.set(rate, {line.slope > 1e9 / most_rate ? 1e9 / line.slope : most_rate}, how, 1);
}

/// bytes/s of calls on pinned memory, without the fixed time of a call. From the mean time, as some pages come slowly.
void set_pinned(const Experiments& recorded, Fit& fit, const char* constant, std::string_view name, Ns any_size)
{
    const auto times = samples_of(recorded, {"pinned allocation"}, [&](const Experiment& experiment, Samples& samples) {
        for (const auto& call : experiment.calls) {
            if (call.name == name && static_cast<double>(call.bytes) > 16 * mib) {
                samples.push_back((call.time() - static_cast<double>(any_size)) / static_cast<double>(call.bytes));
            }
        }
    });
    if (times.size() >= 3) {
        const auto text = [&](double time) { return text_of(*find_model_constant(constant), 1e9 / time); };
        fit.set(constant, {1e9 / mean_without_outliers(times)},
            "mean of " + std::to_string(times.size()) + " calls of 32 MiB, quartiles " + text(quantile(times, 0.75))
                + " and " + text(quantile(times, 0.25)),
            1);
    }
}

Samples spans(const Experiments& recorded, const char* range, HostSpanRecord::Type type)
{
    return samples_of(recorded, {range}, [=](const Experiment& experiment, Samples& samples) {
        for (const auto& span : experiment.host) {
            if (span.type == type) {
                samples.push_back(static_cast<double>(span.end - span.start));
            }
        }
    });
}

Samples reads(const Experiments& recorded, const char* range)
{
    return samples_of(recorded, {range}, [](const Experiment& experiment, Samples& samples) {
        for (const auto& read : experiment.reads) {
            samples.push_back(static_cast<double>(read.end - read.start));
        }
    });
}

/// From a put that another thread waits for to the end of that thread's get.
void wake_ups(const Experiment& experiment, Ns queue_call, Samples& samples)
{
    std::vector<Ns> puts;
    for (const auto& span : experiment.trace->host_spans) {
        if (span.type == HostSpanRecord::queue_put && experiment.trace->text(span.name) == "answer") {
            puts.push_back(span.start);
        }
    }
    std::size_t k = 0;
    for (const auto& span : experiment.host) {
        if (span.type == HostSpanRecord::queue_get && k < puts.size()) {
            samples.push_back(static_cast<double>(span.end - puts[k++] - queue_call));
        }
    }
}

/// From the end of the kernel that a cudaFree waits for. Leaves out the first half of the rounds, in which the driver
/// still sets up.
void frees_behind(const Experiment& experiment, const ModelDevice& device, Samples& samples)
{
    Samples all;
    Ns kernel_end = 0;
    for (const auto& call : experiment.calls) {
        kernel_end = call.work.empty() ? kernel_end : call.work.back().end;
        if (call.name == "cudaFree") {
            const double size = static_cast<double>(call.bytes) / device.free_bandwidth * 1e9;
            all.push_back(std::max(0.0, static_cast<double>(call.end - kernel_end - device.wake_up) - size));
        }
    }
    samples.insert(samples.end(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
}

}  // namespace

void fit_memory(const Experiments& recorded, Fit& fit)
{
    set_line(recorded, fit, "cudaMalloc", "alloc_call", "alloc_bandwidth");
    set_line(recorded, fit, "cudaFree", "free_call", "free_bandwidth");
    fit.set("free_call",
        samples_of(recorded, {"allocation beside a kernel"},
            [&](const Experiment& experiment, Samples& samples) { frees_behind(experiment, fit.device(), samples); }),
        "cudaFree of 64 MiB behind a kernel, from the kernel's end, less what the size takes");
    fit.set("pool_alloc_call", call_times(recorded, {"allocation from the pool"}, "cudaMallocAsync"),
        "allocations from a pool that has room");
    fit.set(
        "pool_free_call", call_times(recorded, {"allocation from the pool"}, "cudaFreeAsync"), "releases to the pool");
    set_pinned(recorded, fit, "pin_bandwidth", "cudaMallocHost", fit.device().alloc_call);
    set_pinned(recorded, fit, "unpin_bandwidth", "cudaFreeHost", fit.device().free_call);
}

void fit_host(const Experiments& recorded, Fit& fit)
{
    auto overshoots = spans(recorded, "sleep", HostSpanRecord::work);
    for (auto& sample : overshoots) {
        sample -= sleep_ns;
    }
    fit.set("sleep_overshoot", overshoots, "sleeps of 500 us");
    auto rates = spans(recorded, "memcpy", HostSpanRecord::work);
    for (auto& sample : rates) {
        sample = rate_of(memcpy_bytes, sample);
    }
    fit.set("host_memcpy_bandwidth", rates, "memcpy of 64 MiB");
    auto in_full = reads(recorded, "read in full");
    for (auto& sample : in_full) {
        sample = rate_of(read_bytes, sample);
    }
    fit.set("read_bandwidth", in_full, "reads of 1 MiB");
    auto by_pages = reads(recorded, "read by pages");
    for (auto& sample : by_pages) {
        sample = (sample - read_bytes / fit.device().read_bandwidth * 1e9) / read_pages;
    }
    fit.set("read_page_time", by_pages, "reads of 256 MiB");
    fit.set("queue_call", spans(recorded, "put", HostSpanRecord::queue_put), "puts into a queue with room");
    fit.set("thread_wake_up",
        samples_of(recorded, {"get after a wait"},
            [&](const Experiment& experiment, Samples& samples) {
                wake_ups(experiment, fit.device().queue_call, samples);
            }),
        "from a put to the end of the get that waited for it");
}

}  // namespace lanes
