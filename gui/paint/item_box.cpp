// SPDX-License-Identifier: MIT
#include "gui/paint/item_box.h"

#include <algorithm>

namespace lanes::gui {

std::optional<QRectF> boxOf(const TimelineFrame& frame, ItemRef item)
{
    const auto place = frame.model.find(item);
    if (!place) {
        return {};
    }
    const auto at = frame.layout.find(place->lane, place->row);
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

}  // namespace lanes::gui
