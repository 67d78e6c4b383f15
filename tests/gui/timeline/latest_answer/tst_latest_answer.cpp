// SPDX-License-Identifier: MIT
// Work in the background: its newest answer, or why there is none, and never an exception.
#include "gui/timeline/latest_answer.h"

#include <QThread>

#include <atomic>
#include <QTest>
#include <stdexcept>

using namespace lanes::gui;

class tst_LatestAnswer : public QObject {
    Q_OBJECT

private slots:
    void theAnswerComesOnTheAskersThread();
    void whatIsThrownIsSaid_data();
    void whatIsThrownIsSaid();
    void aNewQuestionGivesUpTheOld();
    void oneThatEndsIsNotAnswered();
    void anAnswerMayAskAgain();
};

void tst_LatestAnswer::theAnswerComesOnTheAskersThread()
{
    LatestAnswer<std::unique_ptr<QThread*>> answer;
    QVERIFY(!answer.isRunning());
    int taken = 0;
    answer.ask([](const std::stop_token&) { return std::make_unique<QThread*>(QThread::currentThread()); },
        [&](std::unique_ptr<QThread*> worker) {
            ++taken;
            QVERIFY(*worker != QThread::currentThread());
            QCOMPARE(QThread::currentThread(), QCoreApplication::instance()->thread());
            QVERIFY(!answer.isRunning());
        },
        [](const QString& problem) { QFAIL(qPrintable(problem)); });
    QVERIFY(answer.isRunning());
    QTRY_COMPARE(taken, 1);
}

void tst_LatestAnswer::whatIsThrownIsSaid_data()
{
    QTest::addColumn<int>("thrown");
    QTest::addColumn<QString>("said");
    QTest::newRow("no memory") << 0 << QStringLiteral("There is not enough memory for it.");
    QTest::newRow("an error") << 1 << QStringLiteral("the disk is full");
    QTest::newRow("no exception of the library's") << 2 << QStringLiteral("It failed for an unknown reason.");
}

void tst_LatestAnswer::whatIsThrownIsSaid()
{
    QFETCH(int, thrown);
    QFETCH(QString, said);
    LatestAnswer<int> answer;
    QString problem;
    answer.ask(
        [thrown](const std::stop_token&) -> int {
            switch (thrown) {
            case 0:
                throw std::bad_alloc();
            case 1:
                throw std::runtime_error("the disk is full");
            default:
                throw thrown;
            }
        },
        [](int) { QFAIL("there is no answer"); },
        [&](const QString& text) {
            problem = text;
            QVERIFY(!answer.isRunning());
        });
    QTRY_COMPARE(problem, said);
}

void tst_LatestAnswer::aNewQuestionGivesUpTheOld()
{
    LatestAnswer<int> answer;
    std::atomic<int> stopped = 0;
    std::vector<int> taken;
    const auto take = [&](int value) { taken.push_back(value); };
    const auto fail = [](const QString& problem) { QFAIL(qPrintable(problem)); };
    for (int i = 0; i < 3; ++i) {
        answer.ask(
            [&stopped, i](const std::stop_token& stop) {
                while (i < 2 && !stop.stop_requested()) {
                    QThread::msleep(1);
                }
                stopped += stop.stop_requested() ? 1 : 0;
                return i;
            },
            take, fail);
    }
    QTRY_COMPARE(taken.size(), std::size_t(1));
    QTRY_COMPARE(stopped.load(), 2);
    QTest::qWait(20);
    QCOMPARE(taken, std::vector<int> {2});
}

void tst_LatestAnswer::oneThatEndsIsNotAnswered()
{
    auto isDone = std::make_shared<std::atomic<bool>>(false);
    bool isAnswered = false;
    {
        LatestAnswer<int> answer;
        answer.ask(
            [isDone](const std::stop_token& stop) -> int {
                while (!stop.stop_requested()) {
                    QThread::msleep(1);
                }
                *isDone = true;
                throw std::bad_alloc();
            },
            [&](int) { isAnswered = true; }, [&](const QString&) { isAnswered = true; });
    }
    QTRY_VERIFY(isDone->load());
    QTest::qWait(20);
    QVERIFY(!isAnswered);
}

void tst_LatestAnswer::anAnswerMayAskAgain()
{
    LatestAnswer<int> answer;
    std::vector<int> taken;
    std::function<void(int)> take;
    const auto ask = [&](int value) {
        answer.ask([value](const std::stop_token&) { return value; }, [&](int come) { take(come); },
            [](const QString& problem) { QFAIL(qPrintable(problem)); });
    };
    take = [&](int value) {
        taken.push_back(value);
        if (value < 5) {
            ask(value + 1);
        }
    };
    ask(1);
    QTRY_COMPARE(taken, (std::vector<int> {1, 2, 3, 4, 5}));
    QVERIFY(!answer.isRunning());
}

QTEST_GUILESS_MAIN(tst_LatestAnswer)
#include "tst_latest_answer.moc"
