// SPDX-License-Identifier: MIT
#include "gui/paint/drawn_texts.h"
#include "gui/paint/ruler_ticks.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <algorithm>
#include <cmath>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_Measuring : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_view.reset(); }
    void dragSnapsToEdges();
    void altDoesNotSnap();
    void farFromEdgesNothingSnaps();
    void edgesOfTheRangeAreDragged();
    void keysMeasureFromEdgeToEdge();
    void edgesAgainstOracle();
    void figuresOfTheRangeHideNoTime();
    void noLineCrossesTheFiguresOfTheRange();

private:
    QPoint pointAt(Ns time, int off, ItemRef lane) const
    {
        const double x = m_view->timeline().frame().geometry.labelWidth
            + m_view->timeline().timeScale().xOf(time) / m_view->devicePixelRatioF();
        return {static_cast<int>(std::lround(x)) + off,
            static_cast<int>(boxOf(m_view->timeline().frame(), lane)->center().y())};
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mousePress(m_view.get(), Qt::LeftButton, modifiers, from);
        for (const QPoint at : {(from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, at, m_view->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
            QCoreApplication::sendEvent(m_view.get(), &move);
        }
        m_view->grab();
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, modifiers, to);
    }
    Interval span(Row operation) const
    {
        return spanOf(*m_view->timeline().recording(), {ItemKind::operation, operation});
    }

    std::unique_ptr<TimelineView> m_view;
};

void tst_Measuring::init()
{
    m_view = std::make_unique<TimelineView>();
    m_view->resize(1000, 420);
    m_view->timeline().openRecording(samples::copyResultsBack({}));
    m_view->show();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    m_view->setFocus();
}

/// In a low window they are beside the title.
void tst_Measuring::figuresOfTheRangeHideNoTime()
{
    m_view->resize(1366, 170);
    m_view->timeline().selectRange(Interval {span(1).start, span(5).end});
    DrawnTexts drawn;
    m_view->grab();
    const TimelineFrame frame = m_view->timeline().frame();
    QVERIFY(frame.footerTop() > m_view->height() - 20);  // nothing is free under the lanes
    LabelPainter labels;
    std::size_t times = 0, figures = 0, title = 0;
    for (const DrawnText& text : drawn.texts) {
        if (text.text.startsWith(QStringLiteral("\u0394T"))) {
            ++figures;
            QVERIFY2(text.ink.bottom() <= frame.geometry.rulerTop(), qPrintable(text.text));
            for (const DrawnText& other : drawn.texts) {
                title += other.ink.bottom() <= frame.geometry.rulerTop();
                QVERIFY2(&other == &text || !other.ink.intersects(text.ink), qPrintable(other.text));
            }
        }
        times += text.ink.top() >= frame.geometry.rulerTop() && text.ink.bottom() <= frame.geometry.lanesTop();
    }
    QCOMPARE(figures, std::size_t {1});
    QVERIFY(title > 1);
    QCOMPARE(times, rulerFigures(frame, RulerTicks::of(frame, labels), labels).size());
}

void tst_Measuring::noLineCrossesTheFiguresOfTheRange()
{
    const Interval range {span(1).start, span(5).end};
    m_view->timeline().selectRange(range);
    const TimelineFrame frame = m_view->timeline().frame();
    const TimelineHighlights& highlights = m_view->timeline().state().highlights;
    HighlightDetails details;
    details.follow(frame.model, highlights);
    LabelPainter labels;
    QRectF figures;
    const auto painted = [&](std::optional<Ns> cursor) {
        QImage image(m_view->size(), QImage::Format_RGB32);
        image.fill(Qt::white);
        TimelineOverlay overlay;
        overlay.cursor = cursor;
        const DrawnTexts drawn;
        QPainter painter(&image);
        paintOverlay(frame, highlights, details, overlay, painter, labels, {});
        for (const DrawnText& text : drawn.texts) {
            figures = text.text.startsWith(QStringLiteral("\u0394T")) ? text.ink : figures;
        }
        return image;
    };
    const QImage without = painted({});
    QVERIFY(!figures.isEmpty());
    const Ns middle = frame.timeAt(figures.center().x());
    QCOMPARE(painted(middle).copy(figures.toRect()), without.copy(figures.toRect()));
}

void tst_Measuring::dragSnapsToEdges()
{
    const ItemRef lane {ItemKind::operation, 0};
    drag(pointAt(span(2).start, 4, lane), pointAt(span(5).end, -4, lane));
    QCOMPARE(
        m_view->timeline().state().highlights.range, (std::optional<Interval>(Interval {span(2).start, span(5).end})));
    drag(pointAt(span(5).end, -4, lane) + QPoint(30, 0), pointAt(span(3).start, 5, lane));  // backwards
    QCOMPARE(m_view->timeline().state().highlights.range->start, span(3).start);
}

void tst_Measuring::altDoesNotSnap()
{
    const ItemRef lane {ItemKind::operation, 0};
    drag(pointAt(span(2).start, 4, lane), pointAt(span(5).end, -4, lane), Qt::AltModifier);
    QVERIFY(m_view->timeline().state().highlights.range->start != span(2).start);
    QVERIFY(m_view->timeline().state().highlights.range->end != span(5).end);
}

void tst_Measuring::farFromEdgesNothingSnaps()
{
    const ItemRef lane {ItemKind::operation, 0};
    m_view->timeline().showRange({span(2).start - 1'000'000, span(2).end + 1'000'000});
    drag(pointAt(span(2).start, -40, lane), pointAt(span(2).start, 60, lane));
    const double x0 = m_view->timeline().timeScale().xOf(m_view->timeline().state().highlights.range->start);
    QVERIFY(std::fabs(x0 - (m_view->timeline().timeScale().xOf(span(2).start) - 40)) <= 1.5);
    QVERIFY(m_view->timeline().state().highlights.range->end != span(2).end);
}

void tst_Measuring::edgesOfTheRangeAreDragged()
{
    const ItemRef lane {ItemKind::operation, 0};
    m_view->timeline().selectRange(Interval {span(2).start, span(3).end});
    drag(pointAt(span(3).end, 2, lane), pointAt(span(6).end, -3, lane));
    QCOMPARE(
        m_view->timeline().state().highlights.range, (std::optional<Interval>(Interval {span(2).start, span(6).end})));
    drag(pointAt(span(2).start, -2, lane), pointAt(span(4).start, 2, lane));
    QCOMPARE(
        m_view->timeline().state().highlights.range, (std::optional<Interval>(Interval {span(4).start, span(6).end})));
    drag(pointAt(span(4).start, 1, lane), pointAt(span(7).end, -2, lane));  // beyond the other edge
    QCOMPARE(
        m_view->timeline().state().highlights.range, (std::optional<Interval>(Interval {span(6).end, span(7).end})));
    // A press on an edge that does not move it changes nothing.
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pointAt(span(7).end, 0, lane));
    QCOMPARE(
        m_view->timeline().state().highlights.range, (std::optional<Interval>(Interval {span(6).end, span(7).end})));
}

void tst_Measuring::keysMeasureFromEdgeToEdge()
{
    QSignalSpy changed(&m_view->timeline(), &Timeline::rangeChanged);
    m_view->timeline().select({ItemKind::operation, 2});
    QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(m_view->timeline().state().highlights.range, std::optional<Interval>(span(2)));
    QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier);
    const Ns next = m_view->timeline().state().highlights.range->end;
    QVERIFY(next == span(3).start || next == span(3).end);  // back to back, or with a gap
    while (m_view->timeline().state().highlights.range->end < span(4).end) {
        QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier);
    }
    QCOMPARE(m_view->timeline().state().highlights.range->end, span(4).end);
    QTest::keyClick(m_view.get(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(m_view->timeline().state().highlights.range->end, span(4).start);
    QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier | Qt::ControlModifier);
    QCOMPARE(m_view->timeline().state().highlights.range->start, span(2).end);
    QTest::keyClick(m_view.get(), Qt::Key_Left, Qt::ShiftModifier | Qt::ControlModifier);
    QCOMPARE(m_view->timeline().state().highlights.range->start, span(2).start);
    QVERIFY(changed.count() > 5);
    for (int i = 0; i < 50; ++i) {
        QTest::keyClick(m_view.get(), Qt::Key_Left, Qt::ShiftModifier);
    }
    QVERIFY(m_view->timeline().state().highlights.range->start
        < m_view->timeline().state().highlights.range->end);  // never empty, never turned round
    // Without a selection the edges are those of all lanes.
    m_view->perform(TimelineAction::clear);
    QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(m_view->timeline().state().highlights.range
        && m_view->timeline().state().highlights.range->end > m_view->timeline().state().highlights.range->start);
}

void tst_Measuring::edgesAgainstOracle()
{
    const RecordingPtr recording = samples::everything();
    const LaneModel model(recording);
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), 600);
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        std::vector<Ns> edges;
        const PlacedLane* placed = layout.find(lane);
        for (const PlacedRow& shown : placed != nullptr ? placed->rows : std::vector<PlacedRow> {}) {
            const LaneRow& row = model.lanes()[lane].rows[shown.row];
            for (std::size_t i = 0; i < row.items.size(); ++i) {
                edges.push_back(row.items.start(i));
                edges.push_back(row.items.end(i));
            }
        }
        std::sort(edges.begin(), edges.end());
        for (Ns time = 0; time < recording->trace->duration; time += recording->trace->duration / 211) {
            const auto behind = std::upper_bound(edges.begin(), edges.end(), time);
            const auto before = std::lower_bound(edges.begin(), edges.end(), time);
            QCOMPARE(
                nextEdge(model, layout, lane, time, 1), behind == edges.end() ? std::nullopt : std::optional(*behind));
            QCOMPARE(nextEdge(model, layout, lane, time, -1),
                before == edges.begin() ? std::nullopt : std::optional(*(before - 1)));
        }
    }
}

QTEST_MAIN(tst_Measuring)
#include "tst_measuring.moc"
