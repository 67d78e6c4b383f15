// SPDX-License-Identifier: MIT
// One gesture of the mouse on a timeline: pressed, moved, released. What it does, it does to the timeline; what it
// shows meanwhile is in the overlay. A tool knows nothing of the widget, so it is tested without one.
//
// A press is offered to one tool after the other; the first that takes it has the mouse until it is released. All
// functions are called with a recording open. Points are logical pixels of the frame.
#pragma once

#include "gui/timeline/timeline.h"

namespace lanes::gui {

struct Pointer {
    QPointF at;
    Qt::MouseButton button = Qt::LeftButton;
    Qt::KeyboardModifiers modifiers = {};
};

class Tool {
public:
    Tool(Timeline& timeline, TimelineOverlay& overlay)
        : m_timeline(timeline)
        , m_overlay(overlay)
    {
    }
    virtual ~Tool() = default;
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;

    /// The mouse passes without a button; the shape that it should have there, if that is this tool's.
    virtual std::optional<Qt::CursorShape> hover(QPointF) { return {}; }
    /// True: the gesture is this tool's.
    virtual bool press(const Pointer& pointer) = 0;
    virtual void move(const Pointer&) { }
    virtual void release(const Pointer&) { }
    /// The gesture ends and nothing more comes of it.
    virtual void cancel() { }
    virtual bool doubleClick(const Pointer&) { return false; }
    /// While the gesture is this tool's.
    virtual std::optional<Qt::CursorShape> shape() const { return {}; }

protected:
    Timeline& m_timeline;
    TimelineOverlay& m_overlay;
};

/// In the order in which they are offered a press. `labels` measures texts.
std::vector<std::unique_ptr<Tool>> timelineTools(Timeline& timeline, TimelineOverlay& overlay, LabelPainter& labels);

}  // namespace lanes::gui
