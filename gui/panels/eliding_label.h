// SPDX-License-Identifier: MIT
// A line of text with an ellipsis where it has no room: a long one makes nothing beside it wider, and shows its end,
// which tells files apart.
#pragma once

#include <QLabel>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace lanes::gui {

class ElidingLabel : public QLabel {
public:
    using QLabel::QLabel;

    QSize minimumSizeHint() const override
    {
        constexpr int least = 60;
        const QSize all = QLabel::minimumSizeHint();
        return {std::min(least, all.width()), all.height()};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const QRect room = contentsRect();
        style()->drawItemText(&painter, room, static_cast<int>(alignment()), palette(), isEnabled(),
            fontMetrics().elidedText(text(), Qt::ElideMiddle, room.width()), foregroundRole());
    }
};

}  // namespace lanes::gui
