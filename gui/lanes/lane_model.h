// SPDX-License-Identifier: MIT
// The lanes of a recording, top to bottom: the overlap ribbon, one lane for every
// CPU thread that did anything (under their processes' headers where there are several) and their processes' counters,
// then for every GPU its header, one lane a stream and one a counter. What each is called: lane_names.h.
//
// Its lanes never change; their rows come at once or, where the recording is large,
// one lane after another as they are ready: see LaneBuilder, whose cost it is.
#pragma once

#include "gui/lanes/counter_curve.h"
#include "gui/lanes/lane_builder.h"
#include "gui/lanes/lane_key.h"
#include "gui/lanes/shown_recording.h"
#include "gui/lanes/stream_kinds.h"

#include <map>
#include <optional>

namespace lanes::gui {

struct Lane {
    LaneKey key;
    Row row = no_row;  ///< of a thread, a stream or a counter: where the trace has it
    StreamKinds work = {};  ///< of a stream: all that it did
    std::vector<Row> streams = {};  ///< of an engine: those whose operations it shows
    std::vector<LaneRow> rows = {};  ///< an overlay row follows the row that it lies over
    LaneBusy busy = {};  ///< of a stream or an engine: how long any of its rows was busy
    bool ready = true;  ///< false: its rows are still to come
    std::shared_ptr<const CounterCurve> curve = {};  ///< of a counter, which has no rows
};

/// Where an item stands.
struct ItemPlace {
    std::size_t lane, row, item;
};

class LaneModel {
public:
    /// `later`: without rows; builder() makes them, put() takes them. `laterIfMany`: so if making them would take
    /// noticeably long.
    enum class Rows : std::uint8_t { now, later, laterIfMany };
    explicit LaneModel(RecordingPtr recording, Rows rows = Rows::now, const LaneChoice& choice = {});
    LaneModel(const LaneModel&) = delete;
    LaneModel& operator=(const LaneModel&) = delete;

    const ShownRecording& recording() const { return *m_recording; }
    const RecordingPtr& pointer() const { return m_recording; }
    const Trace& trace() const { return *m_recording->trace; }
    const LaneChoice& choice() const { return m_choice; }
    const std::vector<Lane>& lanes() const { return m_lanes; }
    /// To the last end of a call or an operation, as `wall_ns` of the report; what the host reads and checks after
    /// that belongs to no run's time. The trace's end where there is no report.
    Ns duration() const;

    /// Time of [range.start, range.end) in which at least one, two, three streams were busy: what the ribbon shows,
    /// exact, ns. log n. 0 while the ribbon is not ready.
    Ns busyAtLeast(std::size_t streams, Interval range) const;

    /// Nothing for an item whose row is not ready. Lanes · log n.
    std::optional<ItemPlace> find(ItemRef item) const;

    /// How long any stream of the GPU with this header was busy in [start, end), in ns; nothing before that is known.
    std::optional<Ns> gpuBusyIn(std::size_t header, Ns start, Ns end) const;

    const std::shared_ptr<LaneBuilder>& builder() const { return m_builder; }
    void put(std::vector<LaneRows> rows);
    bool isSmall() const;  ///< making or freeing it takes no noticeable time
    bool isReady() const;  ///< all lanes have their rows
    /// Everything that the rows and their indices take, beside the recording itself.
    std::size_t bytes() const;

private:
    void addThreads(const ShownEvents& shown, std::vector<LaneBuilder::Source>& sources);
    void addGpus(const ShownEvents& shown, std::vector<LaneBuilder::Source>& sources);
    void addHeader(const LaneKey& key);
    /// `device` no_id: the process's own.
    void addCounters(std::uint32_t device, std::optional<std::uint32_t> process);
    void addStream(Row stream, const StreamKinds& work, std::vector<LaneBuilder::Source>& sources);
    void addEngine(
        std::uint32_t device, Engine engine, std::vector<Row> streams, std::vector<LaneBuilder::Source>& sources);

    RecordingPtr m_recording;
    LaneChoice m_choice;
    std::vector<Lane> m_lanes;
    std::size_t m_gpus = 0;
    std::map<std::size_t, Coverage> m_gpuBusy;  // by header, where there is more than one GPU: else the ribbon has it
    std::shared_ptr<LaneBuilder> m_builder;  // its tables are what rows refer to
};

}  // namespace lanes::gui
