// SPDX-License-Identifier: MIT
#include "gui/export/svg_tidy.h"

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
    /// Texts carry their own colour and font: they may stand in any group that lies where theirs does.
    void text(QByteArray tag)
    {
        tag = without(tag, {" fill-opacity=\"1\"", " font-weight=\"400\"", " font-style=\"normal\""});
        tag.replace(" \n >", ">");
        tag.replace(QByteArray("font-family=\"") + bundled_family, "font-family=\"Inter");
        open(m_isOpen ? m_openStyle : m_style);
        flush();
        m_out += tag + '\n';
    }
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

    QByteArray m_out, m_path;
    QByteArray m_style, m_transform, m_openStyle, m_openTransform;
    bool m_isOpen = false;
};

}  // namespace

QByteArray tidySvg(const QByteArray& svg, QSize size, const QString& title)
{
    const QByteArray width = QByteArray::number(size.width());
    const QByteArray height = QByteArray::number(size.height());
    QByteArray head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
        + width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + ' ' + height + "\">\n";
    if (!title.isEmpty()) {
        head += "<title>" + title.toHtmlEscaped().toUtf8() + "</title>\n";
    }
    // The font alone stands at the texts, since QtSvg takes a list for a name; what knows CSS learns here what to
    // take where the font is not installed.
    head += "<desc>Lanescope</desc>\n<style>@supports (font-family:Inter) {text "
            "{font-family:Inter,Helvetica,Arial,sans-serif}}</style>\n";

    Tidy tidy;
    const qsizetype body = svg.indexOf('>', svg.indexOf("</defs>") + 8);  // behind the group around everything
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
    return head + tidy.done() + "</svg>\n";
}

}  // namespace lanes::gui
