// SPDX-License-Identifier: MIT
#include "gui/paint/ruler_ticks.h"

#include "gui/paint/words/time_format.h"

namespace lanes::gui {

RulerTicks RulerTicks::of(const TimelineFrame& frame, LabelPainter& labels)
{
    const Ns start = std::max<Ns>(frame.scale.timeAt(0), 0);
    const Ns end = frame.scale.timeAt(frame.columns());
    const double nsPerPixel = frame.scale.nsPerColumn() * frame.ratio;
    RulerTicks ticks;
    ticks.step = niceStep(nsPerPixel * 64);
    while (true) {
        const double room = static_cast<double>(ticks.step) / nsPerPixel;
        if (labels.width(formatTick(end / ticks.step * ticks.step, ticks.step, end), ruler_style) + 18 <= room
            || ticks.step > end * 2) {
            break;
        }
        ticks.step = niceStep(static_cast<double>(ticks.step) + 1);
    }
    ticks.first = frame.geometry.ruler ? start / ticks.step * ticks.step : end + 1;
    return ticks;
}

}  // namespace lanes::gui
