// SPDX-License-Identifier: MIT
// The commands that the timeline carries out: zoom, pan, select, search, arrange lanes, measure, mark. Each is named
// once, by its TimelineAction, whose keys work on the timeline as well.
#pragma once

#include "gui/app/commands/command_table.h"

#include <QCoreApplication>

namespace lanes::gui {

class ComparisonView;
class Workspace;

class LaneCommands {
    Q_DECLARE_TR_FUNCTIONS(LaneCommands)
public:
    LaneCommands(Workspace* workspace, ComparisonView* timeline)
        : m_workspace(workspace)
        , m_timeline(timeline)
    {
    }

    /// In the menu of editing: the selected range.
    void addRanges(CommandTable& table) const;
    void addViews(CommandTable& table) const;
    void addLanes(CommandTable& table) const;
    /// From event to event, from hit to hit, from mark to mark.
    void addPlaces(CommandTable& table) const;

private:
    Command row(const char* id, const QString& text, const QString& tip, Menu menu, const char* keys,
        TimelineAction action, std::function<bool()> enabled, std::function<bool()> checked = {},
        bool separator = false) const;
    std::function<bool()> open() const;

    Workspace* m_workspace;
    ComparisonView* m_timeline;
};

}  // namespace lanes::gui
