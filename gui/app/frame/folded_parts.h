// SPDX-License-Identifier: MIT
// What a window folds that is narrow (the column beside the lanes) or low (legend, panels and status line), and gives
// back with the room, where the user had it open.
#pragma once

class QWidget;

namespace lanes::gui {

class FoldedParts {
public:
    struct Parts {
        QWidget *side, *stage, *scope, *legend, *panels, *status;
    };

    explicit FoldedParts(const Parts& parts)
        : m_parts(parts)
    {
    }
    /// True where something was folded or came back. `sideComesBack`: the column is wanted beside what is shown now.
    bool fold(bool narrow, bool low, bool sideComesBack);

private:
    Parts m_parts;
    bool m_isNarrow = false, m_sideFolded = false;
    bool m_isLow = false, m_legendFolded = false, m_panelsFolded = false;
};

}  // namespace lanes::gui
