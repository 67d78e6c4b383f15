// SPDX-License-Identifier: MIT
// Which iterations a window shows, and what is said of a slow one that was planted in a loop.
#include "gui/session/critical_paths.h"
#include "gui/session/iteration_changes.h"
#include "gui/session/scope_reports.h"
#include "gui/session/workspace.h"
#include "gui/timeline/timeline_pair.h"
#include "tests/engine/analysis/tape.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr Ns us = 1000;
constexpr int steps = 80, slow_step = 52;

/// A loop of steps of 100 us and a kernel of `kernel`; one has a cudaMalloc of `longer` before it.
Trace loopTrace(Ns kernel, int slow = slow_step, Ns longer = 400 * us)
{
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    Ns now = 0;
    for (int i = 0; i < steps; ++i) {
        const Ns begin = now;
        if (i == slow) {
            tape.call("cudaMalloc", now, now + longer);
            now += longer;
        }
        tape.kernel(tape.call("cudaLaunchKernel", now, now + 4 * us), 13, now + 5 * us, now + 5 * us + kernel);
        const auto sync = tape.call("cudaStreamSynchronize", now + 5 * us, now + 10 * us + kernel);
        tape.sync(sync, SyncRecord::stream_sync, now + 5 * us, now + 10 * us + kernel, 13);
        now += 100 * us + kernel;
        tape.range("step " + std::to_string(i), begin, now);
    }
    return tape.finish();
}

OpenRecordingPtr loop(Ns kernel, int slow = slow_step, Ns longer = 400 * us)
{
    return analysed(loopTrace(kernel, slow, longer), QString());
}

}  // namespace

class tst_IterationChanges : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void aSlowOneSaysWhy();
    void whatIsLongerThanTheScaleIsTorn();
    void aClickSelectsItWhereOneIsOpen();
    void typicalOnesAreComparedFirst();
    void aPredictionIsComparedWhenAsked();
    void aClickComparesThatOne();
    void theyAreShownAloneAsLongAsTheyFillTheView();
    void theHeadComparesThem();
};

void tst_IterationChanges::aSlowOneSaysWhy()
{
    Workspace workspace;
    IterationChanges changes(&workspace);
    workspace.set({loop(150 * us)});
    QTRY_VERIFY(!changes.bars().isEmpty());
    const IterationBars bars = changes.bars();
    const auto& all = bars.sides[0].iterations->all;
    QCOMPARE(all.size(), std::size_t {steps});
    QCOMPARE(all[slow_step].outlier, Iteration::Outlier::slow);
    QCOMPARE(bars.lines().front(), QStringLiteral("80 iterations, the typical one takes 250 µs, 1 slow"));
    constexpr int width = 1400;
    const QRectF box = bars.boxOf({0, slow_step}, width);
    const auto hit = bars.at(box.center(), width);
    QVERIFY(hit && *hit == (IterationBars::Place {0, slow_step}));
    QVERIFY(box.height() > 2 * bars.boxOf({0, 3}, width).height());
    changes.show(0, slow_step);
    const QStringList lines = changes.bars().lines();
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines.back(), QStringLiteral("iteration 53: 650 µs, slow: +400 µs cudaMalloc"));
}

void tst_IterationChanges::whatIsLongerThanTheScaleIsTorn()
{
    Workspace workspace;
    IterationChanges changes(&workspace);
    workspace.set({loop(150 * us, slow_step, 1400 * us)});
    QTRY_VERIFY(!changes.bars().isEmpty());
    const IterationBars bars = changes.bars();
    QCOMPARE(bars.scale(), Ns {1000 * us});
    constexpr int width = 1400;
    const IterationBars::Place slow {0, slow_step}, usual {0, 3};
    QVERIFY(bars.isCut(slow) && !bars.isCut(usual));
    QVERIFY(bars.breakOf(usual, width).isEmpty());
    const QRectF box = bars.boxOf(slow, width), left = bars.breakOf(slow, width).boundingRect();
    QVERIFY(left.left() == box.left() && left.right() == box.right());
    QVERIFY(left.top() > box.top() && left.bottom() < box.center().y());
    QImage image(width, IterationBars::strip_height, QImage::Format_RGB32);
    QPainter painter(&image);
    LabelPainter labels;
    const Theme& theme = Theme::named(QStringLiteral("light"));
    bars.paint(painter, theme, labels, width, {}, false);
    painter.end();
    const int x = static_cast<int>(box.center().x());
    const QRgb bar = image.pixel(x, static_cast<int>(box.bottom()) - 2);
    QCOMPARE(image.pixel(x, static_cast<int>(box.top()) + 1), bar);  // it goes on over the break
    bool isOpen = false;
    for (int y = static_cast<int>(left.top()); y < left.bottom(); ++y) {
        isOpen = isOpen || image.pixel(x, y) == theme.background.rgb();
    }
    QVERIFY(isOpen);
    changes.show(0, slow_step);
    QVERIFY2(changes.bars().lines().back().startsWith(QStringLiteral("iteration 53: 1.65 ms")),
        qPrintable(changes.bars().lines().back()));
}

void tst_IterationChanges::aClickSelectsItWhereOneIsOpen()
{
    Workspace workspace;
    IterationChanges changes(&workspace);
    workspace.set({loop(150 * us)});
    QTRY_VERIFY(!changes.bars().isEmpty());
    QVERIFY(!changes.bars().sides[0].shown);
    changes.show(0, slow_step);
    QCOMPARE(workspace.selectedRanges()[0], changes.iterations()->at(0)->all[slow_step].span);
    QCOMPARE(changes.bars().sides[0].shown, std::optional<std::size_t>(slow_step));
    workspace.selectRange(0, std::nullopt);
    QVERIFY(!changes.bars().sides[0].shown);
    QVERIFY(!changes.found());
}

void tst_IterationChanges::typicalOnesAreComparedFirst()
{
    Workspace workspace;
    IterationChanges changes(&workspace);
    workspace.set({loop(150 * us), loop(50 * us)});
    QTRY_VERIFY(changes.found());
    const Waterfall& found = *changes.found();
    QCOMPARE(found.parts.a.end - found.parts.a.start, 250 * us);
    QCOMPARE(found.parts.b.end - found.parts.b.start, 150 * us);
    QVERIFY(found.shown[0]->typical && found.shown[1]->typical);
    QCOMPARE(found.shown[0]->low, 250 * us);
    QVERIFY(found.shown[0]->high < 650 * us);
    QCOMPARE(found.shown[0]->lengths.back(), 650 * us);
    QCOMPARE(found.rows().front().name, QStringLiteral("GPU operations"));
    QCOMPARE(found.rows().front().by, -100 * us);
}

/// What if answered for the scope, which iterations would replace.
void tst_IterationChanges::aPredictionIsComparedWhenAsked()
{
    Workspace workspace;
    IterationChanges changes(&workspace);
    Trace trace = loopTrace(50 * us);
    trace.source = Source::predicted;
    workspace.set({loop(150 * us), analysed(std::move(trace), QString())});
    QTRY_VERIFY(changes.canCompare());
    QTest::qWait(50);
    QVERIFY(!changes.found());
    changes.show(1, slow_step);  // as of one recording
    QCOMPARE(workspace.selectedRanges()[1], changes.iterations()->at(1)->all[slow_step].span);
    QVERIFY(!changes.found());
    changes.showTypical();
    QTRY_VERIFY(changes.found());
    QVERIFY(changes.found()->shown[0]->typical && changes.found()->shown[1]->typical);
}

void tst_IterationChanges::aClickComparesThatOne()
{
    Workspace workspace;
    IterationChanges changes(&workspace);
    workspace.set({loop(150 * us), loop(50 * us)});
    QTRY_VERIFY(changes.found());
    const std::size_t typical = changes.found()->parts.number_b;
    changes.show(0, slow_step);
    QTRY_COMPARE(changes.found()->parts.number_a, std::size_t {slow_step + 1});
    QCOMPARE(changes.found()->parts.number_b, typical);
    QVERIFY(!changes.found()->shown[0]->typical);
    QCOMPARE(changes.found()->rows().front().by, -400 * us);  // the call is gone
    QCOMPARE(changes.bars().sides[0].shown, std::optional<std::size_t>(slow_step));
    changes.showTypical();
    QTRY_VERIFY(changes.found()->shown[0]->typical);
}

void tst_IterationChanges::theyAreShownAloneAsLongAsTheyFillTheView()
{
    Workspace workspace;
    IterationChanges changes(&workspace);
    workspace.set({loop(150 * us), loop(50 * us)});
    QTRY_VERIFY(changes.found());
    TimelinePair& pair = *workspace.pair();
    pair.setIterations(changes.found()->shown);
    QVERIFY(!pair.areIterationsAlone());
    QCOMPARE(workspace.scope().of, Scope::Of::repeated);
    QCOMPARE(workspace.scope().ranges, (Ranges {changes.found()->parts.a, changes.found()->parts.b}));
    pair.showIterations();
    QVERIFY(pair.areIterationsAlone());
    for (const int side : {0, 1}) {
        const TimelineFrame frame = pair.side(side).frame();
        const Interval span = changes.found()->shown[static_cast<std::size_t>(side)]->span;
        QCOMPARE(frame.origin(), span.start);
        QVERIFY(frame.isCovered(frame.xOf(span.end) + 2));
        QVERIFY(!frame.isCovered(frame.xOf((span.start + span.end) / 2)));
    }
    pair.side(0).showAll();
    QVERIFY(!pair.areIterationsAlone());
    QCOMPARE(pair.side(1).frame().origin(), 0);
    // Restored in a window of another language, the alignment is called as that one calls it once they are found.
    Alignment restored = pair.alignment();
    restored.name = QStringLiteral("in another language");
    pair.setIterations(std::nullopt);
    pair.setAlignment(restored, 0);
    pair.setIterations(changes.found()->shown);
    QCOMPARE(pair.alignment().name, QStringLiteral("typical iterations"));
    workspace.set({workspace.at(0)});
    QVERIFY(!pair.iterations());
}

/// B's whole run is longer, for one slow iteration; the typical one is faster.
void tst_IterationChanges::theHeadComparesThem()
{
    Workspace workspace;
    IterationChanges changes(&workspace);
    new ScopeReports(&workspace);
    workspace.set({loop(150 * us), loop(50 * us)});
    QTRY_VERIFY(changes.found());
    TimelinePair& pair = *workspace.pair();
    pair.setIterations(changes.found()->shown);
    pair.showIterations();
    QTRY_VERIFY(!pair.reportsAreOld());
    const TitleVerdict verdict = pair.side(1).frame().verdict;
    QVERIFY2(verdict.text.endsWith(QStringLiteral("iteration: 1.7 times as fast")), qPrintable(verdict.text));
    QVERIFY(verdict.tone != TitleVerdict::Tone::blocking);
}

QTEST_MAIN(tst_IterationChanges)
#include "tst_iteration_changes.moc"
