// SPDX-License-Identifier: MIT
// The panels that show a recording without changing it: details, statistics, findings, code.
#include "engine/trace/event.h"
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"
#include "gui/lanes/wait_role.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/item_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/panels/card_link.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/details.h"
#include "gui/panels/details_panel.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/statistics_panel.h"
#include "gui/panels/theme_of.h"
#include "gui/session/expectation.h"
#include "gui/session/milestones.h"
#include "gui/session/run_steps.h"
#include "gui/session/workspace.h"
#include "tests/engine/analysis/tape.h"
#include "tests/gui/panels/late_iterations.h"
#include "tests/gui/panels/model_recording.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextEdit>
#include <QTextLayout>
#include <QTreeWidget>

#include <algorithm>
#include <set>

using namespace lanes;
using namespace lanes::gui;

class tst_recording_panels : public QObject {
    Q_OBJECT

    OpenRecordingPtr m_blocking = modelRecording("blocking"), m_overlapped = modelRecording("overlapped");

    static QString field(const OpenRecording& recording, EventRef event, const char* name)
    {
        for (const DetailField& each : detailsOf(recording, event)) {
            if (each.name == QLatin1String(name)) {
                return each.value;
            }
        }
        return {};
    }

private slots:
    void detailsOfAnOperation();
    void detailsSayWhenInALongRecording();
    void detailsSayWhereItWasLaunched();
    void detailsOfACollective();
    void detailsOfABlockedCall();
    void theCardTakesTheThemesColours();
    void detailsAreCopied();
    void noFieldIsCut();
    void statisticsCompare();
    void statisticsOfARange();
    void statisticsOfWhatRepeats();
    void statisticsWithoutAGpu();
    void findingsAreTheCostliestFirst();
    void onlyWhatAChangeGainsIsRed();
    void stepsComeFromTheRecording();
    void codeMarksItsLine();
    void wrappedCode();
    void caveatsAreSaid();
    void everyEventIsAStepOnceInOrder();
    void stepsSayWhatWasRecorded();
    void whatIsOnTheGpu();
    void milestonesAreTheFirstOfEachKind();
    void choicesHoldTheTruthAndCanBeToldApart();
};

void tst_recording_panels::detailsOfAnOperation()
{
    const Trace& trace = *m_blocking->trace;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const EventRef event {EventTable::operations, row};
        QVERIFY(!field(*m_blocking, event, "Stream").isEmpty());
        QVERIFY(field(*m_blocking, event, "Duration")
                    .contains(QStringLiteral("%L1 ns").arg(trace.operations.end[row] - trace.operations.start[row])));
        if (trace.operations.kind[row] == OperationKind::d2h) {
            QCOMPARE(field(*m_blocking, event, "Bytes"), QStringLiteral("64 MiB"));
            QCOMPARE(field(*m_blocking, event, "Memory"), QStringLiteral("device → pageable"));
        } else {
            QVERIFY(!field(*m_blocking, event, "Grid").isEmpty());
        }
        QVERIFY(!field(*m_blocking, event, "API call").isEmpty());
        QVERIFY(field(*m_blocking, event, "Launched in").isEmpty());  // there are no ranges
        const auto why = field(*m_blocking, event, "Why it began then");
        QCOMPARE(why.contains("after its call"), m_blocking->graph->starts().cause(row) == StartCause::launch);
        QVERIFY2(
            m_blocking->graph->starts().cause(row) != StartCause::event || why.contains("kernel matmul on compute"),
            qPrintable(why));
    }
    QVERIFY(detailsOf(*m_blocking, {}).empty());
}

/// Three digits of a start at 6.66 s do not say where in a millisecond it is.
void tst_recording_panels::detailsSayWhenInALongRecording()
{
    Tape tape(7'000'000'000);
    tape.call("cudaMalloc", 200, 240);
    tape.kernel(tape.call("cudaLaunchKernel", 6'660'700'000, 6'660'704'000), 13, 6'660'706'950, 6'660'726'958);
    tape.sync(tape.call("cudaStreamSynchronize", 6'660'705'000, 6'660'729'000), SyncRecord::stream_sync, 6'660'705'000,
        6'660'729'000, 13);
    const OpenRecordingPtr recording = analysed(tape.finish(), QString());
    QCOMPARE(
        field(*recording, {EventTable::operations, 0}, "Start"), QStringLiteral("6.66070695 s (6,660,706,950 ns)"));
    QCOMPARE(field(*recording, {EventTable::operations, 0}, "Duration"), QStringLiteral("20.0 µs (20,008 ns)"));
    // Rounded, as in the card: not cut.
    QCOMPARE(field(*recording, {EventTable::operations, 0}, "End"), QStringLiteral("6.66072696 s (6,660,726,958 ns)"));
    const QString released = field(*recording, {EventTable::calls, 2}, "Released by");
    QVERIFY2(released.endsWith(QStringLiteral("done at 6.66072696 s")), qPrintable(released));
}

void tst_recording_panels::detailsSayWhereItWasLaunched()
{
    Tape tape;
    tape.range("step", 0, 900);
    tape.range("aten::linear", 100, 300);
    tape.range("aten::addmm", 150, 280);
    tape.kernel(tape.call("cudaLaunchKernel", 200, 240), 13, 300, 400);
    tape.kernel(tape.call("cudaLaunchKernel", 500, 540), 13, 600, 700);
    const OpenRecordingPtr recording = analysed(tape.finish(), QString());
    QCOMPARE(field(*recording, {EventTable::operations, 0}, "Launched in"),
        QStringLiteral("aten::addmm \u2190 aten::linear \u2190 step"));
    QCOMPARE(field(*recording, {EventTable::operations, 1}, "Launched in"), QStringLiteral("step"));
}

void tst_recording_panels::detailsOfACollective()
{
    Tape tape;
    tape.range("ncclAllReduce", 100, 300, 1, "NCCL");
    tape.value("communicator", 0x4D2, "", RangeValueRecord::id);
    tape.value("call", 3);
    tape.value("bytes", 4096);
    tape.value("op", 0, "Sum", RangeValueRecord::text);
    tape.range("aten::mm", 400, 500, 1, operator_domain);
    tape.value("inputs", 0, "float[64, 32]", RangeValueRecord::text);
    tape.kernel(tape.call("cudaLaunchKernel", 200, 240), 13, 300, 400);
    tape.kernel(tape.call("cudaLaunchKernel", 450, 460), 13, 600, 700);
    tape.kernel(tape.call("cudaLaunchKernel", 550, 560), 13, 700, 800);
    const OpenRecordingPtr recording = analysed(tape.finish(), QString());
    const auto what = QStringLiteral("communicator 0x00000000000004d2, call 3, bytes 4 KiB, op Sum");
    QCOMPARE(field(*recording, {EventTable::operations, 0}, "Collective"), "ncclAllReduce: " + what);
    QCOMPARE(field(*recording, {EventTable::operations, 1}, "Values of its range"),
        QStringLiteral("aten::mm: inputs float[64, 32]"));
    QCOMPARE(field(*recording, {EventTable::operations, 2}, "Collective"), QString());
    QCOMPARE(field(*recording, {EventTable::operations, 2}, "Values of its range"), QString());
    QCOMPARE(field(*recording, {EventTable::ranges, 0}, "bytes"), QStringLiteral("4 KiB"));
    QVERIFY(tooltipOf(*recording, {ItemKind::operation, 0}).contains("ncclAllReduce: " + what));
    QVERIFY(tooltipOf(*recording, {ItemKind::range, 0}).contains(what));
}

void tst_recording_panels::detailsOfABlockedCall()
{
    QVERIFY(!m_blocking->blocking->calls.empty());
    const BlockedCall& first = m_blocking->blocking->calls.front();
    const EventRef call {EventTable::calls, first.call};
    QVERIFY(field(*m_blocking, call, "Blocked").contains(QStringLiteral("%L1 ns").arg(first.end - first.start)));
    QVERIFY(field(*m_blocking, call, "Costs").startsWith(formatTime(heldCost(*m_blocking, 0))));
    QVERIFY(!field(*m_blocking, call, "Released by").isEmpty());
    QVERIFY(!field(*m_blocking, call, "Why released then").isEmpty());
    // A blocked stretch of the lane is its call.
    QCOMPARE(eventOf(*m_blocking, {ItemKind::blocked, 0}), call);
    QVERIFY(!eventOf(*m_blocking, {ItemKind::overlap, 0}));
}

void tst_recording_panels::noFieldIsCut()
{
    DetailsPanel panel;
    for (const int width : {248, 300, 248}) {
        panel.resize(width, 900);
        panel.show();
        panel.present(m_blocking, {EventTable::operations, 0});
        const auto* fields = panel.findChild<QTreeWidget*>(QStringLiteral("details"));
        QTRY_VERIFY(fields->viewport()->width() > width - 60 && fields->viewport()->width() < width);
        int bottom = 0, wrapped = 0;
        for (int row = 0; row < fields->topLevelItemCount(); ++row) {
            for (const int column : {0, 1}) {
                const QModelIndex index = fields->model()->index(row, column);
                const QRect box = fields->visualRect(index);
                const QFontMetrics metrics(fields->font());
                const int lines = box.height() / metrics.lineSpacing();
                QVERIFY2(metrics.horizontalAdvance(index.data().toString()) <= lines * box.width(),
                    qPrintable(index.data().toString()));
                wrapped += lines > 1;
                bottom = std::max(bottom, box.bottom());
            }
        }
        QVERIFY(wrapped > 0);
        QVERIFY(bottom <= fields->viewport()->height() && bottom > fields->viewport()->height() - 20);
    }
}

void tst_recording_panels::theCardTakesTheThemesColours()
{
    DetailsPanel panel;
    const auto setGround = [&panel](Qt::GlobalColor ground) {
        QPalette palette = panel.palette();
        palette.setColor(QPalette::Base, ground);
        panel.setPalette(palette);
    };
    const auto swatch = [&panel] {
        const auto* label = panel.findChild<QLabel*>(QStringLiteral("cardSwatch"));
        return label->pixmap().toImage().pixelColor(0, 0).name();
    };
    setGround(Qt::white);
    panel.present(m_blocking, {EventTable::operations, 0});
    panel.show();
    QCOMPARE(swatch(), Theme::named(QStringLiteral("light")).muted.name());
    setGround(Qt::black);
    QTRY_COMPARE(swatch(), Theme::named(QStringLiteral("dark")).muted.name());
}

void tst_recording_panels::detailsAreCopied()
{
    DetailsPanel panel;
    panel.resize(300, 1600);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    panel.present(m_blocking, {EventTable::operations, 0});
    const QString all = panel.asText();
    QVERIFY(all.contains(QStringLiteral("matmul")));
    QCOMPARE(all.count(QLatin1Char('\n')),
        static_cast<qsizetype>(detailsOf(*m_blocking, {EventTable::operations, 0}).size()));
    panel.findChild<QTreeWidget*>(QStringLiteral("details"))->setFocus();
    QTest::keyClick(panel.findChild<QTreeWidget*>(QStringLiteral("details")), Qt::Key_C, Qt::ControlModifier);
    QTRY_COMPARE(QGuiApplication::clipboard()->text(), all);
    auto* fields = panel.findChild<QTreeWidget*>(QStringLiteral("details"));
    fields->topLevelItem(1)->setSelected(true);  // one field alone
    QTest::keyClick(fields, Qt::Key_C, Qt::ControlModifier);
    QTRY_COMPARE(QGuiApplication::clipboard()->text(),
        fields->topLevelItem(1)->text(0) + QLatin1Char('\t') + fields->topLevelItem(1)->text(1) + QLatin1Char('\n'));
    const QRect value = fields->visualRect(fields->model()->index(2, 1));
    QTest::mouseClick(fields->viewport(), Qt::LeftButton, {}, value.center());
    QTest::mouseDClick(fields->viewport(), Qt::LeftButton, {}, value.center());  // opens it to select a part
    auto* line = fields->findChild<QLineEdit*>();
    QVERIFY(line && line->isReadOnly());
    QCOMPARE(line->text(), fields->topLevelItem(2)->text(1));
    QTest::keyClick(line, Qt::Key_Home);
    QTest::keyClick(line, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(line->selectedText(), line->text().left(1));

    // The focus stays on its field when the critical path arrives.
    const QString current = fields->topLevelItem(2)->text(0);
    panel.present(m_blocking, {EventTable::operations, 0});
    QCOMPARE(fields->currentIndex().siblingAtColumn(0).data().toString(), current);
    QVERIFY(!fields->verticalScrollBar()->isVisible());  // it is the card that scrolls

    QSignalSpy follow(&panel, &DetailsPanel::followWanted);
    const auto link = [&](const char* name) {
        for (auto* each : panel.findChildren<CardLink*>()) {
            if (each->isVisible() && each->accessibleName().contains(QLatin1String(name))) {
                return each;
            }
        }
        return static_cast<CardLink*>(nullptr);
    };
    QTRY_VERIFY(link("cudaLaunchKernel") != nullptr);
    link("cudaLaunchKernel")->click();
    QCOMPARE(follow.count(), 1);
    const auto call = follow[0][0].value<ItemRef>();
    QCOMPARE(call.kind, ItemKind::call);
    panel.present(m_blocking, {EventTable::calls, call.row});
    QTRY_VERIFY(link("matmul") != nullptr);
    link("matmul")->click();
    QCOMPARE(follow[1][0].value<ItemRef>(), (ItemRef {ItemKind::operation, 0}));
    panel.present(nullptr, {});
    QVERIFY(panel.asText().isEmpty());
}

void tst_recording_panels::statisticsCompare()
{
    Workspace workspace;
    StatisticsPanel panel;
    panel.observe(&workspace);
    workspace.set({m_blocking, m_overlapped});
    panel.show();
    const QString text = panel.asText();
    const QStringList header = text.section(QLatin1Char('\n'), 0, 0).split(QLatin1Char('\t'));
    QCOMPARE(header.size(), 4);
    QVERIFY(header[1].contains(QStringLiteral("blocking")));
    QVERIFY(header[2].contains(QStringLiteral("overlapped")));
    const QStringList total = text.section(QLatin1Char('\n'), 2, 2).split(QLatin1Char('\t'));
    QCOMPARE(total[1], formatTime(m_blocking->report->wall) + QStringLiteral(" 100 %"));  // every share is of it
    QCOMPARE(total[2], formatTime(m_overlapped->report->wall) + QStringLiteral(" 100 %"));
    QVERIFY(total[3].startsWith(minus_sign));
    QVERIFY(text.contains(QStringLiteral("Kernels\t3\t3\t0")));
    workspace.set({m_blocking});
    QCOMPARE(panel.asText().section(QLatin1Char('\n'), 0, 0).split(QLatin1Char('\t')).size(), 2);
    workspace.set({});
    QCOMPARE(panel.topLevelItemCount(), 0);
}

void tst_recording_panels::statisticsOfARange()
{
    Workspace workspace;
    StatisticsPanel panel;
    panel.observe(&workspace);
    workspace.set({m_blocking});
    panel.show();
    const QString whole = panel.asText();
    const Row first = 0;
    const Interval range {m_blocking->trace->operations.start[first], m_blocking->trace->operations.end[first]};
    workspace.selectRange(0, range);
    QTRY_VERIFY(panel.asText() != whole);
    QVERIFY(panel.topLevelItem(0)->text(0).startsWith(QStringLiteral("In the selection, ")));
    QVERIFY(panel.topLevelItem(0)->child(1)->text(1).startsWith(formatTime(range.end - range.start)));  // GPU busy
    // A drag: the last request counts.
    for (Ns part = 1; part <= 10; ++part) {
        const Interval wish {range.start, range.start + (range.end - range.start) * part / 20};
        workspace.selectRange(0, wish);
    }
    QTRY_VERIFY(panel.topLevelItem(0)->child(1)->text(1).startsWith(formatTime((range.end - range.start) / 2)));
    workspace.selectRange(0, {});
    QCOMPARE(panel.asText(), whole);
}

void tst_recording_panels::statisticsOfWhatRepeats()
{
    Workspace workspace;
    StatisticsPanel panel;
    panel.observe(&workspace);
    panel.resize(900, 400);
    const OpenRecordingPtr recording = lateIterations();
    const Interval part = *repeatedPart(*recording);
    const Ns worked = recording->report->wall - part.start;  // to the last end, which is in the last iteration
    workspace.set({recording});
    panel.show();
    const auto said = [&](const char* scope, Ns total) {
        return QTest::qWaitFor([&] {
            return panel.topLevelItemCount() > 0 && panel.topLevelItem(0)->text(0).startsWith(QLatin1String(scope))
                && panel.asText().contains(QStringLiteral("Total\t%1").arg(formatTime(total)));
        });
    };
    QVERIFY(said("In the repeating part, ", worked));
    workspace.chooseScope(Scope::Of::all);
    QVERIFY(said("Of all, ", recording->report->wall));
    workspace.selectRange(0, Interval {0, 5000});
    QVERIFY(said("In the selection, 5.00 ", 5000));
    workspace.set({recording, m_blocking});
    QVERIFY(said("Of all, A ", recording->report->wall));
}

/// A trace of only the CPU has no figures of a GPU, nor of calls.
void tst_recording_panels::statisticsWithoutAGpu()
{
    TraceBuilder builder;
    RangeRecord range {};
    range.id = 1;
    range.process = range.thread = 7;
    range.edge = RangeRecord::begin;
    range.name = builder.intern("parse");
    builder.write(range);
    range.time = 3000;
    range.edge = RangeRecord::finish;
    builder.write(range);
    Workspace workspace;
    StatisticsPanel panel;
    panel.observe(&workspace);
    panel.show();
    workspace.set({analysed(builder.finish(Source::chrome), QStringLiteral("/tmp/a.json.gz"))});
    QCOMPARE(panel.asText().section(QLatin1Char('\n'), 1),
        QStringLiteral("Of all, 3.00 µs\t\nTotal\t3.00 µs 100 %\nCounts\t\nRanges\t1\n"));
    QCOMPARE(panel.headerItem()->text(1), QStringLiteral("a"));
}

void tst_recording_panels::findingsAreTheCostliestFirst()
{
    FindingsPanel panel;
    panel.resize(700, 200);
    panel.setRecordings({m_blocking, m_blocking}, {m_blocking->report, m_blocking->report});
    panel.show();
    QVERIFY(panel.findings() >= 2);
    for (std::size_t i = 0; i < panel.entries().size(); ++i) {
        QVERIFY(i == 0 || panel.entries()[i - 1].cost >= panel.entries()[i].cost);
        QVERIFY(panel.entries()[i].evidence);
    }
    QVERIFY(panel.entries()[0].cost > 0);
    QSignalSpy wanted(&panel, &FindingsPanel::evidenceWanted);
    QTest::mouseClick(panel.viewport(), Qt::LeftButton, {}, panel.visualItemRect(panel.item(0)).center());
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted[0][0].toInt(), panel.entries()[0].side);
    panel.setRecordings({}, {});
    QCOMPARE(panel.count(), 0);
}

/// A cost is what a change gains. Of what it is gained on top of, the lanes do not show it: that is said.
void tst_recording_panels::onlyWhatAChangeGainsIsRed()
{
    auto report = std::make_shared<Report>(*m_blocking->report);
    Finding gained = report->findings.front();
    QVERIFY(!gained.changes.empty());
    Finding none = gained;
    none.changes.clear();
    gained.on_top_of = {replay::Change {replay::ChangeKind::own_stream}};
    report->findings = {gained, none};
    FindingsPanel panel;
    panel.resize(700, 300);
    panel.setRecordings({m_blocking}, {report});
    panel.show();
    QCOMPARE(panel.findings(), 2);
    const auto words = QString::fromStdString(engineMessages().format(replay::message_of(gained.on_top_of.front())));
    QVERIFY2(panel.entries()[0].advice.endsWith(QStringLiteral(" Gained on top of: %1.").arg(words)),
        qPrintable(panel.entries()[0].advice));
    QVERIFY(!panel.entries()[1].advice.contains(QStringLiteral("Gained on top of")));
    const QImage image = panel.viewport()->grab().toImage();
    const QRgb red = themeOf(panel.palette()).pillBlocking.rgb();
    for (int row = 0; row < 2; ++row) {
        const QRect at = panel.visualItemRect(panel.item(row));
        int found = 0;
        for (int y = at.top(); y <= std::min(at.bottom(), image.height() - 1); ++y) {
            for (int x = 0; x < 120; ++x) {
                found += image.pixel(x, y) == red ? 1 : 0;
            }
        }
        QCOMPARE(found > 0, row == 0);
    }
}

void tst_recording_panels::stepsComeFromTheRecording()
{
    QVERIFY(!m_blocking->steps.empty());
    const StepInfo* step = stepOf(*m_blocking, {EventTable::operations, 0});
    QVERIFY(step != nullptr);
    QCOMPARE(step->kind, std::string("kernel"));
    QCOMPARE(step->pytorch_line, 2U);
    QVERIFY(m_blocking->codePyTorch.contains(QStringLiteral("matmul")));
    QCOMPARE(longTitle(*m_blocking), QStringLiteral("Small · blocking"));
}

/// A line that is too long wraps under its own indentation; what is copied is the code. All of it is visible when it is
/// lit.
void tst_recording_panels::wrappedCode()
{
    const QString line = QStringLiteral("        y_cpu[i].copy_(y[i], non_blocking=not blocking)");
    CodePanel panel;
    panel.resize(180, 150);
    panel.show();
    panel.setCode(QStringLiteral("a\nb\nc\nd\ne\nf\ng\n") + line + QStringLiteral("\ni\nj\nk"), {});
    panel.markLines(8, 0);
    const QTextEdit& text = *panel.text();
    QTextCursor first(text.extraSelections().at(0).cursor.block());
    QTextCursor last = first;
    last.movePosition(QTextCursor::EndOfBlock);
    QVERIFY(text.cursorRect(last).top() > text.cursorRect(first).bottom());
    QVERIFY(text.viewport()->rect().contains(text.cursorRect(first)));
    QVERIFY(text.viewport()->rect().contains(text.cursorRect(last)));
    QCOMPARE(first.block().text(), line);

    const auto leftOf = [&](int position) {
        QTextCursor at(first);
        at.setPosition(first.block().position() + position);
        return text.cursorRect(at).left();
    };
    const int letter = leftOf(9) - leftOf(8);
    const int code = leftOf(8);
    const QTextLine second = first.block().layout()->lineAt(1);
    const int rest = leftOf(second.textStart());
    QVERIFY2(rest > code, qPrintable(QStringLiteral("%1 %2").arg(code).arg(rest)));
    panel.resize(900, 150);
    QTRY_COMPARE(first.block().layout()->lineCount(), 1);
    QVERIFY(leftOf(8) > code);  // as deep as in the text

    panel.resize(180, 150);
    QTRY_COMPARE(leftOf(8), code);
    QTextCursor start(text.document());
    panel.text()->setTextCursor(start);
    panel.markLines(8, 0);
    panel.setCode(line + QStringLiteral("\nb"), {});
    first = QTextCursor(text.document());
    QCOMPARE(leftOf(9) - leftOf(8), letter);  // letters were narrow at the cursor
}

void tst_recording_panels::codeMarksItsLine()
{
    CodePanel panel;
    panel.setCode(QStringLiteral("one\ntwo\nthree"), QStringLiteral("eins\nzwei"));
    panel.show();
    panel.markLines(2, 1);
    QCOMPARE(panel.text()->extraSelections().size(), 1);
    QCOMPARE(panel.text()->extraSelections()[0].cursor.blockNumber(), 1);
    for (QPushButton* button : panel.findChildren<QPushButton*>()) {
        if (button->text() == QLatin1String("CUDA")) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    QCOMPARE(panel.text()->toPlainText(), QStringLiteral("eins\nzwei"));
    QCOMPARE(panel.text()->extraSelections()[0].cursor.blockNumber(), 0);
    panel.markLines(0, 99);  // beyond the text: nothing
    QVERIFY(panel.text()->extraSelections().isEmpty());
    panel.setCode(QStringLiteral("only"), {});
    QCOMPARE(panel.text()->toPlainText(), QStringLiteral("only"));

    panel.setLarge(1.0, 3);  // comments after calls go; lines of nothing else stay, so that each line keeps its number
    panel.setCode(QStringLiteral("# given: x\n# and y\n\nf(x)  # called\n    # then\ng(y)"), {});
    QCOMPARE(panel.text()->toPlainText(), QStringLiteral("# given: x\n# and y\n\nf(x)\n    # then\ng(y)"));
    panel.markLines(6, 0);
    QCOMPARE(panel.text()->extraSelections()[0].cursor.block().text(), QStringLiteral("g(y)"));
}

void tst_recording_panels::caveatsAreSaid()
{
    QVERIFY(caveats(*m_blocking).isEmpty());
    Trace trace;
    trace.dropped = 12;
    trace.meta[meta::error] = "illegal address";
    trace.meta[meta::gpu_end_ns] = "2000000";
    OpenRecording recording;
    recording.trace = std::make_shared<const Trace>(std::move(trace));
    const QString text = caveats(recording).join(QLatin1Char('\n'));
    QVERIFY(text.contains(QStringLiteral("illegal address")));
    QVERIFY(text.contains(QStringLiteral("12 records")));
    QVERIFY(text.contains(QStringLiteral("neither API calls nor GPU operations")));
}

void tst_recording_panels::everyEventIsAStepOnceInOrder()
{
    for (const OpenRecordingPtr& recording : {m_blocking, m_overlapped}) {
        const Trace& trace = *recording->trace;
        const RunSteps steps(recording);
        const auto outer
            = static_cast<std::size_t>(std::count(trace.calls.outer.begin(), trace.calls.outer.end(), no_row));
        const auto spans = static_cast<std::size_t>(
            std::count_if(trace.host_spans.begin(), trace.host_spans.end(), [](const HostSpan& span) {
                return span.type != HostSpanRecord::staging;  // part of its copy's call
            }));
        QCOMPARE(steps.size(), outer + trace.operations.size() + spans + trace.reads.size());
        std::set<std::pair<int, Row>> seen;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            QVERIFY(i == 0 || steps.time(i - 1) <= steps.time(i));
            QVERIFY(seen.insert({static_cast<int>(steps.event(i).table), steps.event(i).row}).second);
            QCOMPARE(steps.time(i), span_of(trace, steps.event(i)).start);
            QCOMPARE(steps.of(steps.event(i)), std::optional(i));
            QVERIFY(!steps.text(i).isEmpty() && !steps.text(i).contains(QLatin1Char('%')));
            // The last that has begun, by a search through all.
            const Ns time = steps.time(i) + 1;
            std::size_t last = 0;
            for (std::size_t j = 0; j < steps.size(); ++j) {
                last = steps.time(j) <= time ? j : last;
            }
            QCOMPARE(steps.at(time), std::optional(last));
        }
        QVERIFY(!steps.at(-1));
    }
}

void tst_recording_panels::stepsSayWhatWasRecorded()
{
    const auto textOf = [](const OpenRecordingPtr& recording, const char* call, int nth) {
        const RunSteps steps(recording);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps.event(i).table == EventTable::calls
                && nameOf(*recording->trace, steps.event(i)) == QLatin1String(call) && nth-- == 0) {
                return steps.text(i);
            }
        }
        return QString();
    };
    QCOMPARE(textOf(m_overlapped, "cudaLaunchKernel", 0),
        QStringLiteral("main enqueues kernel matmul on stream compute, and continues"));
    QCOMPARE(textOf(m_overlapped, "cudaMemcpyAsync", 1),
        QStringLiteral("main enqueues D2H 64 MiB on stream copy, and continues"));
    QCOMPARE(textOf(m_overlapped, "cudaEventRecord", 0), QStringLiteral("main records an event on stream compute"));
    QCOMPARE(textOf(m_overlapped, "cudaStreamWaitEvent", 0),
        QStringLiteral("main makes stream copy wait for an event, and continues"));
    // A call that held a thread says so, with its blocked time and no other.
    Ns held = 0;
    for (const BlockedCall& blocked : m_overlapped->blocking->calls) {
        held = blocked.end - blocked.start;
    }
    QCOMPARE(textOf(m_overlapped, "cudaDeviceSynchronize", 0),
        QStringLiteral("main waits for the result: %1 (cudaDeviceSynchronize)").arg(formatTime(held)));
    const RunSteps steps(m_blocking);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps.event(i).table == EventTable::calls) {
            const bool blocked = !m_blocking->blocking->of(steps.event(i).row).empty();
            QCOMPARE(
                steps.text(i).contains(QStringLiteral("waits ")) || steps.text(i).contains(QStringLiteral("stages")),
                blocked);
        }
    }
}

void tst_recording_panels::whatIsOnTheGpu()
{
    const Trace& trace = *m_overlapped->trace;
    const RunSteps steps(m_overlapped);
    for (Ns time = 0; time < trace.duration; time += trace.duration / 97) {
        const QString text = steps.onTheGpu(time);
        bool kernel = false;
        bool copy = false;
        for (Row row = 0; row < trace.operations.size(); ++row) {
            if (trace.operations.start[row] <= time && time < trace.operations.end[row]) {
                (trace.operations.kind[row] == OperationKind::kernel ? kernel : copy) = true;
            }
        }
        QCOMPARE(text.contains(QStringLiteral("compute: matmul")), kernel);
        QCOMPARE(text.contains(QStringLiteral("copy: D2H 64 MiB")), copy);
        QCOMPARE(text == QStringLiteral("nothing"), !kernel && !copy);
    }
}

/// Where a teacher stops: at every kind of step once, at the last one, and no more often than asked.
void tst_recording_panels::milestonesAreTheFirstOfEachKind()
{
    for (const OpenRecordingPtr& recording : {m_blocking, m_overlapped}) {
        const RunSteps steps(recording);
        const std::vector<std::size_t> all = milestones(steps, 100);
        QVERIFY(all.size() >= 3 && all.size() < steps.size());
        QVERIFY(std::is_sorted(all.begin(), all.end()));
        QCOMPARE(all.front(), 0U);
        QCOMPARE(all.back(), steps.size() - 1);
        // Three rounds of one loop: what the second and the third do is not shown again.
        int kernels = 0;
        for (const std::size_t step : all) {
            kernels += steps.text(step).startsWith(QStringLiteral("main enqueues kernel matmul")) ? 1 : 0;
        }
        QCOMPARE(kernels, 1);
        // Of four: the first, the last, and the longest.
        const std::vector<std::size_t> few = milestones(steps, 4);
        QCOMPARE(few.size(), 4U);
        QCOMPARE(few.front(), 0U);
        QCOMPARE(few.back(), steps.size() - 1);
        for (std::size_t i = 1; i + 1 < all.size(); ++i) {
            const bool kept = std::find(few.begin(), few.end(), all[i]) != few.end();
            QVERIFY(kept || steps.duration(all[i]) <= std::min(steps.duration(few[1]), steps.duration(few[2])));
        }
    }
    QVERIFY(milestones(RunSteps()).empty());
}

void tst_recording_panels::choicesHoldTheTruthAndCanBeToldApart()
{
    for (const auto& [a, b] :
        {std::pair(m_blocking, m_overlapped), std::pair(m_overlapped, m_blocking), std::pair(m_blocking, m_blocking)}) {
        const Expectation asked = Expectation::of(*a->report, *b->report);
        QCOMPARE(asked.choices.size(), 4U);
        QCOMPARE(asked.choices[asked.right], b->report->wall);
        QCOMPARE(asked.known, a->report->wall);
        std::vector<Ns> sorted = asked.choices;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            QVERIFY(static_cast<double>(sorted[i]) >= 1.2 * static_cast<double>(sorted[i - 1]));
        }
        // The order depends on the seed, and the truth may be anywhere; the choices stay.
        std::set<std::size_t> places;
        for (std::uint32_t seed = 0; seed < 60; ++seed) {
            const Expectation other = Expectation::of(*a->report, *b->report, seed);
            QCOMPARE(other.choices[other.right], b->report->wall);
            places.insert(other.right);
            std::vector<Ns> same = other.choices;
            std::sort(same.begin(), same.end());
            QVERIFY(same == sorted);
        }
        QCOMPARE(places.size(), asked.choices.size());
        // No round numbers beside the odd truth: no choice is half or twice another.
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                QVERIFY(std::abs(static_cast<double>(sorted[i]) / static_cast<double>(sorted[j]) - 2) > 0.001);
            }
        }
        std::vector<int> hands(asked.choices.size(), 0);
        hands[asked.right] = 11;
        QVERIFY(asked.outcome(hands).contains(formatTime(b->report->wall) + QStringLiteral(": 11")));
        QVERIFY(asked.outcome(asked.right).startsWith(QStringLiteral("You were right")));
        QVERIFY(asked.outcome(asked.right == 0 ? 1 : 0).contains(QStringLiteral("it took ") + asked.text(asked.right)));
    }
    QVERIFY(Expectation::of(*m_blocking->report, *m_blocking->report)
                .text(Expectation::of(*m_blocking->report, *m_blocking->report).right)
                .endsWith(QStringLiteral("the same")));
    Report longer = *m_blocking->report;
    longer.wall += longer.wall * 7 / 100;
    const Expectation percent = Expectation::of(*m_blocking->report, longer);
    QCOMPARE(percent.text(percent.right), formatTime(longer.wall) + QStringLiteral(", 7 % slower"));
    // Less work: times, but not how many times as fast.
    Report less = *m_overlapped->report;
    ++less.counts.kernels;
    const Expectation times = Expectation::of(*m_blocking->report, less);
    QCOMPARE(times.text(times.right), formatTime(less.wall));
    // An empty recording.
    const Report none;
    QVERIFY(Expectation::of(none, none).choices.size() >= 1);
    QVERIFY(!Expectation::of(none, none).text(0).isEmpty());
}

QTEST_MAIN(tst_recording_panels)
#include "tst_recording_panels.moc"
