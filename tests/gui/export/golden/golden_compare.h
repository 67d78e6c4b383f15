// SPDX-License-Identifier: MIT
// Compares a picture with the one that is kept: PNG pixel by pixel, SVG byte by byte,
// without any tolerance.
#pragma once

#include <QByteArray>
#include <QString>

namespace lanes::gui {

struct GoldenDifference {
    QString text;        ///< "" if there is none
    QByteArray picture;  ///< PNG: the kept picture faint, what differs in red; empty where sizes differ, and for SVG
};

/// Both are of the same kind, PNG or SVG, as their first bytes say.
GoldenDifference compareGolden(const QByteArray& kept, const QByteArray& made);

}  // namespace lanes::gui
