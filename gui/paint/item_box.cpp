// SPDX-License-Identifier: MIT
#include "gui/paint/item_box.h"

#include <algorithm>

namespace lanes::gui {

std::optional<QRectF> boxOf(const TimelineFrame& frame, ItemRef item)
{
    const auto at = frame.layout.find(frame.model, item);
    if (!at) {
        return {};
    }
    const Interval span = spanOf(frame.model.recording(), item);
    const double least = -1000;
    const double most = frame.geometry.size.width() + 1000;
    const double x0 = std::clamp(frame.xOf(span.start), least, most);
    const double x1 = std::clamp(frame.xOf(span.end), least, most);
    return QRectF(x0, frame.yOf(*at->lane, *at->row), std::max(x1 - x0, 3.0), at->row->height);
}

double barsUnder(const TimelineFrame& frame, const QRectF& plate)
{
    const Ns from = frame.timeAt(plate.left());
    const Ns to = std::max(frame.timeAt(plate.right()), from + 1);
    double area = 0;
    for (const PlacedLane& lane : frame.layout.lanes()) {
        if (frame.yOf(lane) >= plate.bottom() || frame.yOf(lane) + lane.height <= plate.top()) {
            continue;
        }
        for (const PlacedRow& row : lane.rows) {
            const int y = frame.yOf(lane, row);
            const double high = std::min<double>(plate.bottom(), y + row.height) - std::max<double>(plate.top(), y);
            if (high > 0 && !row.over) {
                const Ns busy = frame.model.lanes()[row.lane].rows[row.row].busyIn(from, to);
                area += high * plate.width() * static_cast<double>(busy) / static_cast<double>(to - from);
            }
        }
    }
    return area;
}

}  // namespace lanes::gui
