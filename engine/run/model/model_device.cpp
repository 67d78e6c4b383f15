// SPDX-License-Identifier: MIT
#include "engine/run/model/model_device.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <variant>
#include <yaml-cpp/yaml.h>

namespace lanes {

namespace {

using Member = std::variant<Ns ModelDevice::*, double ModelDevice::*, std::uint32_t ModelDevice::*>;
enum class Unit { none, time, size, rate, operations };

struct Constant {
    const char* name;
    Member member;
    Unit unit;
};

#define LANES_CONSTANT(name, unit)                                                                                     \
    Constant                                                                                                           \
    {                                                                                                                  \
#name, &ModelDevice::name, Unit::unit                                                                          \
    }
const std::array constants {
    LANES_CONSTANT(multiprocessors, none),
    LANES_CONSTANT(copy_engines, none),
    LANES_CONSTANT(compute_major, none),
    LANES_CONSTANT(compute_minor, none),
    LANES_CONSTANT(core_clock_khz, none),
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
    LANES_CONSTANT(shortest_kernel, time),
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
    LANES_CONSTANT(duplex, none),
    LANES_CONSTANT(copy_overhead, time),
    LANES_CONSTANT(staged_h2d_bandwidth, rate),
    LANES_CONSTANT(staged_d2h_bandwidth, rate),
    LANES_CONSTANT(staged_at_once, size),
    LANES_CONSTANT(staging_bandwidth, rate),
    LANES_CONSTANT(staging_chunk, size),
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

struct Suffix {
    const char* text;
    Unit unit;
    double factor;
};
constexpr std::array suffixes {
    Suffix {"ns", Unit::time, 1},
    Suffix {"us", Unit::time, 1e3},
    Suffix {"ms", Unit::time, 1e6},
    Suffix {"B", Unit::size, 1},
    Suffix {"KiB", Unit::size, 1024},
    Suffix {"MiB", Unit::size, 1048576},
    Suffix {"GiB", Unit::size, 1073741824},
    Suffix {"MB/s", Unit::rate, 1e6},
    Suffix {"GB/s", Unit::rate, 1e9},
    Suffix {"TB/s", Unit::rate, 1e12},
    Suffix {"TFLOP/s", Unit::operations, 1e12},
    Suffix {"", Unit::none, 1},
};

const char* expected(Unit unit)
{
    switch (unit) {
    case Unit::time:
        return "a time, such as 3.4 us";
    case Unit::size:
        return "a size, such as 64 KiB";
    case Unit::rate:
        return "a rate, such as 55 GB/s";
    case Unit::operations:
        return "a rate, such as 50 TFLOP/s";
    case Unit::none:
        break;
    }
    return "a number";
}

class Reader {
public:
    explicit Reader(const std::string& file)
        : m_file(file)
    {
    }

    ModelDevice read(const std::string& text) const
    {
        YAML::Node root;
        try {
            root = YAML::Load(text);
        } catch (const YAML::Exception& error) {
            fail(error.mark, error.msg);
        }
        check_map(root, "the file", {"name", "constants"});
        ModelDevice device;
        device.name = scalar(need(root, root, "name"));
        const auto& node = need(root, root, "constants");
        std::set<std::string> names;
        for (const auto& constant : constants) {
            names.insert(constant.name);
        }
        check_map(node, "constants", names);
        for (const auto& constant : constants) {
            read(device, constant, need(root, node, constant.name));
        }
        return device;
    }

private:
    [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const
    {
        throw ModelDeviceError(fmt::format("{}:{}:{}: {}", m_file, mark.line + 1, mark.column + 1, message));
    }

    YAML::Node need(const YAML::Node& root, const YAML::Node& map, const char* key) const
    {
        const auto node = map[key];
        if (!node) {
            const auto mark = map.Mark().is_null() ? root.Mark() : map.Mark();
            fail(mark, fmt::format("\"{}\" is missing", key));
        }
        return node;
    }

    std::string scalar(const YAML::Node& node) const
    {
        if (!node.IsScalar() || node.Scalar().empty()) {
            fail(node.Mark(), "expected a text");
        }
        return node.Scalar();
    }

    void check_map(const YAML::Node& node, const char* what, const std::set<std::string>& keys) const
    {
        if (!node.IsMap()) {
            fail(node.Mark(), fmt::format("expected {} to be a map", what));
        }
        std::set<std::string> seen;
        for (const auto& entry : node) {
            const auto key = scalar(entry.first);
            if (!keys.contains(key)) {
                fail(entry.first.Mark(), fmt::format("unknown key \"{}\" in {}", key, what));
            }
            if (!seen.insert(key).second) {
                fail(entry.first.Mark(), fmt::format("\"{}\" stands twice", key));
            }
        }
    }

    void read(ModelDevice& device, const Constant& constant, const YAML::Node& node) const
    {
        check_map(node, constant.name, {"value", "source"});
        scalar(need(node, node, "source"));
        const auto value_node = need(node, node, "value");
        const double value = number(scalar(value_node), constant.unit, value_node.Mark());
        std::visit([&](auto member) { assign(device.*member, value, constant, value_node.Mark()); }, constant.member);
    }

    double number(const std::string& text, Unit unit, const YAML::Mark& mark) const
    {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        std::string suffix(end, text.data() + text.size());
        if (!suffix.empty() && suffix.front() == ' ') {
            suffix.erase(0, 1);
        }
        const auto known = std::find_if(
            suffixes.begin(), suffixes.end(), [&](const Suffix& s) { return s.unit == unit && s.text == suffix; });
        if (error != std::errc {} || !std::isfinite(value) || value < 0 || known == suffixes.end()) {
            fail(mark, fmt::format("\"{}\": expected {}", text, expected(unit)));
        }
        return value * known->factor;
    }

    void assign(double& target, double value, const Constant& constant, const YAML::Mark& mark) const
    {
        if (value <= 0) {
            fail(mark, fmt::format("\"{}\" must be above 0", constant.name));
        }
        target = value;
    }
    void assign(Ns& target, double value, const Constant&, const YAML::Mark& mark) const
    {
        if (value > 1e12) {
            fail(mark, "a time over 1000 s");
        }
        target = std::llround(value);
    }
    void assign(std::uint32_t& target, double value, const Constant& constant, const YAML::Mark& mark) const
    {
        // What has a unit of 0 (a minor version) is no divisor; all else counts something that is there.
        const bool may_be_zero = constant.name == std::string_view("compute_minor");
        if (value != std::floor(value) || value > 4e9 || (value < 1 && !may_be_zero)) {
            fail(mark, fmt::format("\"{}\" must be a whole number from 1", constant.name));
        }
        target = static_cast<std::uint32_t>(value);
    }

    std::string m_file;
};

}  // namespace

ModelDevice parse_model_device(const std::string& text, const std::string& file)
{
    return Reader(file).read(text);
}

ModelDevice load_model_device(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path);
    }
    return parse_model_device(text.str(), path);
}

}  // namespace lanes
