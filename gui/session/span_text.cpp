// SPDX-License-Identifier: MIT
#include "gui/session/span_text.h"

#include "gui/paint/words/time_format.h"

namespace lanes::gui {

std::pair<QString, QString> endTexts(Interval span)
{
    constexpr double parts = 100;
    const Ns step = niceStep(static_cast<double>(span.end - span.start) / parts);
    return {formatTick(span.start, step, span.end), formatTick(span.end, step, span.end)};
}

}  // namespace lanes::gui
