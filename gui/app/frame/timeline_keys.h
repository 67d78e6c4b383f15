// SPDX-License-Identifier: MIT
// Letters and signs that are keys of the timeline (K, E, W, ., [ …) reach it from wherever the focus is, as long as
// nothing there takes them: a table of a panel would look for a row of that letter instead.
#pragma once

#include <QObject>

#include <initializer_list>

class QWidget;

namespace lanes::gui {

class ComparisonView;

class TimelineKeys : public QObject {
    Q_OBJECT
public:
    /// For keys that `window` gets from its parts, and those that the lists and tables in `panels` would take.
    TimelineKeys(QWidget* window, std::initializer_list<const QWidget*> panels, ComparisonView* timeline);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    ComparisonView* m_timeline;
};

}  // namespace lanes::gui
