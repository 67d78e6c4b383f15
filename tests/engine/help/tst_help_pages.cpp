// SPDX-License-Identifier: MIT
// What --help prints is in the man page and is offered by the completions, and the files for desktops are valid.
#include "engine/help/command_words.h"

#include <QtTest>

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

using namespace lanes;

namespace {

const QString build = QStringLiteral(BUILD);
const QString desktop = QStringLiteral(SOURCE "/resources/desktop/");

struct Output {
    int status = -1;
    QString text, errors;
};

Output run(const QString& program, const QStringList& words)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(
        QStringLiteral("PATH"), build + QStringLiteral("/bin:") + environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    process.setProcessEnvironment(environment);
    process.start(program, words);
    if (!process.waitForFinished(60'000)) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError())};
}

QString read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString page(const QString& program, const QString& name)
{
    return build + QStringLiteral("/share/%1/%2").arg(program, name);
}

QString bashScript(const QString& program)
{
    return page(program, QStringLiteral("bash-completion/completions/") + program);
}

/// The names of options that --help lists: those at the start of a line.
QStringList listedOptions(const QStringList& command)
{
    static const QRegularExpression line(QStringLiteral("^  (-[^\\s].*)$"), QRegularExpression::MultilineOption);
    static const QRegularExpression name(QStringLiteral("(?:^|[ ,])(--?[a-zA-Z][a-z-]*)"));
    QStringList names;
    const auto help = run(
        build + QStringLiteral("/bin/") + command.first(), command.mid(1) + QStringList {QStringLiteral("--help")})
                          .text;
    for (auto lines = line.globalMatch(help); lines.hasNext();) {
        const QString words
            = lines.next().captured(1).section(QStringLiteral("  "), 0, 0).section(QStringLiteral("Excludes"), 0, 0);
        for (auto each = name.globalMatch(words); each.hasNext();) {
            names += each.next().captured(1);
        }
    }
    return names;
}

/// What bash offers for these words, the last of which is incomplete.
QStringList offered(const QString& program, const QStringList& words)
{
    QString quoted;
    for (const auto& word : words) {
        quoted += QStringLiteral(" '%1'").arg(word);
    }
    const auto script
        = QStringLiteral("source '%1'; COMP_WORDS=(%2); COMP_CWORD=%3; _%4; printf '%s\\n' \"${COMPREPLY[@]}\"")
              .arg(bashScript(program), quoted)
              .arg(words.size() - 1)
              .arg(program);
    return run(QStringLiteral("bash"), {QStringLiteral("--norc"), QStringLiteral("-c"), script})
        .text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

}  // namespace

class tst_HelpPages : public QObject {
    Q_OBJECT
private slots:
    void everyOption_data();
    void everyOption();
    void bashOffers_data();
    void bashOffers();
    void isAccepted_data();
    void isAccepted();
    void pageIsWithoutWarnings_data();
    void pageIsWithoutWarnings();
    void escapesWhatShellsAndRoffRead();
};

void tst_HelpPages::everyOption_data()
{
    QTest::addColumn<QStringList>("command");
    const auto help = run(build + QStringLiteral("/bin/lanes"), {QStringLiteral("--help")}).text;
    const auto commands = help.section(QStringLiteral("Subcommands:"), 1).section(QStringLiteral("Exit status"), 0, 0);
    QTest::newRow("lanes") << QStringList {QStringLiteral("lanes")};
    int count = 0;
    for (const auto& line : commands.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const auto name = line.trimmed().section(QLatin1Char(' '), 0, 0);
        QTest::newRow(qPrintable(QStringLiteral("lanes ") + name)) << QStringList {QStringLiteral("lanes"), name};
        ++count;
    }
    QVERIFY(count >= 10);
#ifdef LANES_GUI
    QTest::newRow("lanescope") << QStringList {QStringLiteral("lanescope")};
    QTest::newRow("lanescope render") << QStringList {QStringLiteral("lanescope"), QStringLiteral("render")};
#endif
}

void tst_HelpPages::everyOption()
{
    QFETCH(QStringList, command);
    const auto names = listedOptions(command);
    QVERIFY2(!names.isEmpty(), "--help lists no option");
    QVERIFY(names.contains(QStringLiteral("--help")));
    const auto man = read(page(command.first(), QStringLiteral("man/man1/%1.1").arg(command.first())));
    const auto part = command.size() == 1
        ? man.section(QStringLiteral(".SH OPTIONS"), 1).section(QStringLiteral("\n.SH "), 0, 0)
        : man.section(QStringLiteral(".SS \"%1\"").arg(command.join(QLatin1Char(' '))), 1)
              .section(QStringLiteral("\n.S"), 0, 0);
    const auto zsh = read(page(command.first(), QStringLiteral("zsh/site-functions/_") + command.first()));
    const auto fish
        = read(page(command.first(), QStringLiteral("fish/vendor_completions.d/%1.fish").arg(command.first())));
    for (const auto& name : names) {
        auto roff = name;
        roff.replace(QLatin1Char('-'), QStringLiteral("\\-"));
        QVERIFY2(part.contains(QStringLiteral("\\fB%1\\fP").arg(roff)),
            qPrintable(name + QStringLiteral(" is not in the man page:\n") + part));
        QVERIFY2(offered(command.first(), command + QStringList {name}).contains(name),
            qPrintable(name + QStringLiteral(" is not offered by bash")));
        QVERIFY2(zsh.contains(QStringLiteral("'*%1[").arg(name)),
            qPrintable(name + QStringLiteral(" is not offered by zsh")));
        const bool isLong = name.startsWith(QLatin1String("--"));
        const auto where
            = command.size() == 1 ? QString() : QStringLiteral("__fish_seen_subcommand_from %1'").arg(command[1]);
        const QRegularExpression inFish(
            QStringLiteral("%1.* -%2 %3 ")
                .arg(where, isLong ? QStringLiteral("l") : QStringLiteral("s"), name.mid(isLong ? 2 : 1)));
        QVERIFY2(fish.contains(inFish), qPrintable(name + QStringLiteral(" is not offered by fish")));
    }
}

void tst_HelpPages::bashOffers_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("missing");
    QTest::newRow("commands") << "lanes"
                              << "lanes re"
                              << "record report"
                              << "run";
    QTest::newRow("no command after a command") << "lanes"
                                                << "lanes report co"
                                                << ""
                                                << "compare convert";
    QTest::newRow("workloads") << "lanes"
                               << "lanes run copy-results"
                               << "copy-results-back"
                               << "two-gpus";
    QTest::newRow("words of a value") << "lanes"
                                      << "lanes run --progress j"
                                      << "json"
                                      << "bar";
    QTest::newRow("words of several") << "lanes"
                                      << "lanes summary --by k"
                                      << "kernel"
                                      << "copy";
    QTest::newRow("an option's free value") << "lanes"
                                            << "lanes run --repeat -"
                                            << ""
                                            << "--repeat --device";
#ifdef LANES_GUI
    QTest::newRow("render") << "lanescope"
                            << "lanescope re"
                            << "render"
                            << "";
    QTest::newRow("theme") << "lanescope"
                           << "lanescope render --theme p"
                           << "print"
                           << "dark";
#endif
}

void tst_HelpPages::bashOffers()
{
    QFETCH(QString, program);
    QFETCH(QString, words);
    QFETCH(QString, expected);
    QFETCH(QString, missing);
    const auto found = offered(program, words.split(QLatin1Char(' ')));
    for (const auto& word : expected.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        QVERIFY2(
            found.contains(word), qPrintable(word + QStringLiteral(" is not among: ") + found.join(QLatin1Char(' '))));
    }
    for (const auto& word : missing.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        QVERIFY2(!found.contains(word), qPrintable(word + QStringLiteral(" is offered")));
    }
}

/// For each shell that is installed here; bash is everywhere.
void tst_HelpPages::isAccepted_data()
{
    QTest::addColumn<QString>("reader");
    QTest::addColumn<QStringList>("words");
    QStringList programs {QStringLiteral("lanes")};
#ifdef LANES_GUI
    programs += QStringLiteral("lanescope");
#endif
    for (const auto& program : programs) {
        const auto row = [&](const char* reader, const QStringList& words) {
            QTest::addRow("%s: %s", reader, qPrintable(program)) << QString::fromLatin1(reader) << words;
        };
        row("bash", {QStringLiteral("-n"), bashScript(program)});
        row("zsh", {QStringLiteral("-n"), page(program, QStringLiteral("zsh/site-functions/_") + program)});
        row("fish",
            {QStringLiteral("--no-execute"),
                page(program, QStringLiteral("fish/vendor_completions.d/%1.fish").arg(program))});
    }
    QTest::newRow("desktop-file-validate")
        << "desktop-file-validate" << QStringList {desktop + QStringLiteral("lanescope.desktop")};
    QTest::newRow("appstreamcli") << "appstreamcli"
                                  << QStringList {QStringLiteral("validate"), QStringLiteral("--no-net"),
                                         desktop + QStringLiteral("lanescope.metainfo.xml")};
    QTest::newRow("xmllint") << "xmllint"
                             << QStringList {QStringLiteral("--noout"), desktop + QStringLiteral("lanescope.xml")};
}

void tst_HelpPages::isAccepted()
{
    QFETCH(QString, reader);
    QFETCH(QStringList, words);
    const auto program = QStandardPaths::findExecutable(reader);
    if (program.isEmpty()) {
        QSKIP(qPrintable(reader + QStringLiteral(" is not installed")));
    }
    const auto output = run(program, words);
    QVERIFY2(output.status == 0 && output.errors.isEmpty(), qPrintable(output.text + output.errors));
}

void tst_HelpPages::pageIsWithoutWarnings_data()
{
    QTest::addColumn<QString>("program");
    QTest::newRow("lanes") << "lanes";
#ifdef LANES_GUI
    QTest::newRow("lanescope") << "lanescope";
#endif
}

void tst_HelpPages::pageIsWithoutWarnings()
{
    QFETCH(QString, program);
    const auto groff = QStandardPaths::findExecutable(QStringLiteral("groff"));
    if (groff.isEmpty()) {
        QSKIP("groff is not installed");
    }
    const auto output = run(groff,
        {QStringLiteral("-man"), QStringLiteral("-Tutf8"), QStringLiteral("-ww"),
            page(program, QStringLiteral("man/man1/%1.1").arg(program))});
    QVERIFY2(output.errors.isEmpty(), qPrintable(output.errors));
    QVERIFY(output.text.contains(QStringLiteral("User commands")));
}

void tst_HelpPages::escapesWhatShellsAndRoffRead()
{
    HelpOption option;
    option.names = {"--odd"};
    option.text = ".it's [a:b] \\ `c`";
    const HelpCommand program {.name = "x",
        .text = "does",
        .notes = "'quoted\n\n  .example\n",
        .options = {option},
        .words = {},
        .commands = {}};
    const auto man = man_page(program, "1");
    QVERIFY(man.find("\n\\&.it's [a:b] \\e \\(gac\\(ga\n") != std::string::npos);
    QVERIFY(man.find("\n\\&'quoted\n") != std::string::npos);
    QVERIFY(zsh_completion(program).find(".it'\\''s \\[a\\:b\\] \\\\ `c`") != std::string::npos);
    QVERIFY(fish_completion(program).find("'.it\\'s [a:b] \\\\ `c`'") != std::string::npos);
    QCOMPARE(value_kind("FILE"), ValueKind::file);
    QCOMPARE(value_kind("A:B"), ValueKind::none);
}

QTEST_GUILESS_MAIN(tst_HelpPages)
#include "tst_help_pages.moc"
