// SPDX-License-Identifier: MIT
#include "engine/analysis/compare/compare.h"
#include "tests/engine/analysis/tape.h"

#include <algorithm>
#include <QRegularExpression>
#include <QTest>
#include <simdjson.h>

using namespace lanes;

namespace {

constexpr Ns us = 1000;

Trace one_after_the_other()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, us, 100 * us);
    const auto copy = tape.call("cudaMemcpyAsync", 2 * us, 200 * us);
    tape.copy(copy, 13, 100 * us, 200 * us, CopyKind::d2h, MemoryKind::pageable, true);
    return tape.finish();
}

Trace side_by_side()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, us, 100 * us);
    tape.copy(
        tape.call("cudaMemcpyAsync", 2 * us, 3 * us), 14, 20 * us, 80 * us, CopyKind::d2h, MemoryKind::pinned, true);
    return tape.finish();
}

}  // namespace

class tst_Compare : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void json();
    void differences();
    void threadsArePairedByName();
    void unknownFigures();
    void noGpuWork();
    void text();
    void work_data();
    void work();
    void differingBytes_data();
    void differingBytes();
    void kernelsOfAnotherSize_data();
    void kernelsOfAnotherSize();
};

void tst_Compare::json()
{
    const auto trace_a = one_after_the_other();
    const auto trace_b = side_by_side();
    const auto report_a = make_report(trace_a, find_blocking(trace_a));
    const auto report_b = make_report(trace_b, find_blocking(trace_b));
    simdjson::dom::parser parser;
    const simdjson::dom::element root
        = parser.parse(comparison_to_json({trace_a, report_a, "a"}, {trace_b, report_b, "b"}));
    QCOMPARE(std::int64_t(root["a"]["wall_ns"]), 200 * us);
    QCOMPARE(std::int64_t(root["b"]["wall_ns"]), 100 * us);
    QCOMPARE(std::int64_t(root["delta"]["wall_ns"]), -100 * us);
    QCOMPARE(std::int64_t(root["delta"]["overlap_ns"]), 60 * us);
    QCOMPARE(std::int64_t(root["delta"]["copy_hidden_ns"]), 60 * us);
    QCOMPARE(std::int64_t(root["delta"]["copy_exposed_ns"]), -100 * us);
    QCOMPARE(std::int64_t(root["delta"]["gpu"].at(0)["copy_ns"]), -40 * us);
    QCOMPARE(std::int64_t(root["delta"]["cpu"].at(0)["blocked_ns"]), -198 * us);
    QCOMPARE(std::int64_t(root["delta"]["cpu"].at(0)["blocked_by"]["copy"]), -198 * us);
    QCOMPARE(std::int64_t(root["delta"]["counts"]["copies"]), 0);
}

void tst_Compare::differences()
{
    const auto trace_a = one_after_the_other();
    const auto trace_b = side_by_side();
    const auto of
        = differences_of(make_report(trace_a, find_blocking(trace_a)), make_report(trace_b, find_blocking(trace_b)));
    QCOMPARE(of.total.delta(), MaybeNs(-100 * us));
    QCOMPARE(of.total.ratio(), std::optional(0.5));
    QCOMPARE(of.busy.a, MaybeNs(199 * us));
    QCOMPARE(of.busy.b, MaybeNs(99 * us));
    QCOMPARE(of.overlap.delta(), MaybeNs(60 * us));
    QVERIFY(!of.overlap.ratio());  // A has none
    QCOMPARE(of.copy_exposed.delta(), MaybeNs(-100 * us));
    QCOMPARE(of.blocked.delta(), MaybeNs(-198 * us));
    QVERIFY(!(Difference {1, std::nullopt}).delta());
    QVERIFY(!(Difference {std::nullopt, 1}).ratio());
}

void tst_Compare::threadsArePairedByName()
{
    const auto run = [](const std::vector<std::string>& names) {
        Tape tape;
        for (std::uint32_t i = 0; i < names.size(); ++i) {
            tape.thread(i + 1, names[i], i);
            tape.call("cudaMalloc", 10 * us * i, 10 * us * i + us * (i + 1), i + 1);
        }
        return tape.finish();
    };
    const auto trace_a = run({"main", "worker", "worker", "only A", "thread 17 (python)"});
    const auto trace_b = run({"main", "pin_memory", "worker", "worker", "thread 4711 (python)"});
    const auto report_a = make_report(trace_a, find_blocking(trace_a));
    const auto report_b = make_report(trace_b, find_blocking(trace_b));
    std::string pairs;
    for (const auto& pair : thread_pairs({trace_a, report_a, "a"}, {trace_b, report_b, "b"})) {
        pairs += (pair.a ? std::to_string(*pair.a) : "-") + (pair.b ? std::to_string(*pair.b) : "-") + ' ';
    }
    QCOMPARE(pairs, std::string("00 12 23 3- 44 -1 "));
    simdjson::dom::parser parser;
    const simdjson::dom::element root
        = parser.parse(comparison_to_json({trace_a, report_a, "a"}, {trace_b, report_b, "b"}));
    const auto threads = root["delta"]["cpu"].get_array().value();
    QCOMPARE(threads.size(), std::size_t {4});
    QCOMPARE(std::string_view(threads.at(1)["name"]), std::string_view("worker"));
    QCOMPARE(std::int64_t(threads.at(1)["api_ns"]), us);
}

void tst_Compare::unknownFigures()
{
    const auto known = side_by_side();
    Tape tape;  // no API calls
    tape.kernel(0, 13, us, 100 * us);
    tape.range("work", 0, 100 * us);
    const auto unknown = tape.finish(Source::nsys);
    const auto report_a = make_report(known, find_blocking(known));
    const auto report_b = make_report(unknown, find_blocking(unknown));
    simdjson::dom::parser parser;
    const simdjson::dom::element root
        = parser.parse(comparison_to_json({known, report_a, "a"}, {unknown, report_b, "b"}));
    QVERIFY(root["delta"]["cpu_free_ns"].is_null());
    QVERIFY(root["delta"]["cpu"].at(0)["blocked_ns"].is_null());
}

void tst_Compare::noGpuWork()
{
    Tape tape;
    tape.range("work", 0, 100 * us);
    const auto none = tape.finish(Source::chrome);
    const auto some = side_by_side();
    const auto report_a = make_report(none, find_blocking(none));
    const auto report_b = make_report(some, find_blocking(some));
    QVERIFY(!may_be_ranked(report_a, report_a));
    const auto neither = comparison_to_text({none, report_a, "a"}, {none, report_a, "b"});
    QVERIFY2(neither.find("GPU busy") == std::string::npos && neither.find("as fast") == std::string::npos
            && neither.find("GPU work was not recorded") != std::string::npos
            && neither.find("Wall time") != std::string::npos,
        neither.c_str());
    const auto one = QString::fromStdString(comparison_to_text({none, report_a, "a"}, {some, report_b, "b"}));
    QVERIFY2(one.contains(QRegularExpression("GPU busy +– +99.0 µs +–")), qPrintable(one));
    simdjson::dom::parser parser;
    const simdjson::dom::element root = parser.parse(comparison_to_json({none, report_a, "a"}, {some, report_b, "b"}));
    QVERIFY(root["a"]["cpu"].at(0)["api_ns"].is_null());
    QVERIFY(root["delta"]["cpu"].at(0)["api_ns"].is_null());
}

void tst_Compare::text()
{
    const auto a = one_after_the_other();
    const auto b = side_by_side();
    const auto report_a = make_report(a, find_blocking(a));
    const auto report_b = make_report(b, find_blocking(b));
    const auto faster = comparison_to_text({a, report_a, "first"}, {b, report_b, "second"});
    QVERIFY2(faster.find("B is 2 times as fast as A.") != std::string::npos, faster.c_str());
    const auto slower = comparison_to_text({b, report_b, "first"}, {a, report_a, "second"});
    QVERIFY2(slower.find("A is 2 times as fast as B.") != std::string::npos, slower.c_str());
    const auto same = comparison_to_text({a, report_a, "first"}, {a, report_a, "second"});
    QVERIFY2(same.find("Both take the same time.") != std::string::npos, same.c_str());
}

void tst_Compare::work_data()
{
    QTest::addColumn<int>("kernels");  // of B; A has two
    QTest::addColumn<int>("bytes");  // that B copies; A copies 4 KiB
    QTest::addColumn<QByteArray>("workload");  // of B; A's is "one"
    QTest::addColumn<int>("wrong");  // bytes that B read; -1: B was cut short; -2: B fetches a number
    QTest::addColumn<QByteArray>("differs");
    QTest::addColumn<bool>("ranked");
    QTest::newRow("the same") << 2 << 4096 << QByteArray("one") << 0 << QByteArray() << true;
    QTest::newRow("kernels") << 3 << 4096 << QByteArray("one") << 0 << QByteArray("2 → 3 kernels") << false;
    QTest::newRow("bytes") << 2 << 4000 << QByteArray("one") << 0 << QByteArray("4 KiB → 3.9 KiB copied") << false;
    QTest::newRow("numbers") << 2 << 4096 << QByteArray("one") << -2 << QByteArray() << true;
    QTest::newRow("both") << 1 << 0 << QByteArray("one") << 0 << QByteArray("2 → 1 kernel, 4 KiB → 0 B copied")
                          << false;
    QTest::newRow("workload") << 2 << 4096 << QByteArray("two") << 0 << QByteArray("one → two") << false;
    QTest::newRow("a program") << 2 << 4096 << QByteArray() << 0 << QByteArray("one → –") << false;
    QTest::newRow("wrong bytes") << 2 << 4096 << QByteArray("one") << 1 << QByteArray() << false;
    QTest::newRow("cut short") << 2 << 4096 << QByteArray("one") << -1 << QByteArray() << false;
}

void tst_Compare::work()
{
    QFETCH(int, kernels);
    QFETCH(int, bytes);
    QFETCH(QByteArray, workload);
    QFETCH(int, wrong);
    QFETCH(QByteArray, differs);
    QFETCH(bool, ranked);
    const auto made = [](int n, int copied, const std::string& name, int bad, Ns length) {
        Tape tape;
        for (int i = 0; i < n; ++i) {
            tape.kernel(tape.call("cudaLaunchKernel", i * us, (i + 1) * us), 13, (i + 1) * us, (i + 2) * us);
        }
        tape.copy(tape.call("cudaMemcpyAsync", 9 * us, 10 * us), 13, 10 * us, length, CopyKind::d2h, MemoryKind::pinned,
            true, 0, static_cast<std::uint64_t>(copied));
        if (bad == -2) {
            tape.copy(tape.call("cudaMemcpyAsync", 10 * us, 11 * us), 13, length - us, length, CopyKind::d2h,
                MemoryKind::pinned, true, 0, 8);
        }
        tape.read("y", length, length + us, 64, static_cast<std::uint64_t>(std::max(0, bad)));
        auto trace = tape.finish();
        if (bad == -1) {
            trace.meta["complete"] = "no";
        }
        if (!name.empty()) {
            trace.meta["workload"] = name;
        }
        return trace;
    };
    const auto a = made(2, 4096, "one", 0, 100 * us);
    const auto b = made(kernels, bytes, workload.toStdString(), wrong, 50 * us);
    const auto report_a = make_report(a, find_blocking(a));
    const auto report_b = make_report(b, find_blocking(b));
    QStringList found;
    for (const auto& difference : work_differences(report_a, report_b)) {
        found += QString::fromStdString(difference);
    }
    QCOMPARE(found.join(", ").toUtf8(), differs);
    QCOMPARE(may_be_ranked(report_a, report_b), ranked);
    QCOMPARE(may_be_ranked(report_b, report_a), ranked);
    const auto text = comparison_to_text({a, report_a, "first"}, {b, report_b, "second"});
    QCOMPARE(text.find("times as fast") != std::string::npos, ranked);
    QCOMPARE(text.find("Not the same work") != std::string::npos, !differs.isEmpty());
    simdjson::dom::parser parser;
    const simdjson::dom::element root
        = parser.parse(comparison_to_json({a, report_a, "first"}, {b, report_b, "second"}));
    QCOMPARE(bool(root["same_work"]), differs.isEmpty());
}

void tst_Compare::differingBytes_data()
{
    QTest::addColumn<qulonglong>("from");
    QTest::addColumn<qulonglong>("to");
    QTest::addColumn<QString>("said");
    QTest::addColumn<bool>("slight");
    QTest::newRow("more") << 1'269'556'928ULL << 1'269'556'992ULL << "1.2 GiB → 1.2 GiB + 64 B copied" << true;
    QTest::newRow("less") << 1'269'556'992ULL << 1'269'556'928ULL << "1.2 GiB → 1.2 GiB − 64 B copied" << true;
    QTest::newRow("more than rounding") << (64ULL << 20) << (65ULL << 20) << "64 MiB → 65 MiB copied" << false;
    QTest::newRow("few, in all digits") << 1000ULL << 1001ULL << "1000 B → 1001 B copied" << true;
    QTest::newRow("1 %") << 1000ULL << 990ULL << "1000 B → 990 B copied" << true;
    QTest::newRow("more than 1 %") << 1000ULL << 989ULL << "1000 B → 989 B copied" << false;
}

void tst_Compare::differingBytes()
{
    QFETCH(qulonglong, from);
    QFETCH(qulonglong, to);
    QFETCH(QString, said);
    QFETCH(bool, slight);
    Report a, b;
    a.copied_bytes = from;
    b.copied_bytes = to;
    const auto differing = slight ? slight_work_differences(a, b) : work_differences(a, b);
    QCOMPARE(work_differences(a, b).empty(), slight);
    QCOMPARE(differing.size(), std::size_t {1});
    QCOMPARE(QString::fromStdString(differing.front()), said);
}

void tst_Compare::kernelsOfAnotherSize_data()
{
    QTest::addColumn<QByteArray>("variant");
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<QByteArray>("differs");
    QTest::newRow("the same") << QByteArray("short") << QByteArray() << QByteArray();
    QTest::newRow("longer") << QByteArray("long") << QByteArray() << QByteArray("layer 10.0 µs → 40.0 µs");
    QTest::newRow("longer on the command line")
        << QByteArray("short") << QByteArray("time=20 us") << QByteArray("layer 10.0 µs → 20.0 µs");
    QTest::newRow("set to what it is") << QByteArray("short") << QByteArray("time=10 us\n") << QByteArray();
    QTest::newRow("more blocks") << QByteArray("short") << QByteArray("blocks=16") << QByteArray();
    QTest::newRow("a variant that is not there") << QByteArray("gone") << QByteArray() << QByteArray();
}

// As long as the recorded kernels were, if they were the same.
void tst_Compare::kernelsOfAnotherSize()
{
    QFETCH(QByteArray, variant);
    QFETCH(QByteArray, settings);
    QFETCH(QByteArray, differs);
    const auto made = [](const std::string& name, const std::string& set) {
        Tape tape;
        tape.kernel(tape.call("cudaLaunchKernel", 0, us), 13, us, 50 * us);
        auto trace = tape.finish();
        trace.meta["workload"] = "one";
        trace.meta["variant"] = name;
        trace.meta["settings"] = set;
        trace.meta["workload_text"] = R"(title: One
parameters:
  time: {default: 10 us}
  blocks: {default: 8}
variants:
  short: {}
  long: {time: 40 us}
streams: {s: {gpu: 0}}
threads:
  main:
    - kernel: {name: layer, stream: s, time: $time, blocks: $blocks}
    - kernel: {name: tail, stream: s, time: 5 us, blocks: 8}
    - sync: device
)";
        return trace;
    };
    const auto a = made("short", "");
    const auto b = made(variant.toStdString(), settings.toStdString());
    QCOMPARE(make_report(a, find_blocking(a)).kernel_sizes.size(), std::size_t {2});
    QByteArrayList found;
    for (const auto& difference :
        work_differences(make_report(a, find_blocking(a)), make_report(b, find_blocking(b)))) {
        found += QByteArray::fromStdString(difference);
    }
    QCOMPARE(found.join(", "), differs);
}

QTEST_GUILESS_MAIN(tst_Compare)
#include "tst_compare.moc"
