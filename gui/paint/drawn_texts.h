// SPDX-License-Identifier: MIT
// Which texts and hatched bars were drawn and where, while an object of this class lives: tests find in it what is cut
// off, lies over one another or outside of the picture, and hatch that a text hides. One at a time, of the thread that
// made it. Where there is none, drawing costs a comparison more.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>

#include <vector>

namespace lanes::gui {

struct DrawnText {
    QString text;
    QRectF ink;  ///< of the device
    QRectF seen;  ///< what of the device may be drawn on
    double pixels;  ///< the font's size on the device
};

class DrawnTexts {
public:
    DrawnTexts();
    ~DrawnTexts();
    DrawnTexts(const DrawnTexts&) = delete;
    DrawnTexts& operator=(const DrawnTexts&) = delete;

    /// Null: nobody wants to know.
    static DrawnTexts* current();
    /// A text with its baseline at `baseline`, as the painter has it.
    void add(const QPainter& painter, const QString& text, const QFont& font, QPointF baseline);
    /// A blocked stretch that is hatched in this box, as the painter has it.
    void addHatch(const QPainter& painter, const QRectF& box);

    std::vector<DrawnText> texts;
    std::vector<QRectF> hatches;  ///< of the device
};

}  // namespace lanes::gui
