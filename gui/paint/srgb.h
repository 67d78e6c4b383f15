// SPDX-License-Identifier: MIT
// Channels of sRGB colours as amounts of light, and back; all are 0 to 1.
#pragma once

#include <QColor>

#include <cmath>

namespace lanes::gui {

inline double lightOf(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

inline double channelOf(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

/// Relative to white's, as WCAG 2 compares colours.
inline double luminanceOf(const QColor& color)
{
    return 0.2126 * lightOf(color.redF()) + 0.7152 * lightOf(color.greenF()) + 0.0722 * lightOf(color.blueF());
}

}  // namespace lanes::gui
