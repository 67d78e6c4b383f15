// SPDX-License-Identifier: MIT
#include "gui/app/edit/live_run.h"

#include "engine/trace/meta_keys.h"
#include "gui/app/run/model_job.h"
#include "gui/timeline/question.h"

#include <QtConcurrentMap>

namespace lanes::gui {

bool answers(const OpenRecordingPtr& recording, const RunRequest& request)
{
    if (!recording || !recording->path.isEmpty() || recording->workload != request.workload
        || recording->run != request.run || request.device.kind != RunDevice::Kind::model) {
        return false;
    }
    return meta::text_of(recording->trace->meta, meta::model_device) == request.device.argument.toStdString();
}

LiveRun::LiveRun(QObject* parent)
    : QObject(parent)
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(patience_ms);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        if (m_waiting) {
            giveUp();
        }
    });
    connect(&m_watcher, &QFutureWatcher<Attempt>::finished, this, &LiveRun::ended);
}

LiveRun::~LiveRun()
{
    m_watcher.disconnect();
    giveUp();
    m_pool.waitForDone();
}

void LiveRun::want(std::vector<RunRequest> requests, const std::vector<OpenRecordingPtr>& shown)
{
    Wish wish;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const OpenRecordingPtr known = i < shown.size() && answers(shown[i], requests[i]) ? shown[i] : nullptr;
        wish.push_back({std::move(requests[i]), known, {}});
    }
    if (!m_running) {
        start(std::move(wish));
        return;
    }
    m_waiting = std::move(wish);
    if (!m_patience.isActive()) {
        giveUp();
    }
}

void LiveRun::stop()
{
    m_waiting.reset();
    giveUp();
}

void LiveRun::start(Wish wish)
{
    m_running = true;
    m_stop = std::stop_source();
    m_patience.start();
    m_watcher.setFuture(QtConcurrent::mapped(&m_pool, std::move(wish), [stop = m_stop.get_token()](Attempt part) {
        if (!part.recording) {
            try {
                part.recording = runOnModel(part.request, stop);
            } catch (const Cancelled&) {
                part.recording = nullptr;
            } catch (...) {
                part.error = problemOf(std::current_exception());
            }
        }
        return part;
    }));
}

void LiveRun::ended()
{
    if (!std::exchange(m_running, false)) {
        return;  // that is the end of the nothing below
    }
    m_patience.stop();
    const bool seen = !m_stop.stop_requested();
    std::vector<OpenRecordingPtr> recordings;
    QString error;
    for (const Attempt& part : m_watcher.future().results()) {
        recordings.push_back(part.recording);
        error = error.isEmpty() ? part.error : error;
    }
    m_watcher.setFuture({});  // releases the recordings
    if (m_waiting) {
        start(std::move(*std::exchange(m_waiting, std::nullopt)));
    }
    if (seen) {
        error.isEmpty() ? emit made(recordings) : emit failed(error);
    }
}

}  // namespace lanes::gui
