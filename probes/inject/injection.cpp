// SPDX-License-Identifier: MIT
// The probe inside a stranger's process: libcuda calls InitializeInjection from cuInit.
//
// A guest: it prints nothing (unless LANES_PROBE_VERBOSE), throws nothing, ends
// nothing. Why it could not record is in the spool, as an error record.
//
// What records is never destroyed. CUPTI's threads and the program's own may still
// call back while the process exits, and libcuda's exit handler was registered after
// ours or before: so records go to disk as they come, and the last flush is bounded.
#include "probes/cupti/cupti_api.h"
#include "probes/cupti/find_cupti.h"
#include "probes/cupti/recorder.h"
#include "probes/inject/environment.h"
#include "probes/inject/given_recorder.h"
#include "probes/inject/import_table.h"
#include "probes/inject/own_spool.h"
#include "probes/inject/process_end.h"
#include "probes/inject/refused_profiler.h"
#include "probes/inject/signals.h"
#include "probes/spool.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <new>
#include <pthread.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace lanes;

// Long enough for a flush of any size seen, short enough for a program whose driver no longer answers.
constexpr std::chrono::milliseconds last_flush_limit {2000};

std::atomic<CuptiRecorder*> recorder {nullptr};

bool is_set(const char* variable, bool otherwise)
{
    const char* value = std::getenv(variable);
    return value == nullptr || *value == '\0' ? otherwise : std::strcmp(value, "0") != 0;
}

void say(std::string_view words)
{
    if (is_set(probe_variable::verbose, false)) {
        std::fprintf(stderr, "lanes probe: %.*s\n", static_cast<int>(words.size()), words.data());
    }
}

/// Async-signal-safe, as far as waiting for another thread is.
extern "C" void finish_recording()
{
    if (auto* running = recorder.load(); running != nullptr) {
        running->flush_last(last_flush_limit);
    }
}

extern "C" void leave_child_alone()
{
    if (auto* running = recorder.exchange(nullptr); running != nullptr) {
        running->abandon();
    }
    restore_default_signals();
}

/// "" if the file cannot be read. One system call while there is no such file.
std::string first_line_of(const std::string& path)
{
    char text[512] = {};
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return {};
    }
    const auto got = ::read(descriptor, text, sizeof text - 1);
    ::close(descriptor);
    return got > 0 ? std::string(text, std::min(static_cast<std::size_t>(got), std::strcspn(text, "\n")))
                   : std::string();
}

void report(SpoolWriter& spool, const std::string& problem)
{
    const auto words = "not recorded: " + problem;
    say(words);
    spool.write(ErrorRecord {.time = read_clocks().realtime,
        .process = static_cast<std::uint32_t>(::getpid()),
        .thread = static_cast<std::uint32_t>(::syscall(SYS_gettid)),
        .step = no_id,
        .code = 0,
        .message = spool.intern(words)});
}

/// Where the recorder writes, while it writes.
SpoolWriter* written_spool = nullptr;

void tell_refused(std::string_view module)
{
    try {
        if (recorder.load() != nullptr) {
            written_spool->write_meta(refused_profiler_key, module);
            say(std::string(module) + " asked for CUPTI and was refused");
        }
    } catch (const std::exception&) {  // without memory nothing can be reported
    }
}

void replace_all_imports()
{
    // Never destroyed: the flush thread still runs while the process exits.
    static const auto* const all = [] {
        const auto ends = ends_without_handlers();
        const auto profilers = calls_of_profilers(tell_refused);
        auto* const imports = new std::vector<ReplacedImport>(ends.begin(), ends.end());
        imports->insert(imports->end(), profilers.begin(), profilers.end());
        return imports;
    }();
    replace_imports(*all);
}

/// Returns "" or why nothing is recorded.
std::string start_recording(SpoolWriter& spool, const std::string& path)
{
    const auto library = find_cupti(folder_of_code(reinterpret_cast<const void*>(&finish_recording)));
    if (!library.usable()) {
        return library.note;
    }
    auto api = std::make_unique<CuptiApi>();
    if (auto problem = api->load(library.handle); !problem.empty()) {
        return problem + " (" + library.path + ")";
    }
    RecorderOptions options;
    options.with_threads = is_set(probe_variable::threads, true);
    options.host_pinned_buffers = is_set(probe_variable::host_pinned, false);
    options.event_times = is_set(probe_variable::event_times, false);
    options.buffer_per_thread = is_set(probe_variable::buffer_per_thread, true);
    if (const char* control = std::getenv(probe_variable::control); control != nullptr) {
        options.control = control_of_text(control);
    }
    options.bytes_written = [path] {
        struct stat status { };
        return ::stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
    };
    if (options.control.idle) {
        options.last_trigger = [file = trigger_file_of(path)] { return control_of_text(first_line_of(file)); };
    }
    options.before_hand_over = write_given_ranges;
    options.each_tick = replace_all_imports;
    auto made = std::make_unique<CuptiRecorder>(*api, spool, options);
    work_before_end(finish_recording);
    replace_all_imports();  // at once, for a program may end before the flush thread has begun
    if (auto problem = made->start(); !problem.empty()) {
        return problem;
    }
    spool.write_meta("cupti_version", std::to_string(library.version));
    const auto gaps = made->gaps();
    say("recording with CUPTI " + cupti_version_text(library.version) + ", " + library.place + ": " + library.path
        + (library.note.empty() ? "" : "; " + library.note) + (gaps.empty() ? "" : "; without " + gaps));
    static_cast<void>(api.release());
    made->let_thread_go();
    written_spool = &spool;
    recorder = made.release();
    pthread_atfork(nullptr, nullptr, leave_child_alone);
    keep_records_on_signals(finish_recording);
    return {};
}

void start_once()
{
    const auto path = own_spool_path();
    if (path.empty()) {
        return;
    }
    auto spool = std::make_unique<SpoolWriter>();
    if (!open_own_spool(*spool, path)) {
        say("cannot write " + path + ": " + std::strerror(spool->error()));
        return;
    }
    std::string problem;
    try {
        problem = start_recording(*spool, path);
    } catch (const std::bad_alloc&) {
        problem = "out of memory";
    } catch (const std::exception& error) {
        problem = error.what();
    }
    if (!problem.empty()) {
        report(*spool, problem);
        return;
    }
    static_cast<void>(spool.release());  // the recorder writes to it from here on
}

}  // namespace

void lanes::tell_range_pushed(std::string_view name)
{
    if (auto* running = recorder.load(); running != nullptr) {
        running->range_pushed(name);
    }
}

void lanes::tell_range_popped()
{
    if (auto* running = recorder.load(); running != nullptr) {
        running->range_popped();
    }
}

bool lanes::records_cuda()
{
    return recorder.load() != nullptr;
}

bool lanes::given_ranges_are_kept(Ns since)
{
    const auto* running = recorder.load();
    return running == nullptr || running->keeps_ranges(since);
}

extern "C" __attribute__((visibility("default"))) int InitializeInjection(void)
{
    static std::atomic_flag called = ATOMIC_FLAG_INIT;
    if (!called.test_and_set()) {
        try {
            start_once();
        } catch (const std::exception& error) {
            say(error.what());
        }
    }
    return 1;
}
