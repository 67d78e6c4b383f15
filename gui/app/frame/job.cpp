// SPDX-License-Identifier: MIT
#include "gui/app/frame/job.h"

#include "engine/trace/freed_memory.h"
#include "engine/trace/thread_priority.h"
#include "gui/app/open/annotation_memory.h"
#include "gui/app/open/mark_memory.h"
#include "gui/session/problem_text.h"
#include "gui/timeline/freed_elsewhere.h"
#include "gui/timeline/question.h"
#include "gui/timeline/worker_pool.h"

#include <QFileInfo>
#include <QPromise>
#include <QtConcurrentRun>

#include <exception>
#include <new>

namespace lanes::gui {

namespace {

constexpr int progress_steps = 1000;
constexpr double opening_share = 0.8;  // the rest of the bar is the analysis

JobResult carryOut(const WorkerJob::Work& work, const WorkerJob::Explain& explain, const Progress& progress)
{
    JobResult result;
    try {
        result.recording = work(progress);
    } catch (const Cancelled&) {
        result.cancelled = true;
        return_freed_memory();  // of what was read so far
    } catch (const std::bad_alloc&) {
        result.error = problemOf(std::current_exception());
    } catch (const std::exception& error) {
        result.error = explain ? explain(error) : problemOf(std::current_exception());
    } catch (...) {
        result.error = problemOf(std::current_exception());
    }
    return result;
}

}  // namespace

WorkerJob::WorkerJob(const QString& title, Work work, QObject* parent, Work beginning, Explain explain)
    : Job(title, parent)
    , m_work(std::move(work))
    , m_beginning(std::move(beginning))
    , m_explain(std::move(explain))
{
    connect(&m_watcher, &QFutureWatcher<JobResult>::progressValueChanged, this,
        [this](int value) { emit progressed(double(value) / progress_steps); });
    connect(&m_watcher, &QFutureWatcher<JobResult>::resultReadyAt, this, [this](int index) {
        if (const JobResult result = m_watcher.resultAt(index); result.beginning) {
            emit begun(result.recording);
        }
    });
    connect(&m_watcher, &QFutureWatcher<JobResult>::finished, this,
        [this] { emit finished(m_watcher.resultAt(m_watcher.future().resultCount() - 1)); });
}

WorkerJob::~WorkerJob()
{
    m_watcher.disconnect();
    m_stop.request_stop();
}

void WorkerJob::start()
{
    m_watcher.setFuture(QtConcurrent::run(workerPool(),
        [work = m_work, beginning = m_beginning, explain = m_explain, stop = m_stop.get_token()](
            QPromise<JobResult>& promise) {
            lower_priority_of_this_thread();
            promise.setProgressRange(0, progress_steps);
            if (JobResult first = beginning ? carryOut(beginning, {}, Progress(stop)) : JobResult(); first.recording) {
                first.beginning = true;
                promise.addResult(std::move(first));
            }
            promise.addResult(carryOut(work, explain, Progress(stop, [&promise](double fraction) {
                promise.setProgressValue(static_cast<int>(fraction * progress_steps));
            })));
        }));
}

void WorkerJob::cancel()
{
    m_watcher.disconnect();
    m_stop.request_stop();
    emit finished({.recording = nullptr, .error = {}, .cancelled = true});
}

/// With what the user wrote and marked in it before.
static OpenRecordingPtr withNotes(OpenRecordingPtr recording)
{
    if (auto marks = recalledMarks(recording->path)) {
        recording->marks->set(std::move(*marks));
    }
    if (auto annotations = recalledAnnotations(recording->path)) {
        *recording->annotations = std::move(*annotations);
    }
    return recording;
}

WorkerJob* makeOpenJob(const QString& path, QObject* parent)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    return new WorkerJob(
        WorkerJob::tr("Opening %1").arg(QFileInfo(path).fileName()),
        [absolute](const Progress& progress) {
            KeepLater keep;
            Trace trace = open_recording(absolute.toStdString(), progress.part(0, opening_share), &keep);
            auto recording = withNotes(analysed(std::move(trace), absolute, progress.part(opening_share, 1)));
            if (keep) {  // while it is looked at
                workerPool()->start([keep, recording] {
                    lower_priority_of_this_thread();
                    keep(*recording->trace);
                });
            }
            return recording;
        },
        parent,
        [absolute](const Progress& progress) -> OpenRecordingPtr {
            auto trace = open_beginning(absolute.toStdString(), progress);
            if (!trace) {
                return nullptr;
            }
            auto shown = std::make_shared<OpenRecording>(*withNotes(analysed(std::move(*trace), absolute, progress)));
            auto report = std::make_shared<Report>(*shown->report);
            report->steady.reset();  // that of the whole decides what is looked at
            report->verdict = {};  // files list their events by thread: GPU work of this time may be in the rest
            report->findings.clear();
            shown->report = std::move(report);
            shown->note = WorkerJob::tr("the beginning; the rest is being read").toStdString();
            return shown;
        },
        [absolute](const std::exception& error) { return openingProblem(error, absolute); });
}

}  // namespace lanes::gui
