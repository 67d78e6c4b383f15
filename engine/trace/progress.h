// SPDX-License-Identifier: MIT
// How work says how far it is, and how it learns that nobody wants it any more: the one way of cancelling.
//
// Whoever starts work keeps a std::stop_source and passes its token on: alone to what has only a result to give, in a
// Progress to what takes long enough to say how far it is. Any thread may cancel.
#pragma once

#include <functional>
#include <stdexcept>
#include <stop_token>
#include <utility>

namespace lanes {

/// The work was cancelled. It leaves nothing behind.
class Cancelled : public std::runtime_error {
public:
    Cancelled()
        : std::runtime_error("cancelled")
    {
    }
};

class Progress {
public:
    using Listener = std::function<void(double)>;

    /// Nobody listens, nobody cancels.
    Progress() = default;
    /// `listener`, where there is one, is called on the thread that works with fractions in [0, 1].
    Progress(std::stop_token stop, Listener listener = {})  // NOLINT: a token is all that some work needs
        : m_stop(std::move(stop))
        , m_listener(std::move(listener))
    {
    }
    explicit Progress(Listener listener)
        : m_listener(std::move(listener))
    {
    }

    bool cancelled() const { return m_stop.stop_requested(); }

    /// Says how far the work is; for where nothing may be thrown.
    void tell(double fraction) const
    {
        if (m_listener) {
            m_listener(fraction);
        }
    }
    /// The same, and throws Cancelled if the work is cancelled.
    void report(double fraction) const
    {
        tell(fraction);
        if (cancelled()) {
            throw Cancelled();
        }
    }
    /// The part of it from `begin` to `end`: 0 to 1 there is begin to end here.
    Progress part(double begin, double end) const
    {
        if (!m_listener) {
            return *this;
        }
        return {m_stop, [=, whole = m_listener](double fraction) { whole(begin + (end - begin) * fraction); }};
    }

private:
    std::stop_token m_stop;
    Listener m_listener;
};

}  // namespace lanes
