// SPDX-License-Identifier: MIT
// A program with an imagined GPU that writes into a spool what it did, as a probe does.
#pragma once

#include "probes/spool.h"

#include <string>
#include <vector>

namespace lanes {

class SpoolingProgram {
public:
    static constexpr Ns iteration = 10'000'000;

    SpoolingProgram(const std::string& path, std::uint32_t process)
        : m_process(process)
    {
        m_spool.open(path);
        m_spool.write(ProcessRecord {.process = process, .parent = 1, .name = m_spool.intern("train")});
        m_spool.write(DeviceRecord {.memory_bytes = 1,
            .memory_bandwidth = 1,
            .device = 0,
            .name = m_spool.intern("GPU of " + std::to_string(process)),
            .uuid = m_spool.intern("uuid " + std::to_string(process)),
            .multiprocessors = 1,
            .copy_engines = 1,
            .compute_major = 9,
            .compute_minor = 0,
            .core_clock_khz = 1,
            .process = process});
        m_spool.write(ContextRecord {process, 0, 1, 7});
    }

    /// 10 ms from `at` on, ns of the clock: a kernel of 6 ms, a copy of 3 ms on another stream, and a wait. If it is
    /// overlapped, the copy runs beside the kernel and the wait takes 4 ms; else it runs after the kernel, and 8 ms.
    void iterate(Ns at, bool overlapped = true)
    {
        constexpr Ns ms = 1'000'000;
        std::vector<ApiCallRecord> calls;
        const auto call = [&](const char* name, Ns start, Ns end) {
            calls.push_back({.start = at + start,
                .end = at + end,
                .process = m_process,
                .thread = m_process,
                .correlation = ++m_correlation,
                .name = m_spool.intern(name),
                .api = ApiCallRecord::runtime,
                .result = 0});
            return m_correlation;
        };
        KernelRecord kernel {};
        kernel.start = at + ms;
        kernel.end = at + 7 * ms;
        kernel.process = m_process;
        kernel.context = 1;
        kernel.stream = 13;
        kernel.correlation = call("cudaLaunchKernel", 0, ms / 2);
        kernel.name = m_spool.intern("matmul");
        CopyRecord copy {};
        copy.start = at + (overlapped ? 2 : 7) * ms;
        copy.end = copy.start + (overlapped ? 3 * ms : 2 * ms);
        copy.process = m_process;
        copy.context = 1;
        copy.stream = overlapped ? 14 : 13;
        copy.correlation = call("cudaMemcpyAsync", ms / 2, ms);
        copy.copy = CopyKind::d2h;
        copy.bytes = 4096;
        copy.source_device = copy.target_device = no_id;
        copy.async = 1;
        const Ns from = overlapped ? 3 * ms : ms;
        const Ns until = overlapped ? kernel.end : copy.end;
        SyncRecord sync {};
        sync.start = at + from;
        sync.end = until + 2000;
        sync.process = m_process;
        sync.context = 1;
        sync.stream = 13;
        sync.type = SyncRecord::stream_sync;
        sync.correlation = call("cudaStreamSynchronize", from, until - at + 3000);
        m_spool.write(std::span<const ApiCallRecord>(calls));
        m_spool.write(kernel);
        m_spool.write(copy);
        m_spool.write(sync);
    }

private:
    SpoolWriter m_spool;
    const std::uint32_t m_process;
    std::uint32_t m_correlation = 0;
};

}  // namespace lanes
