// SPDX-License-Identifier: MIT
// Fits the GPU: its own data, its speed, and the gaps between two operations and between the nodes of a graph.
#include "engine/calibrate/fit.h"
#include "engine/calibrate/samples.h"

namespace lanes {

namespace {

/// Gaps between queued operations for which `wanted(previous, next)` is true.
template <class Wanted> auto gaps(Wanted wanted)
{
    return [wanted](const Experiment& experiment, Samples& samples) {
        const auto work = experiment.work();
        for (std::size_t k = 1; k < work.size(); ++k) {
            if (was_queued(work[k - 1], work[k]) && wanted(work[k - 1], work[k])) {
                samples.push_back(static_cast<double>(work[k].start - work[k - 1].end));
            }
        }
    };
}

bool any(const Work&, const Work&)
{
    return true;
}

Samples less(Samples samples, Ns usual)
{
    for (auto& sample : samples) {
        sample -= static_cast<double>(usual);
    }
    return samples;
}

void fit_properties(const Experiments& recorded, Fit& fit)
{
    for (const auto& trace : recorded.traces()) {
        if (trace.devices.empty()) {
            continue;
        }
        const auto& device = trace.devices.front();
        const auto say
            = [&](const char* constant, double value) { fit.set(constant, {value}, "the driver's word", 1); };
        say("multiprocessors", device.multiprocessors);
        say("copy_engines", device.copy_engines);
        say("compute_major", device.compute_major);
        say("compute_minor", device.compute_minor);
        say("core_clock_khz", device.core_clock_khz);
        say("memory_bytes", static_cast<double>(device.memory_bytes));
        say("memory_bandwidth", static_cast<double>(device.memory_bandwidth));
        break;
    }
    for (const auto& experiment : recorded.of("full grids in a row")) {
        for (const auto& work : experiment.work()) {
            if (work.name == "one") {
                fit.set("threads_per_block", {static_cast<double>(work.threads)}, "grids as recorded", 1);
                fit.set("blocks_per_multiprocessor", {static_cast<double>(work.blocks) / fit.device().multiprocessors},
                    "grids as recorded", 1);
            }
        }
    }
}

/// The rate between two sizes of a kernel that alternate in a range, the smaller one first.
Samples rates(const Experiments& recorded, const char* range, double difference)
{
    return samples_of(recorded, {range}, [&](const Experiment& experiment, Samples& samples) {
        const auto work = experiment.work();
        for (std::size_t k = 1; k < work.size(); k += 2) {
            samples.push_back(rate_of(difference, work[k].time() - work[k - 1].time()));
        }
    });
}

void fit_rates(const Experiments& recorded, Fit& fit)
{
    fit.set("flops", rates(recorded, "arithmetic", 180e9), "fma kernels of 60 and 240 GFLOP");
    fit.set("kernel_bandwidth", rates(recorded, "memory", 3 * 1024.0 * 1024 * 1024), "memory kernels of 1 and 4 GiB");
    const auto& device = fit.device();
    const auto shortest = static_cast<double>(device.shortest_kernel);
    const auto each = [&](auto what) {
        return [=](const Experiment& experiment, Samples& samples) {
            for (const auto& work : experiment.work()) {
                samples.push_back(what(work));
            }
        };
    };
    const double mib = 1024.0 * 1024;
    fit.set("blocks_to_saturate_memory", samples_of(recorded, {"memory by few blocks"}, each([&](const Work& work) {
        const double rate = rate_of(8 * mib * work.blocks, work.time() - shortest);
        return device.kernel_bandwidth / rate * work.blocks;
    })),
        "memory kernels of 32 and 64 blocks");
    fit.set("fill_bandwidth", samples_of(recorded, {"fill"}, each([&](const Work& work) {
        return rate_of(256 * mib, work.time() - shortest);
    })),
        "kernels that write 256 MiB");
    fit.set("fill_bandwidth_per_block", samples_of(recorded, {"fill by few blocks"}, each([&](const Work& work) {
        return rate_of(16 * mib, work.time() - shortest) / work.blocks;
    })),
        "8 blocks that write 16 MiB");
}

/// The time that computing a value adds, by number of blocks: compared with the kernel before, which is the same
/// without it.
void fit_values(const Experiments& recorded, Fit& fit)
{
    std::vector<std::pair<double, double>> points;
    for (const auto& experiment : recorded.of("computed values")) {
        const auto work = experiment.work();
        for (std::size_t k = 1; k < work.size(); ++k) {
            if (work[k].name == "computed" && work[k - 1].name == "plain") {
                points.emplace_back(work[k].blocks, work[k].time() - work[k - 1].time());
            }
        }
    }
    if (points.size() >= 6) {
        const auto line = robust_line(points);
        fit.set("value_time", {std::max(0.0, line.intercept)}, "kernels with and without a computed value", 1);
        fit.set("value_block_time", {std::max(0.0, line.slope)}, "kernels of 8 to all blocks", 1);
    }
}

}  // namespace

void fit_gaps(const Experiments& recorded, Fit& fit)
{
    fit.set("shortest_kernel",
        samples_of(recorded, {"shortest kernels"},
            [](const Experiment& experiment, Samples& samples) {
                for (const auto& work : experiment.work()) {
                    if (work.name == "shortest") {
                        samples.push_back(work.time());
                    }
                }
            }),
        "kernels of one block that do nothing");
    fit.set("kernel_excess",
        samples_of(recorded, {"small kernels in a row"},
            [](const Experiment& experiment, Samples& samples) {
                for (const auto& work : experiment.work()) {
                    if (work.name == "one") {
                        samples.push_back(std::max(0.0, work.time() - 8000));
                    }
                }
            }),
        "kernels of 8 us");
    fit.set("kernel_gap", samples_of(recorded, {"small kernels in a row"}, gaps(any)), "small kernels in a row");
    fit.set("cross_stream_gap", samples_of(recorded, {"kernels across streams"}, gaps([](const Work& a, const Work& b) {
        return a.stream != b.stream;
    })),
        "kernels that wait for one of another stream");
    const auto change = [](const Work& a, const Work& b) { return is_copy(a.kind) != is_copy(b.kind); };
    fit.set("engine_switch",
        less(samples_of(recorded, {"kernels and uploads", "kernels and downloads"}, gaps(change)),
            fit.device().kernel_gap),
        "kernels and copies in turn on a stream, less kernel_gap");
}

void fit_gpu(const Experiments& recorded, Fit& fit)
{
    fit_properties(recorded, fit);
    fit_rates(recorded, fit);
    fit_values(recorded, fit);
}

void fit_graphs(const Experiments& recorded, Fit& fit)
{
    const auto same_launch = [](const Work& a, const Work& b) { return a.call_start == b.call_start; };
    fit.set("graph_gap",
        samples_of(recorded, {"graphs in a row", "graphs on an idle GPU"},
            [&](const Experiment& experiment, Samples& samples) {
                const auto work = experiment.work();
                for (std::size_t k = 1; k < work.size(); ++k) {
                    if (same_launch(work[k - 1], work[k])) {
                        samples.push_back(static_cast<double>(work[k].start - work[k - 1].end));
                    }
                }
            }),
        "between the nodes of a graph");
    fit.set("graph_start",
        less(samples_of(recorded, {"graphs in a row"},
                 gaps([&](const Work& a, const Work& b) { return a.name == b.name && !same_launch(a, b); })),
            fit.device().kernel_gap),
        "between two graphs in a row, less kernel_gap");

    std::vector<std::pair<double, double>> launches;
    for (const auto& experiment : recorded.of("graphs on an idle GPU")) {
        for (const auto& call : experiment.calls) {
            if (!call.work.empty()) {
                launches.emplace_back(static_cast<double>(call.work.size()), call.time());
            }
        }
    }
    std::vector<std::pair<double, double>> instantiations;
    Samples captured;
    for (const auto& experiment : recorded.of("capture")) {
        std::size_t nodes = 0;
        for (const auto& call : experiment.calls) {
            if (call.name == "cudaStreamBeginCapture") {
                nodes = 0;
            } else if (call.name == "cudaLaunchKernel") {
                ++nodes;
                captured.push_back(call.time());
            } else if (call.name.starts_with("cudaGraphInstantiate")) {
                instantiations.emplace_back(static_cast<double>(nodes), call.time());
            }
        }
    }
    fit.set("capture_call", captured, "captured launches");
    const auto set_line = [&](const auto& points, const char* constant, const char* each, const std::string& how) {
        if (points.size() >= 4) {
            const auto line = robust_line(points);
            fit.set(constant, {std::max(0.0, line.intercept)}, how, 1);
            fit.set(each, {std::max(0.0, line.slope)}, how, 1);
        }
    };
    set_line(launches, "graph_call", "graph_node", "launches of graphs of 1 to 200 nodes");
    set_line(instantiations, "instantiate_call", "instantiate_node", "graphs of 1 to 200 nodes");
}

}  // namespace lanes
