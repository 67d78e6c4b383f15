// SPDX-License-Identifier: MIT
#include "gui/panels/variants_panel.h"

#include "engine/analysis/repeats.h"
#include "gui/paint/words/engine_words.h"
#include "gui/panels/theme_of.h"
#include "gui/session/format.h"
#include "gui/session/run_titles.h"
#include "gui/session/workspace.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::gui {

namespace {

enum Column {
    a_column,
    b_column,
    name_column,
    total_column,
    busy_column,
    overlap_column,
    hidden_column,
    cost_column,
    communication_column,
    column_count
};
enum Role {
    bar_role = Qt::UserRole,  ///< of the longest total, in [0, 1]
    part_role,  ///< of the longest total: what of the bar is strong, the rest is pale
    mark_role,  ///< of the columns A and B: whether it is this row
    note_role,  ///< of a name: what is to be minded
    progress_role,  ///< of a total that is not known yet, in [0, 1]
    least_role,  ///< of the longest total: the shortest of several runs, where it matters
    most_role,  ///< and the longest one
    error_role,  ///< shown instead of all figures
};
constexpr int row_height = 24;
constexpr int chip = 19;
constexpr int bar_height = 9;
constexpr double spread_tick = 3;
constexpr int gap = 8;
constexpr double pale = 0.45;
constexpr int spare = 8;
constexpr int least_name = 96;

QColor colourOf(int column, const Theme& theme)
{
    switch (column) {
    case busy_column:
        return theme.item(ItemRole::overlap1);
    case overlap_column:
        return theme.item(ItemRole::overlap2);
    case hidden_column:
        return theme.item(ItemRole::d2h);
    case cost_column:
        return theme.item(ItemRole::held);
    case communication_column:
        return theme.item(ItemRole::communication);
    default:
        return theme.muted;
    }
}

/// A letter to click in the first two columns; a figure with its bar in those after the name.
class VariantDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QFontMetrics metrics(option.font);
        const QString note = index.data(note_role).toString();
        const int noted = note.isEmpty() ? 0 : metrics.horizontalAdvance(note) + 4 * gap;
        return {std::max(metrics.horizontalAdvance(index.data().toString()) + noted + 4 * gap, least_name), row_height};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(option.palette);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state.testFlag(QStyle::State_Selected) || option.state.testFlag(QStyle::State_MouseOver)) {
            painter->fillRect(option.rect, theme.chip);
        }
        painter->setFont(option.font);
        if (index.column() < name_column) {
            paintLetter(painter, option, index, theme);
        } else if (index.column() == name_column) {
            paintName(painter, option, index, theme);
        } else {
            paintFigure(painter, option, index, theme);
        }
        painter->restore();
    }

private:
    static void paintLetter(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index, const Theme& theme)
    {
        QRectF box(0, 0, chip, chip);
        box.moveCenter(QRectF(option.rect).center());
        const bool here = index.data(mark_role).toBool();
        const bool can = index.flags().testFlag(Qt::ItemIsEnabled);
        painter->setPen(here ? QPen(Qt::NoPen) : QPen(can ? theme.muted : theme.line));
        painter->setBrush(here ? QBrush(theme.accent) : QBrush(Qt::NoBrush));
        painter->drawRoundedRect(here ? box : box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        QFont font = option.font;
        font.setWeight(here ? QFont::DemiBold : QFont::Normal);
        painter->setFont(font);
        painter->setPen(here ? (theme.isDark() ? theme.ink : QColor(Qt::white)) : can ? theme.muted : theme.line);
        painter->drawText(box, Qt::AlignCenter, index.column() == a_column ? QStringLiteral("A") : QStringLiteral("B"));
    }

    static void paintName(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index, const Theme& theme)
    {
        QRect rest = option.rect.adjusted(gap, 0, -gap, 0);
        const QString note = index.data(note_role).toString();
        const QFontMetrics metrics(option.font);
        const QString name = index.data().toString();
        painter->setPen(index.flags().testFlag(Qt::ItemIsEnabled) ? theme.text : theme.muted);
        painter->drawText(
            rest, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideRight, rest.width()));
        rest.setLeft(rest.left() + metrics.horizontalAdvance(name) + 2 * gap);
        const int needed = metrics.horizontalAdvance(note) + 2 * gap;
        if (note.isEmpty() || needed > rest.width()) {
            return;
        }
        const QRect pill(rest.left(), rest.center().y() - 9, needed, 19);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.pillCaution);
        painter->drawRoundedRect(pill, 4, 4);
        painter->setPen(theme.pillCautionText);
        painter->drawText(pill, Qt::AlignCenter, note);
    }

    static void paintFigure(
        QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index, const Theme& theme)
    {
        const QFontMetrics metrics(option.font);
        if (const QString error = index.data(error_role).toString();
            !error.isEmpty()) {  // over all columns, each its piece of it
            const auto* table = static_cast<const QTreeView*>(option.widget);
            const int left = table->columnViewportPosition(total_column) + gap;
            const int width = table->viewport()->width() - left - gap;
            painter->setClipRect(option.rect);
            painter->setPen(theme.pillCautionText);
            painter->drawText(QRect(left, option.rect.top(), width, option.rect.height()),
                Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(error, Qt::ElideRight, width));
            return;
        }
        const QString text = index.data().toString();
        const int width = option.rect.width() - 2 * gap;
        const int textWidth = std::min(width, metrics.horizontalAdvance(QStringLiteral("00.00 ms")));
        const QRect textRect(option.rect.left() + gap, option.rect.top(), textWidth, option.rect.height());
        painter->setPen(index.flags().testFlag(Qt::ItemIsEnabled) ? theme.text : theme.muted);
        painter->drawText(
            textRect, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, textWidth));
        const QRectF room(textRect.right() + gap, option.rect.center().y() - bar_height / 2.0 + 0.5,
            width - textWidth - gap, bar_height);
        if (room.width() < 12) {
            return;
        }
        const auto bar = [&](double share, const QBrush& brush) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(brush);
            painter->drawRect(
                QRectF(room.left(), room.top(), room.width() * std::clamp(share, 0.0, 1.0), room.height()));
        };
        if (const QVariant progress = index.data(progress_role); progress.isValid()) {
            bar(1, theme.chip);
            bar(progress.toDouble(), theme.accent);
            return;
        }
        const double share = index.data(bar_role).toDouble();
        const QColor colour = colourOf(index.column(), theme);
        if (index.column() == cost_column) {
            bar(share, theme.hatch(ItemRole::held)->ground);
            bar(share, QBrush(colour, Qt::BDiagPattern));  // as on the lanes
        } else if (const QVariant part = index.data(part_role); part.isValid()) {
            bar(share, blend(theme.panel, colour, pale));
            bar(part.toDouble(), colour);
        } else {
            bar(share, colour);
        }
        if (const QVariant least = index.data(least_role); least.isValid()) {
            const auto at = [&room](const QVariant& of) { return room.left() + room.width() * of.toDouble(); };
            paintSpread(painter, at(least), at(index.data(most_role)), room.center().y(), theme);
        }
    }

    /// "|---|" over the end of a bar: from the shortest run to the longest; edged, so that it is seen on the bar too.
    static void paintSpread(QPainter* painter, double least, double most, double middle, const Theme& theme)
    {
        painter->setRenderHint(QPainter::Antialiasing, false);
        for (const QPen& pen : {QPen(theme.panel, 3), QPen(theme.text, 1)}) {
            painter->setPen(pen);
            painter->drawLine(QPointF(least, middle), QPointF(most, middle));
            for (const double at : {least, most}) {
                painter->drawLine(QPointF(at, middle - spread_tick), QPointF(at, middle + spread_tick));
            }
        }
    }
};

struct Figures {
    Ns total = 0, busy = 0, overlap = 0, copies = 0, hidden = 0, communication = 0, communicationExposed = 0;
    MaybeNs waitCost;
};

Figures figuresOf(const Report& report)
{
    Figures figures {report.wall, report.gpu_busy, report.overlap, 0, 0, 0, 0, {}};
    for (const GpuFigures& gpu : report.gpus) {
        figures.copies += gpu.copy;
        figures.hidden += gpu.copy_hidden;
    }
    if (const GpuFigures* of = report.communicating_gpu()) {
        figures.communication = of->communication;
        figures.communicationExposed = of->communication_exposed;
    }
    figures.waitCost = report.verdict.waits_cost;
    return figures;
}

QString repeatText(const Trace& trace)
{
    QStringList lines;
    for (const Message& message : repeat_messages(trace)) {
        lines += QString::fromStdString(engineMessages().format(message));
    }
    return lines.join(QLatin1Char('\n'));
}

bool isStale(const Trace& trace)
{
    return std::any_of(trace.reads.begin(), trace.reads.end(), [](const Read& read) { return read.wrong_bytes > 0; });
}

/// The end of the scale that all bars are on.
Ns longestOf(const std::vector<VariantOutcome>& outcomes)
{
    Ns longest = 1;
    for (const VariantOutcome& outcome : outcomes) {
        if (outcome.recording) {
            const Figures of = figuresOf(*outcome.recording->report);
            // The sum over several GPUs can be longer than the run is.
            longest = std::max({longest, of.total, of.copies});
            if (const auto repeats = repeats_of(*outcome.recording->trace); repeats && spreads(repeats->wall)) {
                longest = std::max(longest, repeats->wall.most);
            }
        }
    }
    return longest;
}

/// Of a variant without a recording: how far it is.
void fillState(QTreeWidgetItem* item, const VariantOutcome& outcome)
{
    using State = VariantOutcome::State;
    item->setText(total_column,
        outcome.state == State::running       ? VariantsPanel::tr("runs")
            : outcome.state == State::waiting ? VariantsPanel::tr("waits")
            : outcome.state == State::failed  ? VariantsPanel::tr("failed")
                                              : QStringLiteral("–"));
    if (outcome.state == State::running) {
        item->setData(total_column, progress_role, 0.0);
    }
    if (outcome.state == State::failed) {
        for (int column = total_column; column < column_count; ++column) {
            item->setData(column, error_role, outcome.error);
        }
    }
}

void fillFigures(QTreeWidgetItem* item, const OpenRecording& recording, Ns longest)
{
    const Figures of = figuresOf(*recording.report);
    const auto share = [longest](Ns ns) { return static_cast<double>(ns) / static_cast<double>(longest); };
    const auto set = [&](int column, MaybeNs ns) {
        item->setText(column, maybeTime(ns));
        item->setData(column, bar_role, share(ns.value_or(0)));
    };
    set(total_column, of.total);
    if (const auto repeats = repeats_of(*recording.trace); repeats && spreads(repeats->wall)) {
        item->setData(total_column, least_role, share(repeats->wall.least));
        item->setData(total_column, most_role, share(repeats->wall.most));
    }
    item->setToolTip(total_column, repeatText(*recording.trace));
    set(busy_column, of.busy);
    set(overlap_column, of.overlap);
    set(cost_column, of.waitCost);
    item->setData(hidden_column, bar_role, share(of.copies));
    item->setData(hidden_column, part_role, share(of.hidden));
    item->setText(hidden_column, of.copies > 0 ? shareText(of.hidden, of.copies) : QStringLiteral("–"));
    item->setToolTip(
        hidden_column, VariantsPanel::tr("%1 of %2 of copying").arg(formatTime(of.hidden), formatTime(of.copies)));
    item->setData(communication_column, bar_role, share(of.communication));
    item->setData(communication_column, part_role, share(of.communicationExposed));
    item->setText(
        communication_column, of.communication > 0 ? formatTime(of.communicationExposed) : QStringLiteral("–"));
}

}  // namespace

bool isSameRun(const OpenRecordingPtr& outcome, const OpenRecordingPtr& shown)
{
    return outcome && shown
        && (outcome->trace == shown->trace || (!outcome->path.isEmpty() && outcome->path == shown->path));
}

VariantsPanel::VariantsPanel(QWidget* command, QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel)
    , m_caption(new QLabel)
    , m_table(new QTreeWidget)
{
    setObjectName(QStringLiteral("variants"));
    m_title->setProperty("heading", true);
    m_caption->setProperty("quiet", true);
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 4, 14, 2);
    head->setSpacing(14);
    head->addWidget(m_title);
    head->addWidget(m_caption, 1);
    head->addWidget(command);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);

    m_table->setAccessibleName(tr("All variants"));
    m_table->setObjectName(QStringLiteral("variantTable"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    m_table->setItemDelegate(new VariantDelegate(m_table));
    m_table->setMouseTracking(true);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setColumnCount(column_count);
    m_table->setHeaderLabels({QString(), QString(), tr("Variant"), tr("Total"), tr("GPU busy"), tr("Overlap"),
        tr("Copies hidden"), tr("Waits cost"), tr("Communication exposed")});
    const std::pair<Column, QString> tips[] = {{a_column, tr("Show above")}, {b_column, tr("Show below")},
        {total_column, tr("To the last end of a call or operation")},
        {busy_column, tr("Time in which any stream of any GPU was busy")},
        {overlap_column, tr("Time in which two or more streams were busy at once")},
        {hidden_column, tr("Copy time while kernels run on the same GPU; the pale rest of the bar is exposed")},
        {cost_column, tr("By how much the first thread's waits for a GPU delayed what it did next")},
        {communication_column,
            tr("Communication between GPUs while no other kernel runs on the same GPU, for the GPU where this is "
               "longest; the pale "
               "rest of the bar is hidden")}};
    for (const auto& [column, tip] : tips) {
        m_table->headerItem()->setToolTip(column, tip);
    }
    QHeaderView* header = m_table->header();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(30);
    for (int column = 0; column < column_count; ++column) {
        header->setSectionResizeMode(column,
            column < name_column        ? QHeaderView::Fixed
                : column == name_column ? QHeaderView::ResizeToContents
                                        : QHeaderView::Stretch);
    }
    header->resizeSection(a_column, 34);
    header->resizeSection(b_column, 30);
    setFocusProxy(m_table);
    m_table->installEventFilter(this);
    connect(m_table, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int column) {
        const bool below = column == b_column
            || (column != a_column && QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier));
        choose(m_table->indexOfTopLevelItem(item), below ? 1 : 0);
    });
    present(nullptr, {}, {});
}

void VariantsPanel::present(const std::shared_ptr<const Workload>& workload,
    const std::vector<VariantOutcome>& outcomes, const QString& caption)
{
    m_outcomes = outcomes;
    m_title->setText(workload ? titleOf(*workload) : QString());
    m_title->setVisible(workload != nullptr);
    m_caption->setText(!workload            ? tr("Choose a workload to compare all its variants here.")
            : workload->variants.size() < 2 ? tr("This workload has no variants to compare.")
                                            : caption);
    m_caption->setToolTip(caption);
    const int current = m_table->indexOfTopLevelItem(m_table->currentItem());
    m_table->clear();
    m_table->setVisible(workload && workload->variants.size() > 1);
    if (!workload) {
        return;
    }
    const Ns longest = longestOf(outcomes);
    bool communicates = false;
    for (const VariantOutcome& outcome : outcomes) {
        addRow(*workload, outcome, longest);
        communicates = communicates || (outcome.recording && figuresOf(*outcome.recording->report).communication > 0);
    }
    m_table->setColumnHidden(communication_column, !communicates);
    if (current >= 0 && current < m_table->topLevelItemCount()) {
        m_table->setCurrentItem(m_table->topLevelItem(current));
    }
    mark();
}

/// One variant: its figures, each as a bar on a scale up to `longest`, or why it has none.
void VariantsPanel::addRow(const Workload& workload, const VariantOutcome& outcome, Ns longest)
{
    const QString name = QString::fromStdString(outcome.variant);  // as code and command line have it
    const QString title = variantTitle(workload, outcome.variant);
    auto* item = new QTreeWidgetItem(m_table, {QString(), QString(), title});
    item->setToolTip(name_column, outcome.error.isEmpty() ? name : outcome.error);
    item->setFlags(outcome.recording ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags);
    if (!outcome.error.isEmpty()) {
        item->setData(name_column, note_role, outcome.recording ? tr("failed") : QString());
    }
    if (!outcome.recording) {
        fillState(item, outcome);
        return;
    }
    fillFigures(item, *outcome.recording, longest);
    if (isStale(*outcome.recording->trace)) {
        item->setData(name_column, note_role, tr("wrong bytes"));
        item->setToolTip(name_column, title + QLatin1Char('\n') + tr("The host read wrong bytes."));
    }
}

void VariantsPanel::setProgress(double fraction)
{
    for (std::size_t row = 0; row < m_outcomes.size(); ++row) {
        if (m_outcomes[row].state == VariantOutcome::State::running) {
            m_table->topLevelItem(static_cast<int>(row))->setData(total_column, progress_role, fraction);
        }
    }
}

void VariantsPanel::setShown(const std::array<OpenRecordingPtr, 2>& shown)
{
    m_shown = shown;
    mark();
}

void VariantsPanel::mark()
{
    for (int row = 0; row < m_table->topLevelItemCount(); ++row) {
        QTreeWidgetItem* item = m_table->topLevelItem(row);
        QStringList said;
        for (const int side : {0, 1}) {
            const bool here = isSameRun(
                m_outcomes[static_cast<std::size_t>(row)].recording, m_shown[static_cast<std::size_t>(side)]);
            item->setData(a_column + side, mark_role, here);
            if (here) {
                said += side == 0 ? QStringLiteral("A") : QStringLiteral("B");
            }
        }
        const QString text
            = QStringLiteral("%1: %2").arg(item->text(name_column), (figures(row) + said).join(QStringLiteral(", ")));
        item->setData(name_column, Qt::AccessibleTextRole, text);
    }
}

QSize VariantsPanel::sizeHint() const
{
    const int rows = m_table->topLevelItemCount() * row_height + m_table->header()->sizeHint().height() + spare;
    return {QWidget::sizeHint().width(), layout()->itemAt(0)->sizeHint().height() + rows};
}

QString VariantsPanel::caption() const
{
    return m_caption->text();
}

QStringList VariantsPanel::figures(int row) const
{
    QStringList texts;
    for (int column = total_column; column < column_count; ++column) {
        if (!m_table->isColumnHidden(column)) {
            texts += m_table->topLevelItem(row)->text(column);
        }
    }
    return texts;
}

void VariantsPanel::choose(int row, int side)
{
    if (row >= 0 && m_outcomes[static_cast<std::size_t>(row)].recording) {
        emit chosen(row, side);
    }
}

void VariantsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    emit shown();
}

bool VariantsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            choose(m_table->indexOfTopLevelItem(m_table->currentItem()),
                key->modifiers().testFlag(Qt::ControlModifier) ? 1 : 0);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void VariantsPanel::observe(Workspace* workspace)
{
    for (const auto signal : {&Workspace::changed, &Workspace::renewed}) {
        connect(workspace, signal, this, [this, workspace] { setShown({workspace->at(0), workspace->at(1)}); });
    }
}

}  // namespace lanes::gui
