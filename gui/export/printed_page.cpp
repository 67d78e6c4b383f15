// SPDX-License-Identifier: MIT
#include "gui/export/printed_page.h"

#include "gui/export/picture_page.h"
#include "gui/export/picture_size.h"
#include "gui/paint/words/printable_text.h"

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QFontDatabase>
#include <QPagedPaintDevice>
#include <QTextDocument>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lanes::gui {

namespace {

struct PrintedPageTexts {
    Q_DECLARE_TR_FUNCTIONS(PrintedPage)
};

// Lengths are in points.
constexpr double usual_pixel = 0.6;  // of the picture: its smallest text is 6.6 points high
constexpr double least_pixel = 0.4;
constexpr double between = 14;
constexpr double text_size = 9.5, code_size = 8;

/// How large a pixel of the picture is for all of it to be on the paper.
double pixelOf(const PicturePage& picture, QSizeF paper)
{
    return std::min(paper.width() / picture.size().width(), paper.height() / picture.size().height());
}

QString htmlOf(const Handout& handout)
{
    QString html = QStringLiteral("<table width='100%' cellspacing='0'><tr>");
    for (const auto& [heading, text] : handout.sections) {
        html += QStringLiteral("<td style='padding-right: 14px'><p><b>%1</b></p><p>%2</p></td>")
                    .arg(heading.toHtmlEscaped(), htmlLines(text));
    }
    html += QStringLiteral("</tr></table>");
    if (!handout.code.isEmpty()) {
        html += QStringLiteral("<pre style=\"font-family: '%1'; font-size: %2px; white-space: pre-wrap\">%3</pre>")
                    .arg(QFontDatabase::systemFont(QFontDatabase::FixedFont).family())
                    .arg(code_size)
                    .arg(handout.code.toHtmlEscaped());
    }
    return html;
}

void draw(QTextDocument& document, QPainter& painter, const QRectF& part, QPointF at)
{
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, Qt::black);  // whatever the window's theme is
    context.clip = part;
    painter.save();
    painter.translate(at - part.topLeft());
    painter.setClipRect(part);
    document.documentLayout()->draw(&painter, context);
    painter.restore();
}

}  // namespace

void printPicture(
    QPagedPaintDevice& paper, const std::vector<ViewState>& views, PictureOptions options, const Handout& handout)
{
    QPainter painter;
    if (views.empty() || !painter.begin(&paper)) {
        throw std::runtime_error(PrintedPageTexts::tr("the printer did not accept the job").toStdString());
    }
    const QSizeF page = paper.pageLayout().paintRect(QPageLayout::Point).size();
    painter.scale(paper.logicalDpiX() / points_an_inch, paper.logicalDpiY() / points_an_inch);
    options.size = {static_cast<int>(page.width() / usual_pixel), 0};
    auto picture = std::make_unique<PicturePage>(views, options);
    double pixel = pixelOf(*picture, page);
    if (pixel < least_pixel) {
        options.size = (page / least_pixel).toSize();
        picture = std::make_unique<PicturePage>(views, options);
        pixel = pixelOf(*picture, page);
    }
    painter.save();
    painter.scale(pixel, pixel);
    picture->paint(painter);
    painter.restore();
    if (handout.sections.empty() && handout.code.isEmpty()) {
        return;
    }
    QTextDocument document;
    document.setDocumentMargin(0);
    document.setDefaultFont(bundledFont(text_size));
    document.setUseDesignMetrics(true);
    document.setHtml(htmlOf(handout));
    document.setTextWidth(page.width());
    const double used = picture->size().height() * pixel + between;
    if (used + document.size().height() <= page.height()) {
        draw(document, painter, QRectF(QPointF(), document.size()), QPointF(0, used));
        return;
    }
    document.setPageSize(page);
    for (int number = 0; number < document.pageCount(); ++number) {
        if (!paper.newPage()) {
            throw std::runtime_error(PrintedPageTexts::tr("the printer did not accept another page").toStdString());
        }
        draw(document, painter, QRectF(QPointF(0, number * page.height()), page), QPointF());
    }
}

}  // namespace lanes::gui
