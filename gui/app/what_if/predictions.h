// SPDX-License-Identifier: MIT
// The predicted run under the recorded one: replayed on a worker thread, analysed and shown as any recording is. What
// was open before stays known as long as the prediction is open, or the real run in its place, and comes back when the
// prediction is hidden.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/session/what_ifs.h"
#include "gui/timeline/timeline_pair.h"

#include <QObject>

namespace lanes::gui {

class ComparisonView;
class JobQueue;
class NoticeBar;
class ParameterForm;
class WhatIfPanel;
class Workspace;

class Predictions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Workspace* workspace;
        JobQueue* jobs;
        NoticeBar* notice;
        ComparisonView* timeline;
        ParameterForm* form;
        WhatIfs* whatIfs;
        WhatIfPanel* panel;
    };
    /// Belongs to the panel.
    explicit Predictions(const Parts& parts);

    /// The panel with what a finding of that side advises ticked.
    void advise(int side, const std::string& rule);
    /// That run of it in the place of a prediction.
    void putReal(const OpenRecordingPtr& of, const OpenRecordingPtr& real);

    void addCommands(CommandTable& table);
    /// That window's recordings are open in this one.
    void continueFrom(const Predictions& other);

signals:
    void changed();  ///< whether there is something to show
    void panelWanted();

private:
    /// What hiding the prediction brings back: what was open before any of them, or a real run, was put there.
    struct Before {
        std::vector<OpenRecordingPtr> recordings;
        int active;
        TimelinePair::Kept view;
        std::vector<VariantSettings> runs;  // of the form
    };
    struct Shown {
        OpenRecordingPtr of, run;  // predicted of it, or real
        Changes changes;
        replay::Answers answers;
        Before before;
    };
    struct View {
        std::optional<TimeScale> scale;  // of its own time; nothing: everything
        int scroll = 0;
        std::optional<Scope> scope = {};  // of it as A; nothing: none was chosen
    };
    View viewOf(const OpenRecordingPtr& of) const;
    void keepView(const View& seen);
    bool isOpen() const;
    bool isChosenShown() const;
    bool canShow() const;
    void show();
    void put(Shown shown);
    void hide();
    void putBack(const Before& before);
    Before now() const;
    bool isFormOfOpen() const;

    Parts m_parts;
    std::optional<Shown> m_shown;
};

}  // namespace lanes::gui
