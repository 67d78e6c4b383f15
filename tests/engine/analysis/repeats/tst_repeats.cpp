// SPDX-License-Identifier: MIT
// What a recording says about the other runs of its variant.
#include "engine/analysis/recording.h"
#include "engine/analysis/repeats.h"
#include "engine/trace/meta_keys.h"
#include "tests/engine/analysis/tape.h"

#include <QTest>
#include <simdjson.h>

using namespace lanes;

namespace {

Trace trace_with(const QString& recorded, const QString& unrecorded)
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 0, 10), 13, 20, 1000);
    auto trace = tape.finish();
    if (!recorded.isNull()) {
        trace.meta[meta::repeat_totals_ns] = recorded.toStdString();
    }
    if (!unrecorded.isNull()) {
        trace.meta[meta::unrecorded_totals_ns] = unrecorded.toStdString();
    }
    return trace;
}

QString text_of(const Spread& spread)
{
    return QString("%1 %2 %3").arg(spread.least).arg(spread.median).arg(spread.most);
}

}  // namespace

class tst_Repeats : public QObject {
    Q_OBJECT

private slots:
    void readsTheTimes_data();
    void readsTheTimes();
    void saysWhatMatters_data();
    void saysWhatMatters();
    void isInTheReport();
};

void tst_Repeats::readsTheTimes_data()
{
    QTest::addColumn<QString>("recorded");
    QTest::addColumn<QString>("unrecorded");
    QTest::addColumn<int>("runs");
    QTest::addColumn<QString>("wall");
    QTest::addColumn<QString>("beside");
    QTest::newRow("none") << QString() << QString() << 0 << ""
                          << "";
    QTest::newRow("one is no repeat") << "5"
                                      << "5" << 0 << ""
                                      << "";
    QTest::newRow("five") << "30 10 50 20 40"
                          << "9 7 8 6 5" << 5 << "10 30 50"
                          << "5 7 9";
    QTest::newRow("four: the lower one in the middle") << "4 3 2 1" << QString() << 4 << "1 2 4"
                                                       << "";
    QTest::newRow("zero") << "0 0"
                          << "0" << 2 << "0 0 0"
                          << "0 0 0";
    QTest::newRow("words") << "1 two 3" << QString() << 0 << ""
                           << "";
    QTest::newRow("negative") << "1 -2 3" << QString() << 0 << ""
                              << "";
    QTest::newRow("too large") << "1 99999999999999999999" << QString() << 0 << ""
                               << "";
    QTest::newRow("a comma") << "1,2" << QString() << 0 << ""
                             << "";
    QTest::newRow("only the others are unreadable") << "1 2 3"
                                                    << "x" << 3 << "1 2 3"
                                                    << "";
}

void tst_Repeats::readsTheTimes()
{
    QFETCH(QString, recorded);
    QFETCH(QString, unrecorded);
    QFETCH(int, runs);
    QFETCH(QString, wall);
    QFETCH(QString, beside);
    const auto repeats = repeats_of(trace_with(recorded, unrecorded));
    QCOMPARE(repeats ? static_cast<int>(repeats->runs) : 0, runs);
    if (repeats) {
        QCOMPARE(text_of(repeats->wall), wall);
        QCOMPARE(repeats->unrecorded ? text_of(*repeats->unrecorded) : QString(), beside);
    }
}

void tst_Repeats::saysWhatMatters_data()
{
    QTest::addColumn<QString>("recorded");
    QTest::addColumn<QString>("unrecorded");
    QTest::addColumn<QStringList>("ids");
    QTest::newRow("one run") << QString() << QString() << QStringList();
    QTest::newRow("5 %") << "1000000 1025000 1050000"
                         << "1000000" << QStringList();
    QTest::newRow("more") << "1000000 1000000 1051000"
                          << "1000000" << QStringList {"repeat.spread"};
    QTest::newRow("the recorder") << "1200000 1200000 1200000"
                                  << "900000 1000000 1100000" << QStringList {"repeat.recorder"};
    QTest::newRow("both") << "1000000 2000000"
                          << "500000" << QStringList {"repeat.spread", "repeat.recorder"};
    QTest::newRow("faster with it") << "1000000 1000000"
                                    << "1500000" << QStringList();
    QTest::newRow("no time") << "0 0"
                             << "0" << QStringList();
}

void tst_Repeats::saysWhatMatters()
{
    QFETCH(QString, recorded);
    QFETCH(QString, unrecorded);
    QFETCH(QStringList, ids);
    const auto trace = trace_with(recorded, unrecorded);
    QStringList said;
    for (const auto& message : repeat_messages(trace)) {
        said += QString::fromStdString(message.id);
        const auto sentence = Messages::english().format(message);
        QVERIFY2(sentence.find('{') == std::string::npos, sentence.c_str());
        const auto report = to_text(trace, make_report(trace, find_blocking(trace)));
        QVERIFY2(report.find(sentence) != std::string::npos, report.c_str());
    }
    QCOMPARE(said, ids);
}

void tst_Repeats::isInTheReport()
{
    const auto json_of = [](const Trace& trace) { return to_json(trace, make_report(trace, find_blocking(trace))); };
    simdjson::dom::parser parser;
    const auto none = json_of(trace_with({}, {}));
    QVERIFY(parser.parse(none)["repeat"].is_null());
    const auto some = json_of(trace_with("30 10 20", {}));
    const auto repeat = parser.parse(some)["repeat"];
    QCOMPARE(std::uint64_t(repeat["runs"]), std::uint64_t {3});
    QCOMPARE(simdjson::to_string(simdjson::dom::element(repeat["wall_ns"])), std::string("[10,20,30]"));
    QVERIFY(repeat["unrecorded_wall_ns"].is_null());
    const auto all = json_of(trace_with("30 10 20", "1 2 3 4"));
    const auto unrecorded = simdjson::dom::element(parser.parse(all)["repeat"]["unrecorded_wall_ns"]);
    QCOMPARE(simdjson::to_string(unrecorded), std::string("[1,2,4]"));
}

QTEST_GUILESS_MAIN(tst_Repeats)
#include "tst_repeats.moc"
