// SPDX-License-Identifier: MIT
#include "gui/panels/events_panel.h"

#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/scope_text.h"
#include "gui/panels/eliding_choice.h"
#include "gui/panels/sort_header.h"
#include "gui/session/format.h"
#include "gui/session/workspace.h"
#include "gui/timeline/query_field.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::gui {

EventsPanel::EventsPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new EventsModel(this))
    , m_side(new ElidingChoice)
    , m_kind(new ElidingChoice)
    , m_query(new QueryField)
    , m_count(new QLabel)
    , m_table(new QTableView)
{
    buildFilter();
    buildTable();
    m_head = new QHBoxLayout;
    m_head->setContentsMargins(12, 8, 12, 6);
    m_head->setSpacing(8);
    m_head->addWidget(m_side);
    m_head->addWidget(m_kind);
    m_head->addWidget(m_query, 1);
    m_head->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(m_head);
    layout->addWidget(m_table, 1);
    connectParts();
    m_side->hide();
    updateCount();
}

void EventsPanel::buildFilter()
{
    const std::pair<QString, const char*> kinds[]
        = {{tr("All events"), ""}, {tr("API calls"), "call"}, {tr("Blocked calls"), "blocked"},
            {tr("GPU operations"), "operation"}, {tr("Kernels"), "kernel"}, {tr("Copies"), "copy"},
            {tr("Memsets"), "memset"}, {tr("Ranges"), "range"}, {tr("Host work and reads"), "host"}};
    for (const auto& [label, word] : kinds) {
        m_kind->addItem(label, QLatin1String(word));
    }
    m_kind->setAccessibleName(tr("Kind of events"));
    m_kind->setObjectName(QStringLiteral("eventKind"));
    m_side->setAccessibleName(tr("Recording whose events are shown"));
    m_query->setPlaceholderText(tr("Filter: text, dur>1ms, thread:main, -name:…"));
    m_query->setAccessibleName(tr("Filter of events"));
    m_query->setObjectName(QStringLiteral("eventFilter"));
    m_query->setClearButtonEnabled(true);
    m_count->setProperty("quiet", true);
    m_count->setObjectName(QStringLiteral("eventCount"));
}

void EventsPanel::buildTable()
{
    m_model->arrangeWhileSeen(this);
    m_table->setModel(m_model);
    SortHeader::give(m_table);
    m_table->setObjectName(QStringLiteral("events"));
    m_table->setAccessibleName(tr("Events"));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(EventsModel::start, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);  // names differ at their ends
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(EventsModel::name, QHeaderView::Stretch);
    const int digits = fontMetrics().horizontalAdvance(QStringLiteral("0000.0000 ms")) + 24;
    for (const int column : {EventsModel::start, EventsModel::duration, EventsModel::bytes, EventsModel::blocked}) {
        m_table->setColumnWidth(column, digits);
    }
    m_table->setColumnWidth(EventsModel::kind, fontMetrics().horizontalAdvance(tr("copy D2H")) + 40);
    m_table->setColumnWidth(
        EventsModel::lane, fontMetrics().horizontalAdvance(QStringLiteral("pt_main_thread (1890023232)")) + 24);
    m_table->installEventFilter(this);
}

void EventsPanel::connectParts()
{
    connect(m_side, &QComboBox::activated, this, &EventsPanel::refill);
    connect(m_kind, &QComboBox::activated, this, &EventsPanel::writeKind);
    connect(m_query, &QLineEdit::textChanged, this, &EventsPanel::filterChanged);
    connect(m_query, &QueryField::nextWanted, this, [this] { m_table->setFocus(Qt::OtherFocusReason); });
    connect(m_query, &QueryField::leaveWanted, m_query, &QLineEdit::clear);
    connect(m_model, &EventsModel::refilled, this, [this] {
        updateCount();
        showSelected();
    });
    connect(m_table, &QTableView::doubleClicked, this,
        [this](const QModelIndex& index) { emit jumpWanted(m_side->currentIndex(), m_model->eventAt(index.row())); });
    connect(
        m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
            if (current.isValid() && !m_following) {
                emit selectWanted(m_side->currentIndex(), m_model->eventAt(current.row()));
            }
        });
}

void EventsPanel::listRecordings()
{
    const std::vector<OpenRecordingPtr>& recordings = m_workspace->recordings();
    const int side = std::clamp(m_side->currentIndex(), 0, std::max(0, static_cast<int>(recordings.size()) - 1));
    m_side->clear();
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        m_side->addItem(
            QStringLiteral("%1  %2").arg(QLatin1Char(i == 0 ? 'A' : 'B')).arg(nameText(recordings[i]->title)));
    }
    m_side->setCurrentIndex(recordings.empty() ? -1 : side);
    m_side->setVisible(recordings.size() > 1);
    fitStart();
    refill();
}

/// For the last start of a long recording as for a short one's.
void EventsPanel::fitStart()
{
    Ns last = 0;
    for (const OpenRecordingPtr& recording : m_workspace->recordings()) {
        last = std::max(last, recording->trace->duration);
    }
    constexpr double ms = 1e6;
    const QString longest = QStringLiteral("%L1 ms").arg(static_cast<double>(last) / ms, 0, 'f', 4);
    m_table->setColumnWidth(EventsModel::start,
        std::max(m_table->columnWidth(EventsModel::duration), fontMetrics().horizontalAdvance(longest) + 24));
}

void EventsPanel::refill()
{
    m_following = true;
    m_selected = {};
    m_model->setRecording(m_workspace->at(m_side->currentIndex()));
    m_following = false;
    filterChanged();  // the two recordings' times may differ
    updateCount();
}

/// Marks the selected event's row, without a jump back.
void EventsPanel::followSelection()
{
    const auto [side, event] = m_workspace->selection();
    if (m_side->currentIndex() != side && event) {
        m_side->setCurrentIndex(side);
        refill();
    }
    m_selected = event;
    showSelected();
}

/// Marks the row of what the timeline has selected.
void EventsPanel::showSelected()
{
    m_following = true;
    if (const int row = m_selected ? m_model->rowOf(m_selected) : -1; row >= 0) {
        m_table->selectRow(row);
        m_table->scrollTo(m_model->index(row, 0));
    } else {
        m_table->clearSelection();
    }
    m_following = false;
}

void EventsPanel::focusFilter()
{
    m_query->setFocus(Qt::ShortcutFocusReason);
    m_query->selectAll();
}

void EventsPanel::filterChanged()
{
    SearchError error;
    EventFilter filter {parsedQuery(m_query->text(), &error), {}};
    m_query->setError(error);
    static const QRegularExpression kind(QStringLiteral("(?:^|\\s)kind:(\\w+)(?=\\s|$)"));
    const int index = m_kind->findData(kind.match(m_query->text()).captured(1));
    m_kind->setCurrentIndex(std::max(index, 0));
    if (!error.text.isEmpty()) {
        updateCount();
        return;  // what was shown stays until the query is right
    }
    if (m_workspace != nullptr && m_workspace->scope().of != Scope::Of::all) {
        filter.range = m_workspace->scope().ranges[m_side->currentIndex() == 1 ? 1 : 0];
    }
    m_following = true;
    m_model->setFilter(filter);
    m_following = false;
    updateCount();
}

/// The chosen kind, in the query: in place of the one that is there, else in front.
void EventsPanel::writeKind()
{
    static const QRegularExpression kind(QStringLiteral("(^|\\s)kind:\\w+(?=\\s|$)"));
    const QString word = m_kind->currentData().toString();
    const QString term = word.isEmpty() ? QString() : QStringLiteral("kind:") + word;
    QString text = m_query->text();
    if (const auto found = kind.match(text); found.hasMatch()) {
        text.replace(found.capturedStart(), found.capturedLength(), term.isEmpty() ? term : found.captured(1) + term);
    } else if (!term.isEmpty()) {
        text.prepend(term + QLatin1Char(' '));
    }
    m_query->setText(text.trimmed() == term ? term : text);
}

void EventsPanel::updateCount()
{
    const QString wrong = m_query->error().text.isEmpty() ? m_model->problem() : m_query->error().text;
    m_count->setSizePolicy(wrong.isEmpty() ? QSizePolicy::Preferred : QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_head->setStretchFactor(m_count, wrong.isEmpty() ? 0 : 2);
    m_count->setToolTip(wrong);
    if (!wrong.isEmpty()) {
        m_head->activate();
        m_count->setText(m_count->fontMetrics().elidedText(wrong, Qt::ElideRight, m_count->width()));
        return;
    }
    if (m_model->busy()) {
        m_count->setText(tr("sorting…"));
        return;
    }
    const auto shown = static_cast<qlonglong>(m_model->passed());
    const auto total = static_cast<qlonglong>(m_model->total());
    const QString count = shown == total ? (total == 1 ? tr("1 event") : tr("%L1 events").arg(total))
                                         : tr("%L1 of %L2 events").arg(shown).arg(total);
    m_count->setText(m_workspace == nullptr || m_workspace->count() == 0
            ? count
            : QStringLiteral("%1 \u00B7 %2").arg(scopeTextOf(m_workspace->scope(), m_side->currentIndex()), count));
}

bool EventsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (const EventRef current = m_model->eventAt(m_table->currentIndex().row())) {
                emit jumpWanted(m_side->currentIndex(), current);
            }
            return true;
        }
        if (key->matches(QKeySequence::Copy)) {
            copy();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void EventsPanel::copy() const
{
    QString lines;
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < EventsModel::column_count; ++column) {
            cells += m_model->index(row.row(), column).data().toString();
        }
        lines += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    QGuiApplication::clipboard()->setText(lines);
}

void EventsPanel::observe(Workspace* workspace)
{
    m_workspace = workspace;
    connect(workspace, &Workspace::changed, this, &EventsPanel::listRecordings);
    connect(workspace, &Workspace::renewed, this, [this] {
        listRecordings();
        followSelection();
    });
    connect(workspace, &Workspace::selectionChanged, this, &EventsPanel::followSelection);
    connect(workspace, &Workspace::scopeChanged, this, &EventsPanel::filterChanged);
    connect(this, &EventsPanel::selectWanted, workspace, &Workspace::select);
    connect(this, &EventsPanel::jumpWanted, workspace, &Workspace::jump);
}

}  // namespace lanes::gui
