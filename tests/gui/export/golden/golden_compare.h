// SPDX-License-Identifier: MIT
// Compares a picture with the one that is kept: SVG byte by byte, PNG pixel by pixel. With the Qt that made what is
// kept, Debian 12's, without any tolerance; another Qt rounds where it blends two colours, and may differ there by
// one step of a colour's 255 in one pixel of ten thousand.
#pragma once

#include <QByteArray>
#include <QString>

namespace lanes::gui {

struct GoldenDifference {
    QString text;  ///< "" if there is none
    QByteArray picture;  ///< PNG: the kept picture faint, what differs in red; empty where sizes differ, and for SVG
};

enum class GoldenRounding : bool { none, ofAnotherQt };

/// What the Qt that runs may differ by: none with 6.4.
GoldenRounding roundingOfThisQt();

/// Both are of the same kind, PNG or SVG, as their first bytes say.
GoldenDifference compareGolden(const QByteArray& kept, const QByteArray& made, GoldenRounding rounding);

}  // namespace lanes::gui
