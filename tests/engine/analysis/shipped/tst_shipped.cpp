// SPDX-License-Identifier: MIT
// The shipped recordings against table.txt: the verdict of each, its findings and no others, and their costs against
// what the variant that follows the advice really saves. With LANES_UPDATE_PAGES=1 it writes
// docs/findings-and-verdicts.md, else it compares.
#include "engine/store/recording_file.h"
#include "tests/engine/analysis/shipped/page.h"

#include <algorithm>
#include <QDir>
#include <QTest>

using namespace lanes;
using namespace shipped;

namespace {

QString source()
{
    return qEnvironmentVariable("LANES_SOURCE");
}

/// What a line of the table would say.
std::string line_of(const ShippedReport& report)
{
    std::string line = std::string(name_of(report.verdict.kind)) + " | ";
    for (const auto& finding : report.findings) {
        line += (line.ends_with("| ") ? "" : ", ") + finding.rule;
    }
    return line.ends_with("| ") ? line + "-" : line;
}

}  // namespace

class tst_Shipped : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void recordings_data();
    void recordings();
    void everyLineIsOfAVariant();
    void page();

private:
    Reports m_reports;
    std::map<std::string, Expectation> m_expectations;
};

void tst_Shipped::initTestCase()
{
    qputenv("LANES_RESOURCES", (source() + "/resources").toUtf8());
    m_expectations = read_expectations((source() + "/tests/engine/analysis/shipped/table.txt").toStdString());
    const QDir folder(source() + "/resources/recordings");
    for (const auto& gpu : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        for (const auto& file : QDir(folder.filePath(gpu)).entryList({"*.sqlite"})) {
            const auto name = gpu.toStdString() + "/" + file.chopped(7).toStdString();
            const auto trace = open_recording(folder.filePath(gpu + "/" + file).toStdString());
            const auto blocking = find_blocking(trace);
            const RecordingBounds bounds(trace, blocking);
            const Graph graph(trace, blocking);
            const auto costs = find_wait_costs(graph);
            for (const auto& range : {Interval {0, trace.duration}, Interval {0, trace.duration / 2},
                     Interval {trace.duration / 3, 2 * trace.duration / 3}}) {
                auto report = make_report({graph, costs}, bounds, range);
                for (const auto& finding : report.findings) {
                    QVERIFY2(finding.cost <= report.wall, name.c_str());
                }
                if (range.start == 0 && range.end == trace.duration) {
                    m_reports[name] = {report.wall, std::move(report.verdict), std::move(report.findings)};
                }
            }
        }
    }
}

void tst_Shipped::recordings_data()
{
    QTest::addColumn<QString>("name");
    for (const auto& [name, report] : m_reports) {
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
}

void tst_Shipped::recordings()
{
    QFETCH(QString, name);
    const auto& report = m_reports.at(name.toStdString());
    const auto fail = [&](const std::string& what) { return what + "\nThe recording says: " + line_of(report) + "\n"; };
    const auto found = m_expectations.find(name.section('/', 1).toStdString());
    QVERIFY2(found != m_expectations.end(), fail("no line of its own in table.txt").c_str());
    const auto& expected = found->second;
    const auto& verdicts = expected.verdicts;
    QVERIFY2(std::find(verdicts.begin(), verdicts.end(), name_of(report.verdict.kind)) != verdicts.end(),
        fail("another verdict").c_str());
    // What a pill holds.
    QVERIFY2(QString::fromStdString(report.verdict.message).size() <= 80, std::string(report.verdict.message).c_str());
    for (const auto& finding : report.findings) {
        QVERIFY2(std::any_of(expected.findings.begin(), expected.findings.end(),
                     [&](const ExpectedFinding& of) { return of.rule == finding.rule; }),
            fail("must not be there: " + finding.rule).c_str());
    }
    for (const auto& of : expected.findings) {
        const auto finding = std::find_if(
            report.findings.begin(), report.findings.end(), [&](const Finding& any) { return any.rule == of.rule; });
        if (of.may_be_missing) {
            continue;
        }
        QVERIFY2(finding != report.findings.end(), fail("must be there: " + of.rule).c_str());
        if (of.sibling.empty()) {
            continue;
        }
        const auto saved = saved_by(m_reports, name.toStdString(), of.sibling);
        if (!saved) {
            qInfo("%s of %s: %s is not recorded", of.rule.c_str(), qPrintable(name), of.sibling.c_str());
            continue;
        }
        const Ns cost = finding->cost;
        const Ns other = of.is_open ? finding->otherwise : cost;
        const auto share = [&](Ns gain) { return static_cast<double>(gain) / static_cast<double>(*saved); };
        QVERIFY2(*saved > 0 && share(std::max(cost, other)) >= of.least && share(std::min(cost, other)) <= of.most
                && of.is_open == (other != cost),
            fail(of.rule + " costs " + std::to_string(cost) + " or " + std::to_string(other) + " ns, " + of.sibling
                + " saves " + std::to_string(*saved) + " ns")
                .c_str());
    }
}

/// So that a mistake in the table does not hide a recording or a sibling.
void tst_Shipped::everyLineIsOfAVariant()
{
    for (const auto& [name, expectation] : m_expectations) {
        const auto workload = QString::fromStdString(name).section('.', 0, 0);
        QFile file(source() + "/resources/workloads/" + workload + ".yaml");
        QVERIFY2(file.open(QIODevice::ReadOnly), name.c_str());
        const auto text = QString::fromUtf8(file.readAll());
        const auto is_variant = [&](const QString& variant) { return text.contains("\n  " + variant + ":\n"); };
        QVERIFY2(is_variant(QString::fromStdString(name).section('.', 1)), name.c_str());
        for (const auto& finding : expectation.findings) {
            QVERIFY2(finding.sibling.empty() || is_variant(QString::fromStdString(finding.sibling)), name.c_str());
        }
    }
}

void tst_Shipped::page()
{
    const auto page = QString::fromStdString(page_of(m_reports, m_expectations));
    QFile file(source() + "/docs/findings-and-verdicts.md");
    if (qEnvironmentVariableIntValue("LANES_UPDATE_PAGES") != 0) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(page.toUtf8()), page.toUtf8().size());
        return;
    }
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto there = QString::fromUtf8(file.readAll());
    if (there != page) {
        const auto old = there.split('\n');
        const auto now = page.split('\n');
        qsizetype line = 0;
        while (line < std::min(old.size(), now.size()) && old[line] == now[line]) {
            ++line;
        }
        QFAIL(qPrintable(QStringLiteral("line %1 of docs/findings-and-verdicts.md says\n%2\nthe recordings say\n%3\nif "
                                        "it shall be so: LANES_UPDATE_PAGES=1 ctest -R tst_shipped")
                             .arg(line + 1)
                             .arg(old.value(line), now.value(line))));
    }
}

QTEST_GUILESS_MAIN(tst_Shipped)
#include "tst_shipped.moc"
