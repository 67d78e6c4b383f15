// SPDX-License-Identifier: MIT
// The lanes of a recording, from top to bottom: the overlap ribbon; for every GPU a header, a lane for each stream and
// for each counter; a lane for every CPU thread that did anything, with a header where there are several processes and
// this one has several lanes, and for the counters of processes. In recordings of workloads the CPU is above the GPUs
// (lane_choice.h). lane_names.h has the names.
//
// Of a program each stream is split into what it computed, communicated and copied (lane_order.h), a graph of the GPU's
// time lies under them, and streams that did next to nothing, of many, are under one header; the threads are in the
// order of the time of their calls that issued work, and those that issued none under one header at the end. Of a
// workload streams are whole, and both are as recorded.
//
// The list of lanes does not change. Their rows are made at once or, for a large recording, one lane after another (see
// LaneBuilder, also for the cost).
#pragma once

#include "gui/lanes/counter_curve.h"
#include "gui/lanes/lane_builder.h"
#include "gui/lanes/lane_key.h"
#include "gui/lanes/lane_order.h"
#include "gui/lanes/shown_recording.h"
#include "gui/lanes/stream_kinds.h"

#include <map>
#include <optional>

namespace lanes::gui {

struct Lane {
    LaneKey key;
    Row row = no_row;  ///< of a thread, stream or counter: its row in the Trace
    StreamKinds work = {};  ///< of a stream: the kinds of all its operations
    bool isMain = false;  ///< of a part of a stream: the first of its GPU that shows this part
    bool isBackward = false;  ///< of a thread other than its process's first: it runs PyTorch's backward operators
    bool marksExposed = false;  ///< it has `exposed` once the GPU's time is known
    std::vector<Row> streams = {};  ///< of an engine: the streams whose operations it shows
    std::vector<LaneRow> rows = {};  ///< an overlay row follows the row that it covers
    LaneBusy busy = {};  ///< of a stream or engine: how long any of its rows was busy
    bool ready = true;  ///< whether it has its rows
    std::shared_ptr<const CounterCurve> curve = {};  ///< of a counter, which has no rows
    std::shared_ptr<const LaneRow> exposed = {};  ///< when it ran and no kernel computed on its GPU
};

/// The place of an item.
struct ItemPlace {
    std::size_t lane, row, item;
};

class LaneModel {
public:
    /// `later`: without rows, which builder() makes and put() takes. `laterIfMany`: the same if making them takes
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
    /// The last end of a call or operation, like `wall_ns` of the report: what the host reads and checks after the run
    /// does not count. Without a report, the end of the trace.
    Ns duration() const;
    /// Where the last event that the host's lanes draw ends, filtered or not; at least duration(). What the host reads,
    /// waits for and checks after the run counts whole, a range only while the run keeps half of the width: a range
    /// may be of the program, for seconds. O(1).
    Ns drawnEnd() const { return m_drawnEnd; }

    /// Figures of any range, of the events that the filter lets through. Null: they are not known, or not yet.
    const RangeIndex* shownRanges() const
    {
        return m_builder->sumsUpShown() ? m_shownRanges.get() : m_recording->ranges.get();
    }

    /// Of a range whose stack is folded the row of all depths, which may not be shown: see LaneLayout::find(). Nothing
    /// for an item whose row is not ready. Cost: lanes · log n.
    std::optional<ItemPlace> find(ItemRef item) const;

    /// Time in [start, end) in which any stream of the GPU with this header was busy; nothing while it is not known.
    std::optional<Ns> gpuBusyIn(std::size_t header, Ns start, Ns end) const;

    const std::shared_ptr<LaneBuilder>& builder() const { return m_builder; }
    void put(std::vector<LaneRows> rows);
    bool isSmall() const;  ///< making and freeing it takes no noticeable time
    bool isReady() const;  ///< all lanes have their rows, and the figures of what a filter lets through are there
    /// Memory of the rows and their indices, without the recording.
    std::size_t bytes() const;

private:
    void findDeviceRows(const std::vector<bool>& active);
    void addThreads(const std::vector<bool>& active, std::vector<LaneBuilder::Source>& sources);
    void addGpus(const CommunicationKernels& communicates, const ShownEvents& shown, LaneBuilder::Sources& sources);
    /// `device`: the GPU that it is a row of.
    void findBackwardThreads();
    void addThread(Row thread, std::vector<LaneBuilder::Source>& sources, std::optional<std::uint32_t> device = {});
    void addHeader(const LaneKey& key);
    /// `device` no_id: the counters of the process.
    void addCounters(std::uint32_t device, std::optional<std::uint32_t> process);
    void addStream(const StreamLane& of, const StreamKinds& work, std::vector<LaneBuilder::Source>& sources);
    /// The graph of a GPU's time.
    void addGpuTime(std::uint32_t device, std::vector<LaneBuilder::Source>& sources);
    void addEngines(std::uint32_t device, const std::vector<StreamKinds>& kinds, const std::vector<Row>& streams,
        std::vector<LaneBuilder::Source>& sources);
    void addEngine(
        std::uint32_t device, Engine engine, std::vector<Row> streams, std::vector<LaneBuilder::Source>& sources);

    RecordingPtr m_recording;
    LaneChoice m_choice;
    std::vector<Lane> m_lanes;
    std::size_t m_gpus = 0;
    Ns m_drawnEnd = 0;
    std::map<std::uint32_t, std::vector<Row>> m_deviceRows;  // threads that are rows of a device
    std::map<std::size_t, Coverage> m_gpuBusy;  // by header; empty with a single GPU, for which the ribbon has it
    std::shared_ptr<const RangeIndex> m_shownRanges;  // with a filter
    std::shared_ptr<LaneBuilder> m_builder;  // rows refer to its tables
};

}  // namespace lanes::gui
