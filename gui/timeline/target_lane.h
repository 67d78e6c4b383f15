// SPDX-License-Identifier: MIT
// The lane that a timeline's commands concern: the one in hand (which the user moved, dragged or asked for last), else
// that under the mouse, else that of the selection. Lanes are places in LaneModel::lanes().
#pragma once

#include "gui/lanes/lane_model.h"

#include <optional>
#include <QObject>

namespace lanes::gui {

class Timeline;

class TargetLane : public QObject {
    Q_OBJECT

public:
    explicit TargetLane(const Timeline& timeline);

    /// Nothing: none is in hand.
    void take(std::optional<std::size_t> lane);
    std::optional<std::size_t> inHand() const;
    /// Only lanes that are shown. Nothing where none is concerned.
    std::optional<std::size_t> lane() const;

signals:
    void changed();  ///< another one is in hand, or none

private:
    const Timeline& m_timeline;
    std::optional<LaneKey> m_inHand;
};

}  // namespace lanes::gui
