// SPDX-License-Identifier: MIT
// What lanescope.h says, for one process.
//
// The recorder of ranges is reached through one pointer. Threads of a stranger's program may be
// inside it at any time, even after its session ended, so it is destroyed only when another
// session begins while no thread is inside.
#include "probes/cupti/cupti_api.h"
#include "probes/cupti/find_cupti.h"
#include "probes/cupti/recorder.h"
#include "probes/inject/environment.h"
#include "probes/inject/given_recorder.h"
#include "probes/inject/own_ranges.h"
#include "probes/inject/own_spool.h"
#include "probes/inject/stack_sampler.h"
#include "probes/lanescope.h"
#include "probes/spool.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <pthread.h>
#include <unistd.h>
#include <utility>

namespace {

using namespace lanes;

// Long enough for the last flush of any size seen.
constexpr std::chrono::milliseconds stop_limit {10'000};

/// The session that the program began itself.
struct OwnSession {
    SpoolWriter spool;
    CuptiApi api;
    std::unique_ptr<CuptiRecorder> recorder;
    std::unique_ptr<OwnRanges> ranges;
    OwnSession* before = nullptr;  ///< one that ended and still exists
};

/// Ranges of a process that `lanes record` records.
struct GivenSession {
    SpoolWriter spool;
    std::unique_ptr<OwnRanges> ranges;
};

std::mutex sessions;  ///< for `own` and `ended`
OwnSession* own = nullptr;
OwnSession* ended = nullptr;  ///< the last that ended and still exists
std::atomic<bool> sought {false};  ///< whether `lanes record` gave a spool is known
std::atomic<OwnRanges*> ranges {nullptr};
std::atomic<std::uint32_t> inside {0};  ///< threads that may hold what `ranges` was when they came in
thread_local std::string last_error;
StackSampler* sampler = nullptr;  ///< under Python's lock, which its callers hold

int fail(std::string words)
{
    last_error = std::move(words);
    return -1;
}

int fail(const std::exception& error)
{
    try {
        return fail(dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "no memory" : error.what());
    } catch (const std::bad_alloc&) {
        return fail("no memory");  // short enough to need none
    }
}

/// While it lives, what its thread finds in `ranges` is not destroyed.
class Inside {
public:
    Inside() { ++inside; }
    ~Inside() { --inside; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

/// Threads that come in from here on find the present `ranges`, which is none of these.
void destroy_ended()
{
    while (ended != nullptr && inside == 0) {
        delete std::exchange(ended, ended->before);
    }
}

extern "C" void write_ranges_at_exit()
{
    const Inside now;
    try {
        if (auto* running = ranges.load(); running != nullptr) {
            running->flush_all();
        }
    } catch (const std::exception&) {  // without memory they are lost
    }
}

void take_given_spool()
{
    const auto path = own_spool_path();
    if (path.empty()) {
        return;
    }
    auto session = std::make_unique<GivenSession>();
    if (open_own_spool(session->spool, path)) {
        session->ranges = std::make_unique<OwnRanges>(session->spool, given_ranges_are_kept);
        ranges = session.release()->ranges.get();  // for the rest of the process
    }
}

/// A forked child writes into the spool of `lanes record` through its own writer, once it has something to write:
/// what the parent has gathered, the parent writes.
extern "C" void begin_anew_in_child()
{
    new (&sessions) std::mutex;  // the parent's may be held by a thread that is not here
    if (own != nullptr) {
        own->recorder->abandon();
    }
    own = nullptr;
    ended = nullptr;
    ranges = nullptr;
    inside = 0;
    sought = false;
    sampler = nullptr;  // its thread is the parent's
}

void seek_given_spool()
{
    const std::lock_guard lock(sessions);
    if (sought) {
        return;
    }
    static bool registered = false;  // stays true in a child
    if (!registered) {
        registered = true;
        pthread_atfork(nullptr, nullptr, begin_anew_in_child);
        std::atexit(write_ranges_at_exit);
    }
    take_given_spool();
    sought = true;
}

OwnRanges* running_ranges()
{
    if (!sought) {
        try {
            seek_given_spool();
        } catch (...) {
            sought = true;
        }
    }
    return ranges;
}

/// Nothing that the probe does may throw into the program; without memory a range is lost.
template <class Action> void with_ranges(Action action)
{
    if (sought && ranges.load() == nullptr) {
        return;  // nothing records, so threads need not share a counter
    }
    const Inside now;
    try {
        if (auto* running = running_ranges(); running != nullptr) {
            action(*running);
        }
    } catch (...) {
    }
}

int start(const char* path)
{
    running_ranges();
    const std::lock_guard lock(sessions);
    if (own != nullptr) {
        return fail("lanescope_start was called again before lanescope_stop");
    }
    if (ranges != nullptr) {
        return fail("this process is being recorded already, by lanes record");
    }
    destroy_ended();
    const auto library = find_cupti(folder_of_code(reinterpret_cast<const void*>(&lanescope_start)));
    if (!library.usable()) {
        return fail(library.note);
    }
    auto session = std::make_unique<OwnSession>();
    if (auto problem = session->api.load(library.handle); !problem.empty()) {
        return fail(problem + " (" + library.path + ")");
    }
    if (!session->spool.open(path)) {
        return fail(std::string("cannot write ") + path + ": " + std::strerror(session->spool.error()));
    }
    RecorderOptions options;
    options.late = true;
    session->recorder = std::make_unique<CuptiRecorder>(session->api, session->spool, options);
    if (auto problem = session->recorder->start(); !problem.empty()) {
        return fail(problem);
    }
    session->spool.write_meta(spool_end_key, "");  // the file may hold an earlier part, which ended
    session->spool.write_meta("source", "cupti");
    session->spool.write_meta("cupti_version", std::to_string(library.version));
    session->ranges = std::make_unique<OwnRanges>(session->spool);
    own = session.release();
    ranges = own->ranges.get();
    return 0;
}

int stop()
{
    const std::lock_guard lock(sessions);
    if (own == nullptr) {
        return fail("lanescope_stop without lanescope_start");
    }
    auto* const session = own;
    own = nullptr;
    ranges = nullptr;
    session->ranges->flush_all();
    const bool answered = session->recorder->stop(stop_limit);
    if (answered) {
        session->spool.write_meta(spool_end_key, "stopped");
    }
    const int error = session->spool.error();
    session->spool.close();
    if (answered) {  // else a flush that needs it still runs
        session->before = ended;
        ended = session;
    }
    if (error != 0) {
        return fail(std::string("the recording could not be written: ") + std::strerror(error));
    }
    return answered ? 0 : fail("CUPTI did not deliver its records within 10 s");
}

}  // namespace

void lanes::write_given_ranges()
{
    write_ranges_at_exit();
}

#define LANESCOPE_EXPORT extern "C" __attribute__((visibility("default")))

LANESCOPE_EXPORT int lanescope_start(const char* path)
{
    try {
        return path == nullptr || *path == '\0' ? fail("lanescope_start: the path is missing") : start(path);
    } catch (const std::exception& error) {
        return fail(error);
    }
}

LANESCOPE_EXPORT int lanescope_stop(void)
{
    try {
        return stop();
    } catch (const std::exception& error) {
        return fail(error);
    }
}

LANESCOPE_EXPORT int lanescope_recording(void)
{
    return running_ranges() != nullptr ? 1 : 0;
}

LANESCOPE_EXPORT void lanescope_range_push(const char* name)
{
    with_ranges([name](OwnRanges& running) {
        running.push(name);
        tell_range_pushed(name == nullptr ? "" : name);
    });
}

LANESCOPE_EXPORT void lanescope_range_pop(void)
{
    with_ranges([](OwnRanges& running) {
        tell_range_popped();
        running.pop();
    });
}

/// For liblanes-nvtx.so: not part of lanescope.h.
LANESCOPE_EXPORT void lanescope_operator_push(const char* name, std::int64_t sequence, const char* shapes)
{
    with_ranges([=](OwnRanges& running) {
        running.push_operator(name, sequence, shapes);
        tell_range_pushed(name);
    });
}

/// For liblanes-nvtx.so: see DomainPushFunction.
LANESCOPE_EXPORT bool lanescope_domain_push(const GivenRange* range)
{
    bool is_recorded = false;
    with_ranges([&](OwnRanges& running) {
        running.push_in_domain(*range);
        is_recorded = true;
        tell_range_pushed(range->name);
    });
    return is_recorded;
}

LANESCOPE_EXPORT bool lanescope_domain_pop(const GivenRange* range)
{
    bool is_recorded = false;
    with_ranges([&](OwnRanges& running) {
        is_recorded = running.pop_in_domain(*range);
        if (is_recorded) {
            tell_range_popped();
        }
    });
    return is_recorded;
}

/// For lanes_stacks.py, which holds Python's lock in each call: not part of lanescope.h. Where the calling thread is,
/// as PythonFrames::all() says it; "" if this is no Python whose frames can be read: see lanescope_error().
LANESCOPE_EXPORT const char* lanescope_stacks_here(std::uint32_t version, const void* code_type, const void* state)
{
    static thread_local std::string here;
    try {
        here.clear();
        const auto* layout = python_layout(version);
        if (layout == nullptr) {
            fail("its version is not one of 3.9 to 3.13");
            return here.c_str();
        }
        PythonFrames frames(*layout, reinterpret_cast<std::uintptr_t>(code_type), "");
        here = frames.all(reinterpret_cast<std::uintptr_t>(state));
        if (here.empty()) {
            fail(frames.error() != 0 ? std::string("process_vm_readv: ") + std::strerror(frames.error())
                                     : "its frames are not as this version has them");
        }
    } catch (const std::exception& error) {
        here.clear();
        fail(error);
    }
    return here.c_str();
}

/// Samples from here on the threads that are added, each `interval` ns. Returns 0, or -1: see lanescope_error().
LANESCOPE_EXPORT int lanescope_stacks_start(
    std::uint32_t version, const void* code_type, const char* library, std::int64_t interval)
{
    try {
        const auto* layout = python_layout(version);
        if (layout == nullptr || interval <= 0 || sampler != nullptr) {
            return fail("lanescope_stacks_start: unknown version, no interval, or called twice");
        }
        sampler = new StackSampler(
            PythonFrames(*layout, reinterpret_cast<std::uintptr_t>(code_type), library), interval,
            [](const auto& action) { with_ranges(action); }, records_cuda);
        running_ranges();  // a forked child begins anew
        return 0;
    } catch (const std::exception& error) {
        return fail(error);
    }
}

/// The calling thread is sampled from here on (`state`: its PyThreadState), or no longer (nullptr).
LANESCOPE_EXPORT void lanescope_stacks_thread(const void* state)
{
    try {
        if (sampler != nullptr && state != nullptr) {
            sampler->add(this_thread(), reinterpret_cast<std::uintptr_t>(state));
        } else if (sampler != nullptr) {
            sampler->remove(this_thread());
        }
    } catch (const std::exception&) {  // without memory this thread is not sampled
    }
}

LANESCOPE_EXPORT void lanescope_stacks_stop(void)
{
    delete std::exchange(sampler, nullptr);
}

LANESCOPE_EXPORT void lanescope_mark(const char* name)
{
    with_ranges([name](OwnRanges& running) { running.mark(name); });
}

LANESCOPE_EXPORT void lanescope_counter(const char* name, double value, int unit, int device)
{
    static_assert(static_cast<int>(CounterRecord::bytes) == LANESCOPE_BYTES
        && static_cast<int>(CounterRecord::percent) == LANESCOPE_PERCENT);
    const bool known = unit > LANESCOPE_NUMBER && unit <= LANESCOPE_PERCENT;
    with_ranges([=](OwnRanges& running) {
        running.count(name, value, known ? static_cast<CounterRecord::Unit>(unit) : CounterRecord::none,
            device < 0 ? no_id : static_cast<std::uint32_t>(device));
    });
}

LANESCOPE_EXPORT void lanescope_name_thread(const char* name)
{
    with_ranges([name](OwnRanges& running) { running.name_thread(name); });
}

LANESCOPE_EXPORT void lanescope_flush(void)
{
    with_ranges([](OwnRanges& running) { running.flush(); });
}

LANESCOPE_EXPORT const char* lanescope_error(void)
{
    return last_error.c_str();
}
