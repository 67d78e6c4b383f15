// SPDX-License-Identifier: MIT
#include "gui/app/open/foreign_files.h"

#include "gui/app/frame/panel_tabs.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace lanes::gui {

namespace {

constexpr Ns margin_parts = 50;  // of the part that is shown, beside it

}  // namespace

bool showsForeign(const Workspace& workspace)
{
    const auto& shown = workspace.recordings();
    return std::any_of(
        shown.begin(), shown.end(), [](const OpenRecordingPtr& recording) { return !recording->workload; });
}

ForeignFiles::ForeignFiles(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
{
    connect(parts.workspace, &Workspace::changed, this, [this] {
        setAwaiting(false);
        const bool foreign = showsForeign(*m_parts.workspace);
        if (foreign != m_foreign) {
            m_foreign = foreign;
            foreign ? fold() : unfold();
        }
        if (m_parts.workspace->count() == 1) {
            // Once the lanes have the room that the folded side leaves them.
            QTimer::singleShot(0, this, [this, recording = m_parts.workspace->at(0)] { showWhatMatters(recording); });
        }
    });
}

void ForeignFiles::setAwaiting(bool awaiting)
{
    if (awaiting == m_isAwaiting) {
        return;
    }
    m_isAwaiting = awaiting;
    for (const int side : {0, 1}) {
        m_parts.timeline->view(side)->setOpening(awaiting);
    }
}

void ForeignFiles::complete()
{
    const bool untouched = m_parts.timeline->side(0).state().time.isFitted();
    m_parts.timeline->pair().settle();
    if (untouched && m_parts.workspace->count() == 1) {
        showWhatMatters(m_parts.workspace->at(0));
    }
}

void ForeignFiles::fold()
{
    m_folded = !m_parts.lessonSide->isHidden();
    m_parts.lessonSide->hide();
    m_parts.panels->setLessonsShown(false);
    m_parts.panels->leaveEmptyFindings();
}

void ForeignFiles::unfold()
{
    if (std::exchange(m_folded, false)) {
        m_parts.lessonSide->show();
    }
    m_parts.panels->setLessonsShown(true);
}

void ForeignFiles::showWhatMatters(const OpenRecordingPtr& recording)
{
    auto part = recording ? repeatedPart(*recording) : std::nullopt;
    if (recording && !recording->workload && !part) {
        part = workingPart(*recording);
    }
    // Who has moved the view meanwhile, such as a live recording, looks at what matters to him.
    if (part && m_parts.workspace->at(0) == recording && m_parts.timeline->side(0).state().time.isFitted()) {
        const Ns margin = (part->end - part->start) / margin_parts;
        m_parts.timeline->showRange({part->start - margin, part->end + margin});
    }
}

}  // namespace lanes::gui
