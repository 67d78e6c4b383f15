// SPDX-License-Identifier: MIT
#include "gui/panels/summary/summary_panel.h"

#include "gui/paint/words/scope_text.h"
#include "gui/panels/bar_color.h"
#include "gui/panels/eliding_choice.h"
#include "gui/panels/hit_steps.h"
#include "gui/panels/sort_header.h"
#include "gui/panels/summary/duration_histogram.h"
#include "gui/panels/summary/summary_model.h"
#include "gui/panels/theme_of.h"
#include "gui/session/format.h"
#include "gui/session/scope_reports.h"
#include "gui/session/workspace.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>
#include <numeric>

namespace lanes::gui {

namespace {

constexpr int summary_name_width = 230;

/// Whether a table has rows of the whole recording. Cost: the marks before its first range.
bool holdsAny(const OpenRecording& recording, int table)
{
    const Trace& trace = *recording.trace;
    if (table == static_cast<int>(summary_tables.size())) {
        return !recording.report->findings.empty();
    }
    if (table > static_cast<int>(summary_tables.size())) {
        return !trace.counters.empty();
    }
    switch (summary_tables[static_cast<std::size_t>(table)]) {
    case SummaryBy::kernel:
        return !trace.kernels.empty();
    case SummaryBy::copy:
        return !trace.copies.empty() || !trace.memsets.empty();
    case SummaryBy::family:
        return trace.operations.size() > 0;
    case SummaryBy::owner:
    case SummaryBy::module:
    case SummaryBy::line:
        return trace.operations.size() > 0 && !trace.ranges.empty();
    case SummaryBy::api:
        return trace.calls.size() > 0;
    case SummaryBy::range:
        return std::any_of(trace.ranges.begin(), trace.ranges.end(), [](const auto& range) { return !range.mark; });
    }
    return false;
}

}  // namespace

SummaryPanel::SummaryPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new SummaryModel(this))
    , m_by(new ElidingChoice)
    , m_text(new QLineEdit)
    , m_scope(new QLabel)
    , m_steps(new HitSteps)
    , m_table(new QTableView)
    , m_histogram(new DurationHistogram)
{
    m_durations.whileSeen(this);
    buildChoices();
    buildTable();
    setFocusProxy(m_table);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 12, 4);
    head->setSpacing(8);
    head->addWidget(m_by);
    head->addWidget(m_text);
    head->addWidget(m_scope, 1);
    head->addWidget(m_steps);
    auto* columns = new QSplitter(Qt::Horizontal);
    columns->setHandleWidth(1);
    columns->setChildrenCollapsible(false);
    columns->addWidget(m_table);
    columns->addWidget(m_histogram);
    columns->setStretchFactor(0, 3);
    columns->setStretchFactor(1, 1);
    columns->setSizes({720, 260});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(columns, 1);
    connectParts();
}

/// What the table is of, and what it says about that.
void SummaryPanel::buildChoices()
{
    m_by->addItems({tr("Kernels"), tr("Copies"), tr("API calls"), tr("Ranges"), tr("Families"), tr("Owners"),
        tr("Modules"), tr("Lines"), tr("Findings"), tr("Counters")});
    m_by->setAccessibleName(tr("Table to show"));
    m_by->setObjectName(QStringLiteral("summaryBy"));
    m_text->setPlaceholderText(tr("Names containing this text"));
    m_text->setAccessibleName(tr("Filter of names"));
    m_text->setObjectName(QStringLiteral("summaryText"));
    m_text->setClearButtonEnabled(true);
    m_text->setMaximumWidth(220);
    m_text->setMinimumWidth(m_text->fontMetrics().horizontalAdvance(m_text->placeholderText()) + 40);
    m_scope->setProperty("quiet", true);
    m_scope->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void SummaryPanel::buildTable()
{
    m_model->makeWhileSeen(this);
    m_model->setSwatch([this](const NamedRow& row) { return swatchOf(row); });
    m_table->setModel(m_model);
    SortHeader::give(m_table);
    m_table->setObjectName(QStringLiteral("summary"));
    m_table->setAccessibleName(tr("Summary"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);  // names differ at their ends
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->setSortingEnabled(true);  // which sorts by the name
    m_model->sortBy({SummaryFigure::total, 0}, true);
    for (QWidget* each : std::initializer_list<QWidget*> {m_table->horizontalHeader(), m_table}) {
        each->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(each, &QWidget::customContextMenuRequested, this,
            [this, each](QPoint at) { offerColumns(each->mapToGlobal(at)); });
    }
    m_table->installEventFilter(this);
}

/// A row of GPU work has the colour of the longest bar of its name.
QVariant SummaryPanel::swatchOf(const NamedRow& row) const
{
    const std::size_t side = row.sides[0] ? 0 : 1;
    const auto& figures = row.sides[side];
    if (m_workspace == nullptr || m_model->of().findings || !figures || !figures->family) {
        return {};
    }
    return barColor(m_workspace->pair()->side(static_cast<int>(side)).model(), figures->longest, themeOf(palette()));
}

void SummaryPanel::connectParts()
{
    connect(m_by, &QComboBox::currentIndexChanged, this, [this](int table) { m_asked = table; });
    connect(m_by, &QComboBox::activated, this, [this] {
        m_any = false;
        refill();
    });
    connect(m_text, &QLineEdit::textChanged, m_model, &SummaryModel::setText);
    connect(m_model, &SummaryModel::refilled, this, &SummaryPanel::tableRefilled);
    connect(
        m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
            if (current.isValid() && !m_following) {
                choose(current.row());
            }
        });
    connect(m_table, &QTableView::doubleClicked, this, &SummaryPanel::jump);
    connect(m_histogram, &DurationHistogram::intervalChosen, this,
        [this](qint64 least, qint64 most) { mark(least, most == 0 ? std::numeric_limits<Ns>::max() : most); });
}

void SummaryPanel::observe(Workspace* workspace)
{
    m_workspace = workspace;
    m_steps->observe(workspace);
    connect(workspace, &Workspace::changed, this, [this] {
        m_any = false;
        chooseTable();
        refill();
    });
    for (const auto signal : {&Workspace::renewed, &Workspace::scopeChanged, &Workspace::filteredChanged}) {
        connect(workspace, signal, this, &SummaryPanel::refill);
    }
    connect(&workspace->reports(), &ScopeReports::changed, this, [this] {
        if (m_model->of().findings) {
            refill();
        }
    });
}

/// The one that was asked for last; where nothing has rows for it, the first one that has.
void SummaryPanel::chooseTable()
{
    const auto& recordings = m_workspace->recordings();
    const auto holds = [&](int table) {
        return std::any_of(recordings.begin(), recordings.end(),
            [&](const OpenRecordingPtr& recording) { return holdsAny(*recording, table); });
    };
    int table = m_asked;
    for (int other = 0; !holds(table) && other < m_by->count(); ++other) {
        table = holds(other) ? other : table;
    }
    const QSignalBlocker quiet(m_by);  // the user did not ask for it
    m_by->setCurrentIndex(table);
}

/// Where a row is chosen that has some.
void SummaryPanel::placeDurations()
{
    constexpr int beside_table = 620;
    m_histogram->setVisible(m_hasDurations && width() > beside_table);
}

/// Beside a narrow table there is no room for the durations.
void SummaryPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeDurations();
    showWhatFits();
    fitNames();
}

/// Figures are as wide as they need to be read.
void SummaryPanel::fitColumns()
{
    constexpr int rows_looked_at = 100;  // of a thousand names the fitting would take longer than a frame
    m_table->horizontalHeader()->setResizeContentsPrecision(rows_looked_at);
    const auto needed = [this](int column) {
        m_table->resizeColumnToContents(column);
        return m_table->columnWidth(column) + 6;
    };
    const int least = m_table->fontMetrics().horizontalAdvance(QStringLiteral("00.0 ms")) + 22;
    m_widths.assign(static_cast<std::size_t>(m_model->columnCount()), 0);
    for (int column = 1; column < m_model->columnCount(); ++column) {
        m_table->setColumnHidden(column, false);
        const int width = m_widths[static_cast<std::size_t>(column)] = std::max(least, needed(column));
        m_table->setColumnWidth(column, width);
    }
    m_namesNeed = needed(0);
    showWhatFits();
    fitNames();
}

/// After the last column of the figure that a column is of.
int SummaryPanel::endOfFigure(int column) const
{
    const SummaryFigure figure = m_model->columnAt(column).figure;
    while (column < m_model->columnCount() && m_model->columnAt(column).figure == figure) {
        ++column;
    }
    return column;
}

/// Of two recordings there are more columns than have room: the last figures are left to the menu of the header.
void SummaryPanel::showWhatFits()
{
    if (m_widths.size() != static_cast<std::size_t>(m_model->columnCount())) {
        return;  // others are on their way
    }
    const bool all = m_model->of().recordings.size() < 2;
    const int sorted = m_model->sortedColumn();
    int room = m_table->viewport()->width() - m_table->verticalScrollBar()->sizeHint().width() - summary_name_width;
    bool fits = true;
    for (int column = 1; column < m_model->columnCount();) {
        const int end = endOfFigure(column);
        const int width = std::accumulate(m_widths.begin() + column, m_widths.begin() + end, 0);
        fits = fits && width <= room;
        const auto wanted = m_wanted.find(m_model->columnAt(column).figure);
        const bool shown
            = wanted != m_wanted.end() ? wanted->second : all || fits || (column <= sorted && sorted < end);
        room -= shown ? width : 0;
        for (; column < end; ++column) {
            m_table->setColumnHidden(column, !shown);
        }
    }
}

void SummaryPanel::offerColumns(QPoint at)
{
    auto* menu = new QMenu(tr("Columns"), this);
    menu->setObjectName(QStringLiteral("summaryColumns"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 1, end = 1; column < m_model->columnCount(); column = end) {
        end = endOfFigure(column);
        QString name = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        if (end - column > 1) {
            name.chop(2);  // whose it is
        }
        QAction* entry = menu->addAction(name);
        entry->setCheckable(true);
        entry->setChecked(!m_table->isColumnHidden(column));
        connect(entry, &QAction::toggled, this, [this, figure = m_model->columnAt(column).figure](bool on) {
            m_wanted[figure] = on;
            showWhatFits();
            fitNames();
        });
    }
    menu->popup(at);
}

/// Names have the rest as far as they need it.
void SummaryPanel::fitNames()
{
    const QHeaderView* columns = m_table->horizontalHeader();
    const int figures = columns->length() - columns->sectionSize(0);
    const QScrollBar* bar = m_table->verticalScrollBar();  // it may come once the rows are there
    const int left = m_table->viewport()->width() - (bar->isVisible() ? 0 : bar->sizeHint().width()) - figures;
    m_table->setColumnWidth(0, std::max(summary_name_width, std::min(m_namesNeed, left)));
}

void SummaryPanel::refill()
{
    if (m_workspace == nullptr) {
        return;
    }
    SummaryOf of;
    of.findings = m_by->currentIndex() == static_cast<int>(summary_tables.size());
    of.counters = m_by->currentIndex() == static_cast<int>(summary_tables.size()) + 1;
    of.by = of.findings || of.counters ? SummaryBy::kernel
                                       : summary_tables[static_cast<std::size_t>(m_by->currentIndex())];
    of.recordings = m_workspace->recordings();
    of.scope = m_workspace->scope();
    if (of.findings) {
        const ScopeReports& reports = m_workspace->reports();
        of.reports
            = {reports.isFoundOld() ? nullptr : reports.found(0), reports.isFoundOld() ? nullptr : reports.found(1)};
    } else if (!of.counters) {
        of.filter = m_workspace->filter();
    }
    m_model->show(of);
    sayScope();
}

QString SummaryPanel::scopeText() const
{
    return m_scope->toolTip();
}

void SummaryPanel::sayScope()
{
    const SummaryOf& of = m_model->of();
    QStringList words;
    if (of.recordings.empty()) {
        words += QString();
    } else {
        words += gui::scopeText(of.scope, of.recordings.size());
    }
    if (of.filter) {
        words += tr("filtered: %1").arg(text(of.filter->text()));
    }
    if (!m_model->problem().isEmpty()) {
        words = QStringList {m_model->problem()};
    } else if (m_model->busy() || (of.findings && m_workspace->reports().isFoundOld())) {
        words = QStringList {tr("computing…")};
    } else if (!of.recordings.empty()) {
        words += tr("names: %L1").arg(static_cast<qulonglong>(m_model->names()));
    }
    const QString all = words.join(QStringLiteral(" · "));
    m_scope->setText(all);
    m_scope->setToolTip(all);
}

void SummaryPanel::tableRefilled()
{
    sayScope();
    fitColumns();
    m_following = true;
    const int row = m_any ? m_model->rowOf(m_chosen) : -1;
    if (row >= 0) {
        m_table->setCurrentIndex(m_model->index(row, 0));
    } else {
        m_table->setCurrentIndex({});
    }
    m_following = false;
    {
        const QSignalBlocker quiet(m_table->horizontalHeader());  // it shows the order, it does not ask for it
        m_table->horizontalHeader()->setSortIndicator(
            m_model->sortedColumn(), m_model->isDescending() ? Qt::DescendingOrder : Qt::AscendingOrder);
    }
    drawDurations();
}

void SummaryPanel::choose(int row)
{
    const NamedRow* chosen = m_model->rowAt(row);
    if (chosen == nullptr) {
        return;
    }
    m_chosen = chosen->name;
    m_any = true;
    mark(0, std::numeric_limits<Ns>::max());
    drawDurations();
}

/// Marks those of the chosen name that last [least, most) ns.
void SummaryPanel::mark(Ns least, Ns most)
{
    const NamedRow* row = m_any ? m_model->rowAt(m_model->rowOf(m_chosen)) : nullptr;
    if (m_workspace == nullptr || row == nullptr || m_model->of().counters) {
        return;
    }
    const SummaryOf& of = m_model->of();
    AskedHits hits;
    hits.title = row->shown;
    for (std::size_t side = 0; side < of.recordings.size(); ++side) {
        hits.wanted[side] = of.wanted(side, row->name, least, most);
    }
    m_steps->follow(hits.title);
    m_workspace->mark(hits);
}

void SummaryPanel::drawDurations()
{
    m_durations.cancel();
    const NamedRow* row = m_any ? m_model->rowAt(m_model->rowOf(m_chosen)) : nullptr;
    if (row == nullptr || m_model->of().findings || m_model->of().counters) {
        m_hasDurations = false;
        placeDurations();
        return;
    }
    m_hasDurations = true;
    placeDurations();
    m_durations.ask(
        [of = m_model->of(), name = row->name](const std::stop_token& stop) {
            std::array<std::vector<Ns>, 2> durations;
            for (std::size_t side = 0; side < of.recordings.size(); ++side) {
                durations[side] = durations_of(*of.recordings[side], of.by, of.part(side, name), stop);
            }
            return DurationBins::of(durations, DurationHistogram::most_bins);
        },
        [this, title = row->shown, pair = m_model->of().recordings.size() > 1](
            const DurationBins& bins) { m_histogram->show(title, bins, pair); },
        [this](const QString& problem) { m_histogram->show(problem, {}, false); });
}

/// To the longest, of the side whose figure it is.
void SummaryPanel::jump(const QModelIndex& index)
{
    const NamedRow* row = m_model->rowAt(index.row());
    if (row == nullptr || m_workspace == nullptr) {
        return;
    }
    const std::size_t wish = m_model->columnAt(index.column()).part == 1 ? 1 : 0;
    const std::size_t side = row->sides[wish] ? wish : 1 - wish;
    if (row->sides[side] && row->sides[side]->longest) {
        m_workspace->jump(static_cast<int>(side), row->sides[side]->longest);
    }
}

bool SummaryPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (m_workspace != nullptr) {
                m_workspace->step(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            }
            return true;
        }
        if (key->matches(QKeySequence::Copy)) {
            QGuiApplication::clipboard()->setText(m_model->asText());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace lanes::gui
