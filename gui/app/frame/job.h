// SPDX-License-Identifier: MIT
// Work that takes long enough to want a progress bar and a Cancel: opening a file,
// a run on the model device, a run of `lanes` on a GPU.
//
// A job ends exactly once, with finished(), also when it was cancelled; nothing
// comes after it. What it does never runs on the window's thread.
#pragma once

#include "engine/store/recording_file.h"
#include "gui/session/open_recording.h"

#include <QFutureWatcher>
#include <QObject>

#include <functional>
#include <stop_token>

namespace lanes::gui {

/// How a job ended. A run that failed may still have left a recording of what happened up to then.
struct JobResult {
    OpenRecordingPtr recording;
    QString error;  ///< "" for none; what the engine says of a file may be in a second line
    bool cancelled = false;
    bool beginning = false;  ///< not the end of the job: its recording is a part of what comes
};

class Job : public QObject {
    Q_OBJECT
public:
    explicit Job(const QString& title, QObject* parent = nullptr)
        : QObject(parent)
        , m_title(title)
    {
    }

    /// What the progress bar says: "Opening trace.sqlite".
    const QString& title() const { return m_title; }
    void setTitle(const QString& title) { m_title = title; }

    virtual void start() = 0;
    /// Ends the job now; work that cannot stop at once ends unseen.
    virtual void cancel() = 0;

signals:
    void progressed(double fraction);  ///< in [0, 1]
    /// What there is to be seen already; at most once, before finished().
    void begun(const lanes::gui::OpenRecordingPtr& beginning);
    void finished(const lanes::gui::JobResult& result);

private:
    QString m_title;
};

/// Runs a function on a worker thread. An exception's text becomes the error, or what `explain` makes of it.
class WorkerJob final : public Job {
    Q_OBJECT
public:
    using Work = std::function<OpenRecordingPtr(const Progress&)>;
    /// Called on the worker thread.
    using Explain = std::function<QString(const std::exception&)>;
    /// `beginning` comes before the work and may give nothing; what it throws is no error of the job.
    WorkerJob(const QString& title, Work work, QObject* parent = nullptr, Work beginning = {}, Explain explain = {});
    ~WorkerJob() override;

    void start() override;
    void cancel() override;

private:
    Work m_work, m_beginning;
    Explain m_explain;
    std::stop_source m_stop;
    QFutureWatcher<JobResult> m_watcher;
};

/// Opens a recording and analyses it; of a large one the beginning first.
WorkerJob* makeOpenJob(const QString& path, QObject* parent = nullptr);

}  // namespace lanes::gui
