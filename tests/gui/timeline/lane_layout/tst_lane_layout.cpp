// SPDX-License-Identifier: MIT
#include "gui/timeline/lane_layout.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QTest>

using namespace lanes::gui;

class tst_LaneLayout : public QObject {
    Q_OBJECT

private slots:
    void init() { m_model = std::make_unique<LaneModel>(samples::everything()); }
    void lanesFollowOneAnother();
    void rowsLieInTheirLaneAndApart();
    void usesTheRoomThereIs();
    void shrinksNoFurtherThanReadable();
    void hitsTheTopmostRow();

private:
    std::unique_ptr<LaneModel> m_model;
};

void tst_LaneLayout::lanesFollowOneAnother()
{
    for (const int height : {0, 300, 500, 700, 2000}) {
        const LaneLayout layout(m_model->lanes(), height);
        int y = 0;
        for (const PlacedLane& lane : layout.lanes()) {
            QCOMPARE(lane.y, y);
            QVERIFY(lane.height > 0);
            y += lane.height;
        }
        QCOMPARE(layout.lanesHeight(), y);
    }
}

void tst_LaneLayout::rowsLieInTheirLaneAndApart()
{
    for (const int height : {0, 400, 900, 2000}) {
        const LaneLayout layout(m_model->lanes(), height);
        for (std::size_t l = 0; l < layout.lanes().size(); ++l) {
            const PlacedLane& lane = layout.lanes()[l];
            QCOMPARE(lane.rows.size(), m_model->lanes()[l].rows.size());
            for (std::size_t r = 0; r < lane.rows.size(); ++r) {
                QVERIFY(lane.rows[r].y >= lane.y && lane.rows[r].y + lane.rows[r].height <= lane.y + lane.height);
                if (r > 0 && m_model->lanes()[l].rows[r].overlay) {
                    QCOMPARE(lane.rows[r].y, lane.rows[r - 1].y);
                } else if (r > 0) {
                    QVERIFY(lane.rows[r].y >= lane.rows[r - 1].y + lane.rows[r - 1].height + 1);
                }
            }
        }
    }
}

void tst_LaneLayout::usesTheRoomThereIs()
{
    const int natural = LaneLayout::heightOf(m_model->lanes());
    for (const int height : {natural, natural + 60, natural + 200}) {
        const LaneLayout layout(m_model->lanes(), height);
        QVERIFY(layout.height() <= height);
        QVERIFY(layout.height() > height - 30);
    }
    QCOMPARE(LaneLayout(m_model->lanes(), 100'000).height(), LaneLayout(m_model->lanes(), 200'000).height());
}

void tst_LaneLayout::shrinksNoFurtherThanReadable()
{
    const LaneLayout layout(m_model->lanes(), 10);
    QVERIFY(layout.height() > 10);
    for (std::size_t l = 0; l < layout.lanes().size(); ++l) {
        if (m_model->lanes()[l].kind == LaneKind::stream) {
            QVERIFY(layout.lanes()[l].height >= 36);
        }
    }
}

void tst_LaneLayout::hitsTheTopmostRow()
{
    const LaneLayout layout(m_model->lanes(), 800);
    QCOMPARE(layout.laneAt(-1), -1);
    QCOMPARE(layout.laneAt(layout.lanesHeight()), -1);
    for (std::size_t l = 0; l < layout.lanes().size(); ++l) {
        const PlacedLane& lane = layout.lanes()[l];
        QCOMPARE(layout.laneAt(lane.y), static_cast<int>(l));
        QCOMPARE(layout.laneAt(lane.y + lane.height - 1), static_cast<int>(l));
        for (std::size_t r = 0; r < lane.rows.size(); ++r) {
            const int hit = layout.rowAt(static_cast<int>(l), lane.rows[r].y + 1);
            QVERIFY(hit >= static_cast<int>(r));
            QCOMPARE(lane.rows[static_cast<std::size_t>(hit)].y, lane.rows[r].y);
        }
        QCOMPARE(layout.rowAt(static_cast<int>(l), lane.y), -1);
    }
}

QTEST_GUILESS_MAIN(tst_LaneLayout)
#include "tst_lane_layout.moc"
