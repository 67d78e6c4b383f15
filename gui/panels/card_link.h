// SPDX-License-Identifier: MIT
// Another event on a card: its colour, its name and how it belongs there, as a button that leads to it.
#pragma once

#include "gui/panels/card.h"

#include <QAbstractButton>

namespace lanes::gui {

class CardLink : public QAbstractButton {
    Q_OBJECT
public:
    /// `before` is written before the name: the number of a step, or nothing. An invalid colour: no swatch.
    CardLink(const CardEntry& entry, const QString& before, const QColor& color, QWidget* parent = nullptr);

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int indent() const;

    CardEntry m_entry;
    QString m_before;
    QColor m_color;
};

}  // namespace lanes::gui
