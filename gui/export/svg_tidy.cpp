// SPDX-License-Identifier: MIT
#include "gui/export/svg_tidy.h"

#include "gui/export/svg_glyphs.h"
#include "gui/paint/theme.h"

#include <QList>

namespace lanes::gui {

namespace {

/// The value of an attribute of a tag; "" without it.
QByteArray attribute(const QByteArray& tag, const QByteArray& name)
{
    const QByteArray key = ' ' + name + "=\"";
    const qsizetype at = tag.indexOf(key);
    return at < 0 ? QByteArray() : tag.mid(at + key.size(), tag.indexOf('"', at + key.size()) - at - key.size());
}

QByteArray without(QByteArray tag, std::initializer_list<const char*> parts)
{
    for (const char* part : parts) {
        tag.replace(part, "");
    }
    return tag;
}

class Tidy {
public:
    explicit Tidy(SvgText kind)
        : m_kind(kind)
        , m_glyphs(kind)
    {
    }
    void group(const QByteArray& tag)
    {
        m_transform = attribute(tag, "transform");
        if (m_transform == "matrix(1,0,0,1,0,0)") {
            m_transform.clear();
        }
        QByteArray style = without(tag.mid(2), {" fill-opacity=\"1\"", " stroke-opacity=\"1\""});
        const qsizetype transform = style.indexOf(" transform=");
        m_style = (transform < 0 ? style : style.left(transform)).trimmed();
    }
    void element(QByteArray tag)
    {
        tag = without(tag.trimmed(), {" vector-effect=\"none\"", " fill-rule=\"evenodd\""});
        open(m_style);
        const QByteArray width = attribute(tag, "width");
        const QByteArray points = attribute(tag, "points").trimmed();
        if (tag.startsWith("<rect ") && !tag.contains(" rx=") && !width.startsWith('-')) {
            m_path += 'M' + attribute(tag, "x") + ' ' + attribute(tag, "y") + 'h' + width + 'v'
                + attribute(tag, "height") + "h-" + width + 'z';
        } else if (tag.startsWith("<polyline ") && points.count(' ') == 1) {  // a line
            m_path += 'M' + points;
        } else {
            flush();
            m_out += tag + '\n';
        }
    }
    /// Texts carry their own colour and font: they may be in any group that lies where theirs does.
    void text(QByteArray tag)
    {
        // In a group that is drawn through, texts say that they are not.
        const bool faint = (m_isOpen ? m_openStyle : m_style).contains("fill-opacity=");
        tag = without(tag, {" font-weight=\"400\"", " font-style=\"normal\""});
        if (!faint) {
            tag = without(tag, {" fill-opacity=\"1\""});
        }
        tag.replace(" \n >", ">");
        tag.replace(QByteArray("font-family=\"") + bundled_family, "font-family=\"Inter");
        open(m_isOpen ? m_openStyle : m_style);
        flush();
        QByteArray shapes = m_glyphs.shapesOf(tag);
        if (faint) {
            shapes.replace(" stroke=\"none\"", " fill-opacity=\"1\" stroke=\"none\"");
        }
        m_out += shapes;
        if (m_kind == SvgText::embedded) {
            const qsizetype fill = tag.indexOf(" fill=\"") + 7;
            tag.replace(fill, tag.indexOf('"', fill) - fill, "none");
        }
        m_out += m_kind == SvgText::outlines ? QByteArray() : tag + '\n';
    }
    /// What must come before the rest.
    QByteArray definitions() const { return m_glyphs.definitions(); }
    QByteArray done()
    {
        close();
        return m_out;
    }

private:
    void open(const QByteArray& style)
    {
        if (m_isOpen && style == m_openStyle && m_transform == m_openTransform) {
            if (!m_path.isEmpty() && m_path.size() > 4000) {  // lines that editors can bear
                flush();
            }
            return;
        }
        close();
        m_out += "<g " + style + (m_transform.isEmpty() ? QByteArray() : " transform=\"" + m_transform + '"') + ">\n";
        m_openStyle = style;
        m_openTransform = m_transform;
        m_isOpen = true;
    }
    void close()
    {
        flush();
        m_out += m_isOpen ? "</g>\n" : "";
        m_isOpen = false;
    }
    void flush()
    {
        if (!m_path.isEmpty()) {
            m_out += "<path d=\"" + m_path + "\"/>\n";
            m_path.clear();
        }
    }

    SvgText m_kind;
    SvgGlyphs m_glyphs;
    QByteArray m_out, m_path;
    QByteArray m_style, m_transform, m_openStyle, m_openTransform;
    bool m_isOpen = false;
};

/// Pixels, or the size on paper where that is another one.
QByteArray lengthOf(int pixels, const PictureOptions& options)
{
    if (options.pointsPerPixel == PictureOptions().pointsPerPixel) {
        return QByteArray::number(pixels);
    }
    return QByteArray::number(pixels * options.pointsPerPixel / 72 * 25.4, 'f', 2) + "mm";
}

}  // namespace

QByteArray tidySvg(const QByteArray& svg, QSize size, const QString& title, const PictureOptions& options)
{
    const QByteArray links
        = options.svgText == SvgText::embedded ? " xmlns:xlink=\"http://www.w3.org/1999/xlink\"" : "";
    QByteArray head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"" + links
        + " width=\"" + lengthOf(size.width(), options) + "\" height=\"" + lengthOf(size.height(), options)
        + "\" viewBox=\"0 0 " + QByteArray::number(size.width()) + ' ' + QByteArray::number(size.height()) + "\">\n";
    if (!title.isEmpty()) {
        head += "<title>" + title.toHtmlEscaped().toUtf8() + "</title>\n";
    }
    // Texts have the font alone, since QtSvg takes a list for a name; what knows CSS learns here what to
    // take where the font is not installed.
    head += "<desc>Lanescope</desc>\n";
    if (options.svgText == SvgText::text) {
        head += "<style>@supports (font-family:Inter) {text "
                "{font-family:Inter,Helvetica,Arial,sans-serif}}</style>\n";
    }

    Tidy tidy(options.svgText);
    const qsizetype body = svg.indexOf('>', svg.indexOf("</defs>") + 8);  // after the group around everything
    for (qsizetype at = svg.indexOf('<', body); at >= 0; at = svg.indexOf('<', at)) {
        qsizetype end = svg.indexOf('>', at) + 1;
        if (svg.mid(at, 6) == "<text ") {
            end = svg.indexOf("</text>", at) + 7;
            tidy.text(svg.mid(at, end - at));
        } else if (svg.mid(at, 3) == "<g ") {
            tidy.group(svg.mid(at, svg.indexOf('\n', at) - at));
        } else if (svg[at + 1] != '/') {
            tidy.element(svg.mid(at, end - at));
        }
        at = end;
    }
    return head + tidy.definitions() + tidy.done() + "</svg>\n";
}

}  // namespace lanes::gui
