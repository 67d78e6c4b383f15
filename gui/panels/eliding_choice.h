// SPDX-License-Identifier: MIT
// A combo box whose text ends in an ellipsis where it has no room, and not in the middle of a letter. The mouse wheel
// scrolls what it lies in: it never chooses, since a choice may replace what is shown.
#pragma once

#include <QComboBox>
#include <QStylePainter>
#include <QWheelEvent>

namespace lanes::gui {

class ElidingChoice : public QComboBox {
public:
    using QComboBox::QComboBox;

    /// What of the chosen text is shown.
    QString shownText() const
    {
        QStyleOptionComboBox option;
        initStyleOption(&option);
        const int room
            = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
        constexpr int inset = 4;  // that styles leave beside the text
        return fontMetrics().elidedText(currentText(), Qt::ElideRight, room - inset);
    }

    /// With room for all of the text: styles count less beside it than they leave.
    QSize sizeHint() const override
    {
        constexpr int beside = 14;
        return QComboBox::sizeHint() + QSize(beside, 0);
    }

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
    void paintEvent(QPaintEvent*) override
    {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        option.currentText = shownText();
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }
};

}  // namespace lanes::gui
