// SPDX-License-Identifier: MIT
#include "gui/panels/statistics_panel.h"

#include "engine/analysis/compare/compare.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/scope_text.h"
#include "gui/panels/names_column.h"
#include "gui/panels/old_look.h"
#include "gui/session/format.h"
#include "gui/session/scope_reports.h"
#include "gui/session/workspace.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <functional>
#include <set>

namespace lanes::gui {

namespace {

enum FigureColumn { figure_column, a_figure_column, b_figure_column, difference_column, figure_column_count };

using Reports = std::vector<std::shared_ptr<const Report>>;
/// A figure of each recording that has it.
using Figure = std::function<MaybeNs(const Report&)>;

class Filler {
public:
    Filler(QTreeWidget* tree, const Reports& reports)
        : m_tree(tree)
        , m_reports(reports)
    {
    }

    void section(const QString& title)
    {
        m_section = new QTreeWidgetItem(m_tree, {title});
        m_section->setExpanded(true);
        QFont font = m_tree->font();
        font.setWeight(QFont::DemiBold);
        m_section->setFont(figure_column, font);
        m_section->setFirstColumnSpanned(true);
    }

    /// Its share is of the total, as that of every time here.
    void time(const QString& title, const QString& explanation, const Figure& figure)
    {
        auto* item = add(title, explanation);
        MaybeNs values[2];
        for (std::size_t i = 0; i < m_reports.size(); ++i) {
            values[i] = figure(*m_reports[i]);
            QString shown = maybeTime(values[i]);
            if (const Ns wall = m_reports[i]->wall; values[i] && wall > 0) {
                shown += QStringLiteral("  %1").arg(shareText(*values[i], wall), 5);
            }
            item->setText(a_figure_column + static_cast<int>(i), shown);
        }
        if (m_reports.size() > 1 && values[0] && values[1]) {
            item->setText(difference_column, differenceText(*values[1] - *values[0]));
        }
    }

    /// A share that is not of the total: its title says of what.
    void share(const QString& title, const QString& explanation, const Figure& part, const Figure& whole)
    {
        auto* item = add(title, explanation);
        for (std::size_t i = 0; i < m_reports.size(); ++i) {
            const MaybeNs of = whole(*m_reports[i]);
            const MaybeNs value = part(*m_reports[i]);
            item->setText(
                a_figure_column + static_cast<int>(i), of && value && *of > 0 ? shareText(*value, *of) : maybeTime({}));
        }
    }

    /// Nothing where no recording has any.
    void bytes(const QString& title, const QString& explanation, const std::vector<RangeSummary>& summaries,
        OperationKind kind)
    {
        const auto any = [kind](const RangeSummary& summary) { return summary.of(kind).bytes > 0; };
        if (std::none_of(summaries.begin(), summaries.end(), any)) {
            return;
        }
        auto* item = add(title, explanation);
        for (std::size_t i = 0; i < summaries.size(); ++i) {
            const auto& of = summaries[i].of(kind);
            const QString rate = bandwidthText(of.bytes, of.busy);
            item->setText(a_figure_column + static_cast<int>(i),
                rate.isEmpty() ? formatBytes(of.bytes) : QStringLiteral("%1  %2").arg(formatBytes(of.bytes), rate));
        }
    }

    void number(const QString& title, const std::function<std::uint64_t(const Report&)>& figure)
    {
        auto* item = add(title, {});
        qint64 values[2] = {};
        for (std::size_t i = 0; i < m_reports.size(); ++i) {
            values[i] = static_cast<qint64>(figure(*m_reports[i]));
            item->setText(a_figure_column + static_cast<int>(i), QStringLiteral("%L1").arg(values[i]));
        }
        if (m_reports.size() > 1) {
            item->setText(difference_column, countDifferenceText(values[1] - values[0]));
        }
    }

private:
    QTreeWidgetItem* add(const QString& title, const QString& explanation)
    {
        auto* item = new QTreeWidgetItem(m_section, {title});
        item->setToolTip(figure_column, explanation);
        for (int column = a_figure_column; column < figure_column_count; ++column) {
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
        return item;
    }

    QTreeWidget* m_tree;
    const Reports& m_reports;
    QTreeWidgetItem* m_section = nullptr;
};

template <class T> Figure gpuFigure(std::uint32_t device, T GpuFigures::*member)
{
    return [=](const Report& report) -> MaybeNs {
        for (const GpuFigures& gpu : report.gpus) {
            if (gpu.device == device) {
                return report.of_gpus(gpu.*member);
            }
        }
        return {};
    };
}

/// One thread in each report; null in one that has no such thread.
using OneThread = std::function<const ThreadFigures*(const Report&)>;

OneThread oneThread(const ThreadPair& pair, const Report* a)
{
    return [=](const Report& report) {
        const std::optional<std::size_t>& place = &report == a ? pair.a : pair.b;
        return place ? &report.threads[*place] : nullptr;
    };
}

Figure threadFigure(const OneThread& thread, const std::function<MaybeNs(const ThreadFigures&)>& figure)
{
    return [=](const Report& report) {
        const ThreadFigures* of = thread(report);
        return of != nullptr ? figure(*of) : MaybeNs();
    };
}

std::vector<ThreadPair> threadsOf(const std::vector<OpenRecordingPtr>& recordings, const Reports& reports)
{
    const std::size_t other = recordings.size() - 1;  // one alone is paired with itself
    return thread_pairs({*recordings[0]->trace, *reports[0], {}}, {*recordings[other]->trace, *reports[other], {}});
}

/// Of any of them, by number.
std::vector<std::uint32_t> devicesOf(const Reports& reports)
{
    std::set<std::uint32_t> devices;
    for (const auto& report : reports) {
        for (const GpuFigures& gpu : report->gpus) {
            devices.insert(gpu.device);
        }
    }
    return {devices.begin(), devices.end()};
}

/// Of all GPUs and of the first thread.
void fillWhole(Filler& fill)
{
    fill.time(StatisticsPanel::tr("GPU busy"), StatisticsPanel::tr("Time in which any stream of any GPU was busy"),
        [](const Report& r) { return r.of_gpus(r.gpu_busy); });
    fill.time(StatisticsPanel::tr("Overlap"),
        StatisticsPanel::tr("Time in which two or more streams were busy at once"),
        [](const Report& r) { return r.of_gpus(r.overlap); });
    fill.time(StatisticsPanel::tr("CPU free while the GPU works"),
        StatisticsPanel::tr("GPU busy while the first thread is neither blocked nor waiting"),
        [](const Report& r) { return r.cpu_free; });
    const QString levels[] = {StatisticsPanel::tr("Nothing runs"), StatisticsPanel::tr("One thing runs"),
        StatisticsPanel::tr("Two things run"), StatisticsPanel::tr("Three or more run")};
    for (std::size_t level = 0; level < 4; ++level) {
        fill.time(levels[level], StatisticsPanel::tr("As the overlap ribbon shows it"),
            [level](const Report& r) { return r.of_gpus(level == 0 ? r.wall - r.gpu_busy : r.concurrency[level]); });
    }
}

void fillGpu(Filler& fill, std::uint32_t device, const Reports& reports)
{
    const Figure copies = gpuFigure(device, &GpuFigures::copy);
    fill.section(StatisticsPanel::tr("GPU %1").arg(device));
    fill.time(StatisticsPanel::tr("Busy"), {}, gpuFigure(device, &GpuFigures::busy));
    fill.time(StatisticsPanel::tr("Kernels"), {}, gpuFigure(device, &GpuFigures::kernel));
    fill.time(StatisticsPanel::tr("Copies"), {}, copies);
    fill.time(StatisticsPanel::tr("Copies hidden"), StatisticsPanel::tr("Copy time while kernels run on the same GPU"),
        gpuFigure(device, &GpuFigures::copy_hidden));
    fill.time(StatisticsPanel::tr("Copies exposed"),
        StatisticsPanel::tr("Copy time while no kernel runs on the same GPU"),
        gpuFigure(device, &GpuFigures::copy_exposed));
    fill.share(StatisticsPanel::tr("Share of copies hidden"), {}, gpuFigure(device, &GpuFigures::copy_hidden), copies);
    fill.time(StatisticsPanel::tr("Copies H2D"), {}, gpuFigure(device, &GpuFigures::h2d));
    fill.time(StatisticsPanel::tr("Copies D2H"), {}, gpuFigure(device, &GpuFigures::d2h));
    fill.time(StatisticsPanel::tr("Both directions at once"), {}, gpuFigure(device, &GpuFigures::h2d_d2h_overlap));
    if (std::ranges::any_of(reports, [](const auto& report) {
            return std::ranges::any_of(report->gpus, [](const GpuFigures& gpu) { return gpu.communication > 0; });
        })) {
        const Figure communication = gpuFigure(device, &GpuFigures::communication);
        fill.time(StatisticsPanel::tr("Communication"), StatisticsPanel::tr("Kernels that move data between GPUs"),
            communication);
        fill.time(StatisticsPanel::tr("Communication exposed"),
            StatisticsPanel::tr("While no other kernel runs on the same GPU"),
            gpuFigure(device, &GpuFigures::communication_exposed));
    }
    fill.time(
        StatisticsPanel::tr("Two or more kernels at once"), {}, gpuFigure(device, &GpuFigures::kernel_concurrency));
}

void fillThread(
    Filler& fill, const ThreadPair& pair, const std::vector<OpenRecordingPtr>& recordings, const Reports& reports)
{
    const std::size_t owner = pair.a ? 0 : 1;
    const OneThread thread = oneThread(pair, reports[0].get());
    fill.section(
        StatisticsPanel::tr("Thread %1").arg(threadText(*recordings[owner]->trace, thread(*reports[owner])->thread)));
    fill.time(
        StatisticsPanel::tr("In API calls"), {}, threadFigure(thread, [](const ThreadFigures& t) { return t.api; }));
    fill.time(StatisticsPanel::tr("Waiting for a GPU"),
        StatisticsPanel::tr("Blocked in API calls until GPU work, or the staging of a call's own copy, was done"),
        threadFigure(thread, [](const ThreadFigures& t) { return t.blocked; }));
    const bool costed = std::any_of(reports.begin(), reports.end(), [&](const auto& report) {
        const ThreadFigures* of = thread(*report);
        return of != nullptr && of->held;  // not of a range
    });
    if (costed) {
        fill.time(StatisticsPanel::tr("… held"), StatisticsPanel::tr("In waits that cost something"),
            threadFigure(thread, [](const ThreadFigures& t) { return t.held; }));
        fill.time(StatisticsPanel::tr("… which costs"),
            StatisticsPanel::tr("By how much these waits delayed what the thread did next"),
            threadFigure(thread, [](const ThreadFigures& t) { return t.held_cost; }));
    }
    for (std::size_t of = 0; of < block_cause_count; ++of) {
        const bool any = std::any_of(reports.begin(), reports.end(), [&](const auto& report) {
            const ThreadFigures* figures = thread(*report);
            return figures != nullptr && figures->blocked_by[of].value_or(0) > 0;
        });
        if (any) {
            fill.time(StatisticsPanel::tr("… waiting for %1").arg(causeText(static_cast<BlockCause>(of))), {},
                threadFigure(thread, [of](const ThreadFigures& t) { return t.blocked_by[of]; }));
        }
    }
    fill.time(StatisticsPanel::tr("Waiting for other threads"), StatisticsPanel::tr("In queues and joins"),
        threadFigure(thread, [](const ThreadFigures& t) { return t.host_wait; }));
}

void fillBytes(Filler& fill, const std::vector<OpenRecordingPtr>& recordings, const Reports& reports)
{
    fill.section(StatisticsPanel::tr("Bytes"));
    std::vector<RangeSummary> summaries;
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        summaries.push_back(recordings[i]->ranges->summary(reports[i]->range));
    }
    for (const OperationKind kind : {OperationKind::h2d, OperationKind::d2h, OperationKind::d2d, OperationKind::p2p,
             OperationKind::h2h, OperationKind::memset}) {
        fill.bytes(kindText(kind_of(kind)),
            StatisticsPanel::tr("Operations that extend beyond the range count in proportion to their time in it; "
                                "bandwidth is per time "
                                "in which any of them ran"),
            summaries, kind);
    }
}

void fillCounts(Filler& fill)
{
    fill.section(StatisticsPanel::tr("Counts"));
    fill.number(StatisticsPanel::tr("API calls"), [](const Report& r) { return r.counts.api_calls; });
    fill.number(StatisticsPanel::tr("Kernels"), [](const Report& r) { return r.counts.kernels; });
    fill.number(StatisticsPanel::tr("Copies"), [](const Report& r) { return r.counts.copies; });
    fill.number(StatisticsPanel::tr("Memsets"), [](const Report& r) { return r.counts.memsets; });
    fill.number(StatisticsPanel::tr("Synchronisations"), [](const Report& r) { return r.counts.syncs; });
    fill.number(StatisticsPanel::tr("Stream waits"), [](const Report& r) { return r.counts.waits; });
    fill.number(StatisticsPanel::tr("Ranges"), [](const Report& r) { return r.counts.ranges; });
    fill.number(StatisticsPanel::tr("Dropped records"), [](const Report& r) { return r.counts.dropped; });
}

}  // namespace

StatisticsPanel::StatisticsPanel(QWidget* parent)
    : QTreeWidget(parent)
{
    setObjectName(QStringLiteral("statistics"));
    setAccessibleName(tr("Statistics"));
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setColumnCount(figure_column_count);
    setHeaderLabels({tr("Figure"), QStringLiteral("A"), QStringLiteral("B"), tr("B − A")});
    for (int column = a_figure_column; column < figure_column_count; ++column) {
        headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(120);
}

void StatisticsPanel::resizeEvent(QResizeEvent* event)
{
    QTreeWidget::resizeEvent(event);
    fitNames(this);
}

void StatisticsPanel::nameColumns()
{
    const std::vector<OpenRecordingPtr>& recordings = m_workspace->recordings();
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        const QString title = nameText(recordings[i]->title);
        headerItem()->setText(a_figure_column + static_cast<int>(i),
            recordings.size() > 1 ? QStringLiteral("%1  %2").arg(QLatin1Char(i == 0 ? 'A' : 'B')).arg(title) : title);
    }
}

void StatisticsPanel::refill()
{
    const std::vector<OpenRecordingPtr>& recordings = m_workspace->recordings();
    Reports reports;
    for (int side = 0; side < m_workspace->count(); ++side) {
        if (auto report = m_workspace->reports().at(side)) {
            reports.push_back(std::move(report));
        }
    }
    setOldLook(this, m_workspace->reports().isOld());
    const int scroll = verticalScrollBar()->value();  // another recording of the same: the eye stays where it is
    clear();
    setColumnHidden(b_figure_column, recordings.size() < 2);
    setColumnHidden(difference_column, recordings.size() < 2);
    const bool isKnown = !recordings.empty() && reports.size() == recordings.size()
        && m_workspace->reports().problem().isEmpty();  // not the figures of the scope before under its words
    setHeaderHidden(!isKnown);
    if (!isKnown) {
        viewport()->update();
        return;
    }
    nameColumns();
    Filler fill(this, reports);
    const QString said = scopeText(m_workspace->reports().scope(), recordings.size());
    fill.section(m_workspace->isFiltered() ? tr("%1, of all events: not filtered").arg(said) : said);
    fill.time(tr("Total"),
        tr("To the last end of a call or operation; host reads after that are not part of the run. All percentages of "
           "time refer to this"),
        [](const Report& r) { return MaybeNs(r.wall); });
    if (std::none_of(recordings.begin(), recordings.end(), [](const OpenRecordingPtr& recording) {
            return recording->trace->operations.size() > 0 || recording->trace->calls.size() > 0;
        })) {  // traces of the CPU alone
        fill.section(tr("Counts"));
        fill.number(tr("Ranges"), [](const Report& r) { return r.counts.ranges; });
        return;
    }
    fillWhole(fill);
    for (const std::uint32_t device : devicesOf(reports)) {
        fillGpu(fill, device, reports);
    }
    for (const ThreadPair& pair : threadsOf(recordings, reports)) {
        fillThread(fill, pair, recordings, reports);
    }
    fillBytes(fill, recordings, reports);
    fillCounts(fill);
    fitNames(this);
    if (scroll > 0) {
        doItemsLayout();
        verticalScrollBar()->setValue(scroll);
    }
}

QString StatisticsPanel::asText() const
{
    QString lines;
    const auto add = [&](const QTreeWidgetItem* item) {
        QStringList cells;
        for (int column = 0; column < figure_column_count; ++column) {
            if (!isColumnHidden(column)) {
                cells += item->text(column).simplified();
            }
        }
        lines += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    add(headerItem());
    for (int i = 0; i < topLevelItemCount(); ++i) {
        add(topLevelItem(i));
        for (int j = 0; j < topLevelItem(i)->childCount(); ++j) {
            if (const QTreeWidgetItem* figure = topLevelItem(i)->child(j); figure->flags() != Qt::NoItemFlags) {
                add(figure);
            }
        }
    }
    return lines;
}

void StatisticsPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(asText());
        return;
    }
    QTreeWidget::keyPressEvent(event);
}

void StatisticsPanel::paintEvent(QPaintEvent* event)
{
    QTreeWidget::paintEvent(event);
    if (topLevelItemCount() > 0) {
        return;
    }
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const bool isOpen = m_workspace != nullptr && m_workspace->count() > 0;
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
        !isOpen ? tr("The figures of the open recordings are shown here, side by side.")
            : m_workspace->reports().problem().isEmpty() ? tr("computing…")
                                                         : m_workspace->reports().problem());
}

void StatisticsPanel::observe(Workspace* workspace)
{
    m_workspace = workspace;
    connect(&workspace->reports(), &ScopeReports::changed, this, &StatisticsPanel::refill);
    connect(workspace, &Workspace::filteredChanged, this, &StatisticsPanel::refill);
}

}  // namespace lanes::gui
