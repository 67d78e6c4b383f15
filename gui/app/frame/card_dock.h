// SPDX-License-Identifier: MIT
// Where the card of the selection is: at the right of lanes and panels, from when something is picked in the lanes, or
// the card is asked for, until nothing is selected. The lanes give it room and get it back, and nothing in them moves
// under the mouse: they keep their scale, unless what was picked would lie under the card. Not in the gallery, nor
// before an audience, nor in a window that has no room for both.
#pragma once

#include "gui/lanes/time_scale.h"

#include <QObject>

#include <optional>

namespace lanes::gui {

class DetailsPanel;
class Stage;
class TimelinePair;
class Workspace;

class CardDock : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Workspace* workspace;
        Stage* stage;  ///< beside which the card is, in one layout
        DetailsPanel* card;  ///< hidden at first
    };
    explicit CardDock(const Parts& parts);

    /// Shows the card of what is selected; nothing happens where nothing is.
    void open();
    /// Before an audience there is no card.
    void setOnStage(bool on);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct View {
        TimeScale scale;
        Interval visible;
        bool isFitted;
        int columns;
        int label;  ///< width of the lanes' names, logical pixels

        /// Whether both show the same time, if maybe on another number of columns.
        bool showsSame(const View& other) const;
    };
    TimelinePair& pair() const;
    View view() const;
    int widthFor(int window) const;
    void place();
    void show();
    void hide();
    void setShown(bool shown);

    Parts m_parts;
    bool m_isOpen = false, m_onStage = false;
    std::optional<View> m_before, m_after;  ///< of the lanes, when they made room
};

}  // namespace lanes::gui
