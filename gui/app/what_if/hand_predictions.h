// SPDX-License-Identifier: MIT
// What would be, asked at the lanes (PredictHand) or by commands, and answered there: the ghost of the predicted run
// with its total, replayed on a worker thread, then the interval. The newest wish counts. What is accepted is ticked in
// What if. It has no prediction of its own: changes, replays and answers are those of What if.
#pragma once

#include "engine/replay/whatif.h"
#include "gui/app/commands/command_table.h"
#include "gui/panels/what_if/what_if_scopes.h"
#include "gui/session/what_ifs.h"
#include "gui/timeline/predict_hand.h"
#include "gui/timeline/question.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>
#include <optional>

namespace lanes::gui {

class ComparisonView;
class Timeline;
class WhatIfPanel;
class Workspace;

class HandPredictions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Workspace* workspace;
        ComparisonView* timeline;
        WhatIfs* whatIfs;
        WhatIfPanel* panel;
    };
    /// Belongs to the panel.
    explicit HandPredictions(const Parts& parts);

    void addCommands(CommandTable& table);

signals:
    void panelWanted();

private:
    /// A wish as a change of What if.
    struct Asked {
        Wish wish;
        OpenRecordingPtr of;
        WhatIfScope scope;
        replay::Change change;
    };
    using WhatIfPtr = std::shared_ptr<const replay::WhatIf>;
    struct Found {
        WhatIfPtr whatIf;
        std::shared_ptr<const GhostRun> run;
        replay::Prediction prediction;
    };

    void offer();
    Timeline& side() const;
    void wish(const Wish& wish);
    std::optional<Wish> stepped(int by) const;
    std::optional<Wish> nextStream() const;
    std::optional<Wish> graph() const;
    Asked askedOf(int side, const Wish& wish) const;
    void asked(int side);
    void find();
    void findWhole();
    void take(const Asked& asked, const Found& found);
    void say(const QString& problem = {});
    QString nameOf(const Asked& asked) const;
    void accept(int side, const Wish& wish);
    WhatIfPtr known(const OpenRecordingPtr& of) const;

    Parts m_parts;
    int m_side = 0;
    std::optional<Asked> m_asked;
    std::optional<Found> m_found;  // of an earlier wish, maybe
    Changes m_foundOf;
    Question<Found> m_question;
    QElapsedTimer m_since;  // the outline that is being found was asked for
    bool m_findsOutline = false;
    bool m_again = false;  // the wish changed since
    bool m_canBeAdded = false;  // nothing speaks against it as far as is known
    OpenRecordingPtr m_ownOf;  // m_own is of it: What if has not priced it
    WhatIfPtr m_own;
};

}  // namespace lanes::gui
