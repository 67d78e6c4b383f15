// SPDX-License-Identifier: MIT
#include "engine/store/export/kineto_text.h"

#include "engine/trace/range_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lanes {

std::string microseconds(Ns time)
{
    const auto size = static_cast<std::uint64_t>(time < 0 ? -time : time);
    const auto rest = std::to_string(size % 1000);
    return (time < 0 ? "-" : "") + std::to_string(size / 1000) + "." + std::string(3 - rest.size(), '0') + rest;
}

std::string number(double value)
{
    constexpr double whole = 9'007'199'254'740'992;  // 2^53: below it a double is as exact as an integer
    if (std::trunc(value) == value && std::abs(value) < whole) {
        return std::to_string(static_cast<std::int64_t>(value));
    }
    std::array<char, 32> digits {};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

std::string ratio(std::uint64_t bytes, Ns duration)
{
    std::array<char, 32> digits {};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
        static_cast<double>(bytes) / static_cast<double>(duration), std::chars_format::fixed, 6)
                         .ptr;
    return {digits.data(), end};
}

void write_flow(TextFile& file, const FlowEnd& end)
{
    file << "\"ph\": \"" << std::string_view(&end.phase, 1) << "\", \"id\": " << end.id << ", \"pid\": " << end.process
         << ", \"tid\": " << end.thread << ", \"ts\": " << microseconds(end.time) << ", \"cat\": \"" << end.category
         << "\", \"name\": \"" << end.category << (end.phase == 'f' ? "\", \"bp\": \"e\"}" : "\"}");
}

const Event* RecordedEvents::of(const Sync& sync)
{
    if (m_by_sync.empty()) {
        for (const auto& event : m_trace.events) {
            if (event.event_sync != 0) {
                m_by_sync.emplace(event.event_sync, &event);
            }
        }
    }
    for (auto [at, end] = m_by_sync.equal_range(sync.event_sync); at != end; ++at) {
        const auto* const event = at->second;
        if (event->stream == no_row || m_trace.streams[event->stream].process == sync.process) {
            return event;
        }
    }
    return nullptr;
}

bool is_special(std::string_view category)
{
    static constexpr std::array<std::string_view, 15> words {"kernel", "Kernel", "gpu_memcpy", "Memcpy", "gpu_memset",
        "Memset", "cuda_runtime", "Runtime", "cuda_driver", "cuda_sync", "overhead", "gpu_user_annotation",
        "cuda_event", "Trace", "ac2g"};
    return std::find(words.begin(), words.end(), category) != words.end();
}

void Arguments::add_values(const Trace& trace, Row range)
{
    const auto values = trace.values_of(range);
    if (values.empty()) {
        return;
    }
    begin("values") << "{";
    for (const auto& value : values) {
        const auto text = text_of(trace, value);
        const bool is_number = value.type == RangeValueRecord::integer || value.type == RangeValueRecord::natural
            || (value.type == RangeValueRecord::real && std::isfinite(std::bit_cast<double>(value.value)));
        m_file << (&value == values.data() ? "" : ", ") << json_string(trace.text(value.name)) << ": ";
        if (is_number) {
            m_file << text;
        } else {
            m_file << json_string(text);
        }
    }
    m_file << "}";
}

}  // namespace lanes
