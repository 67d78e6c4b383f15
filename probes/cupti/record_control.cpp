// SPDX-License-Identifier: MIT
#include "probes/cupti/record_control.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace lanes {

namespace {

constexpr std::size_t most_names = 12;
constexpr std::string_view step_name = "ProfilerStep#";
constexpr std::string_view detach_names[] = {"automatic", "always", "never"};

template <class T> void read_number(std::string_view text, T& number)
{
    std::from_chars(text.data(), text.data() + text.size(), number);
}

}  // namespace

bool ControlSettings::is_partial() const
{
    return delay > 0 || duration > 0 || at > 0 || !range.empty() || profiler || steps_end > 0 || max_bytes > 0
        || has_parts();
}

Ns ControlSettings::earliest() const
{
    const Ns earliest = start + delay;
    return at > 0 ? (earliest + at - 1) / at * at : earliest;
}

std::string to_text(const ControlSettings& settings)
{
    return "start=" + std::to_string(settings.start) + ",delay=" + std::to_string(settings.delay)
        + ",duration=" + std::to_string(settings.duration) + ",at=" + std::to_string(settings.at)
        + ",every=" + std::to_string(settings.every) + ",idle=" + (settings.idle ? "1" : "0")
        + ",detach=" + std::string(detach_names[static_cast<std::size_t>(settings.detach)])
        + ",profiler=" + (settings.profiler ? "1" : "0") + ",steps=" + std::to_string(settings.steps_end)
        + ",bytes=" + std::to_string(settings.max_bytes) + ",all=" + (settings.all_api ? "1" : "0")
        + ",graphs=" + (settings.whole_graphs ? "1" : "0") + ",launches=" + std::to_string(settings.node_launches)
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
        } else if (key == "at") {
            read_number(value, settings.at);
        } else if (key == "every") {
            read_number(value, settings.every);
        } else if (key == "idle") {
            settings.idle = value == "1";
        } else if (key == "detach") {
            const auto* const name = std::find(std::begin(detach_names), std::end(detach_names), value);
            if (name != std::end(detach_names)) {
                settings.detach = static_cast<Detach>(name - std::begin(detach_names));
            }
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
        } else if (key == "launches") {
            read_number(value, settings.node_launches);
        } else if (key == "range") {
            settings.range = value;
        }
    }
    return settings;
}

RecordControl::RecordControl(ControlSettings settings)
    : m_settings(std::move(settings))
    , m_state(m_settings.idle ? State::idle : State::waiting)
    , m_earliest(m_settings.earliest())
    , m_duration(m_settings.duration)
{
}

RecordControl::Switch RecordControl::begin(Cause cause, Ns now)
{
    m_state = State::recording;
    m_begun_by = cause;
    m_ended_by = Cause::program;  // until something else changes it
    // By the clock it ends at the same moment in all processes, however late each one saw that it had begun.
    const Ns begun = cause == Cause::clock || cause == Cause::trigger ? m_earliest : now;
    m_end = m_duration > 0 ? begun + m_duration : never;
    return Switch::begin;
}

RecordControl::Switch RecordControl::finish(Cause cause)
{
    m_ended_by = cause;
    if (cause == Cause::size || !m_settings.has_parts()) {
        m_state = State::over;
    } else if (m_settings.idle) {
        m_state = State::idle;
    } else {
        m_earliest += m_settings.every;
        m_state = State::waiting;
    }
    return Switch::finish;
}

void RecordControl::triggered(const ControlSettings& part, Ns now)
{
    const Ns earliest = part.earliest();
    if (m_state == State::idle && (part.duration == 0 || now < earliest + part.duration)) {
        m_state = State::waiting;
        m_earliest = earliest;
        m_duration = part.duration;
    }
}

bool RecordControl::waits_for_time() const
{
    return m_state == State::waiting && m_settings.range.empty() && !m_settings.profiler;
}

RecordControl::Switch RecordControl::at(Ns now)
{
    if (waits_for_time() && now >= m_earliest) {
        const bool by_clock = m_settings.at > 0 || m_settings.every > 0;
        // A process that was stopped for a while goes on with the part that is due, not with those that it missed.
        while (m_settings.every > 0 && now >= m_earliest + m_settings.every) {
            m_earliest += m_settings.every;
        }
        return begin(m_settings.idle   ? Cause::trigger
                : by_clock             ? Cause::clock
                : m_settings.delay > 0 ? Cause::delay
                                       : Cause::program,
            now);
    }
    return m_state == State::recording && now >= m_end ? finish(Cause::duration) : Switch::none;
}

Ns RecordControl::next() const
{
    return waits_for_time() ? m_earliest : m_state == State::recording ? m_end : never;
}

RecordControl::Switch RecordControl::holds(std::uint64_t bytes)
{
    return m_state == State::recording && m_settings.max_bytes > 0 && bytes >= m_settings.max_bytes
        ? finish(Cause::size)
        : Switch::none;
}

RecordControl::Switch RecordControl::profiler_started(Ns now)
{
    return m_state == State::waiting && m_settings.profiler && now >= m_earliest ? begin(Cause::profiler, now)
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
        return now >= m_earliest;
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
    if (m_begun_by != Cause::none) {
        return "";
    }
    if (m_settings.idle) {
        return m_state == State::idle ? "it was not triggered: use lanes trigger while it runs"
                                      : "the program ended before the moment for which it was triggered";
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
    return m_settings.at > 0 || m_settings.every > 0 ? "the program ended before the moment at which recording begins"
                                                     : "the program ended before the delay was over";
}

std::string_view name_of(RecordControl::Cause cause)
{
    constexpr std::string_view names[]
        = {"none", "program", "delay", "range", "profiler", "duration", "steps", "size", "clock", "trigger"};
    return names[static_cast<std::size_t>(cause)];
}

}  // namespace lanes
