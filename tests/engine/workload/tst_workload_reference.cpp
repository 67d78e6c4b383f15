// SPDX-License-Identifier: MIT
// docs/writing-workloads.md has every step and key of the language, and its example runs.
#include "engine/workload/schema.h"
#include "engine/workload/workload.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace lanes;
using namespace lanes::syntax;

class tst_WorkloadReference : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile page(qEnvironmentVariable("LANES_SOURCE") + "/docs/writing-workloads.md");
        QVERIFY(page.open(QIODevice::ReadOnly));
        m_text = QString::fromUtf8(page.readAll());
    }
    void everyKeyIsInTheRowOfItsStep();
    void everyKeyOfWhatThereIs();
    void theExampleRuns();

private:
    /// The row of a table whose first column has this name.
    QString row(std::string_view name) const
    {
        const QRegularExpression line(
            QStringLiteral("^\\| [^|]*`%1`.*$").arg(QString::fromStdString(std::string(name))),
            QRegularExpression::MultilineOption);
        return line.match(m_text).captured();
    }
    void hasAll(std::string_view what, std::span<const Key> keys) const
    {
        const QString found = row(what);
        QVERIFY2(!found.isEmpty(), std::string(what).c_str());
        for (const Key& key : keys) {
            const auto name = QString::fromStdString(std::string(key.name));
            QVERIFY2(
                found.contains('`' + name + '`'), qPrintable(QString::fromStdString(std::string(what)) + ": " + name));
            for (const std::string& word : words_of(key)) {
                QVERIFY2(found.contains(QString::fromStdString(word)),
                    qPrintable(QString::fromStdString(std::string(what)) + ": " + QString::fromStdString(word)));
            }
        }
    }
    QString m_text;
};

void tst_WorkloadReference::everyKeyIsInTheRowOfItsStep()
{
    for (const StepForm& form : step_forms()) {
        hasAll(form.action, form.map);
        hasAll(form.action, form.siblings);
    }
}

void tst_WorkloadReference::everyKeyOfWhatThereIs()
{
    const int table = static_cast<int>(m_text.indexOf("## What there is"));
    QVERIFY(table > 0);
    m_text = m_text.mid(table);
    hasAll("buffers", buffer_keys());
    hasAll("streams", stream_keys());
    hasAll("events", event_keys());
    hasAll("queues", queue_keys());
}

void tst_WorkloadReference::theExampleRuns()
{
    QFile page(qEnvironmentVariable("LANES_SOURCE") + "/docs/writing-workloads.md");
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(page.readAll());
    const auto begin = text.indexOf("```yaml\n") + 8;
    const auto workload = parse_workload(text.mid(begin, text.indexOf("\n```", begin) - begin + 1).toStdString(), "w");
    for (const auto& variant : workload.variants) {
        QVERIFY(!compile(workload, variant.name).threads.empty());
    }
    QCOMPARE(workload.variants.size(), 2U);
}

QTEST_GUILESS_MAIN(tst_WorkloadReference)
#include "tst_workload_reference.moc"
