// SPDX-License-Identifier: MIT
#include "gui/export/picture.h"

#include "engine/input_error.h"
#include "engine/trace/meta_keys.h"
#include "gui/export/job_picture.h"
#include "gui/export/pdf_stamps.h"
#include "gui/export/picture_page.h"
#include "gui/export/picture_size.h"
#include "gui/export/svg_tidy.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QHashFunctions>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QUuid>

namespace lanes::gui {

namespace {

struct PictureTexts {
    Q_DECLARE_TR_FUNCTIONS(Picture)
};

constexpr int dots_an_inch = 96;  // logical pixels of a usual size

std::runtime_error failure(const QString& text)
{
    return std::runtime_error(text.toStdString());
}

QSize checked(QSizeF size)
{
    const QSize pixels(static_cast<int>(std::lround(size.width())), static_cast<int>(std::lround(size.height())));
    if (pixels.width() > most_picture_side || pixels.height() > most_picture_side) {
        throw InputError(PictureTexts::tr("found a picture of %1 x %2 pixels, expected at most %3 per side")
                             .arg(pixels.width())
                             .arg(pixels.height())
                             .arg(most_picture_side)
                             .toStdString());
    }
    return pixels;
}

template <class Page> QImage imageOf(Page& page, const PictureOptions& options)
{
    const double scale = options.scale;
    const QSize pixels = checked(QSizeF(page.size()) * scale);
    const bool held = static_cast<std::int64_t>(pixels.width()) * pixels.height() <= most_picture_area;
    QImage image = held ? QImage(pixels, QImage::Format_RGB32) : QImage();
    if (image.isNull()) {
        throw failure(PictureTexts::tr("not enough memory for a picture of %1 x %2 pixels")
                          .arg(pixels.width())
                          .arg(pixels.height()));
    }
    image.setDotsPerMeterX(static_cast<int>(std::lround(points_an_inch / options.pointsPerPixel * scale / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    page.paint(image, scale);
    return image;
}

template <class Page> Picture png(Page& page, const PictureOptions& options)
{
    const QImage image = imageOf(page, options);
    Picture picture {{}, image.size(), page.hiddenLanes()};
    QBuffer buffer(&picture.bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) {
        throw failure(PictureTexts::tr("the picture cannot be written as PNG"));
    }
    return picture;
}

template <class Page> Picture svg(Page& page, const PictureOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(dots_an_inch);
    generator.setSize(checked(page.size()));
    generator.setViewBox(QRect(QPoint(0, 0), page.size()));
    QPainter painter(&generator);
    page.paint(painter);
    painter.end();
    return {tidySvg(bytes, page.size(), page.title(), options), page.size(), page.hiddenLanes()};
}

/// QPdfWriter puts fonts in the order of a hash table, which differs from run to run.
class SteadyHashes {
public:
    SteadyHashes() { QHashSeed::setDeterministicGlobalSeed(); }
    ~SteadyHashes() { QHashSeed::resetRandomGlobalSeed(); }
    SteadyHashes(const SteadyHashes&) = delete;
    SteadyHashes& operator=(const SteadyHashes&) = delete;
};

/// `at`: when what is drawn was recorded; "": not known.
template <class Page> Picture pdf(Page& page, const std::string& at, const PictureOptions& options)
{
    checked(page.size());
    const SteadyHashes steady;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(dots_an_inch);
    writer.setPageSize(QPageSize(QSizeF(page.size()) * options.pointsPerPixel, QPageSize::Point,
        QStringLiteral("Lanescope"), QPageSize::ExactMatch));
    writer.setPageMargins({0, 0, 0, 0});
    writer.setCreator(QStringLiteral("Lanescope"));
    writer.setTitle(page.title());
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    writer.setDocumentId(QUuid::createUuidV5(QUuid(), page.title()));  // otherwise a new one for each file
#endif
    QPainter painter(&writer);
    if (const double larger = options.pointsPerPixel * dots_an_inch / points_an_inch; larger != 1) {
        painter.scale(larger, larger);
    }
    page.paint(painter);
    painter.end();
    return {withCreationDate(bytes, QByteArray::fromStdString(at)), page.size(), page.hiddenLanes()};
}

/// `at`: as pdf().
template <class Page>
Picture written(Page& page, PictureFormat format, const std::string& at, const PictureOptions& options)
{
    switch (format) {
    case PictureFormat::png:
        return png(page, options);
    case PictureFormat::svg:
        return svg(page, options);
    case PictureFormat::pdf:
        return pdf(page, at, options);
    }
    return {};
}

}  // namespace

Picture renderPicture(const std::vector<ViewState>& views, PictureFormat format, const PictureOptions& options)
{
    if (views.empty()) {
        throw failure(PictureTexts::tr("there is no recording to draw"));
    }
    PicturePage page(views, options);
    const Trace& trace = views.front().model->trace();
    return written(page, format, std::string(meta::text_of(trace.meta, meta::recorded_at)), options);
}

Picture renderJob(const OpenJobPtr& job, const JobShown& shown, PictureFormat format, const PictureOptions& options)
{
    JobPicture page(job, shown, options);
    return written(page, format, {}, options);
}

std::optional<PictureFormat> pictureFormatOf(const QString& path)
{
    const QString ending = path.section(QLatin1Char('.'), -1).toLower();
    if (ending == QLatin1String("png")) {
        return PictureFormat::png;
    }
    if (ending == QLatin1String("svg")) {
        return PictureFormat::svg;
    }
    if (ending == QLatin1String("pdf")) {
        return PictureFormat::pdf;
    }
    return {};
}

QImage pictureImage(const std::vector<ViewState>& views, const PictureOptions& options)
{
    PicturePage page(views, options);
    return imageOf(page, options);
}

}  // namespace lanes::gui
