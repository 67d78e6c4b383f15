// SPDX-License-Identifier: MIT
// Predictions for recordings of other people's programs, beside the source (shared/data/programs), against what the
// change really gained there. Skipped if the folder is absent.
#include "engine/analysis/facts/steady_state.h"
#include "engine/analysis/report.h"
#include "engine/replay/pairs.h"
#include "engine/store/recording_file.h"
#include "tests/engine/replay/asked.h"

#include <QDir>
#include <QTest>

#include <memory>
#include <string>
#include <utility>

using namespace lanes;
using namespace lanes::replay;

namespace {

QString recordings()
{
    return qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/programs/";
}

/// A recording, opened once for all rows of a test that come one after another.
struct Program {
    explicit Program(Trace made)
        : asked(std::move(made))
    {
        if (const auto steady = find_steady_state(asked.trace)) {
            part = steady->span;
        }
    }
    Asked asked;
    Interval part;  ///< that repeats; empty: none does
};

/// Null: the recording is absent.
const Program* opened(const QString& name)
{
    static std::pair<QString, std::unique_ptr<const Program>> last;
    if (last.first != name) {
        const auto path = recordings() + name + ".sqlite";
        const bool is_there = !name.isEmpty() && QFile::exists(path);
        last.second.reset();  // before the next one needs memory
        last = {name, is_there ? std::make_unique<const Program>(open_recording(path.toStdString())) : nullptr};
    }
    return last.second.get();
}

}  // namespace

class tst_WhatIfPrograms : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", (qEnvironmentVariable("LANES_SOURCE") + "/resources").toUtf8()); }
    void holds_data();
    void holds();
    void anIterationGainsWhatThePartDoes();
    void offers_data();
    void offers();
    void findingsLeadToGains_data();
    void findingsLeadToGains();
};

void tst_WhatIfPrograms::holds_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("changes");
    QTest::addColumn<double>("truth");  // how long the changed loop took, as a part of the recorded one
    QTest::addColumn<double>("width");  // of the interval, at most: the same
    const auto row = [](const char* name, const char* changes, double truth, double width) {
        QTest::addRow("%s %s", name, changes) << QString(name) << QString(changes) << truth << width;
    };
    row("decode-eager", "graph", 149.0 / 831, 0.1);
    row("decode-eager", "drop-values", 804.0 / 826, 0.3);
    row("decode-noitem", "graph", 149.0 / 849, 0.1);
    row("loader-w0", "drop-syncs", 1, 0.3);
    row("loader-w0", "workers=4", 698.0 / 1880, 0.7);
    row("loader-w4", "drop-syncs", 1, 0.3);
    row("resnet-pageable", "pin non-blocking", 1018.0 / 1031, 0.7);
    row("mnist", "graph", 1, 0.8);  // its one worker sets the pace
    row("mnist", "workers=4", 824.0 / 2930, 1);
    row("ddp-one", "buckets=4", 2176.0 / 1917, 0.35);
    row("ddp-one", "buckets=8", 2176.0 / 1917, 0.4);
}

void tst_WhatIfPrograms::holds()
{
    QFETCH(const QString, name);
    QFETCH(const QString, changes);
    QFETCH(const double, truth);
    QFETCH(const double, width);
    const auto* const program = opened(name);
    if (program == nullptr) {
        QSKIP("no recordings of real programs here");
    }
    const auto& [asked, steady] = *program;
    QVERIFY(steady.end > steady.start);
    const auto& gate = asked.what_if.gate();
    QVERIFY2(gate.is_open(), to_text(gate, {}, Messages::english()).c_str());
    auto made = read_changes(changes.toStdString());
    for (auto& change : made) {
        change.on = query_of(steady);
    }
    const auto prediction = of_part(gate, asked.what_if.predict(made), steady);
    QVERIFY(prediction.count > 0);
    const auto recorded = static_cast<double>(recorded_in(gate, program->part));
    const auto part = [&](Ns time) { return static_cast<double>(time) / recorded; };
    const auto said = QStringLiteral("%1, %2 to %3, of %4 changed")
                          .arg(part(prediction.total))
                          .arg(part(prediction.low))
                          .arg(part(prediction.high))
                          .arg(prediction.count)
                          .toStdString();
    QVERIFY2(part(prediction.low) <= truth && truth <= part(prediction.high), said.c_str());
    const double spans = part(prediction.high) - part(prediction.low);
    QVERIFY2(spans <= width, said.c_str());
    const auto& assumed = prediction.assumptions;
    QCOMPARE(std::any_of(assumed.begin(), assumed.end(),
                 [](const Assumption& each) { return each.word().starts_with("wide-by-"); }),
        spans > 0.3);
}

// One iteration shows only what comes again within it, and does not pay for the graph of all.
void tst_WhatIfPrograms::anIterationGainsWhatThePartDoes()
{
    const auto* const program = opened("decode-eager");
    if (program == nullptr) {
        QSKIP("no recordings of real programs here");
    }
    const Interval iteration {1'109'439'177, 1'113'493'672};  // number 100
    auto made = read_changes("graph");
    made.front().on = query_of(iteration);
    const auto& [asked, steady] = *program;
    const auto prediction = of_part(asked.what_if.gate(), asked.what_if.predict(made), iteration);
    constexpr Ns with_graphs = 743'000;  // an iteration of decode-graph
    QVERIFY2(prediction.low <= with_graphs && with_graphs <= prediction.high, std::to_string(prediction.total).c_str());
    QVERIFY(!prediction.is_wide());
    // The command of a finding of that iteration, asked for with --range.
    made.front().on = Query::parse('(' + query_of(iteration).text() + ") " + query_of(iteration).text());
    const auto again = of_part(asked.what_if.gate(), asked.what_if.predict(made), iteration);
    QCOMPARE(again.total, prediction.total);
    QCOMPARE(again.count, prediction.count);
}

void tst_WhatIfPrograms::offers_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("change");
    QTest::addColumn<bool>("is_offered");
    const auto row = [](const char* name, const char* change, bool is_offered) {
        QTest::addRow("%s %s", name, change) << QString(name) << QString(change) << is_offered;
    };
    row("decode-eager", "graph", true);
    row("decode-noitem", "graph", true);
    row("loader-w0", "drop-syncs", false);
    row("loader-w0", "workers", true);
    row("loader-w4", "drop-syncs", false);
    row("nanogpt-item", "drop-values", false);
    row("mnist", "non-blocking", false);
    row("mnist", "workers", true);
    row("mnist.pt", "workers", true);
    row("ddp-one", "buckets", false);
}

/// What gained a tenth or more is offered, what gained nothing is not: of the part that repeats, and of all.
void tst_WhatIfPrograms::offers()
{
    QFETCH(const QString, name);
    QFETCH(const QString, change);
    QFETCH(const bool, is_offered);
    const auto* const program = opened(name);
    if (program == nullptr) {
        QSKIP("no recordings of real programs here");
    }
    const auto& [asked, steady] = *program;
    QVERIFY(steady.end > steady.start);
    const auto& gate = asked.what_if.gate();
    const auto kinds = read_changes(change.toStdString());
    for (const auto& part : {steady, Interval {}}) {
        const auto on = part.end > 0 ? query_of(part) : Query {};
        const auto offered = asked.what_if.offers({least_offer_of(gate, part), on, part});
        const bool found = std::any_of(offered.begin(), offered.end(), [&](const Prediction& each) {
            return std::equal(each.changes.begin(), each.changes.end(), kinds.begin(), kinds.end(),
                [](const Change& a, const Change& b) { return a.kind == b.kind; });
        });
        QCOMPARE(found, is_offered);
    }
}

void tst_WhatIfPrograms::findingsLeadToGains_data()
{
    QTest::addColumn<QString>("name");
    for (const auto& file : QDir(recordings()).entryList({"*.sqlite"})) {
        QTest::addRow("%s", qPrintable(file))
            << file.chopped(static_cast<qsizetype>(std::string_view(".sqlite").size()));
    }
    if (QDir(recordings()).entryList({"*.sqlite"}).empty()) {
        QTest::newRow("none") << QString();
    }
}

/// The changes that a finding names gain something on top of those of the findings before it, and a finding that names
/// none says why.
void tst_WhatIfPrograms::findingsLeadToGains()
{
    QFETCH(const QString, name);
    const auto* const program = opened(name);
    if (program == nullptr) {
        QSKIP("no recordings of real programs here");
    }
    const auto& asked = program->asked;
    const auto span = program->part.end > 0 ? std::optional(program->part) : std::nullopt;
    for (const auto& finding : make_report(asked.trace, asked.blocking, span).findings) {
        if (finding.changes.empty()) {
            QVERIFY2(finding.stale_bytes > 0 || !finding.advice.parts.empty(), finding.rule.c_str());
            continue;
        }
        QVERIFY2(asked.what_if.gate().is_open(), finding.rule.c_str());
        auto changes = finding.on_top_of;
        const Ns before = changes.empty() ? asked.what_if.gate().measured : asked.what_if.total(changes);
        changes.insert(changes.end(), finding.changes.begin(), finding.changes.end());
        QVERIFY2(asked.what_if.total(changes) < before, (finding.rule + ' ' + options_of(changes)).c_str());
    }
}

QTEST_GUILESS_MAIN(tst_WhatIfPrograms)
#include "tst_whatif_programs.moc"
