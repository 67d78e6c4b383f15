// SPDX-License-Identifier: MIT
#include "gui/timeline/hit_buttons.h"

#include <QAbstractButton>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct HitButtonsTexts {
    Q_DECLARE_TR_FUNCTIONS(HitButtons)
};

}  // namespace

HitButtons::HitButtons(QAbstractButton* before, QAbstractButton* after)
    : previous(before)
    , next(after)
{
    previous->setText(QStringLiteral("\u2039"));
    previous->setToolTip(HitButtonsTexts::tr("Previous hit (Shift+F3)"));
    previous->setAccessibleName(HitButtonsTexts::tr("Previous hit"));
    next->setText(QStringLiteral("\u203A"));
    next->setToolTip(HitButtonsTexts::tr("Next hit (F3)"));
    next->setAccessibleName(HitButtonsTexts::tr("Next hit"));
}

void HitButtons::setEnabled(bool enabled) const
{
    previous->setEnabled(enabled);
    next->setEnabled(enabled);
}

}  // namespace lanes::gui
