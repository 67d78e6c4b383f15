// SPDX-License-Identifier: MIT
#include "gui/panels/editor/workload_editor.h"
#include "gui/panels/editor/yaml_edit.h"
#include "gui/panels/workload_list.h"
#include "tests/gui/panels/model_recording.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_workload_editor : public QObject {
    Q_OBJECT

    static void typeAtStart(WorkloadEditor& editor, const QString& text)
    {
        editor.edit()->moveCursor(QTextCursor::Start);
        editor.edit()->insertPlainText(text);
    }
    static QString message(const WorkloadEditor& editor)
    {
        return editor.findChild<QLabel*>(QStringLiteral("sourceProblem"))->text();
    }
    static std::shared_ptr<const Workload> named(const char* file, const char* title)
    {
        return std::make_shared<const Workload>(
            parse_workload("title: {en: " + std::string(title) + "}\nthreads: {main: [{cpu: {time: 1 us}}]}\n", file));
    }

private slots:
    void wrongTextIsSaidAtItsLine_data();
    void wrongTextIsSaidAtItsLine();
    void aTextOpensAtItsProblem();
    void aTextOpensAtWhatRuns();
    void aProblemOfOneVariantIsFound();
    void rightTextIsTold();
    void changesAreKeptOverOtherFiles();
    void savedAndReverted();
    void keysIndent();
    void ownOnesStandApart();
};

void tst_workload_editor::wrongTextIsSaidAtItsLine_data()
{
    QTest::addColumn<QString>("find");
    QTest::addColumn<QString>("put");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("says");
    QTest::newRow("an unknown step, with the nearest") << "- kernel:"
                                                       << "- kernal:" << 21 << "did you mean 'kernel'?";
    QTest::newRow("a unit that is none") << "max: 1 GiB"
                                         << "max: 1 Gib" << 4 << "GiB";
    QTest::newRow("an unknown stream") << "stream: compute, time"
                                       << "stream: cmpute, time" << 21 << "did you mean 'compute'?";
    QTest::newRow("YAML that ends early") << "events: {done"
                                          << "events: [{done" << 0 << "";
}

void tst_workload_editor::wrongTextIsSaidAtItsLine()
{
    QFETCH(QString, find);
    QFETCH(QString, put);
    QFETCH(int, line);
    QFETCH(QString, says);
    WorkloadEditor editor;
    const QString text = QString::fromLatin1(small_workload);
    QVERIFY(text.contains(find));
    editor.open(QStringLiteral("/x/small.yaml"), text, true);
    QTRY_VERIFY(editor.problem().isEmpty());
    QSignalSpy edited(&editor, &WorkloadEditor::workloadEdited);
    editor.edit()->setPlainText(QString(text).replace(find, put));
    QTRY_VERIFY(!editor.problem().isEmpty());
    QVERIFY2(message(editor).contains(says), qPrintable(message(editor)));
    if (line > 0) {
        QCOMPARE(editor.edit()->problemLine(), line);
    }
    QVERIFY(editor.edit()->problemLine() > 0);
    QVERIFY(!editor.edit()->extraSelections().isEmpty());
    QCOMPARE(edited.count(), 0);
    QTest::mouseClick(editor.findChild<QPushButton*>(QStringLiteral("goToProblem")), Qt::LeftButton);
    QCOMPARE(editor.edit()->lineOf(editor.edit()->textCursor()), editor.edit()->problemLine());
    editor.edit()->setPlainText(text);
    QTRY_VERIFY(editor.problem().isEmpty());
    QCOMPARE(editor.edit()->problemLine(), 0);
    QVERIFY(!message(editor).contains(says) || says.isEmpty());
}

void tst_workload_editor::aTextOpensAtItsProblem()
{
    WorkloadEditor editor;
    editor.resize(300, 120);
    editor.show();
    editor.open(QStringLiteral("/x/small.yaml"),
        QString::fromLatin1(small_workload).replace(QStringLiteral("- kernel:"), QStringLiteral("- kernal:")), true);
    QTRY_VERIFY(!editor.problem().isEmpty());
    QCOMPARE(editor.edit()->lineOf(editor.edit()->textCursor()), 21);
    QVERIFY(editor.edit()->verticalScrollBar()->value() > 0);
}

void tst_workload_editor::aTextOpensAtWhatRuns()
{
    WorkloadEditor editor;
    editor.open(QStringLiteral("/x/a.yaml"),
        QStringLiteral("title: T\nwhy:\n  en: >-\n    threads: are many\nparameters: {}\nthreads: {}\n"), true);
    QCOMPARE(editor.edit()->textCursor().blockNumber(), 4);
}

void tst_workload_editor::aProblemOfOneVariantIsFound()
{
    const QString text = QString::fromLatin1(small_workload)
                             .replace(QStringLiteral("variants:\n"),
                                 QStringLiteral("variants:\n  huge: {bytes: 1 GiB, copies: 10, host_memory: pinnd}\n"));
    const SourceState state = stateOf(text, QStringLiteral("x.yaml"));
    QVERIFY(!state.problem.isEmpty());
    QVERIFY2(state.line > 0, qPrintable(state.problem));
}

void tst_workload_editor::rightTextIsTold()
{
    WorkloadEditor editor;
    editor.open(QStringLiteral("/x/small.yaml"), QString::fromLatin1(small_workload), true);
    std::shared_ptr<const Workload> told;
    connect(&editor, &WorkloadEditor::workloadEdited, this, [&](const auto& workload) { told = workload; });
    editor.edit()->setPlainText(
        QString::fromLatin1(small_workload).replace(QStringLiteral("default: 3"), QStringLiteral("default: 4")));
    QTRY_VERIFY(told);
    QCOMPARE(told->parameters.front().default_value, std::string("4"));
    QCOMPARE(told->file, std::string("/x/small.yaml"));
    QCOMPARE(told->name, std::string("small"));
}

void tst_workload_editor::changesAreKeptOverOtherFiles()
{
    WorkloadEditor editor;
    QSignalSpy modified(&editor, &WorkloadEditor::modifiedChanged);
    editor.open(QStringLiteral("/x/a.yaml"), QStringLiteral("a: 1\n"), true);
    QVERIFY(!editor.isModified());
    typeAtStart(editor, QStringLiteral("# mine\n"));
    QVERIFY(editor.isModified());
    QCOMPARE(modified.count(), 1);
    editor.open(QStringLiteral("/x/b.yaml"), QStringLiteral("b: 1\n"), false);
    QVERIFY(!editor.isModified());
    QCOMPARE(editor.text(), QStringLiteral("b: 1\n"));
    editor.open(QStringLiteral("/x/a.yaml"), QStringLiteral("a: 1\n"), true);
    QCOMPARE(editor.text(), QStringLiteral("# mine\na: 1\n"));
    QVERIFY(editor.isModified());
    editor.edit()->undo();
    editor.edit()->setPlainText(QStringLiteral("a: 1\n"));
    QVERIFY(!editor.isModified());  // the text on disk is not a change
}

void tst_workload_editor::savedAndReverted()
{
    WorkloadEditor editor;
    editor.open(QStringLiteral("/x/a.yaml"), QStringLiteral("a: 1\n"), true);
    QVERIFY(!editor.findChild<QPushButton*>(QStringLiteral("saveWorkload"))->isEnabled());
    typeAtStart(editor, QStringLiteral("b: 2\n"));
    QSignalSpy save(&editor, &WorkloadEditor::saveWanted);
    QTest::keySequence(editor.edit(), QKeySequence::Save);
    QCOMPARE(save.count(), 1);
    editor.saved(editor.file(), editor.text());
    QVERIFY(!editor.isModified());
    typeAtStart(editor, QStringLiteral("c: 3\n"));
    editor.revert();
    QCOMPARE(editor.text(), QStringLiteral("b: 2\na: 1\n"));
    QVERIFY(!editor.isModified());
    editor.open(QStringLiteral("/x/shipped.yaml"), QStringLiteral("a: 1\n"), false);
    QVERIFY(editor.findChild<QPushButton*>(QStringLiteral("saveWorkload"))->isHidden());
}

void tst_workload_editor::keysIndent()
{
    YamlEdit edit;
    edit.setPlainText(QStringLiteral("threads:"));
    edit.moveCursor(QTextCursor::End);
    QTest::keyClick(&edit, Qt::Key_Return);
    QTest::keyClicks(&edit, QStringLiteral("main:"));
    QTest::keyClick(&edit, Qt::Key_Return);
    QTest::keyClick(&edit, Qt::Key_Backtab, Qt::ShiftModifier);
    QTest::keyClicks(&edit, QStringLiteral("x"));
    QCOMPARE(edit.toPlainText(), QStringLiteral("threads:\n  main:\n  x"));
    QTest::keyClick(&edit, Qt::Key_Tab);
    QCOMPARE(edit.toPlainText(), QStringLiteral("threads:\n  main:\n  x "));  // to the next column of two
    edit.selectAll();
    QTest::keyClick(&edit, Qt::Key_Tab);
    QCOMPARE(edit.toPlainText(), QStringLiteral("  threads:\n    main:\n    x "));
}

void tst_workload_editor::ownOnesStandApart()
{
    WorkloadList list;
    list.addWorkload(named("/lanescope/one.yaml", "One"));
    list.addWorkload(named("/lanescope/two.yaml", "Two"));
    QCOMPARE(list.count(), 2);  // no headings where there is one part
    list.select(QStringLiteral("two"));
    std::vector<std::string> told;
    connect(&list, &WorkloadList::workloadSelected, this,
        [&](const auto& workload) { told.push_back(workload ? workload->name : ""); });
    list.addWorkload(named("/home/mine.yaml", "Mine"), WorkloadList::Origin::own);
    QCOMPARE(list.selected()->name, std::string("two"));
    QVERIFY(told.empty());
    QStringList texts;
    for (int row = 0; row < list.count(); ++row) {
        texts += list.item(row)->text();
    }
    QCOMPARE(texts,
        QStringList({QStringLiteral("YOUR OWN"), QStringLiteral("Mine"), QStringLiteral("FROM LANESCOPE"),
            QStringLiteral("One"), QStringLiteral("Two")}));
    QVERIFY(!list.item(0)->flags().testFlag(Qt::ItemIsSelectable));
    list.setModified(QStringLiteral("/home/mine.yaml"), true);
    QVERIFY(list.item(1)->text().endsWith(QStringLiteral("•")));
    QVERIFY(list.select(QStringLiteral("/home/mine.yaml")));
    QVERIFY(list.isOwn(QStringLiteral("/home/mine.yaml")));
    list.removeWorkload(QStringLiteral("/lanescope/one.yaml"));  // shipped workloads stay
    QCOMPARE(list.count(), 5);
    list.removeWorkload(QStringLiteral("/home/mine.yaml"));
    QCOMPARE(list.count(), 2);
    QCOMPARE(list.selected()->name, std::string("one"));
    QCOMPARE(told.back(), std::string("one"));
}

QTEST_MAIN(tst_workload_editor)
#include "tst_workload_editor.moc"
