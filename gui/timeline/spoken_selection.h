// SPDX-License-Identifier: MIT
// What a timeline tells who does not see it: which recording it shows, and what is selected in it.
#pragma once

#include <QAccessible>
#include <QString>

class QWidget;

namespace lanes::gui {

class Timeline;

/// "Copy results back: blocking. Selected on Stream 13: D2H 64 MiB, …"; "" where nothing is shown. One line. Cost: that
/// of a tooltip.
QString spokenSelection(const Timeline& timeline);

/// A screen reader learns what it is (a chart, a tool bar), if that is set before its name; Qt takes plain widgets for
/// containers.
void speakAs(QWidget* widget, QAccessible::Role role);

}  // namespace lanes::gui
