// SPDX-License-Identifier: MIT
// Keeps the timeline and the workspace alike: the recordings, the selection, the ranges and the active side of one are
// those of the other. Made before everything else that observes the workspace.
#pragma once

#include <QObject>

namespace lanes::gui {

class ComparisonView;
class Workspace;

class TimelineBinding : public QObject {
    Q_OBJECT
public:
    TimelineBinding(Workspace* workspace, ComparisonView* timeline);

private:
    void takeSelection(int side);
    void takeSelectedRange();
    void takeVisibleRange();
    void showSelection();

    Workspace* m_workspace;
    ComparisonView* m_timeline;
};

}  // namespace lanes::gui
