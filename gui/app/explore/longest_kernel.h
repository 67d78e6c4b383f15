// SPDX-License-Identifier: MIT
// What one asks first of a program that one did not write: which kernel is the longest, and what waited for it.
#pragma once

#include "engine/analysis/recording.h"
#include "gui/app/commands/command_table.h"

#include <QObject>

#include <vector>

namespace lanes::gui {

class Workspace;

/// The longest kernel that begins within `range`, of equally long ones the first; with `after`, the longest of those
/// that come after that kernel in this order. no_row: none. Cost: a look at each operation.
Row longestKernel(const Trace& trace, Interval range, Row after = no_row);

/// Marks these events, which waited for that operation, as a search does, and brings all of them into sight.
void markWaiters(Workspace& workspace, int side, EventRef operation, const std::vector<EventRef>& waiters);

class LongestKernel : public QObject {
    Q_OBJECT
public:
    LongestKernel(Workspace* workspace, QObject* parent);
    void addCommands(CommandTable& table);

private:
    void selectNext();
    void markOfSelected();
    /// The selected event, if it is a GPU operation.
    bool hasOperation() const;

    Workspace* m_workspace;
};

}  // namespace lanes::gui
