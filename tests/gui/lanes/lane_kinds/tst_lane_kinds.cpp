// SPDX-License-Identifier: MIT
// The table of kinds of lanes against lanes that were made: who has a header, a figure, rows, a name.
#include "gui/lanes/lane_kinds.h"

#include "gui/lanes/lane_arrangement.h"
#include "gui/lanes/lane_model.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QTest>
#include <set>

using namespace lanes;
using namespace lanes::gui;

class tst_LaneKinds : public QObject {
    Q_OBJECT

private slots:
    void eachHasAWordOfItsOwn();
    void rowsAreOfTheLanes_data();
    void rowsAreOfTheLanes();
};

/// Files of sessions and pages know them by these.
void tst_LaneKinds::eachHasAWordOfItsOwn()
{
    std::set<std::string_view> words;
    for (const LaneKindRow& row : laneKinds()) {
        QVERIFY(words.insert(row.word).second);
        QCOMPARE(&laneKindRow(row.kind), &row);
        QVERIFY(row.word.find(' ') == std::string_view::npos);
    }
    QCOMPARE(words,
        (std::set<std::string_view> {
            "overlap", "thread", "gpu", "stream", "engine", "process", "counter", "others", "gpu-time"}));
}

void tst_LaneKinds::rowsAreOfTheLanes_data()
{
    QTest::addColumn<bool>("byEngine");
    QTest::newRow("streams") << false;
    QTest::newRow("engines") << true;
}

void tst_LaneKinds::rowsAreOfTheLanes()
{
    QFETCH(bool, byEngine);
    LaneChoice choice;
    choice.grouping = byEngine ? LaneGrouping::engine : LaneGrouping::stream;
    const LaneModel model(samples::everything(), LaneModel::Rows::now, choice);
    const auto heads = headsOf(model.lanes());
    std::size_t underGpus = 0;
    for (std::size_t i = 0; i < model.lanes().size(); ++i) {
        const Lane& lane = model.lanes()[i];
        const LaneKindRow& row = laneKindRow(lane.key.kind);
        QVERIFY(row.rows != LaneKindRow::Rows::none || lane.rows.empty());
        QCOMPARE(row.figure == LaneKindRow::Figure::value, lane.curve != nullptr);
        QVERIFY(!row.inAnnotations(model.trace(), lane.key, lane.row).empty());
        if (heads[i]) {
            QVERIFY(isHeader(model.lanes()[*heads[i]].key) && !isHeader(lane.key));
            underGpus += model.lanes()[*heads[i]].key.kind == LaneKind::gpu ? 1 : 0;
            QVERIFY(model.lanes()[*heads[i]].key.device == lane.key.device || lane.key.kind == LaneKind::thread);
        } else {
            QVERIFY(lane.key.kind != LaneKind::stream && lane.key.kind != LaneKind::engine);
        }
    }
    QVERIFY(underGpus >= 2);
}

QTEST_GUILESS_MAIN(tst_LaneKinds)
#include "tst_lane_kinds.moc"
