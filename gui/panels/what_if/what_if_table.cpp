// SPDX-License-Identifier: MIT
#include "gui/panels/what_if/what_if_table.h"

#include "gui/panels/theme_of.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/panels/what_if/what_if_words.h"
#include "gui/session/format.h"
#include "gui/session/open_recording.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

namespace lanes::gui {

namespace {

enum WhatIfRole {
    share_role
    = Qt::UserRole,  ///< of the scale: the total, the least, the most and the recorded total, of the longest of all
    least_share_role,
    most_share_role,
    recorded_share_role,
};
constexpr int scale_height = 9;
constexpr double whisker = 3;
constexpr int least_scale = 120, least_change = 90, column_gap = 10;

/// The total as a bar, the interval as its whiskers, the recorded total as a line.
class ScaleDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const QVariant share = index.data(share_role);
        if (!share.isValid()) {
            return;
        }
        const Theme& theme = themeOf(option.palette);
        const int above = (option.rect.height() - scale_height) / 2;
        const QRectF room = QRectF(option.rect).adjusted(6, above, -10, 0);
        const auto at = [&](int role) { return room.left() + room.width() * index.data(role).toDouble(); };
        const double middle = room.top() + scale_height / 2.0;
        painter->save();
        painter->setPen(Qt::NoPen);
        painter->setBrush(index.row() > 0 || index.data(least_share_role).isValid() ? theme.accent : theme.muted);
        painter->drawRect(QRectF(room.left(), room.top(), at(share_role) - room.left(), scale_height));
        painter->setPen(QPen(theme.muted, 1, Qt::DotLine));
        const double recorded = std::floor(at(recorded_share_role)) + 0.5;
        painter->drawLine(QPointF(recorded, option.rect.top()), QPointF(recorded, option.rect.bottom()));
        if (index.data(least_share_role).isValid()) {
            for (const QPen& pen : {QPen(theme.panel, 3), QPen(theme.text, 1)}) {
                painter->setPen(pen);
                painter->drawLine(QPointF(at(least_share_role), middle), QPointF(at(most_share_role), middle));
                for (const int end : {least_share_role, most_share_role}) {
                    painter->drawLine(QPointF(at(end), middle - whisker), QPointF(at(end), middle + whisker));
                }
            }
        }
        painter->restore();
    }
};

void showBar(QTreeWidgetItem* item, const QVariant& total, const QVariant& least, const QVariant& most, double recorded)
{
    item->setData(scale_column, share_role, total);
    item->setData(scale_column, least_share_role, least);
    item->setData(scale_column, most_share_role, most);
    item->setData(scale_column, recorded_share_role, recorded);
    for (const int column : {predicted_column, gain_column}) {
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
}

double shareOf(Ns time, const WhatIfScale& scale)
{
    return static_cast<double>(time) / static_cast<double>(std::max<Ns>(scale.longest, 1));
}

}  // namespace

QTreeWidget* makeWhatIfTable()
{
    auto* table = new QTreeWidget;
    table->setObjectName(QStringLiteral("whatIf"));
    table->setAccessibleName(WhatIfPanel::tr("Changes"));
    table->setFrameShape(QFrame::NoFrame);
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setAllColumnsShowFocus(true);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->setColumnCount(what_if_columns);
    table->setItemDelegateForColumn(scale_column, new ScaleDelegate(table));
    const Messages& messages = engineMessages();
    const auto title = [&](const char* id) { return text(messages.text(std::string("whatif.column.") + id)); };
    table->setHeaderLabels(
        {title("change"), title("total"), QString(), title("gain"), title("interval"), title("class")});
    table->headerItem()->setToolTip(
        scale_column, WhatIfPanel::tr("The predicted total with its interval; the dotted line is the recorded total"));
    QHeaderView* header = table->header();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(40);
    header->setSectionResizeMode(QHeaderView::Fixed);
    for (const int column : {predicted_column, gain_column}) {
        table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    return table;
}

void placeColumns(QTreeWidget* table)
{
    const int room = table->viewport()->width();
    int figures = 0;
    table->setColumnHidden(class_column, false);
    for (const int column : {predicted_column, gain_column, interval_column, class_column, change_column}) {
        table->resizeColumnToContents(column);
        table->setColumnWidth(column, table->columnWidth(column) + column_gap);
        figures += column == change_column ? 0 : table->columnWidth(column);
    }
    const int names = std::min(table->columnWidth(change_column), std::max(room * 2 / 5, least_change));
    if (room - figures < names) {
        figures -= table->columnWidth(class_column);
        table->setColumnHidden(class_column, true);
    }
    const bool isScaleShown = room - figures - names >= least_scale;
    table->setColumnHidden(scale_column, !isScaleShown);
    table->setColumnWidth(change_column, isScaleShown ? names : std::max(least_change, room - figures));
    table->setColumnWidth(scale_column, room - figures - names);
}

void showPrediction(QTreeWidgetItem* item, const replay::Prediction& prediction, const WhatIfScale& scale)
{
    const bool isKnown = isWhole(prediction);
    const bool isWide = isKnown && prediction.is_wide();
    item->setText(predicted_column, isWide ? QStringLiteral("\u2013") : formatTime(prediction.total));
    item->setText(gain_column, gainText(prediction, scale.recorded));
    item->setText(interval_column,
        isKnown ? QStringLiteral("%1 \u2013 %2").arg(formatTime(prediction.low), formatTime(prediction.high))
                : QStringLiteral("\u2026"));
    item->setText(class_column, isKnown ? classText(prediction.reliability) : QString());
    item->setToolTip(class_column, isKnown ? classSentence(prediction.reliability) : QString());
    const bool isUnsafe = prediction.reliability == replay::Reliability::unsafe;
    for (const int column : {change_column, class_column}) {
        item->setForeground(
            column, isUnsafe ? QBrush(themeOf(item->treeWidget()->palette()).pillCautionText) : QBrush());
    }
    const auto end = [&](Ns time) { return isKnown ? QVariant(shareOf(time, scale)) : QVariant(); };
    showBar(item, shareOf(prediction.total, scale), end(prediction.low), end(prediction.high),
        shareOf(scale.recorded, scale));
}

void showUnpredicted(QTreeWidgetItem* item, const QString& total, bool isRecorded, const WhatIfScale& scale)
{
    item->setText(predicted_column, total);
    for (const int column : {gain_column, interval_column, class_column}) {
        item->setText(column, {});
        item->setToolTip(column, {});
    }
    for (const int column : {change_column, class_column}) {
        item->setForeground(column, QBrush());
    }
    const double recorded = shareOf(scale.recorded, scale);
    showBar(item, isRecorded ? QVariant(recorded) : QVariant(), {}, {}, recorded);
}

}  // namespace lanes::gui
