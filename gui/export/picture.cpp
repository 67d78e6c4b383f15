// SPDX-License-Identifier: MIT
#include "gui/export/picture.h"

#include "engine/store/meta.h"
#include "gui/export/picture_page.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QHashFunctions>
#include <QPageSize>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

namespace lanes::gui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(Picture)
};

constexpr int most_pixels = 32767;
constexpr double points_a_pixel = 0.75;
constexpr int dots_an_inch = 96;

std::runtime_error failure(const QString& text)
{
    return std::runtime_error(text.toStdString());
}

QByteArray png(PicturePage& page, double scale)
{
    const double width = page.size().width() * scale;
    const double height = page.size().height() * scale;
    if (width > most_pixels || height > most_pixels) {
        throw failure(Texts::tr("the picture would be %1 x %2 pixels; %3 a side is the most").arg(width).arg(height).arg(most_pixels));
    }
    QImage image(static_cast<int>(std::lround(width)), static_cast<int>(std::lround(height)), QImage::Format_RGB32);
    if (image.isNull()) {
        throw failure(Texts::tr("there is no memory for a picture of %1 x %2 pixels").arg(width).arg(height));
    }
    page.paint(image, scale);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray svg(PicturePage& page)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(dots_an_inch);
    generator.setSize(page.size());
    generator.setViewBox(QRect(QPoint(0, 0), page.size()));
    generator.setTitle(page.title().isEmpty() ? QStringLiteral("Lanescope") : page.title());
    generator.setDescription(QStringLiteral("Lanescope"));
    QPainter painter(&generator);
    page.paint(painter);
    painter.end();
    return bytes;
}

/// QPdfWriter stamps the time it ran at; here that of the recording stands instead.
QByteArray withoutStamps(QByteArray bytes, const QString& recordedAt)
{
    QString date = QStringLiteral("20000101000000");
    QString digits = recordedAt;
    digits.remove(QRegularExpression(QStringLiteral("[^0-9]")));
    if (digits.size() >= 14) {
        date = digits.left(14);
    }
    static const QByteArray key = "/CreationDate (D:";
    for (qsizetype at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + key.size())) {
        const qsizetype from = at + key.size();
        const qsizetype length = bytes.indexOf(')', from) - from;
        if (length >= date.size()) {  // the same length, so that the table of offsets stays right
            const QByteArray zone = length - date.size() >= 7 ? "+00'00'" : "Z";
            bytes.replace(from, length, (date.toLatin1() + zone).left(length).leftJustified(length, ' '));
        }
    }
    return bytes;
}

/// QPdfWriter puts fonts in the order of a hash table, which differs from run to run.
class SteadyHashes {
public:
    SteadyHashes() { QHashSeed::setDeterministicGlobalSeed(); }
    ~SteadyHashes() { QHashSeed::resetRandomGlobalSeed(); }
    SteadyHashes(const SteadyHashes&) = delete;
    SteadyHashes& operator=(const SteadyHashes&) = delete;
};

QByteArray pdf(PicturePage& page, const Trace& trace)
{
    const SteadyHashes steady;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(dots_an_inch);
    writer.setPageSize(QPageSize(QSizeF(page.size()) * points_a_pixel, QPageSize::Point, QStringLiteral("Lanescope"), QPageSize::ExactMatch));
    writer.setPageMargins({0, 0, 0, 0});
    writer.setCreator(QStringLiteral("Lanescope"));
    writer.setTitle(page.title());
    QPainter painter(&writer);
    page.paint(painter);
    painter.end();
    const auto recorded = trace.meta.find(meta::recorded_at);
    return withoutStamps(bytes, recorded == trace.meta.end() ? QString() : QString::fromStdString(recorded->second));
}

}  // namespace

QByteArray renderPicture(const std::vector<RecordingPtr>& recordings, PictureFormat format, const PictureOptions& options)
{
    if (recordings.empty()) {
        throw failure(Texts::tr("there is no recording to draw"));
    }
    PicturePage page(recordings, options);
    switch (format) {
    case PictureFormat::png:
        return png(page, options.scale);
    case PictureFormat::svg:
        return svg(page);
    case PictureFormat::pdf:
        return pdf(page, *recordings.front()->trace);
    }
    return {};
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

QImage pictureImage(const std::vector<RecordingPtr>& recordings, const PictureOptions& options)
{
    PicturePage page(recordings, options);
    QImage image(page.size() * options.scale, QImage::Format_RGB32);
    page.paint(image, options.scale);
    image.setDevicePixelRatio(options.scale);
    return image;
}

}  // namespace lanes::gui
