// SPDX-License-Identifier: MIT
// Translation for what is no QObject. The context is the one that lupdate gives to
// functions of this namespace.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace lanes::gui {

inline QString tr(const char* source)
{
    return QCoreApplication::translate("lanes::gui", source);
}

}  // namespace lanes::gui
