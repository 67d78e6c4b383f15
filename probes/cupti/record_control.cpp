// SPDX-License-Identifier: MIT
#include "probes/cupti/record_control.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t most_names = 12;
constexpr std::string_view step_name = "ProfilerStep#";

template <class T> void read_number(std::string_view text, T& number)
{
    std::from_chars(text.data(), text.data() + text.size(), number);
}

}  // namespace

bool ControlSettings::is_partial() const
{
    return delay > 0 || duration > 0 || !range.empty() || profiler || steps_end > 0 || max_bytes > 0;
}

std::string to_text(const ControlSettings& settings)
{
    return "start=" + std::to_string(settings.start) + ",delay=" + std::to_string(settings.delay)
        + ",duration=" + std::to_string(settings.duration) + ",profiler=" + (settings.profiler ? "1" : "0")
        + ",steps=" + std::to_string(settings.steps_end) + ",bytes=" + std::to_string(settings.max_bytes)
        + ",all=" + (settings.all_api ? "1" : "0") + ",graphs=" + (settings.whole_graphs ? "1" : "0")
        + ",range=" + settings.range;
}

ControlSettings control_of_text(std::string_view text)
{
    ControlSettings settings;
    while (!text.empty()) {
        const auto key = text.substr(0, text.find('='));
        text.remove_prefix(std::min(text.size(), key.size() + 1));
        const auto value = key == "range" ? text : text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), value.size() + 1));
        if (key == "start") {
            read_number(value, settings.start);
        } else if (key == "delay") {
            read_number(value, settings.delay);
        } else if (key == "duration") {
            read_number(value, settings.duration);
        } else if (key == "profiler") {
            settings.profiler = value == "1";
        } else if (key == "steps") {
            read_number(value, settings.steps_end);
        } else if (key == "bytes") {
            read_number(value, settings.max_bytes);
        } else if (key == "all") {
            settings.all_api = value == "1";
        } else if (key == "graphs") {
            settings.whole_graphs = value == "1";
        } else if (key == "range") {
            settings.range = value;
        }
    }
    return settings;
}

RecordControl::RecordControl(ControlSettings settings)
    : m_settings(std::move(settings))
{
}

RecordControl::Switch RecordControl::begin(Cause cause, Ns now)
{
    m_state = State::recording;
    m_begun_by = cause;
    m_ended_by = Cause::program;  // until something else changes it
    m_begun = now;
    return Switch::begin;
}

RecordControl::Switch RecordControl::finish(Cause cause)
{
    m_state = State::over;
    m_ended_by = cause;
    return Switch::finish;
}

RecordControl::Switch RecordControl::at(Ns now)
{
    if (m_state == State::waiting && m_settings.range.empty() && !m_settings.profiler && now >= earliest()) {
        return begin(m_settings.delay > 0 ? Cause::delay : Cause::program, now);
    }
    if (m_state == State::recording && m_settings.duration > 0 && now - m_begun >= m_settings.duration) {
        return finish(Cause::duration);
    }
    return Switch::none;
}

Ns RecordControl::next() const
{
    if (m_state == State::waiting && m_settings.range.empty() && !m_settings.profiler) {
        return earliest();
    }
    return m_state == State::recording && m_settings.duration > 0 ? m_begun + m_settings.duration : never;
}

RecordControl::Switch RecordControl::holds(std::uint64_t bytes)
{
    return m_state == State::recording && m_settings.max_bytes > 0 && bytes >= m_settings.max_bytes
        ? finish(Cause::size)
        : Switch::none;
}

RecordControl::Switch RecordControl::profiler_started(Ns now)
{
    return m_state == State::waiting && m_settings.profiler && now >= earliest() ? begin(Cause::profiler, now)
                                                                                 : Switch::none;
}

RecordControl::Switch RecordControl::profiler_stopped()
{
    return m_state == State::recording && m_begun_by == Cause::profiler ? finish(Cause::profiler) : Switch::none;
}

bool RecordControl::is_meant(std::string_view name, Ns now)
{
    if (m_state != State::waiting || m_settings.range.empty()) {
        return false;
    }
    if (name == m_settings.range) {
        return now >= earliest();
    }
    if (m_seen.size() < most_names) {
        m_seen.emplace(name);
    }
    return false;
}

bool RecordControl::ends_steps(std::string_view name) const
{
    std::uint32_t step = 0;
    if (m_state != State::recording || m_settings.steps_end == 0 || !name.starts_with(step_name)) {
        return false;
    }
    read_number(name.substr(step_name.size()), step);
    return step >= m_settings.steps_end;
}

RecordControl::Switch RecordControl::pushed(std::uint64_t thread, std::uint64_t domain, std::string_view name, Ns now)
{
    if (is_meant(name, now)) {
        m_by_push = true;
        m_thread = thread;
        m_domain = domain;
        m_depth = 1;
        return begin(Cause::range, now);
    }
    if (m_by_push && thread == m_thread && domain == m_domain) {
        ++m_depth;
    }
    return ends_steps(name) ? finish(Cause::steps) : Switch::none;
}

RecordControl::Switch RecordControl::popped(std::uint64_t thread, std::uint64_t domain)
{
    if (!m_by_push || thread != m_thread || domain != m_domain || m_depth == 0 || --m_depth > 0) {
        return Switch::none;
    }
    return m_state == State::recording ? finish(Cause::range) : Switch::none;
}

RecordControl::Switch RecordControl::started(std::uint64_t id, std::string_view name, Ns now)
{
    if (is_meant(name, now)) {
        m_by_start = true;
        m_id = id;
        return begin(Cause::range, now);
    }
    return ends_steps(name) ? finish(Cause::steps) : Switch::none;
}

RecordControl::Switch RecordControl::ended(std::uint64_t id)
{
    return m_state == State::recording && m_by_start && id == m_id ? finish(Cause::range) : Switch::none;
}

std::string RecordControl::why_nothing() const
{
    if (m_state != State::waiting) {
        return "";
    }
    if (!m_settings.range.empty()) {
        std::string names;
        for (const auto& name : m_seen) {
            names += (names.empty() ? "" : ", ") + name;
        }
        return "no NVTX range \"" + m_settings.range + "\" was opened"
            + (m_settings.delay > 0 ? " after the delay" : "") + (names.empty() ? "" : "; others were: " + names);
    }
    if (m_settings.profiler) {
        return std::string("cudaProfilerStart was not called") + (m_settings.delay > 0 ? " after the delay" : "");
    }
    return "the program ended before the delay was over";
}

std::string_view name_of(RecordControl::Cause cause)
{
    constexpr std::string_view names[] = {"none", "program", "delay", "range", "profiler", "duration", "steps", "size"};
    return names[static_cast<std::size_t>(cause)];
}

}  // namespace lanes
