// SPDX-License-Identifier: MIT
// Each line of the table of verdicts and each of its borders, on made-up facts; how the facts are measured, on small
// recordings written by hand.
#include "engine/analysis/refused.h"
#include "engine/analysis/report.h"
#include "engine/analysis/verdict/verdict.h"
#include "tests/engine/analysis/tape.h"

#include <algorithm>
#include <functional>
#include <QTest>

using namespace lanes;

namespace {

constexpr Ns us = 1000, ms = 1000 * us;
using Change = std::function<void(VerdictFacts&)>;

/// A thread that is not held, a GPU that is busy for 10 of 12 ms with nothing that could overlap.
VerdictFacts busy_facts()
{
    VerdictFacts facts;
    facts.wall = 12 * ms;
    facts.gpu_busy = facts.gpu_time = facts.kernel = 10 * ms;
    facts.gpus = 1;
    facts.held_cost = facts.idle_in_launches = facts.idle_in_work = facts.cpu_free = 0;
    return facts;
}

/// The same in 20 ms: it is idle for 10 ms.
void idle_for_half(VerdictFacts& facts)
{
    facts.wall = 20 * ms;
}

}  // namespace

class tst_Verdict : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void lines_data();
    void lines();
    void reasons_data();
    void reasons();
    void theFirstLineThatHolds();
    void everyKindHasAName();
    void fitsIntoTheTitle();
    void facts();
    void hostReadsBehindTheEndStarveNothing();
    void gpusAtOnce_data();
    void gpusAtOnce();
    void oneWaitsForTheOther();
    void startUpIsOfEachProcess();
    void layersOfOneStepAreNoIterations();
    void whatIsDoneAgainIsNoStartUp();
    void aGpuBesideABusyOneTakesNoTurns();
    void fewOperationsAreWork();
    void waitsFillNoBusyTime();
    void anOperatorThatWaitsDoesNotWork();
    void whatIsUnknownIsSkipped();
    void rangesSayWhatTheCpuDoes_data();
    void rangesSayWhatTheCpuDoes();
    void operationsWithoutLength();
};

void tst_Verdict::lines_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const Change& change, const char* kind, const char* text) {
        QTest::newRow(name) << change << QByteArray(kind) << QByteArray(text);
    };
    row(
        "busy for 83 %", [](auto&) {}, "gpu_bound", "GPU 83 % busy");
    row(
        "busy for 80 %", [](auto& f) { f.wall = 12500 * us; }, "none", "GPU 80 % busy");
    row(
        "no GPU work", [](auto& f) { f = {}; }, "none", "no GPU work");
    row(
        "operations without length", [](auto& f) { f = {}, f.has_operations = true; }, "none",
        "GPU operations are recorded without their length");
    row(
        "wrong bytes", [](auto& f) { f.read_bytes = 64 << 20, f.wrong_bytes = 1; }, "stale",
        "wrong bytes: 1 B of 64 MiB that the host read were not what they should be");
    row(
        "wrong bytes in one of two reads", [](auto& f) { f.reads = 2, f.read_bytes = 128 << 20, f.wrong_bytes = 1; },
        "stale", "wrong bytes: 1 B of the 128 MiB in 2 reads were not what they should be");
    row(
        "wrong bytes without GPU work", [](auto& f) { f = {}, f.read_bytes = f.wrong_bytes = 4; }, "stale",
        "wrong bytes: 4 B of 4 B that the host read were not what they should be");
    row(
        "read, all right", [](auto& f) { f.read_bytes = 64 << 20; }, "gpu_bound", "GPU 83 % busy");

    // Waits: of a GPU that is idle for 10 of 20 ms, and of one that is busy.
    row(
        "waits cost half of the idle time", [](auto& f) { idle_for_half(f), f.held_cost = 5 * ms; }, "blocked",
        "GPU 50 % busy: waits of the CPU cost 5.00 ms of 20.0 ms");
    row(
        "waits cost less", [](auto& f) { idle_for_half(f), f.held_cost = 5 * ms - 1; }, "none",
        "GPU 50 % busy; waits cost 5.00 ms");
    row(
        "waits cost less than 1 %", [](auto& f) { idle_for_half(f), f.held_cost = 200 * us - 1; }, "none",
        "GPU 50 % busy");
    row(
        "waits cost less than 5 %, and half of the idle time",
        [](auto& f) { f.wall = 12500 * us, f.gpu_busy = 11900 * us - 1, f.held_cost = 600 * us; }, "gpu_bound",
        "GPU 95 % busy; waits cost 600 µs");
    row(
        "waits gain a tenth more together",
        [](auto& f) { idle_for_half(f), f.held_cost = 200 * us, f.gain_without_waits = 220 * us; }, "none",
        "GPU 50 % busy; waits cost up to 220 µs");
    row(
        "waits gain less than that",
        [](auto& f) { idle_for_half(f), f.held_cost = 200 * us, f.gain_without_waits = 219 * us; }, "none",
        "GPU 50 % busy; waits cost 200 µs");
    row(
        "waits gain, and none costs anything",
        [](auto& f) { idle_for_half(f), f.held_cost = 0, f.gain_without_waits = 6 * ms; }, "none", "GPU 50 % busy");
    row(
        "waits gain half of the idle time",
        [](auto& f) {
            idle_for_half(f), f.held_cost = 200 * us, f.gain_without_waits = f.idle_in_launches.emplace(5 * ms);
        },
        "blocked", "GPU 50 % busy: waits of the CPU cost up to 5.00 ms of 20.0 ms");
    row(
        "waits cost much, the GPU is busy", [](auto& f) { f.held_cost = 6 * ms; }, "gpu_bound",
        "GPU 83 % busy; waits cost 6.00 ms");
    row(
        "waits, copies",
        [](auto& f) {
            idle_for_half(f), f.held_cost = 6 * ms, f.copy = 5 * ms, f.copy_hidden = ms, f.kernels_and_copies = true;
        },
        "blocked", "GPU 50 % busy: waits of the CPU cost 6.00 ms of 20.0 ms, copies hidden 20 %");
    row(
        "waits, copies that fetch values",
        [](auto& f) {
            idle_for_half(f), f.held_cost = 6 * ms, f.copy = 5 * ms, f.values = 4500 * us + 1,
                              f.kernels_and_copies = true;
        },
        "blocked", "GPU 50 % busy: waits of the CPU cost 6.00 ms of 20.0 ms");

    row(
        "launching for half of the idle time", [](auto& f) { idle_for_half(f), f.idle_in_launches = 5 * ms; },
        "launch_bound", "GPU 50 % busy: the CPU launches for 5.00 ms of 10.0 ms idle");
    row(
        "launching for less", [](auto& f) { idle_for_half(f), f.idle_in_launches = 5 * ms - 1; }, "none",
        "GPU 50 % busy");
    row(
        "launching for less than a fifth", [](auto& f) { f.wall = 13 * ms, f.idle_in_launches = 2600 * us - 1; },
        "none", "GPU 77 % busy");
    row(
        "launching, the GPU is busy", [](auto& f) { f.idle_in_launches = 2400 * us; }, "gpu_bound", "GPU 83 % busy");
    const auto working = [](auto& f) { idle_for_half(f), f.wall = 15 * ms, f.idle_in_work = 5 * ms; };
    row("working for a third", working, "starved", "GPU 67 % busy: the CPU works for 5.00 ms of 5.00 ms idle");
    row(
        "working for a third, the first thread waits", [=](auto& f) { working(f), f.idle_for_others = 2500 * us; },
        "starved", "GPU 67 % busy: the first thread waits for 5.00 ms of 5.00 ms idle");
    row(
        "allocating for half of a third",
        [=](auto& f) { working(f), f.idle_for_others = f.idle_in_allocations = 2500 * us; }, "starved",
        "GPU 67 % busy: the CPU mostly allocates for 5.00 ms of 5.00 ms idle");
    row(
        "allocating for less than half of the idle time, the rest is start-up",
        [](auto& f) {
            f.wall = 32 * ms, f.before_first = f.first_after = 10 * ms;
            f.idle_in_work = f.idle_in_allocations = 10'800 * us;
        },
        "starved", "GPU 31 % busy: the CPU allocates or works for 10.8 ms of 22.0 ms idle");
    row(
        "working for less", [=](auto& f) { working(f), --*f.idle_in_work; }, "none", "GPU 67 % busy");
    row(
        "working for less than half of the idle time", [](auto& f) { f.wall = 60 * ms, f.idle_in_work = 24 * ms; },
        "none", "GPU 17 % busy");

    const auto late = [](auto& f) {
        idle_for_half(f), f.idle_recorded = ms, f.idle_inside = f.idle_unissued = 5 * ms, f.idle_unrecorded = 9 * ms;
    };
    row("the CPU is late", late, "cpu_late", "GPU 50 % busy: CPU late; calls and work fill 1.00 ms of 10.0 ms idle");
    row(
        "late for less than half of the idle time", [=](auto& f) { late(f), --f.idle_unissued; }, "none",
        "GPU 50 % busy");
    row(
        "late, with nothing recorded", [=](auto& f) { late(f), f.idle_recorded = 99 * us; }, "cpu_late",
        "GPU 50 % busy: CPU late; what it does meanwhile is not recorded");
    row(
        "late, in ranges", [=](auto& f) { late(f), f.idle_recorded = 99 * us, f.idle_in_ranges = 8 * ms; }, "cpu_late",
        "GPU 50 % busy: CPU late; named ranges fill 8.00 ms of 10.0 ms idle");
    row(
        "late, in more ranges than calls", [=](auto& f) { late(f), f.idle_in_ranges = 8 * ms; }, "cpu_late",
        "GPU 50 % busy: CPU late; named ranges fill 8.00 ms of 10.0 ms idle");
    row(
        "late, in Python functions", [=](auto& f) { late(f), f.idle_in_ranges = 8 * ms, f.has_frames = true; },
        "cpu_late", "GPU 50 % busy: CPU late; Python functions fill 8.00 ms of 10.0 ms idle");
    row(
        "late, in few ranges", [=](auto& f) { late(f), f.idle_recorded = f.idle_in_ranges = 99 * us; }, "cpu_late",
        "GPU 50 % busy: CPU late; what it does meanwhile is not recorded");
    row(
        "waiting in calls", [=](auto& f) { late(f), f.idle_in_waits = 5 * ms; }, "idle",
        "GPU 50 % busy: the CPU waits in calls for 5.00 ms of 10.0 ms idle");
    row(
        "waiting in calls for less", [=](auto& f) { late(f), f.idle_in_waits = 5 * ms - 1; }, "cpu_late",
        "GPU 50 % busy: CPU late; calls and work fill 1.00 ms of 10.0 ms idle");
    row(
        "waiting in calls, two GPUs",
        [=](auto& f) { late(f), f.gpus = 2, f.gpu_time = 12 * ms, f.idle_in_waits = 5 * ms; }, "cpu_late",
        "2 GPUs 30 % busy: CPU late; calls, work fill 1.00 ms of 10.0 ms all idle");
    row(
        "late, on two GPUs", [=](auto& f) { late(f), f.gpus = 2, f.gpu_time = 12 * ms; }, "cpu_late",
        "2 GPUs 30 % busy: CPU late; calls, work fill 1.00 ms of 10.0 ms all idle");
    row(
        "working, on two GPUs", [=](auto& f) { working(f), f.gpus = 2, f.gpu_time = 12 * ms; }, "starved",
        "2 GPUs 40 % busy: the CPU works for 5.00 ms of 5.00 ms all idle");
    row(
        "late, and nothing known of the calls", [=](auto& f) { late(f), f.idle_in_launches = std::nullopt; }, "none",
        "GPU 50 % busy");
    row(
        "mostly start-up", [=](auto& f) { late(f), f.before_first = f.first_after = 5 * ms; }, "idle",
        "GPU 50 % busy: the first operation begins after 5.00 ms of 20.0 ms");
    const auto starting = [=](auto& f) { late(f), f.before_first = 8 * ms; };
    row(
        "start-up in one stretch", [=](auto& f) { starting(f), f.first_gaps = 3, f.longest_gap = 5 * ms; }, "idle",
        "GPU 50 % busy: one idle stretch takes 5.00 ms of 20.0 ms");
    row(
        "start-up in several stretches",
        [=](auto& f) { starting(f), f.first_gaps = 3, f.longest_gap = 5 * ms - 1, f.first_after = us; }, "idle",
        "GPU 50 % busy: 4 idle stretches of start-up take 8.00 ms of 20.0 ms");
    row(
        "start-up in several stretches, the first is the longest",
        [=](auto& f) { starting(f), f.first_gaps = 3, f.first_after = 5 * ms - 1; }, "idle",
        "GPU 50 % busy: 4 idle stretches of start-up take 8.00 ms of 20.0 ms");
    row(
        "less start-up", [=](auto& f) { late(f), f.before_first = 5 * ms - 1; }, "cpu_late",
        "GPU 50 % busy: CPU late; calls and work fill 1.00 ms of 10.0 ms idle");
    row(
        "busy for a twentieth", [](auto& f) { f.gpu_busy = f.gpu_time = 600 * us; }, "none", "GPU 5 % busy");
    row(
        "busy for less", [](auto& f) { f.gpu_busy = f.gpu_time = 600 * us - 1; }, "idle", "GPU 5 % busy");

    const auto two_gpus = [](auto& f) { f.gpus = 2, f.gpu_time = 12 * ms, f.gpus_at_once = ms; };
    row("two GPUs at once", two_gpus, "side_by_side", "2 GPUs 50 % busy, at once in 8 % of the time");
    row(
        "taking turns", [=](auto& f) { two_gpus(f), --f.gpus_at_once; }, "turns",
        "2 GPUs take turns: two or more at once in 10 % of GPU time");
    row(
        "two GPUs at once, copies between them",
        [=](auto& f) { two_gpus(f), f.copy = 2 * ms, f.kernels_and_copies = true; }, "side_by_side",
        "2 GPUs 50 % busy, at once in 8 % of the time, copies hidden 0 %");
    row(
        "two GPUs at once, communication",
        [=](auto& f) { two_gpus(f), f.communicating_gpu = 6 * ms, f.communication = f.communication_exposed = 3 * ms; },
        "serial", "2 GPUs 50 % busy, one thing at a time: communication hidden 0 %");
    row(
        "taking turns, one waiting for the other",
        [=](auto& f) { two_gpus(f), f.gpus_at_once = 0, f.gpus_wait_for_each_other = true; }, "turns",
        "2 GPUs take turns, one waits for another: at once in 0 % of GPU time");
    row(
        "taking turns, and waits that cost time",
        [=](auto& f) { two_gpus(f), f.gpus_at_once = 0, f.held_cost = 6 * ms; }, "turns",
        "2 GPUs take turns: two or more at once in 0 % of GPU time; waits cost 6.00 ms");
    row(
        "two GPUs at once, idle for more than half of the time", [=](auto& f) { two_gpus(f), f.gpu_time -= 2; },
        "uneven", "2 GPUs 50 % busy: two or more work in 8 %, one in 75 %, none in 17 %");
    row(
        "two GPUs that do nothing but upload",
        [=](auto& f) { two_gpus(f), f.gpu_time = f.copy = 20 * ms, f.kernel = 0, f.gpus_at_once = 10 * ms; },
        "copy_bound", "2 GPUs 83 % busy: copies take 100 %, hidden 0 %");

    const auto communicating
        = [](auto& f) { f.communicating_gpu = 10 * ms, f.communication = 2 * ms, f.communication_exposed = ms; };
    row("communication hidden by half", communicating, "overlapped",
        "GPU 83 % busy, overlapped: communication hidden 50 %");
    row(
        "communication hidden by less", [=](auto& f) { communicating(f), ++f.communication_exposed; }, "serial",
        "GPU 83 % busy, one thing at a time: communication hidden 50 %");
    const auto exposed = [](auto& f) {
        f.communicating_gpu = 10 * ms, f.communication = 8 * ms, f.communication_exposed = 6 * ms;
        f.streams_overlap = 2 * ms, f.two_streams = true;
    };
    row("communication alone, streams at once", exposed, "serial",
        "GPU 83 % busy: communication alone takes 50 % of the time");
    row(
        "communication alone for less than a quarter",
        [=](auto& f) { exposed(f), f.communication = 3 * ms, f.communication_exposed = 2500 * us - 1; }, "overlapped",
        "GPU 83 % busy, overlapped: streams at once in 20 %, communication hidden 17 %");
    row(
        "communication alone for a third, half of it hidden",
        [=](auto& f) { exposed(f), f.communication_exposed = 4 * ms; }, "serial",
        "GPU 83 % busy: communication alone takes 33 % of the time");
    row(
        "too little communication", [=](auto& f) { communicating(f), f.communicating_gpu = 41 * ms; }, "gpu_bound",
        "GPU 83 % busy");
    row(
        "nothing but communication",
        [=](auto& f) { f.communicating_gpu = f.communication = f.communication_exposed = 10 * ms; }, "gpu_bound",
        "GPU 83 % busy");
    const auto copying = [](auto& f) { f.copy = 500 * us, f.copy_hidden = 250 * us, f.kernels_and_copies = true; };
    row("copies hidden by half", copying, "overlapped", "GPU 83 % busy, overlapped: copies hidden 50 %");
    row(
        "copies hidden by half, waits beside them", [=](auto& f) { copying(f), f.held_cost = 120 * us; }, "overlapped",
        "GPU 83 % busy, overlapped: copies hidden 50 %; waits cost 120 µs");
    row(
        "copies hidden by half of a GPU that is half idle", [=](auto& f) { copying(f), f.wall = 20 * ms; },
        "overlapped", "GPU 50 % busy, overlapped: copies hidden 50 %");
    row(
        "copies hidden by half of a GPU that is idle for more", [=](auto& f) { copying(f), f.wall = 20 * ms + 1; },
        "idle", "GPU 50 % busy: 10.0 ms of 10.0 ms idle are before or after its operations");
    row(
        "the same, and nothing known of the calls",
        [=](auto& f) { copying(f), f.wall = 20 * ms + 1, f.idle_in_launches = std::nullopt; }, "none", "GPU 50 % busy");
    row(
        "copies hidden by less", [=](auto& f) { copying(f), --f.copy_hidden; }, "serial",
        "GPU 83 % busy, one thing at a time: copies hidden 50 %");
    row(
        "too few copies", [=](auto& f) { copying(f), f.gpu_time += 100, f.kernels_and_copies = false; }, "gpu_bound",
        "GPU 83 % busy");
    row(
        "streams at once for a tenth", [](auto& f) { f.streams_overlap = ms, f.two_streams = true; }, "overlapped",
        "GPU 83 % busy, overlapped: streams at once in 10 %");
    row(
        "streams at once for a tenth, and waits that cost as much",
        [](auto& f) { f.streams_overlap = ms, f.two_streams = true, f.held_cost = 1200 * us; }, "gpu_bound",
        "GPU 83 % busy; waits cost 1.20 ms");
    row(
        "copies both ways at once for a tenth, and waits that cost as much",
        [](auto& f) { f.directions_overlap = ms, f.copies_both_ways = true, f.held_cost = 1200 * us; }, "gpu_bound",
        "GPU 83 % busy; waits cost 1.20 ms");
    row(
        "streams at once for less", [](auto& f) { f.streams_overlap = ms - 1, f.two_streams = true; }, "serial",
        "GPU 83 % busy, one thing at a time: streams at once in 10 %");
    row(
        "both directions at once on one stream", [](auto& f) { f.directions_overlap = ms, f.copies_both_ways = true; },
        "overlapped", "GPU 83 % busy, overlapped: copies both ways at once in 10 %");
    row(
        "both directions at once for less", [](auto& f) { f.directions_overlap = ms - 1, f.copies_both_ways = true; },
        "serial", "GPU 83 % busy, one thing at a time: copies one way, then the other");
    row(
        "streams at once, exposed copies", [=](auto& f) { copying(f), f.copy_hidden = 0, f.streams_overlap = ms; },
        "overlapped", "GPU 83 % busy, overlapped: streams at once in 10 %, copies hidden 0 %");
    row(
        "copies for three quarters", [](auto& f) { f.copy = 7500 * us, f.kernel = 2500 * us; }, "copy_bound",
        "GPU 83 % busy: copies take 75 %, hidden 0 %");
    row(
        "copies for less", [](auto& f) { f.copy = 7500 * us - 1, f.kernel = 2500 * us, f.kernels_and_copies = true; },
        "serial", "GPU 83 % busy, one thing at a time: copies hidden 0 %");

    const auto free = [](auto& f) { f.cpu_free = f.work_beside = 5 * ms; };
    row("CPU works for half", free, "cpu_works",
        "GPU 83 % busy, CPU goes on meanwhile: free for 5.00 ms of 10.0 ms GPU time");
    row(
        "CPU free for half, its work not recorded", [=](auto& f) { free(f), --f.work_beside; }, "gpu_bound",
        "GPU 83 % busy");
    row(
        "CPU free for less", [=](auto& f) { free(f), --*f.cpu_free; }, "gpu_bound", "GPU 83 % busy");
    row(
        "one stream of kernels and copies", [](auto& f) { f.copy = ms, f.kernels_and_copies = true; }, "serial",
        "GPU 83 % busy, one thing at a time: copies hidden 0 %");
    row(
        "copies both ways", [](auto& f) { f.copy = 5 * ms, f.copies_both_ways = true; }, "serial",
        "GPU 83 % busy, one thing at a time: copies one way, then the other");
    row(
        "nothing known of the CPU",
        [](auto& f) {
            idle_for_half(f), f.held_cost = f.idle_in_launches = f.idle_in_work = f.cpu_free = std::nullopt;
        },
        "none", "GPU 50 % busy; whether the CPU waited is not recorded");
}

void tst_Verdict::lines()
{
    QFETCH(Change, change);
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, text);
    auto facts = busy_facts();
    change(facts);
    const auto verdict = verdict_of(facts);
    QCOMPARE(QByteArray::fromStdString(std::string(name_of(verdict.kind))), kind);
    QCOMPARE(QByteArray::fromStdString(verdict.message), text);
    for (const auto& language : Messages::languages()) {
        const auto& messages = Messages::of(language);
        const auto said = messages.format(verdict.message);
        QVERIFY(!said.empty() && said.find(messages.format(verdict.reason)) != std::string::npos);
    }
}

void tst_Verdict::reasons_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("chinese");
    const auto row = [](const char* name, const Change& change, const char* english, const char* chinese) {
        QTest::newRow(name) << change << QString::fromUtf8(english) << QString::fromUtf8(chinese);
    };
    const auto copying = [](auto& f) { f.copy = f.copy_hidden = 2 * ms, f.kernels_and_copies = true; };
    row(
        "neither good nor bad", [](auto&) {}, "", "");
    row(
        "wrong bytes", [](auto& f) { f.read_bytes = f.wrong_bytes = 4; }, "", "");
    row(
        "one thing at a time", [=](auto& f) { copying(f), f.copy_hidden = 0; }, "", "");
    row(
        "waits cost 1 %", [](auto& f) { f.held_cost = 120 * us; }, "", "");
    row(
        "waits cost 5 %", [](auto& f) { f.held_cost = 600 * us; }, "waits cost 600 µs", "等待的代价 600 µs");
    row(
        "blocked, copies hidden",
        [=](auto& f) { copying(f), idle_for_half(f), f.copy_hidden = 0, f.held_cost = 6 * ms; },
        "waits of the CPU cost 6.00 ms of 20.0 ms", "CPU 的等待代价为 20.0 ms 中的 6.00 ms");
    row(
        "blocked by several waits",
        [](auto& f) { idle_for_half(f), f.held_cost = 200 * us, f.gain_without_waits = 5 * ms; },
        "waits of the CPU cost up to 5.00 ms of 20.0 ms", "20.0 ms 中 CPU 的等待代价最多 5.00 ms");
    row("copies hidden", copying, "overlapped: copies hidden 100 %", "有重叠：拷贝被隐藏 100%");
    row(
        "copies hidden, waits cost 1 %", [=](auto& f) { copying(f), f.held_cost = 120 * us; },
        "overlapped: copies hidden 100 %; waits cost 120 µs", "有重叠：拷贝被隐藏 100%；等待的代价 120 µs");
    row(
        "copies hidden, waits cost 5 %", [=](auto& f) { copying(f), f.held_cost = 600 * us; }, "waits cost 600 µs",
        "等待的代价 600 µs");
    row(
        "CPU works", [](auto& f) { f.cpu_free = f.work_beside = 5 * ms; },
        "CPU goes on meanwhile: free for 5.00 ms of 10.0 ms GPU time",
        "CPU 同时工作：GPU 忙碌的 10.0 ms 中，CPU 有 5.00 ms 空闲");
}

/// What is good or bad is a sentence of its own, in every language.
void tst_Verdict::reasons()
{
    QFETCH(Change, change);
    QFETCH(QString, english);
    QFETCH(QString, chinese);
    auto facts = busy_facts();
    change(facts);
    const auto verdict = verdict_of(facts);
    QCOMPARE(QString::fromStdString(Messages::english().format(verdict.reason)), english);
    QCOMPARE(QString::fromStdString(Messages::of("zh_CN").format(verdict.reason)), chinese);
}

// Every line of the table holds for a run; then one after the other is taken away.
void tst_Verdict::theFirstLineThatHolds()
{
    auto facts = busy_facts();
    facts.wrong_bytes = facts.read_bytes = 1;
    facts.wall = 30 * ms;
    facts.held_cost = facts.idle_in_launches = facts.idle_in_work = 12 * ms;
    facts.before_first = 10 * ms;
    facts.idle_recorded = facts.idle_inside = facts.idle_unissued = 10 * ms;
    facts.gpus = 2;
    facts.gpu_time = 10 * ms;
    facts.copy = facts.copy_hidden = 4 * ms;
    facts.kernels_and_copies = true;
    facts.cpu_free = facts.work_beside = 10 * ms;
    const std::vector<std::pair<Verdict::Kind, Change>> order {
        {Verdict::Kind::stale, [](auto& f) { f.wrong_bytes = 0; }},
        {Verdict::Kind::blocked, [](auto& f) { f.held_cost = 0; }},
        {Verdict::Kind::launch_bound, [](auto& f) { f.idle_in_launches = 0; }},
        {Verdict::Kind::starved, [](auto& f) { f.idle_in_work = 0; }},
        {Verdict::Kind::idle, [](auto& f) { f.before_first = 0; }},
        {Verdict::Kind::cpu_late, [](auto& f) { f.idle_unissued = 0; }},
        {Verdict::Kind::turns, [](auto& f) { f.gpus_at_once = 5 * ms; }},
        {Verdict::Kind::uneven, [](auto& f) { f.gpu_time = 30 * ms; }},
        {Verdict::Kind::overlapped, [](auto& f) { f.copy_hidden = 0; }},
        {Verdict::Kind::side_by_side, [](auto& f) { f.gpus = 1, f.wall = 20 * ms; }},
        {Verdict::Kind::cpu_works, [](auto& f) { f.cpu_free = 0; }},
        {Verdict::Kind::serial, [](auto& f) { f.kernels_and_copies = false, f.wall = 12 * ms; }},
        {Verdict::Kind::gpu_bound, [](auto& f) { f.wall = 13 * ms; }},
        {Verdict::Kind::none, [](auto&) {}},
    };
    for (const auto& [kind, take_away] : order) {
        QCOMPARE(name_of(verdict_of(facts).kind), name_of(kind));
        take_away(facts);
    }
}

void tst_Verdict::everyKindHasAName()
{
    QCOMPARE(name_of(Verdict::Kind::stale), std::string_view("stale"));
    QCOMPARE(name_of(Verdict::Kind::idle), std::string_view("idle"));
    QCOMPARE(name_of(Verdict::Kind::none), std::string_view("none"));
    QCOMPARE(static_cast<std::size_t>(Verdict::Kind::none) + 1, verdict_kind_count);
}

// The longest figures there are: "> 99 %", "< 1 %", "12.3 ms".
void tst_Verdict::fitsIntoTheTitle()
{
    const std::vector<Change> runs {
        [](auto&) {},
        [](auto& f) { f.wall = 12345 * us, f.gpu_busy = f.gpu_time = 12344 * us; },  // > 99 %
        [](auto& f) { f.wall = 23456 * us, f.held_cost = 12345 * us; },
        [](auto& f) { f.wall = 23456 * us, f.held_cost = ms, f.gain_without_waits = 12345 * us; },
        [](auto& f) { f.wall = 23456 * us; },
        [](auto& f) { f.wall = 23456 * us, f.idle_in_launches = 12345 * us; },
        [](auto& f) { f.wall = 23456 * us, f.idle_in_work = 12345 * us; },
        [](auto& f) { f.wall = 23456 * us, f.idle_in_work = f.idle_for_others = 12345 * us; },
        [](auto& f) { f.wall = 23456 * us, f.idle_in_work = f.idle_in_allocations = 12345 * us; },
        [](auto& f) {
            f.wall = 45678 * us, f.before_first = f.first_after = 12345 * us;
            f.idle_in_work = f.idle_in_allocations = 16543 * us;
        },
        [](auto& f) { f.wall = 23456 * us, f.idle_unissued = f.idle_recorded = 12345 * us; },
        [](auto& f) { f.wall = 23456 * us, f.idle_unissued = f.idle_in_ranges = 12345 * us; },
        [](auto& f) { f.wall = 23456 * us, f.idle_unissued = f.idle_in_ranges = 12345 * us, f.has_frames = true; },
    };
    const std::vector<Change> gpus {
        [](auto&) {},
        [](auto& f) { f.gpus = 4, f.gpu_time = 4 * f.gpu_busy, f.gpus_at_once = f.gpu_busy - 1; },
        [](auto& f) { f.gpus = 16, f.gpu_time = 16 * f.gpu_busy, f.gpus_at_once = f.gpu_busy - 1; },
        [](auto& f) { f.gpus = 16, f.gpu_time = f.gpu_busy, f.gpus_at_once = 1; },  // they take turns
        [](auto& f) { f.gpus = 2, f.gpu_time = f.gpu_busy, f.gpus_at_once = 1, f.gpus_wait_for_each_other = true; },
        [](auto& f) { f.gpus = 16, f.gpu_time = f.gpu_busy = ms; },
        [](auto& f) { f.gpus = 16, f.gpu_time = 7 * f.gpu_busy, f.gpus_at_once = f.gpu_busy / 9; },
    };
    const std::vector<Change> copies {
        [](auto&) {},
        [](auto& f) { f.copy = f.gpu_time / 10, f.copy_hidden = 1, f.kernels_and_copies = true; },
        [](auto& f) { f.copy = f.gpu_time / 10, f.copy_hidden = f.copy - 1, f.kernels_and_copies = true; },
        [](auto& f) { f.copy = f.gpu_time, f.kernel = f.copy_hidden = 1; },
    };
    const std::vector<Change> others {
        [](auto&) {},
        [](auto& f) { f.two_streams = true, f.streams_overlap = 1; },
        [](auto& f) { f.two_streams = true, f.streams_overlap = f.gpu_time - 1; },
        [](auto& f) { f.copies_both_ways = true; },
        [](auto& f) { f.copies_both_ways = true, f.directions_overlap = f.gpu_time - 1; },
        [](auto& f) { f.cpu_free = f.work_beside = f.gpu_busy; },
        [](auto& f) { f.communicating_gpu = f.gpu_busy, f.communication = ms, f.communication_exposed = ms - 1; },
        [](auto& f) { f.communicating_gpu = f.gpu_busy, f.communication = ms, f.communication_exposed = 1; },
    };
    const auto longer = [](const VerdictFacts& facts) {
        const auto text = (facts.of_program ? "loop: " : "") + QString::fromStdString(verdict_of(facts).message);
        return text.size() > 80 ? text : QString();
    };
    for (const auto& run : runs) {
        for (const auto& gpu : gpus) {
            for (const auto& copying : copies) {
                for (const auto& other : others) {
                    for (const Ns held : {Ns {0}, 123 * us, 1234 * us}) {
                        auto facts = busy_facts();
                        run(facts), gpu(facts), copying(facts), other(facts);
                        facts.held_cost = std::max(*facts.held_cost, held);
                        for (const bool of_program : {true, false}) {
                            facts.of_program = of_program;
                            QCOMPARE(longer(facts), QString());
                        }
                    }
                }
            }
        }
    }
}

void tst_Verdict::facts()
{
    const auto verdict = [](Tape& tape) {
        const auto trace = tape.finish();
        const auto of = make_report(trace, find_blocking(trace)).verdict;
        return QByteArray::fromStdString(std::string(name_of(of.kind)) + " | " + std::string(of.message));
    };
    {
        Tape tape;  // launches that take longer than their kernels
        for (Ns at = 0; at < 100 * us; at += 10 * us) {
            tape.kernel(tape.call("cudaLaunchKernel", at, at + 9 * us), 7, at + 9 * us, at + 12 * us);
        }
        QCOMPARE(
            verdict(tape), QByteArray("launch_bound | GPU 29 % busy: the CPU launches for 63.0 µs of 72.0 µs idle"));
    }
    {
        Tape tape;  // one call that loads code does not make the CPU too slow for its launches
        tape.kernel(tape.call("cudaLaunchKernel", 0, 10 * us), 7, 10 * us, 1000 * us);
        tape.kernel(tape.call("cudaLaunchKernel", 1000 * us, 7000 * us), 7, 7000 * us, 8000 * us);
        QCOMPARE(verdict(tape), QByteArray("starved | GPU 25 % busy: the CPU works for 5.00 ms of 6.01 ms idle"));
    }
    for (const auto source : {Source::kineto, Source::cupti, Source::nsys}) {
        Tape tape;  // nested operators between kernels
        for (Ns at = 0; at < 100 * us; at += 20 * us) {
            tape.range("aten::add", at, at + 18 * us, 1, "cpu_op");
            tape.range("aten::empty", at + us, at + 5 * us, 1, "cpu_op");
            tape.kernel(tape.call("cudaLaunchKernel", at + 17 * us, at + 18 * us), 7, at + 18 * us, at + 22 * us);
        }
        const auto trace = tape.finish(source);
        const auto report = make_report(trace, find_blocking(trace));
        if (source == Source::nsys) {  // ranges of others are only names
            QCOMPARE(report.verdict.kind, Verdict::Kind::cpu_late);
            QCOMPARE(report.findings.front().rule, std::string("cpu-late"));
            continue;
        }
        QCOMPARE(QByteArray::fromStdString(report.verdict.message),
            QByteArray("GPU 20 % busy: the CPU works for 60.0 µs of 82.0 µs idle"));
        QCOMPARE(report.findings.size(), 1U);
        const auto& advice = report.findings[0].advice;  // and why no change is named
        QCOMPARE(advice.parts.at(0).message.id, std::string("finding.starved.advice_operators"));
    }
    {
        Tape tape;  // the same gaps, but all kernels were launched before: the gaps are the GPU's
        for (Ns i = 0; i < 10; ++i) {
            const auto call = tape.call("cudaLaunchKernel", 9 * i * us, 9 * (i + 1) * us);
            tape.kernel(call, 7, (120 + 9 * i) * us, (123 + 9 * i) * us);
        }
        tape.call("cudaLaunchKernel", 120 * us, 204 * us);
        const auto text = verdict(tape);
        QVERIFY2(text.startsWith("idle"), text.constData());
    }
    {
        Tape tape;  // work between kernels, on two threads at once, and an allocation
        tape.kernel(tape.call("cudaLaunchKernel", 0, us), 7, us, 10 * us);
        tape.host_span(HostSpanRecord::work, 5 * us, 30 * us);
        tape.host_span(HostSpanRecord::work, 20 * us, 40 * us, 2);
        tape.call("cudaMalloc", 45 * us, 50 * us);
        tape.call("cudaEventCreate", 50 * us, 55 * us);
        tape.kernel(tape.call("cudaLaunchKernel", 60 * us, 61 * us), 7, 61 * us, 70 * us);
        QCOMPARE(verdict(tape), QByteArray("starved | GPU 26 % busy: the CPU works for 35.0 µs of 52.0 µs idle"));
    }
    {
        Tape tape;  // another thread works, the first one waits for it
        tape.thread(1, "main", 0);
        tape.thread(2, "worker", 1);
        for (Ns at = 0; at < 100 * us; at += 20 * us) {
            tape.host_span(HostSpanRecord::work, at, at + 18 * us, 2);
            tape.host_span(HostSpanRecord::queue_get, at, at + 18 * us);
            tape.kernel(tape.call("cudaLaunchKernel", at + 18 * us, at + 19 * us), 7, at + 19 * us, at + 25 * us);
        }
        QCOMPARE(
            verdict(tape), QByteArray("starved | GPU 29 % busy: the first thread waits for 52.0 µs of 75.0 µs idle"));
    }
    {
        Tape tape;  // a launch beside another thread's allocation waits for the driver
        tape.kernel(tape.call("cudaLaunchKernel", 0, us), 7, us, 2 * us);
        tape.call("cudaMallocHost", 2 * us, 62 * us, 2);
        tape.kernel(tape.call("cudaLaunchKernel", 3 * us, 63 * us), 7, 64 * us, 100 * us);
        QCOMPARE(
            verdict(tape), QByteArray("starved | GPU 37 % busy: the CPU mostly allocates for 60.0 µs of 63.0 µs idle"));
    }
    const auto held_before = [&](CopyKind kind, std::uint64_t bytes) {
        Tape tape;
        tape.kernel(tape.call("cudaLaunchKernel", 0, us), 7, us, 200 * us);
        tape.sync(tape.call("cudaDeviceSynchronize", 2 * us, 201 * us), SyncRecord::context_sync, 2 * us, 201 * us);
        tape.copy(tape.call("cudaMemcpyAsync", 202 * us, 203 * us), 7, 204 * us, 224 * us, kind, MemoryKind::pinned,
            true, 0, bytes);
        return verdict(tape);
    };
    QCOMPARE(held_before(CopyKind::d2h, 64 << 10), QByteArray("gpu_bound | GPU 98 % busy"));  // for the result
    QCOMPARE(held_before(CopyKind::d2h, (64 << 10) + 1),
        QByteArray("serial | GPU 98 % busy, one thing at a time: copies hidden 0 %"));
    QCOMPARE(
        held_before(CopyKind::h2d, 4), QByteArray("serial | GPU 98 % busy, one thing at a time: copies hidden 0 %"));
    {
        Tape tape;  // the same, and the CPU goes on while the GPU works, not in calls
        tape.copy(
            tape.call("cudaMemcpyAsync", 0, 2 * us), 14, 5 * us, 100 * us, CopyKind::h2d, MemoryKind::pinned, true);
        tape.host_span(HostSpanRecord::work, 2 * us, 60 * us);
        tape.call("cudaEventCreate", 60 * us, 100 * us);
        QCOMPARE(verdict(tape),
            QByteArray("cpu_works | GPU 95 % busy, CPU goes on meanwhile"));  // no room for how long
    }
    {
        Tape tape;  // time in calls is not free: a thread that launches into a stream full of work is launching
        tape.copy(
            tape.call("cudaMemcpyAsync", 0, 2 * us), 14, 5 * us, 100 * us, CopyKind::h2d, MemoryKind::pinned, true);
        tape.call("cudaEventCreate", 5 * us, 100 * us);
        QCOMPARE(verdict(tape), QByteArray("copy_bound | GPU 95 % busy: copies take 100 %, hidden 0 %"));
    }
}

void tst_Verdict::hostReadsBehindTheEndStarveNothing()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, us), 7, us, 100 * us);
    tape.host_span(HostSpanRecord::work, 100 * us, 300 * us);
    const auto trace = tape.finish();
    QCOMPARE(name_of(make_report(trace, find_blocking(trace)).verdict.kind), std::string_view("gpu_bound"));
}

void tst_Verdict::gpusAtOnce_data()
{
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("step");
    QTest::addColumn<QByteArray>("text");
    // Each GPU is busy for 100 µs, one `step` µs after the other.
    QTest::newRow("two, one behind the other")
        << 2 << 100 << QByteArray("2 GPUs take turns: two or more at once in 0 % of GPU time");
    QTest::newRow("two, half") << 2 << 50
                               << QByteArray("2 GPUs 20 % busy: two or more work in 10 %, one in 20 %, none in 70 %");
    QTest::newRow("three") << 3 << 50
                           << QByteArray("3 GPUs 20 % busy: two or more work in 20 %, one in 20 %, none in 60 %");
    QTest::newRow("three, all at once") << 3 << 0
                                        << QByteArray(
                                               "3 GPUs 20 % busy: two or more work in 20 %, one in 0 %, none in 80 %");
}

void tst_Verdict::gpusAtOnce()
{
    QFETCH(int, gpus);
    QFETCH(int, step);
    QFETCH(QByteArray, text);
    Tape tape;
    for (int gpu = 0; gpu < gpus; ++gpu) {
        const Ns at = gpu * step * us + us;
        tape.kernel(tape.call("cudaLaunchKernel", gpu, gpu + 1), 13 + static_cast<std::uint32_t>(gpu), at,
            at + 100 * us, static_cast<std::uint32_t>(gpu));
    }
    const auto sync = tape.call("cudaDeviceSynchronize", us, 500 * us);
    tape.sync(sync, SyncRecord::context_sync, us, 500 * us);
    const auto trace = tape.finish();
    QCOMPARE(QByteArray::fromStdString(make_report(trace, find_blocking(trace)).verdict.message), text);
}

// A result goes from GPU to GPU, and back.
void tst_Verdict::oneWaitsForTheOther()
{
    for (const bool waits : {true, false}) {
        Tape tape;
        for (std::uint32_t turn = 0; turn < 4; ++turn) {
            const Ns at = turn * 10 * us;
            const auto gpu = turn % 2;
            if (waits && turn > 0) {
                const auto wait = tape.call("cudaStreamWaitEvent", at, at + us);
                tape.sync(wait, SyncRecord::stream_wait_event, at, at + us, 13 + gpu, turn, turn);
            }
            tape.kernel(tape.call("cudaLaunchKernel", at + us, at + 2 * us), 13 + gpu, at + 2 * us, at + 11 * us, gpu);
            tape.event(tape.call("cudaEventRecord", at + 3 * us, at + 4 * us), 13 + gpu, turn + 1, turn + 1);
        }
        const auto trace = tape.finish();
        const auto text = std::string(make_report(trace, find_blocking(trace)).verdict.message);
        QVERIFY2(text.starts_with(waits ? "2 GPUs take turns, one waits" : "2 GPUs take turns: two"), text.c_str());
    }
}

// One process makes its context while another works: that is no allocation for which a GPU starves.
void tst_Verdict::startUpIsOfEachProcess()
{
    for (const bool of_another : {true, false}) {
        Tape tape;
        auto& builder = tape.builder();
        const std::uint32_t process = of_another ? 200 : Tape::process;
        if (of_another) {
            builder.write(ContextRecord {.process = process, .device = 1, .context = 2, .null_stream = 7});
        }
        const auto call = [&](std::string_view name, Ns start, Ns end, std::uint32_t correlation) {
            builder.write(ApiCallRecord {.start = Tape::origin + start,
                .end = Tape::origin + end,
                .process = process,
                .thread = 2,
                .correlation = correlation,
                .name = builder.intern(name),
                .api = ApiCallRecord::runtime,
                .result = 0});
        };
        tape.kernel(tape.call("cudaLaunchKernel", 0, 5 * us), 7, 5 * us, 1000 * us);
        if (of_another) {
            call("cudaMalloc", 100 * us, 90 * ms, 1001);
            call("cudaLaunchKernel", 90 * ms, 90 * ms + 5 * us, 1002);
            KernelRecord kernel {};
            kernel.start = Tape::origin + 90 * ms + 5 * us;
            kernel.end = kernel.start + 100 * us;
            kernel.process = process;
            kernel.device = 1;
            kernel.context = 2;
            kernel.stream = 7;
            kernel.correlation = 1002;
            kernel.channel = no_id;
            kernel.name = builder.intern("work(int)");
            builder.write(kernel);
        } else {  // of the same process and GPU, and not the first kernel of its name
            tape.call("cudaMalloc", 100 * us, 90 * ms);
            tape.kernel(
                tape.call("cudaLaunchKernel", 90 * ms, 90 * ms + 5 * us), 7, 90 * ms + 5 * us, 90 * ms + 105 * us);
        }
        const auto trace = tape.finish();
        const auto report = make_report(trace, find_blocking(trace));
        const auto text = std::string(report.verdict.message);
        QVERIFY2((text.find(": one idle stretch takes 89.0 ms of ") != std::string::npos) == of_another, text.c_str());
        QVERIFY2((text.find("mostly allocates") != std::string::npos) != of_another, text.c_str());
        QCOMPARE(report.findings.empty(), of_another);
    }
}

// What comes before the iterations of a loop is its start-up; what comes before the layers of a step belongs to the
// step.
void tst_Verdict::layersOfOneStepAreNoIterations()
{
    for (const bool in_a_step : {false, true}) {
        Tape tape;
        if (in_a_step) {
            tape.range("ProfilerStep#6", 0, 120 * ms, 1, "Operator");
        }
        tape.range("aten::mul", us, 80 * ms, 1, "cpu_op");
        for (int i = 0; i < 12; ++i) {
            const Ns at = 80 * ms + i * 3 * ms;
            tape.range("layer " + std::to_string(i), at, at + 100 * us);
            tape.kernel(tape.call("cudaLaunchKernel", at + us, at + 5 * us), 13, at + 10 * us, at + 2990 * us);
        }
        const auto trace = tape.finish(Source::kineto);
        const auto report = make_report(trace, find_blocking(trace));
        QVERIFY(report.steady);
        QCOMPARE(report.steady->count, std::size_t {12});
        QCOMPARE(report.parts == nullptr, in_a_step);
        QCOMPARE(report.verdict.message.id == "verdict.of_part", !in_a_step);
    }
}

// A stage of a program runs a kernel of its own after 5 ms of preprocessing: that is no start-up, as it comes again.
void tst_Verdict::whatIsDoneAgainIsNoStartUp()
{
    for (const bool is_first_each_time : {false, true}) {
        Tape tape;
        Ns at = 0;
        for (int i = 0; i < 13; ++i) {
            const std::string number = std::to_string(i);
            tape.range(is_first_each_time ? "load " + number : "preprocess", at, at + 5 * ms, 1);
            tape.kernel(tape.call("cudaLaunchKernel", at + 5 * ms, at + 5 * ms + 5 * us), 13, at + 5 * ms + 5 * us,
                at + 6 * ms, 0, "stage " + number + "(int)");
            at += 6 * ms + 10 * us;
        }
        const auto trace = tape.finish();
        const auto report = make_report(trace, find_blocking(trace));
        QCOMPARE(report.verdict.kind, is_first_each_time ? Verdict::Kind::idle : Verdict::Kind::cpu_late);
    }
}

// All that the second GPU does lies beside the first one's work.
void tst_Verdict::aGpuBesideABusyOneTakesNoTurns()
{
    for (const bool is_beside : {true, false}) {
        Tape tape;
        for (int i = 0; i < 10; ++i) {
            const Ns at = i * 1000 * us;
            tape.kernel(tape.call("cudaLaunchKernel", at, at + us), 13, at + 2 * us, at + 900 * us, 0);
            const Ns second = is_beside ? at + 100 * us : at + 905 * us;
            tape.kernel(tape.call("cudaLaunchKernel", at + us, at + 2 * us), 14, second, second + 50 * us, 1);
        }
        const auto trace = tape.finish();
        const auto report = make_report(trace, find_blocking(trace));
        QCOMPARE(report.verdict.kind == Verdict::Kind::turns, !is_beside);
    }
}

// A GPU that is busy for little, but runs a tenth of the operations of another, works with it.
void tst_Verdict::fewOperationsAreWork()
{
    for (const int few : {1, 2}) {
        Tape tape;
        for (int i = 0; i < 20; ++i) {
            const Ns at = i * 100 * us;
            tape.kernel(tape.call("cudaLaunchKernel", at, at + us), 13, at + 2 * us, at + 99 * us, 0);
            if (i < few) {
                tape.kernel(tape.call("cudaLaunchKernel", at + us, at + 2 * us), 14, at + 3 * us, at + 4 * us, 1);
            }
        }
        const auto trace = tape.finish();
        const auto text = std::string(make_report(trace, find_blocking(trace)).verdict.message);
        QVERIFY2(text.starts_with(few < 2 ? "GPU 97 % busy" : "2 GPUs "), text.c_str());
    }
}

// What a thread could have begun earlier on one stream gains nothing while another is busy to the end; but copies of
// pageable memory on that one may get shorter.
void tst_Verdict::waitsFillNoBusyTime()
{
    const auto cost = [](Tape& tape) {
        const auto trace = tape.finish();
        const auto report = make_report(trace, find_blocking(trace));
        return *std::max_element(report.threads.begin(), report.threads.end(), [](const auto& a, const auto& b) {
            return a.held_cost < b.held_cost;
        })->held_cost;
    };
    for (const bool beside_a_busy_stream : {true, false}) {
        Tape tape;
        if (beside_a_busy_stream) {
            tape.kernel(tape.call("cudaLaunchKernel", 0, us, 2), 13, 2 * us, 1000 * us);
        }
        for (Ns at = 0; at < 900 * us; at += 150 * us) {
            tape.kernel(tape.call("cudaLaunchKernel", at + us, at + 2 * us), 14, at + 3 * us, at + 103 * us);
            const auto sync = tape.call("cudaStreamSynchronize", at + 3 * us, at + 104 * us);
            tape.sync(sync, SyncRecord::stream_sync, at + 3 * us, at + 104 * us, 14);
        }
        const Ns costs = cost(tape);
        QVERIFY2(beside_a_busy_stream ? costs <= 2 * us : costs > 200 * us, qPrintable(QString::number(costs)));
    }
    Tape tape;
    tape.copy(tape.call("cudaMemcpy", 0, 1000 * us), 7, 2 * us, 1000 * us, CopyKind::h2d, MemoryKind::pageable, false,
        0, 16 << 20);
    tape.kernel(tape.call("cudaLaunchKernel", 1001 * us, 1002 * us), 7, 1003 * us, 1100 * us);
    const Ns costs = cost(tape);
    QVERIFY2(costs > 500 * us, qPrintable(QString::number(costs)));
}

// An operator whose call waits is no work, whatever the call waits for.
void tst_Verdict::anOperatorThatWaitsDoesNotWork()
{
    Tape tape;
    for (const Ns at : {Ns {0}, 500 * us}) {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + us), 7, at + us, at + 101 * us);
        tape.copy(tape.call("cudaMemcpyAsync", at + 2 * us, at + 140 * us), 7, at + 120 * us, at + 130 * us,
            CopyKind::d2h, MemoryKind::pageable, true);
    }
    tape.range("aten::item", 1000 * us, 9010 * us, 1, "cpu_op");
    tape.copy(tape.call("cudaMemcpyAsync", 1002 * us, 9005 * us), 7, 8990 * us, 9000 * us, CopyKind::d2h,
        MemoryKind::pageable, true);
    const auto trace = tape.finish(Source::kineto);
    const auto report = make_report(trace, find_blocking(trace));
    QCOMPARE(QByteArray::fromStdString(report.verdict.message),
        QByteArray("GPU 3 % busy: the CPU waits in calls for 8.05 ms of 8.78 ms idle"));
    QVERIFY(std::none_of(report.findings.begin(), report.findings.end(),
        [](const auto& finding) { return finding.rule == "starved" || finding.rule == "first-operators"; }));
}

// Only operations: nothing is known of the CPU, so neither "blocked" nor "goes on meanwhile" can be said.
void tst_Verdict::whatIsUnknownIsSkipped()
{
    Tape tape;
    tape.kernel(0, 13, us, 100 * us);
    const auto trace = tape.finish();
    const auto verdict = make_report(trace, find_blocking(trace)).verdict;
    QCOMPARE(std::string(verdict.message), std::string("GPU 99 % busy"));
}

void tst_Verdict::rangesSayWhatTheCpuDoes_data()
{
    QTest::addColumn<Ns>("length");  // of the range between two launches, 1 ms apart
    QTest::addColumn<QString>("domain");  // of that range
    QTest::addColumn<QString>("around");  // the name of one range around all of it
    QTest::addColumn<bool>("operators");  // each launch is in one
    QTest::addColumn<QByteArray>("verdict");
    QTest::addColumn<QByteArray>("more");
    const auto row = [](const char* name, Ns length, const char* domain, const char* around, bool operators,
                         const char* verdict, const char* more) {
        QTest::newRow(name) << length << domain << around << operators << QByteArray(verdict) << QByteArray(more);
    };
    constexpr auto unknown = "GPU 5 % busy: CPU late; what it does meanwhile is not recorded";
    constexpr auto ranges = "GPU 5 % busy: CPU late; named ranges fill 17.1 ms of 18.1 ms idle";
    constexpr auto more_unknown = "Between calls the idle time is 18.0 ms; what the CPU does there is not recorded "
                                  "(`--stacks`, `--pytorch` or NVTX ranges show it)";
    row("no range", 0, "", "", false, unknown, more_unknown);
    row("a range around the run", 0, "", "main", false, unknown, more_unknown);
    row("a range between two launches", 900 * us, "", "", false, ranges,
        "Between calls the idle time is 18.0 ms, 17.1 ms of it in named ranges, 17.1 ms in prepare (`--stacks`, "
        "`--pytorch` or more ranges show more)");
    row("operators and no range", 0, "", "", true, unknown,
        "Between operators and calls the idle time is 18.0 ms; what the CPU does there is not recorded");
    row("operators and a range", 900 * us, "user_annotation", "", true, ranges,
        "Between operators and calls the idle time is 18.0 ms, 17.1 ms of it in named ranges, 17.1 ms in prepare");
    row("operators and a function", 900 * us, "python_function", "", true,
        "GPU 5 % busy: CPU late; Python functions fill 17.1 ms of 18.1 ms idle",
        "Between operators and calls the idle time is 18.0 ms, 17.1 ms of it in Python functions or named ranges, "
        "17.1 ms in prepare");
    row("operators and steps of the profiler", 0, "", "ProfilerStep#", true, unknown,
        "Between operators and calls the idle time is 18.0 ms; what the CPU does there is not recorded");
}

void tst_Verdict::rangesSayWhatTheCpuDoes()
{
    QFETCH(Ns, length);
    QFETCH(QString, domain);
    QFETCH(QString, around);
    QFETCH(bool, operators);
    QFETCH(QByteArray, verdict);
    QFETCH(QByteArray, more);
    Tape tape;
    if (around == "main") {
        tape.range("main", 0, 20 * ms);
    }
    for (Ns at = 0; at < 20 * ms; at += ms) {
        if (around == "ProfilerStep#") {
            tape.range((around + QString::number(at / ms)).toStdString(), at, at + ms, 1, "user_annotation");
        }
        if (operators) {
            tape.range("aten::add", at, at + 4 * us, 1, "cpu_op");
        }
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 4 * us), 7, at + 5 * us, at + 55 * us);
        if (length > 0) {
            tape.range(domain == "python_function" ? "train.py(7): prepare" : "prepare", at + 60 * us,
                at + 60 * us + length, 1, domain.toStdString());
        }
    }
    const auto trace = tape.finish(operators ? Source::kineto : Source::nsys);
    const auto of = make_report(trace, find_blocking(trace)).verdict;
    QCOMPARE(QByteArray::fromStdString(of.message), verdict);
    QCOMPARE(of.more.size(), 1U);
    QCOMPARE(QByteArray::fromStdString(of.more[0]), more);
}

// A file whose kernels all have the length 0 has work, but nothing says when a GPU was busy.
void tst_Verdict::operationsWithoutLength()
{
    Tape tape;
    for (Ns at = 0; at < 100 * us; at += 10 * us) {
        tape.kernel(tape.call("cudaLaunchKernel", at, at + 4 * us), 7, at + 5 * us, at + 5 * us);
    }
    const auto trace = tape.finish();
    const auto report = make_report(trace, find_blocking(trace));
    QCOMPARE(report.verdict.message.id, std::string("verdict.no_gpu_time"));
    const auto refused = refused_by(trace, report);
    QVERIFY(std::any_of(refused.begin(), refused.end(),
        [](const Refused& each) { return each.what == "gpu" && each.code == "no_gpu_time"; }));
    QVERIFY(
        std::none_of(refused.begin(), refused.end(), [](const Refused& each) { return each.code == "not_explained"; }));
}

QTEST_GUILESS_MAIN(tst_Verdict)
#include "tst_verdict.moc"
