// SPDX-License-Identifier: MIT
#include "gui/lanes/annotation_lanes.h"
#include "gui/paint/lane_pills.h"
#include "gui/paint/over/annotation_painter.h"
#include "gui/timeline/markup/mark_field.h"
#include "gui/timeline/timeline_view.h"
#include "gui/timeline/view_state.h"
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
    void textStaysWhereItIsWritten_data();
    void textStaysWhereItIsWritten();
    void emptyTextGoes();
    void textIsMeasuredInBytes();
    void noMoreThanCanBeRead();
    void bracketSnapsToEdges();
    void bracketOfAnEvent();
    void movedAndRemoved();
    void deleteRemovesWhatIsSelected();
    void oneIsSelectedAtMost();
    void whatIsSelectedShows_data();
    void whatIsSelectedShows();
    void whatWasDoneIsTakenBack();
    void whatWasDoneToLanesIsTakenBack();
    void placedAndRemovedIsTwoSteps();
    void placingWithItsTextIsOneStep();
    void lettersAreNoCommandsBeforeTheTextHasItsPlace();
    void escapeEndsPlacing();
    void withoutPlacingADragSelectsARange();
    void lanesAreNamedOnce();
    void staysWithItsWorkInAnotherGrouping_data();
    void staysWithItsWorkInAnotherGrouping();
    void namesStayReadableInNarrowPictures_data();
    void namesStayReadableInNarrowPictures();

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

void tst_Annotations::textStaysWhereItIsWritten_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("text") << int(Annotation::Kind::text);
    QTest::newRow("arrow") << int(Annotation::Kind::arrow);
    QTest::newRow("frame") << int(Annotation::Kind::frame);
}

/// A text and its field while it is written are centred where they are placed; a frame's text begins at its corner.
void tst_Annotations::textStaysWhereItIsWritten()
{
    QFETCH(int, kind);
    const QPoint from = pointAt(m_span.end, m_stream);
    hand().begin(static_cast<Annotation::Kind>(kind));
    if (static_cast<Annotation::Kind>(kind) == Annotation::Kind::text) {
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, from);
    } else {
        drag(from, from + QPoint(120, 0));
    }
    if (static_cast<Annotation::Kind>(kind) == Annotation::Kind::frame) {
        hand().edit(0);
    }
    const auto* field = m_view->findChild<MarkField*>(QStringLiteral("annotationField"));
    QVERIFY(field);
    const QRect written = field->geometry();
    const bool centred = field->alignment().testFlag(Qt::AlignHCenter);
    answer("why");
    LabelPainter labels;
    const auto places = placeAnnotations(m_view->timeline().frame(), labels);
    QCOMPARE(places.size(), 1u);
    const QRectF plate = places[0].plate.value();
    QVERIFY(std::fabs(plate.center().y() - written.center().y()) < 12);
    QVERIFY(std::fabs(centred ? plate.center().x() - written.center().x() : plate.left() - written.left()) < 4);
}

void tst_Annotations::emptyTextGoes()
{
    hand().begin(Annotation::Kind::text);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pointAt(m_span.start, m_stream));
    answer("");
    QVERIFY(all().empty());
}

void tst_Annotations::textIsMeasuredInBytes()
{
    const QString long_text(300, QChar(0x77E9));  // three bytes each
    MarkField field({}, m_view.get());
    field.insert(long_text);
    QCOMPARE(field.text(), long_text.left(166));
    field.setCursorPosition(0);
    field.insert(QStringLiteral("abc"));
    QCOMPARE(field.text(), QStringLiteral("ab") + long_text.left(166));
    MarkField read(QString(500, QLatin1Char('x')), m_view.get());  // of a file
    QCOMPARE(read.text().size(), 500);
}

void tst_Annotations::noMoreThanCanBeRead()
{
    const QSignalSpy full(&hand(), &AnnotationHand::full);
    hand().all()->resize(most_annotations - 1);
    hand().begin(Annotation::Kind::text);
    QVERIFY(hand().pending());
    hand().begin({});
    hand().all()->resize(most_annotations);
    hand().begin(Annotation::Kind::text);
    QVERIFY(!hand().pending());
    QCOMPARE(full.count(), 1);
    hand().all()->clear();
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

/// A mark was set before, elsewhere; the annotation that is clicked goes, and then nothing more.
void tst_Annotations::deleteRemovesWhatIsSelected()
{
    m_view->timeline().recording()->marks->add(Ns {1});
    m_view->timeline().marks().goTo(0);
    bracketSnapsToEdges();
    const QPoint middle = pointAt((m_span.start + m_span.end) / 2, m_stream);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, middle);
    QTest::keyClick(m_view.get(), Qt::Key_Delete);
    QVERIFY(all().empty());
    QTest::keyClick(m_view.get(), Qt::Key_Delete);
    QCOMPARE(m_view->timeline().recording()->marks->all().size(), 1u);
    m_view->timeline().marks().goTo(0);
    QTest::keyClick(m_view.get(), Qt::Key_Delete);
    QVERIFY(m_view->timeline().recording()->marks->all().empty());
}

void tst_Annotations::oneIsSelectedAtMost()
{
    MarkHand& marks = m_view->timeline().marks();
    bracketSnapsToEdges();
    QVERIFY(hand().current() && !marks.chosen());
    m_view->timeline().recording()->marks->add(Ns {1});
    marks.goTo(0);
    QVERIFY(!hand().current() && marks.chosen());
    const QPoint middle = pointAt((m_span.start + m_span.end) / 2, m_stream);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, middle);
    QVERIFY(hand().current() && !marks.chosen());
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, middle + QPoint(0, 60));  // elsewhere
    QVERIFY(!hand().current() && !marks.chosen());
    marks.goTo(0);
    m_view->perform(TimelineAction::clear);
    QVERIFY(!marks.chosen());
    QTest::keyClick(m_view.get(), Qt::Key_Delete);
    QCOMPARE(all().size(), 1u);
    QCOMPARE(m_view->timeline().recording()->marks->all().size(), 1u);
}

void tst_Annotations::whatIsSelectedShows_data()
{
    QTest::addColumn<QString>("theme");
    QTest::newRow("light") << "light";
    QTest::newRow("dark") << "dark";
}

void tst_Annotations::whatIsSelectedShows()
{
    QFETCH(QString, theme);
    m_view->timeline().setTheme(Theme::named(theme));
    const QRgb accent = m_view->timeline().theme().accent.rgb();
    const auto accents = [&] {
        const QImage shown = m_view->grab().toImage();
        int count = 0;
        for (int y = 0; y < shown.height(); ++y) {
            for (int x = 0; x < shown.width(); ++x) {
                count += shown.pixel(x, y) == accent;
            }
        }
        return count;
    };
    bracketSnapsToEdges();
    m_view->timeline().recording()->marks->set({{m_span.end + 100'000, "a mark"}});
    m_view->timeline().forgetChosen();
    const int none = accents();
    hand().choose(0);
    const int annotation = accents();
    QVERIFY2(annotation > none + 200, qPrintable(QStringLiteral("%1, %2").arg(none).arg(annotation)));
    m_view->timeline().marks().goTo(0);
    const int mark = accents();
    QVERIFY2(mark > none + 200 && mark < annotation + 2000, qPrintable(QStringLiteral("%1, %2").arg(none).arg(mark)));
}

void tst_Annotations::whatWasDoneIsTakenBack()
{
    MarkupHistory& history = m_view->timeline().markup();
    QCOMPARE(history.lastDone(), std::uint64_t {0});
    bracketSnapsToEdges();
    const std::vector<Annotation> placed = all();
    const QPoint middle = pointAt((m_span.start + m_span.end) / 2, m_stream);
    drag(middle, middle + QPoint(50, 0));
    const std::vector<Annotation> moved = all();
    QTest::keyClick(m_view.get(), Qt::Key_Delete);
    QVERIFY(all().empty());
    history.undo();
    QVERIFY(all() == moved);
    history.undo();
    QVERIFY(all() == placed);
    history.redo();
    QVERIFY(all() == moved);
    history.undo();
    history.undo();
    QVERIFY(all().empty() && history.lastDone() == 0);
    history.undo();  // nothing
    history.redo();
    QVERIFY(all() == placed);
    m_view->timeline().marks().set();  // another thing was done: nothing to do again
    QCOMPARE(history.lastUndone(), std::uint64_t {0});
    history.undo();
    QVERIFY(m_view->timeline().recording()->marks->all().empty() && all() == placed);
    m_view->timeline().openRecording(samples::copyResultsBack({}));
    QCOMPARE(history.lastDone(), std::uint64_t {0});
    QVERIFY(!hand().current());
}

/// Lanes that were hidden come back, and nothing else changes with them.
void tst_Annotations::whatWasDoneToLanesIsTakenBack()
{
    MarkupHistory& history = m_view->timeline().markup();
    const LaneArrangement first = m_view->timeline().state().arrangement;
    const auto names = annotationLanes(*m_view->timeline().model());
    m_view->timeline().target().take(names[1] == m_stream ? 2 : 1);
    m_view->perform(TimelineAction::hideLane);
    const LaneArrangement hidden = m_view->timeline().state().arrangement;
    QVERIFY(!(hidden == first));
    bracketSnapsToEdges();
    const std::vector<Annotation> placed = all();
    LaneArrangement others = hidden;  // as the other recording's user does it
    others.showAll();
    m_view->timeline().setArrangement(others);
    history.undo();
    QVERIFY(all().empty() && m_view->timeline().state().arrangement == others);
    history.undo();
    QVERIFY(m_view->timeline().state().arrangement == first);
    QCOMPARE(history.lastDone(), std::uint64_t {0});
    history.redo();
    QVERIFY(m_view->timeline().state().arrangement == others && all().empty());
    history.redo();
    QVERIFY(all() == placed);
}

void tst_Annotations::placedAndRemovedIsTwoSteps()
{
    bracketSnapsToEdges();
    QTest::keyClick(m_view.get(), Qt::Key_Delete);
    m_view->timeline().markup().undo();
    QCOMPARE(all().size(), 1u);
}

void tst_Annotations::placingWithItsTextIsOneStep()
{
    MarkupHistory& history = m_view->timeline().markup();
    hand().begin(Annotation::Kind::text);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pointAt(m_span.start, m_stream));
    answer("why");
    const std::uint64_t step = history.lastDone();
    hand().begin(Annotation::Kind::text);
    QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, pointAt(m_span.end, m_stream));
    answer("");  // which takes it back
    QCOMPARE(history.lastDone(), step);
    hand().edit(0);
    answer("because");
    hand().remove(0);
    history.undo();
    QCOMPARE(all().front().text, std::string("because"));
    history.undo();
    QCOMPARE(all().front().text, std::string("why"));
    history.undo();
    QVERIFY(all().empty() && history.lastDone() == 0);
}

void tst_Annotations::lettersAreNoCommandsBeforeTheTextHasItsPlace()
{
    const auto areArrowsOn = [&] { return m_view->timeline().layers().isOn(TimelineLayers::Layer::arrows); };
    hand().begin(Annotation::Kind::text);
    for (const Qt::Key key : {Qt::Key_E, Qt::Key_W}) {
        QKeyEvent asked(QEvent::ShortcutOverride, key, Qt::NoModifier, QString(QChar(u'a' + (key - Qt::Key_A))));
        asked.ignore();
        QCoreApplication::sendEvent(m_view.get(), &asked);
        QVERIFY(asked.isAccepted());  // nor of the window
    }
    const Interval before = m_view->timeline().visibleRange();
    QTest::keyClicks(m_view.get(), QStringLiteral("ew"));
    QVERIFY(!areArrowsOn());
    QCOMPARE(m_view->timeline().visibleRange(), before);
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QVERIFY(!hand().pending());
    QTest::keyClicks(m_view.get(), QStringLiteral("e"));
    QVERIFY(areArrowsOn());
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

void tst_Annotations::staysWithItsWorkInAnotherGrouping_data()
{
    QTest::addColumn<bool>("byEngine");  // as it is shown
    QTest::addColumn<QString>("lane");  // as it was made
    QTest::addColumn<bool>("copy");  // its place, in the run's second matrix
    QTest::addColumn<QString>("shown");
    QTest::newRow("a kernel of a stream") << true << "compute" << false << "GPU 0 SMs";
    QTest::newRow("a copy of the same stream") << true << "compute" << true << "GPU 0 D2H";
    QTest::newRow("a kernel of an engine") << false << "GPU 0 SMs" << false << "compute";
    QTest::newRow("a copy of an engine") << false << "GPU 0 D2H" << true << "compute";
    QTest::newRow("a thread") << true << "overlap" << true << "overlap";
    QTest::newRow("no such lane") << true << "gone" << true << "";
}

void tst_Annotations::staysWithItsWorkInAnotherGrouping()
{
    QFETCH(bool, byEngine);
    QFETCH(QString, lane);
    QFETCH(bool, copy);
    QFETCH(QString, shown);
    const RecordingPtr recording = samples::copyResultsBack({});
    const LaneModel model(
        recording, LaneModel::Rows::now, {byEngine ? LaneGrouping::engine : LaneGrouping::stream, {}});
    const auto& operations = recording->trace->operations;
    const Row row = copy ? 3 : 2;
    QCOMPARE(operations.kind[row] == OperationKind::d2h, copy);
    const Ns middle = (operations.start[row] + operations.end[row]) / 2;
    const auto names = annotationLanes(model);
    const auto found = laneOfAnnotation(model, names, lane.toStdString(), middle);
    QCOMPARE(found ? QString::fromStdString(names[*found]) : QString(), shown);
}

void tst_Annotations::namesStayReadableInNarrowPictures_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("text");
    QTest::newRow("text") << int(Annotation::Kind::text) << "each copy hides behind a kernel";
    QTest::newRow("bracket") << int(Annotation::Kind::bracket) << "";
    QTest::newRow("named bracket") << int(Annotation::Kind::bracket) << "the first copy";
    QTest::newRow("frame") << int(Annotation::Kind::frame) << "here";
    QTest::newRow("arrow") << int(Annotation::Kind::arrow) << "there";
}

/// In a column of a paper a lane is hardly higher than a plate, and its name is above it.
void tst_Annotations::namesStayReadableInNarrowPictures()
{
    QFETCH(int, kind);
    QFETCH(QString, text);
    const ViewState view = ViewState::of(samples::copyResultsBack({}));
    const LaneLayout layout(view.model->lanes(), view.arranged(), 300, LaneDensity::compact);
    FrameGeometry geometry;
    geometry.size = {440, 360};
    geometry.labelWidth = FrameGeometry::compact_label_width;
    geometry.density = LaneDensity::compact;
    const Ns all = view.model->duration();
    const TimelineFrame frame {*view.model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::fitting(all, geometry.plotWidth()), geometry, 1, {}, {}};
    const auto names = annotationLanes(*view.model);
    LabelPainter labels;
    for (const PlacedLane& lane : layout.lanes()) {
        for (int tenth = 0; tenth < 10; ++tenth) {
            const AnnotationSpot from {all * tenth / 10, names[lane.lane], (tenth % 3) / 2.0};
            AnnotationSpot to = from;
            to.time = std::min(all, to.time + all / 8);
            *view.model->recording().annotations
                = {{static_cast<Annotation::Kind>(kind), 0, from, to, text.toStdString()}};
            const auto places = placeAnnotations(frame, labels);
            QCOMPARE(places.size(), 1u);
            const QRectF plate = places[0].plate.value();
            for (const PlacedLane& other : layout.lanes()) {
                const QRectF name = compactTextBox(frame, other, labels);
                QVERIFY2(plate.intersected(name).isEmpty(),
                    qPrintable(QStringLiteral("%1 at %2/10").arg(QString::fromStdString(names[lane.lane])).arg(tenth)));
            }
            const bool framed = static_cast<Annotation::Kind>(kind) == Annotation::Kind::frame;
            const double at = framed ? places[0].body.top() : places[0].from.y();
            QVERIFY(std::fabs(plate.center().y() - at) < 40);
        }
    }
}

QTEST_MAIN(tst_Annotations)
#include "tst_annotations.moc"
