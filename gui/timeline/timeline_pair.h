// SPDX-License-Identifier: MIT
// One or two recordings on one time scale, aligned at their starts or where one wants, as the Timelines of both with
// what links them: what the user does to one is signalled by it and set in the other, which signals nothing. A
// selection is of one side at a time; the selected range is of both. It is no widget: ComparisonView shows it.
#pragma once

#include "gui/timeline/alignment.h"
#include "gui/timeline/timeline.h"

#include <array>
#include <memory>
#include <vector>

namespace lanes::gui {

class TimelinePair : public QObject {
    Q_OBJECT

public:
    explicit TimelinePair(QObject* parent = nullptr);

    /// There are always two; the second shows nothing where there is one recording.
    Timeline& side(int index) const { return *m_sides[static_cast<std::size_t>(index)]; }
    std::vector<RecordingPtr> recordings() const;
    /// None, one or two. Alignment and reference stay with the recordings as long as both are the same, also where
    /// they change places. placeOpened() is to follow.
    void open(const std::vector<RecordingPtr>& recordings);
    /// As many others of the same; see Timeline::openRenewed. place() is to follow.
    void renew(const std::vector<RecordingPtr>& recordings);
    /// Letters, extents and anchors of both, after the recordings, their lanes, the alignment or the reference changed.
    void place();
    void placeOpened();  ///< and says so
    /// What is in view, selected, aligned and arranged.
    struct Kept {
        std::vector<TimelineState> sides;
        Alignment alignment;
        int reference = 0;
    };
    Kept kept() const;
    /// What kept() gave, of this or of another pair; the recordings are the same.
    void restore(const Kept& kept);
    /// The last of a row of renewals has come: a view that shows everything shows no more than that.
    void settle();
    /// Both show this range of A's time, as nothing that the user did: there is no way back from it, and signals of a
    /// Timeline are not emitted.
    void sight(Interval range);
    /// The other side shows the same time as this one.
    void linkTime(int from);

    /// Of A, in whose time are all times of both below.
    const TimeScale& timeScale() const { return side(0).timeScale(); }
    /// From the first start to the last end.
    Interval extent() const { return side(0).state().time.extent(); }

    const Alignment& alignment() const { return m_alignment; }
    /// The selected range of side `kept` stays what it is, that of the other one follows.
    void setAlignment(const Alignment& alignment, int kept);
    /// The side that the other is compared with.
    int reference() const { return m_reference; }
    void setReference(int side);

    /// True while a large recording's lanes are still to come; see ShownLanes.
    bool isIndexing() const { return side(0).lanes().isIndexing() || side(1).lanes().isIndexing(); }
    void stopIndexing();

signals:
    void placed();
    void timeScaleChanged(const lanes::gui::TimeScale& scale);
    /// Other recordings, or the same aligned otherwise.
    void alignmentChanged();
    void selectionChanged(int index, lanes::gui::ItemRef item);
    /// The selected range of both, which the user changed on this side.
    void rangeChanged(int index);
    void marksChanged(int index);
    /// Of both, by the user.
    void layerSwitched(lanes::gui::TimelineLayers::Layer layer, bool on);
    /// How far the indexing of the one that is behind is; 1 when both have ended.
    void indexed(double fraction);
    /// The lanes of one could not be made, for want of memory: they stay empty.
    void indexingFailed();

private:
    void connectSide(int index);
    void arrangeOther(int from);

    std::array<std::unique_ptr<Timeline>, 2> m_sides;
    Alignment m_alignment;
    int m_reference = 0;
    std::array<double, 2> m_indexed {1, 1};
};

}  // namespace lanes::gui
