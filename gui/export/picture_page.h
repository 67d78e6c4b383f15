// SPDX-License-Identifier: MIT
// How a picture is made up: title, one frame a recording, an overview where only a
// part of the time is shown, legend and source. One page for all formats.
#pragma once

#include "gui/export/picture.h"
#include "gui/timeline/overview_strip.h"

#include <memory>

namespace lanes::gui {

class PicturePage {
public:
    PicturePage(const std::vector<RecordingPtr>& recordings, const PictureOptions& options);

    QSize size() const { return m_size; }  ///< logical pixels
    const Theme& theme() const { return m_theme; }
    QString title() const { return m_title; }

    void paint(QImage& image, double ratio);
    void paint(QPainter& painter);

private:
    struct Part {
        std::unique_ptr<LaneModel> model;
        LaneLayout layout;
        TitleVerdict verdict;
        int y = 0, height = 0;
    };
    struct LegendEntry {
        QString text;
        ItemRole role;
    };

    TimelineFrame frame(std::size_t part, double ratio) const;
    void paintAround(QPainter& painter, bool vector);
    double paintLegend(QPainter& painter, double middle, bool vector);
    std::vector<LegendEntry> legend() const;
    QString sourceLine() const;
    void place();

    const Theme& m_theme;
    PictureOptions m_options;
    QString m_title;
    QSize m_size;
    Ns m_extent = 1;
    std::vector<Part> m_parts;
    TimelinePainter m_painter;
};

}  // namespace lanes::gui
