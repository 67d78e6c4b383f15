// SPDX-License-Identifier: MIT
#include "gui/app/compare/compare.h"

#include "gui/app/compare/align_dialog.h"
#include "gui/session/iteration_changes.h"
#include "gui/session/workspace.h"
#include "gui/timeline/alignment.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/iteration_strip.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <utility>

namespace lanes::gui {

Compare::Compare(Workspace* workspace, ComparisonView* timeline, IterationChanges* changes)
    : QObject(timeline)
    , m_workspace(workspace)
    , m_timeline(timeline)
    , m_changes(changes)
{
    connect(m_changes, &IterationChanges::changed, this, &Compare::showChanges);
    connect(
        m_changes, &IterationChanges::barsChanged, this, [this] { m_timeline->setIterationBars(m_changes->bars()); });
    connect(m_timeline->iterationStrip(), &IterationStrip::chosen, m_changes, &IterationChanges::show);
    connect(workspace, &Workspace::changed, this, [this] { m_areAsked = false; });
}

/// Where one has looked elsewhere meanwhile, nothing moves.
void Compare::showChanges()
{
    const auto& found = m_changes->found();
    TimelinePair& pair = m_timeline->pair();
    const bool shown = pair.areIterationsAligned();
    pair.setIterations(found ? std::optional(found->shown) : std::nullopt);
    const bool asked = found && std::exchange(m_areAsked, false);
    if (found && (shown || asked || (pair.alignment() == Alignment {} && m_timeline->side(0).state().time.isOfAll()))) {
        pair.showIterations();
    }
    m_timeline->setWaterfall(found);
}

void Compare::addCommands(CommandTable& table)
{
    const auto two = [this] { return m_workspace->count() > 1; };
    table.add({"compare.swap", tr("S&wap A and B"), tr("Swaps the upper and the lower recording"), Menu::compare,
        "Ctrl+Shift+B", two, [this] { m_workspace->swap(); }});
    table.add({"compare.reference-a", tr("Against &A"), tr("Differences and verdict say how B differs from A"),
        Menu::compare, "Ctrl+Shift+1", two, [this] { m_timeline->pair().setReference(0); },
        [this] { return m_timeline->pair().reference() == 0; }});
    table.add({"compare.reference-b", tr("Against &B"), tr("Differences and verdict say how A differs from B"),
        Menu::compare, "Ctrl+Shift+2", two, [this] { m_timeline->pair().setReference(1); },
        [this] { return m_timeline->pair().reference() == 1; }});
    table.add({"compare.typical", tr("T&ypical iterations"),
        tr("Shows a typical iteration of each under one another, and what changed on the critical path between them"),
        Menu::compare, "Ctrl+Shift+T; T", [this] { return m_changes->canCompare(); },
        [this] {
            m_areAsked = !m_changes->found();
            m_timeline->pair().showIterations();
            m_changes->showTypical();
        }});
    table.add({"compare.align-here", tr("Align at the &selection or mark"),
        tr("Uses the start of the selection, or else the last mark, as this recording's anchor; the anchors are "
           "aligned"),
        Menu::compare, "Ctrl+Shift+A", [this, two] { return two() && placeToAlign(); }, [this] { alignHere(); }, {},
        true});
    table.add({"compare.align-name", tr("Align at a &name…"),
        tr("Aligns marks with the same text, or the n-th occurrence of a name, in both recordings"), Menu::compare,
        "Ctrl+Shift+N", two, [this] { alignAtName(); }});
    table.add({"compare.align-starts", tr("Align at the s&tarts"), tr("Aligns the starts of both recordings again"),
        Menu::compare, "Ctrl+Shift+Home", [this, two] { return two() && !m_timeline->pair().alignment().atStarts(); },
        [this] { m_timeline->setAlignment({}); }});
}

/// Of the active recording: the start of what is selected, or the mark that was gone to last.
std::optional<Ns> Compare::placeToAlign() const
{
    const Timeline& active = m_timeline->side(m_timeline->activeIndex());
    if (!active.recording()) {
        return {};
    }
    const TimelineHighlights& over = active.state().highlights;
    return over.selected ? std::optional(spanOf(*active.recording(), over.selected).start)
        : over.range     ? std::optional(over.range->start)
                         : active.state().mark;
}

void Compare::alignHere()
{
    if (const auto place = placeToAlign()) {
        Alignment alignment = m_timeline->pair().alignment();
        alignment.name.clear();
        alignment.uncertainty = 0;  // it is of that name
        alignment.anchor[static_cast<std::size_t>(m_timeline->activeIndex())] = *place;
        m_timeline->setAlignment(alignment);
    }
}

void Compare::alignAtName()
{
    const Timeline& active = m_timeline->side(m_timeline->activeIndex());
    auto* dialog = new AlignDialog(m_workspace->at(0), m_workspace->at(1),
        active.recording() && active.selection() ? nameOf(*active.recording(), active.selection()) : QString(),
        m_timeline->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &AlignDialog::aligned, m_timeline, &ComparisonView::setAlignment);
    dialog->open();
}

}  // namespace lanes::gui
