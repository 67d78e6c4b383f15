// SPDX-License-Identifier: MIT
// A recording of a program: the lesson side is folded, the part that repeats is shown first, a third file asks for its
// place.
#include "engine/analysis/words/text_table.h"
#include "engine/trace/event.h"
#include "gui/app/frame/panel_tabs.h"
#include "gui/app/frame/side_column.h"
#include "gui/app/open/place_dialog.h"
#include "gui/paint/drawn_texts.h"
#include "gui/panels/findings_panel.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"
#include "tests/engine/analysis/tape.h"
#include "tests/gui/app/window_case.h"

#include <QAbstractItemView>
#include <QAction>
#include <QFile>
#include <QLabel>
#include <QRegularExpression>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_foreign_files : public WindowCase {
    Q_OBJECT

    QString m_program = m_folder.filePath(QStringLiteral("program.sqlite"));

    static PanelTabs* panels(MainWindow& w) { return w.findChild<PanelTabs*>(); }
    static bool hasTab(MainWindow& w, PanelName name)
    {
        return panels(w)->isTabVisible(panels(w)->indexOf(panels(w)->panel(name)));
    }

private slots:
    void initTestCase();
    void init() { startAfresh(); }
    void aFileThatOpensIsSaid();
    void theLessonSideFolds();
    void whatRepeatsIsShownFirst();
    void workOfTheGpuIsShownFirst();
    void viewThatWasMovedStays();
    void findingsAreShownInWhatRepeats();
    void aFurtherFileAsks();
    void filesHaveTheirNames();
    void namesCommandNothing_data();
    void namesCommandNothing();
};

void tst_foreign_files::initTestCase()
{
    prepare();
    Tape tape(2'000'000'000);
    for (int i = 0; i < 10; ++i) {  // one second of start-up, then ten times two kernels in a millisecond
        const Ns start = 1'000'000'000 + i * 100'000;
        tape.range("step " + std::to_string(i), start, start + 90'000);
        tape.kernel(tape.call("cudaLaunchKernel", start, start + 5'000), 13, start + 10'000, start + 30'000);
        tape.kernel(tape.call("cudaLaunchKernel", start + 6'000, start + 9'000), 13, start + 30'000, start + 50'000);
        tape.copy(tape.call("cudaMemcpyAsync", start + 10'000, start + 70'000), 13, start + 50'000, start + 70'000,
            CopyKind::h2d, MemoryKind::pageable, true);
    }
    tape.copy(tape.call("cudaMemcpyAsync", 500'000'000, 540'000'000), 13, 500'010'000, 540'000'000, CopyKind::h2d,
        MemoryKind::pageable, true);
    tape.call("cudaMalloc", 0, 1000);
    save_recording(tape.finish(), m_program.toStdString());
}

/// What it will be is not known: of the lesson that was chosen last it is not.
void tst_foreign_files::aFileThatOpensIsSaid()
{
    const auto w = window();
    const auto* caption = w->findChild<QLabel*>(QStringLiteral("caption"));
    const auto says = [&](const char* text) {
        DrawnTexts drawn;
        w->timeline().view(0)->grab();
        return std::any_of(drawn.texts.begin(), drawn.texts.end(),
            [&](const DrawnText& each) { return each.text == QString::fromUtf8(text); });
    };
    w->openFiles({m_a});
    QVERIFY2(caption->text().isEmpty(), qPrintable(caption->text()));
    QVERIFY(says("Opening…") && !says("No recording. Run a workload, or open a file."));
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(!w->isBusy());
    w->workspace().set({});
    w->openFiles({m_folder.filePath(QStringLiteral("none.sqlite"))});
    QTRY_VERIFY(!w->isBusy());
    QVERIFY(says("No recording. Run a workload, or open a file."));
}

void tst_foreign_files::theLessonSideFolds()
{
    const auto w = window();
    const auto* side = w->findChild<SideColumn*>();
    QVERIFY(!side->isHidden() && hasTab(*w, PanelName::lesson));
    panels(*w)->choose(PanelName::lesson);
    w->openFiles({m_program});
    QTRY_COMPARE(w->workspace().count(), 1);
    QVERIFY(side->isHidden());
    QVERIFY(!hasTab(*w, PanelName::lesson) && !hasTab(*w, PanelName::variants));
    QCOMPARE(panels(*w)->currentWidget(), panels(*w)->panel(PanelName::summary));
    QVERIFY(w->findChild<QLabel*>(QStringLiteral("caption"))->text().startsWith(QStringLiteral("program")));
    w->action("view.side")->trigger();  // it can be shown again
    QVERIFY(!side->isHidden());
    w->action("view.side")->trigger();
    QTRY_VERIFY(!w->isBusy());
    w->action("file.close-a")->trigger();
    QVERIFY(!side->isHidden() && hasTab(*w, PanelName::lesson));
    w->openFiles({m_a});  // a lesson's
    QTRY_COMPARE(w->workspace().count(), 1);
    QVERIFY(!side->isHidden() && hasTab(*w, PanelName::lesson));
    QTRY_VERIFY(!w->isBusy());
    w->openFiles({m_program});
    answer(*w, "placeB");
    QTRY_COMPARE(w->workspace().count(), 2);
    QVERIFY(side->isHidden());
}

void tst_foreign_files::whatRepeatsIsShownFirst()
{
    const auto w = window();
    w->openFiles({m_program});
    QTRY_VERIFY(w->timeline().side(0).visibleRange().start > 990'000'000);
    QCOMPARE(w->workspace().scope().of, Scope::Of::repeated);
    QVERIFY(w->action("scope.repeated")->isChecked());
    // The bar has the mean of the iterations, beside the typical one of the strip.
    const auto buttons = w->findChild<QWidget*>(QStringLiteral("scopeBar"))->findChildren<QPushButton*>();
    static const QRegularExpression mean(QStringLiteral("^Repeating part  \\d+ × .* \\(mean\\)$"));
    QTRY_VERIFY(std::any_of(
        buttons.begin(), buttons.end(), [](const QPushButton* part) { return mean.match(part->text()).hasMatch(); }));
    const Interval shown = w->timeline().side(0).visibleRange();
    QVERIFY(shown.start < 1'000'000'000 && shown.start > 990'000'000);
    QVERIFY(shown.end > 1'000'990'000 && shown.end < 1'010'000'000);
    w->action("view.fit")->trigger();
    QVERIFY(w->timeline().side(0).visibleRange().start <= 0);
    w->openFiles({m_a});  // two are shown whole
    answer(*w, "placeB");
    QTRY_COMPARE(w->workspace().count(), 2);
    QVERIFY(w->timeline().side(0).visibleRange().start <= 0);
}

/// Where nothing repeats and the GPU works only in the last ms of a second.
void tst_foreign_files::workOfTheGpuIsShownFirst()
{
    Tape tape(1'000'000'000);
    tape.call("cudaMalloc", 0, 1000);
    tape.kernel(tape.call("cudaLaunchKernel", 999'000'000, 999'004'000), 13, 999'010'000, 999'500'000);
    tape.call("cudaDeviceSynchronize", 999'010'000, 999'900'000);
    const QString file = QFileInfo(m_program).dir().filePath(QStringLiteral("late.sqlite"));
    save_recording(tape.finish(), file.toStdString());
    const auto w = window();
    w->openFiles({file});
    QTRY_VERIFY(w->timeline().side(0).visibleRange().start > 998'000'000);
    QVERIFY(w->timeline().side(0).visibleRange().start <= 999'000'000);
    QVERIFY(w->timeline().side(0).visibleRange().end >= 999'500'000);
    QCOMPARE(w->workspace().scope().of, Scope::Of::all);
}

/// As a live recording moves it, whose first second is mostly start-up: it follows the end and shows no part.
void tst_foreign_files::viewThatWasMovedStays()
{
    const auto w = window();
    w->openFiles({m_program});
    QTRY_VERIFY(w->timeline().side(0).visibleRange().start > 990'000'000);
    QTRY_VERIFY(!w->isBusy());
    const OpenRecordingPtr recording = w->workspace().at(0);
    w->workspace().set({recording});
    w->timeline().pair().sight(Interval {100'000'000, 1'900'000'000});
    const Interval moved = w->timeline().side(0).visibleRange();
    QTest::qWait(50);
    QCOMPARE(w->timeline().side(0).visibleRange(), moved);
}

/// A start-up that is ten times as long as the part that repeats has the same findings: those of the part are shown.
void tst_foreign_files::findingsAreShownInWhatRepeats()
{
    const auto w = window();
    w->openFiles({m_program});
    QTRY_VERIFY(w->timeline().side(0).visibleRange().start > 990'000'000);
    auto* findings = w->findChild<FindingsPanel*>();
    const auto found = std::find_if(findings->entries().begin(), findings->entries().end(),
        [](const auto& entry) { return entry.key == "pageable-async-copy"; });
    QVERIFY(found != findings->entries().end());
    const Trace& trace = *w->workspace().at(0)->trace;
    QCOMPARE(found->all.size(), std::size_t {10});
    QVERIFY(span_of(trace, found->evidence).start >= 1'000'000'000);
    const auto choose = [&] {
        emit findings->itemActivated(findings->item(static_cast<int>(found - findings->entries().begin())));
        return span_of(trace, w->workspace().selection().event).start;
    };
    QVERIFY(choose() >= 1'000'000'000);
    w->action("view.fit")->trigger();
    QVERIFY(choose() >= 1'000'000'000);
}

/// None opens beside another, or in its place, unless the user says so.
void tst_foreign_files::aFurtherFileAsks()
{
    const auto w = window();
    w->openFiles({m_a});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(!w->isBusy());
    const auto paths = [&] {
        QStringList all;
        for (const OpenRecordingPtr& each : w->workspace().recordings()) {
            all << each->path;
        }
        return all;
    };
    w->openFiles({m_program});
    QTRY_VERIFY(w->findChild<PlaceDialog*>() != nullptr);
    QVERIFY(w->findChild<PlaceDialog*>()->findChild<QPushButton*>(QStringLiteral("placeA")) == nullptr);
    answer(*w, "placeCancel");
    QTest::qWait(100);
    QCOMPARE(paths(), QStringList {m_a});
    w->openFiles({m_program});
    answer(*w, "placeAlone");
    QTRY_COMPARE(paths(), QStringList {m_program});
    QTRY_VERIFY(!w->isBusy());
    w->openFiles({m_a});
    answer(*w, "placeB");
    QTRY_COMPARE(paths(), (QStringList {m_program, m_a}));
    QTRY_VERIFY(!w->isBusy());
    w->openFiles({m_b});
    answer(*w, "placeA");
    QTRY_COMPARE(paths(), (QStringList {m_b, m_a}));
    QTRY_VERIFY(!w->isBusy());
    w->openFiles({m_folder.filePath(QStringLiteral("gone.sqlite"))});  // what cannot be read replaces nothing
    QTRY_VERIFY(!notice(*w).isEmpty());
    QCOMPARE(paths(), (QStringList {m_b, m_a}));
    w->openFiles({m_program});
    answer(*w, "placeAlone");
    QTRY_COMPARE(paths(), QStringList {m_program});
}

/// A program's recordings are called by their files, not all "python3"; which program it was is said beside.
void tst_foreign_files::filesHaveTheirNames()
{
    QStringList files;
    for (const char* folder : {"before", "after"}) {
        Tape tape;
        tape.kernel(tape.call("cudaLaunchKernel", 0, 1'000), 13, 10'000, 50'000);
        Trace trace = tape.finish();
        trace.meta["command"] = "python3";
        trace.meta["command_line"] = std::string("python3 decode.py --") + folder;
        QVERIFY(QDir(m_folder.path()).mkpath(QLatin1String(folder)));
        files += m_folder.filePath(QLatin1String(folder) + QStringLiteral("/decode.sqlite"));
        save_recording(trace, files.back().toStdString());
    }
    const auto w = window();
    w->openFiles({files[0]});
    QTRY_COMPARE(w->workspace().count(), 1);
    QCOMPARE(w->workspace().at(0)->title, std::string("decode"));
    QVERIFY(w->workspace().at(0)->note.starts_with("python3 decode.py --before"));
    QVERIFY(w->windowTitle().startsWith(QStringLiteral("decode.sqlite")));
    QTRY_VERIFY(!w->isBusy());
    w->openFiles(files);  // of one name, they are told apart by their folders
    QTRY_COMPARE(w->workspace().count(), 2);
    QCOMPARE(w->workspace().at(0)->title, std::string("before/decode"));
    QCOMPARE(w->workspace().at(1)->title, std::string("after/decode"));
}

void tst_foreign_files::namesCommandNothing_data()
{
    QTest::addColumn<QByteArray>("odd");
    QTest::newRow("escape") << QByteArray("\x1B[31m");
    QTest::newRow("line break") << QByteArray("\n");
    QTest::newRow("C1") << QByteArray("\xC2\x9B");
    QTest::newRow("right to left") << QByteArray("\xE2\x80\xAE");
    QTest::newRow("isolate") << QByteArray("\xE2\x81\xA7");
}

/// Whatever the names of kernels, ranges, threads, streams and of the file are: no text of the window holds more
/// than can be seen.
void tst_foreign_files::namesCommandNothing()
{
    QFETCH(QByteArray, odd);
    const auto name = [&](const char* plain) { return plain + odd.toStdString() + "z"; };
    Tape tape(2'000'000);
    tape.thread(1, name("thread"), 0);
    tape.range(name("range"), 0, 900'000);
    tape.kernel(tape.call(name("cudaLaunchKernel"), 1'000, 5'000), 13, 10'000, 500'000, 0, name("kernel"));
    tape.copy(
        tape.call("cudaMemcpyAsync", 10'000, 700'000), 13, 500'000, 700'000, CopyKind::h2d, MemoryKind::pageable, true);
    Trace trace = tape.finish();
    trace.meta["command"] = name("program");
    const QString file = m_folder.filePath(QString::fromUtf8(name("file").c_str()) + QStringLiteral(".sqlite"));
    save_recording(trace, QFile::encodeName(file).toStdString());
    const auto w = window();
    w->openFiles({file});
    QTRY_COMPARE(w->workspace().count(), 1);
    QTRY_VERIFY(!w->isBusy());
    QStringList found;
    int looked = 0;
    const auto look = [&](const QObject* of, const QString& text) {
        ++looked;
        const bool wrong = std::any_of(text.begin(), text.end(),
            [](QChar letter) { return letter != u'\n' && letter != u'\t' && is_command(letter.unicode()); });
        const bool broken = odd == "\n"
            && (text.contains(QStringLiteral("kernel\nz")) || text.contains(QStringLiteral("range\nz"))
                || text.contains(QStringLiteral("file\nz")) || text.contains(QStringLiteral("program\nz"))
                || text.contains(QStringLiteral("thread\nz")));
        if (wrong || broken) {
            found += QStringLiteral("%1 %2: %3")
                         .arg(QLatin1String(of->metaObject()->className()), of->objectName(), text.left(120));
        }
    };
    const std::vector<EventRef> events {{EventTable::operations, 0}, {EventTable::calls, 0}, {EventTable::ranges, 0}};
    for (const EventRef event : events) {
        w->workspace().select(0, event);
        for (const char* command : {"go.findings", "go.summary", "go.statistics", "go.events", "go.details", "go.path",
                 "go.iterations", "go.what-if", "lesson.step-through"}) {
            w->action(command)->trigger();
            QTest::qWait(120);
            QList<QWidget*> widgets = w->findChildren<QWidget*>();
            widgets += w.get();
            for (QWidget* each : widgets) {
                look(each, each->windowTitle());
                look(each, each->toolTip());
                look(each, each->accessibleName());
                look(each, each->accessibleDescription());
                for (const char* property : {"text", "title", "placeholderText", "plainText"}) {
                    look(each, each->property(property).toString());
                }
                for (const QAction* action : each->actions()) {
                    look(each, action->text());
                }
                if (const auto* view = qobject_cast<QAbstractItemView*>(each);
                    view != nullptr && view->model() != nullptr) {
                    const QAbstractItemModel& model = *view->model();
                    QModelIndexList cells;
                    for (int row = 0; row < model.rowCount(); ++row) {
                        for (int column = 0; column < model.columnCount(); ++column) {
                            cells += model.index(row, column);
                            for (int child = 0; child < model.rowCount(model.index(row, 0)); ++child) {
                                cells += model.index(child, column, model.index(row, 0));
                            }
                        }
                    }
                    for (const QModelIndex& cell : cells) {
                        for (const int role :
                            {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole, Qt::AccessibleDescriptionRole}) {
                            look(each, cell.data(role).toString());
                        }
                    }
                }
            }
        }
    }
    QVERIFY(looked > 1000);
    found.removeDuplicates();
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
}

QTEST_MAIN(tst_foreign_files)
#include "tst_foreign_files.moc"
