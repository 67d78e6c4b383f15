// SPDX-License-Identifier: MIT
#include "gui/app/controllers/lessons.h"

#include "gui/app/controllers/runs.h"
#include "gui/app/controllers/variants.h"
#include "gui/app/pages/gallery_list.h"
#include "gui/app/pages/gallery_page.h"
#include "gui/app/pages/guess_page.h"
#include "gui/app/pages/lecture.h"
#include "gui/app/pages/panel_tabs.h"
#include "gui/app/pages/stage.h"
#include "gui/app/pages/step_through.h"
#include "gui/app/runs/lesson.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/workload_list.h"
#include "gui/session/expectation.h"
#include "gui/session/run_titles.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"

#include <QLocale>
#include <QSettings>

#include <utility>

namespace lanes::gui {

Lessons::Lessons(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
{
    connect(parts.workspace, &Workspace::changed, this, [this] {
        present();
        m_asked.clear();
        if (m_parts.workspace->count() == 0) {
            m_parts.lecture->setOn(false);
            m_parts.stage->showGallery();
        } else {
            m_parts.stage->showLanes();
        }
    });
    connect(parts.workspace, &Workspace::renewed, this, &Lessons::present);
    connect(parts.workloads, &WorkloadList::workloadSelected, this, &Lessons::present);
    connect(parts.stage->gallery(), &GalleryPage::lessonWanted, this,
        [this](const std::shared_ptr<const Workload>& workload) { open(workload, lessonVariants(*workload)); });
    connect(parts.steps, &StepThrough::changed, this, [this] {
        m_parts.stage->makeRoomForSteps(m_parts.steps->isOn());
        refreshLecture();
        emit changed();
    });
    connect(parts.runs, &Runs::begun, this, [this] { m_opening = 0; });
    connect(parts.runs, &Runs::shown, this, [this] {
        if (m_opening > 0 && m_parts.workspace->count() == m_opening) {
            m_opening = 0;
            showFirst();
        }
    });
    connect(parts.stage->guess(), &GuessPage::chosen, this, [this](std::size_t choice) { reveal(choice); });
    connect(parts.stage->guess(), &GuessPage::skipped, this, [this] { reveal({}); });
    LessonPanel* lesson = parts.stage->panels()->lesson();
    connect(lesson, &LessonPanel::compareWanted, this, [this, lesson](const std::string& a, const std::string& b) {
        open(lesson->workload(), b.empty() ? std::vector {a} : std::vector {a, b});
    });
    connect(lesson, &LessonPanel::allWanted, this, [this] { m_parts.stage->focus(PanelName::variants); });
}

void Lessons::addCommands(CommandTable& table)
{
    const auto open = [w = m_parts.workspace] { return w->count() > 0; };
    table.add({"view.full-screen", tr("Full &screen"),
        tr("Title, lanes and text alone, large, for a lecture hall; Esc leaves it"), Menu::view, "F11", open,
        [this] { toggleFullScreen(); }, [this] { return m_parts.lecture->isOn(); }});
    table.add({"lesson.gallery", tr("&Gallery"),
        tr("Shows a card for every workload, each with a picture of its lanes; again: back to the timeline"),
        Menu::lesson, "Ctrl+G", {}, [this] { showGallery(!m_parts.stage->galleryShown()); },
        [this] { return m_parts.stage->galleryShown(); }});
    table.add({"lesson.expect", tr("&Ask what I expect first"),
        tr("A lesson asks how long its second run takes before it shows the lanes, and says how near that was"),
        Menu::lesson, "Ctrl+Shift+G", {}, [this] { setAsking(!m_asking); }, [this] { return m_asking; }});
    table.add({"lesson.step-through", tr("&Step through the run"),
        tr("A line moves through the run and the bar says what happens at each step; its code is lit"), Menu::lesson,
        "F7", open, [s = m_parts.steps] { s->setOn(!s->isOn()); }, [s = m_parts.steps] { return s->isOn(); }, true});
    table.add({"lesson.play", tr("&Play"), tr("Plays the run at the chosen speed; again: pauses"), Menu::lesson, "F9",
        open, [s = m_parts.steps] { s->setPlaying(!s->isPlaying()); }, [s = m_parts.steps] { return s->isPlaying(); }});
    table.add({"lesson.step-forward", tr("Step &forward"), tr("To the next thing that happens in the run"),
        Menu::lesson, "F10", open, [s = m_parts.steps] { s->step(1); }});
    table.add({"lesson.step-back", tr("Step &back"), tr("To what happened before it"), Menu::lesson, "F8", open,
        [s = m_parts.steps] { s->step(-1); }});
    table.add({"lesson.faster", tr("Fas&ter"), tr("Plays faster"), Menu::lesson, "Ctrl+F10", open,
        [s = m_parts.steps] { s->setSpeed(s->speed() + 1); }});
    table.add({"lesson.slower", tr("Slo&wer"), tr("Plays slower"), Menu::lesson, "Ctrl+F8", open,
        [s = m_parts.steps] { s->setSpeed(s->speed() - 1); }});
}

void Lessons::open(const std::shared_ptr<const Workload>& workload, const std::vector<std::string>& variants)
{
    if (m_parts.runs->isBusy()) {
        return;
    }
    const bool listed = m_parts.workloads->select(QString::fromStdString(workload->file));
    const RunDevice device = lessonDevice(*workload, variants);
    std::vector<RunRequest> requests;
    std::vector<VariantSettings> runs;
    for (const std::string& variant : variants) {
        requests.push_back({workload, {variant, {}}, device, {}, {}});
        runs.push_back({variant, {}});
    }
    if (listed) {
        m_parts.form->setRuns(runs);
    }
    m_parts.stage->panels()->choose(PanelName::lesson);
    m_parts.stage->panels()->setVisible(!m_parts.lecture->isOn());
    if (m_asking && requests.size() == 2) {
        m_parts.runs->start(requests, [this](const std::vector<OpenRecordingPtr>& made) { ask(made); });
    } else {
        m_parts.runs->start(requests);
        m_opening = static_cast<int>(requests.size());
    }
}

/// Of recordings in their own time, which begins with the workload; what lies outside of it a key brings back.
void Lessons::showFirst()
{
    const OpenRecordingPtr first = m_parts.workspace->at(0);
    const std::shared_ptr<const Workload> workload
        = first && first->workload ? m_parts.workloads->newest(first->workload) : nullptr;
    if (workload && workload->view) {
        m_parts.timeline->showRange({workload->view->start, workload->view->end});
    }
}

bool Lessons::leaveOne()
{
    if (m_parts.steps->isPlaying()) {
        m_parts.steps->setPlaying(false);
    } else if (m_parts.steps->isOn()) {
        m_parts.steps->setOn(false);
    } else if (m_parts.lecture->isOn()) {
        m_parts.lecture->setOn(false);
    } else {
        return false;
    }
    return true;
}

/// The lesson of what is open, else of the workload that is chosen.
void Lessons::present()
{
    std::vector<LessonRun> runs;
    std::shared_ptr<const Workload> workload;
    for (const OpenRecordingPtr& recording : m_parts.workspace->recordings()) {
        if (recording->workload && (!workload || recording->workload->name == workload->name)) {
            workload = recording->workload;
            runs.push_back({recording->run.variant, recording->trace.get(), recording->report.get()});
        }
    }
    if (workload) {
        workload = m_parts.workloads->newest(workload);
    } else if (m_parts.workspace->count() == 0) {
        workload = m_parts.workloads->selected();
    }
    LessonPanel* lesson = m_parts.stage->panels()->lesson();
    lesson->setOutcome({});
    lesson->present(workload, runs);
    m_parts.variants->present(workload);
    refreshLecture();
}

void Lessons::showGallery(bool shown)
{
    if (shown || m_parts.workspace->count() == 0) {
        m_parts.stage->showGallery();
        m_parts.stage->gallery()->list()->setFocus(Qt::ShortcutFocusReason);
    } else {
        m_parts.stage->focusLanes();
    }
}

void Lessons::toggleFullScreen()
{
    m_parts.lecture->setOn(!m_parts.lecture->isOn());
    refreshLecture();
    m_parts.stage->focusLanes();
}

void Lessons::refreshLecture()
{
    const OpenRecordingPtr first = m_parts.workspace->at(0);
    m_parts.lecture->refresh(first ? longTitle(*first) : QString(), m_parts.steps->isOn());
}

// ---- what do you expect?

void Lessons::setAsking(bool asking)
{
    m_asking = asking;
    m_parts.stage->gallery()->list()->setAsking(asking);
}

void Lessons::ask(const std::vector<OpenRecordingPtr>& recordings)
{
    m_asked = recordings;
    const OpenRecording& a = *recordings[0];
    const OpenRecording& b = *recordings[1];
    const std::shared_ptr<const Workload> workload = a.workload ? m_parts.workloads->newest(a.workload) : nullptr;
    if (!workload) {
        reveal({});
        return;
    }
    m_parts.stage->guess()->ask(titleOf(*workload),
        QString::fromStdString(in_language(workload->description, QLocale().name().toStdString())),
        variantTitle(*workload, a.run.variant), variantTitle(*workload, b.run.variant),
        Expectation::of(*a.report, *b.report));
    m_parts.stage->showGuess();
    emit changed();
}

void Lessons::reveal(std::optional<std::size_t> choice)
{
    const std::vector<OpenRecordingPtr> recordings = std::exchange(m_asked, {});
    m_parts.workspace->set(recordings);
    showFirst();
    if (choice && recordings.size() == 2) {
        m_parts.stage->panels()->lesson()->setOutcome(
            Expectation::of(*recordings[0]->report, *recordings[1]->report).outcome(*choice));
    }
    m_parts.stage->focusLanes();
    emit changed();
}

void Lessons::restore(const QSettings& settings)
{
    setAsking(settings.value(QStringLiteral("ask"), false).toBool());
}

void Lessons::remember(QSettings& settings) const
{
    m_parts.lecture->setOn(false);  // the window that is remembered is the usual one
    settings.setValue(QStringLiteral("ask"), m_asking);
}

}  // namespace lanes::gui
