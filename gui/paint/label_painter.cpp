// SPDX-License-Identifier: MIT
#include "gui/paint/label_painter.h"

#include "gui/paint/drawn_texts.h"
#include "gui/paint/words/printable_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <QFontMetricsF>
#include <QTextBoundaryFinder>
#include <QTextLayout>

namespace lanes::gui {

namespace {
constexpr qsizetype most_kept = 8000;
constexpr qsizetype most_pictures = 2000;
constexpr qsizetype most_letters
    = 8192;  // no picture is so wide that more have room, and to lay out a million takes a second

/// What is laid out and drawn of a text.
QString drawable(const QString& text)
{
    return printable(shortened(text, most_letters));
}

/// As much of a text as may have room; a little more, so that it can be told whether all of it has.
QString headFor(const QString& text, double room)
{
    constexpr double narrowest = 1.5;  // pixels: most letters of a small text are three times as wide
    constexpr double least = 16;
    return text.left(std::min(most_letters, static_cast<qsizetype>(std::max(room, 0.0) / narrowest + least)));
}

/// The smallest rectangle with everything that is not `ground`.
QRect inkOf(const QImage& image, QRgb ground)
{
    QRect ink;
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        const auto isInk = [ground](QRgb pixel) { return pixel != ground; };
        const auto* from = std::find_if(line, line + image.width(), isInk);
        const auto* to
            = std::find_if(std::reverse_iterator(line + image.width()), std::reverse_iterator(from), isInk).base();
        if (from != to) {
            ink |= QRect(static_cast<int>(from - line), y, static_cast<int>(to - from), 1);
        }
    }
    return ink;
}

/// How far above its baseline the line lies that Qt lays the text out in. 0 for Latin text: that of the font.
double ascentOf(const QString& text, const QFont& font)
{
    constexpr char16_t first_foreign = 0x2E80;  // from here on other scripts, whose glyphs come from another font
    if (std::none_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= first_foreign; })) {
        return 0;
    }
    QTextLayout layout(text, font);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    return line.isValid() ? line.ascent() : 0;
}

}  // namespace

LabelPainter::Face& LabelPainter::face(Style style)
{
    for (Face& face : m_faces) {
        if (face.style == style) {
            return face;
        }
    }
    const QFont font = bundledFont(style.pixels, style.weight);
    const QFontMetricsF metrics(font);
    return m_faces.emplace_back(Face {style, font, metrics.capHeight() / 2, {}, {}, {}});
}

LabelPainter::Entry& LabelPainter::entry(Face& face, const QString& text)
{
    if (const auto found = face.entries.find(text); found != face.entries.end()) {
        return *found;
    }
    if (face.entries.size() > most_kept) {
        face.entries.clear();
    }
    const QString shown = drawable(text);
    QStaticText laid(shown);
    laid.setTextFormat(Qt::PlainText);
    laid.setPerformanceHint(QStaticText::AggressiveCaching);
    const QFontMetricsF metrics(face.font);
    return *face.entries.insert(
        text, {laid, metrics.horizontalAdvance(shown), std::max(metrics.ascent(), ascentOf(shown, face.font))});
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
    if (DrawnTexts* drawn = DrawnTexts::current()) {
        drawn->add(painter, drawable(text), at.font, {x, baseline});
    }
    if (vector) {
        painter.drawText(QPointF(x, baseline), drawable(text));
    } else {
        const Entry& laid = entry(at, text);
        painter.drawStaticText(QPointF(x, baseline - laid.ascent), laid.text);
    }
}

void LabelPainter::drawOn(QPainter& painter, double x, double y, const QString& text, Style style, const QColor& color,
    const QColor& ground, bool vector)
{
    const QTransform transform = painter.combinedTransform();
    if (vector || text.isEmpty() || transform.type() > QTransform::TxScale || transform.m11() != transform.m22()
        || painter.device()->devicePixelRatio() != 1) {
        draw(painter, x, y, text, style, color, vector);
        return;
    }
    Face& at = face(style);
    if (DrawnTexts* drawn = DrawnTexts::current()) {
        drawn->add(painter, drawable(text), at.font, {x, y + at.middle});
    }
    const QPointF place = transform.map(QPointF(x, y + at.middle - entry(at, text).ascent));
    const QPointF whole(std::floor(place.x()), std::floor(place.y()));
    const PictureKey key {text, color.rgb(), ground.rgb(), place - whole, transform.m11()};
    auto found = at.pictures.constFind(key);
    if (found == at.pictures.cend()) {
        if (at.pictures.size() > most_pictures) {
            at.pictures.clear();
        }
        found = at.pictures.insert(key, pictureOf(at, key));
    }
    const QPointF corner = whole + found->at;
    if (transform.type() <= QTransform::TxTranslate) {
        painter.drawImage(corner - QPointF(transform.dx(), transform.dy()), found->image);
        return;
    }
    painter.setWorldMatrixEnabled(false);
    painter.drawImage(corner, found->image);
    painter.setWorldMatrixEnabled(true);
}

LabelPainter::Picture LabelPainter::pictureOf(Face& face, const PictureKey& key)
{
    constexpr int margin = 4;  // device pixels; glyphs may reach beyond their advance
    const QFontMetricsF metrics(face.font);
    const double width = entry(face, key.text).width * key.scale;
    const double height = (entry(face, key.text).ascent + 2 * metrics.descent()) * key.scale;
    QImage image(static_cast<int>(std::ceil(width)) + 2 * margin + 1,
        static_cast<int>(std::ceil(height)) + 2 * margin + 1, QImage::Format_RGB32);
    image.fill(key.ground);
    {
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.translate(key.fraction + QPointF(margin, margin));
        painter.scale(key.scale, key.scale);
        painter.setFont(face.font);
        painter.setPen(QColor::fromRgb(key.color));
        painter.drawStaticText(QPointF(), entry(face, key.text).text);
    }
    const QRect ink = inkOf(image, key.ground);
    return {image.copy(ink), ink.topLeft() - QPoint(margin, margin)};
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
    Face& at = face(style);
    if (const auto found = at.elided.constFind({text, room}); found != at.elided.cend()) {
        return *found;
    }
    if (at.elided.size() > most_kept) {
        at.elided.clear();
    }
    return *at.elided.insert({text, room}, cutBetweenWords(at, printable(headFor(text, room)), room));
}

QString LabelPainter::cutInTheMiddle(const QString& text, double room, Style style)
{
    if (text.endsWith(QChar(0x2026)) || width(text, style) <= room) {
        return elided(text, room, style);
    }
    const qsizetype half = headFor(text, room).size();
    const QString ends = text.size() <= 2 * half ? text : text.left(half) + text.right(half);
    return QFontMetricsF(face(style).font).elidedText(printable(ends), Qt::ElideMiddle, room);
}

QList<qsizetype> LabelPainter::clauseEnds(const QString& text)
{
    QList<qsizetype> ends;
    for (const QStringView between : {u" \u00B7 ", u", ", u"\uFF0C", u": ", u"\uFF1A"}) {
        for (qsizetype end = text.lastIndexOf(between); end > 0; end = text.lastIndexOf(between, end - 1)) {
            ends += end;
        }
    }
    return ends;
}

QString LabelPainter::clauses(const QString& text, double room, Style style)
{
    if (width(text, style) <= room) {
        return text;
    }
    const QString head = headFor(text, room);
    for (const qsizetype end : clauseEnds(head)) {
        if (QString said = head.left(end); width(said, style) <= room) {
            return said;
        }
    }
    return elided(text, room, style);
}

QStringList LabelPainter::wrapped(const QString& text, double first, double room, Style style)
{
    QStringList lines;
    QTextBoundaryFinder finder(QTextBoundaryFinder::Line, text);
    qsizetype begin = 0;
    qsizetype last = 0;
    const auto lineTo = [&](qsizetype end) { return text.mid(begin, end - begin).trimmed(); };
    const auto most = [&] { return lines.isEmpty() ? first : room; };
    while (finder.toNextBoundary() >= 0) {
        const qsizetype at = finder.position();
        if (width(lineTo(at), style) > most() && last > begin) {
            lines += elided(lineTo(last), most(), style);
            begin = last;
        }
        last = at;
    }
    if (const QString rest = lineTo(text.size()); !rest.isEmpty()) {
        lines += elided(rest, most(), style);
    }
    return lines;
}

QString LabelPainter::cutBetweenWords(const Face& face, const QString& text, double room)
{
    const QFontMetricsF metrics(face.font);
    for (qsizetype end = text.lastIndexOf(QLatin1Char(' ')); end > 0;
         end = text.lastIndexOf(QLatin1Char(' '), end - 1)) {
        QString cut = text.left(end);
        while (!cut.isEmpty() && !cut.back().isLetterOrNumber() && cut.back() != QLatin1Char('%')) {
            cut.chop(1);
        }
        cut += QStringLiteral(" \u2026");
        const double cutWidth = metrics.horizontalAdvance(cut);
        if (cut.size() > 3 && cutWidth <= room) {
            if (cutWidth * 2 < room) {
                break;  // "CPU …" would say less than "CPU NetworkCha…"
            }
            return cut;
        }
    }
    return metrics.elidedText(text, Qt::ElideRight, room);
}

}  // namespace lanes::gui
