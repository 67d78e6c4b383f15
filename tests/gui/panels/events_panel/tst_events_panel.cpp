// SPDX-License-Identifier: MIT
#include "engine/trace/event.h"
#include "gui/panels/details.h"
#include "gui/panels/events_panel.h"
#include "gui/session/workspace.h"
#include "gui/timeline/query_field.h"
#include "tests/gui/panels/model_recording.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <algorithm>

using namespace lanes;
using namespace lanes::gui;

class tst_events_panel : public QObject {
    Q_OBJECT

    OpenRecordingPtr m_blocking = modelRecording("blocking"), m_overlapped = modelRecording("overlapped");

private slots:
    void listsEverythingOnce();
    void filtersByKindWordsAndRange();
    void sortsByEveryColumn();
    void kindIsWrittenIntoTheQuery();
    void manyEventsAreArrangedAside();
    void jumpsWithEnter();
    void followsTheTimeline();
};

void tst_events_panel::listsEverythingOnce()
{
    EventsModel model;
    const QAbstractItemModelTester tester(&model);
    model.setRecording(m_blocking);
    const Trace& trace = *m_blocking->trace;
    QCOMPARE(model.total(),
        trace.calls.size() + trace.operations.size() + trace.ranges.size() + trace.host_spans.size()
            + trace.reads.size());
    std::size_t operations = 0;
    Ns last = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        const EventRef event = model.eventAt(row);
        QVERIFY(span_of(*m_blocking->trace, event).start >= last);
        last = span_of(*m_blocking->trace, event).start;
        operations += event.table == EventTable::operations;
        QCOMPARE(model.rowOf(event), row);
    }
    QCOMPARE(operations, trace.operations.size());
    model.setRecording(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void tst_events_panel::filtersByKindWordsAndRange()
{
    EventsModel model;
    model.setRecording(m_blocking);
    const Trace& trace = *m_blocking->trace;
    EventFilter filter {Query::parse("kind:kernel"), {}};
    model.setFilter(filter);
    QCOMPARE(model.rowCount(), 3);
    filter.query = Query::parse("kind:blocked");
    model.setFilter(filter);
    QCOMPARE(static_cast<std::size_t>(model.rowCount()), m_blocking->blocking->calls.size());
    QVERIFY(model.rowCount() > 0);
    filter.query = Query::parse("MATMUL gpu");
    model.setFilter(filter);
    QCOMPARE(model.rowCount(), 3);
    filter.query = Query::parse("matmul nothing-like-it");
    model.setFilter(filter);
    QCOMPARE(model.rowCount(), 0);

    filter = {};
    filter.range = Interval {trace.duration / 3, trace.duration / 2};
    model.setFilter(filter);
    int expected = 0;
    const auto count = [&](const std::vector<Ns>& start, const std::vector<Ns>& end) {
        for (std::size_t i = 0; i < start.size(); ++i) {
            expected += start[i] < filter.range->end && std::max(end[i], start[i] + 1) > filter.range->start;
        }
    };
    count(trace.calls.start, trace.calls.end);
    count(trace.operations.start, trace.operations.end);
    for (const HostSpan& span : trace.host_spans) {
        count({span.start}, {span.end});
    }
    QCOMPARE(model.rowCount(), expected);
    QVERIFY(expected > 0 && static_cast<std::size_t>(expected) < model.total());
}

void tst_events_panel::sortsByEveryColumn()
{
    EventsModel model;
    model.setRecording(m_overlapped);
    const auto length = [&](int row) {
        const Interval span = spanOf(*m_overlapped, model.eventAt(row));
        return span.end - span.start;
    };
    model.sort(EventsModel::duration, Qt::DescendingOrder);
    for (int row = 1; row < model.rowCount(); ++row) {
        QVERIFY(length(row - 1) >= length(row));
    }
    model.sort(EventsModel::name, Qt::AscendingOrder);
    for (int row = 1; row < model.rowCount(); ++row) {
        const QString before = model.index(row - 1, EventsModel::name).data().toString();
        const QString here = model.index(row, EventsModel::name).data().toString();
        QVERIFY(before <= here);
        if (before == here) {  // equals stay in the order of time
            QVERIFY(
                spanOf(*m_overlapped, model.eventAt(row - 1)).start <= spanOf(*m_overlapped, model.eventAt(row)).start);
        }
    }
    for (int column = 0; column < EventsModel::column_count; ++column) {
        model.sort(column, Qt::DescendingOrder);
        QCOMPARE(static_cast<std::size_t>(model.rowCount()), model.total());
    }
}

void tst_events_panel::kindIsWrittenIntoTheQuery()
{
    Workspace workspace;
    EventsPanel panel;
    panel.observe(&workspace);
    workspace.set({m_blocking});
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto* query = panel.findChild<QueryField*>(QStringLiteral("eventFilter"));
    auto* kinds = panel.findChild<QComboBox*>(QStringLiteral("eventKind"));
    const auto choose = [&](const char* kind) {
        kinds->setCurrentIndex(kinds->findData(QLatin1String(kind)));
        emit kinds->activated(kinds->currentIndex());
    };
    choose("kernel");
    QCOMPARE(query->text(), QStringLiteral("kind:kernel"));
    QCOMPARE(panel.model()->rowCount(), 3);
    QTest::keyClicks(query, QStringLiteral(" dur>1ms"));
    choose("copy");
    QCOMPARE(query->text(), QStringLiteral("kind:copy dur>1ms"));
    choose("");
    QCOMPARE(query->text(), QStringLiteral(" dur>1ms"));
    query->setText(QStringLiteral("kind:memset -kind:copy"));
    QCOMPARE(kinds->currentData().toString(), QStringLiteral("memset"));
    query->setText(QStringLiteral("-kind:copy"));
    QCOMPARE(kinds->currentData().toString(), QString());
    const int right = panel.model()->rowCount();
    query->setText(QStringLiteral("kind:cop"));
    QVERIFY(query->error().text.contains(QStringLiteral("copy")));
    QCOMPARE(panel.model()->rowCount(), right);  // stays until the query is right again
    QTest::keyClick(query, Qt::Key_Escape);
    QCOMPARE(static_cast<std::size_t>(panel.model()->rowCount()), panel.model()->total());
}

void tst_events_panel::manyEventsAreArrangedAside()
{
    Trace trace;
    const StringId names[] = {trace.strings.intern("even"), trace.strings.intern("odd")};
    trace.threads.push_back({1, 1, 0, 0});
    constexpr Row count = 60'000;
    for (Row row = 0; row < count; ++row) {
        CallTable& calls = trace.calls;
        calls.start.push_back(row * 100);
        calls.end.push_back(row * 100 + 10 + row * 7919 % 1000);
        calls.thread.push_back(0);
        calls.name.push_back(names[row % 2]);
        calls.correlation.push_back(0);
        calls.outer.push_back(no_row);
        calls.step.push_back(no_id);
        calls.result.push_back(0);
        calls.api.push_back(ApiCallRecord::runtime);
    }
    trace.duration = count * 100;
    EventsModel model;
    const QAbstractItemModelTester tester(&model);
    QSignalSpy refilled(&model, &EventsModel::refilled);
    model.setRecording(analysed(std::move(trace), QString()));
    QVERIFY(model.busy());  // the caller never waits
    model.setFilter({Query::parse("odd"), {}});
    model.sort(EventsModel::duration, Qt::DescendingOrder);
    QVERIFY(refilled.wait());
    QVERIFY(!model.busy());
    QCOMPARE(refilled.count(), 1);  // of the three only the last needed an answer
    QCOMPARE(model.rowCount(), static_cast<int>(count / 2));
    const auto length = [&](int row) {
        const Interval span = spanOf(*model.recording(), model.eventAt(row));
        return span.end - span.start;
    };
    for (int row = 1; row < model.rowCount(); ++row) {
        QVERIFY(length(row - 1) >= length(row));
        QVERIFY(model.eventAt(row).row % 2 == 1);
    }
    QCOMPARE(model.eventAt(model.rowOf({EventTable::calls, 4711})), (EventRef {EventTable::calls, 4711}));
    QCOMPARE(model.rowOf({EventTable::calls, 4712}), -1);
    model.setRecording(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void tst_events_panel::jumpsWithEnter()
{
    Workspace workspace;
    EventsPanel panel;
    panel.observe(&workspace);
    panel.resize(900, 300);
    workspace.set({m_blocking, m_overlapped});
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto* words = panel.findChild<QLineEdit*>(QStringLiteral("eventFilter"));
    QTest::keyClicks(words, QStringLiteral("matmul"));
    QCOMPARE(panel.model()->rowCount(), 3);
    QSignalSpy jump(&panel, &EventsPanel::jumpWanted);
    QSignalSpy select(&panel, &EventsPanel::selectWanted);
    panel.table()->setFocus();
    panel.table()->selectRow(0);
    QTest::keyClick(panel.table(), Qt::Key_Down);
    QTest::keyClick(panel.table(), Qt::Key_Return);
    QCOMPARE(jump.count(), 1);
    QCOMPARE(jump[0][0].toInt(), 0);
    const auto event = jump[0][1].value<EventRef>();
    QCOMPARE(event, panel.model()->eventAt(1));
    QCOMPARE(nameOf(*m_blocking->trace, event), QStringLiteral("matmul"));
    QVERIFY(select.count() >= 1);
}

void tst_events_panel::followsTheTimeline()
{
    Workspace workspace;
    EventsPanel panel;
    panel.observe(&workspace);
    panel.resize(900, 300);
    workspace.set({m_blocking, m_overlapped});
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QSignalSpy select(&panel, &EventsPanel::selectWanted);
    const EventRef last {EventTable::operations, static_cast<Row>(m_overlapped->trace->operations.size() - 1)};
    workspace.select(1, last);
    QCOMPARE(panel.model()->recording(), workspace.at(1));
    QCOMPARE(panel.model()->eventAt(panel.table()->currentIndex().row()), last);
    QCOMPARE(select.count(), 0);  // a selection from the timeline does not go back to it
}

QTEST_MAIN(tst_events_panel)
#include "tst_events_panel.moc"
