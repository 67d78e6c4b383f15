// SPDX-License-Identifier: MIT
#include "engine/workload/nearest.h"

#include <map>
#include <QTest>
#include <random>

using namespace lanes;

namespace {

/// The distance by its definition, with earlier results kept.
std::size_t by_definition(
    const std::string& a, const std::string& b, std::map<std::pair<std::size_t, std::size_t>, std::size_t>& known)
{
    const auto key = std::pair(a.size(), b.size());
    if (const auto found = known.find(key); found != known.end()) {
        return found->second;
    }
    std::size_t best = std::max(a.size(), b.size());
    if (!a.empty() && !b.empty()) {
        const auto a1 = a.substr(0, a.size() - 1);
        const auto b1 = b.substr(0, b.size() - 1);
        best = std::min({by_definition(a1, b, known) + 1, by_definition(a, b1, known) + 1,
            by_definition(a1, b1, known) + (a.back() == b.back() ? 0 : 1)});
        if (a.size() > 1 && b.size() > 1 && a.back() == b[b.size() - 2] && b.back() == a[a.size() - 2]) {
            best = std::min(best, by_definition(a.substr(0, a.size() - 2), b.substr(0, b.size() - 2), known) + 1);
        }
    }
    known[key] = best;
    return best;
}

}  // namespace

class tst_WorkloadNearest : public QObject {
    Q_OBJECT

private slots:
    void distanceIsThatOfTheDefinition()
    {
        std::mt19937 random(1);
        for (int round = 0; round < 3000; ++round) {
            std::string a(random() % 8, 'a');
            std::string b(random() % 8, 'a');
            for (auto* text : {&a, &b}) {
                for (char& c : *text) {
                    c = static_cast<char>('a' + random() % 3);
                }
            }
            std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
            QCOMPARE(edit_distance(a, b), by_definition(a, b, known));
        }
    }
    void findsTheNameThatWasMeant()
    {
        const std::vector<std::string> names {"stream", "streams", "blocks", "blocking"};
        QCOMPARE(nearest_name("steam", names), std::string("stream"));
        QCOMPARE(nearest_name("blokcs", names), std::string("blocks"));
        QCOMPARE(nearest_name("zebra", names), std::string());
        QCOMPARE(nearest_name("x", {"y", "z"}), std::string("y"));
        QCOMPARE(nearest_name("copy-Res", {"copies-both-ways", "copy-results-back"}), std::string("copy-results-back"));
        QCOMPARE(nearest_name("cop", {"copies-both-ways", "copy-results-back"}), std::string());
        QCOMPARE(nearest_name(std::string(100000, 'a'), {std::string(100000, 'b')}), std::string());
    }
    void saysWhatWasExpected()
    {
        QCOMPARE(unknown_name("stream", "cmpute", {"compute", "copy"}),
            std::string("unknown stream 'cmpute', expected compute or copy; did you mean 'compute'?"));
        QCOMPARE(unknown_name("stream", "x", {}), std::string("unknown stream 'x', there is none here"));
        QCOMPARE(alternatives({"a", "b", "c"}), std::string("a, b or c"));
    }
};

QTEST_GUILESS_MAIN(tst_WorkloadNearest)
#include "tst_workload_nearest.moc"
