// SPDX-License-Identifier: MIT
#include "gui/panels/events_panel.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::gui {

EventsPanel::EventsPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new EventsModel(this))
    , m_side(new QComboBox)
    , m_kind(new QComboBox)
    , m_words(new QLineEdit)
    , m_visibleOnly(new QCheckBox(tr("Visible range only")))
    , m_count(new QLabel)
    , m_table(new QTableView)
{
    using Kind = EventFilter::Kind;
    const std::pair<QString, Kind> kinds[]
        = {{tr("All events"), Kind::all}, {tr("API calls"), Kind::calls}, {tr("Blocked calls"), Kind::blocked},
            {tr("GPU operations"), Kind::operations}, {tr("Kernels"), Kind::kernels}, {tr("Copies"), Kind::copies},
            {tr("Memsets"), Kind::memsets}, {tr("Ranges"), Kind::ranges}, {tr("Host work and reads"), Kind::host}};
    for (const auto& [label, value] : kinds) {
        m_kind->addItem(label, static_cast<int>(value));
    }
    m_kind->setAccessibleName(tr("Kind of events"));
    m_kind->setObjectName(QStringLiteral("eventKind"));
    m_side->setAccessibleName(tr("Recording whose events are shown"));
    m_words->setPlaceholderText(tr("Filter by name, kind, thread or stream"));
    m_words->setAccessibleName(tr("Filter of events"));
    m_words->setObjectName(QStringLiteral("eventFilter"));
    m_words->setClearButtonEnabled(true);
    m_count->setProperty("quiet", true);

    m_table->setModel(m_model);
    m_table->setObjectName(QStringLiteral("events"));
    m_table->setAccessibleName(tr("Events"));
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(EventsModel::start, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
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
        EventsModel::lane, fontMetrics().horizontalAdvance(QStringLiteral("GPU 0 · stream 13 00")) + 24);
    m_table->installEventFilter(this);

    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 12, 6);
    head->setSpacing(8);
    head->addWidget(m_side);
    head->addWidget(m_kind);
    head->addWidget(m_words, 1);
    head->addWidget(m_visibleOnly);
    head->addWidget(m_count);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);

    connect(m_side, &QComboBox::activated, this, &EventsPanel::refill);
    connect(m_kind, &QComboBox::activated, this, &EventsPanel::filterChanged);
    connect(m_words, &QLineEdit::textChanged, this, &EventsPanel::filterChanged);
    connect(m_visibleOnly, &QCheckBox::toggled, this, &EventsPanel::filterChanged);
    connect(m_table, &QTableView::doubleClicked, this,
        [this](const QModelIndex& index) { emit jumpWanted(m_side->currentIndex(), m_model->eventAt(index.row())); });
    connect(
        m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
            if (current.isValid() && !m_following) {
                emit selectWanted(m_side->currentIndex(), m_model->eventAt(current.row()));
            }
        });
    m_side->hide();
    updateCount();
}

void EventsPanel::setRecordings(const std::vector<OpenRecordingPtr>& recordings)
{
    const int side = std::clamp(m_side->currentIndex(), 0, std::max(0, static_cast<int>(recordings.size()) - 1));
    m_recordings = recordings;
    m_side->clear();
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        m_side->addItem(QStringLiteral("%1  %2").arg(QLatin1Char(i == 0 ? 'A' : 'B')).arg(recordings[i]->title));
    }
    m_side->setCurrentIndex(recordings.empty() ? -1 : side);
    m_side->setVisible(recordings.size() > 1);
    m_visible = {0, 0};
    m_stale = true;
    if (isVisible() || recordings.empty()) {
        refill();
    }
}

void EventsPanel::refill()
{
    m_stale = false;
    m_following = true;
    const int side = m_side->currentIndex();
    m_model->setRecording(side < 0 ? nullptr : m_recordings[static_cast<std::size_t>(side)]);
    m_following = false;
    updateCount();
}

void EventsPanel::select(int side, ItemRef event)
{
    if (m_stale || side < 0 || side >= m_side->count()) {
        return;
    }
    if (m_side->currentIndex() != side && event) {
        m_side->setCurrentIndex(side);
        refill();
    }
    m_following = true;
    if (const int row = event ? m_model->rowOf(event) : -1; row >= 0) {
        m_table->selectRow(row);
        m_table->scrollTo(m_model->index(row, 0));
    } else {
        m_table->clearSelection();
    }
    m_following = false;
}

void EventsPanel::setVisibleRange(Interval range)
{
    m_visible = range;
    if (m_visibleOnly->isChecked() && isVisible()) {
        filterChanged();
    }
}

void EventsPanel::focusFilter()
{
    m_words->setFocus(Qt::ShortcutFocusReason);
    m_words->selectAll();
}

void EventsPanel::filterChanged()
{
    EventFilter filter;
    filter.kind = static_cast<EventFilter::Kind>(m_kind->currentData().toInt());
    filter.words = m_words->text();
    if (m_visibleOnly->isChecked() && m_visible.end > m_visible.start) {
        filter.range = m_visible;
    }
    m_following = true;
    m_model->setFilter(filter);
    m_following = false;
    updateCount();
}

void EventsPanel::updateCount()
{
    const auto shown = static_cast<qlonglong>(m_model->rowCount());
    const auto total = static_cast<qlonglong>(m_model->total());
    m_count->setText(shown == total ? tr("%L1 events").arg(total) : tr("%L1 of %L2 events").arg(shown).arg(total));
}

void EventsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale) {
        refill();
    }
}

bool EventsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (const ItemRef current = m_model->eventAt(m_table->currentIndex().row())) {
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

}  // namespace lanes::gui
