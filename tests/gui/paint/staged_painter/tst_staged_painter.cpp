// SPDX-License-Identifier: MIT
// Copies of pageable memory: which are staged, what share of their time bytes move, and that as much of them is filled.
#include "engine/store/recording_file.h"
#include "gui/lanes/lane_model.h"
#include "gui/lanes/staged_copies.h"
#include "gui/paint/staged_painter.h"
#include "gui/paint/words/item_text.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <cmath>
#include <QImage>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_StagedPainter : public QObject {
    Q_OBJECT
private slots:
    void sharesAreThoseOfTheRate();
    void pinnedCopiesAreNotStaged();
    void asMuchIsFilled_data();
    void asMuchIsFilled();
};

void tst_StagedPainter::sharesAreThoseOfTheRate()
{
    const auto recording = samples::copyResultsBack({});
    const Trace& trace = *recording->trace;
    QVERIFY(!isStaged(trace, 0));  // a kernel
    QVERIFY(isStaged(trace, 1));
    QVERIFY(!stagedShare(trace, 0, 50));
    const double own = static_cast<double>(trace.bytes_of(1))
        / static_cast<double>(trace.operations.end[1] - trace.operations.start[1]);
    QVERIFY(std::abs(*stagedShare(trace, 1, 4 * own) - 0.25) < 1e-9);
    QCOMPARE(*stagedShare(trace, 1, own / 2), 1.0);  // not more than all of it
    QVERIFY(stagedText(*recording, 0).isEmpty());
    QVERIFY(stagedText(*recording, 1).contains(QStringLiteral("the 55 GB/s of")));  // none of this file is pinned
}

void tst_StagedPainter::pinnedCopiesAreNotStaged()
{
    const auto opened = [](const char* name) {
        return std::make_unique<LaneModel>(
            ShownRecording::of(open_recording(qEnvironmentVariable("LANES_SOURCE").toStdString()
                + "/resources/recordings/h200/pageable-or-pinned." + name + ".sqlite")));
    };
    const auto staged = [](const LaneModel& model) {
        int found = 0;
        for (Row row = 0; row < model.trace().operations.size(); ++row) {
            found += isStaged(model.trace(), row);
        }
        return found;
    };
    QCOMPARE(staged(*opened("pageable-blocking")), 1);
    const auto pinned = opened("pinned-blocking");
    QCOMPARE(staged(*pinned), 0);
    const ShownRecording& recording = pinned->recording();
    QVERIFY(recording.pinnedRates().front() > 50 && recording.pinnedRates().front() < 60);  // measured in the file
    QCOMPARE(&ShownRecording(recording).pinnedRates(), &recording.pinnedRates());  // found once
}

void tst_StagedPainter::asMuchIsFilled_data()
{
    QTest::addColumn<double>("share");
    QTest::addColumn<double>("start");  // of the copy; the bar is from 10 on
    for (const double share : {0.1, 0.27, 0.5, 1.0}) {
        QTest::addRow("%g", share) << share << 10.0;
        QTest::addRow("%g, begun out of sight", share) << share << -1234.5;
    }
}

void tst_StagedPainter::asMuchIsFilled()
{
    QFETCH(double, share);
    QFETCH(double, start);
    const Theme& theme = Theme::named(QStringLiteral("light"));
    QImage image(400, 40, QImage::Format_RGB32);
    image.fill(theme.background);
    {
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        paintStaged(painter, theme, {QRectF(10, 5, 360, 30), start, share, ItemRole::d2h});
    }
    // What of the middle line's green, which differs most, is the role's colour and not the ground.
    const double ground = theme.staged(ItemRole::d2h).ground.green();
    const double tooth = theme.item(ItemRole::d2h).green();
    double filled = 0;
    for (int x = 12; x < 368; ++x) {
        filled += (ground - qGreen(image.pixel(x, 20))) / (ground - tooth);
    }
    QVERIFY2(std::abs(filled / 356 - share) < 0.02, qPrintable(QString::number(filled / 356)));
    QCOMPARE(image.pixel(5, 20), theme.background.rgb());
    QCOMPARE(image.pixel(380, 20), theme.background.rgb());
    QCOMPARE(QColor(image.pixel(100, 5)), theme.staged(ItemRole::d2h).edge);
}

QTEST_MAIN(tst_StagedPainter)
#include "tst_staged_painter.moc"
