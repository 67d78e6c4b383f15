// SPDX-License-Identifier: MIT
// What is drawn over a timeline's lanes and can be switched on and off: arrows of everything in sight, the chain of
// causes of the selection, the critical path, the reasons of idle streams. The last two take a while to find: whoever
// hears that they are to be shown finds them and sets them.
#pragma once

#include "engine/analysis/graph/idle_reasons.h"
#include "gui/lanes/shown_path.h"

#include <QObject>

#include <memory>

namespace lanes::gui {

struct TimelineState;

class TimelineLayers : public QObject {
    Q_OBJECT

public:
    enum class Layer : std::uint8_t { arrows, chain, path, idle };

    /// What is switched on, and path and reasons, are kept in `state`, which outlives it.
    explicit TimelineLayers(TimelineState& state);

    /// A layer that is on shows nothing as long as it is not found.
    bool isOn(Layer layer) const;
    /// By the user.
    void show(Layer layer, bool on);
    /// By the owner: emits nothing but changed().
    void set(Layer layer, bool on);
    /// Null: none is shown.
    void setPath(std::shared_ptr<const ShownPath> path);
    void setIdle(std::shared_ptr<const IdleReasons> idle);

signals:
    void switched(lanes::gui::TimelineLayers::Layer layer, bool on);  ///< by the user
    void changed(lanes::gui::TimelineLayers::Layer layer);  ///< it was switched or found
    void found();  ///< path or reasons are there, or no longer

private:
    TimelineState& m_state;
};

}  // namespace lanes::gui
