// SPDX-License-Identifier: MIT
#include "gui/timeline/label_painter.h"

#include <QFontMetricsF>

namespace lanes::gui {

namespace {
constexpr qsizetype most_kept = 8000;
}

LabelPainter::Face& LabelPainter::face(Style style)
{
    for (Face& face : m_faces) {
        if (face.style == style) {
            return face;
        }
    }
    const QFont font = bundledFont(style.pixels, style.weight);
    const QFontMetricsF metrics(font);
    return m_faces.emplace_back(Face{style, font, metrics.capHeight() / 2, metrics.ascent(), {}});
}

LabelPainter::Entry& LabelPainter::entry(Face& face, const QString& text)
{
    if (const auto found = face.entries.find(text); found != face.entries.end()) {
        return *found;
    }
    if (face.entries.size() > most_kept) {
        face.entries.clear();
    }
    QStaticText laid(text);
    laid.setTextFormat(Qt::PlainText);
    laid.setPerformanceHint(QStaticText::AggressiveCaching);
    return *face.entries.insert(text, {laid, QFontMetricsF(face.font).horizontalAdvance(text)});
}

double LabelPainter::width(const QString& text, Style style)
{
    Face& at = face(style);
    return entry(at, text).width;
}

void LabelPainter::draw(
    QPainter& painter, double x, double y, const QString& text, Style style, const QColor& color, bool vector)
{
    Face& at = face(style);
    painter.setFont(at.font);
    painter.setPen(color);
    const double baseline = y + at.middle;
    if (vector) {
        painter.drawText(QPointF(x, baseline), text);
    } else {
        painter.drawStaticText(QPointF(x, baseline - at.ascent), entry(at, text).text);
    }
}

QString LabelPainter::fitting(const QStringList& texts, double room, Style style)
{
    for (const QString& text : texts) {
        if (!text.isEmpty() && width(text, style) <= room) {
            return text;
        }
    }
    return {};
}

QString LabelPainter::elided(const QString& text, double room, Style style)
{
    if (width(text, style) <= room) {
        return text;
    }
    const QFontMetricsF metrics(face(style).font);
    for (qsizetype end = text.lastIndexOf(QLatin1Char(' ')); end > 0; end = text.lastIndexOf(QLatin1Char(' '), end - 1)) {
        QString cut = text.left(end);
        while (!cut.isEmpty() && !cut.back().isLetterOrNumber() && cut.back() != QLatin1Char('%')) {
            cut.chop(1);
        }
        cut += QStringLiteral(" \u2026");
        if (cut.size() > 3 && metrics.horizontalAdvance(cut) <= room) {
            return cut;
        }
    }
    return metrics.elidedText(text, Qt::ElideRight, room);
}

}  // namespace lanes::gui
