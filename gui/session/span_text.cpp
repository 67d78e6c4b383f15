// SPDX-License-Identifier: MIT
#include "gui/session/span_text.h"

#include "gui/paint/words/time_format.h"

#include <algorithm>

namespace lanes::gui {

std::pair<QString, QString> endTexts(Interval span)
{
    constexpr Ns parts = 100;
    const Ns step = std::max<Ns>((span.end - span.start) / parts, 1);
    const auto shown
        = [&](Ns time) { return withMinusSign(QString::fromStdString(shown_moment(time, span.end, step))); };
    return {shown(span.start), shown(span.end)};
}

}  // namespace lanes::gui
