// SPDX-License-Identifier: MIT
#include "engine/run/child_process.h"

#include <cerrno>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

using namespace lanes;

namespace {

ChildProcess shell(const std::string& script)
{
    ChildProcess child;
    child.arguments = {"/bin/sh", "-c", script};
    return child;
}

}  // namespace

class tst_ChildProcess : public QObject {
    Q_OBJECT

private slots:
    void givesTheExitStatus() { QCOMPARE(run_child_process(shell("exit 7"), 0).status, 7); }
    void givesItAlsoWhereEndsAreIgnored();
    void takesItsLines();
    void namesTheSignal();
    void namesAFailedStart();
    void namesAFailedStartAmongSignals();
    void namesAPipeThatCannotBeMade();
    void looksInEveryFolderOfPath_data();
    void looksInEveryFolderOfPath();
    void setsTheEnvironmentOverItsOwn();
    void passesASignalOn();
    void passesOnEachOfSeveralSignals_data();
    void passesOnEachOfSeveralSignals();
    void passesOnWhatCameBeforeTheWait_data();
    void passesOnWhatCameBeforeTheWait();
    void losesNoSignal();
    void killsWhatDoesNotObey();
};

/// As the parent of this process may have left it. The program inherits it: signal 17 is the lowest bit of the
/// fifth hex digit from the right.
void tst_ChildProcess::givesItAlsoWhereEndsAreIgnored()
{
    struct sigaction ignored {
    }, usual {}, then {};
    ignored.sa_handler = SIG_IGN;
    sigaction(SIGCHLD, &ignored, &usual);
    const auto end = run_child_process(shell("sleep 0.1; exit 7"), 0);
    ChildProcess asks;
    asks.arguments = {"grep", "-q", "SigIgn:.*[13579bdf]....$", "/proc/self/status"};
    const auto asked = run_child_process(asks, 0);
    sigaction(SIGCHLD, &usual, &then);
    QCOMPARE(end.status, 7);
    QCOMPARE(asked.status, 0);
    QVERIFY(then.sa_handler == SIG_IGN);
}

void tst_ChildProcess::takesItsLines()
{
    auto child = shell("echo one >&$LANES_REPORT_FD; sleep 0.2; printf 'two\\nthree\\nno end' >&$LANES_REPORT_FD");
    std::vector<std::string> lines;
    child.on_line = [&](const std::string& line) { lines.push_back(line); };
    QCOMPARE(run_child_process(child, 1000).status, 0);
    QCOMPARE(lines, (std::vector<std::string> {"one", "two", "three"}));
}

void tst_ChildProcess::namesTheSignal()
{
    auto child = shell("echo begun >&$LANES_REPORT_FD; kill -9 $$");
    std::vector<std::string> lines;
    child.on_line = [&](const std::string& line) { lines.push_back(line); };
    const auto end = run_child_process(child, 1000);
    QCOMPARE(end.status, -1);
    QCOMPARE(end.signal, 9);
    QCOMPARE(lines, std::vector<std::string> {"begun"});
    QCOMPARE(text_of(end), std::string("was killed by signal 9 (Killed)"));
}

void tst_ChildProcess::namesAFailedStart()
{
    ChildProcess child;
    child.arguments = {"/no/such/program"};
    QCOMPARE(run_child_process(child, 0).start_error, ENOENT);
    child.arguments = {"/"};
    QCOMPARE(run_child_process(child, 0).start_error, EACCES);
}

void tst_ChildProcess::namesAFailedStartAmongSignals()
{
    // The search takes some ms, and a signal comes every ms: it must not end the wait for the error.
    QByteArray path;
    for (int i = 0; i < 5000; ++i) {
        path += "/none" + QByteArray::number(i) + ':';
    }
    const auto usual_path = qgetenv("PATH");
    qputenv("PATH", path + "/none");
    struct sigaction action {
    }, usual_action {};
    action.sa_handler = [](int) {};
    sigaction(SIGALRM, &action, &usual_action);
    const itimerval often {{0, 1000}, {0, 1000}};
    const itimerval never {};
    setitimer(ITIMER_REAL, &often, nullptr);
    ChildProcess child;
    child.arguments = {"no-such-program"};
    const auto end = run_child_process(child, 0);
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &usual_action, nullptr);
    qputenv("PATH", usual_path);
    QCOMPARE(end.start_error, ENOENT);
}

void tst_ChildProcess::namesAPipeThatCannotBeMade()
{
    rlimit usual {};
    QCOMPARE(getrlimit(RLIMIT_NOFILE, &usual), 0);
    const rlimit none {0, usual.rlim_max};
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &none), 0);
    const auto end = run_child_process(shell("exit 7"), 0);
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &usual), 0);
    QCOMPARE(end.start_error, EMFILE);
}

void tst_ChildProcess::looksInEveryFolderOfPath_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("error");
    QTest::newRow("one folder cannot be read") << "locked:/usr/bin:/bin"
                                               << "no-such-program" << ENOENT;
    QTest::newRow("the last folder cannot be read") << "/usr/bin:locked"
                                                    << "no-such-program" << ENOENT;
    QTest::newRow("a folder of that name") << "folders:/usr/bin:/bin"
                                           << "no-such-program" << ENOENT;
    QTest::newRow("a file that may not be run") << "files:/usr/bin:/bin"
                                                << "no-such-program" << EACCES;
    QTest::newRow("a later folder has it") << "locked:folders:files:/usr/bin:/bin"
                                           << "true" << 0;
    QTest::newRow("a path to what may not be run") << "/usr/bin"
                                                   << "./files/no-such-program" << EACCES;
    QTest::newRow("a path to nothing") << "/usr/bin"
                                       << "./none/no-such-program" << ENOENT;
}

void tst_ChildProcess::looksInEveryFolderOfPath()
{
    QFETCH(QString, path);
    QFETCH(QString, program);
    QFETCH(int, error);
    const QTemporaryDir folder;
    QDir here(folder.path());
    QVERIFY(QFile::setPermissions(
        folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ExeGroup | QFile::ExeOther));
    QVERIFY(here.mkpath("locked") && here.mkpath("folders/no-such-program") && here.mkpath("files"));
    QFile file(here.filePath("files/no-such-program"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(QFile::setPermissions(here.filePath("locked"), {}));
    const auto usual_path = qgetenv("PATH");
    const auto usual_folder = QDir::currentPath();
    const auto user = geteuid();
    QVERIFY(QDir::setCurrent(folder.path()));
    qputenv("PATH", path.toUtf8());
    const bool demoted = user == 0 && seteuid(65534) == 0;  // root may read every folder
    ChildProcess child;
    child.arguments = {program.toStdString()};
    const auto end = run_child_process(child, 0);
    QVERIFY(!demoted || seteuid(user) == 0);
    qputenv("PATH", usual_path);
    QDir::setCurrent(usual_folder);
    QVERIFY(QFile::setPermissions(here.filePath("locked"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QCOMPARE(end.start_error, error);
}

void tst_ChildProcess::setsTheEnvironmentOverItsOwn()
{
    qputenv("LANES_TEST_A", "old");
    qputenv("LANES_TEST_AB", "kept");
    auto child = shell("test \"$LANES_TEST_A/$LANES_TEST_AB\" = new/kept");
    child.environment = {{"LANES_TEST_A", "new"}};
    QCOMPARE(run_child_process(child, 0).status, 0);
}

void tst_ChildProcess::passesASignalOn()
{
    const CaughtSignals caught;
    auto child = shell("trap 'exit 9' TERM; echo ready >&$LANES_REPORT_FD; while :; do sleep 0.05; done");
    std::thread sender;
    child.on_line = [&](const std::string&) { sender = std::thread([] { kill(getpid(), SIGINT); }); };
    const auto end = run_child_process(child, 60'000);
    sender.join();
    QCOMPARE(end.status, 9);
    QCOMPARE(CaughtSignals::first(), SIGINT);
}

void tst_ChildProcess::passesOnEachOfSeveralSignals_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("second");
    QTest::addColumn<bool>("toGroup");
    QTest::addColumn<int>("status");
    QTest::newRow("save, then end") << SIGUSR1 << SIGTERM << false << 11;
    QTest::newRow("the group has SIGINT already") << SIGINT << SIGUSR1 << true << 1;
}

/// A batch system asks a program to save itself, and soon after to end.
void tst_ChildProcess::passesOnEachOfSeveralSignals()
{
    QFETCH(int, first);
    QFETCH(int, second);
    QFETCH(bool, toGroup);
    QFETCH(int, status);
    if (toGroup) {
        qputenv(group_signals_variable, "1");
    }
    const CaughtSignals caught;
    auto child = shell("n=0; trap 'n=$((n + 1))' USR1; trap 'n=$((n + 10))' TERM; trap 'n=$((n + 100))' INT; "
                       "echo ready >&$LANES_REPORT_FD; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done; exit $n");
    child.on_line = [&](const std::string&) {
        raise(first);
        raise(second);
    };
    const auto end = run_child_process(child, 0);
    qunsetenv(group_signals_variable);
    QCOMPARE(end.status, status);
}

void tst_ChildProcess::passesOnWhatCameBeforeTheWait_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("patience");
    QTest::addColumn<int>("ended_by");
    QTest::newRow("SIGTERM") << SIGTERM << 0 << SIGTERM;
    QTest::newRow("SIGTERM, and it would be killed in time") << SIGTERM << 60'000 << SIGTERM;
    QTest::newRow("SIGINT, which a process sent") << SIGINT << 0 << SIGINT;
    QTest::newRow("SIGHUP") << SIGHUP << 0 << SIGHUP;
    QTest::newRow("SIGQUIT") << SIGQUIT << 0 << SIGQUIT;
    QTest::newRow("SIGUSR1") << SIGUSR1 << 0 << SIGUSR1;
    QTest::newRow("SIGUSR2") << SIGUSR2 << 0 << SIGUSR2;
    QTest::newRow("SIGALRM") << SIGALRM << 0 << SIGALRM;
    QTest::newRow("SIGUSR1, and it would be killed in time") << SIGUSR1 << 60'000 << SIGTERM;
}

/// A sender sends its signal only once: it must not matter when it comes.
void tst_ChildProcess::passesOnWhatCameBeforeTheWait()
{
    QFETCH(int, signal);
    QFETCH(int, patience);
    QFETCH(int, ended_by);
    const CaughtSignals caught;
    QCOMPARE(raise(signal), 0);
    const auto end = run_child_process(shell("exec sleep 20"), patience);
    QCOMPARE(end.signal, ended_by);
    QCOMPARE(end.status, -1);
}

/// The signals come at any time during the wait, to any thread.
void tst_ChildProcess::losesNoSignal()
{
    for (int turn = 0; turn < 200; ++turn) {
        const CaughtSignals caught;
        std::thread sender([turn] {
            std::this_thread::sleep_for(std::chrono::microseconds(20 * turn));
            kill(getpid(), SIGTERM);
        });
        const auto end = run_child_process(shell("exec sleep 20"), 0);
        sender.join();
        QCOMPARE(end.signal, SIGTERM);
    }
}

void tst_ChildProcess::killsWhatDoesNotObey()
{
    const CaughtSignals caught;
    auto child = shell("trap '' TERM; echo ready >&$LANES_REPORT_FD; while :; do sleep 0.05; done");
    std::thread sender;
    child.on_line = [&](const std::string&) { sender = std::thread([] { kill(getpid(), SIGTERM); }); };
    const auto end = run_child_process(child, 400);
    sender.join();
    QCOMPARE(end.signal, SIGKILL);
}

QTEST_GUILESS_MAIN(tst_ChildProcess)
#include "tst_child_process.moc"
