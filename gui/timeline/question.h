// SPDX-License-Identifier: MIT
// A question that the window has answered in the background. Only the newest counts: who asks again asks in the place
// of what was asked before. One work runs at a time: the one before is told to stop, and the next begins when it has
// ended, so that work which cannot stop does not pile up.
//
// A question may be wanted only at times (whileSeen(), setWanted()): what is asked meanwhile waits. The answer, or why
// there is none, comes on the window's thread, through its event loop; what was cancelled never comes. Nothing that the
// work throws leaves its thread. Ends with its owner, without waiting for the work. For the window's thread.
//
// Work that takes a Progress in the place of a stop token says with it how far it is: see onProgress().
#pragma once

#include "engine/trace/progress.h"
#include "engine/trace/thread_priority.h"
#include "gui/timeline/worker_pool.h"

#include <QFutureWatcher>
#include <QObject>
#include <QPointer>
#include <QPromise>
#include <QString>
#include <QtConcurrentRun>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <type_traits>
#include <utility>

class QWidget;

namespace lanes::gui {

/// Why it failed, in one sentence, in the language of the window.
QString problemOf(const std::exception_ptr& failure);

/// When a question is wanted, and that no two of its works run at a time.
class QuestionTimes : public QObject {
public:
    ~QuestionTimes() override;

    /// It is answered only while that widget is seen.
    void whileSeen(QWidget* widget);
    /// It is answered only while somebody wants it. Before the first call it always is.
    void setWanted(const QObject* by, bool wanted);
    bool isWanted() const { return m_always || !m_wantedBy.empty(); }
    /// It was asked, is wanted, and is not answered yet.
    bool isPending() const { return m_open && isWanted(); }
    /// What was asked is not answered any more.
    void cancel();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

    /// In the place of what was asked before.
    void askNext(std::function<void(const std::stop_token&)> begin);
    void beginNext();
    /// The work that begin() began has ended. Whether its answer is wanted still.
    bool end();
    /// The work that runs is that of the newest question.
    bool isNewestRunning() const { return m_running && !m_stop.stop_requested(); }

private:
    bool m_always = true;
    std::set<const QObject*> m_wantedBy;
    std::function<void(const std::stop_token&)> m_next;  // begins the work; empty: there is none
    std::stop_source m_stop {std::nostopstate};
    bool m_open = false;  // asked and not answered
    bool m_running = false;  // a work, maybe one that was cancelled
};

template <class T> class Question : public QuestionTimes {
public:
    enum class Work : bool {
        aside,  ///< on a thread of low priority
        here,  ///< short: at once, or as soon as it is wanted, on the window's thread
    };

    /// `listener` is called with fractions in [0, 1], of the newest question and of work aside alone.
    void onProgress(std::function<void(double)> listener) { m_listener = std::move(listener); }

    /// `work` is called with a stop token or a Progress and returns a T. Then either `take` is called with it, or
    /// `fail` with what went wrong (a QString); isPending() is false there, and either may ask again.
    template <class Of, class Take, class Fail> void ask(Of work, Take take, Fail fail, Work where = Work::aside)
    {
        askNext([this, where, work = std::move(work), take = std::move(take), fail = std::move(fail)](
                    const std::stop_token& stop) {
            if (where == Work::here) {
                answer(answerOf(work, stop), take, fail);
                return;
            }
            m_watcher = std::make_unique<Watcher>();
            QObject::connect(m_watcher.get(), &QFutureWatcherBase::finished, m_watcher.get(), [this, take, fail] {
                Watcher* done = m_watcher.release();
                done->deleteLater();  // it is its signal that we are in
                answer(done->future().takeResult(), take, fail);
            });
            QObject::connect(
                m_watcher.get(), &QFutureWatcherBase::progressValueChanged, m_watcher.get(), [this](int value) {
                    if (m_listener && isNewestRunning()) {
                        m_listener(double(value) / progress_steps);
                    }
                });
            m_watcher->setFuture(QtConcurrent::run(workerPool(), [work, stop](QPromise<Answer>& promise) {
                lower_priority_of_this_thread();
                promise.setProgressRange(0, progress_steps);
                promise.addResult(answerOf(work, stop, [&promise](double fraction) {
                    promise.setProgressValue(static_cast<int>(fraction * progress_steps));
                }));
            }));
        });
    }

private:
    struct Answer {
        std::optional<T> value;
        std::exception_ptr failure;
    };
    using Watcher = QFutureWatcher<Answer>;

    static constexpr int progress_steps = 1000;

    template <class Of>
    static Answer answerOf(const Of& work, const std::stop_token& stop, const Progress::Listener& listener = {})
    {
        Answer answer;
        try {
            if constexpr (std::is_invocable_v<const Of&, const Progress&>) {
                answer.value.emplace(work(Progress(stop, listener)));
            } else {
                answer.value.emplace(work(stop));
            }
        } catch (...) {
            answer.failure = std::current_exception();
        }
        return answer;
    }
    template <class Take, class Fail> void answer(Answer answer, const Take& take, const Fail& fail)
    {
        const QPointer<QObject> still(this);  // who takes the answer may end the question
        if (end()) {
            answer.failure ? fail(problemOf(answer.failure)) : take(std::move(*answer.value));
        }
        if (still) {
            beginNext();
        }
    }

    std::unique_ptr<Watcher> m_watcher;
    std::function<void(double)> m_listener;
};

}  // namespace lanes::gui
