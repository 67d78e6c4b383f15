// SPDX-License-Identifier: MIT
#include "gui/panels/iterations_panel.h"

#include "gui/paint/words/iteration_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/panels/iteration_strips.h"
#include "gui/panels/sort_header.h"
#include "gui/session/critical_paths.h"
#include "gui/session/format.h"
#include "gui/session/iteration_changes.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::gui {

namespace {

enum IterationColumn {
    number_column,
    begin_column,
    length_column,
    longer_column,
    gpu_column,
    side_by_side_column,
    exposed_column,
    held_column,
    after_work_column,
    why_column,
    strip_column,  ///< shown after the number
    iteration_columns
};
constexpr int index_role = Qt::UserRole;
constexpr int least_strip = 180, most_strip = 560;
constexpr int least_for_both = 140;  // logical pixels of the panel
constexpr int least_why = 300;

/// Sorted by the figures, not by their texts.
class IterationItem : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;
    bool operator<(const QTreeWidgetItem& other) const override
    {
        const int column = treeWidget()->sortColumn();
        const QVariant a = data(column, index_role);
        const QVariant b = other.data(column, index_role);
        return a.isValid() && b.isValid() ? a.toLongLong() < b.toLongLong() : QTreeWidgetItem::operator<(other);
    }
};

/// "200 iterations, found by repeating launches. The typical one, 17, takes 743 µs; outliers: 1 of the warm-up, 1
/// slow." And lengthStepText(), as then no iteration is typical of all.
QString iterationWords(const Iterations& found, const OpenRecording& recording)
{
    const auto count = [&](Iteration::Outlier outlier) {
        return std::count_if(
            found.all.begin(), found.all.end(), [&](const Iteration& each) { return each.outlier == outlier; });
    };
    QStringList outliers;
    if (const auto n = count(Iteration::Outlier::warm_up); n > 0) {
        outliers += IterationsPanel::tr("%L1 of the warm-up").arg(n);
    }
    if (const auto n = count(Iteration::Outlier::slow); n > 0) {
        outliers += IterationsPanel::tr("%L1 slow").arg(n);
    }
    if (const auto n = count(Iteration::Outlier::fast); n > 0) {
        outliers += IterationsPanel::tr("%L1 fast").arg(n);
    }
    const QString of = found.name.empty() ? IterationsPanel::tr("found by repeating launches")
                                          : IterationsPanel::tr("found by the ranges “%1”").arg(text(found.name));
    const QString words
        = IterationsPanel::tr("%L1 iterations, %2. The typical one, %L3, takes %4; outliers: %5.")
              .arg(found.all.size())
              .arg(of)
              .arg(found.typical + 1)
              .arg(formatTime(found.all[found.typical].wall()))
              .arg(outliers.isEmpty() ? IterationsPanel::tr("none") : outliers.join(QStringLiteral(", ")));
    const QString step = lengthStepText(recording);
    return step.isEmpty() ? words : words + QLatin1Char(' ') + step;
}

}  // namespace

IterationsPanel::IterationsPanel(QWidget* parent)
    : QWidget(parent)
    , m_summary(new QLabel)
    , m_table(new QTreeWidget)
    , m_strips(new IterationStrips(number_column, index_role, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 0);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setWordWrap(true);
    m_summary->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    layout->addWidget(m_summary);
    auto* header = new SortHeader(Qt::Horizontal, m_table);
    header->setSectionsClickable(true);
    m_table->setHeader(header);
    m_table->setObjectName(QStringLiteral("iterations"));
    m_table->setAccessibleName(tr("Iterations"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setUniformRowHeights(true);
    m_table->setRootIsDecorated(false);
    m_table->setColumnCount(iteration_columns);
    m_table->setHeaderLabels({tr("Iteration"), tr("Start"), tr("Length"), tr("vs. typical"), tr("GPU busy"),
        tr("Overlap"), tr("Exposed"), tr("Blocked"), tr("After its work"), tr("Why"), tr("From its start")});
    m_table->headerItem()->setToolTip(strip_column,
        tr("Each from its start, on one scale. From the top: kernels, communication, copies to, from and between GPUs, "
           "and blocked time of the first thread, if recorded. The line marks the end of the typical iteration."));
    m_table->headerItem()->setToolTip(
        length_column, tr("From its start to the start of the next one; of the last one, to the end of its own work"));
    m_table->headerItem()->setToolTip(exposed_column,
        tr("Communication and copies while no kernel computes on their GPU; of several GPUs the one with most"));
    m_table->headerItem()->setToolTip(after_work_column,
        tr("The part of its length after its own work: what comes before the next one, such as loading its batch"));
    m_table->setItemDelegateForColumn(strip_column, m_strips);
    m_table->header()->moveSection(strip_column, begin_column);
    m_table->headerItem()->setToolTip(
        why_column, tr("The parts of its critical path that took longer or shorter than in the typical iteration"));
    m_table->header()->setMinimumSectionSize(76);
    for (int column = 0; column < why_column; ++column) {
        m_table->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        m_table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_table->header()->setStretchLastSection(false);
    m_table->header()->moveSection(m_table->header()->visualIndex(why_column), longer_column + 2);
    m_table->sortByColumn(number_column, Qt::AscendingOrder);
    const auto show = [this](const QTreeWidgetItem* row) { lead(row); };
    connect(m_table, &QTreeWidget::itemClicked, this, show);
    connect(m_table, &QTreeWidget::itemActivated, this, show);
    setFocusProxy(m_table);
    layout->addWidget(m_table, 1);
}

void IterationsPanel::lead(const QTreeWidgetItem* row)
{
    m_shown->show(m_side, row->data(number_column, index_role).toULongLong());
}

/// The row of the iteration that the lanes show.
void IterationsPanel::follow()
{
    const auto at = m_shown->bars().sides[static_cast<std::size_t>(m_side)].shown;
    for (int i = 0; at && i < m_table->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = m_table->topLevelItem(i);
        if (item->data(number_column, index_role).toULongLong() == *at) {
            m_table->setCurrentItem(item);
            m_table->scrollToItem(item);
            return;
        }
    }
}

void IterationsPanel::observe(Workspace* workspace, IterationChanges* shown)
{
    m_workspace = workspace;
    m_found = shown->iterations();
    m_shown = shown;
    connect(m_found, &FoundIterations::changed, this, &IterationsPanel::refill);
    connect(shown, &IterationChanges::barsChanged, this, &IterationsPanel::follow);
    connect(workspace, &Workspace::activeChanged, this, &IterationsPanel::refill);
    refill();
}

/// What made it so follows how much it was, ahead of the other figures, and takes what these leave.
void IterationsPanel::fit()
{
    QHeaderView* header = m_table->header();
    const int width = m_table->viewport()->width();
    const int strip = std::clamp(width / 5, least_strip, most_strip);
    int figures = 0;
    for (int column = 0; column < why_column; ++column) {
        figures += header->sectionSize(column);
    }
    header->resizeSection(strip_column, strip);
    const QAbstractItemView& cells = *m_table;
    const int said = std::max(cells.sizeHintForColumn(why_column), header->sectionSizeHint(why_column));
    header->resizeSection(why_column, std::max(std::min(least_why, said), width - strip - figures));
}

void IterationsPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // In a low panel the table needs the room: the second recording's line is in the tip.
    m_summary->setMaximumHeight(height() < least_for_both ? m_summary->fontMetrics().height() : QWIDGETSIZE_MAX);
    fit();
}

void IterationsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_found->setWanted(this, true);
    refill();
}

void IterationsPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    if (m_found != nullptr) {  // Qt 6.8 hides what a tab is made of, before observe()
        m_found->setWanted(this, false);
    }
}

QString IterationsPanel::summary() const
{
    return m_summary->text();
}

void IterationsPanel::refill()
{
    m_table->clear();
    m_side = m_workspace->at(m_workspace->active()) ? m_workspace->active() : 0;
    const auto found = m_found->at(m_side);
    m_table->setHeaderHidden(!found);
    m_table->headerItem()->setText(number_column,
        m_workspace->count() < 2 ? tr("Iteration")
                                 : tr("Iteration of %1").arg(m_side == 0 ? QChar(u'A') : QChar(u'B')));
    m_strips->set(m_workspace->at(m_side), found);
    if (!found) {
        m_summary->setText(m_workspace->count() == 0 ? tr("The iterations of a recording are shown here.")
                : m_found->isRunning()               ? tr("Looking for iterations …")
                : !m_found->problem().isEmpty()
                ? m_found->problem()
                : tr("No part of this recording repeats: no loop of ranges or launches has half of its operations."));
        return;
    }
    const Trace& trace = *m_workspace->at(m_side)->trace;
    const Iteration& typical = found->all[found->typical];
    QStringList said;
    for (int side = 0; side < m_workspace->count(); ++side) {
        const auto known = m_found->at(side);
        const QString words = known ? iterationWords(*known, *m_workspace->at(side)) : tr("nothing repeats.");
        said += m_workspace->count() < 2 ? words : tr("%1: %2").arg(side == 0 ? QChar(u'A') : QChar(u'B')).arg(words);
    }
    m_summary->setText(said.join(QLatin1Char('\n')));
    m_summary->setToolTip(m_summary->text());
    QList<QTreeWidgetItem*> rows;
    m_table->setSortingEnabled(false);
    for (std::size_t i = 0; i < found->all.size(); ++i) {
        const Iteration& each = found->all[i];
        auto* row = new IterationItem;
        const auto set = [&](IterationColumn column, const QString& value, Ns figure) {
            row->setText(column, value);
            row->setData(column, index_role, static_cast<qlonglong>(figure));
            row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        };
        const QString number = QStringLiteral("%L1").arg(i + 1);
        row->setText(number_column,
            each.label == 0 ? number : tr("%1, %2").arg(printable(text(trace.text(each.label))), number));
        row->setData(number_column, index_role, static_cast<qlonglong>(i));
        row->setTextAlignment(number_column, Qt::AlignRight | Qt::AlignVCenter);
        set(begin_column, formatTime(each.span.start), each.span.start);
        set(length_column, formatTime(each.wall()), each.wall());
        set(longer_column, i == found->typical ? tr("typical") : differenceText(each.wall() - typical.wall()),
            each.wall() - typical.wall());
        set(gpu_column, formatTime(each.busy), each.busy);
        set(side_by_side_column, formatTime(each.overlap), each.overlap);
        set(exposed_column, formatTime(each.exposed), each.exposed);
        set(held_column, maybeTime(each.blocked), each.blocked.value_or(-1));
        set(after_work_column, i + 1 < found->all.size() ? formatTime(each.after_work) : QString(), each.after_work);
        row->setText(why_column, i == found->typical ? QString() : whyText(trace, typical, each));
        row->setToolTip(why_column, row->text(why_column));
        if (each.outlier != Iteration::Outlier::none) {
            QFont bold = m_table->font();
            bold.setWeight(QFont::DemiBold);
            row->setFont(number_column, bold);
            row->setFont(longer_column, bold);
        }
        rows << row;
    }
    m_table->addTopLevelItems(rows);
    m_table->setSortingEnabled(true);
    follow();
    QMetaObject::invokeMethod(this, &IterationsPanel::fit, Qt::QueuedConnection);  // once the table is laid out
}

}  // namespace lanes::gui
