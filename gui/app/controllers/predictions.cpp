// SPDX-License-Identifier: MIT
#include "gui/app/controllers/predictions.h"

#include "gui/app/pages/notice_bar.h"
#include "gui/app/runs/job_queue.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/what_if/what_if_panel.h"

namespace lanes::gui {

Predictions::Predictions(Workspace* workspace, JobQueue* jobs, NoticeBar* notice, WhatIfs* whatIfs, WhatIfPanel* panel)
    : QObject(panel)
    , m_workspace(workspace)
    , m_jobs(jobs)
    , m_notice(notice)
    , m_whatIfs(whatIfs)
    , m_panel(panel)
{
    connect(panel, &WhatIfPanel::chosenChanged, this, &Predictions::changed);
    connect(panel, &WhatIfPanel::showWanted, this, [this] {
        if (canShow()) {
            show();
        }
    });
}

void Predictions::addCommands(CommandTable& table)
{
    table.add({"go.what-if", tr("What if"), tr("What each change would gain on the active recording"), Menu::go,
        "Ctrl+I", {}, [this] { emit panelWanted(); }});
    table.add({"compare.predicted", tr("Show the &predicted run"),
        tr("Shows the run predicted for the chosen change under the recorded one, on one scale"), Menu::compare,
        "Ctrl+Shift+I", [this] { return canShow(); }, [this] { show(); }, {}, true});
}

void Predictions::advise(int side, const std::string& rule)
{
    emit panelWanted();
    m_whatIfs->advise(side, rule);
}

bool Predictions::canShow() const
{
    return !m_jobs->busy() && m_whatIfs->priced() && !m_panel->chosen().empty();
}

void Predictions::show()
{
    const auto priced = m_whatIfs->priced();
    m_notice->hide();
    const QString words = changesText(m_panel->chosen());
    auto predict
        = [priced, words, changes = m_panel->chosen(), answers = m_whatIfs->answers()](const Progress& progress) {
              progress.report(0);
              Trace run = priced->whatIf.predicted_trace(changes, answers, {progress});
              constexpr double replayed = 0.5;
              const OpenRecordingPtr made = analysed(std::move(run), {}, progress.part(replayed, 1));
              return made->workload ? made : titled(made, tr("%1, if: %2").arg(text(priced->recording->title), words));
          };
    m_jobs->add(std::make_unique<WorkerJob>(tr("Replaying with %1").arg(words), predict),
        [this, priced](const JobResult& result) {
            if (!result.recording) {
                m_notice->showEnd(result);
            } else {  // with what its title says already: no notice
                m_workspace->set({priced->recording, result.recording});
            }
        });
}

}  // namespace lanes::gui
