// SPDX-License-Identifier: MIT
#include "gui/timeline/overview_strip.h"

#include "gui/paint/over/gpu_time_painter.h"
#include "gui/paint/row_canvas.h"
#include "gui/timeline/spoken_selection.h"

#include <cmath>
#include <map>
#include <QCoreApplication>
#include <QMouseEvent>

namespace lanes::gui {

namespace {

struct OverviewStripTexts {
    Q_DECLARE_TR_FUNCTIONS(OverviewStrip)
};

constexpr int text_left = 14;
constexpr double edge_grip = 5;
constexpr std::size_t most_threads = 24;  // that are looked at, each time the strip is painted
constexpr Ns worth = 20;  // a thread counts with this part of what the busiest has

/// Lanes of the graphs of how GPUs spent their time.
std::vector<const Lane*> graphsOf(const LaneModel& model)
{
    std::vector<const Lane*> graphs;
    for (const Lane& lane : model.lanes()) {
        if (lane.key.kind == LaneKind::gpuTime) {
            graphs.push_back(&lane);
        }
    }
    return graphs;
}

/// The mean of all graphs, column by column. One that is not made yet counts as idle.
std::vector<GpuTimeColumn> meanOf(const std::vector<const Lane*>& graphs, const GpuTimeColumns& where)
{
    std::map<double, GpuTimeColumn> sums;
    const auto count = static_cast<double>(graphs.size());
    for (const Lane* graph : graphs) {
        for (const GpuTimeColumn& column :
            graph->rows.empty() ? std::vector<GpuTimeColumn>() : gpuTimeColumns(where, *graph)) {
            GpuTimeColumn& sum
                = sums.try_emplace(column.x0, GpuTimeColumn {column.x0, column.x1, 0, 0, 0}).first->second;
            sum.sideBySide += column.sideBySide / count;
            sum.computeAlone += column.computeAlone / count;
            sum.exposed += column.exposed / count;
        }
    }
    std::vector<GpuTimeColumn> columns;
    for (const auto& [x0, column] : sums) {
        columns.push_back(column);
    }
    return columns;
}

bool hasGpuWork(const LaneModel& model)
{
    const auto& lanes = model.lanes();
    return !lanes.empty() && lanes.front().key.kind == LaneKind::overlap
        && std::any_of(lanes.front().rows.begin(), lanes.front().rows.end(),
            [](const LaneRow& row) { return row.kind == ItemKind::overlap && row.items.size() > 0; });
}

/// The outermost ranges, or calls, of the threads that do most.
std::vector<const LaneRow*> busiestThreads(const LaneModel& model)
{
    std::vector<std::pair<Ns, const LaneRow*>> threads;
    for (const Lane& lane : model.lanes()) {
        const auto first = std::find_if(lane.rows.begin(), lane.rows.end(), [](const LaneRow& row) {
            return (row.kind == ItemKind::range || row.kind == ItemKind::call) && row.items.size() > 0;
        });
        if (lane.key.kind == LaneKind::thread && lane.ready && first != lane.rows.end()) {
            threads.emplace_back(first->busyIn(0, model.duration()), &*first);
        }
    }
    std::sort(threads.begin(), threads.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<const LaneRow*> rows;
    for (std::size_t i = 0; i < std::min(threads.size(), most_threads); ++i) {
        if (threads[i].first * worth >= threads.front().first) {
            rows.push_back(threads[i].second);
        }
    }
    return rows;
}

/// How busy these threads are, column by column: their mean.
void scanThreads(const std::vector<const LaneRow*>& threads, LaneRasterizer& rasterizer, const TimeScale& scale,
    int columns, LaneColumns& out)
{
    LaneColumns one;
    rasterizer.scan(*threads.front(), scale, columns, out, false);
    for (std::size_t i = 1; i < threads.size(); ++i) {
        rasterizer.scan(*threads[i], scale, columns, one, false);
        for (std::size_t x = 0; x < out.busy.size(); ++x) {
            out.busy[x] += one.busy[x];
            out.narrow[x] += one.narrow[x];
            out.role[x] = std::max(out.role[x], one.role[x]);
        }
    }
    const auto count = static_cast<std::int64_t>(threads.size());
    for (std::size_t x = 0; x < out.busy.size(); ++x) {
        out.busy[x] = (out.busy[x] + count - 1) / count;
        out.narrow[x] = (out.narrow[x] + count - 1) / count;
    }
}

void paintOverviewHits(
    const OverviewFrame& frame, const std::vector<bool>& hits, double y, double height, QPainter& painter)
{
    for (std::size_t column = 0; column < hits.size(); ++column) {
        if (hits[column]) {
            const double x = frame.labelWidth + static_cast<double>(column);
            painter.fillRect(QRectF(x - 0.5, y - 1, 2, height / 2 + 1), frame.theme.ink);
            painter.fillRect(QRectF(x, y - 1, 1.5, height / 2), frame.theme.hit);
        }
    }
}

}  // namespace

void paintOverview(const OverviewFrame& frame, QPainter& painter, LabelPainter& labels, bool vector)
{
    const Theme& theme = frame.theme;
    const double ratio = vector ? 2 : painter.device()->devicePixelRatioF() * painter.transform().m11();
    painter.fillRect(QRectF(0, 0, frame.size.width(), frame.size.height()), theme.panel);
    painter.fillRect(QRectF(0, 0, frame.size.width(), 1), theme.line);
    labels.draw(painter, text_left, frame.size.height() / 2.0, OverviewStripTexts::tr("overview"),
        {12, TextStyle::regular}, theme.muted, vector);
    const double plot = frame.size.width() - frame.labelWidth;
    if (frame.models.empty() || plot <= 0) {
        return;
    }
    const int columns = static_cast<int>(plot * ratio);
    const auto length = static_cast<double>(frame.extent.end - frame.extent.start);
    const TimeScale all(length / columns, 0, std::max(-frame.extent.start, frame.extent.end));
    TimeScale scale = all.startingAt(all.columnOf(frame.extent.start));
    LaneRasterizer rasterizer;
    LaneColumns busy;
    const RolePalette palette = paletteOf(theme);
    const double gap = 3;
    const double height = (frame.size.height() - 12 - gap * static_cast<double>(frame.models.size() - 1))
        / static_cast<double>(frame.models.size());
    double y = 6;
    for (const LaneModel* const& model : frame.models) {
        std::vector<QRgb> pixels(static_cast<std::size_t>(columns), theme.panel.rgb());
        const auto start = std::clamp<std::int64_t>(-scale.first(), 0, columns);
        const auto end
            = std::clamp<std::int64_t>(scale.columnOf(model->duration()) + 1 - scale.first(), start, columns);
        std::fill(pixels.begin() + start, pixels.begin() + end, theme.overlapIdle.rgb());
        const auto graphs = graphsOf(*model);
        if (graphs.empty() && hasGpuWork(*model)) {
            for (const LaneRow& row : model->lanes().front().rows) {
                if (row.kind != ItemKind::overlap) {
                    continue;  // the band has no room here
                }
                rasterizer.scan(row, scale, columns, busy, false);
                LaneRasterizer::paint(busy, palette, theme.panel.rgb(), pixels);
            }
        } else if (const auto threads = graphs.empty() ? busiestThreads(*model) : std::vector<const LaneRow*>();
                   !threads.empty()) {
            scanThreads(threads, rasterizer, scale, columns, busy);
            LaneRasterizer::paint(busy, theme.item(ItemRole::cpuWorking).rgb(), theme.panel.rgb(), pixels);
        }
        painter.setPen(Qt::NoPen);
        for (auto x = static_cast<std::size_t>(start); x < static_cast<std::size_t>(end);) {
            std::size_t to = x + 1;
            while (to < static_cast<std::size_t>(end) && pixels[to] == pixels[x]) {
                ++to;
            }
            painter.fillRect(QRectF(frame.labelWidth + static_cast<double>(x) / ratio, y,
                                 static_cast<double>(to - x) / ratio, height),
                QColor::fromRgb(pixels[x]));
            x = to;
        }
        if (!graphs.empty()) {
            const GpuTimeColumns where {scale, columns, ratio, double(frame.labelWidth), model->duration()};
            paintGpuTimeColumns(
                meanOf(graphs, where), QRectF(frame.labelWidth, y, plot, height), ratio, theme, painter);
        }
        if (const auto index = static_cast<std::size_t>(&model - frame.models.data()); index < frame.hits.size()) {
            paintOverviewHits(frame, frame.hits[index], y, height, painter);
        }
        y += height + gap;
        scale = frame.alignment.across(scale, 0);
    }
    const auto xOf = [&](Ns t) {
        return frame.labelWidth + plot * std::clamp(static_cast<double>(t - frame.extent.start) / length, 0.0, 1.0);
    };
    const double x0 = xOf(frame.window.start);
    const double x1 = std::max(xOf(frame.window.end), x0 + 3);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 1.4));
    painter.drawRoundedRect(QRectF(x0 + 0.7, 2.7, std::max(x1 - x0 - 1.4, 2.0), frame.size.height() - 5.4), 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

OverviewStrip::OverviewStrip(QWidget* parent)
    : QWidget(parent)
    , m_theme(&Theme::named({}))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFixedHeight(strip_height);
    setMouseTracking(true);
    speakAs(this, QAccessible::Chart);
    setAccessibleName(tr("Overview"));
}

void OverviewStrip::setModels(std::vector<const LaneModel*> models, Interval extent, const Alignment& alignment)
{
    m_models = std::move(models);
    m_extent = {extent.start, std::max(extent.end, extent.start + 1)};
    m_alignment = alignment;
    m_hitWidth = -1;
    update();
}

void OverviewStrip::setTheme(const Theme& theme)
{
    m_theme = &theme;
    update();
}

void OverviewStrip::setWindow(Interval window)
{
    m_window = window;
    update();
}

void OverviewStrip::setHits(std::vector<std::shared_ptr<const QueryHits>> hits)
{
    m_hits = std::move(hits);
    m_hitWidth = -1;
    update();
}

void OverviewStrip::setMagnification(double magnification)
{
    m_magnification = magnification;
    m_hitWidth = -1;
    update();
}

/// As the views have theirs, before magnification.
QSize OverviewStrip::frameSize() const
{
    return (QSizeF(size()) / m_magnification).toSize();
}

double OverviewStrip::plotLeft() const
{
    return FrameGeometry::labelWidthFor(frameSize().width()) * m_magnification;
}

void OverviewStrip::paintEvent(QPaintEvent*)
{
    const QSize frame = frameSize();
    const int left = FrameGeometry::labelWidthFor(frame.width());
    const int plot = frame.width() - left;
    if (m_hitWidth != plot && plot > 0) {
        m_hitWidth = plot;
        m_hitColumns.clear();
        const double ns = static_cast<double>(m_extent.end - m_extent.start) / plot;
        for (std::size_t side = 0; side < m_hits.size(); ++side) {
            const Ns from = m_extent.start + m_alignment.offsetOf(static_cast<int>(side));
            m_hitColumns.push_back(
                m_hits[side] ? m_hits[side]->columns(from, ns, static_cast<std::size_t>(plot)) : std::vector<bool>());
        }
    }
    QPainter painter(this);
    painter.fillRect(rect(), m_theme->panel);  // magnified, the frame may end a little before the strip
    painter.scale(m_magnification, m_magnification);
    paintOverview(
        {m_models, *m_theme, frame, left, m_extent, m_window, m_alignment, m_hitColumns}, painter, m_labels, false);
}

Ns OverviewStrip::timeAt(double x) const
{
    const double left = plotLeft();
    return m_extent.start
        + static_cast<Ns>(
            (x - left) / std::max(1.0, width() - left) * static_cast<double>(m_extent.end - m_extent.start));
}

double OverviewStrip::xOf(Ns t) const
{
    const double left = plotLeft();
    return left
        + static_cast<double>(t - m_extent.start) / static_cast<double>(m_extent.end - m_extent.start)
        * (width() - left);
}

OverviewStrip::Drag OverviewStrip::dragAt(double x) const
{
    const double x0 = xOf(m_window.start);
    const double x1 = xOf(m_window.end);
    if (std::fabs(x - x0) <= edge_grip) {
        return Drag::left;
    }
    if (std::fabs(x - x1) <= edge_grip) {
        return Drag::right;
    }
    return x > x0 && x < x1 ? Drag::move : Drag::fresh;
}

void OverviewStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_models.empty()) {
        return;
    }
    m_drag = dragAt(event->position().x());
    m_pressedTime = timeAt(event->position().x());
    m_pressedWindow = m_window;
    if (m_drag == Drag::fresh) {  // a click beside the window brings it here
        const Ns half = (m_window.end - m_window.start) / 2;
        m_pressedWindow = {m_pressedTime - half, m_pressedTime + half};
        emit windowRequested(m_pressedWindow);
        m_drag = Drag::move;
    }
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    if (!(event->buttons() & Qt::LeftButton)) {
        const Drag drag = dragAt(x);
        setCursor(drag == Drag::left || drag == Drag::right ? Qt::SizeHorCursor
                : drag == Drag::move                        ? Qt::OpenHandCursor
                                                            : Qt::ArrowCursor);
        return;
    }
    const Ns by = timeAt(x) - m_pressedTime;
    Interval window = m_pressedWindow;
    if (m_drag == Drag::move) {
        window = {window.start + by, window.end + by};
    } else if (m_drag == Drag::left) {
        window.start = std::max(window.start + by, std::min(m_extent.start, window.start));
    } else if (m_drag == Drag::right) {
        window.end = std::min(window.end + by, std::max(m_extent.end, window.end));
    }
    if (m_drag != Drag::none && window.end > window.start) {
        emit windowRequested(window);
    }
}

}  // namespace lanes::gui
