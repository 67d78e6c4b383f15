// SPDX-License-Identifier: MIT
#include "engine/trace/event.h"
#include "gui/timeline/comparison_view.h"
#include "gui/timeline/hit_walk.h"
#include "gui/timeline/overview_strip.h"
#include "gui/timeline/timeline.h"
#include "gui/timeline/timeline_pair.h"
#include "gui/timeline/timeline_view.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <algorithm>
#include <QAbstractItemModel>
#include <QCompleter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

/// All events of a recording that are in lanes, in the order of a search.
std::vector<EventRef> found(const Recording& recording, const char* text)
{
    const QueryMatcher matcher(Query::parse(text), *recording.trace, recording.blocking.get());
    const Trace& trace = *recording.trace;
    std::vector<EventRef> events;
    for (const EventTable table : event_tables) {
        for (Row row = 0; row < size_of(trace, table); ++row) {
            if (matcher.matches({table, row}) && (table != EventTable::calls || trace.calls.outer[row] == no_row)) {
                events.push_back({table, row});
            }
        }
    }
    std::stable_sort(events.begin(), events.end(),
        [&](EventRef a, EventRef b) { return span_of(trace, a).start < span_of(trace, b).start; });
    return events;
}

QueryHits hitsOf(const RecordingPtr& recording, const char* text)
{
    return {recording, Query::parse(text)};
}

}  // namespace

class tst_LaneSearch : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources"); }
    void hitsAgainstOracle_data();
    void hitsAgainstOracle();
    void flagsSkip();
    void columnsOfHits();
    void keysWalkThroughBothRecordings();
    void whatIsTooNarrowIsZoomedTo();
    void wrongQueryIsSaidAtItsColumn();
    void hitsAreMarked();
    void escapeGivesTheKeyboardBack();
    void keysAreProposed();
    void newRecordingsAreAsked();
    void aNewQueryGivesUpTheOld();
    void whyThereIsNoAnswerIsSaid();

private:
    std::unique_ptr<ComparisonView> shown(const std::vector<RecordingPtr>& recordings)
    {
        auto view = std::make_unique<ComparisonView>();
        view->resize(1100, 640);
        view->pair().open(recordings);
        view->show();
        [&] { QVERIFY(QTest::qWaitForWindowActive(view.get())); }();
        return view;
    }
    RecordingPtr m_blocking = samples::copyResultsBack({});
    RecordingPtr m_overlapped = samples::copyResultsBack({.copy = 1'180'000, .blocking = false});
};

void tst_LaneSearch::hitsAgainstOracle_data()
{
    QTest::addColumn<QByteArray>("query");
    for (const char* query : {"kind:operation", "kind:copy", "-kind:nothing-else or x", "dur>100us",
             "at>2ms -kind:call", "kind:call", "gpu", "zzz"}) {
        QTest::newRow(query) << QByteArray(query).replace("-kind:nothing-else or x", "-zzz");
    }
}

void tst_LaneSearch::hitsAgainstOracle()
{
    QFETCH(QByteArray, query);
    for (const RecordingPtr& recording : {samples::everything(), m_blocking, m_overlapped}) {
        const auto expected = found(*recording, query.constData());
        const QueryHits hits = hitsOf(recording, query.constData());
        QCOMPARE(hits.size(), expected.size());
        const auto start = [&](EventRef item) { return span_of(*recording->trace, item).start; };
        std::vector<EventRef> walked;
        for (EventRef hit = hits.first(); hit; hit = hits.next(hit)) {
            QVERIFY(hits.contains(hit));
            QCOMPARE(hits.rank(hit), walked.size());
            QVERIFY(walked.empty() || start(walked.back()) <= start(hit));
            QCOMPARE(hits.previous(hit), walked.empty() ? EventRef {} : walked.back());
            walked.push_back(hit);
            QVERIFY(walked.size() <= expected.size());
        }
        QCOMPARE(walked.size(), expected.size());
        QCOMPARE(hits.last(), walked.empty() ? EventRef {} : walked.back());
        for (const EventRef item : expected) {
            QVERIFY(std::find(walked.begin(), walked.end(), item) != walked.end());
        }
        for (Ns time = -10; time < recording->trace->duration; time += recording->trace->duration / 37) {
            const auto at
                = std::find_if(walked.begin(), walked.end(), [&](EventRef item) { return start(item) >= time; });
            QCOMPARE(hits.from(time), at == walked.end() ? EventRef {} : *at);
            QCOMPARE(hits.before(time), at == walked.begin() ? EventRef {} : *(at - 1));
        }
    }
}

void tst_LaneSearch::flagsSkip()
{
    RowFlags flags(1000);
    const std::vector<std::size_t> set {0, 63, 64, 127, 128, 500, 999};
    for (const std::size_t row : set) {
        flags.set(row);
    }
    for (std::size_t row = 0; row < 1000; ++row) {
        const auto at = std::lower_bound(set.begin(), set.end(), row);
        QCOMPARE(flags.next(row, 1000), at == set.end() ? 1000 : *at);
        QCOMPARE(flags.next(row, row + 30), at == set.end() ? row + 30 : std::min(*at, row + 30));
        QCOMPARE(flags[row], at != set.end() && *at == row);
    }
    QCOMPARE(RowFlags().next(0, 10), std::size_t {10});
}

void tst_LaneSearch::columnsOfHits()
{
    const RecordingPtr recording = samples::everything();
    const QueryHits hits = hitsOf(recording, "kind:operation or kind:call");
    const double ns = static_cast<double>(recording->trace->duration) / 97;
    std::vector<bool> expected(97);
    for (const EventRef item : found(*recording, "kind:operation or kind:call")) {
        const auto column = static_cast<std::size_t>(static_cast<double>(span_of(*recording->trace, item).start) / ns);
        if (column < expected.size()) {
            expected[column] = true;
        }
    }
    QCOMPARE(hits.columns(0, ns, 97), expected);
}

void tst_LaneSearch::whatIsTooNarrowIsZoomedTo()
{
    const auto view = shown({m_blocking});
    Timeline& lanes = view->side(0);
    const auto widthOf = [&lanes](ItemRef item) {
        const TimelineFrame frame = lanes.frame();
        const Interval span = spanOf(*lanes.recording(), item);
        return frame.xOf(span.end) - frame.xOf(span.start);
    };
    view->hits()->search()->setQuery(QStringLiteral("cudaLaunchKernel"));
    QTRY_VERIFY(!view->hits()->search()->busy() && view->hits()->search()->count() > 0);
    const ItemRef first = view->view(0)->hits()->first();
    QVERIFY(widthOf(first) < 3);
    view->hits()->step(1);
    QCOMPARE(lanes.selection(), first);
    QVERIFY(widthOf(first) > 100);
    lanes.showAll();
    view->hits()->search()->setQuery(QStringLiteral("kind:kernel"));
    QTRY_VERIFY(!view->hits()->search()->busy() && view->hits()->search()->count() == 8);
    lanes.select({});
    const TimeScale whole = lanes.timeScale();
    view->hits()->step(1);
    QVERIFY(widthOf(lanes.selection()) >= 3);
    QCOMPARE(lanes.timeScale(), whole);  // it is seen as it is
}

void tst_LaneSearch::keysWalkThroughBothRecordings()
{
    const auto view = shown({m_blocking, m_overlapped});
    view->hits()->bar()->open();
    QueryField* field = view->hits()->bar()->field();
    QVERIFY(field->hasFocus());
    QTest::keyClicks(field, QStringLiteral("kind:kernel"));
    QTRY_VERIFY(!view->hits()->search()->busy());
    QCOMPARE(view->hits()->search()->count(), std::size_t {16});
    QCOMPARE(view->hits()->bar()->statusText(), QStringLiteral("16 found"));
    QSignalSpy picked(&view->side(0), &Timeline::picked);  // what opens its card
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(picked.size(), 1);
    QCOMPARE(view->hits()->bar()->statusText(), QStringLiteral("1 of 16"));
    QVERIFY(field->hasFocus());  // the user can go on typing
    for (int i = 1; i < 8; ++i) {
        QTest::keyClick(field, Qt::Key_Return);
    }
    QCOMPARE(view->hits()->bar()->statusText(), QStringLiteral("8 of 16"));
    QCOMPARE(view->activeIndex(), 0);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(view->hits()->bar()->statusText(), QStringLiteral("9 of 16"));
    QCOMPARE(view->activeIndex(), 1);
    QVERIFY(!view->side(0).selection() && view->side(1).selection());
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(view->hits()->bar()->statusText(), QStringLiteral("8 of 16"));
    view->hits()->step(-8);  // any step back is one
    QCOMPARE(view->hits()->bar()->statusText(), QStringLiteral("7 of 16"));
    for (int i = 0; i < 7; ++i) {
        QTest::mouseClick(view->hits()->bar()->findChildren<QPushButton*>().front(), Qt::LeftButton);
    }
    QCOMPARE(view->hits()->bar()->statusText(), QStringLiteral("16 of 16"));  // from the start again
    QTest::mouseClick(view->hits()->bar()->findChildren<QPushButton*>()[1], Qt::LeftButton);
    QCOMPARE(view->hits()->bar()->statusText(), QStringLiteral("1 of 16"));
    // Brought into sight, too.
    view->showRange({20'000'000, 21'000'000});
    QTest::keyClick(field, Qt::Key_Return);
    const Interval span = spanOf(*m_blocking, view->side(0).selection());
    const Interval visible = view->side(0).visibleRange();
    QVERIFY(span.start < visible.end && span.end > visible.start);
}

void tst_LaneSearch::wrongQueryIsSaidAtItsColumn()
{
    const auto view = shown({m_blocking});
    view->hits()->bar()->open();
    QueryField* field = view->hits()->bar()->field();
    QTest::keyClicks(field, QStringLiteral("matmul kind:kernl"));
    QVERIFY2(view->hits()->bar()->statusText().startsWith(QStringLiteral("Column 13: ")),
        qPrintable(view->hits()->bar()->statusText()));
    QVERIFY(view->hits()->bar()->statusText().contains(QStringLiteral("kernel")));
    QCOMPARE(field->error().at, 12);
    QCOMPARE(field->error().length, 5);
    QCOMPARE(view->hits()->search()->count(), std::size_t {0});
    QTest::keyClick(field, Qt::Key_Return);  // nothing to go to
    field->grab();
    field->clear();
    QVERIFY(field->error().text.isEmpty());
    QCOMPARE(view->hits()->bar()->statusText(), QString());
}

void tst_LaneSearch::hitsAreMarked()
{
    const auto view = shown({m_blocking});
    const QRgb hit = view->side(0).theme().hit.rgb();
    const auto marked = [&](QWidget* widget) {
        const QImage image = widget->grab().toImage();
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                count += image.pixel(x, y) == hit;
            }
        }
        return count;
    };
    QCOMPARE(marked(view->view(0)), 0);
    view->hits()->search()->setQuery(QStringLiteral("mm_"));
    QTRY_VERIFY(!view->hits()->search()->busy());
    const int outlined = marked(view->view(0));
    QVERIFY2(outlined > 500, qPrintable(QString::number(outlined)));
    QVERIFY(marked(view->overview()) > 5);
    const ItemRef first = view->view(0)->hits()->first();
    const QRectF box = *boxOf(view->side(0).frame(), first);
    const QImage image = view->view(0)->grab().toImage();
    QCOMPARE(image.pixel(box.center().toPoint().x(), static_cast<int>(box.top()) + 1), hit);
    view->hits()->search()->setQuery({});
    QCOMPARE(marked(view->view(0)), 0);
    QCOMPARE(marked(view->overview()), 0);
}

void tst_LaneSearch::escapeGivesTheKeyboardBack()
{
    const auto view = shown({m_blocking});
    view->view(0)->setFocus();
    QVERIFY(view->hits()->bar()->isHidden());
    view->hits()->bar()->open();
    QVERIFY(view->hits()->bar()->field()->hasFocus());
    QTest::keyClicks(view->hits()->bar()->field(), QStringLiteral("mm_"));
    QTRY_VERIFY(view->hits()->search()->count() > 0);
    QTest::keyClick(view->hits()->bar()->field(), Qt::Key_Escape);
    QVERIFY(view->hits()->bar()->isHidden());
    QVERIFY(view->view(0)->hasFocus());
    QVERIFY(!view->view(0)->hits());
    view->hits()->bar()->open();  // the query is still there
    QTRY_VERIFY(view->hits()->search()->count() > 0);
    QCOMPARE(view->hits()->bar()->field()->selectedText(), QStringLiteral("mm_"));
}

void tst_LaneSearch::keysAreProposed()
{
    const auto view = shown({m_blocking});
    view->hits()->bar()->open();
    QueryField* field = view->hits()->bar()->field();
    const auto proposals = [&] {
        QStringList texts;
        const QAbstractItemModel* model = field->completer()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            texts += model->index(row, 0).data(Qt::UserRole).toString();
        }
        return texts;
    };
    QTest::keyClicks(field, QStringLiteral("matmul -k"));
    QCOMPARE(proposals(), QStringList {QStringLiteral("matmul -kind:")});
    QTest::keyClicks(field, QStringLiteral("ind:h"));
    QCOMPARE(proposals(),
        (QStringList {QStringLiteral("matmul -kind:h2d"), QStringLiteral("matmul -kind:h2h"),
            QStringLiteral("matmul -kind:host")}));
}

void tst_LaneSearch::newRecordingsAreAsked()
{
    const auto view = shown({m_blocking});
    view->hits()->bar()->open();
    QTest::keyClicks(view->hits()->bar()->field(), QStringLiteral("kind:kernel"));
    QTRY_COMPARE(view->hits()->search()->count(), std::size_t {8});
    view->pair().open({m_blocking, m_overlapped});
    QTRY_COMPARE(view->hits()->search()->count(), std::size_t {16});
    QVERIFY(view->view(1)->hits());
    view->pair().open({});
    QCOMPARE(view->hits()->search()->count(), std::size_t {0});
    QTest::keyClick(view->hits()->bar()->field(), Qt::Key_Return);
}

void tst_LaneSearch::aNewQueryGivesUpTheOld()
{
    LaneSearch search;
    search.setRecordings({m_blocking, m_overlapped});
    for (int i = 0; i < 50; ++i) {
        search.setQuery(i % 2 == 0 ? QStringLiteral("kind:kernel") : QStringLiteral("kind:copy dur>%1ns").arg(i));
    }
    search.setQuery(QStringLiteral("zzz"));
    QTRY_VERIFY(!search.busy());
    QCOMPARE(search.count(), std::size_t {0});
    QVERIFY(search.hits(0));
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(QueryHits(m_blocking, Query::parse("kind:kernel"), stop.get_token()).size(), std::size_t {0});
}

/// A panel's question may need more memory than there is.
void tst_LaneSearch::whyThereIsNoAnswerIsSaid()
{
    LaneSearch search;
    search.setRecordings({samples::copyResultsBack({})});
    search.setQuery(QStringLiteral("mm"));
    QTRY_VERIFY(!search.busy() && search.count() > 0);
    AskedHits asked;
    asked.title = QStringLiteral("too many");
    asked.wanted[0] = []() -> EventList::Wanted { throw std::bad_alloc(); };
    search.ask(asked);
    QTRY_VERIFY(!search.busy());
    QCOMPARE(search.count(), std::size_t(0));
    QCOMPARE(search.error().text, QStringLiteral("There is not enough memory for it."));
    search.setQuery(QStringLiteral("mm_1"));
    QTRY_VERIFY(!search.busy() && search.count() > 0);
    QVERIFY(search.error().text.isEmpty());
}

QTEST_MAIN(tst_LaneSearch)
#include "tst_lane_search.moc"
