// SPDX-License-Identifier: MIT
#include "gui/app/frame/folded_parts.h"

#include <QWidget>

#include <utility>

namespace lanes::gui {

namespace {

constexpr int least_stage_height = 200;

}  // namespace

bool FoldedParts::fold(bool narrow, bool low, bool sideComesBack)
{
    const auto& [side, stage, scope, legend, panels, status] = m_parts;
    const bool changes = narrow != m_isNarrow || low != m_isLow;
    if (narrow != m_isNarrow) {
        m_isNarrow = narrow;
        if (narrow) {
            m_sideFolded = !side->isHidden();
            side->hide();
        } else if (std::exchange(m_sideFolded, false) && sideComesBack) {
            side->show();
        }
    }
    if (low != m_isLow) {
        m_isLow = low;
        stage->setMinimumHeight(low ? least_stage_height : 0);
        status->setHidden(low);
        scope->setHidden(low);
        if (low) {
            m_legendFolded = !legend->isHidden();
            legend->hide();
            m_panelsFolded = !panels->isHidden();
            panels->hide();
        } else {
            legend->setVisible(std::exchange(m_legendFolded, false) || !legend->isHidden());
            panels->setVisible(std::exchange(m_panelsFolded, false) || !panels->isHidden());
        }
    }
    return changes;
}

}  // namespace lanes::gui
