// SPDX-License-Identifier: MIT
// The lanes of the recording that a view shows, and where they are. Those of a large recording are made by other
// threads and come one after another.
//
// open() replaces the model and returns the one before: a caller whose objects still refer to it keeps it until they
// have the new one. Cost of layOut(): that of LaneLayout.
#pragma once

#include "gui/lanes/lane_layout.h"
#include "gui/lanes/lane_workers.h"
#include "gui/timeline/timeline_state.h"

#include <memory>
#include <QObject>

namespace lanes::gui {

class ShownLanes : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Null: no lanes. Returns the lanes before.
    std::shared_ptr<LaneModel> open(RecordingPtr recording, const LaneChoice& choice);
    /// Lets go of lanes that were shown: those of a large recording are freed by another thread.
    static void free(std::shared_ptr<LaneModel> lanes);

    /// Null where there is no recording.
    const std::shared_ptr<LaneModel>& model() const { return m_model; }
    const LaneLayout& layout() const { return m_layout; }
    void layOut(const TimelineState& state, int height);
    /// See LaneLayout::lookAt(): to be called when other times are shown, and after layOut().
    void lookAt(Interval visible);

    /// True while lanes are still to come. Stopping it leaves them empty.
    bool isIndexing() const { return m_workers != nullptr; }
    void stopIndexing();

signals:
    /// More of the lanes have their rows.
    void grown();
    /// How far the indexing of a large recording is: 0 soon after open() has returned, 1 when it has ended, and when it
    /// was stopped.
    void indexed(double fraction);
    /// The lanes could not be made, for want of memory: they stay empty.
    void indexingFailed();

private:
    void startIndexing();
    void take(std::vector<LaneRows> rows, double fraction);

    std::shared_ptr<LaneModel> m_model;
    LaneLayout m_layout;
    std::unique_ptr<LaneWorkers> m_workers;  // they call this object, so they end before it
    quint64 m_indexings = 0;  // a stopped indexing may have left calls in the event queue: they carry an older number
};

}  // namespace lanes::gui
