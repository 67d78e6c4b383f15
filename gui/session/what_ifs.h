// SPDX-License-Identifier: MIT
// What changes would bring to the recording that is looked at: all of them priced once on a worker thread, and those
// that are ticked together, or given another number, whenever that changes: the total first, then its interval. Of the
// active side; where that is a prediction, of the side beside it, which it is of. A large recording is priced only when
// somebody wants it. Belongs to the window's thread.
#pragma once

#include "engine/replay/whatif.h"
#include "engine/trace/progress.h"
#include "gui/session/workspace.h"
#include "gui/timeline/question.h"

#include <QObject>

#include <memory>
#include <optional>

namespace lanes::gui {

/// The gate of one recording, and what each change that applies would bring. Constant once made.
struct PricedChanges {
    /// Throws Cancelled, and std::exception where resources/devices is missing. Cost: of WhatIf::offers.
    /// `on` limits each change; `findings` are of what it limits to. What takes much longer than the recording's own
    /// replay is left out, so that nothing waits for it.
    PricedChanges(OpenRecordingPtr of, const std::vector<Finding>& findings, const replay::Answers& answers,
        const Query& on, Interval part, const Progress& progress);

    OpenRecordingPtr recording;  ///< has a graph
    replay::WhatIf whatIf;
    /// Those that are offered, then the others that apply, and last kernels and copies twice as fast; the best of each
    /// first.
    std::vector<replay::Prediction> rows;
    Message pace;  ///< why nothing is offered; empty: something is
    std::vector<replay::Change> leftOut;  ///< they apply, and their replays take too long
};

using Changes = std::vector<replay::Change>;

/// Whether it has its interval and class; the total alone is known sooner.
inline bool isWhole(const replay::Prediction& prediction)
{
    return prediction.high > 0;
}

/// "pin memory + non-blocking copies", in the window's language, with what each is limited to unless that is `on`;
/// where that is not all, those that are of all say so.
QString changesText(const Changes& changes, const Query& on = {});

class WhatIfs : public QObject {
    Q_OBJECT
public:
    /// Belongs to the workspace.
    explicit WhatIfs(Workspace* workspace);

    Workspace* workspace() const { return m_workspace; }

    /// As long as nobody wants it a large recording is not priced.
    void setWanted(const QObject* by, bool wanted);

    /// That the changes are of; null: nothing is open that was analysed as a whole.
    const OpenRecordingPtr& recording() const { return m_of; }
    int side() const;
    /// Null: not priced yet, or not to be priced.
    std::shared_ptr<const PricedChanges> priced() const { return m_priced; }
    bool isPricing() const { return m_pricing.isPending(); }
    /// Whether it is known that nothing can be predicted of it, whatever is looked at now: at sight, or since it was
    /// priced.
    bool isRefused(const OpenRecordingPtr& recording) const;
    /// Stops pricing; again() begins anew.
    void cancel();
    void again();
    bool isCancelled() const { return m_isCancelled; }
    /// Those of priced(), with the numbers that were set.
    const std::vector<replay::Prediction>& rows() const { return m_rows; }
    /// "every N", "N times as fast" of the row of that change, and of the change where it is ticked.
    void setAmount(replay::ChangeKind kind, double amount);
    /// Why it could not be priced or replayed; "": it could.
    QString error() const { return m_error; }

    /// The changes that are ticked, in the order in which they are made.
    const Changes& ticked() const { return m_ticked; }
    void setTicked(Changes changes);
    /// Ticks one more, in the place of one of its kind that is limited to the same.
    void tickToo(const replay::Change& change);
    /// What the ticked ones bring together, perhaps the total alone; none: nothing is ticked, or it is being found.
    const std::optional<replay::Prediction>& together() const { return m_together; }

    /// What the rows are limited to; nothing: all of the recording. Those that are ticked keep theirs. At first, and
    /// until the user limits them further, the scope of the workspace; those that are ticked follow it.
    const Query& scope() const { return m_scope; }
    /// `part`: the stretch of time that `on` is; empty: it is none.
    void setScope(const Query& on, Interval part = {});
    /// What totals and gains are of: the stretch of time that all changes are limited to; empty: all of the recording.
    Interval part() const;
    /// How long that took. Null priced(): 0.
    Ns recorded() const;
    /// What a change gives, of that: what comes before and after the part takes what it took.
    replay::Prediction ofPart(replay::Prediction prediction) const;

    /// What the user says of what is taken for granted; none: that it is.
    const replay::Answers& answers() const { return m_answers; }
    void answer(const std::string& assumption, std::optional<bool> holds);

    /// Ticks the changes of a finding (Finding::key) of that side. Later, where they are not priced yet.
    void advise(int side, const std::string& finding);

signals:
    void changed();
    void progressed(double fraction);  ///< of pricing, in [0, 1]
    void refused();  ///< of one more recording it is known since it was priced
    void advised();  ///< what was advised is ticked, or nothing that applies is

private:
    using Priced = std::shared_ptr<const PricedChanges>;
    /// What is being replayed.
    struct Replayed {
        Priced of;
        Changes changes;
        replay::Answers answers;
        friend bool operator==(const Replayed&, const Replayed&) = default;
    };

    void look(bool isSame);
    std::pair<Query, Interval> scopeOfWorkspace() const;
    void followScope();
    void price();
    void takePriced(const Priced& priced);
    void noteRefused();
    void findTogether();
    void replayNext();
    void takeReplayed(const Replayed& replayed, const std::optional<replay::Prediction>& found, const QString& problem);
    void tickAdvised();

    Workspace* m_workspace;
    OpenRecordingPtr m_of;
    Priced m_priced;
    std::vector<std::weak_ptr<const Trace>> m_refused;
    std::vector<replay::Prediction> m_rows;
    bool m_isCancelled = false;
    QString m_error;
    Question<Priced> m_pricing;
    Changes m_ticked;
    Query m_scope;
    Interval m_part;  // that m_scope is
    replay::Answers m_answers;
    std::optional<replay::Prediction> m_together;
    Question<replay::Prediction> m_replaying;  // of m_replayed: the total alone, then whole
    Replayed m_replayed;
    std::string m_advised;  // the finding that waits for prices
};

}  // namespace lanes::gui
