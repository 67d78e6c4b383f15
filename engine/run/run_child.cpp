// SPDX-License-Identifier: MIT
#include "engine/run/run_child.h"

#include "engine/formatted.h"
#include "engine/run/child_process.h"
#include "engine/run/cuda/cuda_runner.h"
#include "engine/trace/meta_keys.h"
#include "probes/spool.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace lanes {

namespace {

std::atomic<bool> cancelled = false;

void cancel(int)
{
    cancelled = true;
}

/// One line at a time to the parent, which may be gone.
class Report {
public:
    Report()
    {
        if (const char* const descriptor = std::getenv(report_variable)) {
            m_descriptor = std::atoi(descriptor);
        }
    }
    void line(const std::string& text) const
    {
        const std::string whole = text + "\n";
        if (m_descriptor < 0 || ::write(m_descriptor, whole.data(), whole.size()) < 0) {
            return;
        }
    }

private:
    int m_descriptor = -1;
};

/// Discards the records of a run without a probe.
class Nowhere final : public RecordSink {
public:
    StringId intern(std::string_view) override { return 0; }
    void write_meta(std::string_view, std::string_view) override { }

private:
    void append(RecordKind, std::span<const std::byte>, std::size_t) override { }
};

int run_program(const RunChildRequest& request, RecordSink& sink, const Report& report)
{
    const Program program = compile(load_workload(request.workload_file), request.variant, request.settings);
    bool begun = false;
    CudaRunOptions options;
    options.gpu = request.gpu;
    options.repeat = request.repeat;
    options.cancelled = &cancelled;
    options.progress = [&](double fraction, const char* what) {
        if (fraction >= 0.3 && !begun) {
            begun = true;
            report.line("begun");
        }
        report.line(formatted("progress {:.4f} {}", fraction, what));
    };
    const auto fail = [&](const RunFailure& failure) {
        sink.write_meta(meta::error, failure.message);
        report.line("error " + failure.message);
    };
    options.abandon = [&](const RunFailure& failure) {
        fail(failure);
        _exit(1);  // exit() would wait for the GPU, too
    };
    const auto result = run_on_cuda(program, sink, options);
    for (const Ns wall : result.wall) {
        report.line(formatted("wall {}", wall));
    }
    if (result.failure) {
        fail(*result.failure);
        return 1;
    }
    return result.cancelled ? 130 : 0;
}

}  // namespace

int run_child(const RunChildRequest& request)
{
    struct sigaction action { };
    action.sa_handler = cancel;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);

    const Report report;
    SpoolWriter spool;
    Nowhere nowhere;
    if (!request.spool.empty() && !spool.open(request.spool)) {
        report.line(formatted("error cannot write {}: {}", request.spool, std::strerror(spool.error())));
        return 1;
    }
    RecordSink& sink = request.spool.empty() ? static_cast<RecordSink&>(nowhere) : spool;
    int status = 1;
    try {
        status = run_program(request, sink, report);
    } catch (const WorkloadError& error) {
        report.line(formatted("error {}", error.what()));
        status = 2;
    } catch (const std::exception& error) {
        report.line(formatted("error {}", error.what()));
    }
    if (spool.error() != 0) {
        report.line(formatted("error cannot write {}: {}", request.spool, std::strerror(spool.error())));
        return 1;
    }
    return status;
}

bool can_run_on_cuda()
{
    return true;
}

}  // namespace lanes
