// SPDX-License-Identifier: MIT
// The predicted run beside the recorded one: replayed on a worker thread, analysed and shown as any recording is.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/session/what_ifs.h"

#include <QObject>

namespace lanes::gui {

class JobQueue;
class NoticeBar;
class WhatIfPanel;
class Workspace;

class Predictions : public QObject {
    Q_OBJECT
public:
    /// Belongs to the panel.
    Predictions(Workspace* workspace, JobQueue* jobs, NoticeBar* notice, WhatIfs* whatIfs, WhatIfPanel* panel);

    /// The panel with what a finding of that side advises ticked.
    void advise(int side, const std::string& rule);

    void addCommands(CommandTable& table);

signals:
    void changed();  ///< whether there is something to show
    void panelWanted();

private:
    bool canShow() const;
    void show();

    Workspace* m_workspace;
    JobQueue* m_jobs;
    NoticeBar* m_notice;
    WhatIfs* m_whatIfs;
    WhatIfPanel* m_panel;
};

}  // namespace lanes::gui
