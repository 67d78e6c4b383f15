// SPDX-License-Identifier: MIT
// Runs that follow a knob: what is wanted changes faster than it can be computed, the
// newest request counts.
//
// One request is under way at a time, its runs side by side on worker threads; while it
// is, only the newest of the later ones waits. What ends in time is shown although a
// newer one waits, so that the picture moves with the hand; what has run longer than
// `patience_ms` then is given up for it. A run whose request is the same as before is
// not computed again.
#pragma once

#include "gui/app/run/run_request.h"
#include "gui/session/open_recording.h"
#include "gui/timeline/worker_pool.h"

#include <QFutureWatcher>
#include <QTimer>

#include <atomic>
#include <optional>

namespace lanes::gui {

class LiveRun : public QObject {
    Q_OBJECT
public:
    explicit LiveRun(QObject* parent = nullptr);
    ~LiveRun() override;

    static constexpr int patience_ms = 150;

    /// On the model device; `shown` is what is shown of them now, where it is known, by place.
    void want(std::vector<RunRequest> requests, const std::vector<OpenRecordingPtr>& shown);
    /// Nothing is wanted any more: what is under way ends unseen.
    void stop();
    bool isBusy() const { return m_running; }

signals:
    /// All runs of a request, in its order.
    void made(const std::vector<lanes::gui::OpenRecordingPtr>& recordings);
    void failed(const QString& error);

private:
    struct Attempt {
        RunRequest request;
        OpenRecordingPtr recording;  ///< null: to be made; after that: failed or given up
        QString error;
    };
    using Wish = std::vector<Attempt>;
    void start(Wish wish);
    void ended();
    void giveUp() { m_stop.request_stop(); }

    WorkerPool m_pool;
    std::optional<Wish> m_waiting;
    bool m_running = false;
    std::stop_source m_stop;  // of what runs
    QTimer m_patience;  // since what runs began
    QFutureWatcher<Attempt> m_watcher;
};

/// Whether the recording is what the request would give.
bool answers(const OpenRecordingPtr& recording, const RunRequest& request);

}  // namespace lanes::gui
