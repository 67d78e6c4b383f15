// SPDX-License-Identifier: MIT
// A button whose text ends in an ellipsis where it has no room: a long one makes nothing beside it wider.
#pragma once

#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>

#include <algorithm>

namespace lanes::gui {

class ElidingButton : public QPushButton {
public:
    using QPushButton::QPushButton;

    QSize minimumSizeHint() const override
    {
        constexpr int least = 60;
        const QSize all = QPushButton::minimumSizeHint();
        return {std::min(least, all.width()), all.height()};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QStylePainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        const int beside = sizeHint().width() - fontMetrics().horizontalAdvance(text());
        option.text = fontMetrics().elidedText(text(), Qt::ElideRight, std::max(width() - beside, 0));
        painter.drawControl(QStyle::CE_PushButton, option);
    }
};

}  // namespace lanes::gui
