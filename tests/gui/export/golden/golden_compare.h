// SPDX-License-Identifier: MIT
// Compares a picture with the kept one: SVG byte by byte, PNG pixel by pixel. There is no tolerance with the Qt that
// made the kept one, Debian 12's. Another Qt rounds differently where it blends two colours: it may differ by
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

/// The tolerance for the running Qt: none with 6.4.
GoldenRounding roundingOfThisQt();

/// Both are of the same kind, PNG or SVG, as their first bytes say.
GoldenDifference compareGolden(const QByteArray& kept, const QByteArray& made, GoldenRounding rounding);

}  // namespace lanes::gui
