// SPDX-License-Identifier: MIT
// How a GPU spent its time against a look at each ns, on random streams of two GPUs.
#include "engine/analysis/figures/gpu_times.h"

#include <algorithm>
#include <QTest>
#include <random>

using namespace lanes;

namespace {

/// Kernels that compute, NCCL's, copies and memsets; some streams overlap themselves, some operations have no length.
Trace randomTrace(std::mt19937_64& random)
{
    Trace trace;
    const StringId kernel = trace.strings.intern("add_kernel(float*)");
    const StringId nccl = trace.strings.intern("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)");
    trace.kernels = {{kernel, {}, {}, 0, 0, 0, 0, no_id}, {nccl, {}, {}, 0, 0, 0, 0, no_id}};
    trace.copies.push_back({});
    trace.memsets.push_back({});
    for (std::uint32_t stream = 0; stream < 1 + random() % 6; ++stream) {
        trace.streams.push_back({1, stream % 2, 1, stream, 0, 0, StreamRecord::non_blocking});
        const bool overlaps = random() % 4 == 0;
        Ns now = static_cast<Ns>(random() % 50);
        for (int i = 0; i < 25; ++i) {
            const Ns length = static_cast<Ns>(random() % 30);
            const bool isKernel = random() % 3 != 0;
            trace.operations.start.push_back(now);
            trace.operations.end.push_back(now + length);
            trace.operations.stream.push_back(stream);
            trace.operations.kind.push_back(isKernel ? OperationKind::kernel
                    : random() % 4 == 0              ? OperationKind::memset
                                                     : OperationKind::h2d);
            trace.operations.detail.push_back(isKernel ? static_cast<Row>(random() % 2) : 0);
            trace.operations.name.push_back(isKernel && trace.operations.detail.back() == 1 ? nccl : kernel);
            trace.duration = std::max(trace.duration, now + length);
            now += overlaps ? static_cast<Ns>(random() % 10) : length + static_cast<Ns>(random() % 20);
        }
    }
    return trace;
}

}  // namespace

class tst_GpuTimes : public QObject {
    Q_OBJECT

private slots:
    void agreesWithALookAtEachNs();
};

void tst_GpuTimes::agreesWithALookAtEachNs()
{
    std::mt19937_64 random(3);
    Ns all[3] {};
    for (int round = 0; round < 60; ++round) {
        const Trace trace = randomTrace(random);
        const CommunicationKernels communicates(trace);
        const Interval range {round % 3 == 0 ? 17 : 0, trace.duration - (round % 2 == 0 ? 0 : 40)};
        for (const std::uint32_t device : {0U, 1U}) {
            const GpuTimes times = gpu_times(trace, communicates, device, range);
            const IntervalSet* const sets[] {&times.side_by_side, &times.compute_alone, &times.exposed};
            for (Ns t = 0; t < trace.duration; ++t) {
                bool computes = false;
                bool others = false;
                for (std::size_t i = 0; i < trace.operations.size() && range.start <= t && t < range.end; ++i) {
                    if (trace.operations.start[i] <= t && t < trace.operations.end[i]
                        && trace.streams[trace.operations.stream[i]].device == device) {
                        const bool compute
                            = trace.operations.kind[i] == OperationKind::kernel && trace.operations.detail[i] == 0;
                        (compute ? computes : others) = true;
                    }
                }
                const bool expected[] {computes && others, computes && !others, !computes && others};
                for (int set = 0; set < 3; ++set) {
                    const bool is = std::any_of(sets[set]->begin(), sets[set]->end(),
                        [t](const Interval& in) { return in.start <= t && t < in.end; });
                    QCOMPARE(is, expected[set]);
                    all[set] += is ? 1 : 0;
                }
            }
        }
    }
    QVERIFY(*std::min_element(std::begin(all), std::end(all)) > 1000);
}

QTEST_GUILESS_MAIN(tst_GpuTimes)
#include "tst_gpu_times.moc"
