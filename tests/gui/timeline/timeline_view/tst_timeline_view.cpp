// SPDX-License-Identifier: MIT
// The view through real mouse, wheel and key events.
#include "gui/paint/drawn_texts.h"
#include "gui/paint/frame_hits.h"
#include "tests/gui/timeline/timeline_view/view_under_test.h"

#include <cmath>
#include <QScreen>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <random>

using namespace lanes;
using namespace lanes::gui;

class tst_TimelineView : public QObject, private ViewUnderTest {
    Q_OBJECT

private slots:
    void init() { open(); }
    void cleanup() { m_view.reset(); }

    void showsEverythingAtFirst();
    void ctrlWheelZoomsAtTheCursor();
    void wheelScrollsLanes();
    void shiftWheelPansByWholeColumns();
    void keysZoomAndPan();
    void homeShowsEverything();
    void backspaceGoesBackOneBurst();
    void shiftDragPans();
    void ctrlDragAndMiddleDragZoomToTheBox_data();
    void ctrlDragAndMiddleDragZoomToTheBox();
    void leftDragSelectsARangeWithLiveFigures();
    void clickSelectsAndEscapeClears();
    void clickBesideEverythingClears();
    void causesOfAnOperationLeadToACall();
    void selectingABlockedCallLeadsToWhatReleasedIt();
    void bracketsFollowTheArrow();
    void dotAndCommaStepThroughTheLane();
    void focusCentresThenFits();
    void focusOfTheKeyboardIsFramed();
    void doubleClickZoomsToTheItem();
    void hoverSaysWhatItIs();
    void keysHideWhatIsSaidOfAnotherPlace();
    void leavingClearsHoverAndCursor();
    void magnifiedNamesShrinkBeforeTheyVanish();
    void passingLeavesNothingBehind_data();
    void passingLeavesNothingBehind();
    void thinItemsCanBeHit();
    void everyActionHasAKeyAndDoesSomething();
    void resizingKeepsEverythingInSight();
    void paintsWhatTheThemeSays_data();
    void paintsWhatTheThemeSays();
    void emptyViewSaysWhatToDo();
    void keptPicturesOfLabelsAreTheSamePixels();
};

void tst_TimelineView::showsEverythingAtFirst()
{
    const Interval range = m_view->timeline().visibleRange();
    const Ns duration = m_view->timeline().recording()->trace->duration;
    QCOMPARE(range.start, 0);
    QVERIFY(range.end > duration && range.end < duration * 12 / 10);
}

void tst_TimelineView::ctrlWheelZoomsAtTheCursor()
{
    const QPointF at(600, 200);
    const Ns under = timeAt(at.x());
    const double before = m_view->timeline().timeScale().nsPerColumn();
    QSignalSpy changed(&m_view->timeline(), &Timeline::timeScaleChanged);
    wheel(at, 3, Qt::ControlModifier);
    QCOMPARE(changed.count(), 1);
    QVERIFY(m_view->timeline().timeScale().nsPerColumn() < before / 1.8);
    QVERIFY(std::fabs(xOf(under) - at.x()) <= 1.5);
    QSignalSpy cursor(m_view.get(), &TimelineView::cursorMoved);
    wheel(at, 6, Qt::ControlModifier);
    QVERIFY(!cursor.isEmpty());
    QVERIFY(std::fabs(xOf(cursor.back()[0].toLongLong()) - at.x()) <= 1);
    wheel(at, -6, Qt::ControlModifier);
    wheel(at, -3, Qt::ControlModifier);
    QVERIFY(std::fabs(m_view->timeline().timeScale().nsPerColumn() / before - 1) < 0.02);
}

void tst_TimelineView::wheelScrollsLanes()
{
    m_view->resize(1000, 110);
    const TimeScale before = m_view->timeline().timeScale();
    wheel({600, 90}, -1, {});
    QVERIFY(m_view->timeline().state().scroll > 0);
    QCOMPARE(m_view->timeline().timeScale(), before);
    wheel({600, 90}, 100, {});
    QCOMPARE(m_view->timeline().state().scroll, 0);
}

void tst_TimelineView::shiftWheelPansByWholeColumns()
{
    wheel({600, 200}, 6, Qt::ControlModifier);
    const TimeScale before = m_view->timeline().timeScale();
    wheel({600, 200}, -1, Qt::ShiftModifier);
    QVERIFY(m_view->timeline().timeScale().first() > before.first());
    QCOMPARE(m_view->timeline().timeScale().num(), before.num());
    QCOMPARE(m_view->timeline().timeScale().den(), before.den());
}

void tst_TimelineView::keysZoomAndPan()
{
    const double width = m_view->timeline().timeScale().nsPerColumn();
    QTest::keyClick(m_view.get(), Qt::Key_W);
    QVERIFY(m_view->timeline().timeScale().nsPerColumn() < width);
    QTest::keyClick(m_view.get(), Qt::Key_S);
    QVERIFY(std::fabs(m_view->timeline().timeScale().nsPerColumn() / width - 1) < 0.01);
    QTest::keyClick(m_view.get(), Qt::Key_Plus);
    QTest::keyClick(m_view.get(), Qt::Key_W);
    const auto first = m_view->timeline().timeScale().first();
    QTest::keyClick(m_view.get(), Qt::Key_D);
    QVERIFY(m_view->timeline().timeScale().first() > first);
    QTest::keyClick(m_view.get(), Qt::Key_A);
    QCOMPARE(m_view->timeline().timeScale().first(), first);
    QTest::keyClick(m_view.get(), Qt::Key_Right);
    QVERIFY(m_view->timeline().timeScale().first() > first);
    QTest::keyClick(m_view.get(), Qt::Key_Left);
    QCOMPARE(m_view->timeline().timeScale().first(), first);
}

void tst_TimelineView::homeShowsEverything()
{
    const TimeScale everything = m_view->timeline().timeScale();
    for (const Qt::Key key : {Qt::Key_Home, Qt::Key_0}) {
        QTest::keyClick(m_view.get(), Qt::Key_W);
        QTest::keyClick(m_view.get(), Qt::Key_D);
        QVERIFY(m_view->timeline().timeScale() != everything);
        QTest::keyClick(m_view.get(), key);
        QCOMPARE(m_view->timeline().timeScale(), everything);
    }
}

void tst_TimelineView::backspaceGoesBackOneBurst()
{
    const TimeScale everything = m_view->timeline().timeScale();
    std::chrono::milliseconds now(0);
    m_view->timeline().history().setClock([&now] { return now; });
    wheel({600, 200}, 1, Qt::ControlModifier);
    wheel({600, 200}, 1, Qt::ControlModifier);
    const TimeScale zoomed = m_view->timeline().timeScale();
    now += std::chrono::milliseconds(400);
    QTest::keyClick(m_view.get(), Qt::Key_D);
    QVERIFY(m_view->timeline().timeScale() != zoomed);
    QTest::keyClick(m_view.get(), Qt::Key_Backspace);
    QCOMPARE(m_view->timeline().timeScale(), zoomed);
    QTest::keyClick(m_view.get(), Qt::Key_Backspace);
    QCOMPARE(m_view->timeline().timeScale(), everything);
}

void tst_TimelineView::shiftDragPans()
{
    wheel({600, 200}, 6, Qt::ControlModifier);
    const auto first = m_view->timeline().timeScale().first();
    drag({600, 200}, {550, 210}, Qt::LeftButton, Qt::ShiftModifier);
    QCOMPARE(
        m_view->timeline().timeScale().first() - first, static_cast<std::int64_t>(50 * m_view->devicePixelRatioF()));
    QVERIFY(!m_view->timeline().state().highlights.range);
}

void tst_TimelineView::ctrlDragAndMiddleDragZoomToTheBox_data()
{
    QTest::addColumn<int>("button");
    QTest::addColumn<int>("modifiers");
    QTest::newRow("ctrl and left") << int(Qt::LeftButton) << int(Qt::ControlModifier);
    QTest::newRow("middle") << int(Qt::MiddleButton) << int(Qt::NoModifier);
}

void tst_TimelineView::ctrlDragAndMiddleDragZoomToTheBox()
{
    QFETCH(int, button);
    QFETCH(int, modifiers);
    const Ns from = timeAt(400);
    const Ns to = timeAt(500);
    drag({400, 150}, {500, 250}, static_cast<Qt::MouseButton>(button), Qt::KeyboardModifiers(modifiers));
    const Interval shown = m_view->timeline().visibleRange();
    QVERIFY(shown.start <= from && shown.end >= to);
    QVERIFY(shown.end - shown.start < (to - from) * 105 / 100);
}

void tst_TimelineView::leftDragSelectsARangeWithLiveFigures()
{
    QSignalSpy changed(&m_view->timeline(), &Timeline::rangeChanged);
    drag({500, 200}, {300, 220}, Qt::LeftButton);
    QVERIFY(m_view->timeline().state().highlights.range);
    QCOMPARE(*m_view->timeline().state().highlights.range, (Interval {timeAt(300), timeAt(500)}));
    QVERIFY(changed.count() >= 2);  // while it is dragged, too
    QVERIFY(rangeLinesOf(*m_view->timeline().model(), *m_view->timeline().state().highlights.range)
                .join(u' ')
                .contains("GPU busy"));
    QTest::keyClick(m_view.get(), Qt::Key_Z);
    QVERIFY(m_view->timeline().visibleRange().start
        >= m_view->timeline().state().highlights.range->start - Ns(m_view->timeline().timeScale().nsPerColumn()) - 1);
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QVERIFY(!m_view->timeline().state().highlights.range);
}

void tst_TimelineView::clickSelectsAndEscapeClears()
{
    QSignalSpy selected(&m_view->timeline(), &Timeline::selectionChanged);
    const ItemRef item {ItemKind::operation, 5};
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, middleOf(item));
    QCOMPARE(m_view->timeline().selection(), item);
    QCOMPARE(selected.count(), 1);
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QVERIFY(!m_view->timeline().selection());
    QCOMPARE(selected.count(), 2);
}

void tst_TimelineView::clickBesideEverythingClears()
{
    m_view->timeline().select({ItemKind::operation, 5});
    m_view->timeline().selectRange(Interval {0, 1'000'000});
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, QPoint(990, 300));
    QVERIFY(!m_view->timeline().selection());
    QVERIFY(!m_view->timeline().state().highlights.range);
}

void tst_TimelineView::causesOfAnOperationLeadToACall()
{
    const auto& recording = *m_view->timeline().recording();
    for (Row operation = 0; operation < recording.trace->operations.size(); ++operation) {
        // Back through the operations that it waited for, to the one that began as soon as it was called.
        ItemRef at {ItemKind::operation, operation};
        ItemRef before = at;
        while (at.kind == ItemKind::operation) {
            before = at;
            at = causeOf(recording, at);
            QVERIFY(at.kind != ItemKind::operation || spanOf(recording, at).end <= spanOf(recording, before).start);
        }
        QCOMPARE(at.kind, ItemKind::call);
        QCOMPARE(recording.trace->calls.correlation[at.row], recording.trace->operations.correlation[before.row]);
        QCOMPARE(effectOf(recording, at), before);
    }
}

void tst_TimelineView::selectingABlockedCallLeadsToWhatReleasedIt()
{
    const auto& recording = *m_view->timeline().recording();
    QCOMPARE(recording.blocking->calls.size(), 1);
    const ItemRef released = causeOf(recording, {ItemKind::blocked, 0});
    QCOMPARE(released.kind, ItemKind::operation);
    QCOMPARE(recording.trace->operations.end[released.row], recording.trace->duration - 4'000);
    QCOMPARE(effectOf(recording, released), (ItemRef {ItemKind::blocked, 0}));
}

void tst_TimelineView::bracketsFollowTheArrow()
{
    m_view->timeline().select({ItemKind::operation, 5});
    QTest::keyClick(m_view.get(), Qt::Key_BracketLeft);
    QCOMPARE(m_view->timeline().selection(), causeOf(*m_view->timeline().recording(), {ItemKind::operation, 5}));
    QVERIFY(m_view->timeline().selection());
    QTest::keyClick(m_view.get(), Qt::Key_BracketRight);
    QCOMPARE(m_view->timeline().selection(), (ItemRef {ItemKind::operation, 5}));
}

void tst_TimelineView::dotAndCommaStepThroughTheLane()
{
    m_view->timeline().select({ItemKind::operation, 0});
    QTest::keyClick(m_view.get(), Qt::Key_Period);
    const ItemRef next = m_view->timeline().selection();
    const auto& operations = m_view->timeline().recording()->trace->operations;
    QCOMPARE(operations.stream[next.row], operations.stream[0]);
    QVERIFY(operations.start[next.row] >= operations.end[0]);
    QTest::keyClick(m_view.get(), Qt::Key_Comma);
    QCOMPARE(m_view->timeline().selection(), (ItemRef {ItemKind::operation, 0}));
    QTest::keyClick(m_view.get(), Qt::Key_Comma);
    QCOMPARE(m_view->timeline().selection(), (ItemRef {ItemKind::operation, 0}));
}

void tst_TimelineView::focusCentresThenFits()
{
    const ItemRef item {ItemKind::operation, 8};
    m_view->timeline().select(item);
    wheel({600, 200}, 8, Qt::ControlModifier);
    const double width = m_view->timeline().timeScale().nsPerColumn();
    const double centre = m_view->timeline().frame().geometry.labelWidth
        + (m_view->width() - m_view->timeline().frame().geometry.labelWidth) / 2.0;
    QTest::keyClick(m_view.get(), Qt::Key_F);
    QVERIFY(std::fabs(boxOf(m_view->timeline().frame(), item)->center().x() - centre) <= 1.5);
    QCOMPARE(m_view->timeline().timeScale().nsPerColumn(), width);
    QTest::keyClick(m_view.get(), Qt::Key_F);
    const QRectF box = *boxOf(m_view->timeline().frame(), item);
    QVERIFY(box.width() > (m_view->width() - m_view->timeline().frame().geometry.labelWidth) / 2.0);
    QVERIFY(box.left() >= m_view->timeline().frame().geometry.labelWidth && box.right() <= m_view->width());
}

/// Who clicks knows where he is, also if the keyboard was there before.
void tst_TimelineView::focusOfTheKeyboardIsFramed()
{
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    const auto isFramed = [&] {
        return m_view->grab().toImage().pixel(1, m_view->height() - 20) == m_view->timeline().theme().accent.rgb();
    };
    m_view->clearFocus();
    QVERIFY(!isFramed());
    m_view->setFocus(Qt::TabFocusReason);
    QVERIFY(m_view->hasFocus() && isFramed());
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, QPoint(600, m_view->height() - 5));
    QVERIFY(m_view->hasFocus() && !isFramed());
    m_view->clearFocus();
    m_view->setFocus(Qt::ShortcutFocusReason);
    QVERIFY(isFramed());
    m_view->clearFocus();
    m_view->setFocus(Qt::MouseFocusReason);
    QVERIFY(!isFramed());
}

void tst_TimelineView::doubleClickZoomsToTheItem()
{
    const ItemRef item {ItemKind::operation, 8};
    QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, middleOf(item));
    QCOMPARE(m_view->timeline().selection(), item);
    QVERIFY(boxOf(m_view->timeline().frame(), item)->width() > 300);
}

void tst_TimelineView::hoverSaysWhatItIs()
{
    const auto& kinds = m_view->timeline().recording()->trace->operations.kind;
    const ItemRef item {ItemKind::operation,
        static_cast<Row>(std::find(kinds.begin(), kinds.end(), OperationKind::d2h) - kinds.begin())};
    moveTo(middleOf(item));
    QCOMPARE(m_view->overlay().hovered, item);
    QVERIFY(m_view->overlay().tip.join(' ').contains("64 MiB"));
    QVERIFY(m_view->overlay().tip.join(' ').contains("GB/s"));
}

void tst_TimelineView::keysHideWhatIsSaidOfAnotherPlace()
{
    const QPoint at = middleOf({ItemKind::operation, 3});
    for (const Qt::Key key : {Qt::Key_W, Qt::Key_Plus, Qt::Key_C}) {
        moveTo(at + QPoint(1, 0));
        moveTo(at);
        QVERIFY2(!m_view->overlay().tip.isEmpty(), qPrintable(QKeySequence(key).toString()));
        QTest::keyClick(m_view.get(), key);
        QVERIFY2(
            m_view->overlay().tip.isEmpty() && !m_view->overlay().hovered, qPrintable(QKeySequence(key).toString()));
        m_view->timeline().showAll();
    }
    moveTo(middleOf({ItemKind::operation, 3}));
    QVERIFY(!m_view->overlay().tip.isEmpty());
    m_view->timeline().setScope({Scope::Of::selected, {0, 1000}});
    QVERIFY(m_view->overlay().tip.isEmpty());
}

void tst_TimelineView::leavingClearsHoverAndCursor()
{
    QSignalSpy moved(m_view.get(), &TimelineView::cursorMoved);
    moveTo(middleOf({ItemKind::operation, 3}));
    QVERIFY(!moved.isEmpty());
    QVERIFY(moved.last().first().toLongLong() > 0);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(m_view.get(), &leave);
    QVERIFY(!m_view->overlay().hovered);
    QVERIFY(m_view->overlay().tip.isEmpty());
    QCOMPARE(moved.last().first().toLongLong(), no_time);
}

/// In bars with too little room for the usual size names are drawn as small as in a window of usual size.
void tst_TimelineView::magnifiedNamesShrinkBeforeTheyVanish()
{
    constexpr double magnification = 2.5;
    const auto sizes = [&](double times) {
        m_view->setMagnification(times);
        m_view->timeline().setTimeScale(TimeScale(2'150'000 / 50.0));  // kernels of 50 pixels
        DrawnTexts drawn;
        m_view->grab();
        std::vector<double> found;
        for (const DrawnText& text : drawn.texts) {
            if (text.text.startsWith(QStringLiteral("mm_"))) {
                found.push_back(text.pixels);
            }
        }
        return found;
    };
    m_view->resize(2000, 1400);
    QVERIFY(!sizes(1).empty());
    const std::vector<double> large = sizes(magnification);
    QVERIFY(!large.empty());
    for (const double pixels : large) {
        QVERIFY2(pixels >= 12 && pixels < 10 * magnification, qPrintable(QString::number(pixels)));
    }
}

void tst_TimelineView::passingLeavesNothingBehind_data()
{
    QTest::addColumn<double>("magnification");
    QTest::newRow("as large as it is") << 1.0;
    QTest::newRow("enlarged") << 1.5;
}

/// Moving the mouse repaints parts of the view: it must look as if all of it had been repainted.
void tst_TimelineView::passingLeavesNothingBehind()
{
    QFETCH(double, magnification);
    m_view->setMagnification(magnification);
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    const auto onScreen = [&] { return m_view->screen()->grabWindow(m_view->winId()).toImage(); };
    QStringList tips;
    std::mt19937_64 random(3);
    for (int i = 0; i < 60; ++i) {
        const QPoint at(static_cast<int>(random() % static_cast<unsigned>(m_view->width())),
            static_cast<int>(random() % static_cast<unsigned>(m_view->height())));
        moveTo(at);
        QCoreApplication::processEvents();
        tips << m_view->overlay().tip;
        const QImage seen = onScreen();
        QVERIFY(!seen.isNull());
        m_view->repaint();
        QCOMPARE(seen, onScreen());
    }
    tips.removeDuplicates();
    QVERIFY2(tips.size() > 5, qPrintable(tips.join(u'|')));
}

void tst_TimelineView::thinItemsCanBeHit()
{
    // A launch of 6 us is far below a pixel here; two pixels beside it still hit it.
    const ItemRef call {ItemKind::call, 0};
    const QRectF box = *boxOf(m_view->timeline().frame(), call);
    const ItemRef hit = itemAt(m_view->timeline().frame(), QPointF(box.left() + 2, box.center().y()));
    QCOMPARE(hit.kind, ItemKind::call);
}

void tst_TimelineView::everyActionHasAKeyAndDoesSomething()
{
    std::vector<TimelineAction> actions;
    QList<QKeySequence> keys;
    for (const TimelineActionInfo& info : timelineActions()) {
        QVERIFY(!info.keys.isEmpty() && info.perform != nullptr);
        QVERIFY(std::find(actions.begin(), actions.end(), info.action) == actions.end());
        actions.push_back(info.action);
        for (const QKeySequence& key : info.keys) {
            QVERIFY2(!keys.contains(key), qPrintable(key.toString()));
            keys << key;
        }
    }
    QCOMPARE(actions.size(), static_cast<std::size_t>(TimelineAction::resetLanes) + 1);
}

void tst_TimelineView::resizingKeepsEverythingInSight()
{
    m_view->resize(700, 400);
    QVERIFY(m_view->timeline().visibleRange().end > m_view->timeline().recording()->trace->duration);
    m_view->resize(1800, 400);
    QVERIFY(m_view->timeline().visibleRange().end < m_view->timeline().recording()->trace->duration * 12 / 10);
}

void tst_TimelineView::paintsWhatTheThemeSays_data()
{
    QTest::addColumn<QString>("theme");
    for (const QString& name : Theme::names()) {
        QTest::newRow(qPrintable(name)) << name;
    }
}

void tst_TimelineView::paintsWhatTheThemeSays()
{
    QFETCH(QString, theme);
    m_view->timeline().setTheme(Theme::named(theme));
    m_view->setCursorTime(-1);
    const QImage image = m_view->grab().toImage();
    const double ratio = image.devicePixelRatio();
    const auto colorIn = [&](ItemRef item) {
        const QRectF box = *boxOf(m_view->timeline().frame(), item);
        return QColor(image.pixel((QPointF(box.right() - 5, box.bottom() - 5) * ratio).toPoint()));
    };
    const auto& kinds = m_view->timeline().recording()->trace->operations.kind;
    QCOMPARE(kinds[0], OperationKind::kernel);
    QCOMPARE(colorIn({ItemKind::operation, 0}), Theme::named(theme).item(ItemRole::kernel));
    const auto copy = static_cast<Row>(std::find(kinds.begin(), kinds.end(), OperationKind::d2h) - kinds.begin());
    QCOMPARE(colorIn({ItemKind::operation, copy}), Theme::named(theme).item(ItemRole::d2h));
}

void tst_TimelineView::emptyViewSaysWhatToDo()
{
    m_view->timeline().openRecording(nullptr);
    const QImage image = m_view->grab().toImage();
    bool drawn = false;
    for (int x = 0; x < image.width(); ++x) {
        drawn = drawn || image.pixel(x, image.height() / 2) != m_view->timeline().theme().background.rgb();
    }
    QVERIFY(drawn);
    for (const TimelineActionInfo& info : timelineActions()) {
        m_view->perform(info.action);
    }
    drag({100, 100}, {300, 200}, Qt::LeftButton);
    QVERIFY(!m_view->timeline().state().highlights.range);
}

/// Labels are drawn from cached pictures: no pixel may differ.
void tst_TimelineView::keptPicturesOfLabelsAreTheSamePixels()
{
    const QStringList texts {QStringLiteral("matmul"), QStringLiteral("D2H 64 MiB"), QStringLiteral("Jy\u00C5|_"),
        QStringLiteral("87 %"), QStringLiteral(" ")};
    std::mt19937 random(5);
    LabelPainter labels;
    for (const double scale : {1.0, 1.25, 2.0}) {
        for (int round = 0; round < 60; ++round) {
            const QString& text = texts[round % texts.size()];
            const LabelPainter::Style style {11 + round % 3, round % 2 == 0 ? TextStyle::regular : TextStyle::semiBold};
            const QColor ground = QColor::fromRgb(0xFF000000U | random() % 0x1000000U);
            const QColor color = QColor::fromRgb(0xFF000000U | random() % 0x1000000U);
            const double x = 10 + random() % 40 + (round % 4 == 0 ? 0.5 : 0);
            const double y = 20 + (random() % 20) / 2.0;
            QImage drawn(260, 120, QImage::Format_RGB32);
            drawn.fill(ground);
            QImage kept = drawn;
            for (const bool onGround : {false, true}) {
                QPainter painter(onGround ? &kept : &drawn);
                painter.setRenderHint(QPainter::Antialiasing, true);
                painter.translate(3, 2);
                painter.scale(scale, scale);
                for (int again = 0; again < 2; ++again) {
                    if (onGround) {
                        labels.drawOn(painter, x, y, text, style, color, ground, false);
                    } else if (again == 0) {
                        labels.draw(painter, x, y, text, style, color, false);
                    }
                }
                painter.fillRect(QRectF(0, 0, 4, 4), color);  // the painter is left as it was
            }
            QCOMPARE(kept, drawn);
        }
    }
}

QTEST_MAIN(tst_TimelineView)
#include "tst_timeline_view.moc"
