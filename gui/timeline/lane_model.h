// SPDX-License-Identifier: MIT
// The lanes of a recording, top to bottom: the overlap ribbon, one lane for every
// CPU thread that did anything, then for every GPU its header and one lane a stream.
//
// Built once from a recording and constant afterwards. Cost: n log n in the items of
// a lane at worst, 4 bytes an item and its pyramid (about 2).
#pragma once

#include "engine/analysis/intervals.h"
#include "gui/timeline/lane_busy.h"
#include "gui/timeline/lane_key.h"
#include "gui/timeline/recording.h"

#include <QString>
#include <map>
#include <optional>

namespace lanes::gui {

struct Lane {
    LaneKey key;
    QString title, subtitle;
    std::vector<LaneRow> rows;  ///< an overlay row follows the row that it lies over
    LaneBusy busy = {};         ///< of a stream or an engine: how long any of its rows was busy
};

/// Where an item stands.
struct ItemPlace {
    std::size_t lane, row, item;
};

class LaneModel {
public:
    explicit LaneModel(RecordingPtr recording);
    LaneModel(const LaneModel&) = delete;
    LaneModel& operator=(const LaneModel&) = delete;

    const Recording& recording() const { return *m_recording; }
    const RecordingPtr& pointer() const { return m_recording; }
    const Trace& trace() const { return *m_recording->trace; }
    const std::vector<Lane>& lanes() const { return m_lanes; }
    /// To the last end of a call or an operation, as `wall_ns` of the report; what the host reads and checks after
    /// that belongs to no run's time. The trace's end where there is no report.
    Ns duration() const;

    /// Time in which at least one, two, three streams were busy: what the ribbon shows.
    const IntervalSet& atLeast(std::size_t streams) const { return m_atLeast.at(streams - 1); }

    std::optional<ItemPlace> find(ItemRef item) const;

    /// How long any stream of the GPU with this header was busy in [start, end), in ns; nothing before that is known.
    std::optional<Ns> gpuBusyIn(std::size_t header, Ns start, Ns end) const;

private:
    void addRibbon();
    void addThreads();
    void addGpus();
    void uniteGpus();
    Lane streamLane(Row stream, std::vector<Row> operations) const;

    RecordingPtr m_recording;
    std::array<IntervalSet, 3> m_atLeast;
    std::vector<ItemRole> m_hostRoles, m_readRoles;  // by row of the trace's tables
    std::vector<Lane> m_lanes;
    std::map<std::uint32_t, Coverage> m_gpuBusy;  // by device, where there is more than one: else the ribbon tells
};

}  // namespace lanes::gui
