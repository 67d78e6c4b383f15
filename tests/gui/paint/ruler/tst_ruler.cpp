// SPDX-License-Identifier: MIT
// The ruler of recordings of any length, and labels of names of any length.
#include "engine/trace/meta_keys.h"
#include "engine/trace/trace_builder.h"
#include "gui/paint/drawn_texts.h"
#include "gui/paint/frame_hits.h"
#include "gui/paint/label_painter.h"
#include "gui/paint/ruler_ticks.h"
#include "gui/paint/timeline_painter.h"
#include "gui/timeline/timeline_overlay.h"
#include "gui/timeline/view_state.h"

#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_Ruler : public QObject {
    Q_OBJECT

private slots:
    void ofAnySpan_data();
    void ofAnySpan();
    void clocksMayDiffer();
    void lengthHidesNoBar_data();
    void lengthHidesNoBar();
    void lengthIsApartFromTicks();
    void figuresGiveWayToTheMarker_data();
    void figuresGiveWayToTheMarker();
    void longNames_data();
    void longNames();
};

void tst_Ruler::ofAnySpan_data()
{
    QTest::addColumn<qint64>("span");
    QTest::newRow("1 ns") << qint64 {1};
    QTest::newRow("1 ms") << qint64 {1'000'000};
    QTest::newRow("3 years") << qint64 {94'608'000'000'000'000};
    QTest::newRow("since 1970") << qint64 {1'615'207'265'000'000'000};
    QTest::newRow("as far as times go") << qint64 {2 * (record_time_limit - 1)};
}

void tst_Ruler::ofAnySpan()
{
    QFETCH(const qint64, span);
    TraceBuilder builder;
    builder.write(ApiCallRecord {100, 100, 1, 1, 1, builder.intern("a"), ApiCallRecord::runtime, 0});
    const ViewState view = ViewState::of(ShownRecording::of(builder.finish(Source::cupti)));
    for (const int width : {400, 1600, 30'000}) {
        FrameGeometry geometry;
        geometry.size = {width, 200};
        const LaneLayout layout(view.model->lanes(), view.arranged(), geometry.lanesHeight());
        const TimelineFrame frame {*view.model, layout, Theme::named(QStringLiteral("light")),
            TimeScale::fitting(span, geometry.plotWidth()), geometry, 1, {}, {}};
        LabelPainter labels;
        const RulerTicks ticks = RulerTicks::of(frame, labels);
        QVERIFY(ticks.step > 0 && ticks.first == 0);
        QVERIFY(ticks.count >= 1 && ticks.count <= width / 64 + 2);
        // All of it is in sight, and figures do not touch.
        QVERIFY(frame.scale.xOf(span) <= geometry.plotWidth() && frame.scale.xOf(span) > 0);
        const auto figures = rulerFigures(frame, ticks, labels);
        QVERIFY(!figures.empty());
        for (std::size_t i = 1; i < figures.size(); ++i) {
            QVERIFY(figures[i].box.left() > figures[i - 1].box.right());
        }
    }
}

/// How well clocks are known is said at the ruler's end, where the ruler's own figures leave it room, with a tip; of
/// one clock nothing is.
void tst_Ruler::clocksMayDiffer()
{
    TraceBuilder builder;
    builder.write(ApiCallRecord {0, 1'000'000, 1, 1, 1, builder.intern("a"), ApiCallRecord::runtime, 0});
    Trace trace = builder.finish(Source::cupti);
    QCOMPARE(clockUncertainty(trace, 0), 0);
    QCOMPARE(clockUncertainty(trace, 7'000), 7'000);
    trace.meta[meta::clock_uncertainty_ns] = "21000";
    QCOMPARE(clockUncertainty(trace, 7'000), 21'000);
    const ViewState view = ViewState::of(ShownRecording::of(std::move(trace)));
    FrameGeometry geometry;
    geometry.size = {900, 200};
    const LaneLayout layout(view.model->lanes(), view.arranged(), geometry.lanesHeight());
    TimelineFrame frame {*view.model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::fitting(1'000'000, geometry.plotWidth()), geometry, 1, {}, {}};
    LabelPainter labels;
    QVERIFY(!clockFigure(frame, labels));
    const auto all = rulerFigures(frame, RulerTicks::of(frame, labels), labels);
    frame.uncertainty = clockUncertainty(view.model->trace(), 0);
    const auto clock = clockFigure(frame, labels);
    QVERIFY(clock.has_value());
    QCOMPARE(clock->text, QStringLiteral("clocks ± 21.0 µs"));
    QVERIFY(clock->box.right() <= geometry.size.width() && clock->box.left() > geometry.size.width() - 120);
    const auto figures = rulerFigures(frame, RulerTicks::of(frame, labels), labels);
    QVERIFY(figures.size() > 1 && figures.size() + 1 >= all.size());  // one tick may give it room
    QCOMPARE(figures.back().text, clock->text);
    QVERIFY(figures[figures.size() - 2].box.right() < clock->box.left());
    const QStringList tip = tipAt(frame, {}, clock->box.center());
    QVERIFY(!tip.isEmpty() && tip.front() == clock->text);
    QVERIFY(tipAt(frame, {}, QPointF(geometry.labelWidth + 20, clock->box.center().y())).isEmpty());
    // A narrow ruler keeps its room, a picture without one has no place for it.
    frame.geometry.size = {400, 200};
    QVERIFY(!clockFigure(frame, labels));
    frame.geometry = geometry;
    frame.geometry.ruler = false;
    QVERIFY(!clockFigure(frame, labels));
}

void tst_Ruler::lengthHidesNoBar_data()
{
    QTest::addColumn<int>("less");  // of the height that shows all lanes and the margin under them
    QTest::addColumn<qint64>("sight");
    QTest::addColumn<QString>("where");
    QTest::newRow("all in sight") << 0 << qint64 {1'010'000} << "under";
    QTest::newRow("no margin") << 20 << qint64 {1'010'000} << "left";
    QTest::newRow("lanes go on") << 60 << qint64 {1'010'000} << "left";
    QTest::newRow("lanes go on, room after the end") << 60 << qint64 {2'000'000} << "right";
    QTest::newRow("lanes go on, end out of sight") << 60 << qint64 {500'000} << "nowhere";
}

struct Stage {
    ViewState view;
    LaneLayout layout;
    FrameGeometry geometry;
};

/// One call of 1 ms on each of six threads; the lanes have `less` pixels too little.
static Stage sixThreads(int less)
{
    TraceBuilder builder;
    for (std::uint32_t thread = 1; thread < 7; ++thread) {
        builder.write(ApiCallRecord {0, 1'000'000, thread, 1, thread, builder.intern("a"), ApiCallRecord::runtime, 0});
    }
    ViewState view = ViewState::of(ShownRecording::of(builder.finish(Source::cupti)));
    LaneLayout layout(view.model->lanes(), view.arranged(), 0);
    FrameGeometry geometry;
    geometry.size = {900, 2000};
    geometry.size.setHeight(geometry.lanesTop() + layout.height() - less);
    return {std::move(view), std::move(layout), geometry};
}

/// How long a recording is has a place under its lanes. Where they leave none it is on the ruler: bars end there.
void tst_Ruler::lengthHidesNoBar()
{
    QFETCH(const int, less);
    QFETCH(const qint64, sight);
    QFETCH(const QString, where);
    const auto [view, layout, geometry] = sixThreads(less);
    const TimelineFrame frame {*view.model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::fitting(sight, geometry.plotWidth()), geometry, 1, {}, {}};
    DrawnTexts drawn;
    QImage image(geometry.size, QImage::Format_RGB32);
    TimelinePainter().paint(frame, image, {});
    const QString length = QStringLiteral("1.00 ms");
    std::vector<QRectF> found;
    for (const DrawnText& text : drawn.texts) {
        if (text.text == length && text.ink.left() > geometry.labelWidth) {
            found.push_back(text.ink);
        }
    }
    QCOMPARE(found.size(), std::size_t {where != u"nowhere"});
    const double end = frame.xOf(1'000'000);
    for (const QRectF& box : found) {
        QCOMPARE(box.top() >= frame.footerTop(), where == u"under");
        QCOMPARE(box.bottom() <= geometry.lanesTop(), where != u"under");
        QCOMPARE(box.left() > end, where == u"right");
        for (const DrawnText& text : drawn.texts) {  // a tick's figure gives way to it
            QVERIFY2(text.ink == box || !text.ink.intersects(box), qPrintable(text.text));
        }
    }
}

/// "10.0 s 10.1 s" would be one figure.
void tst_Ruler::lengthIsApartFromTicks()
{
    const auto [view, layout, geometry] = sixThreads(60);
    LabelPainter labels;
    int ends = 0;
    for (Ns sight = 1'010'000; sight < 4'000'000; sight += 10'000) {
        const TimelineFrame frame {*view.model, layout, Theme::named(QStringLiteral("light")),
            TimeScale::fitting(sight, geometry.plotWidth()), geometry, 1, {}, {}};
        const auto figures = rulerFigures(frame, RulerTicks::of(frame, labels), labels);
        const auto end
            = std::find_if(figures.begin(), figures.end(), [](const RulerFigure& figure) { return figure.isEnd; });
        for (const RulerFigure& figure : figures) {
            QVERIFY2(end == figures.end() || figure.isEnd || figure.box.right() + 16 <= end->box.left()
                    || figure.box.left() >= end->box.right() + 16,
                qPrintable(figure.text));
        }
        ends += end != figures.end();
    }
    QVERIFY(ends > 200);
}

void tst_Ruler::figuresGiveWayToTheMarker_data()
{
    QTest::addColumn<std::optional<PartOfRun>>("part");
    QTest::newRow("of two runs") << std::optional<PartOfRun>();
    QTest::newRow("of one run, with its time") << std::optional<PartOfRun>(PartOfRun {-300'000});
}

/// Where two recordings are aligned, the ruler has no half of a figure under the marker.
void tst_Ruler::figuresGiveWayToTheMarker()
{
    QFETCH(const std::optional<PartOfRun>, part);
    TraceBuilder builder;
    builder.write(ApiCallRecord {0, 1'000'000, 1, 1, 1, builder.intern("a"), ApiCallRecord::runtime, 0});
    const ViewState view = ViewState::of(ShownRecording::of(builder.finish(Source::cupti)));
    FrameGeometry geometry;
    geometry.size = {900, 200};
    const LaneLayout layout(view.model->lanes(), view.arranged(), geometry.lanesHeight());
    TimelineFrame frame {*view.model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::fitting(1'000'000, geometry.plotWidth()), geometry, 1, {}, {}};
    frame.part = part;
    LabelPainter labels;
    const auto figures = rulerFigures(frame, RulerTicks::of(frame, labels), labels);
    QVERIFY(figures.size() > 3);
    QImage image(geometry.size, QImage::Format_RGB32);
    TimelinePainter().paint(frame, image, {});
    const QImage before = image;
    const QRect figure = figures[2].box.toRect();
    TimelineHighlights highlights;
    highlights.anchor = frame.timeAt(figures[2].box.right() - 2);
    QPainter painter(&image);
    paintOverlay(frame, highlights, {}, {}, painter, labels, {});
    painter.end();
    const auto inked = [&](const QImage& of, const QRect& box) {
        int count = 0;
        for (int y = box.top(); y <= box.bottom(); ++y) {
            for (int x = box.left(); x <= box.right(); ++x) {
                count += of.pixelColor(x, y) != frame.theme.background;
            }
        }
        return count;
    };
    const QRect left(figure.left(), figure.top() + 2, figure.width() - 10, figure.height() - 4);
    QVERIFY(inked(before, left) > 10);
    QCOMPARE(inked(image, left), 0);
    const QRect right(figure.right() + 8, figure.top() + 2, 10, figure.height() - 4);
    QCOMPARE(inked(image, right) > inked(before, right), part.has_value());
}

void tst_Ruler::longNames_data()
{
    QTest::addColumn<QString>("name");
    constexpr int letters = 1'000'000;
    QTest::newRow("one word") << QString(letters, u'x');
    QTest::newRow("blanks") << QString(letters, u' ');
    QTest::newRow("words") << QStringLiteral("ab ").repeated(letters / 3);
    QTest::newRow("clauses") << QStringLiteral("ab, ").repeated(letters / 4);
}

/// Laying out a million letters takes a second each time: letters without room are not laid out.
void tst_Ruler::longNames()
{
    QFETCH(const QString, name);
    QElapsedTimer timer;
    timer.start();
    LabelPainter labels;
    for (int i = 0; i < 20; ++i) {
        const QString text = name + QString::number(i);
        QVERIFY(labels.width(text, ruler_style) > 10'000);
        const QString cut = labels.elided(text, 200, ruler_style);
        QVERIFY(cut.endsWith(QChar(0x2026)) && labels.width(cut, ruler_style) <= 200);
        QVERIFY(labels.width(labels.clauses(text, 200, ruler_style), ruler_style) <= 200);
        QImage image(300, 20, QImage::Format_RGB32);
        QPainter painter(&image);
        labels.draw(painter, 0, 10, text, ruler_style, Qt::black, true);
    }
    QVERIFY2(timer.elapsed() < 10'000, "20 names");  // 40 s and more where they are laid out whole
}

QTEST_MAIN(tst_Ruler)
#include "tst_ruler.moc"
