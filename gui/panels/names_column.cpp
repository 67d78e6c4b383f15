// SPDX-License-Identifier: MIT
#include "gui/panels/names_column.h"

#include <QHeaderView>
#include <QTreeView>

#include <algorithm>

namespace lanes::gui {

void fitNames(QTreeView* table)
{
    constexpr int air = 24;
    table->setTextElideMode(Qt::ElideMiddle);  // names differ at their ends
    const QAbstractItemView& cells = *table;
    QHeaderView* header = table->header();
    const auto contents
        = [&](int column) { return std::max(cells.sizeHintForColumn(column), header->sectionSizeHint(column)); };
    int left = table->viewport()->width();
    for (int column = 1; column < header->count(); ++column) {
        left -= header->isSectionHidden(column) ? 0 : std::max(contents(column), header->minimumSectionSize());
    }
    header->setSectionResizeMode(0, QHeaderView::Fixed);
    header->resizeSection(0, std::max(std::min(contents(0) + air, left), header->minimumSectionSize()));
}

}  // namespace lanes::gui
