// SPDX-License-Identifier: MIT
// What the window does when files change, vanish or are not recordings, and whether it can be used by keyboard and
// screen reader: real events on the real window, offscreen.
#include "gui/app/frame/notice_bar.h"
#include "gui/paint/words/utf8_text.h"
#include "gui/panels/editor/workload_editor.h"
#include "gui/panels/editor/yaml_edit.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/statistics_panel.h"
#include "gui/panels/workload_list.h"
#include "tests/gui/app/command_trials/trial_stage.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QStandardPaths>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_care : public QObject {
    Q_OBJECT

    static QString shipped(const char* name)
    {
        return QStringLiteral("%1/resources/recordings/h200/%2.sqlite")
            .arg(qEnvironmentVariable("LANES_SOURCE"), QLatin1String(name));
    }
    static QString notice(TrialStage& stage) { return stage.window().findChild<NoticeBar*>()->text(); }
    static QPushButton* offer(TrialStage& stage)
    {
        return stage.window().findChild<QPushButton*>(QStringLiteral("noticeOffer"));
    }
    static void openCopy(TrialStage& stage)
    {
        const QString path = stage.file("copy.sqlite");
        QVERIFY(QFile::copy(shipped("copy-results-back.blocking"), path));
        stage.window().openFiles({path});
        QTRY_COMPARE(stage.window().workspace().count(), 1);
        QTRY_VERIFY(!stage.window().isBusy());
    }
    static void drop(TrialStage& stage, const QString& file)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter({700, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&stage.window(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event({700, 400}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&stage.window(), &event);
    }

    static void write(TrialStage& stage, const char* milliseconds)
    {
        QFile file(stage.file("own.yaml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("title: {en: My own}\nthreads: {main: [{cpu: {time: ") + milliseconds + " ms}}]}\n");
    }
    static WorkloadEditor& editor(TrialStage& stage) { return *stage.window().findChild<WorkloadEditor*>(); }
    static void openOwn(TrialStage& stage, bool inEditor)
    {
        write(stage, "1");
        stage.window().openFiles({stage.file("own.yaml")});
        QVERIFY(stage.window().action("run.forget")->isEnabled());
        if (inEditor) {
            stage.window().action("run.edit")->trigger();
            QTRY_VERIFY(editor(stage).text().contains(QStringLiteral("1 ms")));
        }
        QTest::qWait(300);  // after the signals of its own writing
        QVERIFY2(notice(stage).isEmpty(), qPrintable(notice(stage)));
    }
    static bool runs(TrialStage& stage, const char* text)
    {
        return stage.window().findChild<WorkloadList*>()->selected()->source.find(text) != std::string::npos;
    }

    static constexpr std::array panelCommands {"go.findings", "go.statistics", "go.events"};

private slots:
    void initTestCase();
    void aFileRenamedOverIsOfferedAndReloadKeepsTheView();
    void aFileWrittenInPlaceIsOffered();
    void aDeletedFileStaysShown();
    void savingOverItIsNoChange();
    void aWorkloadChangedElsewhereIsOffered();
    void ownChangesToAWorkloadAreKept();
    void aDeletedWorkloadStaysShown();
    void aWrongTextKeepsRunOffWhenItsEditorIsClosed();
    void whatWasTypedLastRuns();
    void whatIsNotSavedOutlivesASignal();
    void aRecentFileThatIsGoneIsTakenOffTheList();
    void whatCannotBeOpenedSaysWhy_data();
    void whatCannotBeOpenedSaysWhy();
    void aDamagedRecordingLeavesTheWindow();
    void everythingThatTakesTheFocusHasAName_data();
    void everythingThatTakesTheFocusHasAName();
    void escReturnsToTheTimeline();
    void homeAndZeroShowEverything_data();
    void homeAndZeroShowEverything();
    void aKnobLeavesTheWindowItsKeys();
    void tabReachesEveryPanel();
    void figuresOfARangeComeLater();
};

void tst_care::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope-test"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_care"));
    QApplication::setQuitOnLastWindowClosed(false);
    qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources");
    qputenv("LANES_PROGRAM", "/no/such/lanes");
}

void tst_care::aFileRenamedOverIsOfferedAndReloadKeepsTheView()
{
    TrialStage stage;
    openCopy(stage);
    stage.window().action("go.timeline")->trigger();
    QTest::keyClick(&stage.view(), Qt::Key_W);
    stage.remember();
    for (int round = 0; round < 2; ++round) {  // the watch must outlive a rename
        QTest::qWait(400);
        const QString beside = stage.file("beside.sqlite");
        QVERIFY(
            QFile::copy(shipped(round == 0 ? "copy-results-back.overlapped" : "copy-results-back.blocking"), beside));
        QCOMPARE(::rename(qPrintable(beside), qPrintable(stage.file("copy.sqlite"))), 0);
        QTRY_VERIFY2(notice(stage).contains(QStringLiteral("copy.sqlite")), "no notice");
        QVERIFY(offer(stage)->isVisible());
        const OpenRecordingPtr before = stage.window().workspace().at(0);
        QTest::mouseClick(offer(stage), Qt::LeftButton);
        QTRY_VERIFY(stage.window().workspace().at(0) != before);
        QCOMPARE(text(stage.window().workspace().at(0)->title),
            round == 0 ? QStringLiteral("Overlapped copies") : QStringLiteral("Blocking copies"));
        QCOMPARE(stage.timeline().timeScale().nsPerColumn(),
            stage.before.scale.nsPerColumn());  // moved only where the other one is shorter
        QTRY_VERIFY(notice(stage).isEmpty());
    }
}

void tst_care::aFileWrittenInPlaceIsOffered()
{
    TrialStage stage;
    openCopy(stage);
    const OpenRecordingPtr before = stage.window().workspace().at(0);
    QFile file(stage.file("copy.sqlite"));
    QVERIFY(file.open(QIODevice::Append));
    file.write("more");
    file.close();
    QTRY_VERIFY(offer(stage)->isVisible());
    QCOMPARE(stage.window().workspace().at(0), before);
}

void tst_care::aDeletedFileStaysShown()
{
    TrialStage stage;
    openCopy(stage);
    const OpenRecordingPtr before = stage.window().workspace().at(0);
    QVERIFY(QFile::remove(stage.file("copy.sqlite")));
    QTRY_VERIFY2(notice(stage).contains(QStringLiteral("deleted")), qPrintable(notice(stage)));
    QVERIFY(!offer(stage)->isVisible());
    QCOMPARE(stage.window().workspace().at(0), before);
    QVERIFY(stage.timeline().isVisible());
}

void tst_care::savingOverItIsNoChange()
{
    TrialStage stage;
    openCopy(stage);
    stage.window().action("file.save-a")->trigger();
    QTRY_VERIFY(stage.dialog("fileDialog"));
    QVERIFY(QMetaObject::invokeMethod(
        stage.dialog("fileDialog"), "fileSelected", Q_ARG(QString, stage.file("copy.sqlite"))));
    QTest::keyClick(stage.dialog("fileDialog"), Qt::Key_Escape);
    QTRY_VERIFY(notice(stage).startsWith(QStringLiteral("Saved")));
    QTest::qWait(600);
    QVERIFY(!offer(stage)->isVisible());
}

void tst_care::aWorkloadChangedElsewhereIsOffered()
{
    for (const bool inEditor : {false, true}) {
        TrialStage stage;
        openOwn(stage, inEditor);
        write(stage, "1");  // anew, as it was
        QTest::qWait(600);
        QVERIFY2(notice(stage).isEmpty(), qPrintable(notice(stage)));
        write(stage, "22");
        QTRY_VERIFY2(notice(stage).contains(QStringLiteral("own.yaml")), "no notice");
        QVERIFY(offer(stage)->isVisible());
        QVERIFY(runs(stage, "time: 1 ms"));  // nothing changes by itself
        QCOMPARE(editor(stage).isModified(), inEditor);
        QTest::mouseClick(offer(stage), Qt::LeftButton);
        QTRY_VERIFY(runs(stage, "22 ms"));
        QVERIFY(!editor(stage).isModified());
        QVERIFY(!inEditor || editor(stage).text().contains(QStringLiteral("22 ms")));
        // An error in it is reported as at its first opening.
        QTest::qWait(300);
        write(stage, "many");
        QTRY_VERIFY(offer(stage)->isVisible());
        QTest::mouseClick(offer(stage), Qt::LeftButton);
        QTRY_VERIFY2(notice(stage).contains(QStringLiteral("own.yaml:2")), qPrintable(notice(stage)));
        QVERIFY(editor(stage).isVisible() && editor(stage).text().contains(QStringLiteral("many")));
    }
}

void tst_care::ownChangesToAWorkloadAreKept()
{
    TrialStage stage;
    openOwn(stage, true);
    editor(stage).edit()->setFocus();
    QTest::keyClicks(editor(stage).edit(), QStringLiteral("# mine"));
    QTRY_VERIFY(editor(stage).isModified());
    write(stage, "22");
    QTRY_VERIFY(offer(stage)->isVisible());
    QVERIFY(editor(stage).text().contains(QStringLiteral("# mine")));
    // Saving keeps them, and is not taken for a change by others.
    QTest::keyClick(&stage.window(), Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(!editor(stage).isModified());
    QTest::qWait(600);
    QVERIFY2(notice(stage).contains(QStringLiteral("Saved")), qPrintable(notice(stage)));
    QFile file(stage.file("own.yaml"));
    QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("# mine"));
}

void tst_care::aDeletedWorkloadStaysShown()
{
    TrialStage stage;
    openOwn(stage, true);
    QVERIFY(QFile::remove(stage.file("own.yaml")));
    QTRY_VERIFY2(notice(stage).contains(QStringLiteral("own.yaml")), "no notice");
    QVERIFY(editor(stage).text().contains(QStringLiteral("1 ms")) && runs(stage, "1 ms"));
}

/// An older text would run, and the window says so.
void tst_care::aWrongTextKeepsRunOffWhenItsEditorIsClosed()
{
    TrialStage stage;
    openOwn(stage, true);
    QTRY_VERIFY(stage.window().action("run.run")->isEnabled());
    editor(stage).edit()->setPlainText(QStringLiteral("title: {en: My own}\nthreads: 1\n"));
    QTRY_VERIFY(!editor(stage).problem().isEmpty());
    QVERIFY(!stage.window().action("run.run")->isEnabled());
    stage.window().action("run.edit")->trigger();
    QVERIFY(!editor(stage).isVisible());
    auto* said = stage.window().findChild<QLabel*>(QStringLiteral("notRun"));
    const auto isOff = [&] {
        return !stage.window().action("run.run")->isEnabled() && !stage.window().action("run.all")->isEnabled()
            && said->text().contains(QStringLiteral("own.yaml, line 2"));
    };
    QVERIFY2(isOff(), qPrintable(said->text()));
    QVERIFY(stage.window().action("run.run")->toolTip().contains(QStringLiteral("line 2")));
    auto* list = stage.window().findChild<WorkloadList*>();
    stage.window().action("run.edit")->trigger();  // another workload's text is shown meanwhile
    QVERIFY(list->select(QStringLiteral("copy-results-back")));
    QTRY_VERIFY(stage.window().action("run.run")->isEnabled());
    stage.window().action("run.edit")->trigger();
    QVERIFY(list->select(stage.file("own.yaml")));
    QTRY_VERIFY(isOff());
    emit said->linkActivated(QStringLiteral("text"));
    QVERIFY(editor(stage).isVisible());
    editor(stage).revert();
    QTRY_VERIFY(stage.window().action("run.run")->isEnabled());
}

void tst_care::whatWasTypedLastRuns()
{
    TrialStage stage;
    openOwn(stage, true);
    QTRY_VERIFY(stage.window().action("run.run")->isEnabled());
    const QString right = editor(stage).text();
    editor(stage).edit()->setPlainText(QString(right).replace(QLatin1String("1 ms"), QLatin1String("7 ms")));
    stage.window().action("run.run")->trigger();  // before it is checked
    QTRY_COMPARE(stage.window().workspace().count(), 1);
    QVERIFY(stage.window().workspace().at(0)->trace->duration >= 7'000'000);
    QTRY_VERIFY(stage.window().action("run.run")->isEnabled());
    const OpenRecordingPtr shown = stage.window().workspace().at(0);
    editor(stage).edit()->setPlainText(QStringLiteral("title: {en: My own}\nthreads: 1\n"));
    stage.window().action("run.run")->trigger();
    QVERIFY2(notice(stage).contains(QStringLiteral("line 2")), qPrintable(notice(stage)));
    QTest::qWait(50);
    QCOMPARE(stage.window().workspace().at(0), shown);
    editor(stage).revert();
}

void tst_care::whatIsNotSavedOutlivesASignal()
{
    TrialStage stage;
    openOwn(stage, true);
    const QString mine = QStringLiteral("title: {en: Mine}\nthreads: {main: [{cpu: {time: 7 ms}}]}\n");
    editor(stage).edit()->setPlainText(mine);
    QTRY_VERIFY(runs(stage, "7 ms"));
    stage.window().endUnasked();
    {
        MainWindow next;
        const auto* restored = next.findChild<WorkloadEditor*>();
        QCOMPARE(restored->drafts().value(stage.file("own.yaml")), mine);
        QVERIFY(next.findChild<NoticeBar*>()->text().contains(QStringLiteral("own.yaml")));
        auto* list = next.findChild<WorkloadList*>();
        QVERIFY(list->select(stage.file("own.yaml")));
        QVERIFY(list->selected()->source.find("7 ms") != std::string::npos);
    }
    editor(stage).revert();
    stage.window().remember();
    const MainWindow after;
    QVERIFY(after.findChild<WorkloadEditor*>()->drafts().isEmpty());
}

void tst_care::aRecentFileThatIsGoneIsTakenOffTheList()
{
    TrialStage stage;
    openCopy(stage);
    stage.window().action("file.close-a")->trigger();
    auto* before = stage.window().findChild<QPushButton*>(QStringLiteral("galleryRecent"));
    QVERIFY(before->isVisible());
    QMenu* menu = before->menu();
    QCOMPARE(menu->actions().size(), 1);
    QVERIFY(menu->actions().front()->text().endsWith(QStringLiteral("copy.sqlite")));
    QVERIFY(QFile::remove(stage.file("copy.sqlite")));
    QTest::mouseMove(before, before->rect().center());
    menu->popup(before->mapToGlobal(QPoint(0, before->height())));
    QTRY_VERIFY(menu->isVisible());
    TrialStage::clickEntry(menu, menu->actions().front());
    QTRY_VERIFY2(notice(stage).contains(QStringLiteral("no longer exists")), qPrintable(notice(stage)));
    QTRY_VERIFY(!before->isVisible());
    QCOMPARE(stage.window().workspace().count(), 0);
}

void tst_care::whatCannotBeOpenedSaysWhy_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("words");
    QTest::newRow("a picture") << QStringLiteral("picture.png") << QByteArray("\x89PNG\r\n")
                               << QStringLiteral("picture.png: is a picture");
    QTest::newRow("nothing") << QStringLiteral("empty.sqlite") << QByteArray()
                             << QStringLiteral("empty.sqlite is empty. Record again");
    QTest::newRow("an archive") << QStringLiteral("a.zip") << QByteArray("PK\x03\x04") << QStringLiteral("zip archive");
    QTest::newRow("a bad workload") << QStringLiteral("bad.yaml") << QByteArray("threads: {main: [{kernal: {}}]}\n")
                                    << QStringLiteral("bad.yaml:1:");
    QTest::newRow("a folder") << QString() << QByteArray() << QStringLiteral("found a folder, expected a file");
}

void tst_care::whatCannotBeOpenedSaysWhy()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, words);
    TrialStage stage;
    const QString path = stage.file(qPrintable(name));
    if (!name.isEmpty()) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    drop(stage, path);
    QTRY_VERIFY(!notice(stage).isEmpty());
    QVERIFY2(notice(stage).contains(words), qPrintable(notice(stage)));
    QVERIFY(!notice(stage).contains(QLatin1Char('\n')));
    QCOMPARE(stage.window().workspace().count(), 0);
}

void tst_care::aDamagedRecordingLeavesTheWindow()
{
    TrialStage stage;
    QFile whole(shipped("copy-results-back.blocking"));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    for (const qsizetype kept : {qsizetype {100}, qsizetype {5000}, bytes.size() * 3 / 4}) {
        QFile cut(stage.file("cut.sqlite"));
        QVERIFY(cut.open(QIODevice::WriteOnly));
        cut.write(bytes.left(kept));
        cut.close();
        stage.window().openFiles({cut.fileName()});
        QTRY_VERIFY(!stage.window().isBusy());
        QVERIFY2(notice(stage).contains(QStringLiteral("cut.sqlite")), qPrintable(notice(stage)));
        QCOMPARE(stage.window().workspace().count(), 0);
        QVERIFY(stage.window().action("file.open")->isEnabled());
    }
}

void tst_care::everythingThatTakesTheFocusHasAName_data()
{
    QTest::addColumn<int>("recordings");
    QTest::addColumn<QByteArray>("dialog");
    QTest::newRow("empty") << 0 << QByteArray();
    QTest::newRow("one") << 1 << QByteArray();
    QTest::newRow("two") << 2 << QByteArray();
    QTest::newRow("export") << 2 << QByteArray("file.export");
    QTest::newRow("keys") << 0 << QByteArray("help.keys");
    QTest::newRow("align") << 2 << QByteArray("compare.align-name");
    QTest::newRow("search") << 2 << QByteArray("edit.find");
}

void tst_care::everythingThatTakesTheFocusHasAName()
{
    QFETCH(int, recordings);
    QFETCH(QByteArray, dialog);
    TrialStage stage;
    if (recordings == 1) {
        stage.openOne();
    } else if (recordings == 2) {
        stage.openTwo();
    }
    if (!dialog.isEmpty()) {
        stage.window().action(dialog)->trigger();
    }
    for (std::size_t panel = 0; panel < panelCommands.size(); ++panel) {
        stage.window().action(panelCommands[panel])->trigger();
        for (QWidget* widget : stage.window().findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || widget->focusProxy() != nullptr || !widget->isVisible()) {
                continue;
            }
            // As a screen reader gets it: for buttons their text counts, for fields in spin boxes the box's.
            QAccessibleInterface* ear = QAccessible::queryAccessibleInterface(widget);
            QWidget* owner = widget->parentWidget() != nullptr
                    && (widget->parentWidget()->inherits("QAbstractSpinBox")
                        || widget->parentWidget()->inherits("QComboBox"))
                ? widget->parentWidget()
                : widget;
            const QString name
                = owner == widget && ear != nullptr ? ear->text(QAccessible::Name) : owner->accessibleName();
            QVERIFY2(!name.isEmpty() || !widget->accessibleName().isEmpty(),
                qPrintable(QStringLiteral("%1 “%2” in %3 “%4”")
                               .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                                   QLatin1String(widget->parentWidget()->metaObject()->className()),
                                   widget->parentWidget()->objectName())));
        }
    }
}

void tst_care::escReturnsToTheTimeline()
{
    TrialStage stage;
    stage.selectOperation();
    for (std::size_t panel = 0; panel < panelCommands.size(); ++panel) {
        stage.window().action(panelCommands[panel])->trigger();
        QVERIFY(!stage.view().hasFocus());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY2(stage.view().hasFocus(), qPrintable(QString::number(panel)));
    }
    stage.window().action("go.workloads")->trigger();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(stage.view().hasFocus());
}

void tst_care::homeAndZeroShowEverything_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<int>("key");
    for (const char* command :
        {"go.findings", "go.statistics", "go.events", "go.variants", "go.workloads", "go.timeline"}) {
        for (const auto& [name, key] : {std::pair("Home", Qt::Key_Home), std::pair("0", Qt::Key_0)}) {
            QTest::addRow("%s %s", command, name) << QString::fromLatin1(command) << static_cast<int>(key);
        }
    }
}

/// Even while a list has the focus: without the mouse there is no other way out of a bad view.
void tst_care::homeAndZeroShowEverything()
{
    QFETCH(QString, command);
    QFETCH(int, key);
    TrialStage stage;
    stage.openOne();
    QTest::keyClick(&stage.view(), Qt::Key_W);
    QVERIFY(!stage.side().state().time.isFitted());
    stage.window().action(qPrintable(command))->trigger();
    QWidget* focus = QApplication::focusWidget();
    QVERIFY(focus != nullptr);
    QTest::keyClick(focus, static_cast<Qt::Key>(key));
    QVERIFY2(stage.side().state().time.isFitted(), focus->metaObject()->className());
    QCOMPARE(QApplication::focusWidget(), focus);
}

/// Home is the list's there, Ctrl+0 the window's.
void tst_care::aKnobLeavesTheWindowItsKeys()
{
    TrialStage stage;
    stage.openOne();
    QTest::keyClick(&stage.view(), Qt::Key_W);
    auto* slider = stage.window().findChild<ParameterForm*>()->findChild<QSlider*>();
    QVERIFY(slider && slider->isVisible());
    slider->setFocus();
    const int value = slider->value();
    QTest::keyClick(slider, Qt::Key_0, Qt::ControlModifier);
    QVERIFY(stage.side().state().time.isFitted());
    QCOMPARE(slider->value(), value);
}

void tst_care::tabReachesEveryPanel()
{
    TrialStage stage;
    stage.openTwo();
    QSet<const QWidget*> seen;
    for (int i = 0; i < 400 && QApplication::focusWidget() != nullptr && !seen.contains(QApplication::focusWidget());
         ++i) {
        seen.insert(QApplication::focusWidget());
        const QWidget* before = QApplication::focusWidget();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab,
            before->inherits("QTextEdit") || before->inherits("QPlainTextEdit") ? Qt::ControlModifier : Qt::NoModifier);
    }
    for (const QWidget* wanted : {static_cast<QWidget*>(&stage.view(0)), static_cast<QWidget*>(&stage.view(1)),
             static_cast<QWidget*>(stage.panels().currentWidget()),
             stage.window().findChild<QWidget*>(QStringLiteral("run"))}) {
        const bool reached = std::any_of(seen.begin(), seen.end(),
            [&](const QWidget* widget) { return widget == wanted || wanted->isAncestorOf(widget); });
        QVERIFY2(reached,
            qPrintable(QLatin1String(wanted->metaObject()->className()) + QLatin1Char(' ') + wanted->objectName()));
    }
}

void tst_care::figuresOfARangeComeLater()
{
    TrialStage stage;
    stage.openTwo();
    stage.window().action("go.statistics")->trigger();
    auto* panel = stage.window().findChild<StatisticsPanel*>();
    QVERIFY2(panel->asText().contains(QStringLiteral("Of all, ")), qPrintable(panel->asText()));
    for (const Ns end : {5'000'000, 6'000'000, 7'000'000}) {  // the last one counts
        stage.side(0).selectRange(Interval {1'000'000, end});
    }
    QTRY_VERIFY2(panel->asText().contains(QStringLiteral("In the selection, 6.00 ms")), qPrintable(panel->asText()));
    stage.window().action("go.findings")->trigger();
    stage.side(0).selectRange(Interval {1'000'000, 9'000'000});
    stage.window().action("go.statistics")->trigger();
    QTRY_VERIFY(panel->asText().contains(QStringLiteral("In the selection, 8.00 ms")));
    stage.side(0).selectRange({});
    QTRY_VERIFY2(panel->asText().contains(QStringLiteral("Of all, ")), qPrintable(panel->asText()));
}

QTEST_MAIN(tst_care)
#include "tst_care.moc"
