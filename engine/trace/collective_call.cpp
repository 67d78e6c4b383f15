// SPDX-License-Identifier: MIT
#include "engine/trace/collective_call.h"

#include "engine/trace/meta_keys.h"
#include "engine/trace/range_value.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace lanes {

namespace {

constexpr std::string_view nccl_domain = "NCCL";
constexpr std::size_t most_in_group = 10'000;

std::optional<std::uint64_t> count_of(const RangeValue& value)
{
    return value.type == RangeValueRecord::natural ? std::optional(value.value) : std::nullopt;
}

bool is_of_nccl(const Trace& trace, const Range& range)
{
    return !range.mark && trace.text(range.domain) == nccl_domain;
}

/// "ncclDevKernel_AllReduce_Sum_f32_RING_LL" for "ncclAllReduce", "ncclDevKernel_SendRecv(…)" for "ncclSend".
bool is_kernel_of(std::string_view kernel, std::string_view function)
{
    constexpr std::string_view prefix = "nccl";
    if (!function.starts_with(prefix)) {
        return false;
    }
    const auto what = function.substr(prefix.size());
    const bool is_by_messages
        = what == "Send" || what == "Recv" || what == "AlltoAll" || what == "Gather" || what == "Scatter";
    const auto word = "_" + (is_by_messages ? "SendRecv" : std::string(what));
    const auto at = kernel.find(word);
    return at != std::string_view::npos
        && (at + word.size() == kernel.size()
            || std::string_view("_(<").find(kernel[at + word.size()]) != std::string_view::npos);
}

/// The calls in the group of NCCL's that a range ends, in their order.
std::vector<Row> calls_in_group(const Trace& trace, Row end)
{
    std::vector<Row> calls;
    const Row thread = trace.ranges[end].thread;
    std::size_t open = 1;
    for (std::size_t looked = 0; looked < most_in_group && end-- > 0 && open > 0; ++looked) {
        const Range& range = trace.ranges[end];
        if (range.thread != thread || !is_of_nccl(trace, range)) {
            continue;
        }
        const auto name = trace.text(range.name);
        if (name == "ncclGroupStart") {
            --open;
        } else if (name == "ncclGroupEnd") {
            ++open;
        } else if (collective_call(trace, end)) {
            calls.push_back(end);
        }
    }
    std::reverse(calls.begin(), calls.end());
    return calls;
}

}  // namespace

std::string CollectiveCall::communicator_and_members() const
{
    return communicator.empty() || members.empty() ? communicator : communicator + ' ' + std::string(members);
}

std::optional<CollectiveCall> collective_call(const Trace& trace, Row range)
{
    CollectiveCall call {range, trace.text(trace.ranges[range].name)};
    bool is_made = false;  // by this range
    for (const auto& value : trace.values_of(range)) {
        const auto name = trace.text(value.name);
        const auto words = trace.text(value.words);
        if (name == collective_value::communicator) {
            call.communicator = text_of(trace, value);
        } else if (name == collective_value::call) {
            call.call = count_of(value);
        } else if (name == collective_value::sequence) {
            call.sequence = count_of(value);
        } else if (name == collective_value::bytes) {
            call.bytes = count_of(value);
        } else if (name == collective_value::root) {
            call.root = count_of(value);
        } else if (name == collective_value::peer) {
            call.peer = count_of(value);
        } else if (name == collective_value::ranks) {
            call.ranks = count_of(value);
        } else if (name == collective_value::operation) {
            call.operation = words;
        } else if (name == collective_value::members) {
            call.members = words;
        } else if (name == collective_value::function) {
            call.function = words;
        } else if (name == collective_value::device) {
            is_made = true;
        }
    }
    const bool is_call = !is_made && (call.bytes || (!call.communicator.empty() && call.call));
    const bool is_named = !call.communicator.empty() || is_of_nccl(trace, trace.ranges[range]);
    return is_call && is_named ? std::optional(std::move(call)) : std::nullopt;
}

std::vector<Row> collective_ranges(const Trace& trace, const Owners& owners, Row operation)
{
    if (trace.range_values.empty() || trace.operations.kind[operation] != OperationKind::kernel) {
        return {};
    }
    const auto kernel = trace.text(trace.kernels[trace.operations.detail[operation]].full_name);
    for (Row range = owners.of(operation).innermost; range != no_row; range = owners.outside(range)) {
        if (collective_call(trace, range)) {
            return {range};
        }
        if (trace.text(trace.ranges[range].name) != "ncclGroupEnd" || !is_of_nccl(trace, trace.ranges[range])) {
            continue;
        }
        auto calls = calls_in_group(trace, range);
        const auto is_of_kernel = [&](Row call) { return is_kernel_of(kernel, trace.text(trace.ranges[call].name)); };
        if (std::any_of(calls.begin(), calls.end(), is_of_kernel)) {
            std::erase_if(calls, [&](Row call) { return !is_of_kernel(call); });
        }
        if (!calls.empty()) {
            return calls;
        }
    }
    return {};
}

Row range_with_values(const Trace& trace, const Owners& owners, Row operation)
{
    if (trace.range_values.empty()) {
        return no_row;
    }
    if (const auto calls = collective_ranges(trace, owners, operation); !calls.empty()) {
        return calls.front();
    }
    Row range = owners.of(operation).innermost;
    while (range != no_row && trace.values_of(range).empty()) {
        range = owners.outside(range);
    }
    return range;
}

std::vector<Communicator> communicators(const Trace& trace)
{
    return parse_communicators(meta::text_of(trace.meta, meta::communicators));
}

std::vector<Communicator> parse_communicators(std::string_view text)
{
    std::vector<Communicator> all;
    std::istringstream lines {std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        Communicator one;
        if (words >> one.process >> one.id >> one.ranks >> one.rank >> one.device) {
            all.push_back(std::move(one));
        }
    }
    return all;
}

std::string text_of(const std::vector<Communicator>& communicators)
{
    std::string text;
    for (const auto& [process, id, ranks, rank, device] : communicators) {
        text += std::to_string(process) + " " + id + " " + std::to_string(ranks) + " " + std::to_string(rank) + " "
            + std::to_string(device) + "\n";
    }
    return text;
}

std::vector<Communicator> communicators_in_ranges(const Trace& trace)
{
    std::vector<Communicator> all;
    for (auto at = trace.range_values.begin(); at != trace.range_values.end();) {
        const Row range = at->range;
        const Row thread = trace.ranges[range].thread;
        Communicator one;
        std::optional<std::uint64_t> ranks, rank, device;
        for (; at != trace.range_values.end() && at->range == range; ++at) {
            const auto name = trace.text(at->name);
            if (name == collective_value::communicator && at->type == RangeValueRecord::id) {
                one.id = text_of(trace, *at);
            } else if (name == collective_value::ranks) {
                ranks = count_of(*at);
            } else if (name == collective_value::rank) {
                rank = count_of(*at);
            } else if (name == collective_value::device) {
                device = count_of(*at);
            }
        }
        if (!one.id.empty() && ranks && rank && device && thread != no_row) {
            one = {trace.threads[thread].process, std::move(one.id), *ranks, *rank, *device};
            if (std::find(all.begin(), all.end(), one) == all.end()) {  // its end names it once more
                all.push_back(std::move(one));
            }
        }
    }
    return all;
}

}  // namespace lanes
