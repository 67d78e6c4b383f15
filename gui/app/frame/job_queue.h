// SPDX-License-Identifier: MIT
// Jobs one after the other: two runs would disturb each other's times, and two
// openings each other's memory.
#pragma once

#include "gui/app/frame/job.h"

#include <deque>
#include <functional>
#include <memory>

namespace lanes::gui {

class JobQueue : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    using Then = std::function<void(const JobResult&)>;

    /// Takes the job; `begins` is called before it starts and `then` with its result, unless the queue was cancelled
    /// before it began. If `isWanted` is false when its turn comes, it is dropped.
    void add(
        std::unique_ptr<Job> job, Then then, std::function<void()> begins = {}, std::function<bool()> isWanted = {});
    /// Ends the job that runs and drops those that wait.
    void cancel();
    bool busy() const { return m_running != nullptr; }

signals:
    void begun(const QString& title);
    void progressed(double fraction);
    void idle();

private:
    struct Waiting {
        std::unique_ptr<Job> job;
        Then then;
        std::function<void()> begins;
        std::function<bool()> isWanted;
    };
    void next();

    std::deque<Waiting> m_waiting;
    std::unique_ptr<Job> m_running;
};

}  // namespace lanes::gui
