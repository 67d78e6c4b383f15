// SPDX-License-Identifier: MIT
// Places the annotation that was asked for: a click for a text, a drag for the others, a click on an event for a
// bracket or a frame of it. Otherwise a drag moves the annotation under the mouse, or the end of it that is held, and a
// double click asks for its text. A bracket's ends go to the edges of events unless Alt is held.
#pragma once

#include "gui/timeline/tools/tool.h"

namespace lanes::gui {

class AnnotateTool : public Tool {
public:
    AnnotateTool(Timeline& timeline, TimelineOverlay& overlay, LabelPainter& labels)
        : Tool(timeline, overlay)
        , m_labels(labels)
    {
    }
    std::optional<Qt::CursorShape> hover(QPointF at) override;
    bool press(const Pointer& pointer) override;
    void move(const Pointer& pointer) override;
    void release(const Pointer& pointer) override;
    void cancel() override;
    bool doubleClick(const Pointer& pointer) override;

private:
    enum class Handle : std::uint8_t { from, to, whole };
    bool onLanes(QPointF at) const;
    AnnotationSpot spot(const Pointer& pointer, Annotation::Kind kind) const;
    Annotation moved(const Pointer& pointer) const;

    LabelPainter& m_labels;
    std::size_t m_index = 0;
    Handle m_part = Handle::whole;
    bool m_fresh = false;
    QPointF m_pressed;
    Annotation m_before;
};

}  // namespace lanes::gui
