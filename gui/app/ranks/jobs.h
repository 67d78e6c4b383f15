// SPDX-License-Identifier: MIT
// The job of many ranks of a window: opens it, brings the recordings of the ranks that are chosen, shows their lanes on
// the common clock, and writes pictures and pages of it. Recordings are read when they are first wanted; the last 16
// stay.
#pragma once

#include "gui/app/commands/command_table.h"
#include "gui/app/frame/job_queue.h"
#include "gui/session/open_job.h"

#include <QObject>

#include <deque>
#include <utility>
#include <vector>

namespace lanes::gui {

class ComparisonView;
class JobView;
class NoticeBar;
class Stage;
class Workspace;

class Jobs : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Workspace* workspace;
        JobQueue* jobs;
        NoticeBar* notice;
        Stage* stage;
        ComparisonView* timeline;
        QWidget* side;  ///< of lessons, which a job has no use for
    };
    static constexpr std::size_t most_attached = 16;

    Jobs(const Parts& parts, QObject* parent);

    void addCommands(CommandTable& table);
    /// In the place of the job that is open. A file that cannot be read is a line in the notice bar.
    void open(const QString& path);
    void close();
    JobView* view() const { return m_view; }
    std::size_t attached() const { return m_attached.size(); }
    /// The lanes of a rank and of the one that is in the middle of those that it meets, around a moment.
    void choose(std::size_t rank, Ns moment);
    void choose(std::size_t rank, std::size_t second, Ns moment);
    void continueFrom(const Jobs& other);
    /// A picture or a page, by the path's ending.
    void save(const QString& path);

signals:
    void opened(const QString& path);
    void changed();

private:
    void take(OpenJobPtr job);
    /// False: its recording is not here.
    bool attach(std::size_t rank);
    void sayMissing(const std::vector<std::size_t>& missing);
    /// Of its lanes, "rank 37 · node05".
    QString titleOf(std::size_t rank) const;
    OpenRecordingPtr known(std::size_t rank);
    QString fileOf(std::size_t rank) const;
    void showLanes();
    void chooseFile();

    Parts m_parts;
    JobView* m_view;
    std::deque<std::pair<std::size_t, OpenRecordingPtr>> m_attached;  // the last one used first
    bool m_sideHidden = false, m_panelsHidden = false;  // as they were before a job
};

}  // namespace lanes::gui
