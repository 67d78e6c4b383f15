// SPDX-License-Identifier: MIT
// How TimelineView repaints: the lanes are kept as an image, and what passes with the
// mouse is drawn over it, on no more of the widget than it takes.
#include "gui/paint/lane_pills.h"
#include "gui/paint/over/annotation_painter.h"
#include "gui/paint/over/ghost_painter.h"
#include "gui/paint/over/idle_painter.h"
#include "gui/paint/over/iteration_painter.h"
#include "gui/paint/over/mark_painter.h"
#include "gui/paint/over/path_painter.h"
#include "gui/timeline/lane_scroll.h"
#include "gui/timeline/timeline_view.h"

#include <cmath>
#include <QElapsedTimer>
#include <QPainter>
#include <QPaintEvent>

namespace lanes::gui {

namespace {

void paintFocus(const TimelineView& view, const Theme& theme, QPainter& painter)
{
    if (view.isFocusShown()) {
        painter.setPen(QPen(theme.accent, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(view.rect()).adjusted(1, 1, -1, -1));
    }
}

void paintLayers(
    const TimelineFrame& shown, const TimelineHighlights& highlights, const std::vector<QRectF>& texts, QImage& image)
{
    if (!highlights.path && !highlights.idle) {
        return;
    }
    QPainter painter(&image);
    painter.scale(shown.ratio, shown.ratio);
    if (highlights.path) {
        paintPath(shown, *highlights.path, painter, texts);
    }
    if (highlights.idle) {
        paintIdle(shown, *highlights.idle, painter);
    }
}

}  // namespace

void TimelineView::paintEvent(QPaintEvent* event)
{
    updateArea();  // of another screen
    QPainter painter(this);
    const Theme& theme = m_timeline->theme();
    if (m_timeline->model() == nullptr) {
        painter.fillRect(rect(), theme.background);
        const QString text = m_isOpening ? tr("Opening…") : tr("No recording. Run a workload, or open a file.");
        auto& labels = m_painter.labels();
        labels.draw(painter, (width() - labels.width(text, {14})) / 2, height() / 2.0, text, {14}, theme.muted, false);
        paintFocus(*this, theme, painter);
        return;
    }
    QElapsedTimer timer;
    timer.start();
    const bool stale = m_stale;
    const TimelineFrame shown = m_timeline->frame();
    const TimelineHighlights& highlights = m_timeline->state().highlights;
    if (m_stale) {
        const QSize pixels(static_cast<int>(std::ceil(width() * devicePixelRatioF())),
            static_cast<int>(std::ceil(height() * devicePixelRatioF())));
        if (m_image.size() != pixels) {
            m_image = QImage(pixels, QImage::Format_RGB32);
            m_image.fill(theme.background);  // magnified, the frame's whole pixels may end a little before the view
        }
        m_image.setDevicePixelRatio(1);
        m_painter.paint(shown, m_image);
        paintLayers(shown, highlights, m_painter.textBoxes(), m_image);
        m_image.setDevicePixelRatio(devicePixelRatioF());
        QPainter onImage(&m_image);
        onImage.save();
        onImage.scale(m_magnification, m_magnification);
        paintIteration(shown, onImage, m_painter.labels(), false);
        onImage.restore();
        m_stale = !m_hits.paint(shown, onImage);
        if (m_stale) {
            update();
        }
    }
    drawImage(painter, event->region());
    paintFocus(*this, theme, painter);
    painter.scale(m_magnification, m_magnification);
    if (!m_timeline->isUnfinished()
        && event->region().intersects(
            QRect(0, 0, static_cast<int>(std::ceil(shown.geometry.labelWidth * m_magnification)), height()))) {
        paintLanePills(shown, painter, m_painter.labels(), false);
    }
    paintAnnotations(shown, painter, m_painter.labels(), false, m_timeline->annotations().current());
    if (const auto mark = m_timeline->marks().chosen()) {
        paintChosenMark(shown, *mark, painter, m_painter.labels());
    }
    if (m_timeline->isUnfinished()) {
        paintUnrevealed(shown, painter);
    }
    m_overlay.lane = m_timeline->target().inHand();
    m_details.follow(shown.model, highlights);
    paintOverlay(shown, highlights, m_details, m_overlay, painter, m_painter.labels(), m_painter.textBoxes());
    if (m_timeline->predicting().isShown()) {
        paintGhost(shown, m_timeline->predicting().ghost(), painter, m_painter.labels());
    }
    paintScrollBar(shown, painter);
    if (m_times.shown()) {
        m_times.add(static_cast<double>(timer.nsecsElapsed()) / 1e6, stale);
        FrameTimes::paint(
            m_times.lines(shown.model, shown.columns()), shown.geometry.size, theme, painter, m_painter.labels());
    }
}

/// Over what comes later than the line, and over the figure at the end.
void TimelineView::paintUnrevealed(const TimelineFrame& frame, QPainter& painter) const
{
    const FrameGeometry& g = frame.geometry;
    const double x = std::max<double>(std::round(frame.xOf(*m_overlay.step)), g.labelWidth);
    painter.fillRect(
        QRectF(x, g.lanesTop(), g.size.width() - x, g.size.height() - g.lanesTop()), frame.theme.background);
    painter.fillRect(
        QRectF(g.labelWidth, frame.footerTop(), g.plotWidth(), frame.layout.footerHeight()), frame.theme.background);
}

/// Puts the kept image on the widget, but for what needs no repainting.
void TimelineView::drawImage(QPainter& painter, const QRegion& region) const
{
    const double pixels = devicePixelRatioF();
    if (pixels != std::floor(pixels)) {  // only whole logical pixels are whole ones of the image
        painter.drawImage(QPointF(0, 0), m_image);
        return;
    }
    for (const QRect& part : region) {
        const auto scale = static_cast<int>(pixels);
        painter.drawImage(part, m_image, QRect(part.topLeft() * scale, part.size() * scale));
    }
}

void TimelineView::setFrameTimesShown(bool shown)
{
    m_times.setShown(shown);
    update();
}

/// Repaints what passes with the mouse, where it is now: called before and after it changes.
void TimelineView::updatePassing()
{
    if (m_timeline->model() == nullptr || m_times.shown()) {
        update();
        return;
    }
    QRegion region;
    for (const QRectF& box : passingBoxes(m_timeline->frame(), m_overlay, m_painter.labels())) {
        region += QRectF(box.topLeft() * m_magnification, box.size() * m_magnification)
                      .toAlignedRect()
                      .adjusted(-1, -1, 1, 1);
    }
    update(region);
}

}  // namespace lanes::gui
