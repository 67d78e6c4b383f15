// SPDX-License-Identifier: MIT
// What a host read finds: fresh bytes, stale ones, and half of each.
#include "engine/run/model/values.h"
#include "program_builder.h"
#include "records.h"

#include <QTest>
#include <random>

using namespace lanes;
using namespace lanes::tests;

namespace {

ModelRun run(const ProgramBuilder& builder)
{
    return ModelRun(builder.program);
}

/// A kernel writes y, y is copied to the host, the host reads after `wait` ns or a synchronisation.
ProgramBuilder copy_back(MemoryKind memory, bool sync, Ns spin)
{
    ProgramBuilder b;
    const auto s = b.stream();
    const auto y = b.buffer(MemoryKind::device, 55 * mib);
    const auto y_cpu = b.buffer(memory, 55 * mib);
    b.writing_kernel(s, ms, y);
    b.copy(y, y_cpu, s);
    if (sync) {
        b.step(SyncStreamAction {s});
    }
    if (spin > 0) {
        b.spin(spin);
    }
    b.read(y_cpu, !sync);
    return b;
}

}  // namespace

class tst_ModelReads : public QObject {
    Q_OBJECT

private slots:
    void freshAfterSync();
    void staleBeforeTheCopy();
    void partlyStaleInTheMidst();
    void pageableCopyIsFreshWithoutSync();
    void stagedBytesAreThoseOfTheCall();
    void kernelThatRunsTooLate();
    void partialCopies();
    void valuesAreComputed();
    void whileEndsWhenTheHostSeesIt();
    void memsetIsOfBytes();
    void initialValues();
    void theHostWrites_data();
    void theHostWrites();
    void valuesAgreeWithAnArray();
};

void tst_ModelReads::theHostWrites_data()
{
    QTest::addColumn<bool>("waits");
    QTest::addColumn<bool>("queued");
    QTest::addColumn<double>("wrong");  // part of what arrives
    QTest::newRow("after the copy") << true << false << 0.0;
    QTest::newRow("before the copy runs") << false << true << 1.0;
}

// A pinned buffer is copied, perhaps after a kernel, and written by the host, perhaps after a wait.
void tst_ModelReads::theHostWrites()
{
    QFETCH(bool, waits);
    QFETCH(bool, queued);
    QFETCH(double, wrong);
    ProgramBuilder b;
    const auto s = b.stream();
    const auto from = b.buffer(MemoryKind::pinned, 4 * mib);
    const auto on_gpu = b.buffer(MemoryKind::device, 4 * mib);
    const auto back = b.buffer(MemoryKind::pinned, 4 * mib);
    b.step(WriteAction {from, 1, "write", false});
    if (queued) {
        b.kernel(s, 20 * ms);
    }
    b.copy(from, on_gpu, s);
    if (waits) {
        b.step(SyncStreamAction {s});
    }
    b.step(WriteAction {from, 2, "write", !waits});
    b.copy(on_gpu, back, s);
    b.step(SyncStreamAction {s});
    b.read(from);
    b.read(back);
    const auto r = run(b);
    const auto reads = r.all<ReadRecord>();
    QCOMPARE(reads.size(), std::size_t {2});
    QCOMPARE(reads[0].wrong_bytes, std::uint64_t {0});
    QCOMPARE(static_cast<double>(reads[1].wrong_bytes) / static_cast<double>(reads[1].bytes), wrong);
    const auto spans = r.all<HostSpanRecord>();
    QCOMPARE(spans.size(), std::size_t {2});
    QVERIFY(spans[0].end - spans[0].start > 100 * us);
}

void tst_ModelReads::freshAfterSync()
{
    const auto reads = run(copy_back(MemoryKind::pinned, true, 0)).all<ReadRecord>();
    QCOMPARE(reads.size(), 1U);
    QCOMPARE(reads[0].bytes, 55 * mib);
    QCOMPARE(reads[0].wrong_bytes, 0U);
    QCOMPARE(reads[0].expect_stale, 0U);
    QVERIFY(reads[0].end > reads[0].start);
}

void tst_ModelReads::staleBeforeTheCopy()
{
    const auto reads = run(copy_back(MemoryKind::pinned, false, 0)).all<ReadRecord>();
    QCOMPARE(reads[0].wrong_bytes, 55 * mib);
    QCOMPARE(reads[0].expect_stale, 1U);
}

void tst_ModelReads::partlyStaleInTheMidst()
{
    // The copy takes about 1 ms after the kernel's 1 ms: at 1.5 ms about half of it has arrived.
    const auto reads = run(copy_back(MemoryKind::pinned, false, 1500 * us)).all<ReadRecord>();
    QVERIFY(reads[0].wrong_bytes > 20 * mib);
    QVERIFY(reads[0].wrong_bytes < 35 * mib);
}

void tst_ModelReads::pageableCopyIsFreshWithoutSync()
{
    const auto reads = run(copy_back(MemoryKind::pageable, false, 0)).all<ReadRecord>();
    QCOMPARE(reads[0].wrong_bytes, 0U);
}

// A small pageable source is read when the call is made: later writes, before the copy runs, do not count.
void tst_ModelReads::stagedBytesAreThoseOfTheCall()
{
    ProgramBuilder b;
    const auto s1 = b.stream();
    const auto s2 = b.stream();
    const auto small = b.buffer(MemoryKind::pageable, 64 * kib);
    const auto gpu = b.buffer(MemoryKind::device, 64 * kib);
    const auto later = b.buffer(MemoryKind::device, 64 * kib);
    const auto out = b.buffer(MemoryKind::pinned, 64 * kib);
    b.program.buffers[small].initial_value = 5;
    b.program.buffers[later].initial_value = 6;
    b.kernel(s1, ms, 1);
    b.copy(small, gpu, s1);  // reads 5 now, arrives after the kernel
    b.copy(later, small, s2);  // 6 is there before that
    b.read(small);
    b.copy(gpu, out, s1, true);
    b.read(out);
    const auto records = run(b);
    const auto reads = records.all<ReadRecord>();
    QCOMPARE(reads.size(), 2U);
    QCOMPARE(reads[0].wrong_bytes, 0U);
    QCOMPARE(reads[1].wrong_bytes, 0U);
    QVERIFY(reads[0].end < ms);  // the kernel was still running
    QVERIFY(records.calls("cudaMemcpyAsync")[0].end < 100 * us);
}

// The copy does not wait for the kernel on the other stream, so it brings what was there before.
void tst_ModelReads::kernelThatRunsTooLate()
{
    for (const bool with_event : {false, true}) {
        ProgramBuilder b;
        const auto compute = b.stream();
        const auto copy = b.stream();
        const auto e = b.event();
        const auto y = b.buffer(MemoryKind::device, mib);
        const auto y_cpu = b.buffer(MemoryKind::pinned, mib);
        b.writing_kernel(compute, ms, y);
        if (with_event) {
            b.step(RecordAction {e, compute});
            b.step(WaitAction {e, copy});
        }
        b.copy(y, y_cpu, copy);
        b.step(SyncDeviceAction {0});
        b.read(y_cpu);
        const auto reads = run(b).all<ReadRecord>();
        QCOMPARE(reads[0].wrong_bytes, with_event ? 0U : mib);
    }
}

void tst_ModelReads::partialCopies()
{
    ProgramBuilder b;
    const auto s = b.stream();
    const auto y = b.buffer(MemoryKind::device, 4 * mib);
    const auto y_cpu = b.buffer(MemoryKind::pinned, 4 * mib);
    b.writing_kernel(s, 10 * us, y);
    b.copy_part(y, y_cpu, s, 0, mib);
    b.step(SyncStreamAction {s});
    b.read(y_cpu);  // the other 3 MiB must be what they were, and are
    b.kernel(s, ms, 1);
    b.copy_part(y, y_cpu, s, mib, 3 * mib);
    b.read(y_cpu);  // 3 MiB are on their way
    const auto reads = run(b).all<ReadRecord>();
    QCOMPARE(reads[0].wrong_bytes, 0U);
    QCOMPARE(reads[1].wrong_bytes, 3 * mib);
}

void tst_ModelReads::valuesAreComputed()
{
    ProgramBuilder b;
    const auto s = b.stream();
    const auto x = b.buffer(MemoryKind::device, kib);
    const auto x_cpu = b.buffer(MemoryKind::pinned, kib);
    b.program.buffers[x].initial_value = 8;
    KernelAction halve;
    halve.stream = s;
    halve.time = 10 * us;
    halve.writes = {x};
    using Op = ValueCode::Op;
    halve.value.items = {{Op::load, x, 0}, {Op::constant, no_id, 2}, {Op::divide, no_id, 0}};
    b.step(halve);
    b.step(halve);
    b.copy(x, x_cpu, s, true);
    b.read(x_cpu);
    // Skips a spin where x_cpu is 2, as it must be.
    const auto next = static_cast<Index>(b.program.threads[0].instructions.size());
    b.step(BranchAction {
        ValueCode {{{Op::load, x_cpu, 0}, {Op::constant, no_id, 2}, {Op::not_equal, no_id, 0}}}, next + 2});
    b.spin(ms);
    b.spin(1);
    const auto records = run(b);
    QCOMPARE(records.all<ReadRecord>()[0].wrong_bytes, 0U);
    QCOMPARE(records.all<HostSpanRecord>().size(), 1U);
}

void tst_ModelReads::whileEndsWhenTheHostSeesIt()
{
    // while x_cpu.0 > 1: halve x, copy it. With a blocking copy the host sees 8, 4, 2, 1: three rounds.
    // Without one it goes on with old values until it gives up after ten.
    for (const bool blocking : {true, false}) {
        using Op = ValueCode::Op;
        ProgramBuilder b;
        const auto s = b.stream();
        const auto x = b.buffer(MemoryKind::device, kib);
        const auto x_cpu = b.buffer(MemoryKind::pinned, kib);
        b.program.buffers[x].initial_value = 8;
        b.program.buffers[x_cpu].initial_value = 8;
        KernelAction halve;
        halve.stream = s;
        halve.time = ms;
        halve.writes = {x};
        halve.value.items = {{Op::load, x, 0}, {Op::constant, no_id, 2}, {Op::divide, no_id, 0}};
        for (int round = 0; round < 10; ++round) {
            b.step(BranchAction {
                ValueCode {{{Op::load, x_cpu, 0}, {Op::constant, no_id, 1}, {Op::greater, no_id, 0}}}, 30});
            b.step(halve);
            b.copy(x, x_cpu, s, blocking);
        }
        QCOMPARE(b.program.threads[0].instructions.size(), 30U);
        const auto kernels = run(b).all<KernelRecord>();
        QCOMPARE(kernels.size(), blocking ? 3U : 10U);
    }
}

void tst_ModelReads::memsetIsOfBytes()
{
    ProgramBuilder b;
    const auto s = b.stream();
    const auto x = b.buffer(MemoryKind::device, kib);
    const auto x_cpu = b.buffer(MemoryKind::pinned, kib);
    b.memset(x, s, 0xff);  // a NaN: it must equal itself
    b.copy(x, x_cpu, s, true);
    b.read(x_cpu);
    b.memset(x, s, 0);
    b.copy(x, x_cpu, s, true);
    b.read(x_cpu);
    const auto records = run(b);
    for (const auto& read : records.all<ReadRecord>()) {
        QCOMPARE(read.wrong_bytes, 0U);
    }
    const auto memsets = records.all<MemsetRecord>();
    QCOMPARE(memsets.size(), 2U);
    QCOMPARE(memsets[0].value, 0xffU);
    QCOMPARE(memsets[0].bytes, kib);
}

void tst_ModelReads::initialValues()
{
    ProgramBuilder b;
    const auto s = b.stream();
    const auto x = b.buffer(MemoryKind::device, kib);
    const auto x_cpu = b.buffer(MemoryKind::pinned, kib);
    b.program.buffers[x].initial_value = 3;
    b.copy(x, x_cpu, s);
    b.read(x_cpu, true);
    b.step(SyncStreamAction {s});
    b.read(x_cpu);
    const auto reads = run(b).all<ReadRecord>();
    QCOMPARE(reads[0].wrong_bytes, kib);
    QCOMPARE(reads[1].wrong_bytes, 0U);
}

// Against an array of words, with random writes and slices.
void tst_ModelReads::valuesAgreeWithAnArray()
{
    using model::Values;
    constexpr std::uint64_t words = 32;
    std::mt19937 random(1);
    const auto below = [&](std::uint64_t n) { return static_cast<std::uint64_t>(random() % n); };
    for (int round = 0; round < 200; ++round) {
        Values a(1);
        Values b(2);
        std::vector<double> array_a(words, 1);
        std::vector<double> array_b(words, 2);
        for (int k = 0; k < 20; ++k) {
            auto& to = below(2) == 0 ? a : b;
            auto& array_to = &to == &a ? array_a : array_b;
            const auto offset = below(words);
            const auto count = below(words - offset) + 1;
            if (below(2) == 0) {
                const auto value = static_cast<double>(below(3));
                to.write(words * 8, offset * 8, count * 8, Values(value));
                std::fill_n(array_to.begin() + static_cast<std::ptrdiff_t>(offset), count, value);
            } else {
                const auto slice = (&to == &a ? b : a).slice(offset * 8, count * 8);
                const auto& array_from = &to == &a ? array_b : array_a;
                to.write(words * 8, offset * 8, count * 8, slice);
                std::copy_n(array_from.begin() + static_cast<std::ptrdiff_t>(offset), count,
                    array_to.begin() + static_cast<std::ptrdiff_t>(offset));
            }
            std::uint64_t wrong = 0;
            for (std::uint64_t word = 0; word < words; ++word) {
                QCOMPARE(a.at(word * 8), array_a[word]);
                QCOMPARE(b.at(word * 8), array_b[word]);
                wrong += array_a[word] != array_b[word] ? 8 : 0;
            }
            QCOMPARE(wrong_bytes(a, b, words * 8), wrong);
        }
    }
}

QTEST_GUILESS_MAIN(tst_ModelReads)
#include "tst_model_reads.moc"
