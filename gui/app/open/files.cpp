// SPDX-License-Identifier: MIT
#include "gui/app/open/files.h"

#include "engine/analysis/cut_out.h"
#include "engine/job/job_file.h"
#include "engine/store/formats.h"
#include "gui/app/frame/command_line.h"
#include "gui/app/frame/notice_bar.h"
#include "gui/app/open/mark_memory.h"
#include "gui/app/open/place_dialog.h"
#include "gui/app/open/ranks_job.h"
#include "gui/app/open/session_file.h"
#include "gui/app/open/together_dialog.h"
#include "gui/paint/words/printable_text.h"
#include "gui/session/problem_text.h"
#include "gui/session/workspace.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QMenu>
#include <QSettings>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lanes::gui {

namespace {

constexpr qsizetype recent_files = 10;

}  // namespace

void showChooser(QFileDialog* chooser)
{
    chooser->setObjectName(QStringLiteral("fileDialog"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->open();
}

Files::Files(Workspace* workspace, JobQueue* jobs, NoticeBar* notice, QWidget* window)
    : QObject(window)
    , m_workspace(workspace)
    , m_jobs(jobs)
    , m_notice(notice)
    , m_window(window)
    , m_recentMenu(new QMenu(tr("Open &recent"), window))
{
    connect(workspace, &Workspace::changed, this, &Files::watch);
    connect(workspace, &Workspace::renewed, this, &Files::watch);
    connect(m_recentMenu, &QMenu::aboutToShow, this, &Files::fillRecentMenu);
    connect(&m_watch, &FileWatch::changed, this, [this](const QString& path) {
        m_notice->showOffer(tr("%1 has changed on disk. The window still shows the content it had when opened.")
                                .arg(QFileInfo(path).fileName()),
            tr("Reload"), [this, path] { reload({path}); });
    });
    connect(&m_watch, &FileWatch::vanished, this, [this](const QString& path) {
        m_notice->showNotice(tr("%1 was deleted or moved. It stays open until you close it, and can be saved.")
                                 .arg(QFileInfo(path).fileName()));
    });
}

void Files::addOpening(CommandTable& table)
{
    table.add({"file.open", tr("&Open…"),
        tr("Opens a recording, a workload or a session; where a recording is open it asks whether the other one comes "
           "below it"),
        Menu::file, "Ctrl+O", [this] { return !m_jobs->busy(); }, [this] { chooseFiles(); }});
    table.add({"compare.open", tr("&Compare with…"),
        tr("Opens a recording below the one that is shown, in the place of B if there is one"), Menu::compare,
        "Ctrl+Shift+O", [this] { return !m_jobs->busy() && m_workspace->count() > 0; }, [this] { chooseCompared(); }});
    table.add({"file.save-a", tr("&Save A as…"), tr("Saves the upper recording: .sqlite, .json, .json.gz or .csv"),
        Menu::file, "Ctrl+S", [this] { return !m_jobs->busy() && m_workspace->count() > 0; }, [this] { chooseSave(0); },
        {}, true});
    table.add({"file.save-b", tr("Save &B as…"), tr("Saves the lower recording: .sqlite, .json, .json.gz or .csv"),
        Menu::file, "Ctrl+Shift+S", [this] { return !m_jobs->busy() && m_workspace->count() > 1; },
        [this] { chooseSave(1); }});
    table.add({"file.save-range", tr("Save selected ran&ge…"),
        tr("Cuts the selected range out of the active recording and saves it as a recording of its own: .sqlite, "
           ".json, "
           ".json.gz or .csv"),
        Menu::file, "", [this] { return !m_jobs->busy() && m_workspace->hasRange(); },
        [this] {
            const int side = m_workspace->active();
            chooseSave(side, m_workspace->selectedRanges().at(static_cast<std::size_t>(side)));
        }});
}

void Files::addClosing(CommandTable& table)
{
    table.add(
        {"file.reload", tr("Reloa&d"), tr("Reads the files of the open recordings again; the view stays"), Menu::file,
            "Ctrl+Shift+R", [this] { return !m_jobs->busy() && m_workspace->count() > 0; }, [this] { reloadAll(); }});
    table.add(
        {"file.close-a", tr("&Close A"), tr("Closes the upper recording; the lower one takes its place"), Menu::file,
            "Ctrl+W", [this] { return m_workspace->count() > 0; }, [this] { m_workspace->close(0); }, {}, true});
    table.add({"file.close-b", tr("C&lose B"), tr("Closes the lower recording"), Menu::file, "Ctrl+Shift+W",
        [this] { return m_workspace->count() > 1; }, [this] { m_workspace->close(1); }});
}

void Files::open(const QStringList& files)
{
    if (const auto session = std::find_if(files.begin(), files.end(), isSessionFile); session != files.end()) {
        emit sessionWanted(*session);
        return;
    }
    QStringList recordings;
    for (const QString& file : files) {
        if (isWorkloadFile(file)) {
            emit workloadWanted(file);
        } else if (is_ranks_file(QFile::encodeName(file).toStdString())) {
            emit jobWanted(file);
        } else {
            recordings += file;
        }
    }
    if (recordings.size() == 1) {
        openOne(recordings.front());
        return;
    }
    if (!recordings.isEmpty()) {
        m_notice->hide();  // what it says is of before
    }
    if (recordings.size() > 2) {
        m_notice->showNotice(tr("Only two recordings open side by side; the others of these %1 files were not opened.")
                                 .arg(recordings.size()));
    }
    auto opened = std::make_shared<std::vector<OpenRecordingPtr>>();
    const bool first = m_workspace->count() == 0;
    for (const QString& file : recordings.first(std::min<qsizetype>(recordings.size(), 2))) {
        expect(file);
        m_jobs->add(std::unique_ptr<Job>(makeOpenJob(file)), [this, file, opened, first](const JobResult& result) {
            m_notice->showEnd(result, QFileInfo(file).fileName());
            if (result.recording) {
                opened->push_back(result.recording);
                m_workspace->set(*opened);
                addRecent(file);
                if (first) {
                    emit firstOpened();
                }
            }
        });
    }
}

void Files::openChosen(const QStringList& files)
{
    QStringList recordings;
    std::remove_copy_if(files.begin(), files.end(), std::back_inserter(recordings), isWorkloadFile);
    if (recordings.size() < 2 || std::any_of(files.begin(), files.end(), isSessionFile)) {
        for (const QString& file : files) {
            open({file});
        }
        return;
    }
    auto* dialog = new TogetherDialog(recordings, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TogetherDialog::chosen, this,
        [this, files](bool asRanks) { asRanks ? openRanks(files) : open(files); });
    dialog->open();
}

void Files::openRanks(const QStringList& files)
{
    QStringList recordings;
    for (const QString& file : files) {
        if (isWorkloadFile(file)) {
            emit workloadWanted(file);
        } else {
            recordings += file;
        }
    }
    m_notice->hide();
    const bool first = m_workspace->count() == 0;
    m_jobs->add(std::unique_ptr<Job>(makeRanksJob(recordings)), [this, first](const JobResult& result) {
        m_notice->showEnd(result);
        if (result.recording) {
            place(result.recording);
            if (first) {
                emit firstOpened();
            }
        }
    });
}

void Files::openOne(const QString& file)
{
    m_notice->hide();
    const bool first = m_workspace->count() == 0;
    expect(file);
    auto job = std::unique_ptr<Job>(makeOpenJob(file));
    connect(job.get(), &Job::begun, this, [this, first](const OpenRecordingPtr& beginning) {
        showBeginning(beginning);
        if (first && m_beginning) {
            emit firstOpened();
        }
    });
    m_jobs->add(std::move(job), [this, file, first](const JobResult& result) {
        m_notice->showEnd(result);
        if (result.recording) {
            addRecent(file);
        }
        if (replaceBeginning(result.recording) || !result.recording) {
            return;
        }
        place(result.recording);
        if (first) {
            emit firstOpened();
        }
    });
}

/// As B, in the place of the one that is there.
void Files::openBelow(const QString& file)
{
    m_notice->hide();
    expect(file);
    m_jobs->add(std::unique_ptr<Job>(makeOpenJob(file)), [this, file](const JobResult& result) {
        m_notice->showEnd(result, QFileInfo(file).fileName());
        if (result.recording) {
            addRecent(file);
            std::vector<OpenRecordingPtr> recordings = m_workspace->recordings();
            recordings.resize(std::min<std::size_t>(recordings.size(), 1));
            recordings.push_back(result.recording);
            m_workspace->set(std::move(recordings));
        }
    });
}

/// Where nothing is open: else it is asked first where the whole opens.
void Files::showBeginning(const OpenRecordingPtr& beginning)
{
    if (m_workspace->count() == 0) {
        m_beginning = beginning;
        m_workspace->add(beginning);
    }
}

bool Files::replaceBeginning(const OpenRecordingPtr& whole)
{
    const OpenRecordingPtr beginning = std::exchange(m_beginning, nullptr);
    if (!beginning) {
        return false;
    }
    std::vector<OpenRecordingPtr> recordings = m_workspace->recordings();
    // Two that are open have their titles told apart: they are known by their traces.
    const auto shown = std::find_if(recordings.begin(), recordings.end(),
        [&](const OpenRecordingPtr& each) { return each->trace == beginning->trace; });
    if (shown == recordings.end()) {
        return true;  // it was closed: nobody wants the rest
    }
    if (!whole) {
        m_workspace->close(static_cast<int>(shown - recordings.begin()));
        return true;
    }
    *shown = withMarkupOf(*beginning, whole);
    m_workspace->renew(std::move(recordings));
    emit completed();
    return true;
}

/// None comes beside another, or replaces one, unasked.
void Files::place(const OpenRecordingPtr& recording)
{
    if (m_workspace->count() == 0) {
        m_workspace->add(recording);
        return;
    }
    auto* dialog = new PlaceDialog(longTitle(*recording), m_workspace->recordings(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PlaceDialog::chosen, this, [this, recording](PlaceDialog::Place place) {
        std::vector<OpenRecordingPtr> recordings = m_workspace->recordings();
        recordings.resize(place == PlaceDialog::Place::alone ? 0 : recordings.size());
        const std::size_t side = place == PlaceDialog::Place::b && !recordings.empty() ? 1 : 0;
        recordings.resize(std::max(recordings.size(), side + 1));
        recordings[side] = recording;
        m_workspace->set(std::move(recordings));
    });
    dialog->open();
}

// ---- those that were opened before

void Files::addRecent(const QString& file)
{
    QStringList files = m_recent;
    const QString absolute = QFileInfo(file).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    setRecent(files);
}

void Files::setRecent(const QStringList& files)
{
    m_recent = files.first(std::min(files.size(), recent_files));
    refresh();
    emit recentChanged();
}

void Files::openRecent(const QString& file)
{
    if (QFileInfo::exists(file)) {
        open({file});
        return;
    }
    QStringList others = m_recent;
    others.removeAll(file);
    setRecent(others);
    m_notice->showNotice(tr("%1 no longer exists; it was removed from the list.").arg(QDir::toNativeSeparators(file)));
}

void Files::fillRecentMenu()
{
    m_recentMenu->clear();
    for (const QString& file : m_recent) {
        QAction* entry = m_recentMenu->addAction(entryText(QDir::toNativeSeparators(file)));
        connect(entry, &QAction::triggered, this, [this, file] { openRecent(file); });
    }
    m_recentMenu->addSeparator();
    connect(m_recentMenu->addAction(tr("Clear this list")), &QAction::triggered, this, [this] { setRecent({}); });
}

void Files::refresh()
{
    m_recentMenu->setEnabled(!m_recent.isEmpty() && !m_jobs->busy());
}

void Files::restore(const QSettings& settings)
{
    setRecent(settings.value(QStringLiteral("recent")).toStringList());
}

void Files::remember(QSettings& settings) const
{
    settings.setValue(QStringLiteral("recent"), m_recent);
}

// ---- dialogs

QFileDialog* Files::chooserOf(const QString& title, const QString& kinds, const QString& more)
{
    QString patterns;
    for (const Format& format : formats()) {
        for (const std::string_view ending : format.endings) {
            patterns += QLatin1Char('*') + QString::fromUtf8(ending.data(), static_cast<qsizetype>(ending.size()))
                + QLatin1Char(' ');
        }
    }
    return new QFileDialog(m_window, title, {}, kinds.arg((patterns + more).trimmed()));
}

void Files::chooseFiles()
{
    QFileDialog* chooser = chooserOf(tr("Open recordings or workloads"),
        tr("Recordings, traces, workloads and sessions (%1);;All files (*)"),
        QStringLiteral("*.yaml *.yml *.lanescope *.lanes *.sum"));
    chooser->setFileMode(QFileDialog::ExistingFiles);
    connect(chooser, &QFileDialog::filesSelected, this, &Files::openChosen);
    showChooser(chooser);
}

void Files::chooseCompared()
{
    QFileDialog* chooser = chooserOf(tr("Compare with a recording"), tr("Recordings and traces (%1);;All files (*)"));
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this, &Files::openBelow);
    showChooser(chooser);
}

void Files::chooseSave(int side, std::optional<Interval> range)
{
    const OpenRecordingPtr recording = m_workspace->at(side);
    if (!recording) {
        return;
    }
    auto* chooser = new QFileDialog(m_window,
        range ? tr("Save the selected range") : tr("Save recording %1").arg(QLatin1Char(side == 0 ? 'A' : 'B')), {},
        tr("Recording (*.sqlite);;Chrome trace for Perfetto (*.json *.json.gz);;Table of operations (*.csv)"));
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->selectFile(
        nameForFile(*recording) + (range ? QStringLiteral(".part") : QString()) + QStringLiteral(".sqlite"));
    connect(chooser, &QFileDialog::fileSelected, this,
        [this, recording, range](const QString& path) { save(recording, path, range); });
    showChooser(chooser);
}

void Files::save(const OpenRecordingPtr& recording, const QString& path, std::optional<Interval> range)
{
    auto job = std::make_unique<WorkerJob>(
        tr("Saving %1").arg(QFileInfo(path).fileName()),
        [recording, path, range, marks = recording->marks->all()](const Progress& progress) {
            if (range) {
                save_recording(cut_out(*recording->trace, *range, &marks), path.toStdString(), progress);
            } else {
                save_recording(*recording->trace, path.toStdString(), progress, &marks);
            }
            return recording;
        },
        nullptr, WorkerJob::Work(), [path](const std::exception& error) { return savingProblem(error, path); });
    m_jobs->add(std::move(job), [this, path](const JobResult& result) {
        m_notice->showEnd(result);
        if (result.recording) {
            m_watch.accept(QFileInfo(path).absoluteFilePath());
            m_notice->showSaved(path);
            if (path.endsWith(QLatin1String(".sqlite"))) {
                forgetMarks(path);  // it holds them itself
                addRecent(path);
            }
        }
    });
}

// ---- files that change

QStringList Files::openPaths() const
{
    QStringList paths;
    for (const OpenRecordingPtr& recording : m_workspace->recordings()) {
        if (!recording->path.isEmpty()) {
            paths += recording->path;
        }
    }
    paths.removeDuplicates();
    return paths;
}

void Files::expect(const QString& file)
{
    m_watch.expect(QFileInfo(file).absoluteFilePath());
}

void Files::watch()
{
    m_watch.watch(openPaths());
}

void Files::reloadAll()
{
    const QStringList paths = openPaths();
    m_notice->hide();
    if (paths.isEmpty()) {
        m_notice->showNotice(tr("The open recordings were made here and not saved: there is no file to read again."));
    }
    reload(paths);
}

/// What the user looks at stays.
void Files::reload(const QStringList& paths)
{
    for (const QString& path : paths) {
        m_watch.accept(path);
        m_jobs->add(std::unique_ptr<Job>(makeOpenJob(path)), [this, path](const JobResult& result) {
            m_notice->showEnd(result);
            if (result.recording) {
                std::vector<OpenRecordingPtr> recordings = m_workspace->recordings();
                std::replace_if(
                    recordings.begin(), recordings.end(),
                    [&](const OpenRecordingPtr& each) { return each->path == path; }, result.recording);
                m_workspace->renew(std::move(recordings));
            }
        });
    }
}

}  // namespace lanes::gui
