// SPDX-License-Identifier: MIT
// One thread makes pieces, and another takes them in the same order; private to engine/store.
#pragma once

#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace lanes {

/// Calls `make(piece)` on another thread until it returns false, and `take(piece)` on this one, at most three pieces
/// later. Pieces are reused. Returns, or throws what either threw, once the other thread has ended; if both threw, what
/// comes first in the order of the pieces.
template <class Piece> void read_ahead(auto&& make, auto&& take)
{
    constexpr std::size_t ahead = 3;
    std::array<Piece, ahead> pieces;
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t made = 0;
    std::size_t taken = 0;
    bool ended = false;  // nothing more is made
    bool unwanted = false;  // nothing more is taken
    std::exception_ptr failure;
    std::jthread maker([&] {
        try {
            for (bool more = true; more;) {
                {
                    std::unique_lock lock(mutex);
                    changed.wait(lock, [&] { return unwanted || made - taken < ahead; });
                    if (unwanted) {
                        break;
                    }
                }
                more = make(pieces[made % ahead]);
                const std::lock_guard lock(mutex);
                made += more ? 1 : 0;
                changed.notify_all();
            }
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        ended = true;
        changed.notify_all();
    });
    struct Leave {
        std::mutex& mutex;
        std::condition_variable& changed;
        bool& unwanted;
        ~Leave()
        {
            const std::lock_guard lock(mutex);
            unwanted = true;
            changed.notify_all();
        }
    };
    {
        const Leave leave {mutex, changed, unwanted};
        while (true) {
            {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return ended || taken < made; });
                if (taken == made) {
                    break;
                }
            }
            take(pieces[taken % ahead]);
            const std::lock_guard lock(mutex);
            ++taken;
            changed.notify_all();
        }
    }
    maker.join();
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace lanes
