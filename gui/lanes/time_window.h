// SPDX-License-Identifier: MIT
// The part of time that a view shows, as a value: which of its recording's time there is to show, and what of it lies
// on how many columns.
//
// Invariant: what show() and fit() leave is never wider than everything there is to show, and shows no more than a
// twentieth of its width beside it; a view whose recording was renewed may stay as wide as it was. put() takes any
// scale. Times in ns of the recording. Everything is O(1).
#pragma once

#include "engine/analysis/facts/intervals.h"
#include "gui/lanes/time_scale.h"

#include <optional>

namespace lanes::gui {

class TimeWindow {
public:
    const TimeScale& scale() const { return m_scale; }
    int columns() const { return m_columns; }
    Interval visible() const { return {m_scale.timeAt(0), m_scale.timeAt(m_columns)}; }
    /// "Everything": at least the recording itself.
    Interval extent() const { return m_extent; }
    /// The same with the room after it.
    Interval fittingExtent() const;
    /// Whether everything is what is shown; it is kept so when the size changes.
    bool isFitted() const { return m_fitted; }
    /// Whether that is so, or everything was in view until there was more or less of it, and nobody has zoomed or
    /// panned since.
    bool isOfAll() const { return m_fitted || m_ofAll; }

    static constexpr double label_room = 1.06;
    /// Of a recording that is opened: shows everything, all that lanes draw until `drawnEnd`. `recorded` is where its
    /// last record ends; `room`: how many times as long as everything is what shows it, for a label after it.
    void open(Ns drawnEnd, Ns recorded, double room = label_room);
    /// Another recording of the same: keeps the scale. Its extent follows by setExtent().
    void renew(Ns drawnEnd, Ns recorded);
    /// Everything, where more than this recording is to be shown, and how far one can pan. At least the recording
    /// itself.
    void setExtent(Interval extent, Interval reach);
    /// What was shown stays what is shown: everything, or the same stretch of time at another scale.
    void setColumns(int columns);

    /// Exactly this scale, wherever it lies: that of a view that this one is linked to. Only of a recording so long
    /// that its times do not fit into the scale's ticks, the nearest that has room for them.
    void put(const TimeScale& wanted);
    /// As near to this scale as the recording allows.
    void show(const TimeScale& wanted);
    void fit();

    /// The scale, moved to where the view does not leave what there is to show.
    TimeScale inside(const TimeScale& scale) const;
    TimeScale showing(Interval span) const;
    /// With `span` in the middle, where a part of it is out of sight; where it is longer than the view, only if all of
    /// it is. Nothing: it is in sight.
    std::optional<TimeScale> bringing(Interval span) const;

private:
    TimeScale fitting() const;
    Interval room() const;
    /// How far from 0 that is.
    Ns farthest() const;
    bool hasRoom() const;

    TimeScale m_scale;
    int m_columns = 1;
    double m_room = label_room;
    Ns m_drawnEnd = 1, m_recorded = 1;  // of the recording itself
    Interval m_extent {0, 1}, m_reach {0, 1};
    Interval m_kept {0, 1};  // what was shown when the scale was last chosen
    bool m_fitted = true;
    bool m_ofAll = false;  // of all that there was to show before the extent changed
    bool m_renewed = false;  // the scale is that of an earlier recording of the same
};

}  // namespace lanes::gui
