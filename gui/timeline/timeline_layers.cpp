// SPDX-License-Identifier: MIT
#include "gui/timeline/timeline_layers.h"

#include "gui/timeline/timeline_state.h"

#include <utility>

namespace lanes::gui {

namespace {

/// `State` is const or not.
template <class State> auto& flagOf(State& state, TimelineLayers::Layer layer)
{
    using enum TimelineLayers::Layer;
    return layer == arrows ? state.highlights.allArrows
        : layer == chain   ? state.highlights.chains
        : layer == path    ? state.pathWanted
                           : state.idleWanted;
}

}  // namespace

TimelineLayers::TimelineLayers(TimelineState& state)
    : m_state(state)
{
}

bool TimelineLayers::isOn(Layer layer) const
{
    return flagOf(std::as_const(m_state), layer);
}

void TimelineLayers::show(Layer layer, bool on)
{
    if (on != isOn(layer)) {
        set(layer, on);
        emit switched(layer, on);
    }
}

void TimelineLayers::set(Layer layer, bool on)
{
    if (on != isOn(layer)) {
        flagOf(m_state, layer) = on;
        emit changed(layer);
    }
}

void TimelineLayers::setPath(std::shared_ptr<const ShownPath> path)
{
    if (path != m_state.highlights.path) {
        m_state.highlights.path = std::move(path);
        emit changed(Layer::path);
        emit found();
    }
}

void TimelineLayers::setIdle(std::shared_ptr<const IdleReasons> idle)
{
    if (idle != m_state.highlights.idle) {
        m_state.highlights.idle = std::move(idle);
        emit changed(Layer::idle);
        emit found();
    }
}

}  // namespace lanes::gui
