// SPDX-License-Identifier: MIT
#include "gui/app/explore/operation_menu.h"

#include "engine/analysis/query/query.h"
#include "engine/analysis/waiters.h"
#include "engine/trace/event.h"
#include "gui/app/commands/command_actions.h"
#include "gui/app/explore/longest_kernel.h"
#include "gui/paint/frame_hits.h"
#include "gui/paint/words/printable_text.h"
#include "gui/panels/details.h"
#include "gui/panels/what_if/what_if_scopes.h"
#include "gui/session/format.h"
#include "gui/session/predicted_changes.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_view.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>

namespace lanes::gui {

namespace {

QString kindWord(const Trace& trace, EventRef event)
{
    const EventKind kind = kind_of(trace, event);
    return kind == EventKind::work || kind == EventKind::staging || kind == EventKind::wait ? QStringLiteral("host")
                                                                                            : text(name_of(kind));
}

/// Of the same name and the same kind.
std::function<EventList::Wanted()> sameName(const OpenRecordingPtr& recording, const QString& name, EventKind kind)
{
    return [recording, name, kind]() -> EventList::Wanted {
        return [recording, name, kind](EventRef event) {
            const Trace& trace = *recording->trace;
            return kind_of(trace, event) == kind && nameOf(trace, event) == name;
        };
    };
}

QString shortEntry(const QString& name)
{
    constexpr int most = 36;
    return entryText(shortened(name, most));
}

QAction* addEntry(QMenu* menu, const QString& words, const char* id, const std::function<void()>& run)
{
    QAction* action = menu->addAction(words, menu, run);
    action->setObjectName(QLatin1String(id));
    return action;
}

}  // namespace

OperationMenu::OperationMenu(const Parts& parts)
    : QObject(parts.timeline)
    , m_parts(parts)
    , m_menu(new QMenu(parts.timeline))
{
    m_menu->setObjectName(QStringLiteral("operationMenu"));
    for (const int side : {0, 1}) {
        parts.timeline->view(side)->installEventFilter(this);
    }
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {  // its entries are about what was open
        connect(parts.workspace, signal, m_menu, &QWidget::close);
    }
}

bool OperationMenu::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ContextMenu) {
        return QObject::eventFilter(watched, event);
    }
    auto* asked = static_cast<QContextMenuEvent*>(event);
    const int side = watched == m_parts.timeline->view(1) ? 1 : 0;
    TimelineView* view = m_parts.timeline->view(side);
    Timeline& timeline = view->timeline();
    if (timeline.model() == nullptr) {
        return false;
    }
    const TimelineFrame frame = timeline.frame();
    if (asked->reason() == QContextMenuEvent::Keyboard) {
        const auto box
            = timeline.selection() && !timeline.target().inHand() ? boxOf(frame, timeline.selection()) : std::nullopt;
        if (!box) {
            return false;  // the menu of the lane
        }
        const double x = std::clamp<double>(box->left(), frame.geometry.labelWidth, frame.geometry.size.width() - 20.0);
        return open(side, view->mapToGlobal((QPointF(x, box->bottom()) * view->magnification()).toPoint()));
    }
    const QPointF at = QPointF(asked->pos()) / view->magnification();
    const ItemRef item = at.x() < frame.geometry.labelWidth ? ItemRef {} : itemAt(frame, at);
    if (!item) {
        return false;
    }
    timeline.select(item);
    return open(side, asked->globalPos());
}

bool OperationMenu::open(int side, QPoint at)
{
    const Timeline& timeline = m_parts.timeline->side(side);
    const OpenRecordingPtr recording = m_parts.workspace->at(side);
    const EventRef event = recording ? eventOf(*recording, timeline.selection()) : EventRef {};
    if (!event) {
        return false;
    }
    fill(m_menu, side, event);
    m_menu->popup(at);
    return true;
}

QMenu* OperationMenu::menu()
{
    const auto [side, event] = m_parts.workspace->selection();
    if (!event) {
        return nullptr;
    }
    fill(m_menu, side, event);
    return m_menu;
}

void OperationMenu::fill(QMenu* menu, int side, EventRef event)
{
    menu->clear();
    ComparisonView* timeline = m_parts.timeline;
    Workspace* workspace = m_parts.workspace;
    const Trace& trace = *workspace->at(side)->trace;
    addEntry(menu, tr("&Zoom here"), "zoom", [timeline, side] {
        Timeline& one = timeline->side(side);
        one.zoomTo(spanOf(*one.recording(), one.selection()));
    });
    menu->addAction(m_parts.actions->action("edit.measure"));
    const Interval span = span_of(trace, event);
    QAction* save = addEntry(menu, tr("Save this &range…"), "saveRange", [this, workspace, side, span] {
        workspace->setActive(side);
        workspace->selectRange(side, span);
        m_parts.actions->action("file.save-range")->trigger();
    });
    save->setEnabled(span.start < span.end);
    menu->addSeparator();
    addMarks(menu, side, event);
    addFilters(menu, side, event);
    addPredictions(menu, side, event);
    menu->addSeparator();
    menu->addAction(m_parts.actions->action("go.call"));
    menu->addAction(m_parts.actions->action("go.operation"));
    addEntry(menu, tr("Show in the table of &events"), "events", [=, this] {
        m_parts.showEvents();
        workspace->select(side, {});  // the table comes to it, also where it was selected before
        workspace->select(side, event);
    });
    menu->addSeparator();
    addEntry(menu, tr("Copy the &name"), "copyName",
        [name = nameOf(trace, event)] { QGuiApplication::clipboard()->setText(name); });
    menu->addAction(m_parts.actions->action("edit.copy-details"));
}

void OperationMenu::addMarks(QMenu* menu, int side, EventRef event)
{
    Workspace* workspace = m_parts.workspace;
    const OpenRecordingPtr recording = workspace->at(side);
    const QString name = nameOf(*recording->trace, event);
    addEntry(menu, tr("&Mark all “%1”").arg(shortEntry(name)), "all", [=] {
        AskedHits hits {name, {}};
        for (int each = 0; each < workspace->count(); ++each) {
            hits.wanted[static_cast<std::size_t>(each)]
                = sameName(workspace->at(each), name, kind_of(*recording->trace, event));
        }
        workspace->mark(hits);
    });
    const std::vector<EventRef> waiters
        = event.table == EventTable::operations ? waiters_of(*recording, event.row) : std::vector<EventRef>();
    QAction* marked = addEntry(menu, tr("Mark what &waited for it: %L1").arg(waiters.size()), "waiters",
        [=] { markWaiters(*workspace, side, event, waiters); });
    marked->setShortcut(m_parts.actions->action("go.waiters")->shortcut());  // to be read; the command has it
    marked->setShortcutContext(Qt::WidgetShortcut);
    marked->setEnabled(!waiters.empty());
}

void OperationMenu::addFilters(QMenu* menu, int side, EventRef event)
{
    const Trace& trace = *m_parts.workspace->at(side)->trace;
    QMenu* only = menu->addMenu(tr("&Show only"));
    const auto filter = [&, timeline = m_parts.timeline](const QString& words, const char* id, const QString& query) {
        QAction* action = only->addAction(words, menu, [timeline, query] { timeline->filterBar()->ask(query); });
        action->setObjectName(QLatin1String(id));
    };
    filter(tr("“%1”").arg(shortEntry(nameOf(trace, event))), "onlyName",
        QString::fromStdString(query_of_name(trace.text(name_of(trace, event)))));
    filter(kindText(kind_of(trace, event)), "onlyKind", QStringLiteral("kind:") + kindWord(trace, event));
    const Row lane = lane_of(trace, event);
    filter(shortEntry(laneText(trace, event)), "onlyLane",
        event.table == EventTable::operations ? QStringLiteral("stream:%1").arg(trace.streams[lane].id)
                                              : QStringLiteral("thread:%1").arg(trace.threads[lane].id));
}

/// Of what was recorded: what changes to it, or to what is like it, would bring.
void OperationMenu::addPredictions(QMenu* menu, int side, EventRef event)
{
    Workspace* workspace = m_parts.workspace;
    const OpenRecordingPtr recording = workspace->at(side);
    if (isPredicted(*recording->trace)) {
        return;
    }
    QMenu* whatIf = menu->addMenu(tr("What &if"));
    whatIf->setObjectName(QStringLiteral("whatIf"));
    const std::vector<WhatIfScope> scopes = whatIfScopes(*recording, event, workspace->scope(), side);
    for (std::size_t i = 1; i < scopes.size(); ++i) {  // the first is the window's
        whatIf->addAction(shortEntry(scopes[i].title), menu, [this, workspace, side, scope = scopes[i]] {
            workspace->setActive(side);
            m_parts.whatIf(scope.query, scope.title);
        });
    }
    if (!whatIf->isEmpty()) {
        whatIf->addSeparator();
        for (const char* id : {"compare.predict-shorter", "compare.predict-longer", "compare.predict-stream"}) {
            whatIf->addAction(m_parts.actions->action(id));
        }
    }
    whatIf->menuAction()->setVisible(!whatIf->isEmpty());
}

}  // namespace lanes::gui
