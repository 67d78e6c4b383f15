// SPDX-License-Identifier: MIT
// Recordings that are no lesson of ours: of a program, or another tool's file. While one is shown, the lesson side
// (workloads, parameters, code, the panels about them) is folded away; a command brings it back. One that opens alone
// and is mostly start-up shows the part that repeats first.
#pragma once

#include "gui/session/open_recording.h"

#include <QObject>

class QWidget;

namespace lanes::gui {

class ComparisonView;
class PanelTabs;
class Workspace;

/// Whether a recording is shown that carries no workload.
bool showsForeign(const Workspace& workspace);

class ForeignFiles : public QObject {
    Q_OBJECT
public:
    /// The parts that it works with; all of them live longer.
    struct Parts {
        Workspace* workspace;
        ComparisonView* timeline;
        QWidget* lessonSide;
        PanelTabs* panels;
    };
    ForeignFiles(const Parts& parts, QObject* parent);

    /// While a file opens and nothing else is open: the empty lanes say so, and no lesson is said to be shown.
    void setAwaiting(bool awaiting);
    bool isAwaiting() const { return m_isAwaiting; }
    /// Shows what was folded, as the window is remembered.
    void unfold();
    /// Of a recording that took its time to be read: shows the part that repeats, unless the user looks at another.
    void complete();

private:
    void fold();
    void showWhatMatters(const OpenRecordingPtr& recording);

    Parts m_parts;
    bool m_foreign = false;
    bool m_isAwaiting = false;
    bool m_folded = false;  ///< the side was hidden here and not by the user
};

}  // namespace lanes::gui
