// SPDX-License-Identifier: MIT
// Every command of the table, carried out through each of its keys and through its menu
// entry by real events; and none lacks a trial, a menu entry or a line of help.
#include "tests/effort.h"
#include "tests/gui/app/command_trials/trials.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QStandardPaths>
#include <QTest>
#include <QTreeWidget>

using namespace lanes;
using namespace lanes::gui;

class tst_command_trials : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyCommandHasOneTrial();
    void everyCommandIsInAMenu();
    void noLineOfThePageOfKeysIsCut_data();
    void noLineOfThePageOfKeysIsCut();
    void everyCommandIsOnThePageOfKeys();
    void trial_data();
    void trial();
};

namespace {

enum Way { window_key, timeline_key, menu };

const CommandTrial* trialOf(const QByteArray& id)
{
    for (const CommandTrial& trial : commandTrials()) {
        if (id == trial.id) {
            return &trial;
        }
    }
    return nullptr;
}

void entriesOf(const QList<QAction*>& entries, QList<QAction*>& all)
{
    for (QAction* entry : entries) {
        all += entry;
        if (entry->menu()) {
            entriesOf(entry->menu()->actions(), all);
        }
    }
}

}  // namespace

void tst_command_trials::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope-test"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_command_trials"));
    QApplication::setQuitOnLastWindowClosed(false);
    qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources");
    qputenv("LANES_PROGRAM", "/no/such/lanes");
}

void tst_command_trials::everyCommandHasOneTrial()
{
    TrialStage stage;
    const CommandTable& table = stage.window().commands();
    for (const Command& command : table) {
        int trials = 0;
        for (const CommandTrial& trial : commandTrials()) {
            trials += qstrcmp(trial.id, command.id) == 0;
        }
        QVERIFY2(trials == 1,
            qPrintable(QStringLiteral("%1 has %2 rows in trials.cpp").arg(QLatin1String(command.id)).arg(trials)));
    }
    for (const CommandTrial& trial : commandTrials()) {
        QVERIFY2(table.find(trial.id) != nullptr, trial.id);
        QVERIFY2(trial.prepare && trial.seen, trial.id);
    }
}

void tst_command_trials::everyCommandIsInAMenu()
{
    TrialStage stage;
    QList<QAction*> entries;
    entriesOf(stage.window().menuBar()->actions(), entries);
    for (const Command& command : stage.window().commands()) {
        QAction* action = stage.window().action(command.id);
        QVERIFY2(entries.count(action) == 1, command.id);
        QCOMPARE(action->text().section(QLatin1Char('\t'), 0, 0), command.text);
        // The menu shows the key.
        QCOMPARE(
            action->shortcut().isEmpty() && !action->text().contains(QLatin1Char('\t')), keysText(command).isEmpty());
        QCOMPARE(action->shortcuts(), windowKeys(command));
        QVERIFY2(action->isEnabled() == (!command.enabled || command.enabled()), command.id);
    }
}

void tst_command_trials::noLineOfThePageOfKeysIsCut_data()
{
    QTest::addColumn<QString>("words");
    for (const char* words : {"", "zoom", "range", "click", "Ctrl+E"}) {
        QTest::newRow(words) << QString(QLatin1String(words));
    }
}

void tst_command_trials::noLineOfThePageOfKeysIsCut()
{
    QFETCH(QString, words);
    TrialStage stage;
    QTest::keyClick(&stage.window(), Qt::Key_F1);
    QTRY_VERIFY(stage.dialog("keysPage"));
    QDialog* page = stage.dialog("keysPage");
    page->resize(1400, 680);
    page->findChild<QLineEdit*>()->setText(words);
    QTest::qWait(50);  // the columns take their widths
    for (const QTreeWidget* list : page->findChildren<QTreeWidget*>()) {
        for (QTreeWidgetItemIterator item(const_cast<QTreeWidget*>(list)); *item != nullptr && list->isVisible();
             ++item) {
            const int room = (*item)->isFirstColumnSpanned() ? list->viewport()->width() : list->columnWidth(0);
            const int wanted = list->fontMetrics().horizontalAdvance((*item)->text(0));
            constexpr int around = 14;  // the style sheet's padding, and Qt's own margin
            QVERIFY2(wanted + around + list->indentation() <= room, qPrintable((*item)->text(0)));
        }
    }
}

void tst_command_trials::everyCommandIsOnThePageOfKeys()
{
    TrialStage stage;
    QTest::keyClick(&stage.window(), Qt::Key_F1);
    QTRY_VERIFY(stage.dialog("keysPage"));
    QSet<QString> lines;
    for (const QTreeWidget* list : stage.dialog("keysPage")->findChildren<QTreeWidget*>()) {
        for (QTreeWidgetItemIterator item(const_cast<QTreeWidget*>(list)); *item != nullptr; ++item) {
            lines.insert((*item)->text(0) + QLatin1Char('|') + (*item)->text(1));
        }
    }
    for (const Command& command : stage.window().commands()) {
        QVERIFY2(lines.contains(plainText(command) + QLatin1Char('|') + keysText(command)), command.id);
    }
    QTest::keyClick(stage.dialog("keysPage"), Qt::Key_Escape);
    QTRY_VERIFY(!stage.dialog("keysPage"));
}

void tst_command_trials::trial_data()
{
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<int>("way");
    QTest::addColumn<QKeySequence>("key");
    TrialStage stage;
    int turn = 0;
    for (const Command& command : stage.window().commands()) {
        std::vector<std::pair<Way, QKeySequence>> ways;
        for (const QKeySequence& key : windowKeys(command)) {
            ways.emplace_back(window_key, key);
        }
        for (const QKeySequence& key : timelineKeys(command)) {
            ways.emplace_back(timeline_key, key);
        }
        ways.emplace_back(menu, QKeySequence());
        if (one_trial_in > 1) {  // still each command, and each way for some of them
            ways = {ways[static_cast<std::size_t>(turn++) % ways.size()]};
        }
        for (const auto& [way, key] : ways) {
            const QString by = way == menu ? QStringLiteral("the menu") : key.toString(QKeySequence::PortableText);
            QTest::addRow("%s by %s%s", command.id, qPrintable(by), way == timeline_key ? " in the timeline" : "")
                << QByteArray(command.id) << static_cast<int>(way) << key;
        }
    }
}

void tst_command_trials::trial()
{
    QFETCH(QByteArray, id);
    QFETCH(int, way);
    QFETCH(QKeySequence, key);
    const CommandTrial* trial = trialOf(id);
    QVERIFY2(trial != nullptr, id);
    TrialStage stage;
    const Command* command = stage.window().commands().find(id);
    trial->prepare(stage);
    if (QTest::currentTestFailed()) {
        return;
    }
    stage.remember();
    QVERIFY2(!trial->seen(stage), "seen before the input: the trial shows nothing");
    if (way == menu) {
        stage.clickInMenu(*command);
    } else {
        stage.press(*command, key, way == timeline_key);
    }
    QTRY_VERIFY2(trial->seen(stage), "the command's effect is not seen");
    if (trial->then) {
        trial->then(stage);
    }
}

QTEST_MAIN(tst_command_trials)
#include "tst_command_trials.moc"
