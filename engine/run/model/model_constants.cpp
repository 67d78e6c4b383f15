// SPDX-License-Identifier: MIT
#include "engine/run/model/model_constants.h"

#include "engine/formatted.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes {

namespace {

#define LANES_CONSTANT(name, unit)                                                                                     \
    ModelConstant                                                                                                      \
    {                                                                                                                  \
#name, &ModelDevice::name, ModelUnit::unit                                                                     \
    }
const std::array constants {
    LANES_CONSTANT(multiprocessors, none),
    LANES_CONSTANT(copy_engines, none),
    LANES_CONSTANT(compute_major, none),
    LANES_CONSTANT(compute_minor, none),
    LANES_CONSTANT(core_clock_khz, none),
    LANES_CONSTANT(gpus, none),
    LANES_CONSTANT(memory_bytes, size),
    LANES_CONSTANT(memory_bandwidth, rate),
    LANES_CONSTANT(flops, operations),
    LANES_CONSTANT(kernel_bandwidth, rate),
    LANES_CONSTANT(threads_per_block, none),
    LANES_CONSTANT(blocks_per_multiprocessor, none),
    LANES_CONSTANT(blocks_to_saturate_memory, none),
    LANES_CONSTANT(resident_grids, none),
    LANES_CONSTANT(fill_bandwidth, rate),
    LANES_CONSTANT(fill_bandwidth_per_block, rate),
    LANES_CONSTANT(value_time, time),
    LANES_CONSTANT(value_block_time, time),
    LANES_CONSTANT(shortest_kernel, time),
    LANES_CONSTANT(kernel_excess, time),
    LANES_CONSTANT(kernel_gap, time),
    LANES_CONSTANT(cross_stream_gap, time),
    LANES_CONSTANT(engine_switch, time),
    LANES_CONSTANT(graph_gap, time),
    LANES_CONSTANT(graph_start, time),
    LANES_CONSTANT(h2d_bandwidth, rate),
    LANES_CONSTANT(d2h_bandwidth, rate),
    LANES_CONSTANT(d2d_bandwidth, rate),
    LANES_CONSTANT(p2p_bandwidth, rate),
    LANES_CONSTANT(p2p_bandwidth_without_access, rate),
    LANES_CONSTANT(memset_bandwidth, rate),
    LANES_CONSTANT(h2d_duplex, none),
    LANES_CONSTANT(d2h_duplex, none),
    LANES_CONSTANT(h2d_overhead, time),
    LANES_CONSTANT(d2h_overhead, time),
    LANES_CONSTANT(copy_overhead, time),
    LANES_CONSTANT(staged_h2d_bandwidth, rate),
    LANES_CONSTANT(staged_d2h_bandwidth, rate),
    LANES_CONSTANT(staged_at_once, size),
    LANES_CONSTANT(staging_chunk, size),
    LANES_CONSTANT(staging_bandwidth, rate),
    LANES_CONSTANT(inline_bytes, size),
    LANES_CONSTANT(inline_bandwidth, rate),
    LANES_CONSTANT(launch_call, time),
    LANES_CONSTANT(h2d_call, time),
    LANES_CONSTANT(d2h_call, time),
    LANES_CONSTANT(d2d_call, time),
    LANES_CONSTANT(p2p_call, time),
    LANES_CONSTANT(memset_call, time),
    LANES_CONSTANT(event_record_call, time),
    LANES_CONSTANT(stream_wait_call, time),
    LANES_CONSTANT(sync_call, time),
    LANES_CONSTANT(pool_alloc_call, time),
    LANES_CONSTANT(pool_free_call, time),
    LANES_CONSTANT(alloc_call, time),
    LANES_CONSTANT(free_call, time),
    LANES_CONSTANT(alloc_bandwidth, rate),
    LANES_CONSTANT(free_bandwidth, rate),
    LANES_CONSTANT(pin_bandwidth, rate),
    LANES_CONSTANT(unpin_bandwidth, rate),
    LANES_CONSTANT(capture_call, time),
    LANES_CONSTANT(instantiate_call, time),
    LANES_CONSTANT(instantiate_node, time),
    LANES_CONSTANT(graph_call, time),
    LANES_CONSTANT(graph_node, time),
    LANES_CONSTANT(all_reduce_call, time),
    LANES_CONSTANT(launch_latency, time),
    LANES_CONSTANT(copy_latency, time),
    LANES_CONSTANT(wake_up, time),
    LANES_CONSTANT(launch_queue, none),
    LANES_CONSTANT(refused_call, time),
    LANES_CONSTANT(fault_report, time),
    LANES_CONSTANT(fault_report_spread, time),
    LANES_CONSTANT(step, time),
    LANES_CONSTANT(branch, time),
    LANES_CONSTANT(sleep_overshoot, time),
    LANES_CONSTANT(queue_call, time),
    LANES_CONSTANT(thread_wake_up, time),
    LANES_CONSTANT(host_memcpy_bandwidth, rate),
    LANES_CONSTANT(read_bandwidth, rate),
    LANES_CONSTANT(read_page_time, time),
    LANES_CONSTANT(all_reduce_bandwidth, rate),
    LANES_CONSTANT(all_reduce_latency, time),
    LANES_CONSTANT(all_reduce_blocks, none),
};
#undef LANES_CONSTANT

// A minor version may be 0. All other counts are of things that exist, and some of them are divisors.
bool may_be_zero(const ModelConstant& constant)
{
    return constant.name == "compute_minor";
}

struct Scale {
    double factor;
    const char* suffix;
};

std::string scaled(double value, std::initializer_list<Scale> scales)
{
    const auto* scale = std::find_if(
        scales.begin(), scales.end() - 1, [&](const Scale& each) { return std::abs(value) >= each.factor; });
    return formatted("{:.4g} {}", value / scale->factor, scale->suffix);
}

}  // namespace

std::span<const ModelConstant> model_constants()
{
    return constants;
}

const ModelConstant* find_model_constant(std::string_view name)
{
    const auto* const found = std::find_if(
        constants.begin(), constants.end(), [&](const ModelConstant& each) { return each.name == name; });
    return found == constants.end() ? nullptr : &*found;
}

double value_of(const ModelDevice& device, const ModelConstant& constant)
{
    return std::visit([&](auto member) { return static_cast<double>(device.*member); }, constant.member);
}

void set_value(ModelDevice& device, const ModelConstant& constant, double value)
{
    std::visit(
        [&](auto member) {
            auto& target = device.*member;
            using Target = std::remove_reference_t<decltype(target)>;
            if constexpr (std::is_same_v<Target, double>) {
                target = value;
            } else {
                target = static_cast<Target>(std::llround(value));
            }
        },
        constant.member);
}

bool is_possible(const ModelConstant& constant, double value)
{
    if (!std::isfinite(value) || value < 0) {
        return false;
    }
    if (std::holds_alternative<double ModelDevice::*>(constant.member)) {
        return value > 0;
    }
    if (std::holds_alternative<Ns ModelDevice::*>(constant.member)) {
        return value <= 1e12;
    }
    return value <= 4e9 && (std::round(value) >= 1 || may_be_zero(constant));
}

std::string text_of(const ModelConstant& constant, double value)
{
    switch (constant.unit) {
    case ModelUnit::time:
        return value < 1000 ? formatted("{:.0f} ns", value) : formatted("{:.7g} us", std::round(value) / 1000);
    case ModelUnit::size:
        return scaled(value, {{1073741824, "GiB"}, {1048576, "MiB"}, {1024, "KiB"}, {1, "B"}});
    case ModelUnit::rate:
        return scaled(value, {{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}});
    case ModelUnit::operations:
        return scaled(value, {{1e12, "TFLOP/s"}});
    case ModelUnit::none:
        break;
    }
    const bool counts = std::holds_alternative<std::uint32_t ModelDevice::*>(constant.member);
    return counts ? formatted("{:.0f}", value) : formatted("{:.4g}", value);
}

}  // namespace lanes
