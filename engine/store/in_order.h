// SPDX-License-Identifier: MIT
// Several threads make pieces at once, and the pieces are taken in order; private to engine/store.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace lanes {

/// Calls `make(thread, piece)` for the pieces 0 to `pieces` - 1 on `threads` threads, of which this one is number 0,
/// and `take(made)` for each in order, one at a time, on whichever thread. At most four pieces a thread wait to be
/// taken. Once all threads have ended, it throws what the first failed piece in that order threw; later pieces are not
/// taken.
template <class Piece> void make_in_order(std::size_t pieces, std::size_t threads, auto&& make, auto&& take)
{
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t next = 0;  // to be made
    std::size_t taken = 0;
    std::size_t failed = pieces;  // the first
    std::exception_ptr failure;
    bool taking = false;
    std::map<std::size_t, Piece> made;
    const auto fail = [&](std::size_t piece) {
        if (piece < failed) {
            failed = piece;
            failure = std::current_exception();
        }
    };
    const auto take_all = [&](std::unique_lock<std::mutex>& lock) {
        taking = true;
        for (auto at = made.find(taken); at != made.end() && taken < failed; at = made.find(taken)) {
            auto piece = std::move(made.extract(at).mapped());
            lock.unlock();
            try {
                take(std::move(piece));
                lock.lock();
            } catch (...) {
                lock.lock();
                fail(taken);
            }
            ++taken;
            changed.notify_all();
        }
        taking = false;
    };
    const auto work = [&](std::size_t thread) {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [&] { return next >= failed || next - taken < 4 * threads; });
            if (next >= failed) {
                break;
            }
            const auto piece = next++;
            lock.unlock();
            try {
                auto result = make(thread, piece);
                lock.lock();
                made.emplace(piece, std::move(result));
            } catch (...) {
                if (!lock.owns_lock()) {
                    lock.lock();
                }
                fail(piece);
                changed.notify_all();
            }
            if (!taking) {
                take_all(lock);
            }
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (std::size_t thread = 1; thread < threads && thread < pieces; ++thread) {
                others.emplace_back(work, thread);
            }
        } catch (const std::system_error&) {  // no more threads can be started: the present ones do it
        }
        work(0);
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace lanes
