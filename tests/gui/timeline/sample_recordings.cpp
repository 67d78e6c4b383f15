// SPDX-License-Identifier: MIT
#include "tests/gui/timeline/sample_recordings.h"

#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"

#include <algorithm>

namespace lanes::gui::samples {

namespace {

constexpr std::uint32_t process = 4711;

/// Writes records as a recorder does, numbering calls as it goes.
class Script {
public:
    explicit Script(Ns origin)
        : m_origin(origin)
    {
    }

    template <class R> void write(const R& record) { m_builder.write(record); }
    StringId text(std::string_view utf8) { return m_builder.intern(utf8); }
    void meta(std::string_view key, std::string_view value) { m_builder.write_meta(key, value); }

    void gpu(std::uint32_t device, std::string_view name)
    {
        DeviceRecord record {};
        record.device = device;
        record.name = text(name);
        record.multiprocessors = 132;
        write(record);
        ContextRecord context {};
        context.process = process;
        context.device = device;
        context.context = device + 1;
        context.null_stream = 7;
        write(context);
    }
    void stream(std::uint32_t device, std::uint32_t id, std::string_view name)
    {
        StreamRecord record {};
        record.process = process;
        record.context = device + 1;
        record.stream = id;
        record.flag = StreamRecord::non_blocking;
        record.name = text(name);
        write(record);
    }
    void thread(std::uint32_t id, std::string_view name, std::uint32_t order)
    {
        write(ThreadRecord {process, id, text(name), order});
    }
    std::uint32_t call(std::uint32_t thread, Ns start, Ns end, std::string_view name)
    {
        ApiCallRecord record {};
        record.start = m_origin + start;
        record.end = m_origin + end;
        record.process = process;
        record.thread = thread;
        record.correlation = ++m_correlation;
        record.name = text(name);
        write(record);
        return m_correlation;
    }
    template <class R>
    R operation(std::uint32_t device, std::uint32_t stream, Ns start, Ns end, std::uint32_t correlation)
    {
        R record {};
        record.start = m_origin + start;
        record.end = m_origin + end;
        record.process = process;
        record.device = device;
        record.context = device + 1;
        record.stream = stream;
        record.correlation = correlation;
        return record;
    }
    void kernel(
        std::uint32_t device, std::uint32_t stream, Ns start, Ns end, std::uint32_t correlation, std::string_view name)
    {
        auto record = operation<KernelRecord>(device, stream, start, end, correlation);
        record.name = text(name);
        record.grid[0] = 528;
        record.grid[1] = record.grid[2] = 1;
        record.block[0] = 256;
        record.block[1] = record.block[2] = 1;
        write(record);
    }
    void copy(std::uint32_t device, std::uint32_t stream, Ns start, Ns end, std::uint32_t correlation, CopyKind kind,
        std::uint64_t bytes, MemoryKind host = MemoryKind::pinned)
    {
        auto record = operation<CopyRecord>(device, stream, start, end, correlation);
        record.bytes = bytes;
        record.source_device = record.target_device = no_id;
        record.copy = kind;
        record.source = kind == CopyKind::h2d ? host : MemoryKind::device;
        record.target = kind == CopyKind::d2h ? host : MemoryKind::device;
        record.async = 1;
        write(record);
    }
    void sync(Ns start, Ns end, std::uint32_t correlation, SyncRecord::Type type, std::uint32_t stream = no_id)
    {
        SyncRecord record {};
        record.start = m_origin + start;
        record.end = m_origin + end;
        record.process = process;
        record.context = 1;
        record.stream = stream;
        record.correlation = correlation;
        record.type = type;
        write(record);
    }
    void range(std::uint32_t thread, Ns start, Ns end, std::string_view name)
    {
        RangeRecord record {};
        record.id = ++m_range;
        record.process = process;
        record.thread = thread;
        record.time = m_origin + start;
        record.name = text(name);
        write(record);
        record.time = m_origin + end;
        record.name = 0;
        record.edge = RangeRecord::finish;
        write(record);
    }
    void hostSpan(std::uint32_t thread, Ns start, Ns end, std::string_view name, HostSpanRecord::Type type)
    {
        write(HostSpanRecord {m_origin + start, m_origin + end, process, thread, text(name), type});
    }
    RecordingPtr finish(Source source) { return ShownRecording::of(m_builder.finish(source)); }

private:
    TraceBuilder m_builder;
    Ns m_origin;
    std::uint32_t m_correlation = 0;
    std::uint64_t m_range = 0;
};

}  // namespace

RecordingPtr copyResultsBack(const CopyResultsBack& shape)
{
    Script script(shape.origin);
    script.write(ProcessRecord {process, 1, script.text("lanes"), 0});
    script.thread(process, "", 0);
    script.gpu(0, shape.source == Source::model ? "model:h100" : "NVIDIA H100 80GB HBM3");
    script.stream(0, 13, "compute");
    script.stream(0, 14, "copy");
    script.meta(meta::workload, "copy-results-back");
    script.meta(meta::variant, shape.blocking ? "blocking" : "overlapped");
    script.meta(meta::recorded_at, "2026-11-21T10:00:00Z");
    constexpr std::uint64_t bytes = 64 << 20;
    Ns host = 20'000;
    Ns compute = 0;
    Ns copied = 0;
    const Ns first = 0;
    for (int i = 0; i < shape.matrices; ++i) {
        const auto launch = script.call(process, host, host + 6'000, "cudaLaunchKernel");
        const Ns start = std::max({compute, shape.blocking ? copied : 0, host + 9'000});
        compute = start + shape.kernel;
        script.kernel(0, 13, start, compute, launch, "mm_" + std::to_string(i));
        host += 9'000;
        const auto issue = host;
        if (shape.blocking) {
            const Ns from = compute + 2'000;
            copied = from + shape.copy;
            host = copied + 3'000;
            const auto call = script.call(process, issue, host, "cudaMemcpyAsync");
            script.copy(0, 13, from, copied, call, CopyKind::d2h, bytes, MemoryKind::pageable);
            host += 5'000;
        } else {
            host += 7'000;
            const auto call = script.call(process, issue, host, "cudaMemcpyAsync");
            const Ns from = std::max(compute + 3'000, copied + 1'000);
            copied = from + shape.copy;
            script.copy(0, 14, from, copied, call, CopyKind::d2h, bytes);
            host += 4'000;
        }
    }
    if (!shape.blocking) {
        script.range(process, first, host, "queue everything");
        script.range(process, host + 5'000, copied - 400'000, "free to prepare the next batch");
        const auto call = script.call(process, copied - 380'000, copied + 4'000, "cudaDeviceSynchronize");
        script.sync(copied - 380'000, copied + 4'000, call, SyncRecord::context_sync);
    } else {
        script.range(process, first, host, "copy_to_cpu(y, non_blocking=False), results one by one");
    }
    return script.finish(shape.source);
}

RecordingPtr everything()
{
    Script script(5'000'000'000);
    constexpr Ns us = 1000;
    script.write(ProcessRecord {process, 1, script.text("python3"), 0});
    script.thread(process, "", 0);
    script.thread(process + 1, "loader 0", 1);
    script.thread(process + 2, "", 2);
    script.gpu(0, "NVIDIA H100 80GB HBM3");
    script.gpu(1, "NVIDIA H100 80GB HBM3");
    script.stream(0, 20, "side");
    script.meta(meta::command, "train.py");
    script.range(process, 0, 4000 * us, "step 0");
    script.range(process, 100 * us, 1500 * us, "forward");
    script.range(process, 200 * us, 700 * us, "attention");
    script.range(process, 1600 * us, 3900 * us, "backward");
    for (int i = 0; i < 40; ++i) {
        const Ns at = (150 + i * 90) * us;
        const auto launch = script.call(process, at, at + 8 * us, "cudaLaunchKernel");
        script.kernel(0, 7, at + 30 * us, at + 30 * us + (i % 4 + 1) * 20 * us, launch,
            "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int, float*)");
    }
    const auto first = script.call(process, 452 * us, 458 * us, "cudaLaunchKernel");
    script.kernel(0, 20, 500 * us, 2400 * us, first, "ampere_sgemm_128x64_tn");
    const auto second = script.call(process, 860 * us, 866 * us, "cudaGraphLaunch");
    script.kernel(0, 20, 900 * us, 1800 * us, second, "reduce_kernel");
    script.kernel(0, 20, 1900 * us, 3000 * us, second, "softmax_warp_forward");
    const auto peer = script.call(process + 2, 600 * us, 612 * us, "cudaMemcpyPeerAsync");
    script.copy(1, 7, 700 * us, 1900 * us, peer, CopyKind::p2p, 256 << 20);
    const auto set = script.call(process + 2, 2000 * us, 2006 * us, "cudaMemsetAsync");
    auto memset = script.operation<MemsetRecord>(1, 7, 2020 * us, 2220 * us, set);
    memset.bytes = 16 << 20;
    memset.target = MemoryKind::device;
    script.write(memset);
    const auto up = script.call(process + 1, 300 * us, 312 * us, "cudaMemcpyAsync");
    script.copy(0, 21, 400 * us, 1400 * us, up, CopyKind::h2d, 48 << 20);
    script.hostSpan(process + 1, 320 * us, 1200 * us, "decode", HostSpanRecord::work);
    script.hostSpan(process + 1, 1200 * us, 2500 * us, "batches", HostSpanRecord::queue_put);
    ReadRecord read {};
    read.start = 5'000'000'000 + 2600 * us;
    read.end = 5'000'000'000 + 3200 * us;
    read.process = process;
    read.thread = process + 1;
    read.buffer = script.text("y_cpu");
    read.bytes = 1 << 20;
    read.wrong_bytes = 4096;
    script.write(read);
    const auto wait = script.call(process, 3790 * us, 4100 * us, "cudaStreamSynchronize");
    const auto last = script.call(process, 3780 * us, 3786 * us, "cudaLaunchKernel");
    script.kernel(0, 7, 3800 * us, 4098 * us, last, "optimizer");
    script.sync(3790 * us, 4100 * us, wait, SyncRecord::stream_sync, 7);
    return script.finish(Source::cupti);
}

}  // namespace lanes::gui::samples
