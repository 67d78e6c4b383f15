// SPDX-License-Identifier: MIT
// What commands do with two recordings: align them, swap them, choose the reference.
#include "gui/app/align_dialog.h"
#include "gui/app/main_window.h"
#include "gui/timeline/comparison_view.h"

namespace lanes::gui {

void MainWindow::alignHere()
{
    const TimelineView* view = m_timeline->activeView();
    const auto side = static_cast<std::size_t>(m_timeline->activeIndex());
    if (!view->recording()) {
        return;
    }
    const auto place = view->selection() ? std::optional(spanOf(*view->recording(), view->selection()).start)
        : view->selectedRange()          ? std::optional(view->selectedRange()->start)
                                         : view->currentMark();
    if (!place) {
        return;
    }
    Alignment alignment = m_timeline->alignment();
    alignment.name.clear();
    alignment.anchor[side] = *place;
    m_timeline->setAlignment(alignment);
}

void MainWindow::alignAtName()
{
    const TimelineView* view = m_timeline->activeView();
    auto* dialog = new AlignDialog(m_session.at(0), m_session.at(1),
        view->recording() && view->selection() ? nameOf(*view->recording(), view->selection()) : QString(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &AlignDialog::aligned, m_timeline, &ComparisonView::setAlignment);
    dialog->open();
}

void MainWindow::alignStarts()
{
    m_timeline->setAlignment({});
}

void MainWindow::setReference(int side)
{
    m_timeline->setReference(side);
}

/// A range of A's time in the time of each recording.
std::array<Interval, 2> MainWindow::rangesOf(TimeSpan ofA) const
{
    const TimeSpan ofB = m_timeline->alignment().across(ofA, 0);
    return {Interval {ofA.start, ofA.end}, Interval {ofB.start, ofB.end}};
}

}  // namespace lanes::gui
