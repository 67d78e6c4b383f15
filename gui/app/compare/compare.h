// SPDX-License-Identifier: MIT
// What is done with two recordings: align them, swap them, choose the one that the other is compared with.
#pragma once

#include "engine/trace/trace.h"
#include "gui/app/commands/command_table.h"

#include <QObject>

namespace lanes::gui {

class ComparisonView;
class Workspace;

class Compare : public QObject {
    Q_OBJECT
public:
    Compare(Workspace* workspace, ComparisonView* timeline);

    void addCommands(CommandTable& table);

private:
    std::optional<Ns> placeToAlign() const;
    void alignHere();
    void alignAtName();

    Workspace* m_workspace;
    ComparisonView* m_timeline;
};

}  // namespace lanes::gui
