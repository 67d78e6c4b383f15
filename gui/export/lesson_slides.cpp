// SPDX-License-Identifier: MIT
#include "gui/export/lesson_slides.h"

#include "engine/analysis/lesson_texts.h"
#include "engine/trace/meta_keys.h"
#include "gui/export/pdf_stamps.h"
#include "gui/export/picture_page.h"
#include "gui/export/picture_size.h"
#include "gui/paint/theme.h"
#include "gui/paint/words/printable_text.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QPdfWriter>
#include <QTextDocument>

#include <algorithm>
#include <stdexcept>

namespace lanes::gui {

namespace {

struct LessonSlidesTexts {
    Q_DECLARE_TR_FUNCTIONS(LessonSlides)
};

// Lengths are in points.
constexpr QSizeF slide {960, 540};
constexpr double slide_margin = 36, title_room = 60;
constexpr int slide_dots_an_inch = 1200;
constexpr int picture_width = 1184;  // logical pixels of a slide's picture: its smallest text is 8 points high
constexpr double smaller_step = 0.93, least_share = 0.5;

QString slideText(const Translated& text, const Workload& workload, const PictureOptions& options)
{
    const std::string language = options.language.toStdString();
    return QString::fromStdString(filled(in_language(text, language), workload, language, {}));
}

QString paragraph(double size, const QString& text, bool strong = false)
{
    return QStringLiteral("<p style='font-size:%1px; font-weight:%2; margin:0 0 %3px 0'>%4</p>")
        .arg(size, 0, 'f', 1)
        .arg(strong ? 600 : 400)
        .arg(size / 2, 0, 'f', 1)
        .arg(htmlLines(text));
}

/// As large as there is room for: `htmlFor` makes it for a share of the usual size.
template <class Html> void paintText(QPainter& painter, const QRectF& place, Html htmlFor)
{
    QTextDocument document;
    document.setDocumentMargin(0);
    document.setDefaultFont(bundledFont(20));
    document.setUseDesignMetrics(true);
    for (double share = 1; share > least_share; share *= smaller_step) {
        document.setHtml(htmlFor(share));
        document.setTextWidth(place.width());
        if (document.size().height() <= place.height()) {
            break;
        }
    }
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, Qt::black);
    painter.save();
    painter.translate(place.topLeft());
    document.documentLayout()->draw(&painter, context);
    painter.restore();
}

void paintQuestions(QPainter& painter, const Workload& workload, const PictureOptions& options)
{
    paintText(painter,
        QRectF(slide_margin, slide_margin, slide.width() - 2 * slide_margin, slide.height() - 2 * slide_margin),
        [&](double share) {
            QString html = paragraph(34 * share, slideText(workload.title, workload, options), true);
            if (!workload.matters.issue.empty()) {
                html += paragraph(15 * share,
                    QStringLiteral("%1 (%2)").arg(slideText(workload.matters.text, workload, options),
                        QString::fromStdString(workload.matters.issue)));
            }
            for (const QuizQuestion& question : workload.quiz) {
                html += paragraph(21 * share, slideText(question.question, workload, options), true);
                for (std::size_t i = 0; i < question.choices.size(); ++i) {
                    html += paragraph(19 * share,
                        QStringLiteral("%1   %2").arg(i + 1).arg(
                            slideText(question.choices[i].text, workload, options)));
                }
            }
            if (workload.quiz.empty()) {
                html += paragraph(22 * share, slideText(workload.description, workload, options));
            }
            return html;
        });
}

void paintRun(QPainter& painter, const ViewState& view, char16_t letter, PictureOptions options)
{
    const QString title = QString::fromStdString(view.model->recording().title);
    paintText(painter,
        QRectF(slide_margin, slide_margin / 2, slide.width() - 2 * slide_margin, title_room - slide_margin / 2),
        [&](double share) { return paragraph(26 * share, QChar(letter) + QStringLiteral(" \u00B7 ") + title, true); });
    options.size = {picture_width, 0};
    options.theme = QStringLiteral("light");
    options.showTitle = false;
    PicturePage picture({view}, options);
    const QSizeF room(slide.width() - 2 * slide_margin, slide.height() - title_room - slide_margin / 2);
    const double pixel = std::min(room.width() / picture.size().width(), room.height() / picture.size().height());
    painter.save();
    painter.translate(slide_margin + (room.width() - picture.size().width() * pixel) / 2, title_room);
    painter.scale(pixel, pixel);
    picture.paint(painter);
    painter.restore();
}

void paintRule(QPainter& painter, const Workload& workload, const PictureOptions& options)
{
    paintText(painter,
        QRectF(slide_margin, slide_margin, slide.width() - 2 * slide_margin, slide.height() - 2 * slide_margin),
        [&](double share) {
            QString html = paragraph(16 * share, LessonSlidesTexts::tr("The rule"));
            html += paragraph(32 * share, slideText(workload.rule, workload, options), true);
            for (const QuizQuestion& question : workload.quiz) {
                for (const QuizQuestion::Choice& choice : question.choices) {
                    if (choice.right) {
                        html += paragraph(17 * share,
                            QStringLiteral("\u2713 %1 \u00B7 %2")
                                .arg(slideText(choice.text, workload, options),
                                    slideText(choice.why, workload, options)));
                    }
                }
            }
            return html;
        });
}

}  // namespace

QByteArray lessonSlides(const Workload& workload, const std::vector<ViewState>& views, const PictureOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(slide_dots_an_inch);
    writer.setPageSize(QPageSize(slide, QPageSize::Point, QStringLiteral("Lanescope"), QPageSize::ExactMatch));
    writer.setPageMargins({0, 0, 0, 0});
    writer.setCreator(QStringLiteral("Lanescope"));
    writer.setTitle(slideText(workload.title, workload, options));
    QPainter painter;
    if (views.empty() || !painter.begin(&writer)) {
        throw std::runtime_error(LessonSlidesTexts::tr("the slides cannot be painted").toStdString());
    }
    painter.scale(slide_dots_an_inch / points_an_inch, slide_dots_an_inch / points_an_inch);
    paintQuestions(painter, workload, options);
    for (std::size_t i = 0; i < std::min<std::size_t>(views.size(), 2); ++i) {
        writer.newPage();
        paintRun(painter, views[i], static_cast<char16_t>(u'A' + i), options);
    }
    writer.newPage();
    paintRule(painter, workload, options);
    painter.end();
    const auto& told = views.front().model->trace().meta;
    const auto recorded = told.find(meta::recorded_at);
    return withCreationDate(
        bytes, QByteArray::fromStdString(recorded == told.end() ? std::string() : recorded->second));
}

}  // namespace lanes::gui
