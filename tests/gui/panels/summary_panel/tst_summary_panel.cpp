// SPDX-License-Identifier: MIT
// The summary in the window: figures of one and two shipped recordings, equal to SQL's; ordered, filtered, copied;
// what a row marks; the bars of durations.
#include "engine/store/recording_file.h"
#include "engine/trace/trace_builder.h"
#include "gui/paint/words/time_format.h"
#include "gui/panels/summary/duration_histogram.h"
#include "gui/panels/summary/summary_model.h"
#include "gui/panels/summary/summary_panel.h"
#include "gui/session/format.h"
#include "gui/session/workspace.h"
#include "gui/timeline/timeline_pair.h"
#include "tests/engine/trace/trace_fixture.h"
#include "tests/gui/panels/late_iterations.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <map>

using namespace lanes;
using namespace lanes::gui;

class tst_summary_panel : public QObject {
    Q_OBJECT

    static OpenRecordingPtr shipped(const char* name)
    {
        const QString path = QStringLiteral("%1/resources/recordings/h200/copy-results-back.%2.sqlite")
                                 .arg(qEnvironmentVariable("LANES_SOURCE"), QLatin1String(name));
        return analysed(open_recording(path.toStdString()), path);
    }

    OpenRecordingPtr m_blocking = shipped("blocking"), m_overlapped = shipped("overlapped");

private slots:
    void figuresOfARecording_data();
    void figuresOfARecording();
    void differenceOfTwo();
    void columnsOfTwoHaveRoom();
    void ordersAndFilters();
    void rangeAndFilterAreSaid();
    void thePartThatRepeatsComesFirst();
    void aRowMarksItsEvents();
    void findings();
    void findingsOfOneRule();
    void counters();
    void copies();
    void kernelsHaveTheColourOfTheirBars();
    void opensOnWhatThereIs();
    void kernelsAreNoCopies();
    void bins_data();
    void bins();
    void manyEventsAreSummedUpAside();
};

/// SELECT count(*), sum(end - start), min(end - start), max(end - start) of each table of the file, by name.
void tst_summary_panel::figuresOfARecording_data()
{
    QTest::addColumn<int>("by");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<Ns>>("expected");  // count, total, mean, median, shortest, longest
    const auto row = [](SummaryBy by, const char* name, const QList<Ns>& expected) {
        QTest::newRow(name) << static_cast<int>(by) << QString::fromLatin1(name) << expected;
    };
    row(SummaryBy::kernel, "matmul", {8, 16017579, 2002197, 2002017, 2001489, 2003186});
    row(SummaryBy::copy, "D2H pageable", {8, 33224615, 4153076, -1, 3986018, 4535647});
    row(SummaryBy::api, "cudaMemcpyAsync", {8, 49806327, 6225790, -1, 6056728, 6605978});
    row(SummaryBy::api, "cudaLaunchKernel", {8, 140086, 17510, -1, 5739, 34726});
    row(SummaryBy::api, "cudaDeviceSynchronize", {1, 8912, 8912, 8912, 8912, 8912});
}

void tst_summary_panel::figuresOfARecording()
{
    QFETCH(int, by);
    QFETCH(QString, name);
    QFETCH(QList<Ns>, expected);
    SummaryModel model;
    const QAbstractItemModelTester tester(&model);
    model.show({static_cast<SummaryBy>(by), false, {m_blocking}, {}, nullptr});
    const NamedRow* row = model.rowAt(model.rowOf(name.toStdString()));
    QVERIFY(row != nullptr);
    const SummaryFigure figures[] = {SummaryFigure::count, SummaryFigure::total, SummaryFigure::mean,
        SummaryFigure::median, SummaryFigure::min, SummaryFigure::max};
    for (std::size_t i = 0; i < std::size(figures); ++i) {
        if (expected[static_cast<qsizetype>(i)] >= 0) {
            QCOMPARE(static_cast<Ns>(*valueOf(*row, {figures[i], 0})), expected[static_cast<qsizetype>(i)]);
        }
    }
    QVERIFY(!row->sides[1]);
    double shares = 0;
    for (int i = 0; i < model.rowCount(); ++i) {
        shares += model.rowAt(i)->share[0];
    }
    QVERIFY(std::abs(shares - 1) < 1e-9);
}

void tst_summary_panel::differenceOfTwo()
{
    SummaryModel model;
    const QAbstractItemModelTester tester(&model);
    model.show({SummaryBy::kernel, false, {m_blocking, m_overlapped}, {}, nullptr});
    QCOMPARE(model.rowCount(), 1);
    const NamedRow& row = *model.rowAt(0);
    QCOMPARE(*valueOf(row, {SummaryFigure::total, 2}), 16009131.0 - 16017579.0);
    QCOMPARE(*valueOf(row, {SummaryFigure::count, 2}), 0.0);
    QCOMPARE(cellOf(row, {SummaryFigure::total, 0}), QStringLiteral("16.0 ms"));
    QVERIFY(cellOf(row, {SummaryFigure::total, 2}).startsWith(minus_sign));
    // A name that only one has: no mean to compare, but all of its time is a difference.
    model.show({SummaryBy::copy, false, {m_blocking, m_overlapped}, {}, nullptr});
    QCOMPARE(model.rowCount(), 2);
    const NamedRow& pinned = *model.rowAt(model.rowOf("D2H pinned"));
    QCOMPARE(*valueOf(pinned, {SummaryFigure::total, 2}), 9731961.0);
    QVERIFY(!valueOf(pinned, {SummaryFigure::mean, 2}));
    QCOMPARE(cellOf(pinned, {SummaryFigure::mean, 0}), QString());
    QCOMPARE(cellOf(pinned, {SummaryFigure::bytes, 2}), QStringLiteral("+512 MiB"));
}

/// Nothing scrolls aside; the menu of the header has the rest.
void tst_summary_panel::columnsOfTwoHaveRoom()
{
    Workspace workspace;
    SummaryPanel panel;
    panel.observe(&workspace);
    panel.resize(1000, 300);
    panel.show();
    workspace.set({m_blocking, m_overlapped});
    QTRY_VERIFY(panel.model()->rowCount() > 0);
    const auto isShown
        = [&](SummaryFigure figure) { return !panel.table()->isColumnHidden(panel.model()->columnOf(figure)); };
    QTRY_VERIFY(isShown(SummaryFigure::total) && !isShown(SummaryFigure::max));
    QTRY_COMPARE(panel.table()->horizontalScrollBar()->maximum(), 0);
    emit panel.table()->horizontalHeader()->customContextMenuRequested({10, 10});
    auto* menu = panel.findChild<QMenu*>(QStringLiteral("summaryColumns"));
    QVERIFY(menu != nullptr);
    const auto actions = menu->actions();
    const auto longest = std::find_if(actions.begin(), actions.end(),
        [](const QAction* action) { return action->text() == QLatin1String("Longest"); });
    QVERIFY(longest != actions.end() && !(*longest)->isChecked());
    (*longest)->trigger();
    QVERIFY(isShown(SummaryFigure::max));
    menu->close();
    workspace.set({m_blocking});
    QTRY_VERIFY(isShown(SummaryFigure::median));  // of one all have room
}

void tst_summary_panel::ordersAndFilters()
{
    SummaryModel model;
    model.show({SummaryBy::api, false, {m_blocking}, {}, nullptr});
    const auto names = [&] {
        QStringList all;
        for (int row = 0; row < model.rowCount(); ++row) {
            all += model.index(row, 0).data().toString();
        }
        return all;
    };
    QCOMPARE(names().first(), QStringLiteral("cudaMemcpyAsync"));  // the name with the most time comes first
    QCOMPARE(names().last(), QStringLiteral("cudaDeviceSynchronize"));
    model.sort(model.columnOf(SummaryFigure::max), Qt::AscendingOrder);
    QCOMPARE(names().first(), QStringLiteral("cudaStreamWaitEvent"));  // 5289 ns
    model.sort(0, Qt::AscendingOrder);
    QCOMPARE(names().first(), QStringLiteral("cudaDeviceSynchronize"));
    model.setText(QStringLiteral("sync CUDA"));
    QCOMPARE(names(),
        QStringList({QStringLiteral("cudaDeviceSynchronize"), QStringLiteral("cudaMemcpyAsync"),
            QStringLiteral("cudaStreamSynchronize")}));
    model.setText(QStringLiteral("nothing like it"));
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.names(), std::size_t {6});
}

void tst_summary_panel::rangeAndFilterAreSaid()
{
    Workspace workspace;
    SummaryPanel panel;
    panel.observe(&workspace);
    panel.resize(1000, 300);
    panel.show();
    workspace.set({m_blocking, m_overlapped});
    QVERIFY(panel.scopeText().contains(QStringLiteral("Of all, ")));
    const Trace& trace = *m_blocking->trace;
    const Interval first {trace.operations.start[0], trace.operations.end[0]};
    workspace.selectRange(0, first);
    QVERIFY(panel.scopeText().contains(QStringLiteral("In the selection, ")));
    QCOMPARE(panel.model()->rowAt(0)->sides[0]->count, 1U);
    workspace.pair()->choose({LaneGrouping::stream, std::make_shared<const Query>(Query::parse("kind:copy"))});
    QVERIFY(panel.scopeText().contains(QStringLiteral("kind:copy")));
    QCOMPARE(panel.model()->rowCount(), 0);
    workspace.selectRange(0, {});
    workspace.pair()->choose({LaneGrouping::stream, nullptr});
    QCOMPARE(panel.model()->rowAt(0)->sides[0]->count, 8U);
    workspace.set({});
    QCOMPARE(panel.model()->rowCount(), 0);
}

void tst_summary_panel::thePartThatRepeatsComesFirst()
{
    Workspace workspace;
    SummaryPanel panel;
    panel.observe(&workspace);
    panel.resize(1000, 300);
    panel.show();
    panel.findChild<QComboBox*>(QStringLiteral("summaryBy"))->setCurrentIndex(2);
    const auto counts = [&] {
        std::map<std::string, std::size_t> found;
        for (int row = 0; row < panel.model()->rowCount(); ++row) {
            found[panel.model()->rowAt(row)->name] = panel.model()->rowAt(row)->sides[0]->count;
        }
        return found;
    };
    const std::map<std::string, std::size_t> part {{"cudaLaunchKernel", late_iterations}};
    const std::map<std::string, std::size_t> whole {{"cudaGetDeviceCount", 1}, {"cudaLaunchKernel", late_iterations}};
    workspace.set({lateIterations()});
    QVERIFY2(panel.scopeText().startsWith(QStringLiteral("In the repeating part, ")), qPrintable(panel.scopeText()));
    QCOMPARE(counts(), part);
    workspace.chooseScope(Scope::Of::all);
    QVERIFY(panel.scopeText().startsWith(QStringLiteral("Of all, ")));
    QCOMPARE(counts(), whole);
    workspace.chooseScope(Scope::Of::repeated);
    QCOMPARE(counts(), part);
}

/// As many as the row counts, and those in the interval of durations that is dragged over its bars.
void tst_summary_panel::aRowMarksItsEvents()
{
    qRegisterMetaType<AskedHits>();
    Workspace workspace;
    SummaryPanel panel;
    panel.observe(&workspace);
    panel.resize(1000, 300);
    panel.show();
    workspace.set({m_blocking, m_overlapped});
    LaneSearch search;
    search.setRecordings({m_blocking, m_overlapped});
    connect(&workspace, &Workspace::marksWanted, &search, [&](const AskedHits& hits) { search.ask(hits); });
    QVERIFY(!panel.histogram()->isVisible());  // no empty column
    panel.table()->setCurrentIndex(panel.model()->index(0, 0));
    QVERIFY(panel.histogram()->isVisible());
    QCOMPARE(search.asked(), QStringLiteral("matmul"));
    QTRY_COMPARE(search.count(), std::size_t {16});
    QCOMPARE(search.hits(0)->size(), std::size_t {8});
    QTRY_VERIFY(panel.histogram()->bins().size() > 0);
    const DurationBins& bins = panel.histogram()->bins();
    const std::uint64_t inLast = bins.counts[0].back() + bins.counts[1].back();
    QVERIFY(inLast > 0 && inLast < 16);
    QTest::keyClick(panel.histogram(), Qt::Key_Left);  // the last bin
    QTRY_COMPARE(search.count(), std::size_t {inLast});
    QTest::keyClick(panel.histogram(), Qt::Key_Escape);
    QTRY_COMPARE(search.count(), std::size_t {16});
    // A query takes their place.
    search.setQuery(QStringLiteral("kind:copy"));
    QVERIFY(search.asked().isEmpty());
    QTRY_COMPARE(search.hits(0)->size(), std::size_t {8});
    emit panel.table()->doubleClicked(panel.model()->index(0, panel.model()->columnOf(SummaryFigure::max)));
    QCOMPARE(workspace.selection().side, 0);
    const Interval longest = spanOf(*m_blocking, workspace.selection().event);
    QCOMPARE(longest.end - longest.start, Ns(2003186));
}

void tst_summary_panel::findings()
{
    SummaryModel model;
    model.show({SummaryBy::kernel, true, {m_blocking}, {}, nullptr, false, {m_blocking->report, nullptr}});
    const std::vector<Finding>& all = m_blocking->report->findings;
    QVERIFY(!all.empty());
    Ns cost = 0, shown = 0;
    for (const Finding& finding : all) {
        cost += finding.cost;
    }
    for (int row = 0; row < model.rowCount(); ++row) {
        shown += static_cast<Ns>(*valueOf(*model.rowAt(row), {SummaryFigure::total, 0}));
    }
    QCOMPARE(shown, cost);
    QCOMPARE(model.columnOf(SummaryFigure::median), -1);
    const auto wanted = model.of().wanted(0, model.rowAt(0)->name, 0, 1)();
    QVERIFY(wanted(model.of().evidence(0, model.rowAt(0)->name).front()));
}

void tst_summary_panel::findingsOfOneRule()
{
    Report report;
    for (const Row row : {1U, 2U}) {
        Finding finding;
        finding.rule = "sync-in-loop";
        finding.evidence = {EventRef {EventTable::calls, row}};
        report.findings.push_back(finding);
    }
    SummaryOf of {
        SummaryBy::kernel, true, {m_blocking}, {}, nullptr, false, {std::make_shared<const Report>(report), nullptr}};
    const auto wanted = of.wanted(0, "sync-in-loop", 0, 1)();
    QVERIFY(wanted(EventRef {EventTable::calls, 1}));
    QVERIFY(wanted(EventRef {EventTable::calls, 2}));
    QVERIFY(!wanted(EventRef {EventTable::calls, 3}));
}

void tst_summary_panel::counters()
{
    const auto recording = [](double last) {
        TraceBuilder builder;
        const auto add = [&](Ns time, const char* name, double value, std::uint32_t of, CounterRecord::Unit unit) {
            builder.write(CounterRecord {time, std::bit_cast<std::uint64_t>(value), 7, of, builder.intern(name), unit});
        };
        DeviceRecord device {};
        device.process = 7;
        builder.write(device);
        add(1000, "torch allocated", 1024, 0, CounterRecord::bytes);
        add(2000, "torch allocated", 4096, 0, CounterRecord::bytes);
        add(5000, "torch allocated", last, 0, CounterRecord::bytes);
        add(1000, "queue", 3, no_id, CounterRecord::none);
        return analysed(builder.finish(Source::kineto), QStringLiteral("one"));
    };
    Workspace workspace;
    SummaryPanel panel;
    panel.observe(&workspace);
    panel.show();
    auto* by = panel.findChild<QComboBox*>(QStringLiteral("summaryBy"));
    by->setCurrentIndex(by->count() - 1);
    QCOMPARE(by->currentText(), QStringLiteral("Counters"));
    QSignalSpy marks(&workspace, &Workspace::marksWanted);
    workspace.set({recording(2048), recording(1024)});
    const SummaryModel& model = *panel.model();
    QCOMPARE(model.rowCount(), 2);
    const NamedRow* row = model.rowAt(model.rowOf("torch allocated · GPU 0"));
    QVERIFY(row != nullptr);
    QCOMPARE(cellOf(*row, {SummaryFigure::count, 0}), QStringLiteral("3"));
    QCOMPARE(cellOf(*row, {SummaryFigure::least, 0}), QStringLiteral("1 KiB"));
    QCOMPARE(*valueOf(*row, {SummaryFigure::average, 0}), (1024 + 3 * 4096) / 4.0);
    QCOMPARE(cellOf(*row, {SummaryFigure::most, 0}), QStringLiteral("4 KiB"));
    QCOMPARE(cellOf(*row, {SummaryFigure::last, 2}), QStringLiteral("\u22121 KiB"));
    panel.table()->setCurrentIndex(model.index(0, 0));  // has no events to mark
    QCOMPARE(marks.count(), 0);
}

void tst_summary_panel::copies()
{
    Workspace workspace;
    SummaryPanel panel;
    panel.observe(&workspace);
    panel.show();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    workspace.set({m_blocking});
    panel.table()->setFocus();
    QTest::keyClick(panel.table(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 3);  // the last one is empty
    QCOMPARE(lines[0].split(QLatin1Char('\t')).size(), 10);
    QCOMPARE(lines[1].split(QLatin1Char('\t')),
        QStringList({QStringLiteral("matmul"), QStringLiteral("matmul"), QStringLiteral("16.0 ms"),
            QStringLiteral("100 %"), QStringLiteral("8"), QStringLiteral("2.00 ms"), QStringLiteral("2.00 ms"),
            QStringLiteral("2.00 ms"), QStringLiteral("2.00 ms"), maybeTime({})}));
}

/// A trace without GPU work has no kernels: its ranges are shown. The user's choice comes back if there is any of it.
void tst_summary_panel::kernelsHaveTheColourOfTheirBars()
{
    TraceFixture f;
    f.kernel(7, 0, 50, 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)");
    f.kernel(8, 20, 60, 0, "sm90_xmma_gemm_bf16");
    Workspace workspace;
    SummaryPanel panel;
    panel.observe(&workspace);
    panel.resize(1000, 300);
    panel.show();
    workspace.set({analysed(f.finish(), QString())});
    QTRY_COMPARE(panel.model()->rowCount(), 2);
    const auto& model = *panel.model();
    QStringList families;
    for (int row = 0; row < 2; ++row) {
        families += model.index(row, 1).data().toString();
        QCOMPARE(model.index(row, 1).data(Qt::TextAlignmentRole).toInt(), int(Qt::AlignLeft | Qt::AlignVCenter));
    }
    QCOMPARE(families, QStringList({"communication", "matmul"}));
    const int exposed = model.columnOf(SummaryFigure::exposed);
    QCOMPARE(model.index(0, exposed).data().toString(), QStringLiteral("20 ns"));
    QCOMPARE(model.index(1, exposed).data().toString(), maybeTime({}));
    const auto swatch = [&](int row) { return model.index(row, 0).data(Qt::DecorationRole).value<QColor>(); };
    const Theme& theme = Theme::named(QStringLiteral("light"));
    const auto& of = theme.items[static_cast<std::size_t>(ItemRole::communication)];
    QVERIFY(std::find(of.begin(), of.end(), swatch(0)) != of.end());
    QVERIFY(swatch(1).isValid() && swatch(1) != swatch(0));
    panel.model()->sortBy({SummaryFigure::family, 0}, false);
    QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("communication"));
}

void tst_summary_panel::opensOnWhatThereIs()
{
    TraceBuilder builder;
    const StringId name = builder.intern("forward");
    builder.write(RangeRecord {.time = 0,
        .id = 1,
        .process = 1,
        .thread = 2,
        .name = name,
        .domain = 0,
        .color = 0,
        .edge = RangeRecord::begin});
    builder.write(RangeRecord {.time = 5000,
        .id = 1,
        .process = 1,
        .thread = 2,
        .name = 0,
        .domain = 0,
        .color = 0,
        .edge = RangeRecord::finish});
    const auto ranges = analysed(builder.finish(Source::kineto), QStringLiteral("one"));
    Workspace workspace;
    SummaryPanel panel;
    panel.observe(&workspace);
    panel.show();
    auto* by = panel.findChild<QComboBox*>(QStringLiteral("summaryBy"));
    workspace.set({ranges});
    QCOMPARE(by->currentIndex(), 3);
    QCOMPARE(panel.model()->rowCount(), 1);
    workspace.set({m_blocking});
    QCOMPARE(by->currentIndex(), 0);
    by->setCurrentIndex(2);
    workspace.set({ranges});
    QCOMPARE(by->currentIndex(), 3);
    workspace.set({m_blocking});
    QCOMPARE(by->currentIndex(), 2);
}

/// Equal kernels share their details: fewer details than operations do not mean that there are copies.
void tst_summary_panel::kernelsAreNoCopies()
{
    TraceFixture tape;
    tape.kernel(7, 0, 10);
    tape.kernel(7, 20, 30);
    const auto kernels = analysed(tape.finish(), QStringLiteral("kernels"));
    Workspace workspace;
    SummaryPanel panel;
    panel.observe(&workspace);
    panel.show();
    auto* by = panel.findChild<QComboBox*>(QStringLiteral("summaryBy"));
    workspace.set({m_blocking});
    by->setCurrentIndex(1);
    workspace.set({kernels});
    QCOMPARE(by->currentIndex(), 0);
}

void tst_summary_panel::bins_data()
{
    QTest::addColumn<QList<Ns>>("durations");
    QTest::addColumn<int>("wish");
    QTest::addColumn<QList<Ns>>("edges");
    QTest::addColumn<QList<int>>("counts");
    QTest::newRow("none") << QList<Ns>() << 4 << QList<Ns>() << QList<int>();
    QTest::newRow("decades") << QList<Ns> {10, 11, 99, 100, 999, 9999} << 3 << QList<Ns> {10, 100, 1000, 10000}
                             << QList<int> {3, 2, 1};
    QTest::newRow("all the same") << QList<Ns> {5, 5, 5} << 4 << QList<Ns> {5, 6} << QList<int> {3};
    QTest::newRow("nothing lasted") << QList<Ns> {0, 0, 9} << 2 << QList<Ns> {0, 4, 10} << QList<int> {2, 1};
}

void tst_summary_panel::bins()
{
    QFETCH(QList<Ns>, durations);
    QFETCH(int, wish);
    QFETCH(QList<Ns>, edges);
    QFETCH(QList<int>, counts);
    const auto bins
        = DurationBins::of({std::vector<Ns>(durations.begin(), durations.end()), {}}, static_cast<std::size_t>(wish));
    QCOMPARE(QList<Ns>(bins.edges.begin(), bins.edges.end()), edges);
    QCOMPARE(QList<int>(bins.counts[0].begin(), bins.counts[0].end()), counts);
    for (const Ns duration : durations) {
        const std::size_t bin = bins.binOf(duration);
        QVERIFY(bins.edges[bin] <= duration && duration < bins.edges[bin + 1]);
    }
}

/// A recording of a million: the caller goes on at once, and a newer request replaces the one under way.
void tst_summary_panel::manyEventsAreSummedUpAside()
{
    auto many = std::make_shared<OpenRecording>(*m_blocking);
    auto trace = std::make_shared<Trace>();
    constexpr std::size_t count = 200'000;
    trace->threads.resize(1);
    trace->ranges.resize(count);
    trace->duration = count * 10;
    for (std::size_t i = 0; i < count; ++i) {
        trace->ranges[i].start = static_cast<Ns>(i) * 10;
        trace->ranges[i].end = static_cast<Ns>(i) * 10 + 7;
        trace->ranges[i].mark = false;
    }
    many->trace = trace;
    SummaryModel model;
    QSignalSpy refilled(&model, &SummaryModel::refilled);
    model.show({SummaryBy::kernel, false, {many}, {}, nullptr});
    QVERIFY(model.busy());
    model.show({SummaryBy::range, false, {many}, {}, nullptr});
    QTRY_VERIFY(!model.busy());
    QTRY_COMPARE(refilled.count(), 1);
    QCOMPARE(model.rowAt(0)->sides[0]->count, count);
    QCOMPARE(model.rowAt(0)->sides[0]->total, Ns(count) * 7);
}

QTEST_MAIN(tst_summary_panel)
#include "tst_summary_panel.moc"
