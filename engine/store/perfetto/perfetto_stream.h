// SPDX-License-Identifier: MIT
// A trace in Perfetto's own format, packet by packet, as the events that Chrome's format has; private to engine/store.
#pragma once

#include "engine/store/chrome/chrome_event.h"
#include "engine/store/json_text.h"
#include "engine/store/perfetto/perfetto_clocks.h"
#include "engine/store/perfetto/perfetto_event.h"
#include "engine/store/perfetto/perfetto_names.h"
#include "engine/store/perfetto/protobuf_fields.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanes {

/// Holds a packet of the file at a time, at most `most_packet` bytes, each text once, and the slices that have begun
/// and not ended. PyTorch writes the begins of many slices and then their ends, in the same order: there those are
/// held. Ends are joined to begins so, or as in a stack where the times of a sequence only rise, which the row of ends
/// after a row of begins shows; what is left at the end, whose packets came in another order, by time.
///
/// A packet that cannot be read is left out and counted. The texts of events live as long as the stream.
class PerfettoStream {
public:
    /// Ends after `most_bytes` as if the file were cut short there. Throws as JsonSource does.
    explicit PerfettoStream(const std::string& path, std::size_t most_bytes = most_json_bytes);

    /// The next events; false: there are no more. Throws StoreError where the file is no row of packets, with the byte,
    /// what was expected and what was found.
    bool next(ChromeBatch& batch);
    double fraction() const { return m_source.fraction(); }

    // Once next() has returned false:
    bool cut_short() const { return m_cut; }
    /// What makes its times those since 1970, ns; 0: the file does not say.
    Ns since_1970() const { return m_clocks.since_1970(); }
    /// Slices that flows join to others, without a correlation that does so, too.
    std::size_t flows() const { return m_flows; }
    /// Values of counters that the file does not name in a way that is known.
    std::size_t unnamed() const { return m_unnamed; }
    std::size_t lone_ends() const { return m_lone_ends; }

private:
    static constexpr std::size_t piece = std::size_t {1} << 20U;
    static constexpr std::size_t most_packet = std::size_t {64} << 20U;
    static constexpr std::size_t most_events = 4096;  ///< of a batch, about

    struct Slice {
        Ns start;
        std::string message;  ///< the TrackEvent
        std::shared_ptr<const PerfettoNames> names;
        bool has_flow = false;
    };
    struct End {
        Ns time;
        std::string message;
        std::shared_ptr<const PerfettoNames> names;
    };
    struct HeldEnd {
        std::uint64_t track;
        End end;
    };
    struct Sequence {
        std::shared_ptr<PerfettoNames> names = std::make_shared<PerfettoNames>();
        bool is_known = true;  ///< no packet was lost since its state was cleared
        std::uint32_t clock = 0;  ///< of packets that name none; 0: the trace's
        std::uint64_t track = 0;
        std::vector<std::uint64_t> counter_tracks;
        std::int64_t reference_us = 0;
        Ns last = 0;  ///< time of its last begin or end
        std::size_t begins = 0;  ///< in the latest row of them
        bool after_end = false;  ///< the next one begins another row
        std::vector<HeldEnd> held;  ///< the ends after that row, until it is known how they are joined
        bool in_columns = false;  ///< first all begins, then all ends: times do not only rise
    };
    struct Track {
        std::uint64_t parent = 0;
        std::string_view name;
        std::optional<std::int64_t> process, thread;  ///< nothing: not its own
        bool is_counter = false, is_incremental = false;
        std::int64_t unit = 1;  ///< what its values are multiplied by
        std::optional<CounterRecord::Unit> shown_unit;
        double sum = 0;  ///< of an incremental counter
        std::deque<Slice> begun;
        std::vector<End> lone;
    };
    struct Packet {
        std::uint64_t stamp = 0;
        bool has_stamp = false;
        std::uint32_t clock = 0, sequence = 0;
        std::uint64_t flags = 0;
        bool cleared = false, lost = false;
    };

    bool fill();
    void take_packet(ChromeBatch& batch, std::string_view message, std::size_t at, bool is_packed);
    void read_packet(ChromeBatch& batch, std::string_view message, bool is_packed);
    void unpack(std::string_view packed);
    void take_packed(ChromeBatch& batch);
    void defaults(std::string_view message, Sequence& sequence);
    void describe_track(ChromeBatch& batch, std::string_view message);
    void describe_process(ChromeBatch& batch, std::string_view message, Track* track);
    void describe_thread(ChromeBatch& batch, std::string_view message, Track* track, Sequence* sequence);
    void track_event(ChromeBatch& batch, std::string_view message, const Packet& packet, Sequence& sequence);
    void gpu_counters(ChromeBatch& batch, std::string_view message, Ns time);
    void slice(ChromeBatch& batch, const Track& track, std::uint64_t uuid, const Slice& begun, const End& end);
    void end_slice(ChromeBatch& batch, std::uint64_t uuid, End end, bool in_columns);
    void release(ChromeBatch& batch, Sequence& sequence);
    void count(ChromeBatch& batch, std::uint64_t uuid, double value, Ns time);
    void place(ChromeBatch& batch, ChromeEvent& event, std::uint64_t uuid);
    void finish(ChromeBatch& batch);
    void metadata(
        ChromeBatch& batch, std::string_view what, std::int64_t process, std::int64_t thread, std::string_view name);
    [[noreturn]] void fail(std::size_t at, const std::string& words) const;

    std::string m_path;
    JsonSource m_source;
    std::size_t m_left;
    std::string m_text;  ///< what was read and not taken yet
    std::size_t m_at = 0;  ///< in m_text
    std::size_t m_before = 0;  ///< bytes of the file before m_text
    std::vector<ProtobufField> m_parts;  ///< messages in the packet that is read
    std::string m_packed;  ///< packets that were deflated together
    std::size_t m_packed_at = 0, m_unpacked = 0;
    bool m_ended = false, m_cut = false, m_finished = false;
    std::size_t m_found = 0, m_damaged = 0, m_flows = 0, m_lone_ends = 0, m_unnamed = 0;
    std::string m_first_damage;
    PerfettoTexts m_texts;
    PerfettoClocks m_clocks;
    std::unordered_map<std::uint32_t, Sequence> m_sequences;
    std::unordered_map<std::uint64_t, Track> m_tracks;
    std::map<std::uint32_t, std::string_view> m_gpu_counters;  ///< by their id
};

}  // namespace lanes
