// SPDX-License-Identifier: MIT
#include "engine/run/record_program.h"

#include "engine/formatted.h"
#include "engine/run/child_process.h"
#include "engine/run/exit_status.h"
#include "engine/run/output_files.h"
#include "engine/run/own_program.h"
#include "engine/run/recording_join.h"
#include "engine/store/atomic_file.h"
#include "engine/trace/meta_keys.h"
#include "probes/inject/environment.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

constexpr int recording_failed = 125;

int fail(const std::string& text)
{
    say(text);
    return recording_failed;
}

int status_of(const ChildEnd& end)
{
    if (end.start_error != 0) {
        return end.start_error == ENOENT ? 127 : 126;
    }
    return end.signal != 0 ? 128 + end.signal : end.status;
}

/// Writes the recording, or says why there is none.
int join(const std::string& spool, const std::string& file, const ChildEnd& end)
{
    const std::string failure = end.signal != 0 ? "the program " + text_of(end) : "";
    const auto joined = join_recording(spool, file, nullptr, failure);
    ::unlink(spool.c_str());
    if (!joined.note.empty()) {
        fail(joined.note);
    }
    if (joined.calls == 0 && joined.operations == 0) {
        ::unlink(file.c_str());
        if (!joined.probe_problem.empty()) {
            return fail(joined.probe_problem);
        }
        fail("the program made no CUDA call: there is nothing to record");
        return status_of(end);
    }
    std::fputs(formatted("lanes: {} API calls, {} GPU operations{} -> {}\n", joined.calls, joined.operations,
                   joined.dropped > 0 ? formatted(", {} records dropped", joined.dropped) : "", file)
                   .c_str(),
        stderr);
    return status_of(end);
}

}  // namespace

int record_program(const RecordRequest& request)
{
    const std::string name = std::filesystem::path(request.command.at(0)).filename().string();
    const std::string file
        = std::filesystem::absolute(request.output.empty() ? name + ".sqlite" : request.output).string();
    const std::string spool = spool_of(file);
    const std::string probe = find_probe(own_folder());
    if (probe.empty()) {
        return fail(
            "liblanes-probe.so is not beside lanes, so nothing can be recorded: this lanes was built without CUDA, "
            "or moved without it");
    }
    const std::string python = request.pytorch ? find_pytorch_hook(probe) : "";
    if (request.pytorch && python.empty()) {
        return fail("python/pytorch is not beside " + probe + ": without it --pytorch cannot record operators");
    }
    std::signal(SIGXFSZ, SIG_IGN);  // a full disk is an error of the write, not the end of lanes
    SpoolWriter writer;
    try {
        expect_writable_as_file(file);
        if (const auto left = open_new_spool(writer, spool); !left.empty()) {
            say(left);
        }
    } catch (const std::system_error& error) {
        return fail(formatted("cannot write {}: {}", spool, error.code().message()));
    } catch (const std::runtime_error& error) {
        return fail(error.what());
    }
    writer.write_meta(meta::source, name_of(Source::cupti));
    writer.write_meta(meta::command, name);
    writer.write_meta(meta::recorded_at, utc_now());

    const CaughtSignals signals;
    ChildProcess child;
    child.arguments = request.command;
    child.environment = probe_environment({.spool = spool, .probe = probe, .cupti = "", .python = python});
    const ChildEnd end = run_child_process(child, 0);
    if (end.start_error != 0) {
        fail(formatted("{}: {}", request.command[0], std::strerror(end.start_error)));
        ::unlink(spool.c_str());
        return status_of(end);
    }
    end_spool(writer);
    if (writer.error() != 0) {
        const int status
            = fail(formatted("cannot write {}: {}; no recording was made", spool, std::strerror(writer.error())));
        ::unlink(spool.c_str());
        return status;
    }
    writer.close();
    try {
        return join(spool, file, end);
    } catch (const std::exception& error) {
        return fail(formatted("{}; the records are still in {}", error.what(), spool));
    }
}

}  // namespace lanes
