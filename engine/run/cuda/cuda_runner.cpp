// SPDX-License-Identifier: MIT
#include "engine/run/cuda/cuda_runner.h"

#include "engine/formatted.h"
#include "engine/run/cuda/calibration.h"
#include "engine/run/cuda/cuda_check.h"
#include "engine/run/cuda/failure_watch.h"
#include "engine/run/cuda/lowering.h"
#include "engine/run/cuda/thread_run.h"
#include "engine/run/cuda/warm_up.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace lanes {

namespace {

/// The timed part: the threads, their common start, and one more thread that spools what they log.
class TimedPart {
public:
    TimedPart(const Program& program, Machine& machine, ExpectedContents& expected, const std::vector<ThreadCode>& code,
        Communicators& communicators, RecordSink& sink, const CudaRunOptions& options)
        : m_program(program)
        , m_machine(machine)
        , m_code(code)
        , m_sink(sink)
        , m_options(options)
        , m_communicators(communicators)
        , m_coordination(program)
        , m_watch(machine, communicators)
    {
        for (Index t = 0; t < code.size(); ++t) {
            m_threads.push_back(
                std::make_unique<ThreadRun>(code[t], t, machine, expected, m_numbers, m_coordination, communicators));
            m_foreseen += code[t].ops.size();
        }
    }

    /// Runs all threads once; the first is the calling one. See CudaRunResult::wall.
    Ns run()
    {
        std::vector<std::thread> others;
        for (Index t = 1; t < m_threads.size(); ++t) {
            others.emplace_back([this, t] { run_thread(t); });
        }
        std::thread spooling([this] { spool(); });
        name_thread(0);
        if (const auto error = warm_up_thread(m_machine, m_code[0]); error != cudaSuccess) {
            fail_before(error);
        }
        while (m_ready.load() + 1 < m_threads.size()) {
            std::this_thread::yield();
        }
        m_begin = realtime_now();
        m_go.store(true, std::memory_order_release);
        m_threads[0]->run();
        for (auto& thread : others) {
            thread.join();
        }
        m_end = realtime_now();
        m_failed_after = m_machine.synchronize();
        const Ns idle = realtime_now();
        if (m_coordination.stopped() || m_failed_after != cudaSuccess) {
            m_failed = true;
            m_communicators.abort();  // else destroying a group would wait for the rest of its work
        }
        m_over = true;
        spooling.join();
        return (idle - m_end > idle_within ? idle : std::min(last_call(), idle)) - m_begin;
    }

    std::optional<RunFailure> failure() const
    {
        const ThreadFailure* first = m_noticed.code != cudaSuccess ? &m_noticed : nullptr;
        for (const auto& thread : m_threads) {
            const auto* const it = thread->failure();
            if (it != nullptr && (first == nullptr || it->time < first->time)) {
                first = it;
            }
        }
        if (first != nullptr && first->step != no_id) {
            const auto& step = m_program.steps[first->step];
            return RunFailure {first->code, first->step,
                formatted("step \"{}\" ({}:{}) failed: {}", step.label,
                    std::filesystem::path(m_program.file).filename().string(), step.line,
                    first->text.empty() ? text_of(first->code) : first->text)};
        }
        const auto before = m_failed_before.load();
        const auto outside = before != cudaSuccess ? before : first != nullptr ? first->code : m_failed_after.load();
        if (outside != cudaSuccess) {
            return RunFailure {outside, no_id, formatted("the GPU failed after the last step: {}", text_of(outside))};
        }
        return std::nullopt;
    }

    /// Writes the records that the threads kept while they ran.
    void spool_rest()
    {
        for (const auto& thread : m_threads) {
            thread->steps().drain(m_sink);
            m_sink.write(std::span<const HostSpanRecord>(thread->spans));
            m_sink.write(std::span<const ReadRecord>(thread->reads));
        }
        write_end(m_end, failure());
    }

private:
    /// The runner's wait for an idle GPU takes less.
    static constexpr Ns idle_within = 20'000;

    /// When the last thread was done with CUDA: its reads and work after its last wait are not the GPU's time.
    Ns last_call() const
    {
        Ns last = m_begin;
        for (const auto& thread : m_threads) {
            last = std::max(last, thread->last_call());
        }
        return last;
    }

    void write_end(Ns end, const std::optional<RunFailure>& failed)
    {
        m_sink.write(WindowRecord {end, WindowRecord::finish});
        if (failed) {
            m_sink.write(ErrorRecord {end, static_cast<std::uint32_t>(getpid()), m_main_thread, failed->step,
                failed->code, m_sink.intern(failed->message)});
        }
    }

    void name_thread(Index thread)
    {
        const auto id = static_cast<std::uint32_t>(gettid());
        if (thread == 0) {
            m_main_thread = id;
        }
        m_sink.write(ThreadRecord {
            static_cast<std::uint32_t>(getpid()), id, m_sink.intern(m_program.threads[thread].name), thread});
    }

    void fail_before(cudaError_t error)
    {
        m_failed_before = error;
        m_coordination.stop();
    }

    void run_thread(Index thread)
    {
        name_thread(thread);
        if (const auto error = warm_up_thread(m_machine, m_code[thread]); error != cudaSuccess) {
            fail_before(error);
        }
        m_ready.fetch_add(1);
        while (!m_go.load(std::memory_order_acquire)) {
            // Spinning, not sleeping: the threads must start together, not 50 us apart.
        }
        m_threads[thread]->run();
    }

    // The window's begin is spooled from here so that the first step does not wait for a disk.
    void spool()
    {
        bool begun = false;
        for (auto wait = std::chrono::milliseconds(1); !m_over; wait = std::chrono::milliseconds(100)) {
            std::this_thread::sleep_for(wait);
            if (m_options.cancelled != nullptr && m_options.cancelled->load()) {
                m_coordination.stop();
            }
            if (!m_go) {
                continue;
            }
            watch();
            if (!begun) {
                begun = true;
                m_sink.write(WindowRecord {m_begin, WindowRecord::begin});
            }
            for (const auto& thread : m_threads) {
                thread->steps().drain(m_sink);
            }
            if (m_options.progress) {
                m_options.progress(0.3
                        + 0.6 * static_cast<double>(std::min(steps_begun(), m_foreseen))
                            / static_cast<double>(std::max<std::size_t>(m_foreseen, 1)),
                    "running");
            }
        }
        if (!begun) {
            m_sink.write(WindowRecord {m_begin, WindowRecord::begin});
        }
    }

    std::size_t steps_begun() const
    {
        std::size_t begun = 0;
        for (const auto& thread : m_threads) {
            begun += thread->steps().size();
        }
        return begun;
    }

    /// Ends what waits for a failed GPU.
    void watch()
    {
        m_watch.look(steps_begun(), m_failed || std::any_of(m_threads.begin(), m_threads.end(), [](const auto& thread) {
            return thread->failure() != nullptr;
        }));
        if (m_watch.error() != cudaSuccess && m_noticed.code == cudaSuccess) {
            m_noticed = {m_watch.error(), step_that_waits(), realtime_now(), m_watch.text()};
            m_coordination.stop();
        }
        if (const auto failed = failure(); failed && m_watch.is_hopeless() && m_options.abandon) {
            write_end(realtime_now(), failed);
            m_options.abandon(*failed);
        }
    }

    /// The step of the first thread that has not ended.
    Index step_that_waits()
    {
        for (Index t = 0; t < m_threads.size(); ++t) {
            if (!m_coordination.ended(t)) {
                return m_threads[t]->steps().last();
            }
        }
        return no_id;
    }

    const Program& m_program;
    Machine& m_machine;
    const std::vector<ThreadCode>& m_code;
    RecordSink& m_sink;
    const CudaRunOptions& m_options;
    Communicators& m_communicators;
    Coordination m_coordination;
    FailureWatch m_watch;  // used by the thread that spools
    ThreadFailure m_noticed;  // by the watch
    std::atomic<std::uint64_t> m_numbers = 0;
    std::vector<std::unique_ptr<ThreadRun>> m_threads;
    std::size_t m_foreseen = 0;
    std::atomic<std::size_t> m_ready = 0;
    std::atomic<bool> m_go = false, m_over = false;
    std::atomic<cudaError_t> m_failed_before = cudaSuccess;
    std::atomic<cudaError_t> m_failed_after = cudaSuccess;
    std::atomic<bool> m_failed = false;  // the run is over, its groups are not
    Ns m_begin = 0, m_end = 0;
    std::uint32_t m_main_thread = 0;
};

}  // namespace

CudaRunResult run_on_cuda(const Program& program, RecordSink& sink, const CudaRunOptions& options)
{
    const auto tell = [&](double fraction, const char* what) {
        if (options.progress) {
            options.progress(fraction, what);
        }
    };
    tell(0, "preparing memory");
    Machine machine(program, options.gpu);
    ExpectedContents expected(program);
    Communicators communicators;
    tell(0.1, "calibrating kernels");
    std::vector<ThreadCode> code;
    {
        Calibration calibration(machine);
        code = lower(program, machine, communicators, expected, sink,
            [&](const KernelClass& kernel) { return calibration.work_for(kernel); });
    }
    tell(0.25, "warming up");
    warm_up(program, machine, communicators, code);

    CudaRunResult result;
    CudaRunOptions of_part = options;
    for (int i = 0; i < options.repeat && !result.failure && !result.cancelled; ++i) {
        machine.reset_buffers();
        expected.reset();
        of_part.progress = [&tell, i, &options](double fraction, const char* what) {
            tell(0.3 + (0.6 * i + fraction - 0.3) / options.repeat, what);
        };
        TimedPart part(program, machine, expected, code, communicators, sink, of_part);
        of_part.progress(0.3, "running");
        result.wall.push_back(part.run());
        part.spool_rest();
        result.failure = part.failure();
        result.cancelled = options.cancelled != nullptr && options.cancelled->load();
    }
    return result;
}

}  // namespace lanes
