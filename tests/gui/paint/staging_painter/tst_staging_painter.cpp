// SPDX-License-Identifier: MIT
// The sketch of staging: over a recording without it, and over nothing else.
#include "engine/run/model/staging_device.h"
#include "engine/store/recording_file.h"
#include "gui/paint/staging_painter.h"
#include "gui/paint/timeline_painter.h"
#include "gui/paint/words/item_text.h"
#include "gui/timeline/view_state.h"

#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_StagingPainter : public QObject {
    Q_OBJECT

private slots:
    void isDrawnOfPageableCopiesAlone_data();
    void isDrawnOfPageableCopiesAlone();
    void equalCallsHaveItTogether();
    void isSaidInWords();
    void isNoItem();

private:
    static Trace open(const char* name)
    {
        return open_recording(qgetenv("LANES_SOURCE").toStdString() + "/resources/recordings/h200/" + name + ".sqlite");
    }
    static RecordingPtr shown(const char* name)
    {
        auto made = std::make_shared<ShownRecording>(*ShownRecording::of(open(name)));
        made->stagingDevice = staging_device(*made->trace);
        return made;
    }
    /// A picture of that range, with rows of some height.
    struct Drawn {
        QImage image;
        bool staging = false, whole = true;
    };
    static Drawn draw(const RecordingPtr& recording, Interval range, int height)
    {
        const ViewState view = ViewState::of(recording);
        FrameGeometry geometry;
        geometry.size = {geometry.labelWidth + 1000, height};
        const LaneLayout layout(view.model->lanes(), view.arranged(), geometry.lanesHeight());
        const TimelineFrame frame {*view.model, layout, Theme::named(QStringLiteral("light")),
            TimeScale::showing(range.start, range.end, geometry.plotWidth()), geometry, 1, {}, {}};
        Drawn drawn {QImage(geometry.size, QImage::Format_RGB32), showsStaging(frame)};
        drawn.image.fill(Qt::magenta);  // every pixel is drawn: none keeps what was there
        TimelinePainter().paint(frame, drawn.image);
        for (int y = 0; y < drawn.image.height(); ++y) {
            for (int x = 0; x < drawn.image.width(); ++x) {
                drawn.whole = drawn.whole && drawn.image.pixel(x, y) != qRgb(255, 0, 255);
            }
        }
        return drawn;
    }
};

void tst_StagingPainter::isDrawnOfPageableCopiesAlone_data()
{
    QTest::addColumn<QByteArray>("recording");
    QTest::addColumn<qint64>("end");  // of the range, from 0
    QTest::addColumn<int>("height");
    QTest::addColumn<bool>("drawn");
    QTest::newRow("pieces, high") << QByteArray("pageable-or-pinned.pageable-blocking") << qint64(600'000) << 500
                                  << true;
    QTest::newRow("pieces, low") << QByteArray("pageable-or-pinned.pageable-blocking") << qint64(600'000) << 190
                                 << true;
    QTest::newRow("the whole copy, high")
        << QByteArray("pageable-or-pinned.pageable-blocking") << qint64(40'000'000) << 500 << true;
    QTest::newRow("the whole copy, low") << QByteArray("pageable-or-pinned.pageable-blocking") << qint64(40'000'000)
                                         << 190 << false;
    QTest::newRow("too narrow") << QByteArray("pageable-or-pinned.pageable-blocking") << qint64(400'000'000) << 500
                                << false;
    QTest::newRow("down") << QByteArray("copy-results-back.blocking") << qint64(7'000'000) << 500 << true;
    QTest::newRow("pinned") << QByteArray("pageable-or-pinned.pinned-blocking") << qint64(6'000'000) << 500 << false;
}

/// Against the same recording with nothing but its memory kinds changed to pinned.
void tst_StagingPainter::isDrawnOfPageableCopiesAlone()
{
    QFETCH(QByteArray, recording);
    QFETCH(qint64, end);
    QFETCH(int, height);
    QFETCH(bool, drawn);
    const auto made = shown(recording);
    const Drawn with = draw(made, {0, end}, height);
    QVERIFY(with.whole);
    QCOMPARE(with.staging, drawn);
    auto copy = std::make_shared<ShownRecording>(*made);
    auto pinned = std::make_shared<Trace>(open(recording));
    for (CopyDetail& detail : pinned->copies) {
        detail.source = detail.source == MemoryKind::pageable ? MemoryKind::pinned : detail.source;
        detail.target = detail.target == MemoryKind::pageable ? MemoryKind::pinned : detail.target;
    }
    copy->trace = pinned;
    const Drawn without = draw(copy, {0, end}, height);
    QVERIFY(!without.staging);
    QCOMPARE(with.image != without.image, drawn);
    // A model's recording has its staging.
    pinned = std::make_shared<Trace>(open(recording));
    pinned->source = Source::model;
    copy->trace = pinned;
    QVERIFY(!draw(copy, {0, end}, height).staging);
}

/// Calls of about the same length, the shortest a little too narrow for a sketch and the longest not: none has one;
/// once the shortest has room, all have.
void tst_StagingPainter::equalCallsHaveItTogether()
{
    const auto made = shown("copy-results-back.blocking");
    constexpr Ns end = 31'000'000;  // the last of five is cut off
    std::vector<Ns> lengths;
    for (Row call = 0; call < made->trace->calls.size(); ++call) {
        if (made->trace->calls.end[call] < end && stagingSketchOf(*made, call)) {
            lengths.push_back(made->trace->calls.end[call] - made->trace->calls.start[call]);
        }
    }
    std::sort(lengths.begin(), lengths.end());
    QVERIFY(lengths.size() == 4);
    constexpr int plot = 1000;
    const auto scaled = [&](Ns length, double width) {
        return Interval {0, static_cast<Ns>(static_cast<double>(length) * plot / width)};
    };
    const double least = StagingPainter::least_width;
    const Interval narrow = scaled(lengths.front(), least - 0.5);
    QVERIFY(static_cast<double>(lengths.back()) * plot / static_cast<double>(narrow.end) > least + 0.5);
    QVERIFY(!draw(made, narrow, 500).staging);
    QVERIFY(draw(made, scaled(lengths.front(), least + 2), 500).staging);
    auto plain = std::make_shared<ShownRecording>(*made);
    plain->stagingDevice = nullptr;
    QCOMPARE(draw(made, narrow, 500).image, draw(plain, narrow, 500).image);
}

void tst_StagingPainter::isSaidInWords()
{
    const auto recording = shown("pageable-or-pinned.pageable-blocking");
    const Trace& trace = *recording->trace;
    int said = 0;
    for (Row call = 0; call < trace.calls.size(); ++call) {
        const QString text = stagingText(*recording, call);
        said += text.isEmpty() ? 0 : 1;
        QCOMPARE(tooltipOf(*recording, {ItemKind::call, call}).contains(text), !text.isEmpty());
        if (!text.isEmpty()) {
            QVERIFY2(text.contains(QStringLiteral("not recorded"))
                    && text.contains(QString::number(stagingSketchOf(*recording, call)->pieces())),
                qPrintable(text));
            QVERIFY(tooltipOf(*recording, {ItemKind::blocked, 0}).contains(text));
        }
    }
    QCOMPARE(said, 1);
}

void tst_StagingPainter::isNoItem()
{
    const auto recording = shown("pageable-or-pinned.pageable-blocking");
    const ViewState view = ViewState::of(recording);
    std::size_t items = 0;
    for (const Lane& lane : view.model->lanes()) {
        for (const LaneRow& row : lane.rows) {
            items += row.kind == ItemKind::call ? row.items.size() : 0;
            QVERIFY(row.kind != ItemKind::hostSpan || row.items.size() == recording->trace->host_spans.size());
        }
    }
    QVERIFY(items <= recording->trace->calls.size());
}

QTEST_MAIN(tst_StagingPainter)
#include "tst_staging_painter.moc"
