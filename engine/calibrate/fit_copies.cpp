// SPDX-License-Identifier: MIT
// Copies: pinned and pageable, both ways at once, within a GPU, between GPUs, through collectives.
#include "engine/calibrate/fit.h"
#include "engine/calibrate/samples.h"

#include <algorithm>
#include <array>

namespace lanes {

namespace {

constexpr std::uint64_t kib = 1024, mib = 1024 * 1024;

/// bytes/s of the copies of `kind` from `least` bytes on, less what a copy of no size takes.
Samples bandwidths(const Experiments& recorded, const char* range, OperationKind kind, std::uint64_t least, Ns overhead)
{
    return samples_of(recorded, {range}, [=](const Experiment& experiment, Samples& samples) {
        for (const auto& work : experiment.work()) {
            if (work.kind == kind && work.bytes >= least) {
                samples.push_back(
                    rate_of(static_cast<double>(work.bytes), work.time() - static_cast<double>(overhead)));
            }
        }
    });
}

/// The time in calls that issued a copy of `kind`.
Samples times_of_calls(const Experiments& recorded, std::initializer_list<std::string_view> ranges, OperationKind kind)
{
    return samples_of(recorded, ranges, [=](const Experiment& experiment, Samples& samples) {
        for (const auto& call : experiment.calls) {
            if (!call.work.empty() && call.work.front().kind == kind) {
                samples.push_back(call.time());
            }
        }
    });
}

/// Part of its bandwidth that a direction keeps while both are busy.
void duplex(const Experiment& experiment, const ModelDevice& device, Samples& samples)
{
    const auto work = experiment.work();
    for (std::size_t k = 1; k < work.size(); k += 2) {
        const auto both
            = static_cast<double>(std::min(work[k].end, work[k - 1].end) - std::max(work[k].start, work[k - 1].start));
        if (both <= 0) {
            continue;
        }
        for (const auto& each : {work[k - 1], work[k]}) {
            const double rate = each.kind == OperationKind::h2d ? device.h2d_bandwidth : device.d2h_bandwidth;
            const double alone
                = static_cast<double>(device.copy_overhead) + static_cast<double>(each.bytes) / rate * 1e9;
            samples.push_back((alone - (each.time() - both)) / both);
        }
    }
}

}  // namespace

void fit_copies(const Experiments& recorded, Fit& fit)
{
    fit.set("copy_overhead",
        samples_of(recorded, {"pinned copies"},
            [](const Experiment& experiment, Samples& samples) {
                for (const auto& work : experiment.work()) {
                    if (work.bytes == 8) {
                        samples.push_back(work.time());
                    }
                }
            }),
        "pinned copies of 8 B");
    const auto overhead = fit.device().copy_overhead;
    const auto rates
        = [&](const char* constant, const char* range, OperationKind kind, std::uint64_t least, const char* how) {
              fit.set(constant, bandwidths(recorded, range, kind, least, overhead), how);
          };
    rates("h2d_bandwidth", "pinned copies", OperationKind::h2d, 16 * mib, "pinned copies of 16 to 256 MiB");
    rates("d2h_bandwidth", "pinned copies", OperationKind::d2h, 16 * mib, "pinned copies of 16 to 256 MiB");
    rates("d2d_bandwidth", "within the GPU", OperationKind::d2d, 64 * mib, "copies of 64 and 256 MiB within the GPU");
    rates("memset_bandwidth", "memsets", OperationKind::memset, 64 * mib, "memsets of 64 and 256 MiB");
    fit.set("duplex",
        samples_of(recorded, {"both ways at once"},
            [&](const Experiment& experiment, Samples& samples) { duplex(experiment, fit.device(), samples); }),
        "128 MiB each way at once");
    fit.set("copy_latency",
        samples_of(recorded, {"uploads on an idle GPU", "downloads on an idle GPU"},
            [](const Experiment& experiment, Samples& samples) {
                for (const auto& work : experiment.work()) {
                    samples.push_back(static_cast<double>(work.start - work.call_start));
                }
            }),
        "from a call to its copy on an idle GPU");
    fit.set("h2d_call", times_of_calls(recorded, {"pinned copies", "uploads on an idle GPU"}, OperationKind::h2d),
        "pinned copies");
    fit.set("d2h_call", times_of_calls(recorded, {"pinned copies", "downloads on an idle GPU"}, OperationKind::d2h),
        "pinned copies");
    fit.set("d2d_call", times_of_calls(recorded, {"within the GPU"}, OperationKind::d2d), "copies within the GPU");
    fit.set("memset_call", times_of_calls(recorded, {"memsets"}, OperationKind::memset), "memsets");
}

void fit_staging(const Experiments& recorded, Fit& fit)
{
    // Behind a kernel of 1 ms: what returns long before its end has been staged at once.
    double at_once = 0;
    std::size_t seen = 0;
    for (const auto& experiment : recorded.of("pageable copies behind a kernel")) {
        const Work* kernel = nullptr;
        const auto calls = experiment.calls;
        for (const auto& call : calls) {
            if (call.work.empty()) {
                continue;
            }
            const auto& work = call.work.front();
            if (work.kind == OperationKind::kernel) {
                kernel = &work;
            } else if (kernel != nullptr) {
                ++seen;
                at_once
                    = call.end < kernel->end - 200'000 ? std::max(at_once, static_cast<double>(work.bytes)) : at_once;
            }
        }
    }
    if (seen > 0) {
        fit.set("staged_at_once", {at_once}, "largest pageable copy that returned before a kernel in front of it", 1);
    }
    const auto& device = fit.device();
    fit.set("staged_h2d_bandwidth",
        bandwidths(recorded, "pageable copies", OperationKind::h2d, 16 * mib, device.copy_overhead),
        "pageable copies of 16 to 256 MiB");
    fit.set("staged_d2h_bandwidth",
        bandwidths(recorded, "pageable copies", OperationKind::d2h, 16 * mib, device.copy_overhead),
        "pageable copies of 16 to 256 MiB");
    std::vector<std::pair<double, double>> small;
    Samples chunks;
    for (const auto& experiment : recorded.of("pageable copies")) {
        for (const auto& call : experiment.calls) {
            if (!call.work.empty() && call.work.front().kind == OperationKind::h2d
                && static_cast<double>(call.work.front().bytes) <= device.staged_at_once) {
                small.emplace_back(static_cast<double>(call.work.front().bytes), call.time());
            }
        }
    }
    if (small.size() >= 8) {
        fit.set(
            "staging_bandwidth", {1e9 / robust_line(small).slope}, "calls of pageable copies that return at once", 1);
    }
    fit.set("staging_chunk",
        samples_of(recorded, {"pageable copies"},
            [&](const Experiment& experiment, Samples& samples) {
                for (const auto& work : experiment.work()) {
                    if (work.kind == OperationKind::h2d && work.bytes >= 16 * mib) {
                        samples.push_back(
                            static_cast<double>(work.start - work.call_start) * 1e-9 * device.staging_bandwidth);
                    }
                }
            }),
        "from a large pageable copy's call to its first byte, at staging_bandwidth");
}

void fit_two_gpus(const Experiments& recorded, Fit& fit)
{
    const auto overhead = fit.device().copy_overhead;
    fit.set("p2p_bandwidth", bandwidths(recorded, "peer copies", OperationKind::p2p, 64 * mib, overhead),
        "copies of 64 and 256 MiB with peer access");
    fit.set("p2p_bandwidth_without_access",
        bandwidths(recorded, "copies through the host", OperationKind::p2p, 64 * mib, overhead),
        "copies of 64 and 256 MiB without peer access");
    fit.set("p2p_call", times_of_calls(recorded, {"peer copies"}, OperationKind::p2p), "copies with peer access");

    struct Size {
        const char* range;
        std::uint64_t bytes;
    };
    constexpr std::array sizes {Size {"all-reduce of 4 KiB", 4 * kib}, Size {"all-reduce of 256 KiB", 256 * kib},
        Size {"all-reduce of 4 MiB", 4 * mib}, Size {"all-reduce of 32 MiB", 32 * mib},
        Size {"all-reduce of 256 MiB", 256 * mib}};
    std::vector<std::pair<double, double>> times;
    Samples calls;
    Samples blocks;
    for (const auto& [range, bytes] : sizes) {
        for (const auto& experiment : recorded.of(range)) {
            const auto work = experiment.work();
            for (std::size_t k = 1; k < work.size(); k += 2) {  // the ranks of one all-reduce are on the GPUs together
                const auto end = std::max(work[k].end, work[k - 1].end);
                times.emplace_back(static_cast<double>(bytes), static_cast<double>(end - work[k].start));
                const double threads = static_cast<double>(work[k].blocks) * work[k].threads;
                blocks.push_back(std::max<double>(work[k].blocks, threads / fit.device().threads_per_block));
            }
            const Call* first = nullptr;
            const Call* last = nullptr;
            for (const auto& call : experiment.calls) {
                if (call.name.find("Synchronize") == std::string_view::npos) {
                    first = first == nullptr ? &call : first;
                    last = &call;
                } else if (first != nullptr) {
                    calls.push_back(static_cast<double>(last->end - first->start) / 2);
                    first = nullptr;
                }
            }
        }
    }
    if (times.size() >= 10) {
        const auto line = robust_line(times);
        fit.set("all_reduce_latency", {std::max(0.0, line.intercept)}, "all-reduces of 4 KiB to 256 MiB", 1);
        fit.set("all_reduce_bandwidth", {1e9 / line.slope}, "all-reduces of 4 KiB to 256 MiB", 1);
    }
    fit.set("all_reduce_blocks", blocks, "grids as recorded, in blocks of threads_per_block");
    fit.set("all_reduce_call", calls, "from an all-reduce's first call to its last one's end, for each rank");
}

}  // namespace lanes
