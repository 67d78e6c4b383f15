// SPDX-License-Identifier: MIT
// How a picture is made up: title, one frame a recording, an overview where only a
// part of the time is shown, then the footer. One page for all formats.
#pragma once

#include "gui/export/picture_footer.h"
#include "gui/export/picture_options.h"
#include "gui/lanes/role_totals.h"
#include "gui/paint/differences.h"
#include "gui/paint/timeline_painter.h"
#include "gui/paint/waterfall.h"
#include "gui/timeline/overview_strip.h"
#include "gui/timeline/view_state.h"

namespace lanes::gui {

class PicturePage {
public:
    /// Every view has a model.
    PicturePage(const std::vector<ViewState>& views, const PictureOptions& options);

    QSize size() const { return m_size; }  ///< logical pixels
    QString title() const { return m_title; }
    int hiddenLanes() const;

    void paint(QImage& image, double ratio);
    void paint(QPainter& painter);

private:
    struct OnePicture {
        ViewState view;
        LaneLayout layout;
        TitleVerdict verdict;
        int y = 0, height = 0, scroll = 0;
        int titleHeight = FrameGeometry::title_height;
        int least = 0;  ///< height with which all lanes are in sight
        std::size_t hidden = 0;  ///< lanes for which the height was too small, or that are out of the view's sight
    };

    TimelineFrame frame(std::size_t part, double ratio) const;
    bool hasOverview() const;
    bool hasDifferences() const
    {
        return m_options.differences && !m_compact && m_parts.size() == 2 && !m_parts[0].view.part;
    }
    Differences differences() const;
    void takeScope(std::size_t i, ViewState& view) const;
    static bool isOfPart(const ViewState& view);
    void sayVerdicts();
    /// What changed from the one to the other, under the differences; null: it is not shown.
    const Waterfall* changes() const;
    int heightBetween() const;
    Interval shown(std::size_t i, Interval range) const;
    int rulerHeight(const OnePicture& part) const;
    int headHeight(const OnePicture& part) const;
    void place();
    bool isAsInView(const OnePicture& part) const;
    void divide();
    void cutLanes(OnePicture& part) const;
    void paintOver(std::size_t part, QPainter& painter, double ratio, bool vector);
    void paintAround(QPainter& painter, bool vector);
    PictureFooter::Content footer() const;
    std::vector<LegendEntry> legend() const;
    std::optional<RoleTotals> familyTotals() const;
    QStringList sources() const;

    int titleHeight() const;

    const Theme& m_theme;
    PictureOptions m_options;
    bool m_compact = false;
    LaneDensity m_density = LaneDensity::roomy;
    QString m_title;
    QSize m_size;
    Alignment m_alignment;
    Interval m_extent {0, 1};  ///< in the time of the first recording, as every range
    std::vector<OnePicture> m_parts;
    std::optional<RoleTotals> m_totals;  ///< whose shares the legend says
    std::optional<ItemRole> m_staging;  ///< of a copy that is drawn as staged
    PictureFooter m_footer;
    TimelinePainter m_painter;
};

}  // namespace lanes::gui
