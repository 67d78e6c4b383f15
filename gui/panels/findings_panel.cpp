// SPDX-License-Identifier: MIT
#include "gui/panels/findings_panel.h"

#include "engine/analysis/messages.h"
#include "gui/paint/theme.h"
#include "gui/paint/time_format.h"
#include "gui/panels/details.h"
#include "gui/panels/format.h"

#include <QLocale>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>
#include <map>

namespace lanes::gui {

namespace {

enum Role { cost_role = Qt::UserRole, title_role, advice_role };
constexpr int margin = 12;
constexpr int pill_width = 104;
constexpr int gap = 14;

/// A pill with the cost, the title beside it, the advice under the title, wrapped.
class FindingDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->fillRect(option.rect, option.palette.color(QPalette::AlternateBase));
        }
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(option.palette.color(QPalette::Highlight));
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
        const QFontMetrics metrics(option.font);
        const QRect pill(option.rect.left() + margin, option.rect.top() + 7, pill_width, metrics.height() + 6);
        const bool dark = option.palette.color(QPalette::Base).lightness() < 128;
        const Theme& theme = Theme::named(dark ? QStringLiteral("dark") : QStringLiteral("light"));
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.pillBlocking);
        painter->drawRoundedRect(pill, 4, 4);
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        painter->setFont(bold);
        painter->setPen(theme.pillBlockingText);
        painter->drawText(pill, Qt::AlignCenter, index.data(cost_role).toString());

        const QRect text = textRect(option.rect);
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(QRect(text.left(), text.top(), text.width(), metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(bold).elidedText(index.data(title_role).toString(), Qt::ElideRight, text.width()));
        painter->setFont(option.font);
        painter->setPen(option.palette.color(QPalette::PlaceholderText));
        painter->drawText(text.adjusted(0, metrics.height() + 3, 0, 0), Qt::AlignLeft | Qt::TextWordWrap,
            index.data(advice_role).toString());
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto* list = static_cast<const QListWidget*>(parent());
        const QFontMetrics metrics(option.font);
        const QRect text = textRect(QRect(0, 0, list->viewport()->width(), 10000));
        const QString advice = index.data(advice_role).toString();
        const int under = advice.isEmpty() ? 0 : metrics.boundingRect(text, Qt::TextWordWrap, advice).height() + 3;
        return {0, 10 + metrics.height() + under + 9};
    }

private:
    static QRect textRect(const QRect& item) { return item.adjusted(margin + pill_width + gap, 10, -margin, 0); }
};

QString sideText(int side, std::size_t recordings)
{
    return recordings < 2 ? QString() : side == 0 ? QStringLiteral(" (A)") : QStringLiteral(" (B)");
}

ItemRef evidenceOf(const Trace& trace, const Finding& finding)
{
    for (const Evidence& evidence : finding.evidence) {
        // Sorted by start from `begin` to `end`.
        const auto seek = [&](const auto& table, RowSpan rows, ItemKind kind) {
            const auto from = table.start.begin();
            const auto first = std::lower_bound(from + rows.begin, from + rows.end, evidence.start) - from;
            for (auto row = static_cast<Row>(first); row < rows.end && table.start[row] == evidence.start; ++row) {
                if (table.end[row] == evidence.end) {
                    return ItemRef {kind, row};
                }
            }
            return ItemRef {};
        };
        for (Row stream = 0; stream < trace.streams.size(); ++stream) {
            if (const auto found = seek(trace.operations, trace.operations_of(stream), ItemKind::operation)) {
                return found;
            }
        }
        if (const auto found = seek(trace.calls, {0, static_cast<Row>(trace.calls.size())}, ItemKind::call)) {
            return found;
        }
    }
    return {};
}

/// Where the threads of a recording were held, one entry a thread and cause.
void addWaits(
    std::vector<FindingsPanel::Entry>& entries, const OpenRecording& recording, int side, std::size_t recordings)
{
    struct Sum {
        Ns cost = 0, longest = 0;
        std::uint64_t count = 0;
        Row call = no_row;
    };
    const Trace& trace = *recording.trace;
    std::map<std::pair<Row, BlockCause>, Sum> sums;
    for (const BlockedCall& blocked : recording.blocking->calls) {
        Sum& sum = sums[{trace.calls.thread[blocked.call], blocked.cause}];
        const Ns held = blocked.end - blocked.start;
        sum.cost += held;
        ++sum.count;
        if (held > sum.longest) {
            sum.longest = held;
            sum.call = blocked.call;
        }
    }
    for (const auto& [key, sum] : sums) {
        const Ns cost = sum.cost;
        const auto says = [&](const Finding& finding) {
            return finding.cost >= cost - cost / 50 && finding.cost <= cost + cost / 50;
        };
        if (std::any_of(recording.report->findings.begin(), recording.report->findings.end(), says)) {
            continue;  // a finding says the same, and what to do about it
        }
        const QString title = FindingsPanel::tr("%1 waited for %2%3")
                                  .arg(threadText(trace, key.first), causeText(key.second), sideText(side, recordings));
        const QString advice = (sum.count == 1
                ? FindingsPanel::tr("1 call, %2 of the time; it is %3 for %4.")
                : FindingsPanel::tr("%L1 calls, %2 of the time; the longest is %3 for %4.").arg(sum.count))
                                   .arg(shareText(sum.cost, recording.report->wall),
                                       nameOf(trace, {EventTable::calls, sum.call}), formatTime(sum.longest));
        entries.push_back({side, sum.cost, formatTime(sum.cost), title, advice, {ItemKind::call, sum.call}});
    }
}

/// Reads that found old bytes: nothing was lost but what is right.
void addStaleReads(
    std::vector<FindingsPanel::Entry>& entries, const OpenRecording& recording, int side, std::size_t recordings)
{
    const Trace& trace = *recording.trace;
    std::uint64_t wrong = 0;
    std::uint64_t count = 0;
    Row worst = no_row;
    for (Row row = 0; row < trace.reads.size(); ++row) {
        const Read& read = trace.reads[row];
        if (read.wrong_bytes > 0) {
            wrong += read.wrong_bytes;
            ++count;
            worst = worst == no_row || read.wrong_bytes > trace.reads[worst].wrong_bytes ? row : worst;
        }
    }
    if (count == 0) {
        return;
    }
    const Read& read = trace.reads[worst];
    const QString which = text(trace.text(read.buffer));
    const QString sideSaid = sideText(side, recordings);
    const QString title = count == 1
        ? FindingsPanel::tr("%1 was read before it was there%2").arg(which, sideSaid)
        : FindingsPanel::tr("%1 and others were read before they were there, %L3 times%2").arg(which, sideSaid).arg(count);
    const QString advice = FindingsPanel::tr("%1 of %2 were still the old bytes. Wait for the copy's event or stream "
                                             "before the host reads what it writes.")
                               .arg(formatBytes(read.wrong_bytes), formatBytes(read.bytes));
    entries.push_back({side, 0, FindingsPanel::tr("%1 stale").arg(formatBytes(wrong)), title, advice, {ItemKind::read, worst}});
}

}  // namespace

FindingsPanel::FindingsPanel(QWidget* parent)
    : QListWidget(parent)
{
    setItemDelegate(new FindingDelegate(this));
    setObjectName(QStringLiteral("findings"));
    setAccessibleName(tr("Findings"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    const auto show = [this](QListWidgetItem* chosen) {
        const Entry& entry = m_entries[static_cast<std::size_t>(row(chosen))];
        if (entry.evidence) {
            emit evidenceWanted(entry.side, entry.evidence);
        }
    };
    connect(this, &QListWidget::itemClicked, this, show);
    connect(this, &QListWidget::itemActivated, this, show);
}

void FindingsPanel::setRecordings(const std::vector<OpenRecordingPtr>& recordings)
{
    m_entries.clear();
    m_open = !recordings.empty();
    const Messages& messages = Messages::of(Messages::language_of_locale(QLocale().name().toStdString()));
    for (std::size_t side = 0; side < recordings.size(); ++side) {
        const OpenRecording& recording = *recordings[side];
        for (const Finding& finding : recording.report->findings) {
            m_entries.push_back({static_cast<int>(side), finding.cost, formatTime(finding.cost),
                QString::fromStdString(messages.format(finding.title))
                    + sideText(static_cast<int>(side), recordings.size()),
                QString::fromStdString(messages.format(finding.advice)), evidenceOf(*recording.trace, finding)});
        }
        addWaits(m_entries, recording, static_cast<int>(side), recordings.size());
        addStaleReads(m_entries, recording, static_cast<int>(side), recordings.size());
    }
    std::stable_sort(
        m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) {
            const bool stale = a.evidence.kind == ItemKind::read;  // what is wrong comes before what is slow
            const bool otherStale = b.evidence.kind == ItemKind::read;
            return stale != otherStale ? stale : a.cost > b.cost;
        });
    const int scroll = verticalScrollBar()->value();  // another recording of the same: the eye stays where it is
    clear();
    for (const Entry& entry : m_entries) {
        auto* item = new QListWidgetItem(this);
        item->setData(cost_role, entry.pill);
        item->setData(title_role, entry.title);
        item->setData(advice_role, entry.advice);
        item->setData(Qt::AccessibleTextRole,
            QStringLiteral("%1: %2. %3").arg(entry.pill, entry.title, entry.advice));
    }
    if (scroll > 0) {
        doItemsLayout();
        verticalScrollBar()->setValue(scroll);
    }
}

void FindingsPanel::paintEvent(QPaintEvent* event)
{
    QListWidget::paintEvent(event);
    if (m_entries.empty()) {
        QPainter painter(viewport());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin),
            Qt::AlignCenter | Qt::TextWordWrap,
            m_open ? tr("No thread was held by the GPU in this recording.")
                   : tr("Run a workload or open a recording: what cost time is listed here."));
    }
}

void FindingsPanel::resizeEvent(QResizeEvent* event)
{
    QListWidget::resizeEvent(event);
    scheduleDelayedItemsLayout();  // the advice wraps anew
}

}  // namespace lanes::gui
