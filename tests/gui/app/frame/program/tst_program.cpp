// SPDX-License-Identifier: MIT
// The program `lanescope` itself, as a shell starts it.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <unistd.h>

class tst_program : public QObject {
    Q_OBJECT

private slots:
    void saysWhatAWindowNeeds_data();
    void saysWhatAWindowNeeds();
    void aSignalLosesNoSettings_data();
    void aSignalLosesNoSettings();
    void anIgnoredSignalStaysIgnored();
    void oddFileNames_data();
    void oddFileNames();

private:
    /// The window without a screen, with its settings in `home`.
    static void start(QProcess& program, const QString& home, const QStringList& words = {})
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home);
        environment.insert(QStringLiteral("LANES_RESOURCES"), qEnvironmentVariable("LANES_SOURCE") + "/resources");
        program.setProcessEnvironment(environment);
        program.start(qEnvironmentVariable("LANES_BUILD") + "/bin/lanescope", words);
    }
    /// Whether the program handles the signal.
    static bool catches(const QProcess& program, int signal)
    {
        QFile status(QStringLiteral("/proc/%1/status").arg(program.processId()));
        if (!status.open(QIODevice::ReadOnly)) {
            return false;
        }
        static const QRegularExpression mask(QStringLiteral("SigCgt:\\s*([0-9a-f]+)"));
        const QString text = QString::fromLatin1(status.readAll());
        return (mask.match(text).captured(1).toULongLong(nullptr, 16) >> (signal - 1) & 1U) != 0;
    }
    static QString settings(const QString& home)
    {
        QFile file(home + QStringLiteral("/lanescope/lanescope.conf"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
};

void tst_program::saysWhatAWindowNeeds_data()
{
    QTest::addColumn<QStringList>("variables");
    QTest::addColumn<QString>("said");
    QTest::newRow("no display") << QStringList() << "there is no display";
    QTest::newRow("no X server") << QStringList {"DISPLAY=:987"}
                                 << "expected an X server that answers, found DISPLAY=\":987\"";
    QTest::newRow("Wayland, no Xwayland") << QStringList {"WAYLAND_DISPLAY=wayland-987", "QT_QPA_PLATFORM=xcb"}
                                          << "expected an X server that answers, found DISPLAY=\"\"";
}

void tst_program::saysWhatAWindowNeeds()
{
    QFETCH(QStringList, variables);
    QFETCH(QString, said);
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        environment.remove(QLatin1String(name));
    }
    for (const QString& variable : variables) {
        environment.insert(variable.section('=', 0, 0), variable.section('=', 1));
    }
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(qEnvironmentVariable("LANES_BUILD") + "/bin/lanescope", QStringList());
    QVERIFY(program.waitForFinished());
    const QString text = QString::fromUtf8(program.readAllStandardError());
    QVERIFY2(text.contains(said), qPrintable(text));
    QVERIFY(text.contains("`lanescope render`"));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 1);
}

void tst_program::aSignalLosesNoSettings_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("logout") << SIGTERM;
    QTest::newRow("the terminal goes") << SIGHUP;
    QTest::newRow("Ctrl+C in it") << SIGINT;
}

void tst_program::aSignalLosesNoSettings()
{
    QFETCH(int, signal);
    const QTemporaryDir home;
    QProcess program;
    start(program, home.path());
    QVERIFY(program.waitForStarted());
    QTRY_VERIFY(catches(program, signal));
    QTest::qWait(500);  // its window is there
    QVERIFY(settings(home.path()).isEmpty());
    QCOMPARE(::kill(static_cast<pid_t>(program.processId()), signal), 0);
    QVERIFY(program.waitForFinished());
    QVERIFY2(settings(home.path()).contains(QStringLiteral("theme=")), qPrintable(settings(home.path())));
    QCOMPARE(program.exitStatus(), QProcess::CrashExit);  // the sender sees that it was received
    QCOMPARE(program.exitCode(), signal);
}

void tst_program::anIgnoredSignalStaysIgnored()
{
    const QTemporaryDir home;
    QProcess program;
    program.setChildProcessModifier([] { ::signal(SIGHUP, SIG_IGN); });  // as nohup does
    start(program, home.path());
    QVERIFY(program.waitForStarted());
    QTRY_VERIFY(catches(program, SIGTERM));
    QVERIFY(!catches(program, SIGHUP));
    ::kill(static_cast<pid_t>(program.processId()), SIGHUP);
    QTest::qWait(300);
    QCOMPARE(program.state(), QProcess::Running);
    ::kill(static_cast<pid_t>(program.processId()), SIGTERM);
    QVERIFY(program.waitForFinished());
}

void tst_program::oddFileNames_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("render");
    QTest::addColumn<QByteArray>("said");
    for (const bool render : {false, true}) {
        const QByteArray of = render ? " (render)" : "";
        QTest::newRow("not UTF-8" + of) << QByteArray("a\xFF\xFE.sqlite") << render << QByteArray("not UTF-8");
        QTest::newRow("escapes" + of) << QByteArray("a\x1B[31m\nb.sqlite") << render << QByteArray(".sqlite");
        QTest::newRow("change of direction" + of) << QByteArray("a\xE2\x80\xAE"
                                                                "b.sqlite")
                                                  << render << QByteArray(".sqlite");
    }
}

/// Messages about a file send no control codes to the terminal.
void tst_program::oddFileNames()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, render);
    QFETCH(QByteArray, said);
    const QTemporaryDir home;
    const QByteArray path = home.path().toUtf8() + '/' + name;
    QVERIFY(QFile::copy(qEnvironmentVariable("LANES_SOURCE") + "/README.md", home.filePath("plain")));
    QCOMPARE(::rename(home.filePath("plain").toUtf8().constData(), path.constData()), 0);
    // A shell passes on the bytes; a QString could not.
    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {  // a desktop's would show it
        environment.remove(QLatin1String(variable));
    }
    program.setProcessEnvironment(environment);
    QFile script(home.filePath("try.sh"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("exec \"$1\" " + QByteArray(render ? "render -o \"$2/out.png\" " : "") + "\"$2\"/a*.sqlite\n");
    script.close();
    program.start(QStringLiteral("/bin/sh"),
        {script.fileName(), qEnvironmentVariable("LANES_BUILD") + "/bin/lanescope", home.path()});
    QVERIFY(program.waitForFinished());
    QCOMPARE(::unlink(path.constData()), 0);  // QTemporaryDir cannot name it
    const QByteArray text = program.readAllStandardError();
    QVERIFY2(text.contains(said), text.constData());
    QVERIFY2(!text.contains('\x1B') && !text.contains("\xE2\x80\xAE"), text.constData());
    QVERIFY2(text.count('\n') == 1 && text.endsWith('\n'), text.constData());
    QCOMPARE(program.exitCode(), 2);
}

QTEST_GUILESS_MAIN(tst_program)
#include "tst_program.moc"
