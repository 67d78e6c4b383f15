// SPDX-License-Identifier: MIT
#include "gui/app/record/live_recording.h"

#include "engine/store/atomic_file.h"
#include "gui/app/frame/job_queue.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/frame/resource_folder.h"
#include "gui/app/open/files.h"
#include "gui/app/record/monitor_strip.h"
#include "gui/app/record/record_advice.h"
#include "gui/app/record/record_dialog.h"
#include "gui/paint/words/printable_text.h"
#include "gui/session/problem_text.h"
#include "gui/session/workspace.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"

#include <QDir>
#include <QEventLoop>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace lanes::gui {

namespace {

constexpr Ns usual_span = Ns {5} * 1000 * 1000 * 1000;
constexpr qint64 silence_ms = 2000;  // without records; they come eight times a second
constexpr int tick_ms = 500;

/// What the user placed stays on its events where the times count from another start.
void moveMarkup(const OpenRecording& recording, Ns by)
{
    std::vector<UserMark> marks = recording.marks->all();
    for (UserMark& mark : marks) {
        mark.time += by;
    }
    recording.marks->set(std::move(marks));
    for (Annotation& one : *recording.annotations) {
        one.from.time += by;
        one.to.time += by;
    }
}

}  // namespace

LiveRecording::LiveRecording(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_run(new RecordRun(this))
{
    connect(m_run, &RecordRun::looked, this, &LiveRecording::take);
    connect(m_run, &RecordRun::said, parts.strip, &MonitorStrip::addOutput);
    connect(m_run, &RecordRun::ended, this, &LiveRecording::takeEnd);
    m_tick.setInterval(tick_ms);
    connect(&m_tick, &QTimer::timeout, this, &LiveRecording::sayState);
    // Setters of the timeline emit none of these: it is the user who moves, selects and measures.
    connect(&parts.timeline->side(0), &Timeline::timeScaleChanged, this, &LiveRecording::viewMoved);
    connect(parts.workspace, &Workspace::selectionChanged, this, [this] {
        if (m_parts.workspace->selection().event) {
            looksAtSomething();
        }
    });
    connect(parts.workspace, &Workspace::selectedRangesChanged, this, [this] {
        if (m_parts.workspace->hasRange()) {
            looksAtSomething();
        }
    });
    // A field or a drag over the lanes needs them where they are.
    const auto annotates = [this] {
        Timeline& shown = m_parts.timeline->side(0);
        if (shown.annotations().pending() || shown.hasChosen()) {
            looksAtSomething();
        }
    };
    Timeline& shown = parts.timeline->side(0);
    connect(&shown.annotations(), &AnnotationHand::pendingChanged, this, annotates);
    connect(&shown.annotations(), &AnnotationHand::chosen, this, annotates);
    connect(&shown.marks(), &MarkHand::chose, this, annotates);
}

void LiveRecording::addCommands(CommandTable& table)
{
    const auto running = [this] { return isRunning(); };
    const auto unkept = [this] { return !isRunning() && !m_file.isEmpty(); };
    table.add({"run.record", tr("Record a progra&m…"),
        tr("Records any CUDA program on this machine; its lanes grow while it runs"), Menu::run, "Ctrl+Alt+P",
        [this] { return !isRunning(); }, [this] { showDialog(); }, {}, true});
    table.add({"run.record-stop", tr("Sto&p recording"),
        tr("Interrupts the program as Ctrl+C does; what was recorded stays. "
           "The second time it asks the program to end, the third time it kills it"),
        Menu::run, "Ctrl+Alt+E", running, [this] { stop(); }});
    table.add({"run.record-restart", tr("Record a&gain"),
        tr("Starts the same program again; if it still runs, it is stopped and its recording is discarded"), Menu::run,
        "Ctrl+Alt+G", [this] { return m_hasStarted; }, [this] { restart(); }});
    table.add({"run.record-follow", tr("Follo&w the program"),
        tr("The lanes grow and the view stays at their end; off: they are held. Panning, zooming away from the end, "
           "selecting, marking or annotating holds them, too"),
        Menu::run, "Ctrl+Alt+F", running, [this] { setFollows(!m_follows); },
        [this] { return isRunning() && m_follows; }});
    table.add({"run.record-keep", tr("&Keep the recording as…"), tr("Saves what was recorded"), Menu::run, "Ctrl+Alt+K",
        unkept, [this] { chooseKept(); }});
    table.add({"run.record-discard", tr("&Discard the recording"), tr("Closes the recording and deletes it from disk"),
        Menu::run, "Ctrl+Alt+X", [this, unkept] { return unkept() || m_failed; }, [this] { discard(); }});
    table.add({"run.record-output", tr("O&utput of the program"), tr("Shows or hides the program's output"), Menu::run,
        "Ctrl+Alt+U", [this] { return !m_parts.strip->isHidden(); },
        [this] { m_parts.strip->showOutput(!m_parts.strip->outputShown()); },
        [this] { return m_parts.strip->outputShown(); }});
}

void LiveRecording::showDialog()
{
    auto* dialog = new RecordDialog(m_settings,
        m_hasGpu ? QString() : tr("There is no GPU here that CUDA can use: a program records nothing without one."),
        m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &RecordDialog::startWanted, this, &LiveRecording::start);
    dialog->open();
}

void LiveRecording::start(const RecordSettings& settings)
{
    m_settings = settings;
    QSettings stored;
    remember(stored);  // also where what comes ends badly
    m_parts.notice->hide();
    m_parts.strip->clearFigures();
    m_parts.strip->clearOutput();
    m_parts.strip->show();
    m_file.clear();
    m_outcome.clear();
    m_shown.reset();
    m_hasStarted = true;
    m_failed = false;
    m_span = usual_span;
    m_sinceNew.start();
    m_lastWasNew = false;
    setFollows(true);
    const QString name = QString::number(++m_number);
    QDir(m_folder->path()).mkdir(name);
    m_run->start(lanesProgram().isEmpty() ? QStringLiteral("lanes") : lanesProgram(), settings,
        m_folder->filePath(name + QLatin1Char('/') + programName(settings) + QStringLiteral(".sqlite")));
    m_tick.start();
    sayState();
    emit changed();
}

void LiveRecording::restart()
{
    if (isRunning()) {
        m_restarts = true;
        stop();
    } else {
        start(RecordSettings(m_settings));
    }
}

void LiveRecording::stop()
{
    m_run->stop();
    sayState();
    emit changed();
}

// ---- while it runs

void LiveRecording::take(const RecordLook& look)
{
    if (!look.error.isEmpty()) {
        m_parts.notice->showError(tr("The lanes no longer grow: %1. Recording continues.").arg(look.error));
        return;
    }
    m_lastWasNew = look.isNew;
    if (look.isNew && look.figures.range.end > look.figures.range.start) {
        m_sinceNew.start();
        m_parts.strip->setFigures(look.figures, look.thread);
        if (look.recording && m_follows) {
            show(look.recording);
        }
    }
    sayState();
}

/// Whether what is recorded is what the window shows.
bool LiveRecording::isShown() const
{
    const Workspace& workspace = *m_parts.workspace;
    return m_shown && workspace.count() == 1 && workspace.at(0)->trace == m_shown->trace;
}

void LiveRecording::show(const OpenRecordingPtr& recording)
{
    const bool first = !m_shown;
    if (!first && !isShown()) {
        setFollows(false);  // the user opened something else
        return;
    }
    m_shown = first ? recording : withMarkupOf(*m_shown, recording);
    if (first) {
        m_parts.workspace->set({m_shown});
        emit lanesWanted();
    } else {
        m_parts.workspace->renew({m_shown});
    }
    followEnd();
}

/// What there is of the span; the lanes grow into the rest.
void LiveRecording::followEnd()
{
    const Ns first = std::max<Ns>(0, m_shown->trace->duration - m_span);
    m_parts.timeline->pair().sight(Interval {first, first + m_span});
}

void LiveRecording::viewMoved()
{
    if (isRunning() && m_follows && isShown()) {
        const Interval visible = m_parts.timeline->side(0).visibleRange();
        m_span = visible.end - visible.start;
        if (visible.end < m_shown->trace->duration) {
            setFollows(false);
        }
    }
}

void LiveRecording::looksAtSomething()
{
    if (isRunning() && m_follows && isShown()) {
        setFollows(false);
    }
}

void LiveRecording::setFollows(bool follows)
{
    if (follows && isRunning() && m_shown && !isShown()) {
        m_parts.workspace->set({m_shown});  // back from what was opened meanwhile
        emit lanesWanted();
    }
    if (follows && isShown()) {
        m_parts.workspace->select(0, {});
        m_parts.timeline->side(0).selectRange({});
    }
    m_follows = follows;
    m_run->setPictures(follows);
    sayState();
    emit changed();
}

void LiveRecording::sayState()
{
    const QString program = programName(m_settings);
    const QString seconds = tr("%1 s").arg(static_cast<double>(m_run->elapsed()) / 1000, 0, 'f', 1);
    if (!isRunning()) {
        m_tick.stop();
        m_parts.strip->setState(program, m_outcome, m_failed);
        return;
    }
    const bool silent = !m_lastWasNew && m_sinceNew.isValid() && m_sinceNew.elapsed() > silence_ms;
    m_parts.strip->setOld(silent);
    QStringList words;
    if (m_run->stopsAsked() == 0) {
        words << tr("recording, %1").arg(seconds);
    } else if (m_run->stopsAsked() < 3) {
        words << tr("asked to stop, %1").arg(seconds);
    } else {
        words << tr("killed");
    }
    if (silent) {
        words << (m_shown ? tr("no CUDA work for %1 s").arg(m_sinceNew.elapsed() / 1000) : tr("no CUDA work yet"));
    }
    if (!m_follows) {
        words << tr("the lanes are held");
    }
    m_parts.strip->setState(program, words.join(QStringLiteral(" · ")));
}

// ---- its end

void LiveRecording::takeEnd(const RecordEnd& end)
{
    if (std::exchange(m_restarts, false)) {
        start(RecordSettings(m_settings));
        return;
    }
    m_file = end.file;
    m_failed = end.file.isEmpty();
    m_parts.strip->setOld(true);
    if (m_failed) {
        m_outcome = whyNotRecorded(end);
        m_parts.strip->showOutput(!m_parts.strip->output().trimmed().isEmpty());
    } else {
        const QString how = howItEnded(end);
        m_outcome = (how.isEmpty() ? QString() : how + QLatin1Char(' '))
            + tr("Recorded for %1 s; not kept yet.").arg(static_cast<double>(m_run->elapsed()) / 1000, 0, 'f', 1);
        m_parts.jobs->add(std::unique_ptr<Job>(makeOpenJob(end.file)), [this](const JobResult& result) {
            m_parts.notice->showEnd(result);
            if (result.recording) {
                takeWhole(result.recording);
            }
        });
    }
    sayState();
    emit changed();
}

/// In the place of what grew, with what is looked at as it is.
void LiveRecording::takeWhole(const OpenRecordingPtr& whole)
{
    if (isShown()) {
        const Ns moved = m_shown->trace->origin - whole->trace->origin;
        const Interval visible = m_parts.timeline->side(0).visibleRange();
        m_shown = withMarkupOf(*m_shown, whole);
        moveMarkup(*m_shown, moved);
        m_parts.workspace->renew({m_shown});
        if (moved != 0) {
            m_parts.timeline->pair().sight(Interval {visible.start + moved, visible.end + moved});
        }
        return;
    }
    if (!m_shown) {
        m_shown = whole;
        m_parts.workspace->set({whole});
        emit lanesWanted();
        return;
    }
    m_shown = whole;
    m_parts.notice->showOffer(tr("%1 has been recorded.").arg(programName(m_settings)), tr("Show"), [this, whole] {
        m_parts.workspace->set({whole});
        emit lanesWanted();
    });
}

void LiveRecording::chooseKept()
{
    auto* chooser = new QFileDialog(m_parts.window, tr("Keep the recording"), m_settings.folder,
        m_file.endsWith(QLatin1String(".spool")) ? tr("Records until the program was killed (*.spool)")
                                                 : tr("Recording (*.sqlite)"));
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->setDefaultSuffix(QFileInfo(m_file).suffix());
    chooser->selectFile(QFileInfo(m_file).fileName());
    connect(chooser, &QFileDialog::fileSelected, this, &LiveRecording::keep);
    showChooser(chooser);
}

void LiveRecording::keep(const QString& path)
{
    auto job = std::make_unique<WorkerJob>(
        tr("Saving %1").arg(QFileInfo(path).fileName()),
        [from = m_file, path, shown = m_shown](const Progress&) {
            AtomicFile whole(QFile::encodeName(path).toStdString());
            std::error_code problem;
            std::filesystem::copy_file(QFile::encodeName(from).toStdString(), whole.beside(),
                std::filesystem::copy_options::overwrite_existing, problem);
            if (problem) {
                throw std::system_error(problem, "cannot copy " + from.toStdString() + " to " + path.toStdString());
            }
            whole.commit();
            auto moved = std::make_shared<OpenRecording>(*shown);
            moved->path = QFileInfo(path).absoluteFilePath();
            return OpenRecordingPtr(moved);
        },
        nullptr, WorkerJob::Work(), [path](const std::exception& error) { return savingProblem(error, path); });
    m_parts.jobs->add(std::move(job), [this, path](const JobResult& result) {
        m_parts.notice->showEnd(result);
        if (!result.recording) {
            return;
        }
        if (isShown()) {
            m_parts.workspace->renew({result.recording});
        }
        QFile::remove(m_file);
        m_file.clear();
        m_parts.strip->hide();
        m_parts.notice->showSaved(path);
        emit kept(path);
        emit changed();
    });
}

void LiveRecording::discard()
{
    if (isShown()) {
        m_parts.workspace->close(0);
    }
    if (!m_file.isEmpty()) {
        QFile::remove(m_file);
    }
    m_file.clear();
    m_shown.reset();
    m_failed = false;
    m_parts.strip->hide();
    emit changed();
}

bool LiveRecording::mayClose()
{
    if (m_mayLose || (!isRunning() && m_file.isEmpty())) {
        return true;
    }
    const QString program = programName(m_settings);
    auto* question = new QMessageBox(QMessageBox::Warning, tr("Not kept"),
        isRunning() ? tr("%1 is being recorded.").arg(program) : tr("The recording of %1 was not kept.").arg(program),
        QMessageBox::Cancel, m_parts.window);
    question->setObjectName(QStringLiteral("recordingQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(isRunning() ? tr("Closing the window ends the program and loses the recording.")
                                             : tr("Closing the window deletes it."));
    QPushButton* lose
        = question->addButton(isRunning() ? tr("Stop and close") : tr("Discard"), QMessageBox::DestructiveRole);
    connect(lose, &QPushButton::clicked, this, [this] {
        m_mayLose = true;
        emit closeWanted();
    });
    if (!isRunning()) {
        QPushButton* keep = question->addButton(tr("Keep as…"), QMessageBox::AcceptRole);
        question->setDefaultButton(keep);
        connect(keep, &QPushButton::clicked, this, &LiveRecording::chooseKept);
    }
    question->open();
    return false;
}

void LiveRecording::leave()
{
    constexpr int patience_ms = 1500;
    if (isRunning()) {
        m_run->stop();
        QEventLoop ends;
        connect(m_run, &RecordRun::ended, &ends, &QEventLoop::quit);
        QTimer::singleShot(patience_ms, &ends, &QEventLoop::quit);
        ends.exec(QEventLoop::ExcludeUserInputEvents);
    }
    if (!isRunning() && m_file.isEmpty()) {
        return;
    }
    m_folder->setAutoRemove(false);
    std::fprintf(stderr, "lanescope: what was recorded of %s was not kept; it is in %s\n",
        qPrintable(printable(programName(m_settings))),
        qPrintable(printable(m_file.isEmpty() ? m_folder->path() : m_file)));
}

void LiveRecording::continueFrom(const LiveRecording& other)
{
    m_folder = other.m_folder;
    m_number = other.m_number;
    m_settings = other.m_settings;
    m_file = other.m_file;
    m_hasStarted = other.m_hasStarted;
    if (!m_file.isEmpty() && other.isShown() && m_parts.workspace->count() == 1) {
        m_shown = m_parts.workspace->at(0);
    }
    if (!m_file.isEmpty()) {
        m_outcome = tr("Recorded; not kept yet.");
        m_parts.strip->show();
        sayState();
        emit changed();
    }
}

void LiveRecording::restore(const QSettings& settings)
{
    m_settings = RecordSettings::restored(settings);
}

void LiveRecording::remember(QSettings& settings) const
{
    m_settings.remember(settings);
}

}  // namespace lanes::gui
