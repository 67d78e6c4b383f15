// SPDX-License-Identifier: MIT
#include "gui/export/svg_glyphs.h"

#include "gui/paint/theme.h"

#include <cmath>
#include <QGlyphRun>
#include <QPainterPath>
#include <QRawFont>
#include <QTextLayout>
#include <QXmlStreamReader>

namespace lanes::gui {

namespace {

QByteArray glyphNumber(double value, int decimals)
{
    QByteArray text = QByteArray::number(value, 'f', decimals);
    if (text.contains('.')) {
        while (text.endsWith('0')) {
            text.chop(1);
        }
        if (text.endsWith('.')) {
            text.chop(1);
        }
    }
    return text == "-0" ? QByteArray("0") : text;
}

/// The commands of an SVG path, numbers with that many decimals.
QByteArray commandsOf(const QPainterPath& path, int decimals)
{
    QByteArray out;
    const auto point = [&](int i) {
        const auto at = path.elementAt(i);
        return glyphNumber(at.x, decimals) + ' ' + glyphNumber(at.y, decimals);
    };
    for (int i = 0; i < path.elementCount(); ++i) {
        switch (path.elementAt(i).type) {
        case QPainterPath::MoveToElement:
            out += (out.isEmpty() ? "M" : "zM") + point(i);
            break;
        case QPainterPath::LineToElement:
            out += 'L' + point(i);
            break;
        case QPainterPath::CurveToElement:
            out += 'C' + point(i) + ' ' + point(i + 1) + ' ' + point(i + 2);
            i += 2;
            break;
        case QPainterPath::CurveToDataElement:
            break;
        }
    }
    return out.isEmpty() ? out : out + 'z';
}

struct GlyphWords {
    QString text;
    QByteArray fill;
    double x = 0, y = 0, size = 0;
    TextStyle style = TextStyle::regular;
};

GlyphWords glyphWordsOf(const QByteArray& element)
{
    GlyphWords words;
    QXmlStreamReader reader(element);
    if (reader.readNextStartElement()) {
        const QXmlStreamAttributes all = reader.attributes();
        words.fill = all.value(QLatin1String("fill")).toUtf8();
        words.x = all.value(QLatin1String("x")).toDouble();
        words.y = all.value(QLatin1String("y")).toDouble();
        words.size = all.value(QLatin1String("font-size")).toDouble();
        const int weight = all.value(QLatin1String("font-weight")).toInt();
        words.style = weight >= 600 ? TextStyle::semiBold : weight >= 500 ? TextStyle::medium : TextStyle::regular;
        words.text = reader.readElementText();
    }
    return words;
}

}  // namespace

QByteArray SvgGlyphs::nameOf(const QRawFont& font, quint32 glyph)
{
    const QByteArray face = font.familyName().toUtf8() + '/' + font.styleName().toUtf8();
    if (!m_fonts.contains(face)) {
        m_fonts.insert(face, static_cast<int>(m_fonts.size()));
    }
    QByteArray name = 'g' + QByteArray::number(m_fonts[face]) + '-' + QByteArray::number(glyph);
    if (const auto known = m_drawn.constFind(name); known != m_drawn.cend()) {
        return *known ? name : QByteArray();
    }
    QRawFont large = font;
    large.setPixelSize(font.unitsPerEm());
    const QPainterPath path = large.pathForGlyph(glyph);
    m_drawn.insert(name, !path.isEmpty());
    if (path.isEmpty()) {
        return {};
    }
    m_definitions += "<path id=\"" + name + "\" d=\"" + commandsOf(path, 0) + "\"/>\n";
    return name;
}

QByteArray SvgGlyphs::shapesOf(const QByteArray& text)
{
    if (m_kind == SvgText::text) {
        return {};
    }
    const GlyphWords words = glyphWordsOf(text);
    QTextLayout layout(words.text, bundledFont(words.size, words.style));
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    if (!line.isValid()) {
        return {};
    }
    QByteArray out;
    QPainterPath outline;
    for (const QGlyphRun& run : layout.glyphRuns()) {
        const QRawFont font = run.rawFont();
        const double units = font.unitsPerEm();
        const double scale = font.pixelSize() / units;
        const auto glyphs = run.glyphIndexes();
        const auto places = run.positions();
        QByteArray uses;
        for (qsizetype i = 0; i < glyphs.size(); ++i) {
            const QPointF at = places[i] - QPointF(0, line.ascent());
            if (m_kind == SvgText::outlines) {
                outline.addPath(font.pathForGlyph(glyphs[i]).translated(words.x + at.x(), words.y + at.y()));
                continue;
            }
            if (const QByteArray name = nameOf(font, glyphs[i]); !name.isEmpty()) {
                uses += "<use xlink:href=\"#" + name + "\" x=\"" + glyphNumber(at.x() / scale, 0) + '"'
                    + (std::fabs(at.y()) > 0.01 ? " y=\"" + glyphNumber(at.y() / scale, 0) + '"' : QByteArray()) + "/>";
            }
        }
        if (!uses.isEmpty()) {
            const QByteArray factor = QByteArray::number(scale, 'g', 6);
            out += "<g fill=\"" + words.fill + "\" stroke=\"none\" transform=\"matrix(" + factor + " 0 0 " + factor
                + ' ' + glyphNumber(words.x, 3) + ' ' + glyphNumber(words.y, 3) + ")\">" + uses + "</g>\n";
        }
    }
    if (!outline.isEmpty()) {
        out += "<path fill=\"" + words.fill + "\" stroke=\"none\" d=\"" + commandsOf(outline, 2) + "\"/>\n";
    }
    return out;
}

QByteArray SvgGlyphs::definitions() const
{
    return m_definitions.isEmpty() ? QByteArray() : "<defs>\n" + m_definitions + "</defs>\n";
}

}  // namespace lanes::gui
