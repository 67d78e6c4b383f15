// SPDX-License-Identifier: MIT
// Reads one event of a Perfetto trace as the event of a Chrome trace that it would be; private to engine/store.
// Source: Perfetto's track_event.proto, debug_annotation.proto, gpu_render_stage_event.proto; PyTorch's
// torch/csrc/profiler/cupti/monitor_pftrace.cpp and _cupti_monitor.py, which write them (pytorch#187898, #191667).
#pragma once

#include "engine/store/chrome/chrome_event.h"
#include "engine/store/perfetto/perfetto_names.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lanes {

/// What a TrackEvent says beside what a ChromeEvent holds.
struct PerfettoTrackEvent {
    enum Type : std::uint8_t { unspecified, begin, end, instant, counter };
    Type type = unspecified;
    std::optional<std::uint64_t> track;
    std::optional<std::int64_t> relative_us, absolute_us;  ///< its time, where the packet has none
    std::optional<double> value;  ///< of a counter
    std::vector<std::uint64_t> further_tracks;  ///< of further counters
    std::vector<double> further_values;
    bool has_flow = false;
    char legacy_phase = 0;
    std::optional<std::int64_t> legacy_us;  ///< how long a complete event lasts
};

class PerfettoEventReader {
public:
    PerfettoEventReader(PerfettoTexts& texts, ChromeBatch& batch)
        : m_texts(texts)
        , m_batch(batch)
    {
    }
    /// Type, track, time and counters of a TrackEvent; names and arguments are left out. Throws ProtobufDamage.
    static PerfettoTrackEvent outline(std::string_view message);
    /// Names and arguments of a TrackEvent. A call with its end adds to what the begin said. Throws ProtobufDamage.
    void read(std::string_view message, const PerfettoNames& names, ChromeEvent& event);
    /// A GpuRenderStageEvent: work of a GPU, with its length. Throws ProtobufDamage.
    void read_stage(std::string_view message, const PerfettoNames& names, ChromeEvent& event);
    /// PyTorch's writer gives no categories: finds that of an event from its arguments, name and track.
    void find_category(ChromeEvent& event, std::string_view track) const;

private:
    void argument(std::string_view message, const PerfettoNames& names, ChromeEvent& event);
    void legacy(std::string_view message, ChromeEvent& event);
    std::string_view digits(std::int64_t number);
    std::string_view unsigned_digits(std::uint64_t number);

    PerfettoTexts& m_texts;
    ChromeBatch& m_batch;
    bool m_is_call = false, m_is_sync = false, m_is_python = false;  ///< by arguments that nothing else has
};

}  // namespace lanes
