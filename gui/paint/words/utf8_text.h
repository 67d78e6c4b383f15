// SPDX-License-Identifier: MIT
// Texts of the engine are UTF-8 in std::string; texts of the window are QString.
#pragma once

#include <QString>
#include <string_view>

namespace lanes::gui {

inline QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

}  // namespace lanes::gui
