// SPDX-License-Identifier: MIT
#include "gui/paint/drawn_texts.h"

#include <algorithm>
#include <QFontMetricsF>
#include <QPaintDevice>

namespace lanes::gui {

namespace {

DrawnTexts*& listener()
{
    thread_local DrawnTexts* one = nullptr;
    return one;
}

}  // namespace

DrawnTexts::DrawnTexts()
{
    listener() = this;
}

DrawnTexts::~DrawnTexts()
{
    listener() = nullptr;
}

DrawnTexts* DrawnTexts::current()
{
    return listener();
}

void DrawnTexts::add(const QPainter& painter, const QString& text, const QFont& font, QPointF baseline)
{
    if (text.trimmed().isEmpty()) {
        return;
    }
    const QTransform to = painter.combinedTransform();
    QRectF seen(0, 0, painter.device()->width(), painter.device()->height());
    if (painter.hasClipping()) {
        seen &= to.mapRect(painter.clipBoundingRect());
    }
    QRectF ink = QFontMetricsF(font).tightBoundingRect(text).translated(baseline);
    constexpr char16_t first_foreign = 0x2E80;
    if (std::any_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= first_foreign; })) {
        // As high as Chinese is: where the host has no font for it, the box of a missing glyph is higher.
        ink.setTop(baseline.y() - 0.88 * font.pixelSize());
        ink.setBottom(baseline.y() + 0.22 * font.pixelSize());
    }
    texts.push_back({text, to.mapRect(ink), seen, font.pixelSize() * to.m22()});
}

void DrawnTexts::addHatch(const QPainter& painter, const QRectF& box)
{
    hatches.push_back(painter.combinedTransform().mapRect(box));
}

}  // namespace lanes::gui
