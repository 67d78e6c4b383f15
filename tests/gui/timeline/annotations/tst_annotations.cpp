// SPDX-License-Identifier: MIT
#include "gui/lanes/annotation_lanes.h"
#include "gui/paint/over/annotation_painter.h"
#include "gui/timeline/timeline_view.h"
#include "gui/timeline/view/mark_field.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_Annotations : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_view.reset(); }
    void textByAClick();
    void emptyTextGoes();
    void bracketSnapsToEdges();
    void bracketOfAnEvent();
    void movedAndRemoved();
    void escapeEndsPlacing();
    void withoutPlacingADragSelectsARange();
    void lanesAreNamedOnce();

private:
    AnnotationHand& hand() const { return m_view->timeline().annotations(); }
    const std::vector<Annotation>& all() const { return *hand().all(); }
    QPoint pointAt(Ns time, const std::string& lane) const
    {
        const TimelineFrame frame = m_view->timeline().frame();
        const auto names = annotationLanes(frame.model);
        const auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), lane) - names.begin());
        const PlacedLane* placed = frame.layout.find(index);
        return {qRound(frame.xOf(time)), frame.yOf(*placed) + placed->height / 2};
    }
    void drag(QPoint from, QPoint to)
    {
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(m_view.get(), (from + to) / 2);
        QTest::mouseMove(m_view.get(), to);
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, to);
    }
    void answer(const char* text)
    {
        auto* field = m_view->findChild<MarkField*>(QStringLiteral("annotationField"));
        QVERIFY(field);
        QTest::keyClicks(field, QLatin1String(text));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(!m_view->findChild<MarkField*>());
    }

    std::unique_ptr<TimelineView> m_view;
    std::string m_stream;
    Interval m_span;
};

void tst_Annotations::init()
{
    m_view = std::make_unique<TimelineView>();
    m_view->resize(1000, 400);
    m_view->timeline().openRecording(samples::copyResultsBack({}));
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    QTRY_VERIFY(m_view->timeline().lanes().model()->isReady());
    const LaneModel& model = *m_view->timeline().model();
    for (std::size_t i = 0; i < model.lanes().size(); ++i) {
        const Lane& lane = model.lanes()[i];
        if (lane.key.kind == LaneKind::stream && m_stream.empty()) {
            m_stream = annotationLanes(model)[i];
            m_span = {lane.rows[0].items.start(0), lane.rows[0].items.end(0)};
        }
    }
}

void tst_Annotations::textByAClick()
{
    hand().begin(Annotation::Kind::text);
    const QSignalSpy changed(&hand(), &AnnotationHand::changed);
    const QPoint at = pointAt((m_span.start + m_span.end) / 2, m_stream);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, at);
    answer("why");
    QCOMPARE(all().size(), 1u);
    QCOMPARE(all()[0].text, std::string("why"));
    QCOMPARE(all()[0].from.lane, m_stream);
    QVERIFY(changed.count() >= 1);
    QVERIFY(!hand().pending());
    LabelPainter labels;
    const auto hit = annotationAt(m_view->timeline().frame(), at, labels);
    QVERIFY(hit && *hit == 0);
}

void tst_Annotations::emptyTextGoes()
{
    hand().begin(Annotation::Kind::text);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pointAt(m_span.start, m_stream));
    answer("");
    QVERIFY(all().empty());
}

void tst_Annotations::bracketSnapsToEdges()
{
    hand().begin(Annotation::Kind::bracket);
    drag(pointAt(m_span.start, m_stream) + QPoint(3, 0), pointAt(m_span.end, m_stream) + QPoint(-3, 0));
    QCOMPARE(all().size(), 1u);
    QCOMPARE(all()[0].from.time, m_span.start);
    QCOMPARE(all()[0].to.time, m_span.end);
}

void tst_Annotations::bracketOfAnEvent()
{
    hand().begin(Annotation::Kind::bracket);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pointAt((m_span.start + m_span.end) / 2, m_stream));
    QCOMPARE(all().size(), 1u);
    QCOMPARE(all()[0].from.time, m_span.start);
    QCOMPARE(all()[0].to.time, m_span.end);
}

void tst_Annotations::movedAndRemoved()
{
    bracketSnapsToEdges();
    const QPoint middle = pointAt((m_span.start + m_span.end) / 2, m_stream);
    drag(middle, middle + QPoint(50, 0));
    const Ns by = all()[0].from.time - m_span.start;
    QVERIFY(by > 0);
    QCOMPARE(all()[0].to.time - m_span.end, by);
    QVERIFY(hand().current().has_value());
    hand().remove(*hand().current());
    QVERIFY(all().empty());
    QVERIFY(!hand().current());
}

void tst_Annotations::escapeEndsPlacing()
{
    hand().begin(Annotation::Kind::arrow);
    m_view->perform(TimelineAction::clear);
    QVERIFY(!hand().pending());
}

void tst_Annotations::withoutPlacingADragSelectsARange()
{
    drag(pointAt(m_span.start, m_stream), pointAt(m_span.end, m_stream));
    QVERIFY(all().empty());
    QVERIFY(m_view->timeline().state().highlights.range.has_value());
}

void tst_Annotations::lanesAreNamedOnce()
{
    const LaneModel model(samples::everything());
    auto names = annotationLanes(model);
    QCOMPARE(names.size(), model.lanes().size());
    QCOMPARE(names.front(), std::string("overlap"));
    std::sort(names.begin(), names.end());
    QVERIFY(std::adjacent_find(names.begin(), names.end()) == names.end());
}

QTEST_MAIN(tst_Annotations)
#include "tst_annotations.moc"
