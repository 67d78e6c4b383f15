// SPDX-License-Identifier: MIT
#include "gui/app/controllers/foreign_files.h"

#include "gui/app/pages/notice_bar.h"
#include "gui/app/pages/panel_tabs.h"
#include "gui/paint/words/time_format.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"

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
    connect(&parts.timeline->pair(), &TimelinePair::timeScaleChanged, this, &ForeignFiles::takeBack);
}

/// "Home shows all" has been done.
void ForeignFiles::takeBack()
{
    if (!m_said.isEmpty() && m_parts.notice->text() == m_said && m_parts.timeline->side(0).state().time.isFitted()) {
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
    const auto& steady = recording->report->steady;
    if (m_parts.workspace->count() != 1 || m_parts.workspace->at(0) != recording || !repeatedPart(*recording)) {
        return;
    }
    const Ns margin = (steady->span.end - steady->span.start) / margin_parts;
    m_parts.timeline->showRange({steady->span.start - margin, steady->span.end + margin});
    const Ns length = steady->span.end - steady->span.start;
    const Ns step = niceStep(static_cast<double>(length) / 100);  // apart, also where the part is short and late
    const QString span = tr("%1 of %2, from %3 on")
                             .arg(formatTime(length), formatTime(recording->trace->duration),
                                 formatTick(steady->span.start, step, recording->trace->duration));
    m_before = m_parts.notice->text();  // what limits how far the recording can be trusted
    QString said = m_before;
    said += said.isEmpty() ? QString() : QStringLiteral(" ");
    said += steady->name.empty()
        ? tr("Shown is the part that repeats: %1 iterations of the same launches, %2. Home shows all.")
              .arg(steady->count)
              .arg(span)
        : tr("Shown is the part that repeats: %1 iterations (%2), %3. Home shows all.")
              .arg(steady->count)
              .arg(QString::fromStdString(steady->name), span);
    m_said = said;
    m_parts.notice->showOffer(
        said, tr("Show all"), [timeline = m_parts.timeline] { timeline->perform(TimelineAction::showAll); });
}

}  // namespace lanes::gui
