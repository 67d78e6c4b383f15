// SPDX-License-Identifier: MIT
#include "gui/panels/sort_header.h"

#include <QPainter>
#include <QStyleOptionHeader>
#include <QTableView>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int arrow_width = 7, arrow_height = 4, arrow_air = 3;
constexpr int section_padding = 8;  // of the window's style

}  // namespace

void SortHeader::give(QTableView* table)
{
    auto* header = new SortHeader(Qt::Horizontal, table);
    header->setSectionsClickable(true);
    table->setHorizontalHeader(header);
}

void SortHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int logicalIndex) const
{
    QHeaderView::initStyleOptionForIndex(option, logicalIndex);
    option->sortIndicator = QStyleOptionHeader::None;  // drawn below
}

void SortHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const
{
    painter->save();
    QHeaderView::paintSection(painter, rect, logicalIndex);
    painter->restore();
    if (!isSortIndicatorShown() || sortIndicatorSection() != logicalIndex) {
        return;
    }
    QStyleOptionHeader option;
    initStyleOption(&option);
    initStyleOptionForIndex(&option, logicalIndex);
    const int width = fontMetrics().horizontalAdvance(option.text);
    const int room = rect.width() - 2 * section_padding;
    const int left = option.textAlignment.testFlag(Qt::AlignRight) ? std::max(room - width, 0) - arrow_air - arrow_width
        : option.textAlignment.testFlag(Qt::AlignHCenter)          ? (room + width) / 2 + arrow_air
                                                                   : width + arrow_air;
    const double x = rect.left() + std::clamp(section_padding + left, 0, rect.width() - arrow_width);
    const double y = rect.center().y() + 0.5;
    const double up = sortIndicatorOrder() == Qt::AscendingOrder ? -arrow_height / 2.0 : arrow_height / 2.0;
    const QPointF corners[] = {{x, y - up}, {x + arrow_width, y - up}, {x + arrow_width / 2.0, y + up}};
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, true);
    painter->setPen(Qt::NoPen);
    painter->setBrush(palette().color(QPalette::WindowText));
    painter->drawPolygon(corners, 3);
    painter->restore();
}

}  // namespace lanes::gui
