// SPDX-License-Identifier: MIT
#include "gui/export/picture_size.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <QRegularExpression>

namespace lanes::gui {

namespace {

constexpr double points_a_mm = points_an_inch / 25.4;

constexpr std::array<PicturePreset, 4> presets {{
    {"slide", 960, 540, 960.0 / 576 * smallest_text_pixels, 144,  // 576 by 324 pixels: nothing to round
        LaneDensity::compact, true},
    {"column", 85 * points_a_mm, 0, smallest_text_on_paper, paper_dots_an_inch, LaneDensity::compact, false},
    {"page", 170 * points_a_mm, 0, smallest_text_on_paper, paper_dots_an_inch, LaneDensity::roomy, false},
    {"poster", 800 * points_a_mm, 0, 24, 150, LaneDensity::roomy, true},
}};

/// Points; 1 of a pixel, nothing of what is no unit.
std::optional<double> unitOf(const QString& name)
{
    for (const auto& [unit, points] : {std::pair("px", 1.0), std::pair("mm", points_a_mm),
             std::pair("cm", 10 * points_a_mm), std::pair("in", points_an_inch), std::pair("pt", 1.0)}) {
        if (name == QLatin1String(unit)) {
            return points;
        }
    }
    return {};
}

}  // namespace

const PicturePreset* presetNamed(const QString& name)
{
    for (const PicturePreset& preset : presets) {
        if (name == QLatin1String(preset.name)) {
            return &preset;
        }
    }
    return nullptr;
}

std::optional<GivenSize> givenSize(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d{1,6}(?:\\.\\d{1,3})?)?\\s*([a-z]{2})?\\s*(?:([xX\u00D7])"
                                                        "\\s*(\\d{1,6}(?:\\.\\d{1,3})?)?\\s*([a-z]{2})?)?$"));
    // "85mmx60mm": the letter between two sides belongs to no unit, as no unit has an x but px.
    const auto match = form.match(text);
    const QString width = match.captured(1), height = match.captured(4);
    const QString first = match.captured(2), second = match.captured(5);
    const bool crossed = !match.captured(3).isEmpty();
    if (!match.hasMatch() || (width.isEmpty() && height.isEmpty()) || (!crossed && first.isEmpty())
        || (!first.isEmpty() && !second.isEmpty() && first != second)) {
        return {};
    }
    if ((!width.isEmpty() && width.toDouble() == 0) || (!height.isEmpty() && height.toDouble() == 0)) {
        return {};  // 0 means a side that is left out
    }
    const QString unit = second.isEmpty() ? first : second;
    const auto points = unit.isEmpty() ? std::optional(1.0) : unitOf(unit);
    const bool pixels = unit.isEmpty() || unit == QLatin1String("px");
    if (!points || (pixels && (width.contains(QLatin1Char('.')) || height.contains(QLatin1Char('.'))))) {
        return {};
    }
    return GivenSize {width.toDouble() * *points, height.toDouble() * *points, !pixels};
}

void setSize(PictureOptions& options, const PicturePreset* preset, const GivenSize& size, int dpi)
{
    if (preset == nullptr && !size.onPaper) {
        options.size = {static_cast<int>(size.width), static_cast<int>(size.height)};
        if (dpi > 0) {
            options.scale = dpi * options.pointsPerPixel / points_an_inch;
        }
        return;
    }
    const int dots = dpi > 0 ? dpi : preset != nullptr ? preset->dpi : paper_dots_an_inch;
    const double unit = size.onPaper ? 1 : points_an_inch / dots;  // points of what was given
    const bool given = size.width > 0 || size.height > 0;
    double width = size.width * unit;
    const double height = given ? size.height * unit : preset->height;
    if (width == 0) {
        width = preset != nullptr ? preset->width : 170 * points_a_mm;
    }
    const double pixel = (preset != nullptr ? preset->text : smallest_text_on_paper) / smallest_text_pixels;
    const auto columns = static_cast<int>(std::lround(width / pixel));
    options.size.setWidth(std::max(columns, 1));
    options.pointsPerPixel = columns > 0 ? width / columns : pixel;  // so that the width is exact
    const auto rows = static_cast<int>(std::lround(height / options.pointsPerPixel));
    options.size.setHeight(height > 0 ? std::max(rows, 1) : 0);
    options.scale = dots * options.pointsPerPixel / points_an_inch;
    if (preset != nullptr) {
        options.density = preset->density;
        options.showTitle = options.showTitle && preset->title;
        options.source = options.source && preset->title;
    }
}

}  // namespace lanes::gui
