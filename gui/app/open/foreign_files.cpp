// SPDX-License-Identifier: MIT
#include "gui/app/open/foreign_files.h"

#include "gui/app/frame/notice_bar.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/paint/words/time_format.h"
#include "gui/session/span_text.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QTimer>

#include <algorithm>
#include <utility>

namespace lanes::gui {

namespace {

constexpr Ns margin_parts = 50;  // of the part that is shown, beside it

/// Whether it is what one sees: it or a part of it, and not much beside it.
bool isSeen(Interval part, Interval visible)
{
    const Ns length = part.end - part.start;
    const Ns shown = visible.end - visible.start;
    const Ns both = std::min(part.end, visible.end) - std::max(part.start, visible.start);
    return 10 * both >= 9 * std::min(length, shown) && shown <= 2 * length;
}

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
        const bool foreign = showsForeign(*m_parts.workspace);
        if (foreign != m_foreign) {
            m_foreign = foreign;
            foreign ? fold() : unfold();
        }
        if (!m_said.isEmpty() && m_parts.notice->text() == m_said) {
            m_parts.notice->hide();  // it is of what was shown alone
        }
        if (m_parts.workspace->count() == 1) {
            // Once the lanes have the room that the folded side leaves them.
            QTimer::singleShot(0, this, [this, recording = m_parts.workspace->at(0)] { showRepeated(recording); });
        }
    });
    connect(&parts.timeline->pair(), &TimelinePair::timeScaleChanged, this, &ForeignFiles::followView);
}

/// The notice says what is shown, as long as that is shown.
void ForeignFiles::followView()
{
    if (m_said.isEmpty() || m_parts.notice->text() != m_said) {
        return;
    }
    const Timeline& timeline = m_parts.timeline->side(0);
    const OpenRecordingPtr recording = m_parts.workspace->at(0);
    if (timeline.state().time.isFitted() || !recording || !repeatedPart(*recording)
        || !isSeen(*repeatedPart(*recording), timeline.visibleRange())) {
        m_before.isEmpty() ? m_parts.notice->hide() : m_parts.notice->showNotice(m_before);
        m_said.clear();
    }
}

void ForeignFiles::complete()
{
    const bool untouched = m_parts.timeline->side(0).state().time.isFitted();
    m_parts.timeline->pair().settle();
    if (untouched && m_parts.workspace->count() == 1) {
        showRepeated(m_parts.workspace->at(0));
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

void ForeignFiles::showRepeated(const OpenRecordingPtr& recording)
{
    if (m_parts.workspace->at(0) != recording || !m_parts.workspace->repeated()) {
        return;
    }
    m_before = m_parts.notice->text();  // what limits how far the recording can be trusted
    const Interval part = recording->report->steady->span;
    const Ns margin = (part.end - part.start) / margin_parts;
    m_said.clear();
    m_parts.timeline->showRange({part.start - margin, part.end + margin});
    say(*recording);
}

void ForeignFiles::say(const OpenRecording& recording)
{
    const auto& steady = recording.report->steady;
    const Ns length = steady->span.end - steady->span.start;
    const QString span = tr("%1 of %2, from %3 on")
                             .arg(formatTime(length), formatTime(recording.report->wall), endTexts(steady->span).first);
    const QString iterations = steady->name.empty()
        ? tr("%1 iterations of the same launches, %2").arg(steady->count).arg(span)
        : tr("%1 iterations (%2), %3").arg(steady->count).arg(QString::fromStdString(steady->name), span);
    m_said = m_before + (m_before.isEmpty() ? QString() : QStringLiteral(" "))
        + tr("Showing the part that repeats: %1. Home shows all.").arg(iterations);
    m_parts.notice->showOffer(
        m_said, tr("Show all"), [timeline = m_parts.timeline] { timeline->perform(TimelineAction::showAll); });
}

}  // namespace lanes::gui
