// SPDX-License-Identifier: MIT
// Progress of long work, and its cancellation.
//
// The starter of the work keeps a std::stop_source. Work that reports progress gets its token in a Progress, other work
// only the token. Any thread may cancel.
#pragma once

#include <functional>
#include <stdexcept>
#include <stop_token>
#include <utility>

namespace lanes {

/// Thrown by work that was cancelled; it leaves nothing half done.
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

    /// For work that nobody watches or cancels.
    Progress() = default;
    /// `listener` (may be empty) is called with fractions in [0, 1], on the thread that does the work.
    Progress(std::stop_token stop, Listener listener = {})  // NOLINT: implicit, so that callers may pass a token alone
        : m_stop(std::move(stop))
        , m_listener(std::move(listener))
    {
    }
    explicit Progress(Listener listener)
        : m_listener(std::move(listener))
    {
    }

    bool cancelled() const { return m_stop.stop_requested(); }

    /// Calls the listener. Never throws Cancelled.
    void tell(double fraction) const
    {
        if (m_listener) {
            m_listener(fraction);
        }
    }
    /// Calls the listener, and throws Cancelled if the work was cancelled.
    void report(double fraction) const
    {
        tell(fraction);
        if (cancelled()) {
            throw Cancelled();
        }
    }
    /// A Progress that is cancelled together with this one and has no listener.
    Progress unheard() const { return {m_stop}; }
    /// The progress of one part of the work: its 0 to 1 are `begin` to `end` of the whole.
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
