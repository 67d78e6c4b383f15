// SPDX-License-Identifier: MIT
// A view whose lanes are not made yet can be used, given another recording, and closed.
#include "gui/paint/frame_hits.h"
#include "gui/timeline/timeline_view.h"
#include "tests/effort.h"
#include "tests/gui/lanes/large_recording.h"

#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace lanes;
using namespace lanes::gui;
using namespace lanes::gui::large;

namespace {

// Operations: enough that workers make the lanes; no more, since that is slow with sanitizers.
constexpr int many = one_trial_in > 1 ? 200'000 : 300'000;
constexpr int more = one_trial_in > 1 ? 210'000 : 400'000;

}  // namespace

class tst_Indexing : public QObject {
    Q_OBJECT

private slots:
    void viewShowsLanesAsTheyCome();
    void viewIsClosedOnTheWay();
    void anotherRecordingOnTheWay();
    void stoppedInTheView();
    void paintedWhileTheBeginningIsReplaced();
};

void tst_Indexing::viewShowsLanesAsTheyCome()
{
    TimelineView view;
    view.resize(900, 500);
    QSignalSpy indexed(&view.timeline().lanes(), &ShownLanes::indexed);
    const RecordingPtr recording = largeRecording(many, 4);
    view.timeline().openRecording(recording);
    QVERIFY(view.timeline().lanes().isIndexing());
    QVERIFY(!view.timeline().model()->isReady());
    QVERIFY(view.picture().model == nullptr);
    QCOMPARE(view.timeline().model()->lanes().size(), 9U);  // ribbon, two threads, the GPU, its streams, its time
    QVERIFY(!view.grab().isNull());
    QVERIFY(!itemAt(view.timeline().frame(), {500, 300}));
    QTRY_VERIFY(!view.timeline().lanes().isIndexing());
    QVERIFY(view.timeline().model()->isReady());
    QVERIFY(view.picture().model != nullptr);
    QCOMPARE(indexed.first().first().toDouble(), 0.0);
    QCOMPARE(indexed.last().first().toDouble(), 1.0);
    compare(*view.timeline().model(), LaneModel(recording));
    view.timeline().openRecording(largeRecording(2000, 4));
    QVERIFY(!view.timeline().lanes().isIndexing());
    QVERIFY(view.timeline().model()->isReady());
}

void tst_Indexing::viewIsClosedOnTheWay()
{
    std::weak_ptr<const Recording> kept;
    {
        RecordingPtr recording = largeRecording(more, 4);
        kept = recording;
        TimelineView view;
        view.timeline().openRecording(std::move(recording));
        QVERIFY(view.timeline().lanes().isIndexing());
        QTest::qWait(2);
    }
    QTRY_VERIFY(kept.expired());
}

void tst_Indexing::anotherRecordingOnTheWay()
{
    TimelineView view;
    for (int i = 0; i < (one_trial_in > 1 ? 2 : 5); ++i) {
        view.timeline().openRecording(largeRecording(many + 10'000 * i, 3 + i % 2));
    }
    QTRY_VERIFY(!view.timeline().lanes().isIndexing());
    compare(*view.timeline().model(), LaneModel(view.timeline().recording()));
    std::weak_ptr<const Recording> kept = view.timeline().recording();
    view.timeline().openRecording(nullptr);
    QTRY_VERIFY(kept.expired());  // freed on a worker thread
}

void tst_Indexing::stoppedInTheView()
{
    TimelineView view;
    view.resize(900, 500);
    QSignalSpy indexed(&view.timeline().lanes(), &ShownLanes::indexed);
    view.timeline().openRecording(largeRecording(more, 4));
    view.timeline().lanes().stopIndexing();
    QVERIFY(!view.timeline().lanes().isIndexing());
    QCOMPARE(indexed.last().first().toDouble(), 1.0);
    QCoreApplication::processEvents();
    QVERIFY(!view.grab().isNull());
    QVERIFY(view.timeline().model() != nullptr);
}

/// The window's progress bar paints at once, and with it the lanes: even if these are still those of the beginning
/// of a file, which the whole file replaces.
void tst_Indexing::paintedWhileTheBeginningIsReplaced()
{
    TimelineView view;
    view.resize(900, 500);
    const RecordingPtr beginning = largeRecording(many, 4);
    const RecordingPtr whole = largeRecording(more, 4);
    view.timeline().openRecording(beginning);
    QTRY_VERIFY(!view.timeline().lanes().isIndexing());
    int painted = 0;
    connect(&view.timeline().lanes(), &ShownLanes::indexed, &view, [&] { painted += view.grab().isNull() ? 0 : 1; });
    view.timeline().openRenewed(whole);
    QTRY_VERIFY(!view.timeline().lanes().isIndexing());
    QVERIFY(painted >= 2);
    compare(*view.timeline().model(), LaneModel(whole));
    LaneChoice choice;
    choice.grouping = LaneGrouping::engine;
    view.timeline().choose(choice);
    QTRY_VERIFY(!view.timeline().lanes().isIndexing());
    compare(*view.timeline().model(), LaneModel(whole, LaneModel::Rows::now, choice));
}

QTEST_MAIN(tst_Indexing)
#include "tst_indexing.moc"
