// SPDX-License-Identifier: MIT
// A click on a mark's flag goes to the mark; a double click edits its text.
#pragma once

#include "gui/timeline/tools/tool.h"

namespace lanes::gui {

class MarksTool : public Tool {
public:
    MarksTool(Timeline& timeline, TimelineOverlay& overlay, LabelPainter& labels)
        : Tool(timeline, overlay)
        , m_labels(labels)
    {
    }
    bool press(const Pointer& pointer) override;
    bool doubleClick(const Pointer& pointer) override;

private:
    LabelPainter& m_labels;
};

}  // namespace lanes::gui
