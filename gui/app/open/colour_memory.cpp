// SPDX-License-Identifier: MIT
#include "gui/app/open/colour_memory.h"

#include "gui/app/open/file_memory.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

namespace lanes::gui {

namespace {

const FileMemory& colouredFiles()
{
    static const FileMemory memory(QStringLiteral("colours"));
    return memory;
}

const QString byFamily = QStringLiteral("families");

LaneColours recalledColours(const QString& file)
{
    const auto kept = colouredFiles().recalled(file);
    return !kept ? LaneColours::usual : kept->value(byFamily).toBool() ? LaneColours::families : LaneColours::kinds;
}

}  // namespace

ColourMemory::ColourMemory(Workspace* workspace, ComparisonView* timeline)
    : QObject(timeline)
    , m_workspace(workspace)
    , m_timeline(timeline)
{
    connect(workspace, &Workspace::changed, this, &ColourMemory::recall);
    connect(&timeline->pair(), &TimelinePair::chosen, this, &ColourMemory::remember);
}

void ColourMemory::recall()
{
    const OpenRecordingPtr first = m_workspace->at(0);
    if (!first || first->path.isEmpty()) {
        return;
    }
    LaneChoice choice = m_timeline->side(0).state().choice;
    const LaneColours colours = recalledColours(first->path);
    if (choice.colours != colours) {
        choice.colours = colours;
        m_timeline->pair().choose(choice);
    }
}

void ColourMemory::remember() const
{
    const OpenRecordingPtr first = m_workspace->at(0);
    if (!first || first->path.isEmpty()) {
        return;
    }
    const LaneColours colours = m_timeline->side(0).state().choice.colours;
    if (colours == recalledColours(first->path)) {
        return;
    }
    if (colours == LaneColours::usual) {
        colouredFiles().forget(first->path);
    } else {
        colouredFiles().remember(first->path, {{byFamily, colours == LaneColours::families}});
    }
}

}  // namespace lanes::gui
