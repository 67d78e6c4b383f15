// SPDX-License-Identifier: MIT
// A finding costs what What if shows for its change: of every recording that comes with Lanescope, and of other
// people's where they are there. The command that a report prints is one that `lanes whatif` takes.
#include "engine/analysis/findings/rules.h"
#include "engine/analysis/words/messages.h"
#include "engine/replay/whatif.h"
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/findings/found.h"
#include "tests/engine/analysis/graphed.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace lanes;

class tst_Priced : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void costIsTheGain_data();
    void costIsTheGain();
    void everyRuleIsComplete();
    void aChangeOfAFindingIsReadAgain();
};

namespace {

QStringList recordings()
{
    QStringList files;
    const QString source = qEnvironmentVariable("LANES_SOURCE");
    for (const char* folder : {"/resources/recordings", "/resources/traces", "/resources/gallery",
             "/../shared/data/programs", "/../shared/data/ranks8", "/../shared/data/nsys", "/../shared/data/kineto"}) {
        QDirIterator entries(source + QString::fromUtf8(folder),
            {QStringLiteral("*.sqlite"), QStringLiteral("*.json.gz")}, QDir::Files, QDirIterator::Subdirectories);
        while (entries.hasNext()) {
            files += entries.next();
        }
    }
    files.sort();
    return files;
}

}  // namespace

void tst_Priced::costIsTheGain_data()
{
    QTest::addColumn<QString>("file");
    for (const QString& file : recordings()) {
        QTest::newRow(qPrintable(file.section(QLatin1Char('/'), -2))) << file;
    }
}

void tst_Priced::costIsTheGain()
{
    QFETCH(const QString, file);
    const Graphed recording(open_recording(file.toStdString()));
    const auto report = make_report(recording.trace, recording.blocking);
    const auto is_priced = [](const Finding& finding) { return finding.is_replayed; };
    if (std::none_of(report.findings.begin(), report.findings.end(), is_priced)) {
        return;
    }
    const replay::WhatIf what_if(recording.graph);
    if (!what_if.gate().is_open()) {
        return;  // What if shows nothing
    }
    const Ns recorded = what_if.gate().recorded;
    for (const auto& finding : report.findings) {
        if (!finding.is_replayed) {
            continue;
        }
        QVERIFY(!finding.changes.empty());
        auto changes = finding.on_top_of;
        const Ns before = changes.empty() ? recorded : what_if.total(changes);
        changes.insert(changes.end(), finding.changes.begin(), finding.changes.end());
        const Ns gain = before - what_if.predict(changes).total;
        QVERIFY2(std::abs(gain - finding.cost) * 200 <= recorded,
            qPrintable(QStringLiteral("%1: costs %2, What if gains %3 of %4")
                           .arg(QString::fromStdString(finding.rule))
                           .arg(finding.cost)
                           .arg(gain)
                           .arg(recorded)));
    }
}

/// A rule is a row of rules.cpp. All else that it needs is asked for here.
void tst_Priced::everyRuleIsComplete()
{
    const auto source = qEnvironmentVariable("LANES_SOURCE");
    const auto text_of = [&](const QString& path) {
        QFile file(source + '/' + path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    QString shown = text_of(QStringLiteral("tests/engine/analysis/shipped/table.txt"));
    for (QDirIterator files(source + "/tests/engine/analysis/findings", {"*.cpp", "*.h"}, QDir::Files);
         files.hasNext();) {
        shown += text_of(QStringLiteral("tests/engine/analysis/findings/") + QFileInfo(files.next()).fileName());
    }
    const auto definitions = text_of(QStringLiteral("docs/definitions.md"));
    const Messages english(text_of(QStringLiteral("resources/text/en.yaml")).toStdString());
    const Messages chinese(text_of(QStringLiteral("resources/text/zh_CN.yaml")).toStdString());
    QVERIFY(finding_rules().size() > 20);
    for (const auto& rule : finding_rules()) {
        const auto name = QString::fromUtf8(rule.rule.data(), static_cast<qsizetype>(rule.rule.size()));
        QVERIFY2(
            rule.changes.empty() != rule.why_none.empty(), qPrintable(name + " needs a change, or why it has none"));
        const bool is_cause = name.startsWith(QLatin1String("blocked"));  // their sentences are those of all causes
        const auto id = "finding." + (is_cause ? std::string("blocked") : name.toStdString());
        for (const auto* messages : {&english, &chinese}) {
            const auto has = [&](const char* part) { return messages->sentences().contains(id + part); };
            const auto found = "whatif.found." + id.substr(std::string_view("finding.").size());
            QVERIFY2(rule.changes.empty() || messages->sentences().contains(found),
                qPrintable(name + " has no words for what its changes are limited to"));
            QVERIFY2(has(".title") && (has(".advice") || has(".many")), qPrintable(name + " has no title or advice"));
        }
        const auto row = is_cause ? QStringLiteral("\n| `blocked-CAUSE` |") : "\n| `" + name + "` |";
        QVERIFY2(definitions.contains(row), qPrintable(name + " is not in docs/definitions.md"));
        QVERIFY2(is_cause || QRegularExpression("[\"| ]" + name + "[\"|: ,\n]").match(shown).hasMatch(),
            qPrintable("no pair, shipped recording or test shows " + name));
    }
    QCOMPARE(rule_of("blocked-memory").rule, std::string_view("blocked"));
}

void tst_Priced::aChangeOfAFindingIsReadAgain()
{
    const Graphed recording(open_recording(
        (qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/item-every-batch.every.sqlite")
            .toStdString()));
    const auto findings = make_report(recording.trace, recording.blocking).findings;
    const auto values = find(findings, "sync-after-small-copy");
    QVERIFY(values.is_replayed);
    QCOMPARE(replay::options_of(values.changes), std::string("--drop-values finding:sync-after-small-copy"));
    const auto words = replay::words_of(values.changes.front());
    QCOMPARE(words, std::string("drop-values finding:sync-after-small-copy"));
    const auto again = replay::change_in(words);
    QVERIFY(again && *again == values.changes.front());
    // Its rows are not among the words: without them it says nothing.
    const replay::WhatIf what_if(recording.graph);
    QVERIFY_THROWS_EXCEPTION(std::logic_error, what_if.predict(std::vector {*again}));
    // Limited, it changes what was found alone.
    QVERIFY(values.changes.front().rows->operations.size() >= values.count);
    auto half = std::make_shared<replay::FoundRows>(*values.changes.front().rows);
    half->operations.resize(half->operations.size() / 2);
    auto change = values.changes.front();
    change.rows = half;
    QVERIFY(what_if.predict(std::vector {change}).count < what_if.predict(values.changes).count);
}

QTEST_APPLESS_MAIN(tst_Priced)
#include "tst_priced.moc"
