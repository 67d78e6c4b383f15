// SPDX-License-Identifier: MIT
#include "gui/lanes/time_window.h"

#include <algorithm>
#include <cstdlib>

namespace lanes::gui {

namespace {

constexpr int margin_share = 20;  // a view that is zoomed in may show this part of its width beside everything
constexpr double most_room = 2.2;  // of a renewed recording: of what is shown to what there is, before it is fitted
constexpr double room_to_grow = 1.3;  // and the room that it then has

Ns lengthOf(Interval span)
{
    return span.end - span.start;
}

}  // namespace

Interval TimeWindow::fittingExtent() const
{
    return {m_extent.start,
        m_extent.start + static_cast<Ns>(static_cast<double>(lengthOf(m_extent)) * m_room) + (m_room > 1 ? 1 : 0)};
}

void TimeWindow::open(Ns drawnEnd, Ns recorded, double room)
{
    m_room = room;
    m_drawnEnd = std::max<Ns>(drawnEnd, 1);
    m_recorded = recorded;
    m_extent = {0, m_drawnEnd};
    m_reach = {0, recorded};
    fit();
}

void TimeWindow::renew(Ns drawnEnd, Ns recorded)
{
    m_drawnEnd = std::max<Ns>(drawnEnd, 1);
    m_recorded = recorded;
    m_renewed = true;
}

void TimeWindow::setExtent(Interval extent, Interval reach)
{
    const Interval shown = visible();
    const bool ofAll = m_ofAll || (shown.start <= m_extent.start && shown.end >= m_extent.end);
    m_extent = {std::min<Ns>(extent.start, 0), std::max(extent.end, m_drawnEnd)};
    m_reach = {std::min<Ns>(reach.start, 0), std::max(reach.end, m_recorded)};
    if (!m_fitted) {
        show(m_scale);
        m_ofAll = ofAll;
    } else if (!m_renewed) {
        fit();
    } else if (!hasRoom()) {  // what grows is seen to grow: it is fitted only when it outgrows the view or is lost in
                              // it
        const TimeScale scale = TimeScale::fitting(
            static_cast<Ns>(static_cast<double>(lengthOf(m_extent)) * room_to_grow) + 1, m_columns);
        m_scale = scale.startingAt(scale.columnOf(m_extent.start)).reaching(farthest());
    }
}

/// After a renewal: whether what is shown can stay.
bool TimeWindow::hasRoom() const
{
    const Interval shown = visible();
    return shown.start <= m_extent.start && shown.end >= m_extent.end
        && static_cast<double>(lengthOf(shown)) <= static_cast<double>(lengthOf(m_extent)) * most_room;
}

void TimeWindow::setColumns(int columns)
{
    if (columns == m_columns) {
        return;
    }
    m_columns = columns;
    if (m_fitted) {
        fit();
        return;
    }
    const Interval kept = m_kept;  // of a window whose edge is dragged, each size is computed from the same stretch
    show(showing(kept));
    m_kept = kept;
}

TimeScale TimeWindow::fitting() const
{
    const Interval all = fittingExtent();
    const TimeScale scale = TimeScale::fitting(lengthOf(all), m_columns);
    return scale.startingAt(scale.columnOf(all.start)).reaching(farthest());
}

void TimeWindow::fit()
{
    m_scale = fitting();
    m_fitted = true;
    m_ofAll = false;
    m_renewed = false;
}

void TimeWindow::put(const TimeScale& wanted)
{
    const TimeScale scale = wanted.reaching(farthest());
    if (scale == m_scale) {
        return;
    }
    m_scale = scale;
    m_ofAll = false;
    const TimeScale all = fitting();  // a view aligned with this one may round to the next column
    m_fitted = std::llabs(scale.first() - all.first()) <= 1 && scale.startingAt(0) == all.startingAt(0);
    m_kept = visible();
}

void TimeWindow::show(const TimeScale& wanted)
{
    const TimeScale scale = wanted.reaching(farthest());
    const TimeScale all = TimeScale::fitting(lengthOf(room()), m_columns);
    const bool wider = m_renewed && m_scale.nsPerColumn() > all.nsPerColumn();
    const TimeScale& widest = wider ? m_scale : all;
    put(inside(scale.nsPerColumn() > widest.nsPerColumn() ? widest : scale));
}

/// Everything with its label, and what was recorded after it.
Interval TimeWindow::room() const
{
    const Interval all = fittingExtent();
    return {std::min(all.start, m_reach.start), std::max(all.end, m_reach.end)};
}

Ns TimeWindow::farthest() const
{
    const Interval all = room();
    return std::max<Ns>(-all.start, all.end);
}

TimeScale TimeWindow::inside(const TimeScale& scale) const
{
    const Interval all = room();
    const std::int64_t first = scale.columnOf(all.start);
    const std::int64_t last = scale.columnOf(all.end - 1) - m_columns + 1;
    if (last <= first + 1) {
        return scale.startingAt(first);
    }
    const int margin = m_columns / margin_share;
    return scale.startingAt(std::clamp(scale.first(), first - margin, last + margin));
}

TimeScale TimeWindow::showing(Interval span) const
{
    return TimeScale::showing(span.start, std::max(span.end, span.start + 1), m_columns, farthest());
}

std::optional<TimeScale> TimeWindow::bringing(Interval span) const
{
    const Interval shown = visible();
    const bool whole = span.start >= shown.start && span.end <= shown.end;
    const bool part = span.end >= shown.start && span.start <= shown.end;
    if (whole || (part && lengthOf(span) > lengthOf(shown))) {
        return {};
    }
    const double middle = (m_scale.xOf(span.start) + m_scale.xOf(span.end)) / 2;
    return m_scale.panned(static_cast<std::int64_t>(middle - m_columns / 2.0));
}

}  // namespace lanes::gui
