// SPDX-License-Identifier: MIT
// The language of the window.
#pragma once

#include <QString>

namespace lanes::gui {

/// "en" or "zh_CN": `wanted`, else what the settings say, else what the locale asks for.
QString chosenLanguage(const QString& wanted);

/// Translates from now on; widgets that exist keep their texts.
void speak(const QString& language);

}  // namespace lanes::gui
