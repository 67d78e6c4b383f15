// SPDX-License-Identifier: MIT
#include "gui/paint/family_shades.h"

#include "gui/paint/srgb.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lanes::gui {

namespace {

constexpr std::array<double, shade_count> lightness_steps {-1, -0.5, 0, 0.5, 1};  // of the band
constexpr std::array<double, shade_count> hue_steps {0, 9, 0, -9, 4};  // degrees
constexpr double dark_base = 0.20, dark_share = 0.65, dark_chroma = 1.15;
constexpr double chroma_step = 0.002;

struct Oklch {
    double lightness, chroma, hue;  // 0 to 1, 0 to some 0.3, radians
};

Oklch oklchOf(const QColor& color)
{
    const double r = lightOf(color.redF()), g = lightOf(color.greenF()), b = lightOf(color.blueF());
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    const double x = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    const double y = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, std::hypot(x, y), std::atan2(y, x)};
}

std::array<double, 3> linearOf(const Oklch& color)
{
    const double x = color.chroma * std::cos(color.hue), y = color.chroma * std::sin(color.hue);
    const double l = std::pow(color.lightness + 0.3963377774 * x + 0.2158037573 * y, 3);
    const double m = std::pow(color.lightness - 0.1055613458 * x - 0.0638541728 * y, 3);
    const double s = std::pow(color.lightness - 0.0894841775 * x - 1.2914855480 * y, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

QColor rgbOf(Oklch color)
{
    constexpr double slack = 1e-4;
    color.lightness = std::clamp(color.lightness, 0.0, 1.0);
    auto channels = linearOf(color);
    const auto isOutside = [](double c) { return c < -slack || c > 1 + slack; };
    while (color.chroma > 0 && std::any_of(channels.begin(), channels.end(), isOutside)) {
        color.chroma = std::max(color.chroma - chroma_step, 0.0);
        channels = linearOf(color);
    }
    const auto byte = [](double c) { return static_cast<int>(std::lround(255 * channelOf(std::clamp(c, 0.0, 1.0)))); };
    return {byte(channels[0]), byte(channels[1]), byte(channels[2])};
}

}  // namespace

std::array<QColor, shade_count> familyShades(const FamilyColour& colour, bool dark)
{
    Oklch plain = oklchOf(QColor::fromRgb(colour.rgb));
    if (dark) {
        plain.lightness = dark_base + dark_share * plain.lightness;
        plain.chroma *= dark_chroma;
    }
    const double band = colour.band * (dark ? dark_share : 1);
    std::array<QColor, shade_count> shades;
    for (std::size_t i = 0; i < shade_count; ++i) {
        const double hue = colour.band > 0 ? hue_steps[i] * std::numbers::pi / 180 : 0;
        shades[i] = rgbOf({plain.lightness + band * lightness_steps[i], plain.chroma, plain.hue + hue});
    }
    return shades;
}

}  // namespace lanes::gui
