// SPDX-License-Identifier: MIT
// Work in the background of the window whose newest answer counts: asking again gives up what was asked before. The
// answer, or why there is none, comes on the window's thread, through its event loop; what was given up never comes.
// Nothing that the work throws leaves its thread. Ends with its owner, without waiting for the work.
#pragma once

#include "engine/trace/thread_priority.h"

#include <QFutureWatcher>
#include <QString>
#include <QtConcurrentRun>

#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

namespace lanes::gui {

/// Why it failed, in one sentence, in the language of the window.
QString problemOf(const std::exception_ptr& failure);

template <class T> class LatestAnswer {
public:
    LatestAnswer() = default;
    ~LatestAnswer() { giveUp(); }
    LatestAnswer(const LatestAnswer&) = delete;
    LatestAnswer& operator=(const LatestAnswer&) = delete;

    /// `work` is called with a stop token on a thread of low priority and returns a T. Then either `take` is called
    /// with it, or `fail` with what went wrong (a QString); isRunning() is false there, and either may ask again.
    template <class Work, class Take, class Fail> void ask(Work work, Take take, Fail fail)
    {
        giveUp();
        m_stop = std::stop_source();
        m_watcher = std::make_unique<Watcher>();
        QObject::connect(m_watcher.get(), &QFutureWatcherBase::finished, m_watcher.get(),
            [this, take = std::move(take), fail = std::move(fail)] {
                Watcher* done = m_watcher.release();
                done->deleteLater();  // it is its signal that we are in
                Answer answer = done->future().takeResult();
                answer.failure ? fail(problemOf(answer.failure)) : take(std::move(*answer.value));
            });
        m_watcher->setFuture(QtConcurrent::run([work = std::move(work), stop = m_stop.get_token()] {
            lower_priority_of_this_thread();
            Answer answer;
            try {
                answer.value.emplace(work(stop));
            } catch (...) {
                answer.failure = std::current_exception();
            }
            return answer;
        }));
    }
    /// Nothing that was asked for is answered any more.
    void giveUp()
    {
        m_stop.request_stop();
        m_watcher.reset();
    }
    bool isRunning() const { return m_watcher != nullptr; }

private:
    struct Answer {
        std::optional<T> value;
        std::exception_ptr failure;
    };
    using Watcher = QFutureWatcher<Answer>;

    std::stop_source m_stop {std::nostopstate};
    std::unique_ptr<Watcher> m_watcher;
};

}  // namespace lanes::gui
