// SPDX-License-Identifier: MIT
#include "gui/app/frame/controllers.h"

#include "gui/app/compare/variants.h"
#include "gui/app/edit/live_knobs.h"
#include "gui/app/edit/workload_texts.h"
#include "gui/app/frame/appearance.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/app/frame/side_column.h"
#include "gui/app/frame/stage.h"
#include "gui/app/frame/top_bar.h"
#include "gui/app/learn/gallery_page.h"
#include "gui/app/learn/lecture.h"
#include "gui/app/learn/lessons.h"
#include "gui/app/learn/presenter.h"
#include "gui/app/learn/presenter_notes.h"
#include "gui/app/learn/step_through.h"
#include "gui/app/open/colour_memory.h"
#include "gui/app/open/files.h"
#include "gui/app/open/foreign_files.h"
#include "gui/app/open/sessions.h"
#include "gui/app/ranks/jobs.h"
#include "gui/app/record/live_recording.h"
#include "gui/app/record/monitor_strip.h"
#include "gui/app/run/device_choice.h"
#include "gui/app/run/runs.h"
#include "gui/app/what_if/hand_predictions.h"
#include "gui/app/what_if/prediction_check.h"
#include "gui/app/what_if/predictions.h"
#include "gui/panels/editor/workload_editor.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/workload_list.h"
#include "gui/session/what_ifs.h"
#include "gui/timeline/comparison_view.h"

#include <QMainWindow>
#include <QSettings>

namespace lanes::gui {

Controllers::Controllers(const Parts& parts)
    : QObject(parts.window)
{
    PanelTabs* panels = parts.stage->panels();
    DeviceChoice* device = parts.top->device();
    auto* steps = new StepThrough(parts.workspace, parts.timeline, parts.stage->stepBar(), parts.window);
    auto* notes = new PresenterNotes(parts.window);
    auto* presenter = new Presenter(parts.window, notes, parts.lecture, steps, parts.stage->guess(), parts.timeline);
    appearance
        = new Appearance(parts.timeline, [this, jobs = parts.jobs] { return jobs->busy() || recorded->isRunning(); });
    new ColourMemory(parts.workspace, parts.timeline);
    files = new Files(parts.workspace, parts.jobs, parts.notice, parts.window);
    sessions = new Sessions({parts.workspace, parts.jobs, parts.notice, parts.timeline, files}, parts.window);
    foreign = new ForeignFiles({parts.workspace, parts.timeline, parts.side, panels}, parts.window);
    connect(files, &Files::completed, foreign, &ForeignFiles::complete);
    ranks
        = new Jobs({parts.workspace, parts.jobs, parts.notice, parts.stage, parts.timeline, parts.side}, parts.window);
    texts = new WorkloadTexts(parts.side->workloads(), parts.editor, parts.notice, parts.window);
    live
        = new LiveKnobs({parts.workspace, parts.jobs, parts.side->form(), device, texts, parts.timeline, parts.notice});
    recorded = new LiveRecording(
        {parts.workspace, parts.jobs, parts.notice, parts.timeline, parts.monitor, parts.window}, parts.window);
    runs = new Runs(
        {parts.workspace, parts.jobs, parts.notice, parts.side->workloads(), parts.side->form(), device, texts, live},
        parts.window);
    variants = new Variants(
        parts.workspace, parts.jobs, runs->maker(), parts.side->form(), device, parts.notice, panels->variants());
    predictions = new Predictions({parts.workspace, parts.jobs, parts.notice, parts.timeline, parts.side->form(),
        parts.workspace->findChild<WhatIfs*>(), panels->whatIf()});
    hand = new HandPredictions(
        {parts.workspace, parts.timeline, parts.workspace->findChild<WhatIfs*>(), panels->whatIf()});
    const auto* check = new PredictionCheck({parts.workspace, parts.jobs, runs->maker(), device, parts.notice,
        parts.workspace->findChild<WhatIfs*>(), panels->whatIf()});
    connect(check, &PredictionCheck::realWanted, predictions, &Predictions::putReal);
    lessons = new Lessons({parts.workspace, parts.side->workloads(), parts.side->form(), parts.stage, parts.timeline,
                              steps, parts.lecture, presenter, notes, device, runs, variants},
        parts.window);
    join(parts);
}

void Controllers::join(const Parts& parts)
{
    Stage* stage = parts.stage;
    connect(files, &Files::workloadWanted, texts, &WorkloadTexts::open);
    connect(files, &Files::jobWanted, ranks, &Jobs::open);
    connect(ranks, &Jobs::opened, files, &Files::addRecent);
    connect(ranks, &Jobs::changed, this, &Controllers::changed);
    connect(files, &Files::firstOpened, runs, &Runs::takeOver);
    connect(sessions, &Sessions::firstOpened, runs, &Runs::takeOver);
    connect(texts, &WorkloadTexts::edited, live, &LiveKnobs::turn);
    connect(texts, &WorkloadTexts::changed, this, &Controllers::changed);
    connect(texts, &WorkloadTexts::lanesWanted, stage,
        [stage] { stage->galleryShown() ? stage->gallery()->setFocus() : stage->focusLanes(); });
    connect(texts, &WorkloadTexts::closeWanted, parts.window, &QWidget::close);
    connect(live, &LiveKnobs::changed, this, &Controllers::changed);
    connect(live, &LiveKnobs::lanesWanted, stage, &Stage::showLanes);
    connect(live, &LiveKnobs::recordingsWanted, runs, [this](const auto& requests) { runs->start(requests); });
    connect(parts.top->device(), &DeviceChoice::gpusKnown, recorded,
        [this, device = parts.top->device()] { recorded->setHasGpu(device->gpu().has_value()); });
    connect(recorded, &LiveRecording::changed, this, &Controllers::changed);
    connect(recorded, &LiveRecording::lanesWanted, stage, &Stage::showLanes);
    connect(recorded, &LiveRecording::kept, files, &Files::addRecent);
    connect(recorded, &LiveRecording::closeWanted, parts.window, &QWidget::close);
    connect(variants, &Variants::begun, live, &LiveKnobs::stop);
    connect(variants, &Variants::panelWanted, stage, [stage] { stage->focus(PanelName::variants); });
    connect(lessons, &Lessons::changed, this, &Controllers::changed);
    connect(lessons, &Lessons::asked, parts.notice, &QWidget::hide);  // what a run says of itself gives the answer away
    connect(stage->panels()->findings(), &FindingsPanel::whatIfWanted, predictions, &Predictions::advise);
    connect(predictions, &Predictions::changed, this, &Controllers::changed);
    connect(predictions, &Predictions::panelWanted, stage, [stage] { stage->focus(PanelName::what_if); });
    connect(hand, &HandPredictions::panelWanted, stage, [stage] { stage->focus(PanelName::what_if); });
}

void Controllers::restore(QSettings& settings)
{
    lessons->restore(settings);
    files->restore(settings);
    live->restore(settings);
    recorded->restore(settings);
    texts->restore(settings);
}

void Controllers::restoreLast(QSettings& settings)
{
    runs->restore(settings);
    appearance->restore(settings);
}

void Controllers::rememberFirst(QSettings& settings)
{
    lessons->remember(settings);
}

void Controllers::remember(QSettings& settings)
{
    foreign->unfold();
    appearance->remember(settings);
    files->remember(settings);
    live->remember(settings);
    recorded->remember(settings);
    texts->remember(settings);
}

void Controllers::rememberLast(QSettings& settings)
{
    runs->remember(settings);
}

bool Controllers::mayClose()
{
    return texts->mayClose() && recorded->mayClose();
}

void Controllers::continueFrom(const Controllers& other)
{
    variants->continueFrom(*other.variants);
    texts->continueFrom(*other.texts);
    predictions->continueFrom(*other.predictions);
}

}  // namespace lanes::gui
