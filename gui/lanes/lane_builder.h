// SPDX-License-Identifier: MIT
// Makes the rows of a recording's lanes with their indices, in pieces: one for every stream, one for all CPU threads,
// several for the overlap ribbon, one for every GPU if there are several, and with a filter one for the figures of what
// it lets through.
//
// Any thread may make any piece, in any order, each once. Rows refer to the recording and to this builder's tables,
// which must outlive them. Cost: about 5 ns an item of a stream, 20 ns an item of a thread, 15 ns an operation for the
// ribbon. Memory: 1.25 bytes an item, 4 more if the items of a row are not contiguous in their table; 17 bytes an
// interval of the ribbon and of the band under it.
#pragma once

#include "engine/analysis/figures/overlap_levels.h"
#include "gui/lanes/lane_busy.h"
#include "gui/lanes/lane_choice.h"
#include "gui/lanes/shown_recording.h"
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
};

class LaneBuilder {
public:
    /// What lane `lane` shows. `row`: a stream or thread of the trace, or the id of a GPU, or with `engine` the
    /// operations of one engine of that GPU.
    struct Source {
        std::size_t lane;
        Row row;
        std::optional<Engine> engine = {};
    };
    /// The ribbon, if there is one, is lane 0 and covers [0, until).
    LaneBuilder(RecordingPtr recording, std::vector<Source> streams, std::vector<Source> threads,
        std::vector<Source> gpus, Ns until, std::shared_ptr<const ShownEvents> shown);

    std::size_t pieces() const { return m_streams.size() + 1 + m_stretches + m_gpus.size() + (sumsUpShown() ? 1 : 0); }
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
    /// The roles of operations, by row.
    RoleColumn operationRoles();
    LaneRows makeStream(const Source& source, const std::stop_token& stop);
    /// The shown operations of a stream or engine, by stream, then start.
    std::vector<Row> operationsOf(const Source& source, const std::stop_token& stop) const;
    std::vector<LaneRows> makeThreads(const std::stop_token& stop);
    std::vector<LaneRows> sumUpShown(const std::stop_token& stop) const;
    LaneRows makeGpu(const Source& source, const std::stop_token& stop) const;
    std::vector<LaneRows> makeStretch(std::size_t stretch, const std::stop_token& stop);
    std::vector<LaneRows> makeRibbon(const std::stop_token& stop);
    void addCosts(LaneRow& row) const;
    void addBand(std::vector<LaneRow>& rows, const IntervalSet& busy, const std::stop_token& stop);

    RecordingPtr m_recording;
    std::vector<Source> m_streams, m_threads, m_gpus;
    Ns m_until;
    std::shared_ptr<const ShownEvents> m_shown;
    std::vector<ItemRole> m_hostRoles, m_readRoles;  // by row of the trace's tables
    std::once_flag m_looked;
    std::vector<ItemRole> m_operationRoles;  // the same; empty where the kind of an operation is enough

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
