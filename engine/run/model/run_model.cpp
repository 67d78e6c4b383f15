// SPDX-License-Identifier: MIT
#include "engine/run/model/run_model.h"

#include "engine/run/model/host_thread.h"
#include "engine/trace/meta_keys.h"
#include "engine/workload/machine_need.h"

#include <algorithm>

namespace lanes::model {

namespace {

class Run {
public:
    Run(const Program& program, const ModelDevice& device, RecordSink& sink, const ModelOptions& options)
        : m_options(options)
        , m_core(program, device, sink, options.truth)
        , m_gpus(prepared(m_core), [this](std::uint32_t t) { wake(t); })
        , m_host(m_core, m_gpus)
    {
    }

    ModelOutcome run()
    {
        m_core.records.add(WindowRecord {.time = 0, .edge = WindowRecord::begin});
        for (std::uint32_t thread = 0; thread < m_host.threads.size(); ++thread) {
            m_core.agenda.push(0, Due::Kind::thread, thread);
        }
        loop();
        m_core.records.add(WindowRecord {.time = m_wall, .edge = WindowRecord::finish});
        m_core.records.flush();
        return {.cancelled = m_cancelled, .error = m_host.failure, .wall = m_wall, .gpu_end = m_core.gpu_end};
    }

private:
    /// Descriptions come first, those of streams while the GPUs are set up.
    static Core& prepared(Core& core)
    {
        auto& records = core.records;
        const auto& device = core.device;
        records.add(ProcessRecord {.process = process_id, .parent = 0, .name = records.text(core.program.workload)});
        for (std::uint32_t gpu = 0; gpu < std::max(core.program.gpus, 1U); ++gpu) {
            records.add(DeviceRecord {.memory_bytes = static_cast<std::uint64_t>(device.memory_bytes),
                .memory_bandwidth = static_cast<std::uint64_t>(device.memory_bandwidth),
                .device = gpu,
                .name = records.text(device.name),
                .uuid = 0,
                .multiprocessors = device.multiprocessors,
                .copy_engines = device.copy_engines,
                .compute_major = device.compute_major,
                .compute_minor = device.compute_minor,
                .core_clock_khz = device.core_clock_khz});
            records.add(ContextRecord {
                .process = process_id, .device = gpu, .context = gpu + 1, .null_stream = null_stream_id});
        }
        for (std::uint32_t thread = 0; thread < core.program.threads.size(); ++thread) {
            records.add(ThreadRecord {.process = process_id,
                .thread = thread + 1,
                .name = records.text(core.program.threads[thread].name),
                .order = thread});
        }
        return core;
    }

    void wake(std::uint32_t thread)
    {
        if (thread != none) {
            m_host.threads[thread]->released();
            return;
        }
        m_host.fault();
    }

    void note_end(std::size_t thread)
    {
        if (m_host.threads[thread]->is_done()) {
            m_wall = std::max(m_wall, m_core.now);
        }
    }

    void loop()
    {
        std::uint64_t looked = 0;
        m_gpus.settle();
        while (!m_core.agenda.empty()) {
            if (++m_core.work - looked > 4096) {
                looked = m_core.work;
                if (!go_on()) {
                    return;
                }
            }
            const auto event = m_core.agenda.pop();
            m_core.now = event.time;
            if (event.kind == Due::Kind::thread) {
                m_host.threads[event.target]->resume();
                note_end(event.target);
            } else if (event.kind == Due::Kind::fault_report) {
                m_core.reported = true;
                m_host.end_waits();
            } else if (!m_core.faulted) {
                m_gpus.handle(event);
            }
            m_gpus.settle();
        }
        if (m_core.faulted && !m_host.failure) {
            m_host.fail({fault_code, no_id, std::string("the GPU failed after the last step: ") + fault_text}, 1);
        }
        for (const auto& thread : m_host.threads) {
            if (!thread->is_done() && !m_host.failure) {
                m_wall = std::max(m_wall, m_core.now);
                const auto& what = thread->waiting_for();
                m_host.fail(
                    {0, no_id, "a thread waits for ever for " + (what.empty() ? "work on a GPU" : what)}, thread->id());
            }
        }
    }

    bool go_on()
    {
        if (m_core.now > m_options.most_time) {
            m_host.fail({0, no_id, "the run takes longer than its limit"}, 1);
        } else {
            m_options.progress.tell(fraction());
            m_cancelled = m_options.progress.cancelled();
            if (!m_cancelled) {
                return true;
            }
        }
        m_wall = std::max(m_wall, m_core.now);
        return false;
    }

    double fraction() const
    {
        std::size_t done = 0;
        std::size_t all = 1;
        for (const auto& thread : m_host.threads) {
            done += thread->position();
            all += thread->length();
        }
        return static_cast<double>(done) / static_cast<double>(all);
    }

    const ModelOptions& m_options;
    Core m_core;
    GpuSide m_gpus;
    HostSide m_host;
    Ns m_wall = 0;
    bool m_cancelled = false;
};

}  // namespace

}  // namespace lanes::model

namespace lanes {

void check_fits(const Program& program, const ModelDevice& device)
{
    check_gpus(program, device.gpus, "the model device");
    check_memory(program,
        {.gpu = std::vector(program.gpus, static_cast<std::uint64_t>(device.memory_bytes)), .overhead = 0, .host = 0});
}

ModelOutcome run_model(const Program& program, const ModelDevice& device, RecordSink& sink, const ModelOptions& options)
{
    check_fits(program, device);
    return model::Run(program, device, sink, options).run();
}

void write_model_meta(const Program& program, const std::string& device_name, RecordSink& sink)
{
    sink.write_meta(meta::source, "model");
    sink.write_meta(meta::device, "model:" + device_name);
    sink.write_meta(meta::model_device, device_name);
    sink.write_meta(meta::workload, program.workload);
    sink.write_meta(meta::variant, program.variant);
}

void write_model_outcome(const ModelOutcome& outcome, RecordSink& sink)
{
    if (outcome.error) {
        sink.write_meta(meta::error, outcome.error->message);
        sink.write_meta(meta::gpu_end_ns, std::to_string(outcome.gpu_end));
    }
}

}  // namespace lanes
