// SPDX-License-Identifier: MIT
// The program `lanescope` itself, as a shell starts it.
#include <QProcess>
#include <QTest>

class tst_program : public QObject {
    Q_OBJECT

private slots:
    void saysWhatAWindowNeeds_data();
    void saysWhatAWindowNeeds();
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

QTEST_GUILESS_MAIN(tst_program)
#include "tst_program.moc"
