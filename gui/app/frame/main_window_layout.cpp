// SPDX-License-Identifier: MIT
// How the window is put together, and what it remembers.
#include "gui/app/commands/command_actions.h"
#include "gui/app/explore/lane_bindings.h"
#include "gui/app/frame/activity_bar.h"
#include "gui/app/frame/card_dock.h"
#include "gui/app/frame/code_column.h"
#include "gui/app/frame/controllers.h"
#include "gui/app/frame/folded_parts.h"
#include "gui/app/frame/legend_strip.h"
#include "gui/app/frame/main_window.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/app/frame/scope_bar.h"
#include "gui/app/frame/side_column.h"
#include "gui/app/frame/stage.h"
#include "gui/app/frame/status_line.h"
#include "gui/app/frame/timeline_keys.h"
#include "gui/app/frame/top_bar.h"
#include "gui/app/learn/lecture.h"
#include "gui/app/learn/step_through.h"
#include "gui/app/record/live_recording.h"
#include "gui/app/record/monitor_strip.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/details_panel.h"
#include "gui/panels/editor/workload_editor.h"
#include "gui/panels/step_bar.h"
#include "gui/session/critical_paths.h"
#include "gui/session/iteration_changes.h"
#include "gui/session/what_ifs.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline_pair.h"

#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

constexpr int side_width = 300;
constexpr int editor_width = 460;
constexpr int least_stage_width = 480;
constexpr QSize first_size(1440, 900);

}  // namespace

/// Observers of the workspace are called in the order in which they are made here.
void MainWindow::buildParts()
{
    m_timeline = new ComparisonView(m_workspace.pair());
    bindWalk(&m_workspace, m_timeline->hits());
    auto* paths = new CriticalPaths(&m_workspace);
    bindLayers(paths, new IdleTimes(&m_workspace, IdleTimes::Of::whole), m_timeline);
    auto* whatIfs = new WhatIfs(&m_workspace);
    m_iterations = new IterationChanges(&m_workspace);
    auto* panels = new PanelTabs(&m_workspace, paths, whatIfs, m_iterations,
        {m_actions->button("run.all", tr("Run all variants")), m_actions->button("view.path", tr("Show on the lanes")),
            m_actions->button("compare.predicted", tr("Show the predicted run"))});
    auto* steps
        = new StepBar({m_actions->button("lesson.step-back", tr("Back")), m_actions->button("lesson.play", tr("Play")),
                          m_actions->button("lesson.step-forward", tr("Forward"))},
            StepThrough::speedNames());
    m_stage = new Stage(m_timeline, steps, panels);
    m_card = new DetailsPanel;
    m_card->observe(&m_workspace, paths);
    m_cardDock = new CardDock({&m_workspace, m_stage, m_card});
    new TimelineKeys(this, {panels, m_card}, m_timeline);
    m_top = new TopBar(m_actions);
    m_side = new SideColumn;
    m_editor = new WorkloadEditor;
    m_activity = new ActivityBar;
    m_notice = new NoticeBar;
    QPushButton* discard = m_actions->button("run.record-discard", tr("Discard"));
    discard->setObjectName(QLatin1String(MonitorStrip::discardName));
    m_monitor = new MonitorStrip({m_actions->button("run.record-follow", tr("Follow")),
        m_actions->button("run.record-stop", tr("Stop")), m_actions->button("run.record-restart", tr("Record again")),
        m_actions->button("run.record-keep", tr("Keep as…")), discard,
        m_actions->button("run.record-output", tr("Output"))});
    m_code = new CodeColumn(m_side->code());
    auto* legend = new LegendStrip(m_timeline, &m_workspace);
    auto* scope = new ScopeBar(&m_workspace, m_actions);
    setStatusBar(new StatusLine(&m_workspace, m_timeline));
    m_lecture = new Lecture({this, m_timeline, panels->lesson(), steps, m_stage->guess(), legend,
        {menuBar(), m_top, m_side, panels, m_code, m_editor, scope, statusBar()}});
    m_stage->addAbove(legend);
    m_stage->addAbove(scope);
    m_side->code()->observe(&m_workspace);
    m_lecture->code()->observe(&m_workspace);
    connect(m_side->code(), &CodePanel::chosen, m_lecture->code(), &CodePanel::choose);
    m_stage->addBelow(m_lecture->text());
    steps->setBeside(m_lecture->code());
    m_folded = std::make_unique<FoldedParts>(FoldedParts::Parts {m_side, m_stage, scope, legend, panels, statusBar()});
    m_controllers = new Controllers(
        {&m_workspace, &m_jobs, this, m_timeline, m_stage, m_top, m_side, m_editor, m_notice, m_monitor, m_lecture});
}

void MainWindow::layOut()
{
    m_columns = new QSplitter(Qt::Horizontal);
    m_columns->setObjectName(QStringLiteral("columns"));
    m_columns->setHandleWidth(1);
    m_columns->setChildrenCollapsible(false);
    m_columns->addWidget(m_side);
    m_columns->addWidget(m_stage);
    m_columns->addWidget(m_code);
    m_columns->addWidget(m_editor);
    m_columns->addWidget(m_card);
    m_editor->setMinimumWidth(300);
    m_stage->setMinimumWidth(least_stage_width);  // so that a window can become narrow enough to fold the side
    m_editor->hide();
    m_columns->setStretchFactor(1, 1);
    m_columns->setSizes({side_width, first_size.width() - side_width - editor_width, editor_width, editor_width});
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_top);
    layout->addWidget(m_activity);
    layout->addWidget(m_notice);
    layout->addWidget(m_monitor);
    layout->addWidget(m_columns, 1);
    setCentralWidget(central);
    setAcceptDrops(true);
}

void MainWindow::showCodeBeside(bool beside)
{
    m_code->setOn(beside);
    if (beside) {
        m_code->fit(m_columns);
    }
}

void MainWindow::restore()
{
    QSettings settings;
    m_controllers->restore(settings);
    resize(first_size.boundedTo(screen()->availableSize() - QSize(0, style()->pixelMetric(QStyle::PM_TitleBarHeight))));
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    m_columns->restoreState(settings.value(QStringLiteral("columns")).toByteArray());
    m_code->setOn(settings.value(QStringLiteral("codeBeside"), false).toBool());
    m_stage->restoreDivisions(settings.value(QStringLiteral("rows")).toByteArray());
    m_side->restoreDivisions(settings.value(QStringLiteral("side")).toByteArray(), first_size.height());
    m_stage->panels()->setCurrentIndex(settings.value(QStringLiteral("panel"), 0).toInt());
    m_stage->findChild<LegendStrip*>()->setHidden(settings.value(QStringLiteral("legendHidden"), false).toBool());
    makeRoom();
    m_controllers->restoreLast(settings);
}

void MainWindow::endUnasked()
{
    m_controllers->recorded->leave();
    remember();
}

void MainWindow::remember()
{
    QSettings settings;
    m_controllers->rememberFirst(settings);
    makeRoom(false, false);  // the window that is remembered is the usual one
    m_controllers->remember(settings);
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("columns"), m_columns->saveState());
    settings.setValue(QStringLiteral("codeBeside"), m_code->isOn());
    settings.setValue(QStringLiteral("rows"), m_stage->divisions());
    settings.setValue(QStringLiteral("side"), m_side->saveState());
    settings.setValue(QStringLiteral("panel"), m_stage->panels()->currentIndex());
    settings.setValue(QStringLiteral("legendHidden"), m_stage->findChild<LegendStrip*>()->isHidden());
    m_controllers->rememberLast(settings);
}

}  // namespace lanes::gui
