// SPDX-License-Identifier: MIT
#include "gui/app/explore/mark_menu.h"

#include "gui/app/open/mark_memory.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QAction>
#include <QMenu>

namespace lanes::gui {

MarkMenu::MarkMenu(Workspace* workspace, ComparisonView* timeline)
    : QObject(timeline)
    , m_workspace(workspace)
    , m_timeline(timeline)
    , m_menu(new QMenu(tr("Mar&ks"), timeline))
{
    connect(m_menu, &QMenu::aboutToShow, this, &MarkMenu::fill);
    connect(&timeline->pair(), &TimelinePair::marksChanged, this, [this](int side) {
        if (const OpenRecordingPtr recording = m_workspace->at(side); recording && !recording->path.isEmpty()) {
            rememberMarks(recording->path, recording->marks->all());
        }
    });
}

void MarkMenu::fill()
{
    m_menu->clear();
    for (int side = 0; side < m_workspace->count(); ++side) {
        const auto& marks = m_workspace->at(side)->marks->all();
        for (std::size_t i = 0; i < marks.size(); ++i) {
            QStringList words;
            if (m_workspace->count() > 1) {
                words += side == 0 ? QStringLiteral("A") : QStringLiteral("B");
            }
            words += formatTime(marks[i].time);
            if (!marks[i].text.empty()) {
                words += entryText(nameText(marks[i].text).simplified());
            }
            QAction* entry = m_menu->addAction(words.join(QStringLiteral(" · ")));
            connect(entry, &QAction::triggered, this, [this, side, i] { m_timeline->side(side).marks().goTo(i); });
        }
    }
    if (m_menu->isEmpty()) {
        m_menu->addAction(tr("There are none yet"))->setEnabled(false);
    }
}

}  // namespace lanes::gui
