// SPDX-License-Identifier: MIT
// A question answered in the background: its newest answer, or why there is none, only while it is wanted, one work at
// a time, and never an exception.
#include "gui/timeline/question.h"

#include <QThread>
#include <QWidget>

#include <algorithm>
#include <atomic>
#include <QTest>
#include <stdexcept>

using namespace lanes::gui;

namespace {

/// A question and its answers.
struct Asked {
    enum Ends { answers, hasNoMemory, hasAnError, throwsANumber };
    Ends ends = answers;
    bool here = false;
};

}  // namespace

class tst_Question : public QObject {
    Q_OBJECT

private slots:
    void isAnsweredOnce_data();
    void isAnsweredOnce();
    void theAnswerComesOnTheAskersThread();
    void aNewQuestionTakesThePlaceOfTheOld_data();
    void aNewQuestionTakesThePlaceOfTheOld();
    void whatIsCancelledIsNotAnswered_data();
    void whatIsCancelledIsNotAnswered();
    void isAskedOnlyWhileSeen_data();
    void isAskedOnlyWhileSeen();
    void isAskedWhileAnyoneWantsIt();
    void oneThatEndsIsNotAnswered();
    void theNewestSaysHowFarItIs();
    void anAnswerMayAskAgain();
    void anAnswerMayEndTheQuestion();
    void whatChangesTextsWaitsForTheWorkers();
};

void tst_Question::isAnsweredOnce_data()
{
    QTest::addColumn<int>("ends");
    QTest::addColumn<bool>("here");
    QTest::addColumn<QString>("problem");
    for (const bool here : {false, true}) {
        const QByteArray where = here ? ", here" : ", aside";
        QTest::newRow("an answer" + where) << int(Asked::answers) << here << QString();
        QTest::newRow("no memory" + where)
            << int(Asked::hasNoMemory) << here << QStringLiteral("There is not enough memory for it.");
        QTest::newRow("an error" + where) << int(Asked::hasAnError) << here << QStringLiteral("the disk is full");
        QTest::newRow("no exception of the library's" + where)
            << int(Asked::throwsANumber) << here << QStringLiteral("It failed for an unknown reason.");
    }
}

void tst_Question::isAnsweredOnce()
{
    QFETCH(int, ends);
    QFETCH(bool, here);
    QFETCH(QString, problem);
    using Numbers = Question<int>;
    Numbers question;
    QVERIFY(!question.isPending());
    int taken = 0;
    QStringList problems;
    question.ask(
        [ends](const std::stop_token&) -> int {
            switch (ends) {
            case Asked::answers:
                return 7;
            case Asked::hasNoMemory:
                throw std::bad_alloc();
            case Asked::hasAnError:
                throw std::runtime_error("the disk is full");
            default:
                throw ends;
            }
        },
        [&](int value) {
            taken += value;
            QVERIFY(!question.isPending());
        },
        [&](const QString& text) {
            problems << text;
            QVERIFY(!question.isPending());
        },
        here ? Numbers::Work::here : Numbers::Work::aside);
    QCOMPARE(question.isPending(), !here);
    QTRY_VERIFY(!question.isPending());
    QTest::qWait(20);
    QCOMPARE(taken, problem.isEmpty() ? 7 : 0);
    QCOMPARE(problems, problem.isEmpty() ? QStringList() : QStringList(problem));
}

void tst_Question::theAnswerComesOnTheAskersThread()
{
    Question<std::unique_ptr<QThread*>> question;
    int taken = 0;
    question.ask([](const std::stop_token&) { return std::make_unique<QThread*>(QThread::currentThread()); },
        [&](std::unique_ptr<QThread*> worker) {
            ++taken;
            QVERIFY(*worker != QThread::currentThread());
            QCOMPARE(QThread::currentThread(), QCoreApplication::instance()->thread());
        },
        [](const QString& problem) { QFAIL(qPrintable(problem)); });
    QTRY_COMPARE(taken, 1);
}

void tst_Question::aNewQuestionTakesThePlaceOfTheOld_data()
{
    QTest::addColumn<bool>("stops");
    QTest::newRow("the old one stops when it is told to") << true;
    QTest::newRow("the old one has no stop") << false;
}

/// The first runs; later ones wait for its end, and only the last of them begins.
void tst_Question::aNewQuestionTakesThePlaceOfTheOld()
{
    QFETCH(bool, stops);
    Question<int> question;
    std::atomic<int> begun = 0, running = 0, most = 0;
    std::atomic<bool> mayEnd = false;
    std::vector<int> taken;
    for (int i = 0; i < 4; ++i) {
        question.ask(
            [&, i](const std::stop_token& stop) {
                ++begun;
                most = std::max(most.load(), ++running);
                while (i == 0 && !mayEnd && !(stops && stop.stop_requested())) {
                    QThread::msleep(1);
                }
                --running;
                return i;
            },
            [&](int value) { taken.push_back(value); }, [](const QString& problem) { QFAIL(qPrintable(problem)); });
        if (i == 0) {
            QTRY_COMPARE(begun.load(), 1);
        }
    }
    QVERIFY(question.isPending());
    if (!stops) {
        QTest::qWait(20);
        QCOMPARE(begun.load(), 1);
        mayEnd = true;
    }
    QTRY_COMPARE(taken, std::vector<int> {3});
    QTest::qWait(20);
    QCOMPARE(taken, std::vector<int> {3});
    QCOMPARE(begun.load(), 2);
    QCOMPARE(most.load(), 1);
}

void tst_Question::whatIsCancelledIsNotAnswered_data()
{
    QTest::addColumn<bool>("fails");
    QTest::newRow("it would be answered") << false;
    QTest::newRow("it fails") << true;
}

void tst_Question::whatIsCancelledIsNotAnswered()
{
    QFETCH(bool, fails);
    Question<int> question;
    std::atomic<bool> isBegun = false, isEnded = false;
    bool isAnswered = false;
    question.ask(
        [&](const std::stop_token& stop) {
            isBegun = true;
            while (!stop.stop_requested()) {
                QThread::msleep(1);
            }
            isEnded = true;
            return fails ? throw std::runtime_error("it was cancelled") : 1;
        },
        [&](int) { isAnswered = true; }, [&](const QString&) { isAnswered = true; });
    QTRY_VERIFY(isBegun.load());
    question.cancel();
    QVERIFY(!question.isPending());
    QTRY_VERIFY(isEnded.load());
    QTest::qWait(20);
    QVERIFY(!isAnswered);
    int taken = 0;
    question.ask([](const std::stop_token&) { return 5; }, [&](int value) { taken = value; },
        [](const QString& problem) { QFAIL(qPrintable(problem)); });
    QTRY_COMPARE(taken, 5);
}

void tst_Question::isAskedOnlyWhileSeen_data()
{
    QTest::addColumn<bool>("here");
    QTest::newRow("aside") << false;
    QTest::newRow("here") << true;
}

void tst_Question::isAskedOnlyWhileSeen()
{
    QFETCH(bool, here);
    using Numbers = Question<int>;
    QWidget widget;
    Numbers question;
    question.whileSeen(&widget);
    std::atomic<int> begun = 0;
    std::vector<int> taken;
    const auto ask = [&](int value) {
        question.ask(
            [&begun, value](const std::stop_token&) {
                ++begun;
                return value;
            },
            [&](int come) { taken.push_back(come); }, [](const QString& problem) { QFAIL(qPrintable(problem)); },
            here ? Numbers::Work::here : Numbers::Work::aside);
    };
    ask(1);
    ask(2);
    QTest::qWait(20);
    QCOMPARE(begun.load(), 0);
    QVERIFY(!question.isPending());
    widget.show();
    QTRY_COMPARE(taken, std::vector<int> {2});
    QCOMPARE(begun.load(), 1);
    widget.hide();
    ask(3);
    question.cancel();
    widget.show();
    QTest::qWait(20);
    QCOMPARE(begun.load(), 1);
    ask(4);
    QTRY_COMPARE(taken, (std::vector<int> {2, 4}));
}

void tst_Question::isAskedWhileAnyoneWantsIt()
{
    const QObject one, other;
    Question<int> question;
    int taken = 0;
    const auto ask = [&] {
        question.ask([](const std::stop_token&) { return 1; }, [&](int value) { taken += value; },
            [](const QString& problem) { QFAIL(qPrintable(problem)); });
    };
    question.setWanted(&one, true);
    question.setWanted(&other, true);
    question.setWanted(&one, false);
    ask();
    QTRY_COMPARE(taken, 1);
    question.setWanted(&other, false);
    ask();
    QTest::qWait(20);
    QCOMPARE(taken, 1);
    question.setWanted(&one, true);
    QTRY_COMPARE(taken, 2);
}

void tst_Question::oneThatEndsIsNotAnswered()
{
    auto isDone = std::make_shared<std::atomic<bool>>(false);
    bool isAnswered = false;
    {
        Question<int> question;
        question.ask(
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

/// What an older one says, while it has not stopped yet, is not heard.
void tst_Question::theNewestSaysHowFarItIs()
{
    Question<int> question;
    std::vector<double> heard;
    bool isAnswered = false;
    question.onProgress([&](double fraction) {
        QCOMPARE(QThread::currentThread(), QCoreApplication::instance()->thread());
        heard.push_back(fraction);
    });
    std::atomic<bool> isBegun = false;
    const auto ask = [&](double fraction, bool waits) {
        question.ask(
            [&isBegun, fraction, waits](const lanes::Progress& progress) {
                isBegun = true;
                while (waits && !progress.cancelled()) {
                    QThread::msleep(1);
                }
                progress.tell(fraction);
                return 1;
            },
            [&](int) { isAnswered = true; }, [](const QString& problem) { QFAIL(qPrintable(problem)); });
    };
    ask(0.25, true);
    QTRY_VERIFY(isBegun.load());
    ask(0.75, false);
    QTRY_VERIFY(isAnswered);
    QVERIFY(!heard.empty());
    QCOMPARE(heard.back(), 0.75);
    QVERIFY(std::find(heard.begin(), heard.end(), 0.25) == heard.end());
}

void tst_Question::anAnswerMayAskAgain()
{
    Question<int> question;
    std::vector<int> taken;
    std::function<void(int)> take;
    const auto ask = [&](int value) {
        question.ask([value](const std::stop_token&) { return value; }, [&](int come) { take(come); },
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
    QVERIFY(!question.isPending());
}

void tst_Question::anAnswerMayEndTheQuestion()
{
    auto question = std::make_unique<Question<int>>();
    bool isAnswered = false;
    question->ask([](const std::stop_token&) { return 1; },
        [&](int) {
            isAnswered = true;
            question.reset();
        },
        [](const QString& problem) { QFAIL(qPrintable(problem)); });
    QTRY_VERIFY(isAnswered);
    QVERIFY(!question);
}

/// Of this pool and of every other one.
void tst_Question::whatChangesTextsWaitsForTheWorkers()
{
    QTRY_VERIFY(workersRest());
    WorkerPool other;
    for (QThreadPool* pool : {workerPool(), static_cast<QThreadPool*>(&other)}) {
        std::atomic<bool> reads = true;
        bool isChanged = false;
        pool->start([&reads] {
            while (reads) {
                QThread::msleep(1);
            }
        });
        onceWorkersRest(this, [&isChanged] { isChanged = true; });
        QTest::qWait(50);
        QVERIFY(!isChanged && !workersRest());
        reads = false;
        QTRY_VERIFY(isChanged);
    }
    bool isAtOnce = false;
    QTRY_VERIFY(workersRest());
    onceWorkersRest(this, [&isAtOnce] { isAtOnce = true; });
    QVERIFY(isAtOnce);
    auto asked = std::make_unique<QObject>();
    std::atomic<bool> reads = true;
    workerPool()->start([&reads] {
        while (reads) {
            QThread::msleep(1);
        }
    });
    onceWorkersRest(asked.get(), [] { QFAIL("who asked is gone"); });
    asked.reset();
    reads = false;
    QTRY_VERIFY(workersRest());
    QTest::qWait(50);
}

QTEST_MAIN(tst_Question)
#include "tst_question.moc"
