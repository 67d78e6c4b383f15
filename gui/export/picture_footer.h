// SPDX-License-Identifier: MIT
// What is under the lanes of a picture: a bar of a known length of time, the
// legend, and where the recordings come from. As many lines as it takes.
#pragma once

#include "gui/lanes/lane_layout.h"
#include "gui/paint/label_painter.h"

#include <bitset>
#include <functional>
#include <optional>

namespace lanes::gui {

struct LegendEntry {
    QString text;
    ItemRole role = ItemRole::none;  ///< none: `swatch` draws it
    std::function<void(QPainter&, const Theme&, const QRectF&)> swatch = {};  ///< instead of the role's
};

class PictureFooter {
public:
    struct Content {
        std::optional<double> nsPerPixel;  ///< a bar shows the time scale
        std::vector<LegendEntry> legend;
        QStringList sources;
        LaneDensity density = LaneDensity::roomy;
    };

    PictureFooter() = default;
    PictureFooter(Content content, int width, LabelPainter& labels);

    int height() const { return m_height; }
    /// With its top at y = 0. In a theme with marks swatches differ by more than their colour: those of `marked` roles
    /// carry the mark that bars of the picture do.
    void paint(QPainter& painter, const Theme& theme, LabelPainter& labels, bool vector,
        const std::bitset<itemRoleCount>& marked) const;

private:
    enum class Kind : std::uint8_t { bar, entry, source };
    struct Item {
        Kind kind;
        double x, width;
        int line;
        QString text;
        ItemRole role;
        std::function<void(QPainter&, const Theme&, const QRectF&)> swatch;
    };
    void add(Kind kind, const QString& text, double width, const LegendEntry& entry = {});

    double left() const { return m_compact ? 6 : 14; }
    int lineHeight() const { return m_compact ? 13 : 20; }
    int padding() const { return m_compact ? 3 : 7; }

    bool m_compact = false;
    int m_width = 0;
    int m_height = 0;
    double m_x = 0;
    int m_line = 0;
    double m_barWidth = 0;
    std::vector<Item> m_items;
};

}  // namespace lanes::gui
