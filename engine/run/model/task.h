// SPDX-License-Identifier: MIT
// The coroutine of a step of a host thread.
//
// A task runs at once until it first waits. When it ends after a wait, its awaiter is
// resumed by the loop that resumed the task (`Resumer::next`), never from within the
// task: stacks do not grow with the number of steps, and no frame is destroyed while
// it runs.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace lanes::model {

class Task {
public:
    struct promise_type {
        std::coroutine_handle<> awaiting;
        std::coroutine_handle<>* next = nullptr;  ///< where the loop looks for the next to resume
        std::exception_ptr failure;

        Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_never initial_suspend() noexcept { return {}; }
        auto final_suspend() noexcept
        {
            struct Hand {
                bool await_ready() noexcept { return false; }
                void await_suspend(std::coroutine_handle<promise_type> task) noexcept
                {
                    if (auto& promise = task.promise(); promise.next != nullptr) {
                        *promise.next = promise.awaiting;
                    }
                }
                void await_resume() noexcept { }
            };
            return Hand {};
        }
        void return_void() { }
        void unhandled_exception() { failure = std::current_exception(); }
    };

    Task() = default;
    explicit Task(std::coroutine_handle<promise_type> handle)
        : m_handle(handle)
    {
    }
    Task(Task&& other) noexcept
        : m_handle(std::exchange(other.m_handle, {}))
    {
    }
    Task& operator=(Task&& other) noexcept
    {
        std::swap(m_handle, other.m_handle);
        return *this;
    }
    ~Task()
    {
        if (m_handle) {
            m_handle.destroy();
        }
    }

    bool is_done() const { return !m_handle || m_handle.done(); }
    void rethrow_failure() const
    {
        if (m_handle && m_handle.promise().failure) {
            std::rethrow_exception(m_handle.promise().failure);
        }
    }

    /// Awaits the end of this task; `next` is the loop's place for the next to resume.
    auto then(std::coroutine_handle<>& next)
    {
        struct Awaiter {
            Task& task;
            std::coroutine_handle<>& next;
            bool await_ready() const { return task.is_done(); }
            void await_suspend(std::coroutine_handle<> awaiting)
            {
                task.m_handle.promise().awaiting = awaiting;
                task.m_handle.promise().next = &next;
            }
            void await_resume() const { task.rethrow_failure(); }
        };
        return Awaiter {*this, next};
    }

private:
    std::coroutine_handle<promise_type> m_handle;
};

}  // namespace lanes::model
