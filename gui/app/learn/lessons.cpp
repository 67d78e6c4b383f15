// SPDX-License-Identifier: MIT
#include "gui/app/learn/lessons.h"

#include "gui/app/compare/variants.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/app/frame/stage.h"
#include "gui/app/learn/gallery_list.h"
#include "gui/app/learn/gallery_page.h"
#include "gui/app/learn/guess_page.h"
#include "gui/app/learn/lecture.h"
#include "gui/app/learn/lesson.h"
#include "gui/app/learn/presenter.h"
#include "gui/app/learn/presenter_notes.h"
#include "gui/app/learn/step_through.h"
#include "gui/app/open/foreign_files.h"
#include "gui/app/run/device_choice.h"
#include "gui/app/run/runs.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/workload_list.h"
#include "gui/session/predicted_changes.h"
#include "gui/session/run_titles.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"

#include <QApplication>
#include <QRandomGenerator>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace lanes::gui {

namespace {

/// How two runs are set up differently: "Host memory: pageable → pinned", "Streams: 1 → 2".
QStringList differencesOf(const Workload& workload, const OpenRecording& a, const OpenRecording& b)
{
    QStringList lines;
    const auto add = [&](const QString& name, const QString& before, const QString& after) {
        if (before != after) {
            lines += QStringLiteral("%1: %2 → %3").arg(name, before, after);
        }
    };
    for (const Parameter& parameter : workload.parameters) {
        add(labelOf(parameter), valueIn(workload, a.run, parameter), valueIn(workload, b.run, parameter));
    }
    add(Lessons::tr("Streams"), QString::number(a.trace->streams.size()), QString::number(b.trace->streams.size()));
    return lines;
}

}  // namespace

Lessons::Lessons(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
{
    parts.form->setPairOf(&lessonVariants);
    followRecordings();
    followCatalogue();
    followGuess();
    followLecture();
    connectPanel(parts.stage->panels()->lesson());
    connect(parts.device, &DeviceChoice::gpusKnown, this, [this] {
        sayPlace();
        emit changed();
    });
}

/// What is open, and what is about to be.
void Lessons::followRecordings()
{
    connect(m_parts.workspace, &Workspace::changed, this, [this] {
        m_parts.presenter->begin();
        present();
        if (m_begins) {
            return;  // the question comes in their place
        }
        m_asked.clear();
        m_quiz = nullptr;
        if (m_parts.workspace->count() == 0) {
            m_parts.lecture->setOn(false);
            m_parts.stage->showGallery();
        } else if (const QWidget* focus = QApplication::focusWidget(); m_parts.stage->galleryShown()
                   && (focus == nullptr || m_parts.stage->gallery()->isAncestorOf(focus))) {
            m_parts.stage->focusLanes();  // its keys work at once
        } else {
            m_parts.stage->showLanes();
        }
    });
    connect(m_parts.workspace, &Workspace::renewed, this, &Lessons::present);
    connect(m_parts.runs, &Runs::begun, this, [this] { m_opening = 0; });
    connect(m_parts.runs, &Runs::shown, this, [this] {
        if (m_opening == 0 || m_parts.workspace->count() == m_opening) {  // a run shows the same as the lesson's text
            m_opening = 0;
            showFirst();
        }
    });
}

/// The list of workloads and the gallery. The card with the focus and the workload of the list are one: Run is about
/// it.
void Lessons::followCatalogue()
{
    GalleryList* cards = m_parts.stage->gallery()->list();
    connect(m_parts.workloads, &WorkloadList::workloadSelected, this, &Lessons::present);
    connect(m_parts.workloads, &WorkloadList::workloadSelected, cards, &GalleryList::choose);
    connect(m_parts.stage->gallery(), &GalleryPage::lessonWanted, this,
        [this](const std::shared_ptr<const Workload>& workload) { open(workload, lessonVariants(*workload)); });
    connect(cards, &QListWidget::currentRowChanged, this, [this, cards](int row) {
        if (row >= 0 && cards->hasFocus()) {
            m_parts.workloads->select(QString::fromStdString(cards->workloadAt(row)->file));
        }
    });
}

/// What the user expects, and the questions of a lesson.
void Lessons::followGuess()
{
    GuessPage* guess = m_parts.stage->guess();
    connect(guess, &GuessPage::chosen, this, [this](std::size_t choice) {
        m_quiz ? answerQuestion(static_cast<int>(choice)) : reveal(m_expected.outcome(choice));
    });
    connect(guess, &GuessPage::counted, this,
        [this](const std::vector<int>& hands) { m_quiz ? answerQuestion(-1) : reveal(m_expected.outcome(hands)); });
    connect(guess, &GuessPage::nextWanted, this, &Lessons::nextQuestion);
    connect(guess, &GuessPage::skipped, this, [this] { m_quiz ? leaveQuiz({}) : reveal({}); });
}

/// Steps, the full screen and the presenter's notes.
void Lessons::followLecture()
{
    connect(m_parts.steps, &StepThrough::changed, this, [this] {
        m_parts.stage->makeRoomForSteps(m_parts.steps->isOn());
        if (m_speedBefore >= 0 && !m_parts.steps->isPlaying()) {
            showOutcome();
        }
        refreshLecture();
        emit changed();
    });
    connect(m_parts.presenter, &Presenter::changed, this, &Lessons::refreshLecture);
    connect(m_parts.presenter, &Presenter::nextLessonWanted, this, [this] { openNeighbour(1); });
    connect(m_parts.lecture, &Lecture::turned, this,
        [this](bool on) { m_parts.notes->setOn(on && (m_parts.notes->isOn() || m_parts.notes->hasOwnScreen())); });
    connect(m_parts.notes, &PresenterNotes::leaveWanted, this, &Lessons::leaveOne);
    connect(m_parts.notes, &PresenterNotes::turned, this, [this] {
        takeNotes();
        emit changed();
    });
    connect(this, &Lessons::changed, this, &Lessons::takeNotes);
}

void Lessons::connectPanel(LessonPanel* lesson)
{
    connect(lesson, &LessonPanel::compareWanted, this, [this, lesson](const std::string& a, const std::string& b) {
        open(lesson->workload(), b.empty() ? std::vector {a} : std::vector {a, b});
    });
    connect(lesson, &LessonPanel::otherWanted, this, &Lessons::openNeighbour);
    connect(lesson, &LessonPanel::hereWanted, this, &Lessons::runHere);
    connect(lesson, &LessonPanel::quizWanted, this, &Lessons::openQuiz);
    connect(lesson, &LessonPanel::allWanted, this, [this] { m_parts.stage->focus(PanelName::variants); });
}

void Lessons::addCommands(CommandTable& table)
{
    const auto open = [w = m_parts.workspace] { return w->count() > 0; };
    table.add({"view.full-screen", tr("Full &screen"),
        tr("Lanes and explanations, large, for a lecture hall: → or Page Down goes through the lesson, ← or Page Up "
           "back, Esc leaves"),
        Menu::view, "F11", [this] { return mayShowFull(); }, [this] { toggleFullScreen(); },
        [this] { return m_parts.lecture->isOn(); }});
    table.add({"lesson.gallery", tr("&Gallery"),
        tr("Shows a card with a picture for each workload; again: returns to the timeline"), Menu::lesson, "Ctrl+G", {},
        [this] { showGallery(!m_parts.stage->galleryShown()); }, [this] { return m_parts.stage->galleryShown(); }});
    table.add({"lesson.next", tr("&Next lesson"), tr("Opens the next lesson"), Menu::lesson, "Ctrl+PgDown",
        [this] { return !m_parts.runs->isBusy() && neighbour(1); }, [this] { openNeighbour(1); }});
    table.add({"lesson.previous", tr("Pre&vious lesson"), tr("Opens the previous lesson"), Menu::lesson, "Ctrl+PgUp",
        [this] { return !m_parts.runs->isBusy() && neighbour(-1); }, [this] { openNeighbour(-1); }});
    table.add({"lesson.here", tr("&On this GPU"),
        tr("Runs the lesson's active variant on this machine's GPU, under the recording that came with Lanescope"),
        Menu::lesson, "Ctrl+Shift+F5", [this] { return canRunHere(); }, [this] { runHere(); }});
    table.add({"lesson.expect", tr("&Ask what I expect first"),
        tr("A lesson asks its questions, or how long its second run takes, before it shows the lanes"), Menu::lesson,
        "Ctrl+Shift+G", {}, [this] { setAsking(!m_asking); }, [this] { return m_asking; }});
    table.add({"lesson.quiz", tr("&Questions"), tr("Asks the questions of the lesson that is open"), Menu::lesson,
        "Ctrl+Shift+Q", [this] { return shown() && !shown()->quiz.empty() && !isAsked(); }, [this] { openQuiz(); }});
    table.add({"lesson.notes", tr("Notes for the p&resenter"),
        tr("A window of its own, on full screen on another screen: what comes next, the answer, why and the rule "
           "before "
           "the stage has them, and the time"),
        Menu::lesson, "Shift+F11", [this] { return mayShowFull() || m_parts.notes->isOn(); },
        [this] { m_parts.notes->setOn(!m_parts.notes->isOn()); }, [this] { return m_parts.notes->isOn(); }});
    table.add({"lesson.step-through", tr("&Step through the run"),
        tr("A line moves through the run; the bar explains each step and its code is highlighted"), Menu::lesson, "F7",
        open, [s = m_parts.steps] { s->setOn(!s->isOn()); }, [s = m_parts.steps] { return s->isOn(); }, true});
    table.add({"lesson.play", tr("&Play"), tr("Plays the run at the chosen speed; again: pauses"), Menu::lesson, "F9",
        open, [s = m_parts.steps] { s->setPlaying(!s->isPlaying()); }, [s = m_parts.steps] { return s->isPlaying(); }});
    table.add({"lesson.step-forward", tr("Step &forward"), tr("Goes to the next step of the run"), Menu::lesson, "F10",
        open, [s = m_parts.steps] { s->step(1); }});
    table.add({"lesson.step-back", tr("Step &back"), tr("Goes to the previous step of the run"), Menu::lesson, "F8",
        open, [s = m_parts.steps] { s->step(-1); }});
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
    if (const QString name = QString::fromStdString(workload->name); !m_seen.contains(name)) {
        m_seen += name;
        m_parts.stage->gallery()->list()->setSeen(m_seen);
    }
    RunDevice device = lessonDevice(*workload, variants);
    if (device.kind == RunDevice::Kind::model) {
        if (!m_parts.runs->mayRun(*workload)) {
            return;
        }
        const RunDevice chosen = m_parts.device->device();
        device = chosen.kind == RunDevice::Kind::model ? chosen : device;
    }
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
    } else if (m_quiz) {
        leaveQuiz({});
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
        const bool isOther = workload && recording->workload && recording->workload->name != workload->name;
        if (recording->workload && !isOther && !isPredicted(*recording->trace)) {
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
    m_parts.lecture->setOutcome({});
    lesson->present(workload, runs);
    m_parts.variants->present(workload);
    aim();
    sayPlace();
    refreshLecture();
}

/// Runs on a model are on that of the GPU of what is shown, else of the chosen lesson's recordings.
void Lessons::aim()
{
    const OpenRecordingPtr first = m_parts.workspace->at(0);
    if (first && first->workload) {
        m_parts.device->follow(deviceName(*first->trace));
    } else if (const auto chosen = m_parts.workloads->selected(); chosen && !first) {
        const RunDevice recorded = lessonDevice(*chosen, lessonVariants(*chosen));
        m_parts.device->follow(recorded.kind == RunDevice::Kind::recorded ? recorded.argument : QString());
    }
}

void Lessons::showGallery(bool shown)
{
    if (!shown && isAsked()) {
        m_parts.stage->showGuess();
    } else if (shown || m_parts.workspace->count() == 0) {
        m_parts.stage->showGallery();
        GalleryList* cards = m_parts.stage->gallery()->list();
        cards->choose(this->shown());
        cards->setFocus(Qt::ShortcutFocusReason);
    } else {
        m_parts.stage->focusLanes();
    }
}

void Lessons::toggleFullScreen()
{
    m_parts.lecture->setOn(!m_parts.lecture->isOn());
    refreshLecture();
    if (isAsked()) {
        m_parts.stage->showGuess();
    } else {
        m_parts.stage->focusLanes();
    }
}

bool Lessons::mayShowFull() const
{
    return m_parts.workspace->count() > 0 || !m_asked.empty() || m_parts.lecture->isOn();
}

bool Lessons::isFull() const
{
    return m_parts.lecture->isOn();
}

// ---- the path through the lessons

/// What the lesson panel is about.
std::shared_ptr<const Workload> Lessons::shown() const
{
    const auto& open = m_parts.stage->panels()->lesson()->workload();
    return open ? open : m_parts.workloads->selected();
}

/// The catalogue's, in the order in which they are best learnt.
std::vector<std::shared_ptr<const Workload>> Lessons::path() const
{
    auto all = m_parts.workloads->workloads();
    std::erase_if(
        all, [this](const auto& each) { return m_parts.workloads->isOwn(QString::fromStdString(each->file)); });
    return all;
}

std::shared_ptr<const Workload> Lessons::neighbour(int by) const
{
    const auto all = path();
    const auto here = shown();
    const auto at
        = std::find_if(all.begin(), all.end(), [&](const auto& each) { return here && each->name == here->name; });
    const auto next = at == all.end() ? -1 : (at - all.begin()) + by;
    return next < 0 || next >= static_cast<std::ptrdiff_t>(all.size()) ? nullptr : all[static_cast<std::size_t>(next)];
}

void Lessons::openNeighbour(int by)
{
    if (const auto next = neighbour(by)) {
        open(next, lessonVariants(*next));
    }
}

/// Its chapter and minutes, and which lessons one should know before it.
QString Lessons::courseText(const Workload& workload) const
{
    const QString chapter = chapterOf(workload);
    const CourseLesson* lesson = ownCourse().find(workload.name);
    QStringList before;
    for (const auto& each : path()) {
        if (lesson != nullptr
            && std::find(lesson->after.begin(), lesson->after.end(), each->name) != lesson->after.end()) {
            before += titleOf(*each);
        }
    }
    return before.isEmpty() ? chapter : tr("%1 · after: %2").arg(chapter, before.join(tr(", ")));
}

/// Beside the title: which lesson it is, where one can go from it, and whether it runs here.
void Lessons::sayPlace()
{
    const auto all = path();
    const auto here = shown();
    const auto at
        = std::find_if(all.begin(), all.end(), [&](const auto& each) { return here && each->name == here->name; });
    const QString place = at == all.end() ? QString() : tr("%1 of %2").arg(at - all.begin() + 1).arg(all.size());
    const auto next = neighbour(1);
    LessonPanel* lesson = m_parts.stage->panels()->lesson();
    lesson->setPlace(place, here ? courseText(*here) : QString(), neighbour(-1) != nullptr, next != nullptr);
    const bool foreign = showsForeign(*m_parts.workspace);  // no lesson is before the audience then
    m_parts.lecture->setPlace(foreign ? QString() : place, next && !foreign ? titleOf(*next) : QString());
    lesson->setHere(m_parts.device->gpu().has_value());
}

bool Lessons::canRunHere() const
{
    const OpenRecordingPtr active = m_parts.workspace->at(m_parts.workspace->active());
    return m_parts.device->gpu() && active && active->workload && !m_parts.runs->isBusy();
}

/// The active variant, as it was recorded and as it runs here.
void Lessons::runHere()
{
    if (!canRunHere()) {
        return;
    }
    const OpenRecordingPtr active = m_parts.workspace->at(m_parts.workspace->active());
    if (!m_parts.runs->mayRun(*m_parts.workloads->newest(active->workload))) {
        return;
    }
    const auto workload = m_parts.workloads->newest(active->workload);
    const std::string variant = active->run.variant;
    const RunDevice here = *m_parts.device->gpu();
    m_parts.runs->start({{workload, {variant, {}}, lessonDevice(*workload, {variant}), {}, {}},
                            {workload, {variant, {}}, here, {}, {}}},
        [this, workload, variant](const std::vector<OpenRecordingPtr>& made) {
            m_parts.workspace->set(
                {made[0], titled(made[1], tr("%1, on this machine").arg(variantTitle(*workload, variant)))});
            m_parts.stage->focusLanes();
        });
}

void Lessons::refreshLecture()
{
    const OpenRecordingPtr first = m_parts.workspace->at(0);
    m_parts.lecture->refresh(first ? longTitle(*first) : QString(), m_parts.presenter->part());
    takeNotes();
}

void Lessons::takeNotes()
{
    if (!m_parts.notes->isOn()) {
        return;
    }
    const LessonPanel* lesson = m_parts.stage->panels()->lesson();
    const std::shared_ptr<const Workload> workload = m_quiz ? m_quiz : shown();
    PresenterNotes::Content content;
    if (workload) {
        content.title = titleOf(*workload);
        content.place = courseText(*workload);
    }
    if (isAsked()) {
        content.sections.push_back({tr("The answer"), answer()});
    } else if (m_parts.lecture->isOn()) {
        const QString ahead = m_parts.presenter->text(1);
        const auto next = neighbour(1);
        content.sections = {{tr("On the stage"), m_parts.presenter->text(0)},
            {tr("With the next key"), ahead.isEmpty() && next ? tr("the next lesson: %1").arg(titleOf(*next)) : ahead}};
    }
    const auto texts = lesson->sections();
    content.sections.insert(content.sections.end(), texts.begin(), texts.end());
    if (workload && !workload->matters.issue.empty()) {
        content.sections.push_back({tr("Why it matters"), inLanguage(workload->matters.text)});
    }
    m_parts.notes->set(content);
}

/// To what is asked: the right one, and why each other is not.
QString Lessons::answer() const
{
    if (!m_quiz) {
        return m_expected.text(m_expected.right);
    }
    QStringList lines;
    for (const QuizQuestion::Choice& choice : m_quiz->quiz[m_question].choices) {
        const QString line = QStringLiteral("%1 %2 %3")
                                 .arg(choice.right ? QStringLiteral("\u2713") : QStringLiteral("\u2013"),
                                     inLanguage(choice.text), inLanguage(choice.why));
        choice.right ? lines.prepend(line) : lines.append(line);
    }
    return lines.join(QLatin1Char('\n'));
}

// ---- what do you expect?

void Lessons::setAsking(bool asking)
{
    m_asking = asking;
    m_parts.stage->gallery()->list()->setAsking(asking);
}

void Lessons::ask(const std::vector<OpenRecordingPtr>& recordings)
{
    m_begins = true;  // what was open goes, as it does for lanes: title, code and what is saved are not of it
    m_parts.workspace->set({});
    m_begins = false;
    m_asked = recordings;
    const OpenRecording& a = *recordings[0];
    const std::shared_ptr<const Workload> workload = a.workload ? m_parts.workloads->newest(a.workload) : nullptr;
    if (workload && !workload->quiz.empty()) {
        m_quiz = workload;
        m_question = m_rightAnswers = 0;
        askQuestion();
    } else {
        askTotals();
    }
}

void Lessons::askTotals()
{
    const OpenRecording& a = *m_asked[0];
    const OpenRecording& b = *m_asked[1];
    const std::shared_ptr<const Workload> workload = a.workload ? m_parts.workloads->newest(a.workload) : nullptr;
    // When a run that ends with an error ends is the driver's affair: nobody can expect a total.
    if (!workload || !a.report->complete || !b.report->complete) {
        reveal({});
        return;
    }
    m_expected = Expectation::of(*a.report, *b.report, QRandomGenerator::global()->generate());
    QStringList choices;
    for (std::size_t i = 0; i < m_expected.choices.size(); ++i) {
        choices += m_expected.text(i);
    }
    m_parts.stage->guess()->ask(titleOf(*workload), differencesOf(*workload, a, b),
        m_expected.question(variantTitle(*workload, a.run.variant), variantTitle(*workload, b.run.variant)), choices);
    m_parts.stage->showGuess();
    emit asked();
    emit changed();
}

// ---- the questions of a lesson

/// Those of the lesson whose lanes are open, which come back afterwards.
void Lessons::openQuiz()
{
    const std::shared_ptr<const Workload> workload = shown();
    if (workload && !workload->quiz.empty() && !isAsked()) {
        m_quiz = workload;
        m_question = m_rightAnswers = 0;
        askQuestion();
    }
}

void Lessons::askQuestion()
{
    const QuizQuestion& question = m_quiz->quiz[m_question];
    QStringList choices;
    for (const QuizQuestion::Choice& choice : question.choices) {
        choices += inLanguage(choice.text);
    }
    m_parts.stage->guess()->ask(
        tr("%1 · question %2 of %3").arg(titleOf(*m_quiz)).arg(m_question + 1).arg(m_quiz->quiz.size()), {},
        inLanguage(question.question), choices);
    m_parts.stage->showGuess();
    emit asked();
    emit changed();
}

/// -1: a hall has counted its hands.
void Lessons::answerQuestion(int chosen)
{
    const QuizQuestion& question = m_quiz->quiz[m_question];
    std::size_t right = 0;
    QStringList whys;
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        right = question.choices[i].right ? i : right;
        whys += inLanguage(question.choices[i].why);
    }
    m_rightAnswers += chosen == static_cast<int>(right) ? 1 : 0;
    const bool last = m_question + 1 == m_quiz->quiz.size();
    m_parts.stage->guess()->answer(right, chosen, whys, last ? tr("Show the lanes") : tr("Next question"));
}

void Lessons::nextQuestion()
{
    if (!m_quiz) {
        return;
    }
    if (++m_question < m_quiz->quiz.size()) {
        askQuestion();
    } else {
        leaveQuiz(m_parts.lecture->isOn() ? tr("Now see what happened")
                                          : tr("%1 of %2 right").arg(m_rightAnswers).arg(m_quiz->quiz.size()));
    }
}

/// To the lanes: those that waited, or those that were there.
void Lessons::leaveQuiz(const QString& outcome)
{
    m_quiz = nullptr;
    if (!m_asked.empty()) {
        reveal(outcome);
        return;
    }
    if (m_parts.workspace->count() > 0) {
        m_parts.stage->focusLanes();
    } else {
        m_parts.stage->showGallery();
    }
    m_parts.stage->panels()->lesson()->setOutcome(outcome);
    emit changed();
}

/// Plays both runs; what was expected is shown beside them when they have been played.
void Lessons::reveal(const QString& outcome)
{
    const std::vector<OpenRecordingPtr> recordings = std::exchange(m_asked, {});
    m_parts.workspace->set(recordings);
    showFirst();
    m_parts.stage->focusLanes();
    const bool ended = std::all_of(
        recordings.begin(), recordings.end(), [](const OpenRecordingPtr& each) { return each->report->complete; });
    if (!outcome.isEmpty() && !ended) {
        m_parts.stage->panels()->lesson()->setOutcome(outcome);
    } else if (!outcome.isEmpty()) {
        m_outcome = outcome;
        m_parts.timeline->setRevealing(true);
        m_parts.timeline->perform(TimelineAction::showAll);  // a race is seen from start to end
        m_parts.steps->setOn(true);
        m_speedBefore = m_parts.steps->speed();
        m_parts.steps->setSpeed(static_cast<int>(StepThrough::speedNames().size()) - 1);
        m_parts.steps->setPlaying(true);
    }
    emit changed();
}

void Lessons::showOutcome()
{
    m_parts.steps->setSpeed(std::exchange(m_speedBefore, -1));
    m_parts.steps->setOn(false);
    m_parts.timeline->setRevealing(false);
    m_parts.timeline->select(m_parts.timeline->activeIndex(), {});
    m_parts.timeline->perform(TimelineAction::showAll);  // playing led to the end of A
    m_parts.stage->panels()->lesson()->setOutcome(m_outcome);
    m_parts.lecture->setOutcome(m_outcome);
}

void Lessons::restore(const QSettings& settings)
{
    setAsking(settings.value(QStringLiteral("ask"), false).toBool());
    m_seen = settings.value(QStringLiteral("seen")).toStringList();
    m_parts.stage->gallery()->list()->setSeen(m_seen);
}

void Lessons::remember(QSettings& settings) const
{
    m_parts.lecture->setOn(false);  // the window that is remembered is the usual one
    settings.setValue(QStringLiteral("ask"), m_asking);
    settings.setValue(QStringLiteral("seen"), m_seen);
}

}  // namespace lanes::gui
