// SPDX-License-Identifier: MIT
// The header of a table that can be sorted: the arrow is beside its column's title. At the side of the section,
// where a style puts it, it looks as if it were the neighbour's.
#pragma once

#include <QHeaderView>

class QTableView;

namespace lanes::gui {

class SortHeader : public QHeaderView {
    Q_OBJECT

public:
    using QHeaderView::QHeaderView;
    /// Gives a table such a header, which can be clicked. Before its columns are set up.
    static void give(QTableView* table);

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int logicalIndex) const override;
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
};

}  // namespace lanes::gui
