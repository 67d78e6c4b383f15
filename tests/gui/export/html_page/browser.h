// SPDX-License-Identifier: MIT
// Opens a page in a headless Chromium, if one is installed, and lets the page's own test drive it.
#pragma once

#include <QJsonObject>
#include <QString>

namespace lanes::gui::page {

/// "" if there is none.
QString browserProgram();

struct Driven {
    QJsonObject result;  ///< what the page's test wrote
    QString dom, errors;
};
/// Opens `file` with #selftest=RANGES. A minute at most.
Driven drive(const QString& file, const QString& ranges);

}  // namespace lanes::gui::page
