// SPDX-License-Identifier: MIT
// The words of the report: its verdict, and what it lists.
#include "engine/analysis/report.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>

using namespace lanes;

class tst_ReportWords : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void anIdleGpuMayBeBusyInThePartThatRepeats();
    void framesThatOnlyLeadToOthersAreNotListed();
    void theLongestRangesAreListed();
    void verdicts();
};

/// A program that starts up for most of its time; if all of a run is the part that repeats, it is said once.
void tst_ReportWords::anIdleGpuMayBeBusyInThePartThatRepeats()
{
    const auto text_of = [](Ns begin, Ns step) {
        Tape tape;
        tape.kernel(tape.call("cudaLaunchKernel", 0, 10'000), 13, 20'000, 30'000, 0, "warm_up(int)");
        for (Ns i = 0; i < 40; ++i) {
            const Ns at = begin + i * step;
            tape.kernel(tape.call("cudaLaunchKernel", at, at + 5'000), 13, at + 6'000, at + 51'000, 0, "a(int)");
            tape.kernel(
                tape.call("cudaLaunchKernel", at + 6'000, at + 11'000), 13, at + 51'000, at + 96'000, 0, "b(int)");
        }
        const auto trace = tape.finish();
        return Messages::english().format(make_report(trace, find_blocking(trace)).verdict.message);
    };
    const auto text = text_of(900'000'000, 100'000);
    QCOMPARE(text, std::string("loop: GPU 90 % busy"));
    QCOMPARE(QByteArray::fromStdString(text_of(1'000'000, 10'000'000)),
        QByteArray("GPU 1 % busy: CPU late; what it does meanwhile is not recorded"));
}

/// A stack of Python's frames leads to what a program does: what holds the whole run, and what only calls the next.
void tst_ReportWords::framesThatOnlyLeadToOthersAreNotListed()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 10), 13, 20, 30'000);
    const auto frame = [&](const std::string& name, Ns end) { tape.range(name, 0, end, 1, frame_domain); };
    frame("threading.py(1032): _bootstrap", 30'000);
    frame("torch/nn/modules/module.py(1779): _call_impl", 20'000);
    frame("train.py(12): step", 19'000);
    tape.range("epoch 1", 0, 30'000);
    for (Ns i = 0; i < 20; ++i) {
        frame("model.py(" + std::to_string(i) + "): forward", 100 + i);
    }
    const auto trace = tape.finish();
    const auto text = to_text(trace, make_report(trace, find_blocking(trace)));
    for (const char* listed : {"epoch 1 ", "train.py(12): step", "model.py(2): forward"}) {
        QVERIFY2(text.find(listed) != std::string::npos, text.c_str());
    }
    for (const char* left : {"_bootstrap", "_call_impl", "model.py(1): forward"}) {
        QVERIFY2(text.find(left) == std::string::npos, text.c_str());
    }
    QVERIFY2(text.find("and 4 more") != std::string::npos, text.c_str());
}

/// Twenty at most: those that take longest, whenever they began.
void tst_ReportWords::theLongestRangesAreListed()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 10), 13, 20, 30);
    for (Ns i = 0; i < 22; ++i) {
        tape.range("range " + std::to_string(i), i * 1000, i * 1000 + 10 * (i + 1));
    }
    const auto trace = tape.finish();
    const auto text = to_text(trace, make_report(trace, find_blocking(trace)));
    const auto longest = text.find("range 21 ");
    QVERIFY2(longest != std::string::npos && longest < text.find("range 20 ")
            && text.find("range 20 ") < text.find("range 2 "),
        text.c_str());
    QVERIFY2(text.find("range 0 ") == std::string::npos && text.find("range 1 ") == std::string::npos, text.c_str());
    QVERIFY2(text.find("and 2 more") != std::string::npos, text.c_str());
}

void tst_ReportWords::verdicts()
{
    using Kind = Verdict::Kind;
    constexpr Ns us = 1000;
    const auto verdict = [](Tape& tape) {
        const auto trace = tape.finish();
        return make_report(trace, find_blocking(trace)).verdict;
    };
    {
        Tape tape;  // copies one after the other, each waited for
        for (Ns at = 0; at < 1000 * us; at += 200 * us) {
            tape.kernel(tape.call("cudaLaunchKernel", at, at + us), 7, at + us, at + 100 * us);
            const auto copy = tape.call("cudaMemcpyAsync", at + us, at + 190 * us);
            tape.copy(copy, 7, at + 100 * us, at + 190 * us, CopyKind::d2h, MemoryKind::pageable, true);
        }
        const auto found = verdict(tape);
        QCOMPARE(found.kind, Kind::serial);
        QCOMPARE(QByteArray::fromStdString(found.message),
            QByteArray("GPU 95 % busy, one thing at a time: copies hidden 0 %; waits cost 399 µs"));
    }
    {
        Tape tape;  // the same work, with one wait at the end: nothing was held up, and there was nothing to overlap
        tape.kernel(tape.call("cudaLaunchKernel", 0, us), 7, us, 100 * us);
        tape.kernel(tape.call("cudaLaunchKernel", us, 2 * us), 7, 100 * us, 200 * us);
        const auto sync = tape.call("cudaDeviceSynchronize", 2 * us, 201 * us);
        tape.sync(sync, SyncRecord::context_sync, 2 * us, 201 * us);
        QCOMPARE(verdict(tape).kind, Kind::gpu_bound);
    }
    {
        Tape tape;  // a copy after a kernel
        tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, us, 200 * us);
        tape.copy(
            tape.call("cudaMemcpyAsync", us, 2 * us), 14, 50 * us, 150 * us, CopyKind::d2h, MemoryKind::pinned, true);
        const auto sync = tape.call("cudaDeviceSynchronize", 2 * us, 201 * us);
        tape.sync(sync, SyncRecord::context_sync, 2 * us, 201 * us);
        const auto found = verdict(tape);
        QCOMPARE(found.kind, Kind::overlapped);
        QCOMPARE(std::string(found.message), std::string("GPU 99 % busy, overlapped: copies hidden 100 %"));
    }
    for (const bool behind : {true, false}) {
        Tape tape;  // an all-reduce beside another kernel, or after it, on both GPUs
        for (const std::uint32_t device : {0U, 1U}) {
            tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, us, 200 * us, device);
            tape.kernel(tape.call("cudaLaunchKernel", us, 2 * us), 14, (behind ? 200 : 110) * us,
                (behind ? 300 : 210) * us, device, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(Args<4096ul>)");
        }
        const auto found = verdict(tape);
        QCOMPARE(found.kind, behind ? Kind::serial : Kind::overlapped);
        QCOMPARE(std::string(found.message),
            std::string(behind ? "2 GPUs > 99 % busy, one thing at a time: communication hidden 0 %"
                               : "2 GPUs > 99 % busy, overlapped: communication hidden 90 %"));
    }
    {
        Tape tape;  // the CPU works meanwhile
        tape.copy(
            tape.call("cudaMemcpyAsync", 0, 2 * us), 14, 5 * us, 100 * us, CopyKind::h2d, MemoryKind::pinned, true);
        tape.host_span(HostSpanRecord::work, 2 * us, 90 * us);
        const auto sync = tape.call("cudaDeviceSynchronize", 90 * us, 101 * us);
        tape.sync(sync, SyncRecord::context_sync, 90 * us, 101 * us);
        QCOMPARE(verdict(tape).kind, Kind::cpu_works);
    }
    {
        Tape tape;
        tape.call("cudaFree", 0, us);
        QCOMPARE(verdict(tape).kind, Kind::none);
    }
}

QTEST_GUILESS_MAIN(tst_ReportWords)
#include "tst_report_words.moc"
