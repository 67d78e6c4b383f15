// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_scroll.h"

namespace lanes::gui {

namespace {

constexpr double bar_width = FrameGeometry::scroll_bar_width;
constexpr double bar_margin = FrameGeometry::scroll_bar_margin;
constexpr double least_thumb = 24;
constexpr double fade = 16;

void paintFade(const TimelineFrame& frame, QPainter& painter, double edge, double inner)
{
    QColor clear = frame.theme.background;
    clear.setAlpha(0);
    QLinearGradient gradient(0, edge, 0, inner);
    gradient.setColorAt(0, frame.theme.background);
    gradient.setColorAt(1, clear);
    painter.fillRect(QRectF(0, std::min(edge, inner), frame.geometry.size.width(), std::fabs(edge - inner)), gradient);
}

}  // namespace

std::optional<ScrollBar> ScrollBar::of(const TimelineFrame& frame)
{
    const double shown = frame.geometry.size.height() - frame.scrollTop();
    const double all = frame.layout.height() - frame.layout.stickyHeight();
    if (all <= shown || shown <= least_thumb) {
        return {};
    }
    ScrollBar bar;
    bar.most = static_cast<int>(all - shown);
    bar.track = QRectF(frame.geometry.size.width() - bar_width - bar_margin, frame.scrollTop() + bar_margin, bar_width,
        shown - 2 * bar_margin);
    const double height = std::max(bar.track.height() * shown / all, least_thumb);
    const double top = bar.track.top() + (bar.track.height() - height) * frame.geometry.scroll / bar.most;
    bar.thumb = QRectF(bar.track.left(), top, bar_width, height);
    return bar;
}

int ScrollBar::scrolled(int scroll, double pixels) const
{
    const double room = std::max(track.height() - thumb.height(), 1.0);
    return std::clamp(scroll + static_cast<int>(std::lround(pixels * most / room)), 0, most);
}

void paintScrollBar(const TimelineFrame& frame, QPainter& painter)
{
    const auto bar = ScrollBar::of(frame);
    if (!bar) {
        return;
    }
    if (frame.geometry.scroll > 0) {
        paintFade(frame, painter, frame.scrollTop(), frame.scrollTop() + fade);
        painter.fillRect(QRectF(0, frame.scrollTop() - 1, frame.geometry.size.width(), 1), frame.theme.line);
    }
    if (frame.geometry.scroll < bar->most) {
        paintFade(frame, painter, frame.geometry.size.height(), frame.geometry.size.height() - fade);
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(frame.theme.line);
    painter.drawRoundedRect(bar->track, bar_width / 2, bar_width / 2);
    painter.setBrush(frame.theme.muted);
    painter.drawRoundedRect(bar->thumb, bar_width / 2, bar_width / 2);
}

}  // namespace lanes::gui
