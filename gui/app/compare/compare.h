// SPDX-License-Identifier: MIT
// What is done with two recordings: align them, swap them, choose the one that the other is compared with. Two programs
// that both repeat are shown by their typical iterations, a prediction as the recording was until these are asked for.
#pragma once

#include "engine/trace/trace.h"
#include "gui/app/commands/command_table.h"

#include <QObject>

namespace lanes::gui {

class ComparisonView;
class IterationChanges;
class Workspace;

class Compare : public QObject {
    Q_OBJECT
public:
    Compare(Workspace* workspace, ComparisonView* timeline, IterationChanges* changes);

    void addCommands(CommandTable& table);

private:
    std::optional<Ns> placeToAlign() const;
    void alignHere();
    void alignAtName();
    void showChanges();

    Workspace* m_workspace;
    ComparisonView* m_timeline;
    IterationChanges* m_changes;
    bool m_areAsked = false;  // iterations are to be shown when they are found
};

}  // namespace lanes::gui
