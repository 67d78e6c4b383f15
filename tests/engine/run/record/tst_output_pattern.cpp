// SPDX-License-Identifier: MIT
#include "engine/run/output_pattern.h"

#include <array>
#include <atomic>
#include <QTemporaryDir>
#include <QTest>
#include <thread>
#include <vector>

using namespace lanes;

class tst_OutputPattern : public QObject {
    Q_OBJECT

private slots:
    void expands_data();
    void expands();
    void ofTwoRunsThatOpenASpoolTheFirstHasIt();
};

void tst_OutputPattern::expands_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("rank");
    QTest::addColumn<QString>("name");  // or a part of the error
    QTest::addColumn<bool>("split");
    QTest::newRow("none") << "run.sqlite"
                          << "3"
                          << "run.sqlite" << false;
    QTest::newRow("all") << "run.%h.%r.%p.sqlite"
                         << "3"
                         << "run.node7.3.4711.sqlite" << true;
    QTest::newRow("host alone is one file") << "%h.sqlite"
                                            << "3"
                                            << "node7.sqlite" << false;
    QTest::newRow("no launcher") << "run.%r.sqlite"
                                 << ""
                                 << "run.0.sqlite" << true;
    QTest::newRow("percent") << "100%%.sqlite"
                             << ""
                             << "100%.sqlite" << false;
    QTest::newRow("percent before a letter") << "%%p.sqlite"
                                             << ""
                                             << "%p.sqlite" << false;
    QTest::newRow("percent, then a mark") << "%%%p"
                                          << ""
                                          << "%4711" << true;
    QTest::newRow("unknown") << "run.%q.sqlite"
                             << ""
                             << "found \"%q\" at column 5, expected %h (host)" << false;
    QTest::newRow("at the end") << "run%"
                                << ""
                                << "found \"%\" at column 4, expected" << false;
    QTest::newRow("several bytes") << QString::fromUtf8("%秩.sqlite") << ""
                                   << QString::fromUtf8("found \"%秩\" at column 1") << false;
}

void tst_OutputPattern::expands()
{
    QFETCH(QString, pattern);
    QFETCH(QString, rank);
    QFETCH(QString, name);
    QFETCH(bool, split);
    QCOMPARE(has_file_a_process(pattern.toStdString()), split);
    QString got;
    try {
        got = QString::fromStdString(
            expand_output(pattern.toStdString(), {.host = "node7", .rank = rank.toStdString(), .process = 4711}));
        QCOMPARE(got, name);
    } catch (const OutputArgumentError& error) {
        got = QString::fromUtf8(error.what());
        QVERIFY2(got.contains(name), qPrintable(got));
    }
}

void tst_OutputPattern::ofTwoRunsThatOpenASpoolTheFirstHasIt()
{
    const QTemporaryDir folder;
    for (int round = 0; round < 50; ++round) {
        const auto spool = folder.path().toStdString() + "/" + std::to_string(round) + ".spool";
        std::array<SpoolWriter, 4> writers;
        std::atomic<int> have {0};
        std::atomic<int> waiting {4};
        std::vector<std::thread> threads;
        for (auto& writer : writers) {
            threads.emplace_back([&] {
                --waiting;
                while (waiting > 0) { }
                try {
                    open_new_spool(writer, spool);
                    ++have;
                } catch (const SpoolHeldError&) {
                }
            });
        }
        for (auto& thread : threads) {
            thread.join();
        }
        QCOMPARE(have.load(), 1);
    }
}

QTEST_GUILESS_MAIN(tst_OutputPattern)
#include "tst_output_pattern.moc"
