// SPDX-License-Identifier: MIT
// Fits copies: pinned and pageable, both ways at once, within a GPU, between GPUs, through collectives.
#include "engine/calibrate/fit.h"
#include "engine/calibrate/samples.h"

#include <algorithm>
#include <array>

namespace lanes {

namespace {

/// bytes/s of the copies of `kind` from `least` bytes on, without the time of an empty copy.
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

/// Bytes and ns of the copies of `kind` from `least` bytes on.
std::vector<std::pair<double, double>> times_by_size(
    const Experiments& recorded, const char* range, OperationKind kind, std::uint64_t least)
{
    std::vector<std::pair<double, double>> points;
    for (const auto& experiment : recorded.of(range)) {
        for (const auto& work : experiment.work()) {
            if (work.kind == kind && work.bytes >= least) {
                points.emplace_back(static_cast<double>(work.bytes), work.time());
            }
        }
    }
    return points;
}

/// Part of its bandwidth that the direction of `kind` keeps while both are busy.
void duplex(const Experiment& experiment, const ModelDevice& device, OperationKind kind, Samples& samples)
{
    const auto work = experiment.work();
    for (std::size_t k = 1; k < work.size(); k += 2) {
        const auto both
            = static_cast<double>(std::min(work[k].end, work[k - 1].end) - std::max(work[k].start, work[k - 1].start));
        for (const auto& each : {work[k - 1], work[k]}) {
            if (each.kind != kind || both <= 0) {
                continue;
            }
            const double rate = each.kind == OperationKind::h2d ? device.h2d_bandwidth : device.d2h_bandwidth;
            const Ns overhead = each.kind == OperationKind::h2d ? device.h2d_overhead : device.d2h_overhead;
            const double alone = static_cast<double>(overhead) + static_cast<double>(each.bytes) / rate * 1e9;
            samples.push_back((alone - (each.time() - both)) / both);
        }
    }
}

}  // namespace

void fit_copies(const Experiments& recorded, Fit& fit)
{
    for (const auto& [constant, kind] :
        {std::pair("h2d_overhead", OperationKind::h2d), std::pair("d2h_overhead", OperationKind::d2h)}) {
        fit.set(constant,
            samples_of(recorded, {"pinned copies"},
                [kind = kind](const Experiment& experiment, Samples& samples) {
                    for (const auto& work : experiment.work()) {
                        if (work.kind == kind && work.bytes == 8) {
                            samples.push_back(work.time());
                        }
                    }
                }),
            "pinned copies of 8 B");
    }
    if (const auto within = times_by_size(recorded, "within the GPU", OperationKind::d2d, 0); within.size() >= 6) {
        fit.set("copy_overhead", {std::max(0.0, robust_line(within).intercept)}, "copies within the GPU of no size", 1);
    }
    const auto rates
        = [&](const char* constant, const char* range, OperationKind kind, std::uint64_t least, Ns overhead,
              const char* how) { fit.set(constant, bandwidths(recorded, range, kind, least, overhead), how); };
    const auto& device = fit.device();
    rates("h2d_bandwidth", "pinned copies", OperationKind::h2d, 16 * mib, device.h2d_overhead,
        "pinned copies of 16 to 256 MiB");
    rates("d2h_bandwidth", "pinned copies", OperationKind::d2h, 16 * mib, device.d2h_overhead,
        "pinned copies of 16 to 256 MiB");
    rates("d2d_bandwidth", "within the GPU", OperationKind::d2d, 64 * mib, device.copy_overhead,
        "copies of 64 and 256 MiB within the GPU");
    rates("memset_bandwidth", "memsets", OperationKind::memset, 64 * mib, device.copy_overhead,
        "memsets of 64 and 256 MiB");
    for (const auto& [constant, kind] :
        {std::pair("h2d_duplex", OperationKind::h2d), std::pair("d2h_duplex", OperationKind::d2h)}) {
        fit.set(constant,
            samples_of(recorded, {"both ways at once"},
                [&, kind = kind](const Experiment& experiment, Samples& samples) {
                    duplex(experiment, fit.device(), kind, samples);
                }),
            "128 MiB each way at once");
    }
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
    // After a kernel of 1 ms or more: a copy whose call returns long before the kernel's end was staged at once.
    double at_once = 0;
    std::size_t seen = 0;
    for (const auto* range : {"pageable copies behind a kernel", "larger pageable copies behind a kernel"}) {
        for (const auto& experiment : recorded.of(range)) {
            const Work* kernel = nullptr;
            for (const auto& call : experiment.calls) {
                if (call.work.empty()) {
                    continue;
                }
                const auto& work = call.work.front();
                if (work.kind == OperationKind::kernel) {
                    kernel = &work;
                } else if (kernel != nullptr) {
                    ++seen;
                    const bool returned = call.end < kernel->end - 200'000;
                    at_once = returned ? std::max(at_once, static_cast<double>(work.bytes)) : at_once;
                }
            }
        }
    }
    if (seen > 0) {
        fit.set("staged_at_once", {at_once}, "largest pageable copy that returned before a kernel in front of it", 1);
    }
    const auto& device = fit.device();
    // The call of a large copy lasts until the host has copied its last byte, whatever the pieces: takes a rate from
    // each copy, because in a line through the sizes one slow copy of the largest would have too much weight.
    const auto staged = [&](OperationKind kind, double around) {
        return samples_of(recorded, {"pageable copies"}, [=](const Experiment& experiment, Samples& samples) {
            for (const auto& call : experiment.calls) {
                if (!call.work.empty() && call.work.front().kind == kind && call.work.front().bytes >= 16 * mib) {
                    samples.push_back(rate_of(static_cast<double>(call.work.front().bytes), call.time() - around));
                }
            }
        });
    };
    const std::string large = "calls of pageable copies of 16 to 256 MiB";
    fit.set("staged_h2d_bandwidth", staged(OperationKind::h2d, static_cast<double>(device.copy_latency)), large);
    fit.set("staging_chunk",
        samples_of(recorded, {"pageable copies"},
            [&](const Experiment& experiment, Samples& samples) {
                for (const auto& work : experiment.work()) {
                    if (work.kind == OperationKind::h2d && work.bytes >= 16 * mib) {
                        const auto first = static_cast<double>(work.start - work.call_start - device.copy_latency);
                        samples.push_back(first * 1e-9 * device.staged_h2d_bandwidth);
                    }
                }
            }),
        "from a large upload's call to its first byte, at staged_h2d_bandwidth");
    const double first_piece = device.staging_chunk / device.d2h_bandwidth * 1e9;
    fit.set("staged_d2h_bandwidth",
        staged(OperationKind::d2h,
            static_cast<double>(device.copy_latency + device.d2h_overhead + device.wake_up) + first_piece),
        large);
    const auto calls_up = [&](double above, double most) {
        std::vector<std::pair<double, double>> points;
        for (const auto& experiment : recorded.of("pageable copies")) {
            for (const auto& call : experiment.calls) {
                const double bytes = call.work.empty() ? -1 : static_cast<double>(call.work.front().bytes);
                if (bytes > above && bytes <= most && call.work.front().kind == OperationKind::h2d) {
                    points.emplace_back(bytes, call.time());
                }
            }
        }
        return points;
    };
    const auto set_slope = [&](const char* constant, const auto& points, const char* how) {
        if (points.size() >= 8) {
            fit.set(constant, {1e9 / robust_line(points).slope}, how, 1);
        }
    };
    set_slope("staging_bandwidth", calls_up(device.inline_bytes, device.staging_chunk * 1.02),
        "calls of uploads that fit into a piece");
    set_slope("inline_bandwidth", calls_up(0, device.inline_bytes), "calls of uploads of 8 B to 64 KiB");
}

void fit_two_gpus(const Experiments& recorded, Fit& fit)
{
    const auto overhead = fit.device().copy_overhead;
    fit.set("p2p_bandwidth", bandwidths(recorded, "peer copies", OperationKind::p2p, 64 * mib, overhead),
        "copies of 64 and 256 MiB with peer access");
    // CUPTI's records have only the last piece: so the time is from the call to the return of the synchronisation after
    // it.
    fit.set("p2p_bandwidth_without_access",
        samples_of(recorded, {"copies through the host"},
            [&](const Experiment& experiment, Samples& samples) {
                const Call* copy = nullptr;
                for (const auto& call : experiment.calls) {
                    if (!call.work.empty()) {
                        copy = &call;
                    } else if (copy != nullptr && call.name == "cudaStreamSynchronize") {
                        const auto& device = fit.device();
                        const Ns around = device.copy_latency + device.copy_overhead + device.wake_up;
                        samples.push_back(rate_of(static_cast<double>(copy->work.front().bytes),
                            static_cast<double>(call.end - copy->start - around)));
                    }
                }
            }),
        "copies of 64 and 256 MiB without peer access, with the synchronisation behind them");
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
                if (bytes >= 4 * mib) {  // below, NCCL uses other, faster methods
                    times.emplace_back(static_cast<double>(bytes), static_cast<double>(end - work[k].start));
                }
                const double threads = static_cast<double>(work[k].blocks) * work[k].threads;
                blocks.push_back(std::max<double>(work[k].blocks, threads / fit.device().threads_per_block));
            }
            const Call* first = nullptr;
            const Call* last = nullptr;
            bool launched = false;
            for (const auto& call : experiment.calls) {
                if (call.name.find("Synchronize") == std::string_view::npos) {
                    first = first == nullptr ? &call : first;
                    last = &call;
                    launched = launched || !call.work.empty();
                } else if (first != nullptr) {
                    if (launched) {
                        calls.push_back(static_cast<double>(last->end - first->start) / 2);
                    }
                    first = nullptr;
                    launched = false;
                }
            }
        }
    }
    if (times.size() >= 10) {
        const auto line = robust_line(times);
        fit.set("all_reduce_latency", {std::max(0.0, line.intercept)}, "all-reduces of 4 to 256 MiB", 1);
        fit.set("all_reduce_bandwidth", {1e9 / line.slope}, "all-reduces of 4 to 256 MiB", 1);
    }
    fit.set("all_reduce_blocks", blocks, "grids as recorded, in blocks of threads_per_block");
    fit.set("all_reduce_call", calls, "from an all-reduce's first call to its last one's end, for each rank");
}

}  // namespace lanes
