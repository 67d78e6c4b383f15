// SPDX-License-Identifier: MIT
// What is written and drawn at the end of an iteration lies on nothing else.
#include "gui/paint/over/iteration_painter.h"

#include "gui/lanes/lane_arrangement.h"
#include "gui/paint/drawn_texts.h"
#include "gui/paint/timeline_painter.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_IterationPainter : public QObject {
    Q_OBJECT

private slots:
    void itsEndLiesOnNothingElse_data();
    void itsEndLiesOnNothingElse();
};

void tst_IterationPainter::itsEndLiesOnNothingElse_data()
{
    QTest::addColumn<int>("height");  // of the view; its lanes are higher than the lower one
    QTest::addColumn<bool>("scrolls");
    QTest::newRow("all lanes have room") << 900 << false;
    QTest::newRow("lanes scroll") << 260 << true;
}

void tst_IterationPainter::itsEndLiesOnNothingElse()
{
    QFETCH(int, height);
    QFETCH(bool, scrolls);
    constexpr Ns us = 1000;
    const LaneModel model(samples::everything());
    const LaneLayout layout(model.lanes(), LaneArrangement().arrange(model.lanes()), 400);
    auto iteration = std::make_shared<ShownIteration>();
    iteration->span = {0, 4000 * us};
    iteration->low = 3900 * us;
    iteration->high = 4200 * us;
    for (Ns length = 3800; length < 4300; length += 20) {
        iteration->lengths.push_back(length * us);
    }
    FrameGeometry geometry;
    geometry.size = {1366, height};
    geometry.labelWidth = 200;
    geometry.handles = true;
    QCOMPARE(layout.height() > geometry.lanesHeight(), scrolls);
    bool isWritten = false;
    for (Ns until = 4100; until < 5200; until += 50) {  // the room after the end grows
        const TimelineFrame frame {model, layout, Theme::named(QStringLiteral("light")),
            TimeScale::showing(0, until * us, geometry.plotWidth()), geometry, 1, {}, {}, {}, iteration};
        QImage image(geometry.size, QImage::Format_RGB32);
        image.fill(Qt::white);
        TimelinePainter timeline;
        const DrawnTexts axis;
        timeline.paint(frame, image);
        double under = 0;
        for (const DrawnText& text : axis.texts) {
            if (text.ink.top() >= geometry.rulerTop() && text.ink.bottom() <= geometry.lanesTop()) {
                under = std::max(under, text.ink.bottom());
            }
        }
        QVERIFY(under > 0);
        image.fill(Qt::white);
        const std::size_t before = axis.texts.size();
        QPainter painter(&image);
        paintIteration(frame, painter, timeline.labels(), false);
        painter.end();
        for (std::size_t i = before; i < axis.texts.size(); ++i) {
            const QRectF& ink = axis.texts[i].ink;
            const double most = geometry.size.width()
                - (scrolls ? FrameGeometry::scroll_bar_width + FrameGeometry::scroll_bar_margin : 0);
            QVERIFY2(ink.right() <= most, qPrintable(axis.texts[i].text));
            isWritten = true;
        }
        int touching = 0;
        for (int y = static_cast<int>(under) - 1; y <= static_cast<int>(under) + 1; ++y) {
            for (int x = geometry.labelWidth; x < geometry.size.width(); ++x) {
                const QRgb ink = image.pixel(x, y);
                touching += ink != qRgb(255, 255, 255) && ink != frame.theme.grid.rgb() ? 1 : 0;
            }
        }
        QCOMPARE(touching, 0);
    }
    QVERIFY(isWritten);
}

QTEST_MAIN(tst_IterationPainter)
#include "tst_iteration_painter.moc"
