// SPDX-License-Identifier: MIT
// The latest part of a spool that is being written, and the figures of its last second, against the whole recording.
#include "engine/run/live_lines.h"
#include "engine/run/live_spool.h"

#include "engine/analysis/live_figures.h"
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/run/record/spooling_program.h"
#include "tests/no_threads.h"

#include <csignal>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;

namespace {

constexpr Ns ms = 1'000'000;
constexpr Ns begin = 1'700'000'000'000'000'000;

/// Its clock counts from `begin`.
class Program : public SpoolingProgram {
public:
    Program(const std::string& path, std::uint32_t process)
        : SpoolingProgram(path, process)
    {
    }
    void iterate(Ns at) { SpoolingProgram::iterate(begin + at); }
};

LiveFigures figures_of(const Trace& trace)
{
    return live_figures(trace, find_blocking(trace), last_second(trace));
}

}  // namespace

class tst_LiveSpool : public QObject {
    Q_OBJECT

private slots:
    void init() { m_path = m_folder.filePath(QString::number(++m_count) + ".spool").toStdString(); }
    void figuresOfAPartAreThoseOfTheWhole_data();
    void figuresOfAPartAreThoseOfTheWhole();
    void whatIsKeptHasABound();
    void aProcessMayComeLater();
    void nothingIsNoFigure();
    void linesFitTheTerminal();
    void withoutAThreadThereAreNone();

private:
    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
};

void tst_LiveSpool::figuresOfAPartAreThoseOfTheWhole_data()
{
    QTest::addColumn<int>("iterations");
    QTest::newRow("shorter than a second") << 40;
    QTest::newRow("the first seconds") << 150;
    QTest::newRow("long after the beginning") << 1200;
}

void tst_LiveSpool::figuresOfAPartAreThoseOfTheWhole()
{
    QFETCH(int, iterations);
    Program program(m_path, 4711);
    LiveSpool spool(m_path, {.records = 0});
    for (int i = 0; i < iterations; ++i) {
        program.iterate(i * 10 * ms);
        if (i % 25 == 24) {
            QVERIFY(spool.read());
        }
    }
    spool.read();
    QVERIFY(!spool.read());
    const auto live = spool.make();
    const auto whole = open_spool(m_path);
    QCOMPARE(spool.is_whole(), iterations <= 150);
    QCOMPARE(live.calls.size() == whole.calls.size(), spool.is_whole());
    QCOMPARE(live.origin, whole.origin);
    QCOMPARE(live.duration, whole.duration);
    QVERIFY(!live.meta.contains(meta::complete));

    const auto range = last_second(live);
    QCOMPARE(range.end, live.duration);
    QCOMPARE(range.start, std::max<Ns>(0, live.duration - 1000 * ms));
    const auto figures = figures_of(live);
    const auto report = make_report(whole, find_blocking(whole), range);
    QCOMPARE(figures.gpu_busy, report.gpu_busy);
    QCOMPARE(figures.overlap, report.overlap);
    QCOMPARE(figures.blocked, report.threads.at(0).blocked);
    QCOMPARE(figures.operations, report.counts.kernels + report.counts.copies);
    // Of each 10 ms: 6 busy, 3 of them overlapped; held for 4 of them.
    QVERIFY(std::abs(figures.share(figures.gpu_busy) - 0.6) < 0.02);
    QVERIFY(std::abs(figures.share(figures.overlap) - 0.3) < 0.02);
    QVERIFY(std::abs(figures.share(*figures.blocked) - 0.4) < 0.02);
    QVERIFY(std::abs(figures.operations_a_second() - 200) < 6);
    QVERIFY(to_line(live, figures).find("waits   40 % (4711)") != std::string::npos);
}

void tst_LiveSpool::whatIsKeptHasABound()
{
    Program program(m_path, 1);
    LiveSpool spool(m_path, {.records = 600, .least = 20 * ms, .most = 900});
    for (int i = 0; i < 1000; ++i) {
        program.iterate(i * 10 * ms);
        spool.read();
        QVERIFY(spool.kept_records() <= 900);
    }
    QVERIFY(spool.kept_records() >= 600);
    const auto trace = spool.make();
    QCOMPARE(trace.duration, 999 * 10 * ms + 7 * ms + 3000);  // times stay relative to the whole
    QVERIFY(!spool.is_whole());
    // If all of it is newer than what must be kept, `most` is the bound.
    Program dense(m_path + "2", 1);
    LiveSpool of_dense(m_path + "2", {.records = 0, .least = 1'000'000 * ms, .most = 900});
    for (int i = 0; i < 1000; ++i) {
        dense.iterate(i * 10 * ms);
    }
    of_dense.read();
    QVERIFY(of_dense.kept_records() <= 900 && of_dense.kept_records() > 800);
}

void tst_LiveSpool::aProcessMayComeLater()
{
    Program first(m_path, 10);
    LiveSpool spool(m_path);
    for (int i = 0; i < 100; ++i) {
        first.iterate(i * 10 * ms);
    }
    spool.read();
    QCOMPARE(spool.make().processes.size(), std::size_t {1});
    Program second(m_path, 20);
    for (int i = 100; i < 200; ++i) {
        first.iterate(i * 10 * ms);
        if (i < 180) {
            second.iterate(i * 10 * ms);  // its last records are still missing
        }
    }
    spool.read();
    const auto trace = spool.make();
    QCOMPARE(trace.processes.size(), std::size_t {2});
    QCOMPARE(trace.devices.size(), std::size_t {2});
    QCOMPARE(last_second(trace).end, 179 * 10 * ms + 7 * ms + 3000);
    // A process has ended, or does nothing: the others go on.
    for (int i = 200; i < 300; ++i) {
        first.iterate(i * 10 * ms);
    }
    spool.read();
    QCOMPARE(last_second(spool.make()).end, 299 * 10 * ms + 7 * ms + 3000);
}

void tst_LiveSpool::nothingIsNoFigure()
{
    LiveSpool spool(m_path);
    QVERIFY(!spool.read());
    const auto trace = spool.make();
    const auto figures = figures_of(trace);
    QCOMPARE(figures.range.end, 0);
    QVERIFY(!figures.blocked);
    QCOMPARE(figures.operations_a_second(), 0.0);
    QCOMPARE(to_line(trace, figures), std::string("nothing recorded yet"));
}

void tst_LiveSpool::linesFitTheTerminal()
{
    QCOMPARE(fitting_line("blocked 12 %", 0), std::string("blocked 12 %"));
    QCOMPARE(fitting_line("blocked 12 %", 80), std::string("blocked 12 %"));
    QCOMPARE(fitting_line("blocked 12 %", 8), std::string("blocked"));
    QCOMPARE(fitting_line("\u963b\u585e", 6), std::string("\u963b"));
}

/// What is being recorded goes on, and its signals come.
void tst_LiveSpool::withoutAThreadThereAreNone()
{
    {
        const NoThreads here;
        const LiveLines lines(m_path);
    }
    sigset_t blocked;
    QCOMPARE(pthread_sigmask(SIG_SETMASK, nullptr, &blocked), 0);
    QCOMPARE(sigismember(&blocked, SIGTERM), 0);
}

QTEST_GUILESS_MAIN(tst_LiveSpool)
#include "tst_live_spool.moc"
