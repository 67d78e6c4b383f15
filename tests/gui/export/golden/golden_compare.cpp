// SPDX-License-Identifier: MIT
#include "tests/gui/export/golden/golden_compare.h"

#include <QBuffer>
#include <QColor>
#include <QImage>
#include <QLibraryInfo>
#include <QVersionNumber>

#include <algorithm>
#include <cstdlib>

namespace lanes::gui {

namespace {

GoldenDifference compareTexts(const QByteArray& kept, const QByteArray& made)
{
    if (kept == made) {
        return {};
    }
    const auto at = std::mismatch(kept.begin(), kept.end(), made.begin(), made.end()).first - kept.begin();
    const auto line = std::count(kept.begin(), kept.begin() + at, '\n') + 1;
    const auto around = [at](const QByteArray& text) {
        return QString::fromUtf8(text.mid(std::max<qsizetype>(at - 30, 0), 70)).simplified();
    };
    return {QStringLiteral("line %1: \"%2\", kept is \"%3\"").arg(line).arg(around(made), around(kept)), {}};
}

constexpr qsizetype pixels_for_one_rounded = 10'000;

bool oneStepApart(QRgb a, QRgb b)
{
    return std::abs(qRed(a) - qRed(b)) <= 1 && std::abs(qGreen(a) - qGreen(b)) <= 1
        && std::abs(qBlue(a) - qBlue(b)) <= 1;
}

}  // namespace

GoldenRounding roundingOfThisQt()
{
    return QLibraryInfo::version().segments().mid(0, 2) == QList<int> {6, 4} ? GoldenRounding::none
                                                                             : GoldenRounding::ofAnotherQt;
}

GoldenDifference compareGolden(const QByteArray& kept, const QByteArray& made, GoldenRounding rounding)
{
    if (!made.startsWith("\x89PNG")) {
        return compareTexts(kept, made);
    }
    const QImage a = QImage::fromData(kept, "PNG").convertToFormat(QImage::Format_RGB32);
    const QImage b = QImage::fromData(made, "PNG").convertToFormat(QImage::Format_RGB32);
    if (a.isNull() || a.size() != b.size()) {
        return {QStringLiteral("%1x%2 pixels, kept are %3x%4")
                    .arg(b.width())
                    .arg(b.height())
                    .arg(a.width())
                    .arg(a.height()),
            {}};
    }
    if (a == b) {
        return {};
    }
    QImage difference(a.size(), QImage::Format_RGB32);
    qsizetype count = 0;
    bool rounded = rounding == GoldenRounding::ofAnotherQt;
    QPoint first;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            if (a.pixel(x, y) == b.pixel(x, y)) {
                const int faint = 200 + qGray(a.pixel(x, y)) / 5;
                difference.setPixel(x, y, qRgb(faint, faint, faint));
                continue;
            }
            first = count == 0 ? QPoint(x, y) : first;
            ++count;
            rounded = rounded && oneStepApart(a.pixel(x, y), b.pixel(x, y));
            difference.setPixel(x, y, qRgb(220, 0, 0));
        }
    }
    if (rounded && count * pixels_for_one_rounded <= qsizetype(a.width()) * a.height()) {
        return {};
    }
    GoldenDifference found {QStringLiteral("%1 pixels, the first at %2,%3: %4, kept is %5")
                                .arg(count)
                                .arg(first.x())
                                .arg(first.y())
                                .arg(QColor(b.pixel(first)).name(), QColor(a.pixel(first)).name()),
        {}};
    QBuffer buffer(&found.picture);
    buffer.open(QIODevice::WriteOnly);
    difference.save(&buffer, "PNG");
    return found;
}

}  // namespace lanes::gui
