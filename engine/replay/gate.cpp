// SPDX-License-Identifier: MIT
#include "engine/replay/gate.h"

#include "engine/analysis/facts/call_class.h"
#include "engine/analysis/words/shown.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lanes::replay {

namespace {

constexpr double most_doubtful = 0.02;  // of the total, in calls that may or may not have waited

Message reason(const char* id, std::uint64_t count = 0)
{
    Message::Arguments arguments;
    if (count > 0) {
        arguments.emplace_back("count", std::to_string(count));
    }
    return {std::string("whatif.refused.") + id, std::move(arguments)};
}

/// Adds a reason to `reasons` if its condition holds.
auto adder(std::vector<Message>& reasons)
{
    return [&reasons](bool holds, const char* id, std::uint64_t count = 0) {
        if (holds) {
            reasons.push_back(reason(id, count));
        }
    };
}

/// At most how long the calls took that may or may not have waited: all of their cause and thread without a stretch. A
/// replay takes them for work of their thread. Nothing: it is not known which calls these are.
std::optional<Ns> doubtful_time(const Script& script, const Trace& trace, const Blocking& blocking)
{
    constexpr auto bit = [](BlockCause cause) { return 1U << static_cast<unsigned>(cause); };
    constexpr unsigned told = bit(BlockCause::stream_sync) | bit(BlockCause::device_sync) | bit(BlockCause::event_sync)
        | bit(BlockCause::memory);
    Ns all_began = 0;  // before that, an allocation may have waited for work that is not in the recording
    for (Row stream = 0; stream < trace.streams.size(); ++stream) {
        if (const auto rows = trace.operations_of(stream); !rows.empty()) {
            all_began = std::max(all_began, trace.operations.start[rows.begin]);
        }
    }
    Ns time = 0;
    for (const auto& item : script.items) {
        const unsigned unknown = item.thread < blocking.unknown.size() ? blocking.unknown[item.thread] : 0;
        if (unknown == 0 || item.kind != Item::call) {
            continue;
        }
        if ((unknown & ~told) != 0) {
            return std::nullopt;
        }
        const bool is_meant = (item.type == CallClass::stream_sync && (unknown & bit(BlockCause::stream_sync)) != 0)
            || (item.type == CallClass::device_sync && (unknown & bit(BlockCause::device_sync)) != 0)
            || (item.type == CallClass::event_sync && (unknown & bit(BlockCause::event_sync)) != 0)
            || (item.type == CallClass::memory && (unknown & bit(BlockCause::memory)) != 0 && item.start < all_began);
        time += is_meant && blocking.of(item.row).empty() ? item.end - item.start : 0;
    }
    return time;
}

bool is_managed(MemoryKind kind)
{
    return kind == MemoryKind::managed || kind == MemoryKind::managed_static;
}

}  // namespace

std::vector<Message> reasons_at_sight(const Trace& trace)
{
    if (trace.operations.size() == 0) {
        return {reason("no_operations")};
    }
    if (trace.calls.size() == 0) {
        return {reason("no_calls")};
    }
    std::vector<Message> reasons;
    const auto add = adder(reasons);
    add(trace.source == Source::predicted, "predicted");
    add(!trace.errors.empty() || !meta::text_of(trace.meta, meta::error).empty(), "failed");
    add(meta::text_of(trace.meta, meta::complete) == "no", "cut");
    add(trace.dropped > 0, "dropped", trace.dropped);
    return reasons;
}

std::vector<Message> reasons_of(const Graph& graph, const Script& script)
{
    const auto& trace = graph.trace();
    const auto& blocking = graph.blocking();
    std::vector<Message> reasons = reasons_at_sight(trace);
    if (trace.operations.size() == 0 || trace.calls.size() == 0) {
        return reasons;
    }
    const auto add = adder(reasons);
    add(script.gaps.orphans > 0, "orphans", script.gaps.orphans);
    add(script.gaps.empty_graphs > 0, "graphs", script.gaps.empty_graphs);
    const auto managed = static_cast<std::uint64_t>(std::count_if(trace.copies.begin(), trace.copies.end(),
        [](const CopyDetail& copy) { return is_managed(copy.source) || is_managed(copy.target); }));
    const auto migrations = meta::text_of(trace.meta, meta::migrations);
    add(managed > 0 || (!migrations.empty() && migrations != "0"), "managed");
    const auto classes = call_classes(trace);
    const auto hidden = static_cast<std::uint64_t>(std::count_if(trace.calls.name.begin(), trace.calls.name.end(),
        [&](StringId name) { return classes[name] == CallClass::hidden_work; }));
    add(hidden > 0 || !trace.host_functions.empty(), "host_functions",
        std::max<std::uint64_t>(hidden, trace.host_functions.size()));
    const double most = most_doubtful * static_cast<double>(script.recorded_end);
    const auto doubtful = blocking.known ? doubtful_time(script, trace, blocking) : std::nullopt;
    add(!doubtful || static_cast<double>(*doubtful) > most, "waits");
    return reasons;
}

Replayed try_unchanged(Gate& gate, const Script& script)
{
    auto measured = replay(script);
    Mode mode;
    mode.measured = false;
    const auto constants = replay(script, mode);
    gate.measured = measured.total;
    gate.constants = constants.total;
    gate.delays = measured.delays;
    const auto stuck = std::max(measured.stuck, constants.stuck);
    if (stuck > 0) {
        gate.reasons.push_back(reason("stuck", stuck));
        return measured;
    }
    const auto off = [&](double part, double most, const char* id) {
        if (std::abs(part) > most) {
            const double limit = std::copysign(100 * most, part);
            gate.reasons.push_back(Message {std::string("whatif.refused.") + id,
                {{"off", shown_change_beside(100 * part, limit)}, {"most", shown_share(most)}}});
        }
    };
    off(gate.off_measured(), most_off_measured, "off_measured");
    off(gate.off_constants(), most_off_constants, "off_constants");
    return measured;
}

}  // namespace lanes::replay
