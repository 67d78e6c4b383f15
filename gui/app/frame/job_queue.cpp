// SPDX-License-Identifier: MIT
#include "gui/app/frame/job_queue.h"

namespace lanes::gui {

void JobQueue::add(std::unique_ptr<Job> job, Then then, std::function<void()> begins, std::function<bool()> isWanted)
{
    m_waiting.push_back({std::move(job), std::move(then), std::move(begins), std::move(isWanted)});
    if (!m_running) {
        next();
    }
}

void JobQueue::cancel()
{
    m_waiting.clear();
    if (m_running) {
        m_running->cancel();
    }
}

void JobQueue::next()
{
    while (!m_waiting.empty() && m_waiting.front().isWanted && !m_waiting.front().isWanted()) {
        m_waiting.pop_front();
    }
    if (m_waiting.empty()) {
        emit idle();
        return;
    }
    Waiting waiting = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_running = std::move(waiting.job);
    connect(m_running.get(), &Job::progressed, this, &JobQueue::progressed);
    connect(m_running.get(), &Job::finished, this, [this, then = std::move(waiting.then)](const JobResult& result) {
        m_running.release()->deleteLater();  // it is its signal that we are in
        then(result);
        if (!m_running) {
            next();
        }
    });
    emit begun(m_running->title());
    if (waiting.begins) {
        waiting.begins();
    }
    m_running->start();
}

}  // namespace lanes::gui
