// SPDX-License-Identifier: MIT
// One or two recordings on one time scale, aligned at their starts or where one wants, as the Timelines of both with
// what links them: what the user does to one is signalled by it and set in the other, which signals nothing. A
// selection is of one side at a time; the selected range is of both, in the time of each. It is no widget:
// ComparisonView shows it, and the Workspace, which owns that of a window, says it to everyone else.
#pragma once

#include "gui/lanes/scope.h"
#include "gui/timeline/alignment.h"
#include "gui/timeline/timeline.h"

#include <QTimer>

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
    /// None, one or two; `active` is the active side then. The other's verdict says how it compares with the reference.
    /// Alignment and reference stay with the recordings as long as both are the same, also where they change places.
    /// `scope` is chosen before anybody hears of them, with the range of A where that is selected; nothing: the user
    /// has chosen none yet.
    void open(
        const std::vector<RecordingPtr>& recordings, int active = 0, const std::optional<Scope>& scope = std::nullopt);
    /// Other recordings of the same in their place: everything stays as the user has it, the view, the selected range,
    /// the history, how lanes are arranged, marks and annotations unless the new ones have their own, also the
    /// selection where it is still called the same. A view that shows
    /// everything keeps its time scale as long as everything still fills half of it. Opens them where their number is
    /// another.
    void renew(const std::vector<RecordingPtr>& recordings);
    /// Letters, extents and anchors of both, after what is drawn of them changed.
    void place();
    /// Both sides show these lanes; see LaneChoice.
    void choose(const LaneChoice& choice);
    /// Both sides show what the filter lets through, by the user: a step that can be taken back. Null: everything.
    void filter(std::shared_ptr<const Query> filter);

    /// The side to which commands apply: the last one that had the focus.
    int active() const { return m_active; }
    void setActive(int side);
    /// Selects on that side, which becomes the active one, and brings the item into sight. Nothing moves where it is.
    void follow(int index, ItemRef item);

    /// The selected range.
    std::optional<Ranges> range() const;
    Ranges visible() const;
    /// What figures, verdicts, tables and paths are of: what the user chose last, where there is that; else what
    /// repeats, if that is less than half of each recording or an iteration of each is compared, else all. A range that
    /// is selected is chosen by that, and what was chosen before is again when it is cleared.
    Scope scope() const;
    /// Of that part of both; nothing where there is no such part. Of two recordings both must have it; what repeats in
    /// A is looked for in the time of a prediction too.
    std::optional<Ranges> ranges(Scope::Of of) const;
    /// What the user chose; nothing: nothing yet.
    std::optional<Scope::Of> chosenScope() const { return m_chosenScope; }
    void chooseScope(std::optional<Scope::Of> of);
    /// The reports of the present scope, by whoever finds them: those that are not known at once (knownReport()).
    using Reports = std::array<std::shared_ptr<const Report>, 2>;
    void setReports(const Reports& reports);
    /// Those of the present scope, or of the one before, as long as reportsAreOld().
    const Reports& reports() const { return m_reports; }
    bool reportsAreOld() const { return m_reportsAreOld; }
    /// What is in view, selected, aligned and arranged.
    struct Kept {
        std::vector<TimelineState> sides;
        Alignment alignment;
        int reference = 0;
        std::optional<Scope::Of> scope = {};
    };
    Kept kept() const;
    /// What kept() gave, of this or of another pair; the recordings are the same.
    void restore(const Kept& kept);
    /// The last of a row of renewals has come: a view that shows everything shows no more than that.
    void settle();
    /// Both show this range of A's time, as nothing that the user did: there is no way back from it, and signals of a
    /// Timeline are not emitted.
    void sight(Interval range);
    /// The same of exactly this scale of A's.
    void sight(const TimeScale& scale);
    /// The other side shows the same time as this one.
    void linkTime(int from);

    /// Of A, in whose time are all times of both below.
    const TimeScale& timeScale() const { return side(0).timeScale(); }
    /// From the first start to the last end.
    Interval extent() const { return side(0).state().time.extent(); }

    /// One iteration of each, which is what repeats for scopes. As long as they lie under one another and the view
    /// shows hardly more than them, they are shown alone. Nothing: there are none. Others are forgotten with their
    /// recordings.
    using Iterations = std::array<std::shared_ptr<const ShownIteration>, 2>;
    void setIterations(std::optional<Iterations> iterations);
    const std::optional<Iterations>& iterations() const { return m_iterations; }
    /// Whether they lie under one another.
    bool areIterationsAligned() const;
    /// Whether they are shown alone.
    bool areIterationsAlone() const;
    /// Puts them under one another, and shows no more than both.
    void showIterations();

    const Alignment& alignment() const { return m_alignment; }
    /// The selected range of side `kept` stays what it is, that of the other one follows.
    void setAlignment(const Alignment& alignment, int kept);
    /// What each recording is of one run, which both are parts of; none: they are runs of their own. They stay with the
    /// recordings as the alignment does.
    const std::vector<PartOfRun>& parts() const { return m_parts; }
    void setParts(const std::vector<PartOfRun>& parts);
    /// The side that the other is compared with.
    int reference() const { return m_reference; }
    void setReference(int side);

    /// True while a large recording's lanes are still to come; see ShownLanes.
    bool isIndexing() const { return side(0).lanes().isIndexing() || side(1).lanes().isIndexing(); }
    void stopIndexing();

signals:
    /// The lanes that are shown are about to go: whoever refers to them lets them go. `recordings`: so are the
    /// recordings.
    void leaving(bool recordings);
    void placed();
    void opened();  ///< other recordings are shown
    void renewed();  ///< other ones of the same are
    void chosen();  ///< other lanes are
    void activeChanged(int index);
    void timeScaleChanged(const lanes::gui::TimeScale& scale);
    /// Other recordings, or the same aligned otherwise.
    void alignmentChanged();
    void selectionChanged(int index, lanes::gui::ItemRef item);
    /// The selected range of both.
    void rangeChanged();
    /// Another scope, or another range of it. Of what is in view a moment after the last of a row of steps.
    void scopeChanged();
    void marksChanged(int index);
    /// Of both, by the user.
    void layerSwitched(lanes::gui::TimelineLayers::Layer layer, bool on);
    /// How far the indexing of the one that is behind is; 1 when both have ended.
    void indexed(double fraction);
    /// The lanes of one could not be made, for want of memory: they stay empty.
    void indexingFailed();

private:
    void connectSide(int index);
    Ranges rangesOf(Interval ofA) const;
    void takeRange();
    void tellScope();
    void drawScope();
    void takeNew();
    void giveReports();
    void arrangeOther(int from);
    void followIterations();
    static QString nameOf(const Iterations& iterations);

    std::array<std::unique_ptr<Timeline>, 2> m_sides;
    Alignment m_alignment;
    std::vector<PartOfRun> m_parts;
    int m_reference = 0;
    int m_active = 0;
    std::optional<Scope::Of> m_chosenScope;
    std::optional<Scope::Of> m_scopeBefore;  // the range was selected
    Scope m_toldScope;
    Reports m_reports;
    bool m_reportsAreOld = false;
    QTimer m_viewRests;
    std::optional<Iterations> m_iterations;
    std::array<double, 2> m_indexed {1, 1};
};

}  // namespace lanes::gui
