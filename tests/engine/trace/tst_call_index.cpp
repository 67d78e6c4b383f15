// SPDX-License-Identifier: MIT
// Look-ups of calls by correlation id, against a plain search.
#include "engine/trace/call_index.h"

#include <QTest>

#include <map>
#include <random>

using namespace lanes;

class tst_CallIndex : public QObject {
    Q_OBJECT

private slots:
    void findsTheFirst_data();
    void findsTheFirst();
    void ofNothing();
};

void tst_CallIndex::findsTheFirst_data()
{
    QTest::addColumn<quint32>("first");
    QTest::addColumn<quint32>("ids");
    QTest::addColumn<bool>("ends");
    QTest::newRow("one behind the other") << 1U << 300U << false;
    QTest::newRow("from elsewhere on") << 4'000'000'000U << 300U << false;
    QTest::newRow("most of them several times") << 7U << 20U << false;
    QTest::newRow("far apart") << 1U << 4'000'000'000U << false;
    QTest::newRow("up to both ends") << 1U << 300U << true;
}

void tst_CallIndex::findsTheFirst()
{
    QFETCH(quint32, first);
    QFETCH(quint32, ids);
    QFETCH(bool, ends);
    std::mt19937 random(ids + first);
    std::vector<ApiCallRecord> calls;
    for (int i = 0; i < 200; ++i) {
        ApiCallRecord call {};
        call.process = 10 + random() % 3;
        call.correlation = random() % 10 == 0 ? 0 : first + random() % ids;
        call.result = static_cast<std::int32_t>(random() % 2);
        calls.push_back(call);
    }
    if (ends) {
        calls[3].correlation = 0xFFFFFFFFU;
        calls[5].correlation = 1;
    }
    const auto kept = [](const ApiCallRecord& call) { return call.result == 0; };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Row> known;
    std::vector<Row> others;  // row 0 becomes 1000, row 1 1001, ...
    for (const auto& call : calls) {
        const auto row = kept(call) ? static_cast<Row>(others.size()) : no_row;
        if (kept(call)) {
            others.push_back(1000 + row);
        }
        if (call.correlation != 0) {
            known.try_emplace({call.process, call.correlation}, row);
        }
    }
    CallIndex index;
    index.fill(calls, kept);
    for (const bool replaced : {false, true}) {
        if (replaced) {
            index.replace(others);
        }
        for (const auto& call : calls) {
            for (const auto near : {call.correlation - 1, call.correlation, call.correlation + 1}) {
                for (std::uint32_t process = 9; near != 0 && process < 14; ++process) {
                    const auto found = known.find({process, near});
                    const auto row = found == known.end() ? CallIndex::absent : found->second;
                    QCOMPARE(index.at(process, near), replaced && row < others.size() ? others[row] : row);
                }
            }
        }
    }
}

void tst_CallIndex::ofNothing()
{
    CallIndex index;
    index.fill({ApiCallRecord {}}, [](const ApiCallRecord&) { return true; });
    QCOMPARE(index.at(0, 1), CallIndex::absent);
}

QTEST_GUILESS_MAIN(tst_CallIndex)
#include "tst_call_index.moc"
