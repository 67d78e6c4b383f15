// SPDX-License-Identifier: MIT
// Makes the rows of a recording's lanes with their indices, in pieces: one for the lane of every stream, one for all
// CPU threads, several for the overlap ribbon, one for every GPU if there are several, one for the graph of every GPU's
// time and the marks of what is exposed, and with a filter one for the figures of what it lets through.
//
// Any thread may make any piece, in any order, each once. Rows refer to the recording and to this builder's tables,
// which must outlive them. Cost: about 5 ns an item of a stream, 20 ns an item of a thread, 15 ns an operation for the
// ribbon, 40 ns for the graph. Memory: that of the index (occupancy_index.h), and of RowPlaces if the items of a row
// are not contiguous in their table; 18 bytes an interval of the ribbon, of the band under it, of the graph and of what
// is marked as exposed.
#pragma once

#include "engine/analysis/figures/gpu_times.h"
#include "engine/analysis/figures/overlap_levels.h"
#include "gui/lanes/lane_busy.h"
#include "gui/lanes/lane_choice.h"
#include "gui/lanes/shown_recording.h"
#include "gui/lanes/stream_kinds.h"
#include "gui/lanes/wait_role.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace lanes::gui {

/// The rows of one lane.
struct LaneRows {
    std::size_t lane;
    std::vector<LaneRow> rows;  ///< an overlay row follows the row that it covers
    LaneBusy busy = {};  ///< of a stream
    std::optional<Coverage> gpuBusy = {};  ///< of a GPU's header: when any of its streams was busy
    std::shared_ptr<const RangeIndex> shownRanges = {};  ///< of no lane: of everything that the filter lets through
    std::shared_ptr<const LaneRow> exposed = {};  ///< alone: of a lane that gets its rows from another piece
};

class LaneBuilder {
public:
    /// What lane `lane` shows. `row`: a stream or thread of the trace, or the id of a GPU, or with `engine` the
    /// operations of one engine of that GPU.
    struct Source {
        std::size_t lane;
        Row row;
        std::optional<Engine> engine = {};
        StreamPart part
            = StreamPart::whole;  ///< of a stream: whole also where it did nothing else than the lane's part
        bool marksExposed = false;  ///< of a stream
    };
    struct Sources {
        std::vector<Source> streams, threads;
        std::vector<Source> gpus;  ///< headers
        std::vector<Source> gpuTimes;  ///< graphs
    };
    /// The ribbon, if there is one, is lane 0 and covers [0, until).
    LaneBuilder(RecordingPtr recording, CommunicationKernels communicates, Sources sources, Ns until,
        std::shared_ptr<const ShownEvents> shown, bool byFamily);

    std::size_t pieces() const
    {
        return m_streams.size() + 1 + m_stretches + m_gpus.size() + m_gpuTimes.size() + (sumsUpShown() ? 1 : 0);
    }
    /// Whether there is a filter, and what it lets through is summed up.
    bool sumsUpShown() const { return !m_shown->all() && m_recording->ranges; }
    /// The number of items in a piece, a measure of its work.
    std::size_t weight(std::size_t piece) const;
    std::size_t items() const;
    /// Makes a piece. Returns the lanes that are complete with it; none if stopped.
    std::vector<LaneRows> make(std::size_t piece, const std::stop_token& stop = {});

    /// Memory of its tables.
    std::size_t bytes() const;

private:
    const Trace& trace() const { return *m_recording->trace; }
    std::function<bool(Row)> shownOperations() const;
    /// The roles of operations, by row. Looks at the names of kernels the first time.
    RoleColumn operationRoles();
    LaneRows makeStream(const Source& source, const std::stop_token& stop);
    /// The shown operations of a stream or engine, by stream, then start.
    std::vector<Row> operationsOf(const Source& source, const std::stop_token& stop) const;
    std::vector<LaneRows> makeThreads(const std::stop_token& stop);
    std::vector<LaneRows> sumUpShown(const std::stop_token& stop) const;
    LaneRows makeGpu(const Source& source, const std::stop_token& stop) const;
    std::vector<LaneRows> makeGpuTimes(std::size_t gpu, const std::stop_token& stop);
    std::vector<LaneRows> makeStretch(std::size_t stretch, const std::stop_token& stop);
    std::vector<LaneRows> makeRibbon(const std::stop_token& stop);
    std::vector<LaneRow> addRanges(std::vector<LaneRow>& rows, std::vector<Row> ranges, const RangeKinds& kinds,
        const std::stop_token& stop) const;
    void addCosts(LaneRow& row) const;
    void addBand(std::vector<LaneRow>& rows, const IntervalSet& busy, const std::stop_token& stop);

    RecordingPtr m_recording;
    std::vector<Source> m_streams, m_threads, m_gpus, m_gpuTimes;
    CommunicationKernels m_communicates;
    Ns m_until;
    std::shared_ptr<const ShownEvents> m_shown;
    std::vector<ItemRole> m_rangeRoles, m_hostRoles, m_readRoles;  // by row of the trace's tables
    bool m_byFamily;
    std::once_flag m_looked;
    std::vector<std::uint8_t> m_kernelLooks;  // by detail, see RoleColumn

    struct GpuTable {
        GpuTimes times;
        std::vector<IntervalSet> exposed;  // of each lane that marks it
    };
    std::vector<GpuTable> m_gpuTables;  // by m_gpuTimes, each written by the thread that makes it

    std::size_t m_stretches = 0;  // of the ribbon
    std::once_flag m_swept;
    std::optional<OverlapSweep> m_sweep;
    std::vector<Interval> m_ranges;  // of the stretches
    std::vector<OverlapLevels> m_partial;  // each written by the thread that makes its stretch
    std::atomic<std::size_t> m_done = 0;  // stretches
    OverlapLevels m_levels;
    IntervalSet m_free;  // the band under it: all but waits for the GPU, by m_freeRoles
    std::array<IntervalSet, wait_roles.size()> m_waits;  // those
    std::vector<ItemRole> m_freeRoles;
};

}  // namespace lanes::gui
