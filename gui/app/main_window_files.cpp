// SPDX-License-Identifier: MIT
// The window and its files: opening, saving, dropping, those opened before, those that change while they are open.
#include "engine/workload/catalogue.h"
#include "gui/app/command_line.h"
#include "gui/app/file_watch.h"
#include "gui/app/gallery_page.h"
#include "gui/app/main_window.h"
#include "gui/app/mark_memory.h"
#include "gui/app/notice_bar.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/comparison_view.h"

#include <QAbstractSlider>
#include <QAction>
#include <QCloseEvent>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>

namespace lanes::gui {

namespace {

constexpr qsizetype recent_files = 10;

QString sideName(int side)
{
    return side == 0 ? QStringLiteral("A") : QStringLiteral("B");
}

}  // namespace

void MainWindow::openFiles(const QStringList& files)
{
    QStringList recordings;
    for (const QString& file : files) {
        if (isWorkloadFile(file)) {
            openWorkload(file);
        } else {
            recordings += file;
        }
    }
    if (recordings.size() == 1) {
        addFile(recordings.front());
        return;
    }
    auto opened = std::make_shared<std::vector<OpenRecordingPtr>>();
    const bool first = m_session.count() == 0;
    for (const QString& file : recordings.first(std::min<qsizetype>(recordings.size(), 2))) {
        m_jobs.add(std::unique_ptr<Job>(makeOpenJob(file)), [this, file, opened, first](const JobResult& result) {
            showEnd(result);
            if (result.recording) {
                opened->push_back(result.recording);
                m_session.set(*opened);
                addRecentFile(file);
                if (first) {
                    chooseWhatIsShown();
                }
            }
        });
    }
    if (recordings.size() > 2) {
        m_notice->showNotice(
            tr("Two recordings open side by side; the others of these %1 files were left.").arg(recordings.size()));
    }
}

void MainWindow::addFile(const QString& file)
{
    m_notice->hide();
    const bool first = m_session.count() == 0;
    m_jobs.add(std::unique_ptr<Job>(makeOpenJob(file)), [this, file, first](const JobResult& result) {
        showEnd(result);
        if (result.recording) {
            addRecentFile(file);
            m_session.add(result.recording);
            if (first) {
                chooseWhatIsShown();
            }
        }
    });
}

/// The workload and the form as what is open was run, where all of it is of one workload of the list: so that it can be run
/// again. Only for what is opened first: later the form is what somebody made of it.
void MainWindow::chooseWhatIsShown()
{
    std::shared_ptr<const Workload> workload;
    std::vector<VariantSettings> runs;
    for (const OpenRecordingPtr& recording : m_session.recordings()) {
        if (!recording->workload || (workload && recording->workload->name != workload->name)) {
            return;
        }
        workload = recording->workload;
        runs.push_back(recording->run);
    }
    if (workload && m_workloads->select(QString::fromStdString(known(workload)->file))) {
        m_parameters->setRuns(runs);
    }
}

void MainWindow::loadCatalogue()
{
    std::vector<std::string> names;
    try {
        names = catalogue_names();
    } catch (const std::exception& error) {
        m_notice->showError(QString::fromUtf8(error.what()));
    }
    for (const std::string& name : names) {
        try {
            m_workloads->addWorkload(std::make_shared<const Workload>(find_workload(name)));
        } catch (const std::exception& error) {
            m_notice->showError(QString::fromUtf8(error.what()));  // the others are still of use
        }
    }
    m_gallery->setWorkloads(m_workloads->workloads());
}

void MainWindow::addRecentFile(const QString& file)
{
    const QString absolute = QFileInfo(file).absoluteFilePath();
    m_recent.removeAll(absolute);
    m_recent.prepend(absolute);
    m_recent = m_recent.first(std::min(m_recent.size(), recent_files));
}

void MainWindow::openRecent(const QString& file)
{
    if (QFileInfo::exists(file)) {
        addFile(file);
        return;
    }
    m_recent.removeAll(file);
    m_gallery->setRecentFiles(m_recent);
    m_notice->showNotice(tr("%1 is no longer there; it was taken off the list.").arg(QDir::toNativeSeparators(file)));
    refresh();
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    for (const QString& file : m_recent) {
        QAction* entry = m_recentMenu->addAction(QDir::toNativeSeparators(file));
        connect(entry, &QAction::triggered, this, [this, file] { openRecent(file); });
    }
    m_recentMenu->addSeparator();
    connect(m_recentMenu->addAction(tr("Forget these")), &QAction::triggered, this, [this] {
        m_recent.clear();
        refresh();
    });
}

void MainWindow::chooseFiles()
{
    auto* chooser = new QFileDialog(this, tr("Open recordings or workloads"), {},
        tr("Recordings and workloads (*.sqlite *.spool *.yaml *.yml);;All files (*)"));
    chooser->setFileMode(QFileDialog::ExistingFiles);
    connect(chooser, &QFileDialog::filesSelected, this, [this](const QStringList& files) {
        if (files.size() == 1 || std::all_of(files.begin(), files.end(), isWorkloadFile)) {
            for (const QString& file : files) {
                openFiles({file});
            }
        } else {
            openFiles(files);
        }
    });
    choose(chooser);
}

void MainWindow::chooseSave(int side)
{
    const OpenRecordingPtr recording = m_session.at(side);
    if (!recording) {
        return;
    }
    auto* chooser = new QFileDialog(this, tr("Save recording %1").arg(sideName(side)), {},
        tr("Recording (*.sqlite);;Chrome trace for Perfetto (*.json *.json.gz);;Table of operations (*.csv)"));
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->selectFile(
        longTitle(*recording).replace(QStringLiteral(" · "), QStringLiteral(".")) + QStringLiteral(".sqlite"));
    connect(chooser, &QFileDialog::fileSelected, this, [this, recording](const QString& path) { save(recording, path); });
    choose(chooser);
}

/// Shows the dialog over the window, which lives on meanwhile.
void MainWindow::choose(QFileDialog* chooser)
{
    chooser->setObjectName(QStringLiteral("fileDialog"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->open();
}

void MainWindow::save(const OpenRecordingPtr& recording, const QString& path)
{
    auto job = std::make_unique<WorkerJob>(
        tr("Saving %1").arg(QFileInfo(path).fileName()), [recording, path, marks = recording->marks->all()](const Progress& progress) {
            save_recording(*recording->trace, path.toStdString(), progress, &marks);
            return recording;
        });
    m_jobs.add(std::move(job), [this, path](const JobResult& result) {
        showEnd(result);
        if (result.recording) {
            m_watch->accept(QFileInfo(path).absoluteFilePath());
            m_notice->showNotice(tr("Saved %1.").arg(QDir::toNativeSeparators(path)));
            if (path.endsWith(QLatin1String(".sqlite"))) {
                forgetMarks(path);  // it holds them itself
                addRecentFile(path);
            }
        }
    });
}

// ---- files that change

void MainWindow::watchFiles()
{
    QStringList paths;
    for (const OpenRecordingPtr& recording : m_session.recordings()) {
        if (!recording->path.isEmpty() && !paths.contains(recording->path)) {
            paths += recording->path;
        }
    }
    m_watch->watch(paths + workloadFiles());
}

void MainWindow::fileChanged(const QString& path)
{
    if (isWorkloadOpen(path)) {
        workloadChangedOnDisk(path);
        return;
    }
    m_notice->showOffer(tr("%1 was written anew. What is shown is what it was when it was opened.").arg(QFileInfo(path).fileName()),
        tr("Reload"), [this, path] { reload({path}); });
}

void MainWindow::fileVanished(const QString& path)
{
    if (isWorkloadOpen(path)) {
        m_notice->showNotice(tr("%1 was deleted or moved. Its text stays here and can be saved.").arg(QFileInfo(path).fileName()));
        return;
    }
    m_notice->showNotice(tr("%1 was deleted or moved. What is shown stays until it is closed, and can be saved.").arg(QFileInfo(path).fileName()));
}

void MainWindow::reloadAll()
{
    QStringList paths;
    for (const OpenRecordingPtr& recording : m_session.recordings()) {
        if (!recording->path.isEmpty()) {
            paths += recording->path;
        }
    }
    paths.removeDuplicates();
    m_notice->hide();
    if (paths.isEmpty()) {
        m_notice->showNotice(tr("What is open was made here and not saved: there is no file to read again."));
    }
    reload(paths);
}

void MainWindow::reload(const QStringList& paths)
{
    for (const QString& path : paths) {
        m_watch->accept(path);
        m_jobs.add(std::unique_ptr<Job>(makeOpenJob(path)), [this, path](const JobResult& result) {
            showEnd(result);
            if (result.recording) {
                replaceKeepingView(path, result.recording);
            }
        });
    }
}

void MainWindow::replaceKeepingView(const QString& path, const OpenRecordingPtr& recording)
{
    std::vector<OpenRecordingPtr> recordings = m_session.recordings();
    for (OpenRecordingPtr& each : recordings) {
        if (each->path != path) {
            continue;
        }
        each = recording;
    }
    m_session.renew(recordings);
}

// ---- events

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayClose()) {
        event->ignore();
        return;
    }
    remember();
    m_jobs.cancel();
    event->accept();
}

/// Home and 0 are keys of the window; a slider and a list of choices need them for themselves, as text fields do.
bool MainWindow::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const QWidget* focus = focusWidget();
        if ((key == Qt::Key_Home || key == Qt::Key_0) && (qobject_cast<const QAbstractSlider*>(focus) || qobject_cast<const QComboBox*>(focus))) {
            event->accept();
            return true;
        }
    }
    return QMainWindow::event(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!m_jobs.busy() && std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); })) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList files;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            files += url.toLocalFile();
        }
    }
    event->acceptProposedAction();
    openFiles(files);
}

}  // namespace lanes::gui
