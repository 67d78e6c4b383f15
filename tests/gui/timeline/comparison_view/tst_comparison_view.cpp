// SPDX-License-Identifier: MIT
#include "gui/timeline/alignment.h"
#include "gui/timeline/comparison_view.h"

#include "gui/paint/differences.h"
#include "gui/paint/title_pills.h"
#include "gui/timeline/difference_strip.h"
#include "gui/timeline/filter_bar.h"
#include "gui/timeline/iteration_strip.h"
#include "gui/timeline/overview_strip.h"
#include "gui/timeline/stack_heights.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <cmath>
#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace lanes;
using namespace lanes::gui;

class tst_ComparisonView : public QObject {
    Q_OBJECT

private slots:
    void heightsAreDivided_data();
    void heightsAreDivided();
    void magnificationFits_data();
    void magnificationFits();
    void init();
    void cleanup() { m_both.reset(); }
    void bothHoldTheLongerOne();
    void zoomAndPanMoveBoth();
    void neitherLeavesTheRecordings_data();
    void neitherLeavesTheRecordings();
    void followingMakesAViewActive();
    void theSecondSaysHowItCompares();
    void partsOfOneRunAreNotCompared();
    void besideAFilterTheVerdictSaysWhatItIsOf();
    void aVerdictKeepsItsReasonAndColour();
    void onlyTheSameWorkIsRanked();
    void aFilterIsTakenBack();
    void oneCursorForBoth();
    void oneSelectionAtATime();
    void bothSidesAreCleared();
    void commandsGoToTheViewLastUsed();
    void oneRecordingHidesTheSecondView();
    void aGestureEndsBeforeItsRecordingGoes();
    void overviewShowsAndMovesTheWindow_data();
    void overviewShowsAndMovesTheWindow();
    void overviewOfAProgramIsItsGpusTime();
    void lanesAreArrangedOnBothSides();
    void lanesOfTwoGetTheOverviewsRoom();
    void theStripOfIterationsHasTheRoomThatLanesLeave();
    void layersAreSwitchedOnBothSides();
    void nothingIsFine();

private:
    std::unique_ptr<ComparisonView> m_both;
};

void tst_ComparisonView::init()
{
    m_both = std::make_unique<ComparisonView>();
    m_both->resize(1100, 640);
    m_both->show();
    m_both->pair().open(
        {samples::copyResultsBack({}), samples::copyResultsBack({.copy = 1'180'000, .blocking = false})});
    QVERIFY(QTest::qWaitForWindowExposed(m_both.get()));
}

void tst_ComparisonView::bothHoldTheLongerOne()
{
    QCOMPARE(m_both->side(0).timeScale(), m_both->side(1).timeScale());
    QCOMPARE(m_both->side(0).state().time.columns(), m_both->side(1).state().time.columns());
    QVERIFY(m_both->side(1).visibleRange().end > m_both->side(0).recording()->trace->duration);
}

void tst_ComparisonView::zoomAndPanMoveBoth()
{
    QSignalSpy changed(&m_both->pair(), &TimelinePair::timeScaleChanged);
    for (const int i : {0, 1}) {
        for (const Qt::Key key : {Qt::Key_W, Qt::Key_D, Qt::Key_W, Qt::Key_A, Qt::Key_S}) {
            QTest::keyClick(m_both->view(i), key);
            QCOMPARE(m_both->side(0).timeScale(), m_both->side(1).timeScale());
        }
        QTest::keyClick(m_both->view(i), Qt::Key_Home);
    }
    QVERIFY(changed.count() >= 10);
}

void tst_ComparisonView::neitherLeavesTheRecordings_data()
{
    QTest::addColumn<Ns>("anchorA");
    QTest::addColumn<Ns>("anchorB");
    QTest::newRow("aligned at their starts") << Ns {0} << Ns {0};
    QTest::newRow("B begins later") << Ns {9'000'000} << Ns {1'234'567};
    QTest::newRow("A begins later") << Ns {1'234'567} << Ns {9'000'000};
}

/// One time scale, one extent: whichever view is moved, both stop together.
void tst_ComparisonView::neitherLeavesTheRecordings()
{
    QFETCH(Ns, anchorA);
    QFETCH(Ns, anchorB);
    m_both->setAlignment({{anchorA, anchorB}, {}});
    const Interval all = m_both->pair().extent();
    for (const int side : {0, 1}) {
        for (const auto& [zooms, key] : {std::pair(0, Qt::Key_A), std::pair(0, Qt::Key_D), std::pair(3, Qt::Key_A),
                 std::pair(3, Qt::Key_D), std::pair(3, Qt::Key_S)}) {
            QTest::keyClick(m_both->view(side), Qt::Key_Home);
            for (int i = 0; i < zooms; ++i) {
                QTest::keyClick(m_both->view(side), Qt::Key_W);
            }
            for (int i = 0; i < 60; ++i) {
                QTest::keyClick(m_both->view(side), key);
            }
            const Interval shown = m_both->side(0).visibleRange();
            const auto length = static_cast<double>(shown.end - shown.start);
            const auto margin = static_cast<Ns>(length / 20 + 2 * m_both->timeScale().nsPerColumn() + 2);
            QVERIFY2(shown.start >= all.start - margin, qPrintable(QString::number(shown.start)));
            QVERIFY2(shown.end <= m_both->side(0).state().time.fittingExtent().end + margin,
                qPrintable(QString::number(shown.end)));
            QVERIFY(length <= static_cast<double>(m_both->side(0).state().time.fittingExtent().end - all.start) * 1.01);
            QCOMPARE(m_both->side(1).timeScale(), m_both->pair().alignment().across(m_both->timeScale(), 0));
        }
    }
}

void tst_ComparisonView::followingMakesAViewActive()
{
    const ItemRef item {ItemKind::operation, 3};
    const TimeScale before = m_both->timeScale();
    m_both->pair().follow(1, item);
    QCOMPARE(m_both->activeIndex(), 1);
    QCOMPARE(m_both->side(1).selection(), item);
    QCOMPARE(m_both->timeScale(), before);  // it was in sight
    m_both->showRange({0, 100'000});
    m_both->pair().follow(0, item);
    QCOMPARE(m_both->activeIndex(), 0);
    const Interval span = spanOf(*m_both->side(0).recording(), item);
    QVERIFY(m_both->side(0).visibleRange().start < span.end && m_both->side(0).visibleRange().end > span.start);
}

void tst_ComparisonView::theSecondSaysHowItCompares()
{
    const auto verdict
        = TitleVerdict::of(*m_both->side(1).recording()->report, m_both->side(0).recording()->report.get());
    QVERIFY2(verdict.text.contains(QStringLiteral("2.6 times as fast")), qPrintable(verdict.text));
    QCOMPARE(verdict.tone, TitleVerdict::Tone::overlapped);
    QCOMPARE(TitleVerdict::of(*m_both->side(0).recording()->report).tone, TitleVerdict::Tone::blocking);
}

/// How long two ranks of a job were recorded makes neither of them slower; what is known of each is beside its title.
void tst_ComparisonView::partsOfOneRunAreNotCompared()
{
    m_both->resize(1100, 900);
    const auto head = [&](int side) {
        LabelPainter labels;
        return titleRow(m_both->side(side).frame(), labels).pieces;
    };
    const auto isIn = [&](int side, const QString& text) {
        const auto pieces = head(side);
        return std::any_of(pieces.begin(), pieces.end(), [&](const auto& piece) { return piece.text.contains(text); });
    };
    const QString compared = QStringLiteral("times as fast");
    QVERIFY(isIn(1, compared) && m_both->differences()->isVisible());
    m_both->pair().setParts({{0, QStringLiteral("late"), true}, {0, QStringLiteral("waits 1 ms for rank 7"), false}});
    QVERIFY(!isIn(1, compared) && !m_both->differences()->isVisible());
    const Theme& theme = m_both->side(0).theme();
    QCOMPARE(head(0)[2].text, QStringLiteral("late"));
    QCOMPARE(head(0)[2].color, theme.pillBlockingText);
    QCOMPARE(head(1)[2].text, QStringLiteral("waits 1 ms for rank 7"));
    QCOMPARE(head(1)[2].color, theme.muted);
    m_both->pair().setParts({});
    QVERIFY(isIn(1, compared) && m_both->differences()->isVisible());
}

/// The lanes show something else than the verdict is about.
void tst_ComparisonView::besideAFilterTheVerdictSaysWhatItIsOf()
{
    Timeline& timeline = m_both->side(1);
    const auto pills = [&] {
        QStringList texts;
        for (const TitlePill& pill : titlePills(timeline.frame())) {
            texts += pill.text;
        }
        return texts;
    };
    const QString verdict = pills().constFirst();
    QVERIFY(verdict.contains(QStringLiteral("times as fast")));
    timeline.choose({.filter = std::make_shared<const Query>(Query::parse("kind:copy"))});
    QCOMPARE(pills(),
        QStringList({QStringLiteral("not filtered: ") + verdict, QStringLiteral("lanes filtered: kind:copy")}));
    timeline.choose({});
    QCOMPARE(pills().constFirst(), verdict);
}

/// A narrow view keeps what is good or bad, and its colour; without room for that it says how busy the GPU was, without
/// a colour.
void tst_ComparisonView::aVerdictKeepsItsReasonAndColour()
{
    const Theme& theme = m_both->side(1).theme();
    LabelPainter labels;
    for (const int side : {0, 1}) {
        const TitleVerdict verdict = m_both->side(side).frame().verdict;
        QVERIFY2(!verdict.reason.isEmpty() && verdict.text.contains(verdict.reason), qPrintable(verdict.text));
        QVERIFY2(verdict.reason.contains(side == 0 ? QStringLiteral(" cost ") : QStringLiteral("overlapped")),
            qPrintable(verdict.reason));
        const auto chinese
            = TitleVerdict::of(*m_both->side(side).recording()->report, nullptr, QStringLiteral("zh_CN"));
        QVERIFY2(chinese.text.contains(chinese.reason), qPrintable(chinese.text));
        QVERIFY2(chinese.reason.contains(side == 0 ? QStringLiteral("代价") : QStringLiteral("有重叠")),
            qPrintable(chinese.reason));
        const QString head = verdict.reason.section(u':', 0, 0);
        std::set<QString> all;
        for (int width = 1300; width > 300; width -= 20) {
            m_both->resize(width, 640);
            QCoreApplication::processEvents();
            const auto pieces = titleRow(m_both->side(side).frame(), labels).pieces;
            const auto pill
                = std::find_if(pieces.begin(), pieces.end(), [](const TitlePiece& piece) { return piece.pill; });
            if (pill == pieces.end()) {
                break;
            }
            const bool hasReason = pill->text.contains(head);
            QVERIFY2(hasReason || width < 700, qPrintable(pill->text));
            QCOMPARE(pill->ground,
                !hasReason      ? theme.pillNeutral
                    : side == 0 ? theme.pillBlocking
                                : theme.pillOverlapped);
            all.insert(pill->text);
        }
        QVERIFY(all.size() > 1);
    }
}

// Less work is not faster work, and wrong bytes are never praised.
void tst_ComparisonView::onlyTheSameWorkIsRanked()
{
    const Report& a = *m_both->side(0).recording()->report;
    const Report& b = *m_both->side(1).recording()->report;
    const auto figures = [](const Report& report, std::optional<Ns> total) {
        SideFigures of;
        of.total = total;
        of.busy = report.gpu_busy;
        of.overlap = report.overlap;
        of.report = std::make_shared<const Report>(report);
        return of;
    };
    const auto strip = [&](const Report& from, const Report& to) {
        Differences differences;
        differences.sides = {figures(from, from.wall), figures(to, to.wall)};
        return differences.cells();
    };
    QCOMPARE(strip(a, b).front().name, QStringLiteral("total"));
    QCOMPARE(strip(a, b).front().words, QStringLiteral("62 % less"));
    Report less = b;
    less.counts.kernels -= 1;
    const QString title = TitleVerdict::of(less, &a).text;
    QVERIFY2(!title.contains(QStringLiteral("faster")) && title.endsWith(QStringLiteral("not the same work as A")),
        qPrintable(title));
    Report held = b;  // what became faster is no alarm, however it waits
    held.verdict.is_held = true;
    QCOMPARE(TitleVerdict::of(held).tone, TitleVerdict::Tone::blocking);
    QCOMPARE(TitleVerdict::of(held, &a).tone, TitleVerdict::Tone::neutral);
    held.wall = 2 * a.wall;
    QCOMPARE(TitleVerdict::of(held, &a).tone, TitleVerdict::Tone::blocking);
    Report slower = b;  // nor is what became slower praised
    QCOMPARE(TitleVerdict::of(slower, &a).tone, TitleVerdict::Tone::overlapped);
    slower.wall = 2 * a.wall;
    QCOMPARE(TitleVerdict::of(slower, &a).tone, TitleVerdict::Tone::neutral);
    QCOMPARE(strip(a, less)[0].name, QStringLiteral("work"));
    QVERIFY2(strip(a, less)[0].values.endsWith(QStringLiteral(" kernels")), qPrintable(strip(a, less)[0].values));
    QVERIFY(strip(a, less)[1].words.isEmpty());
    Differences part;  // for a range, whose totals are its length; the counts stay those of all
    part.sides = {figures(a, {}), figures(less, {})};
    QCOMPARE(part.cells()[0].name, QStringLiteral("work, whole recordings"));
    Report wrong = b;
    wrong.read_bytes = wrong.wrong_bytes = 1 << 20;
    VerdictFacts facts;
    facts.read_bytes = facts.wrong_bytes = 1 << 20;
    wrong.verdict = verdict_of(facts);
    for (const auto& [one, other] : {std::pair(a, wrong), std::pair(wrong, a)}) {
        QCOMPARE(TitleVerdict::of(other, &one).text, TitleVerdict::of(other).text);
        QCOMPARE(
            strip(one, other)[0].words, QStringLiteral("wrong in %1").arg(QChar(one.wrong_bytes > 0 ? u'A' : u'B')));
    }
    QCOMPARE(TitleVerdict::of(wrong, &a).tone, TitleVerdict::Tone::wrong);
}

void tst_ComparisonView::aFilterIsTakenBack()
{
    FilterBar& bar = *m_both->filterBar();
    MarkupHistory& history = m_both->side(0).markup();
    const auto shown = [this] {
        return QStringList {QString::fromStdString(m_both->side(0).state().choice.filterText()),
            QString::fromStdString(m_both->side(1).state().choice.filterText()), m_both->filterBar()->field()->text()};
    };
    bar.ask(QStringLiteral("kind:kernel"));
    const QStringList kernels = shown();
    QVERIFY(!kernels[0].isEmpty() && kernels[0] == kernels[1]);
    bar.ask(QStringLiteral("kind:copy"));  // another one in its place is the same step
    history.undo();
    QCOMPARE(shown(), (QStringList {{}, {}, {}}));
    QVERIFY(bar.isHidden());
    QCOMPARE(std::max(history.lastDone(), m_both->side(1).markup().lastDone()), std::uint64_t {0});
    history.redo();
    QVERIFY(!shown()[0].isEmpty() && shown() != kernels && !bar.isHidden());
    bar.clear();
    history.undo();
    QVERIFY(!shown()[0].isEmpty() && !shown()[2].isEmpty());
}

void tst_ComparisonView::oneCursorForBoth()
{
    QSignalSpy moved(m_both->view(0), &TimelineView::cursorMoved);
    TimelineView* above = m_both->view(0);
    QMouseEvent move(QEvent::MouseMove, QPointF(600, 100), above->mapToGlobal(QPointF(600, 100)), Qt::NoButton,
        Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(above, &move);
    QCOMPARE(moved.count(), 1);
    const QImage other = m_both->view(1)->grab().toImage();
    bool line = false;
    for (int x = 598; x <= 602; ++x) {
        line = line
            || other.pixel(x * int(other.devicePixelRatio()), other.height() - 4)
                == m_both->side(1).theme().muted.rgb();
    }
    QVERIFY(line);
}

void tst_ComparisonView::oneSelectionAtATime()
{
    QSignalSpy selected(&m_both->pair(), &TimelinePair::selectionChanged);
    m_both->select(0, {ItemKind::operation, 2});
    QCOMPARE(selected.last().first().toInt(), 0);
    m_both->select(1, {ItemKind::operation, 3});
    QVERIFY(!m_both->side(0).selection());
    QVERIFY(m_both->side(1).selection());
}

void tst_ComparisonView::bothSidesAreCleared()
{
    m_both->pair().setActive(0);
    m_both->select(1, {ItemKind::operation, 3});
    m_both->pair().setActive(0);
    QVERIFY(m_both->side(1).selection());
    m_both->perform(TimelineAction::clear);
    QVERIFY(!m_both->side(1).selection());
    m_both->side(1).selectRange(Interval {1'000, 2'000'000});
    m_both->perform(TimelineAction::clear);
    QVERIFY(!m_both->pair().range());
}

void tst_ComparisonView::commandsGoToTheViewLastUsed()
{
    QTest::mouseClick(m_both->view(1), Qt::LeftButton, {},
        boxOf(m_both->side(1).frame(), {ItemKind::operation, 2})->center().toPoint());
    QCOMPARE(m_both->activeIndex(), 1);
    m_both->perform(TimelineAction::nextItem);
    QVERIFY(m_both->side(1).selection() != (ItemRef {ItemKind::operation, 2}));
    m_both->perform(TimelineAction::clear);
    QVERIFY(!m_both->side(1).selection());
    m_both->perform(TimelineAction::previousItem);
    QVERIFY(!m_both->side(1).selection());
    m_both->perform(TimelineAction::nextItem);  // of nothing: the first
    QVERIFY(m_both->side(1).selection());
    const ItemRef first = m_both->side(1).selection();
    m_both->perform(TimelineAction::previousItem);
    QCOMPARE(m_both->side(1).selection(), first);

    Timeline& side = m_both->side(1);  // of nothing, zoomed in: the first of what is seen
    const Ns from = spanOf(side.model()->recording(), first).end + 1;
    m_both->perform(TimelineAction::clear);
    side.zoomTo({from, from + 2 * (spanOf(side.model()->recording(), first).end + 1)});
    const Interval view = side.visibleRange();
    m_both->perform(TimelineAction::nextItem);
    QVERIFY(side.selection());
    QVERIFY(spanOf(side.model()->recording(), side.selection()).start >= view.start);
    QVERIFY(spanOf(side.model()->recording(), side.selection()).start < view.end);
}

void tst_ComparisonView::oneRecordingHidesTheSecondView()
{
    m_both->pair().open({samples::everything()});
    QVERIFY(m_both->view(0)->isVisible());
    QVERIFY(!m_both->view(1)->isVisible());
    QCOMPARE(m_both->recordings().size(), 1);
    QTest::keyClick(m_both->view(0), Qt::Key_W);
    QVERIFY(m_both->timeScale().nsPerColumn()
        < double(m_both->pair().extent().end) / m_both->side(0).state().time.columns());
}

void tst_ComparisonView::aGestureEndsBeforeItsRecordingGoes()
{
    Timeline& timeline = m_both->side(0);
    QTRY_VERIFY(timeline.model()->isReady());
    const RecordingPtr before = timeline.recording();
    const RecordingPtr next = samples::copyResultsBack({.copy = 900'000});
    *next->annotations = {{Annotation::Kind::frame, 0, {1'000, {}, 0.5}, {2'000'000, {}, 0.5}, "kept"}};
    timeline.annotations().begin(Annotation::Kind::frame);
    const FrameGeometry geometry = timeline.frame().geometry;
    const QPoint at(qRound(geometry.labelWidth + 100.0), qRound(geometry.lanesTop() + 20.0));
    QTest::mousePress(m_both->view(0), Qt::LeftButton, {}, at);
    QTest::mouseMove(m_both->view(0), at + QPoint(80, 0));
    QCOMPARE(before->annotations->size(), std::size_t {1});
    m_both->pair().open({next});
    QVERIFY(before->annotations->empty());
    QCOMPARE(next->annotations->size(), std::size_t {1});
    QCOMPARE(next->annotations->front().text, std::string("kept"));
    QTest::mouseRelease(m_both->view(0), Qt::LeftButton, {}, at);
}

void tst_ComparisonView::overviewShowsAndMovesTheWindow_data()
{
    QTest::addColumn<double>("text");
    QTest::newRow("usual texts") << 1.0;
    QTest::newRow("large texts") << 1.25;
    QTest::newRow("very large texts") << 1.5;
}

/// It lines up with the lanes, however large their texts are.
void tst_ComparisonView::overviewShowsAndMovesTheWindow()
{
    QFETCH(double, text);
    m_both->setTextSize(text);
    OverviewStrip* strip = m_both->overview();
    m_both->showRange({10'000'000, 20'000'000});
    const Interval before = m_both->side(0).visibleRange();
    const int left = qRound(m_both->side(0).frame().geometry.labelWidth * text);
    const auto xOf = [&](Ns t) {
        return left
            + static_cast<int>(
                double(t) / double(m_both->side(0).state().time.fittingExtent().end) * (strip->width() - left));
    };
    const QPoint from(xOf(15'000'000), 20);
    QTest::mousePress(strip, Qt::LeftButton, {}, from);
    const QPoint to = from + QPoint(100, 0);
    QMouseEvent move(
        QEvent::MouseMove, to, strip->mapToGlobal(QPointF(to)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(strip, &move);
    QTest::mouseRelease(strip, Qt::LeftButton, {}, to);
    QVERIFY(m_both->side(0).visibleRange().start > before.start + 3'000'000);
    QCOMPARE(m_both->side(0).timeScale(), m_both->side(1).timeScale());
    QTest::mouseClick(strip, Qt::LeftButton, {}, QPoint(xOf(40'000'000), 20));
    const Interval shown = m_both->side(0).visibleRange();
    QVERIFY(shown.start < 40'000'000 && shown.end > 40'000'000);
    QVERIFY(std::abs((shown.start + shown.end) / 2 - 40'000'000) < 300'000);
}

/// As the graphs of its GPUs do, the overview says when something was exposed; a lesson's has the ribbon's colours.
void tst_ComparisonView::overviewOfAProgramIsItsGpusTime()
{
    const auto colours = [&] {
        const QImage image = m_both->overview()->grab().toImage();
        QSet<QRgb> all;
        for (int x = 0; x < image.width(); ++x) {
            for (int y = 0; y < image.height(); ++y) {
                all.insert(image.pixel(x, y));
            }
        }
        return all;
    };
    const Theme& theme = m_both->side(0).theme();
    const auto rgb = [&](ItemRole role) { return theme.item(role).rgb(); };
    QVERIFY(colours().contains(rgb(ItemRole::overlap2)));
    QVERIFY(!colours().contains(rgb(ItemRole::exposedTime)));
    m_both->pair().open({samples::everything()});
    QVERIFY(colours().contains(rgb(ItemRole::exposedTime)));
    QVERIFY(colours().contains(rgb(ItemRole::computeAlone)));
    QVERIFY(!colours().contains(rgb(ItemRole::overlap3)));
}

void tst_ComparisonView::lanesAreArrangedOnBothSides()
{
    const auto keyOf = [&](int side, LaneKind kind) {
        for (const Lane& lane : m_both->side(side).model()->lanes()) {
            if (lane.key.kind == kind) {
                return lane.key;
            }
        }
        return LaneKey {};
    };
    for (const int side : {1, 0}) {
        LaneArrangement arrangement = m_both->side(side).state().arrangement;
        arrangement.setPinned(keyOf(side, LaneKind::stream), side == 1);
        arrangement.setCollapsed(keyOf(side, LaneKind::thread), side == 1);
        m_both->side(side).arrange(arrangement);
        for (const int each : {0, 1}) {
            const LaneArrangement& shown = m_both->side(each).state().arrangement;
            QCOMPARE(shown.isPinned(keyOf(each, LaneKind::stream)), side == 1);
            QCOMPARE(shown.isCollapsed(keyOf(each, LaneKind::thread)), side == 1);
        }
    }
    // Another recording in B's place does not touch A.
    LaneArrangement arrangement;
    arrangement.setPinned(keyOf(0, LaneKind::stream), true);
    m_both->side(0).arrange(arrangement);
    m_both->pair().open({m_both->side(0).recording(), samples::copyResultsBack({})});
    QVERIFY(m_both->side(0).state().arrangement.isPinned(keyOf(0, LaneKind::stream)));
}

void tst_ComparisonView::lanesOfTwoGetTheOverviewsRoom()
{
    const auto isShown = [this](int height) {
        m_both->resize(1200, height);
        QCoreApplication::processEvents();
        return !m_both->overview()->isHidden();
    };
    QVERIFY(isShown(1200));
    QVERIFY(!isShown(430));
    m_both->pair().open({m_both->recordings().front()});
    QVERIFY(isShown(430));
    QVERIFY(!isShown(330));
}

/// In a low view, too. The overview stays where the lanes scroll without it as well.
void tst_ComparisonView::theStripOfIterationsHasTheRoomThatLanesLeave()
{
    const RecordingPtr recording = m_both->recordings().front();
    m_both->pair().open({recording});
    auto iterations = std::make_shared<Iterations>();
    for (Ns at = 0; at < 5'000'000; at += 1'000'000) {
        iterations->all.emplace_back().span = {at, at + 1'000'000};
    }
    IterationBars bars;
    bars.sides[0] = {recording, iterations, {}};
    m_both->setIterationBars(bars);
    const QWidget* strip = m_both->findChild<IterationStrip*>();
    const auto shown = [&](int height) {
        m_both->resize(1200, height);
        QCoreApplication::processEvents();
        return std::pair(!strip->isHidden(), !m_both->overview()->isHidden());
    };
    const int needed = m_both->heights().needed;
    QVERIFY(needed < 420);
    QCOMPARE(shown(std::max(needed, 340)), std::pair(true, true));
    QCOMPARE(shown(needed - IterationBars::strip_height).first, false);
    m_both->pair().open({samples::everything(), samples::everything()});
    m_both->setIterationBars(bars);
    const int low = m_both->heights().tightest + IterationBars::strip_height - 10;  // they scroll for the strip
    QVERIFY(low > 620);
    QCOMPARE(shown(low), std::pair(true, true));
}

void tst_ComparisonView::layersAreSwitchedOnBothSides()
{
    using enum TimelineLayers::Layer;
    for (const auto& [action, layer] :
        {std::pair(TimelineAction::allArrows, arrows), std::pair(TimelineAction::chains, chain),
            std::pair(TimelineAction::criticalPath, path), std::pair(TimelineAction::idleReasons, idle)}) {
        const bool before = m_both->side(0).layers().isOn(layer);
        QCOMPARE(m_both->side(1).layers().isOn(layer), before);
        m_both->perform(action);
        QCOMPARE(m_both->side(0).layers().isOn(layer), !before);
        QCOMPARE(m_both->side(1).layers().isOn(layer), !before);
    }
}

void tst_ComparisonView::nothingIsFine()
{
    m_both->pair().open({});
    QVERIFY(m_both->recordings().empty());
    QVERIFY(!m_both->overview()->isVisible());
    m_both->grab();
    for (const TimelineActionInfo& info : timelineActions()) {
        m_both->perform(info.action);
    }
}

void tst_ComparisonView::heightsAreDivided_data()
{
    QTest::addColumn<int>("room");
    QTest::addColumn<double>("least0");
    QTest::addColumn<double>("liked0");
    QTest::addColumn<double>("least1");
    QTest::addColumn<double>("liked1");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("second");
    QTest::newRow("alike") << 400 << 100.0 << 200.0 << 100.0 << 200.0 << 20'000 << 20'000;
    QTest::newRow("one would like three times as much more")
        << 400 << 100.0 << 400.0 << 100.0 << 200.0 << 25'000 << 15'000;
    QTest::newRow("what is liked is less than what is needed")
        << 300 << 100.0 << 50.0 << 100.0 << 101.0 << 15'000 << 15'000;
    QTest::newRow("no room for both") << 150 << 100.0 << 200.0 << 120.0 << 300.0 << 10'000 << 12'000;
}

void tst_ComparisonView::heightsAreDivided()
{
    QFETCH(int, room);
    QFETCH(double, least0);
    QFETCH(double, liked0);
    QFETCH(double, least1);
    QFETCH(double, liked1);
    const auto heights = divided(room, {least0, least1}, {liked0, liked1});
    QTEST(heights[0], "first");
    QTEST(heights[1], "second");
}

void tst_ComparisonView::magnificationFits_data()
{
    QTest::addColumn<double>("wanted");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("height");
    QTest::addColumn<double>("fitting");
    QTest::newRow("all of it") << 2.0 << 200 << 1009 << 2.0;
    QTest::newRow("what there is room for") << 2.0 << 200 << 309 << 1.5;
    QTest::newRow("half of it at least") << 3.0 << 200 << 100 << 1.5;
    QTest::newRow("never the usual view") << 2.0 << 300 << 309 << std::nextafter(1.0, 0.0);
    QTest::newRow("nothing is shown") << 2.0 << 0 << 309 << 2.0;
}

void tst_ComparisonView::magnificationFits()
{
    QFETCH(double, wanted);
    QFETCH(int, least);
    QFETCH(int, height);
    QTEST(fittingMagnification(wanted, least, height), "fitting");
}

QTEST_MAIN(tst_ComparisonView)
#include "tst_comparison_view.moc"
