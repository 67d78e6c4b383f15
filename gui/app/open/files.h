// SPDX-License-Identifier: MIT
// Recordings and their files: opening, saving, closing, reading again those that changed on disk, and the list of those
// that were opened before. A file that cannot be read is a line in the notice bar; what is open stays.
#pragma once

#include "engine/trace/units.h"
#include "gui/app/commands/command_table.h"
#include "gui/app/frame/job_queue.h"
#include "gui/app/open/file_watch.h"

#include <QObject>
#include <QStringList>

#include <optional>

class QFileDialog;
class QMenu;
class QSettings;
class QWidget;

namespace lanes::gui {

class NoticeBar;
class Workspace;

class Files : public QObject {
    Q_OBJECT
public:
    /// Dialogs are the window's.
    Files(Workspace* workspace, JobQueue* jobs, NoticeBar* notice, QWidget* window);

    void addOpening(CommandTable& table);
    void addClosing(CommandTable& table);

    /// Recordings (one as A if nothing is open, else a dialog asks where it opens; two as A and B), workloads, or a
    /// session in the place of what is open.
    void open(const QStringList& files);
    /// The same of files that a user chose at once: where several are recordings a dialog asks whether they are the
    /// ranks of one run.
    void openChosen(const QStringList& files);
    /// The recordings are of a run's ranks and open as one.
    void openRanks(const QStringList& files);
    void openRecent(const QString& file);

    /// Opened before, the last one first.
    const QStringList& recent() const { return m_recent; }
    void addRecent(const QString& file);
    /// A job is going to open it: changes from now on are reported.
    void expect(const QString& file);
    QMenu* recentMenu() const { return m_recentMenu; }
    void refresh();
    void restore(const QSettings& settings);
    void remember(QSettings& settings) const;

signals:
    void recentChanged();
    void workloadWanted(const QString& file);
    void sessionWanted(const QString& file);
    void jobWanted(const QString& file);  ///< summaries of a job's ranks
    /// There was nothing open before.
    void firstOpened();
    /// A recording whose beginning was shown is there as a whole, in the same place.
    void completed();

private:
    void openOne(const QString& file);
    void showBeginning(const OpenRecordingPtr& beginning);
    /// What is there now takes the place of its beginning; nothing does where it could not be read. Whether the
    /// beginning was shown.
    bool replaceBeginning(const OpenRecordingPtr& whole);
    void place(const OpenRecordingPtr& recording);
    void openBelow(const QString& file);
    /// Asks for some; `more` are patterns beside those of recordings.
    QFileDialog* chooserOf(const QString& title, const QString& kinds, const QString& more = {});
    void chooseFiles();
    void chooseCompared();
    /// All of a recording, or a range of it.
    void chooseSave(int side, std::optional<Interval> range = {});
    void save(const OpenRecordingPtr& recording, const QString& path, std::optional<Interval> range);
    void setRecent(const QStringList& files);
    void fillRecentMenu();
    void watch();
    void reloadAll();
    void reload(const QStringList& paths);
    QStringList openPaths() const;

    Workspace* m_workspace;
    JobQueue* m_jobs;
    NoticeBar* m_notice;
    QWidget* m_window;
    FileWatch m_watch;
    OpenRecordingPtr m_beginning;  ///< that is shown, or was until the user closed it, while the rest is read
    QStringList m_recent;
    QMenu* m_recentMenu;
};

/// Shows a dialog over its window, which lives on meanwhile.
void showChooser(QFileDialog* chooser);

}  // namespace lanes::gui
