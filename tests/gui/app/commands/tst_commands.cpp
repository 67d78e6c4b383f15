// SPDX-License-Identifier: MIT
#include "gui/app/commands/command_table.h"
#include "gui/app/frame/command_line.h"
#include "gui/app/frame/language.h"
#include "gui/app/frame/main_window.h"
#include "gui/paint/item_box.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline_view.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QFile>
#include <QKeyEvent>
#include <QLabel>
#include <QLibraryInfo>
#include <QLineEdit>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QPushButton>
#include <QSet>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>
#include <QTreeWidget>
#include <QXmlStreamReader>

#include <sys/stat.h>

using namespace lanes::gui;

class tst_commands : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> m_window;
    CommandTable m_table;

private slots:
    void initTestCase();
    void everyCommandIsComplete();
    void noKeyIsTakenTwice_data();
    void noKeyIsTakenTwice();
    void aKeyGoesFromOneCommandToAnother();
    void chosenKeysAreKept();
    void thePageChangesKeys();
    void noMenuHasAMnemonicTwice_data();
    void noMenuHasAMnemonicTwice();
    void everyTimelineActionHasACommand();
    void commandLine_data();
    void commandLine();
    void aWrongFileOpensTheWindowOfADesktop();
    void commandLineTakesFiles();
    void everyTextIsInChinese();
};

void tst_commands::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources");
    qputenv("LANES_PROGRAM", "/no/such/lanes");
    m_window = std::make_unique<MainWindow>();
    m_table = m_window->commands();
}

void tst_commands::everyCommandIsComplete()
{
    QSet<QByteArray> ids;
    QVERIFY(m_table.size() > 90);
    for (const Command& command : m_table) {
        QVERIFY2(!ids.contains(command.id), command.id);
        ids.insert(command.id);
        QVERIFY2(QByteArray(command.id).contains('.'), command.id);
        QVERIFY2(static_cast<bool>(command.run), command.id);
        QVERIFY2(!plainText(command).isEmpty(), command.id);
        QVERIFY2(!plainText(command).contains(QLatin1Char('&')), command.id);
        QVERIFY2(command.tip.size() > 8, command.id);
        QVERIFY2(!menuText(command.menu).isEmpty(), command.id);
        for (const QKeySequence& key : windowKeys(command)) {
            QVERIFY2(!key.isEmpty() && !key.toString().isEmpty(), command.id);
        }
        if (!keysText(command).isEmpty()) {
            QVERIFY2(tooltipOf(command).contains(keysText(command)), command.id);
        }
    }
}

void tst_commands::noKeyIsTakenTwice_data()
{
    QTest::addColumn<KeyChoice>("choice");
    for (const KeyPreset& preset : keyPresets()) {
        QTest::newRow(preset.id) << preset.choice;
    }
}

void tst_commands::noKeyIsTakenTwice()
{
    QFETCH(KeyChoice, choice);
    CommandTable table = m_table;
    table.setKeys(choice);
    for (auto chosen = choice.keys.begin(); chosen != choice.keys.end(); ++chosen) {
        QVERIFY2(table.find(chosen.key()) != nullptr, chosen.key());
        for (const QKeySequence& key : *chosen) {
            QVERIFY2(table.owner(key) != nullptr && table.owner(key)->id == chosen.key(), qPrintable(key.toString()));
        }
    }
    QMap<QString, QByteArray> owner;
    for (const Command& command : table) {
        for (const QKeySequence& key : windowKeys(command) + timelineKeys(command)) {
            const QString text = key.toString(QKeySequence::PortableText);
            const QByteArray other = owner.value(text, command.id);
            QVERIFY2(other == command.id,
                qPrintable(QStringLiteral("%1: %2 and %3").arg(text, QLatin1String(other), QLatin1String(command.id))));
            owner[text] = command.id;
        }
    }
    table.setKeys({});
}

void tst_commands::aKeyGoesFromOneCommandToAnother()
{
    CommandTable table = m_table;
    const auto keys = [&](const char* id) { return keysText(*table.find(id)); };
    const QString pinned = keys("lanes.pin"), longest = keys("go.longest");
    QCOMPARE(table.owner(QKeySequence(QStringLiteral("P")))->id, "lanes.pin");
    table.setKeys(table.withKey("view.path", QKeySequence(QStringLiteral("P"))));
    QCOMPARE(keys("view.path"), QStringLiteral("K, P"));
    QVERIFY(keys("lanes.pin").isEmpty());
    // A letter is the timeline's where the command has an action there; a panel's search keeps it. Ctrl is everyone's.
    QVERIFY(timelineKeys(*table.find("view.path")).contains(QKeySequence(QStringLiteral("P"))));
    QKeyEvent pressed(QEvent::KeyPress, Qt::Key_P, Qt::NoModifier, QStringLiteral("p"));
    QVERIFY(actionOf(pressed) == TimelineAction::criticalPath);
    table.setKeys(table.withKey("view.path", QKeySequence(QStringLiteral("Ctrl+Alt+Shift+P"))));
    QCOMPARE(windowKeys(*table.find("view.path")), QList({QKeySequence(QStringLiteral("Ctrl+Alt+Shift+P"))}));
    // A command without an action of the timeline has its letter everywhere.
    table.setKeys(table.withKey("go.longest", QKeySequence(QStringLiteral("K"))));
    QCOMPARE(windowKeys(*table.find("go.longest")).last(), QKeySequence(QStringLiteral("K")));
    QCOMPARE(keys("view.path"), QStringLiteral("Ctrl+Alt+Shift+P, P"));
    // Its own keys come back from whoever has them now.
    table.setKeys(table.withOwnKeys("lanes.pin"));
    QCOMPARE(keys("lanes.pin"), pinned);
    QCOMPARE(keys("view.path"), QStringLiteral("Ctrl+Alt+Shift+P"));
    table.setKeys({});
    QCOMPARE(keys("go.longest"), longest);
    QCOMPARE(keys("view.path"), QStringLiteral("K"));
    QVERIFY(actionOf(pressed) == TimelineAction::pinLane);
}

void tst_commands::chosenKeysAreKept()
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    for (const KeyPreset& preset : keyPresets()) {
        store(preset.choice, settings);
        settings.sync();
        QVERIFY2(storedKeys(QSettings(settings.fileName(), QSettings::IniFormat)) == preset.choice, preset.id);
    }
    KeyChoice none;
    none.keys["lanes.pin"] = {};  // a command without keys has none the next time, too
    store(none, settings);
    QVERIFY(storedKeys(settings) == none);
}

void tst_commands::thePageChangesKeys()
{
    QAction* action = m_window->findChild<QAction*>(QStringLiteral("help.keys"));
    action->trigger();
    auto* page = m_window->findChild<QDialog*>(QStringLiteral("keysPage"));
    QVERIFY(page != nullptr);
    const auto choose = [&](const QString& text) {
        for (auto* list : page->findChildren<QTreeWidget*>()) {
            const QList<QTreeWidgetItem*> found = list->findItems(text, Qt::MatchExactly | Qt::MatchRecursive);
            if (!found.isEmpty()) {
                list->setCurrentItem(found.first());
            }
        }
    };
    auto* field = page->findChild<QLineEdit*>(QStringLiteral("newKey"));
    auto* add = page->findChild<QPushButton*>(QStringLiteral("addKey"));
    auto* presets = page->findChild<QComboBox*>(QStringLiteral("keyPresets"));
    const auto* tip = page->findChild<QLabel*>(QStringLiteral("keysTip"));
    QVERIFY(field->isHidden());
    choose(plainText(*m_window->commands().find("file.export")));
    QVERIFY(!field->isHidden() && !add->isEnabled());
    QTest::keyClick(field, Qt::Key_R, Qt::ControlModifier);
    QVERIFY2(tip->text().contains(plainText(*m_window->commands().find("run.run"))), qPrintable(tip->text()));
    QCOMPARE(presets->currentText(), QStringLiteral("Lanescope"));
    add->click();
    QCOMPARE(m_window->findChild<QAction*>(QStringLiteral("file.export"))->shortcuts().last(),
        QKeySequence(QStringLiteral("Ctrl+R")));
    QCOMPARE(m_window->findChild<QAction*>(QStringLiteral("run.run"))->shortcuts(),
        QList({QKeySequence(QStringLiteral("F5"))}));
    QCOMPARE(presets->currentText(), QStringLiteral("changed"));
    QVERIFY(storedKeys(QSettings()).keys.contains("file.export"));
    QVERIFY(!m_window->findChild<QAction*>(QStringLiteral("run.run"))->toolTip().contains(QStringLiteral("Ctrl+R")));
    presets->setCurrentIndex(0);
    emit presets->activated(0);
    QCOMPARE(m_window->findChild<QAction*>(QStringLiteral("run.run"))->shortcuts().size(), 2);
    QVERIFY(storedKeys(QSettings()) == KeyChoice());
    page->close();
}

void tst_commands::noMenuHasAMnemonicTwice_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << "en";
    QTest::newRow("Chinese") << "zh_CN";
}

/// The menus, with their submenus and the context menus: a letter that two entries share chooses neither.
void tst_commands::noMenuHasAMnemonicTwice()
{
    QFETCH(QString, language);
    speak(language);
    MainWindow window;
    window.show();
    window.openFiles({qEnvironmentVariable("LANES_SOURCE")
        + QStringLiteral("/resources/recordings/h200/copy-results-back.blocking.sqlite")});
    QTRY_COMPARE(window.workspace().count(), 1);
    TimelineView& view = *window.timeline().view(0);
    QTRY_VERIFY(view.timeline().lanes().model()->isReady());
    const auto box = boxOf(view.timeline().frame(), {ItemKind::operation, 0});
    QVERIFY(box);
    const QPoint at = box->center().toPoint();
    QContextMenuEvent asked(QContextMenuEvent::Mouse, at, view.mapToGlobal(at));
    QCoreApplication::sendEvent(&view, &asked);  // so that the menu of an event is filled
    QList<QWidget*> menus {window.menuBar()};
    for (QMenu* menu : window.findChildren<QMenu*>()) {
        menu->hide();
        menus += menu;
    }
    QVERIFY(menus.size() > 14);
    int seen = 0;
    QStringList twice;
    for (const QWidget* menu : menus) {
        QMap<QChar, QString> taken;
        for (const QAction* entry : menu->actions()) {
            QString text = entry->text();
            text.remove(QStringLiteral("&&"));
            const qsizetype mark = text.indexOf(QLatin1Char('&'));
            if (mark < 0 || mark + 1 == text.size() || entry->isSeparator()) {
                continue;
            }
            ++seen;
            const QChar letter = text[mark + 1].toUpper();
            if (taken.contains(letter)) {
                twice += QStringLiteral("%1: %2 and %3").arg(letter).arg(taken[letter], text);
            }
            taken[letter] = text;
        }
    }
    QVERIFY(seen > 100);
    speak(QStringLiteral("en"));
    QVERIFY2(twice.isEmpty(), qPrintable(twice.join(QLatin1Char('\n'))));
}

void tst_commands::everyTimelineActionHasACommand()
{
    for (const TimelineActionInfo& info : timelineActions()) {
        int commands = 0;
        for (const Command& command : m_table) {
            commands += command.timeline == info.action;
        }
        QVERIFY2(commands == 1, qPrintable(QStringLiteral("action %1").arg(static_cast<int>(info.action))));
    }
}

void tst_commands::commandLine_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("what");
    QTest::addColumn<QString>("error");
    using What = CommandLine::What;
    const auto row = [](const char* name, const QStringList& words, What what, const char* error) {
        QTest::newRow(name) << words << static_cast<int>(what) << QString::fromLatin1(error);
    };
    row("nothing", {}, What::window, "");
    row("help", {"--help"}, What::help, "");
    row("version", {"--version"}, What::version, "");
    row("language", {"--lang", "zh_CN"}, What::window, "");
    row("language joined", {"--lang=en"}, What::window, "");
    row("no language", {"--lang"}, What::error, "--lang needs");
    row("no row", {"--row"}, What::error, "--row needs the id of a row");
    row("a row of nothing", {"--row", "call:3"}, What::error, "--row needs one recording");
    row("unknown language", {"--lang", "fr"}, What::error, "fr");
    row("unknown option", {"--fast"}, What::error, "--fast");
    row("nearly an option", {"--lan=en"}, What::error, "Unknown option --lan=en; did you mean --lang?");
    row("an option of pictures", {"--theme", "dark"}, What::error, "--theme is an option of pictures");
    row("an option of pictures, short", {"-o", "x.png"}, What::error, "-o is an option of pictures");
    row("nearly an option of pictures", {"--them", "dark"}, What::error, "--theme is an option of pictures");
    row("nearly a command", {"rendr", "a.sqlite"}, What::error, "rendr: no such file; did you mean lanescope render?");
    row("no such file", {"not-there.sqlite"}, What::error, "not-there.sqlite: no such file");
    row("an option's look behind --", {"--", "--help"}, What::error, "--help: no such file");
    row("a folder", {QDir::tempPath()}, What::error, "is a folder");
}

void tst_commands::commandLine()
{
    QFETCH(QStringList, words);
    QFETCH(int, what);
    QFETCH(QString, error);
    const CommandLine line = readCommandLine(words);
    QCOMPARE(static_cast<int>(line.what), what);
    QVERIFY2(line.error.contains(error), qPrintable(line.error));
    QCOMPARE(line.error.isEmpty(), line.what != CommandLine::What::error);
    QVERIFY(!line.error.contains(QLatin1Char('\n')));
}

/// On a desktop no terminal shows the line.
void tst_commands::aWrongFileOpensTheWindowOfADesktop()
{
    const CommandLine file = readCommandLine({QStringLiteral("not-there.sqlite")});
    QVERIFY(opensWindowAllTheSame(file, false, true));
    QVERIFY(!opensWindowAllTheSame(file, true, true));
    QVERIFY(!opensWindowAllTheSame(file, false, false));
    QVERIFY(!opensWindowAllTheSame(readCommandLine({QStringLiteral("--fast")}), false, true));
    QVERIFY(!opensWindowAllTheSame(readCommandLine({QStringLiteral("--help")}), false, true));
}

void tst_commands::commandLineTakesFiles()
{
    QTemporaryDir folder;
    QStringList files;
    for (const char* name : {"a.sqlite", "b.sqlite", "c.sqlite", "w.yaml"}) {
        QFile file(folder.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("SQLite format 3", 16);  // with its end
        files += file.fileName();
    }
    QCOMPARE(readCommandLine({files[0], files[3], files[1]}).files, (QStringList {files[0], files[3], files[1]}));
    QVERIFY(readCommandLine(files).error.contains(QStringLiteral("c.sqlite")));  // a third recording
    const CommandLine ranks = readCommandLine(QStringList {QStringLiteral("--ranks")} + files);
    QVERIFY2(ranks.ranks && ranks.files == files, qPrintable(ranks.error));
    QVERIFY(readCommandLine({QStringLiteral("--ranks"), files[0]})
                .error.contains(QStringLiteral("two or more recordings")));
    QFile picture(folder.filePath(QStringLiteral("picture.png")));
    QVERIFY(picture.open(QIODevice::WriteOnly));
    picture.write("\x89PNG");
    picture.close();
    QVERIFY(readCommandLine({picture.fileName()}).error.contains(QStringLiteral("picture.png: is ")));
    for (const char* name : {"fifo.sqlite", "fifo.yaml"}) {  // to open one would wait for ever
        const QString fifo = folder.filePath(QLatin1String(name));
        QCOMPARE(mkfifo(fifo.toLocal8Bit(), 0600), 0);
        QVERIFY(readCommandLine({fifo}).error.contains(QStringLiteral("is a FIFO, a device or a socket")));
    }
}

/// As Qt's own tool finds the texts: those that are not in the file count as missing, like those without Chinese.
/// One thing has one word.
void tst_commands::everyTextIsInChinese()
{
    const QString lupdate = QStandardPaths::findExecutable(QStringLiteral("lupdate"),
        {QLibraryInfo::path(QLibraryInfo::BinariesPath), QStringLiteral("/usr/lib/qt6/bin")});
    if (lupdate.isEmpty()) {
        QSKIP("Qt's lupdate is not here (qt6-l10n-tools)");
    }
    const QString source = qEnvironmentVariable("LANES_SOURCE");
    const QTemporaryDir folder;
    const QString texts = folder.filePath(QStringLiteral("lanescope_zh_CN.ts"));
    QVERIFY(QFile::copy(source + QStringLiteral("/resources/translations/lanescope_zh_CN.ts"), texts));
    QProcess tool;
    tool.start(lupdate,
        {QStringLiteral("-silent"), QStringLiteral("-no-obsolete"), QStringLiteral("-locations"),
            QStringLiteral("none"), QStringLiteral("-extensions"), QStringLiteral("h,cpp"), QStringLiteral("-I"),
            source, source + QStringLiteral("/gui"), QStringLiteral("-ts"), texts});
    QVERIFY(tool.waitForFinished(60000));
    QCOMPARE(tool.exitCode(), 0);
    QFile file(texts);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QString text;
    int read = 0;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) {
            continue;
        }
        if (xml.name() == QLatin1String("source")) {
            text = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            const bool unfinished = xml.attributes().value(QLatin1String("type")) == QLatin1String("unfinished");
            QVERIFY2(!unfinished, qPrintable(QStringLiteral("not in Chinese: ") + text));
            const QString chinese = xml.readElementText(QXmlStreamReader::IncludeChildElements);
            for (const auto& [other, word] : {std::pair("暴露", "未隐藏"), std::pair("步长", "每步时长")}) {
                QVERIFY2(!chinese.contains(QString::fromUtf8(other)),
                    qPrintable(
                        text + QStringLiteral(" is called ") + QString::fromUtf8(word) + QStringLiteral(" here")));
            }
            for (const char* place : {"%1", "%2", "%3", "%L1", "%L3"}) {
                QVERIFY2(text.contains(QLatin1String(place)) == chinese.contains(QLatin1String(place)),
                    qPrintable(text + QStringLiteral(" | ") + chinese));
            }
            ++read;
        }
    }
    QVERIFY(read > 500);
}

QTEST_MAIN(tst_commands)
#include "tst_commands.moc"
