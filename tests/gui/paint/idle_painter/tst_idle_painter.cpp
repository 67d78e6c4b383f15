// SPDX-License-Identifier: MIT
// The bars that say why streams were idle: only where a stream is idle, hit where they are drawn, distinguishable
// without colour.
#include "engine/store/recording_file.h"
#include "engine/trace/range_around.h"
#include "gui/paint/over/idle_painter.h"
#include "gui/paint/timeline_painter.h"
#include "gui/timeline/view_state.h"

#include <QPainter>
#include <QTest>

#include <limits>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr Interval everything {0, std::numeric_limits<Ns>::max()};

RecordingPtr recordingOf(const char* name)
{
    return ShownRecording::of(open_recording(
        qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources/recordings/h200/" + name + ".sqlite"));
}

}  // namespace

class tst_IdlePainter : public QObject {
    Q_OBJECT

private slots:
    void standsWhereAStreamIsIdle_data();
    void standsWhereAStreamIsIdle();
    void onlyLostTimeIsVermilion_data();
    void onlyLostTimeIsVermilion();
    void everyReasonLooksAndReadsDifferent();
    void aTipSaysWhatWasWaitedFor();
};

void tst_IdlePainter::standsWhereAStreamIsIdle_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("one after the other") << QByteArray("copy-results-back.blocking");
    QTest::newRow("many short ones") << QByteArray("item-every-batch.every");
    QTest::newRow("queues") << QByteArray("data-loader.workers-4-pinned");
}

void tst_IdlePainter::standsWhereAStreamIsIdle()
{
    QFETCH(QByteArray, name);
    const RecordingPtr recording = recordingOf(name.constData());
    const IdleReasons idle = idle_reasons(*recording->graph, everything);
    const ViewState view = ViewState::of(recording);
    FrameGeometry geometry;
    geometry.size = {1200, 500};
    const LaneLayout layout(view.model->lanes(), view.arranged(), geometry.lanesHeight());
    const TimelineFrame frame {*view.model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::showing(0, view.model->duration(), geometry.plotWidth()), geometry, 1, {}, {}};
    QImage plain(geometry.size, QImage::Format_RGB32);
    TimelinePainter().paint(frame, plain);
    QImage over = plain;
    QPainter painter(&over);
    paintIdle(frame, idle, painter);
    painter.end();
    QVERIFY(over != plain);
    int bars = 0;
    for (const PlacedLane& lane : layout.lanes()) {
        const Lane& model = view.model->lanes()[lane.lane];
        const int top = frame.yOf(lane);
        if (model.key.kind != LaneKind::stream) {
            const QRect box(0, top, geometry.size.width(), lane.height);
            QCOMPARE(over.copy(box), plain.copy(box));
            continue;
        }
        for (int x = geometry.labelWidth; x < geometry.size.width(); ++x) {
            bool isMarked = false;
            for (int y = top; y < top + lane.height; ++y) {
                isMarked = isMarked || over.pixel(x, y) != plain.pixel(x, y);
            }
            const Ns from = frame.timeAt(x);
            const Ns to = frame.timeAt(x + 1);
            const Ns busy = model.busy.in(model.rows, from, to);
            if (isMarked) {
                ++bars;
                QVERIFY2(busy < to - from, qPrintable(QStringLiteral("busy at %1").arg(x)));
            }
        }
        // What is hit is idle, and drawn.
        const double foot = frame.yOf(lane, lane.rows.back()) + lane.rows.back().height - 1;
        for (double x = geometry.labelWidth + 0.5; x < geometry.size.width(); x += 7) {
            if (const IdlePart* part = idleAt(frame, idle, {x, foot})) {
                QVERIFY(part->span.start <= frame.timeAt(x) && frame.timeAt(x) < part->span.end);
                QVERIFY(part->reason != IdleReason::nothing);
                QVERIFY(!idleAt(frame, idle, {x, foot - 30}));
            }
        }
    }
    QVERIFY(bars > 50);
}

void tst_IdlePainter::onlyLostTimeIsVermilion_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("costs");
    QTest::newRow("held") << QByteArray("copy-results-back.blocking") << true;
    QTest::newRow("for the result") << QByteArray("copies-both-ways.three-streams") << false;
}

void tst_IdlePainter::onlyLostTimeIsVermilion()
{
    QFETCH(QByteArray, name);
    QFETCH(bool, costs);
    const RecordingPtr recording = recordingOf(name.constData());
    const IdleReasons idle = idle_reasons(*recording->graph, everything);
    const ViewState view = ViewState::of(recording);
    FrameGeometry geometry;
    geometry.size = {1200, 500};
    const LaneLayout layout(view.model->lanes(), view.arranged(), geometry.lanesHeight());
    const TimelineFrame frame {*view.model, layout, Theme::named(QStringLiteral("light")),
        TimeScale::showing(0, view.model->duration(), geometry.plotWidth()), geometry, 1, {}, {}};
    QImage image(geometry.size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintIdle(frame, idle, painter);
    painter.end();
    int vermilion = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            vermilion += image.pixel(x, y) == frame.theme.item(ItemRole::held).rgb() ? 1 : 0;
        }
    }
    QCOMPARE(vermilion > 0, costs);
}

void tst_IdlePainter::everyReasonLooksAndReadsDifferent()
{
    QStringList words;
    for (const char* theme : {"light", "dark", "print"}) {
        std::vector<QImage> swatches;
        for (std::size_t i = 0; i < idle_reason_count; ++i) {
            const auto reason = static_cast<IdleReason>(i);
            QImage image(24, 12, QImage::Format_RGB32);
            image.fill(Theme::named(QLatin1String(theme)).background);
            QPainter painter(&image);
            paintIdleSwatch(painter, Theme::named(QLatin1String(theme)), reason, QRectF(0, 0, 24, 12));
            painter.end();
            for (const QImage& other : swatches) {
                QVERIFY2(image != other, qPrintable(idleWord(reason)));
            }
            swatches.push_back(image);
        }
    }
    for (std::size_t i = 0; i < idle_reason_count; ++i) {
        const auto reason = static_cast<IdleReason>(i);
        QVERIFY(!idleSentence(reason).isEmpty());
        QVERIFY2(!words.contains(idleWord(reason)), qPrintable(idleWord(reason)));
        words << idleWord(reason);
    }
}

void tst_IdlePainter::aTipSaysWhatWasWaitedFor()
{
    const RecordingPtr recording = recordingOf("copy-results-back.blocking");
    const IdleReasons idle = idle_reasons(*recording->graph, everything);
    bool found = false;
    for (const LaneIdle& lane : idle.lanes) {
        for (const IdlePart& part : lane.parts) {
            const QStringList tip = idleTip(*recording->trace, part);
            bool says = static_cast<bool>(part.because);
            if (part.reason == IdleReason::late) {  // what the thread did in the gap, not the call that ended it
                const Trace& trace = *recording->trace;
                const Row thread = part.because ? trace.calls.thread[part.because.row] : no_row;
                const auto doing = ranges_around(trace, thread, (part.span.start + part.span.end) / 2);
                says = !doing.empty();
                QVERIFY(
                    !says || tip[2].contains(QString::fromUtf8(trace.text(trace.ranges[doing.front()].name).data())));
            }
            QCOMPARE(tip.size(), 2 + (says ? 1 : 0) + (part.operation != no_row ? 1 : 0));
            QVERIFY(tip[0].contains(idleWord(part.reason)));
            found = found || part.reason == IdleReason::sync || part.reason == IdleReason::event;
        }
    }
    QVERIFY(found);
}

QTEST_MAIN(tst_IdlePainter)
#include "tst_idle_painter.moc"
