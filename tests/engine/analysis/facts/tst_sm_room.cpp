// SPDX-License-Identifier: MIT
// The size of an SM by compute capability, and that all code that asks how much of a GPU a kernel takes agrees on it.
#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/facts/sm_room.h"
#include "engine/analysis/graph/graph.h"
#include "engine/analysis/graph/kernel_share.h"
#include "engine/replay/alone.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

namespace {

constexpr Ns us = 1000;

/// Kernels of 256 threads a block on two streams: the second is ready while the first runs, and begins when it ends.
Trace two_kernels(std::uint32_t major, std::uint32_t minor, std::uint32_t sms, std::uint32_t blocks)
{
    Tape tape;
    DeviceRecord device {};
    device.multiprocessors = sms;
    device.compute_major = major;
    device.compute_minor = minor;
    tape.builder().write(device);
    for (std::uint32_t i = 0; i < 2; ++i) {
        KernelRecord kernel {};
        kernel.start = Tape::origin + (i == 0 ? 5 * us : 305 * us);
        kernel.end = kernel.start + 300 * us;
        kernel.process = Tape::process;
        kernel.context = Tape::context;
        kernel.stream = 13 + i;
        kernel.correlation = tape.call("cudaLaunchKernel", i * 10 * us, (i * 10 + 4) * us);
        kernel.channel = no_id;
        kernel.name = tape.builder().intern("work(int)");
        kernel.grid[0] = blocks;
        kernel.block[0] = 256;
        kernel.grid[1] = kernel.grid[2] = kernel.block[1] = kernel.block[2] = 1;
        tape.builder().write(kernel);
    }
    return tape.finish();
}

}  // namespace

class tst_SmRoom : public QObject {
    Q_OBJECT

private slots:
    void sizes_data();
    void sizes();
    void blockOfAKernel();
    void allAgree_data();
    void allAgree();
};

void tst_SmRoom::sizes_data()
{
    QTest::addColumn<unsigned>("major");
    QTest::addColumn<unsigned>("minor");
    QTest::addColumn<unsigned>("threads");
    QTest::addColumn<unsigned>("blocks");
    QTest::addColumn<unsigned>("kib");
    QTest::newRow("Volta") << 7U << 0U << 2048U << 32U << 96U;
    QTest::newRow("Turing") << 7U << 5U << 1024U << 16U << 64U;
    QTest::newRow("A100") << 8U << 0U << 2048U << 32U << 164U;
    QTest::newRow("RTX 30") << 8U << 6U << 1536U << 16U << 100U;
    QTest::newRow("Orin") << 8U << 7U << 1536U << 16U << 164U;
    QTest::newRow("RTX 40") << 8U << 9U << 1536U << 24U << 100U;
    QTest::newRow("Hopper") << 9U << 0U << 2048U << 32U << 228U;
    QTest::newRow("B200") << 10U << 0U << 2048U << 32U << 228U;
    QTest::newRow("RTX 50") << 12U << 0U << 1536U << 24U << 100U;
    QTest::newRow("DGX Spark") << 12U << 1U << 1536U << 24U << 100U;
    QTest::newRow("not known") << 0U << 0U << 2048U << 32U << 228U;
}

void tst_SmRoom::sizes()
{
    QFETCH(const unsigned, major);
    QFETCH(const unsigned, minor);
    const auto room = sm_room(major, minor);
    QTEST(room.threads, "threads");
    QTEST(room.blocks, "blocks");
    QTEST(room.shared_bytes / 1024, "kib");
    QCOMPARE(room.registers, 65536U);
}

void tst_SmRoom::blockOfAKernel()
{
    KernelDetail kernel {};
    kernel.grid = {1, 1, 1};
    kernel.block = {100, 1, 1};
    kernel.registers = 33;
    kernel.static_shared = 1024;
    kernel.dynamic_shared = 2048;
    const auto block = room_of_block(kernel);
    QCOMPARE(block.threads, 128U);  // whole warps
    QCOMPARE(block.registers, 40U * 128);  // eights a thread
    QCOMPARE(block.shared_bytes, 4096U);  // and 1 KiB of the driver's
    QCOMPARE(resident_blocks(kernel, sm_room(9, 0)), 12U);  // the registers
    kernel.registers = 0;
    QCOMPARE(resident_blocks(kernel, sm_room(9, 0)), 16U);  // the threads
    QCOMPARE(resident_blocks(kernel, sm_room(8, 9)), 12U);
    kernel.dynamic_shared = 1U << 20U;
    QCOMPARE(blocks_in(sm_room(9, 0), room_of_block(kernel)), 0U);
    QCOMPARE(resident_blocks(kernel, sm_room(9, 0)), 1U);  // it ran
}

void tst_SmRoom::allAgree_data()
{
    QTest::addColumn<unsigned>("major");
    QTest::addColumn<unsigned>("minor");
    QTest::addColumn<unsigned>("sms");
    QTest::addColumn<unsigned>("blocks");
    QTest::addColumn<bool>("fills");  ///< half of the GPU
    QTest::addColumn<bool>("two_fill");  ///< two of them together fill half of it
    // 128 SMs of six blocks of 256 threads: 768 blocks fill them. SMs of 2048 threads hold eight, 1024 in all.
    QTest::newRow("RTX 4090, half") << 8U << 9U << 128U << 384U << true << true;
    QTest::newRow("RTX 4090, less than half") << 8U << 9U << 128U << 383U << false << true;
    QTest::newRow("RTX 4090, a quarter") << 8U << 9U << 128U << 192U << false << true;
    QTest::newRow("RTX 4090, less than a quarter") << 8U << 9U << 128U << 191U << false << false;
    QTest::newRow("as many SMs of Hopper, half") << 9U << 0U << 128U << 512U << true << true;
    QTest::newRow("as many SMs of Hopper, half of an RTX 4090") << 9U << 0U << 128U << 384U << false << true;
    QTest::newRow("as many SMs of Hopper, a quarter of an RTX 4090") << 9U << 0U << 128U << 192U << false << false;
}

/// The share in the best time and in a replay, which kernels take half of the GPU, and which waited for SMs.
void tst_SmRoom::allAgree()
{
    QFETCH(const unsigned, major);
    QFETCH(const unsigned, minor);
    QFETCH(const unsigned, sms);
    QFETCH(const unsigned, blocks);
    QFETCH(const bool, fills);
    QFETCH(const bool, two_fill);
    const auto trace = two_kernels(major, minor, sms, blocks);
    const auto blocking = find_blocking(trace);
    const Graph graph(trace, blocking);
    const auto& kernel = trace.kernels[0];
    const double share = share_of_gpu(kernel, gpu_room(trace.devices[0]));
    QCOMPARE(share >= 0.5, fills);
    QCOMPARE(replay::share_of(kernel, trace.devices[0], {}), static_cast<float>(share));
    QCOMPARE(bool(graph.dependencies().fills_gpu[0]), fills);
    QCOMPARE(graph.starts().cause(1) == StartCause::multiprocessors, two_fill);
}

QTEST_APPLESS_MAIN(tst_SmRoom)
#include "tst_sm_room.moc"
