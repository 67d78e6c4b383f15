// SPDX-License-Identifier: MIT
// What the card of a selection says: hidden and exposed time, what waited for what, who issued it, the chain of its
// causes with its cycles once, and the dots of all of its name.
#include "engine/analysis/summary/summary.h"
#include "engine/store/recording_file.h"
#include "engine/trace/event.h"
#include "gui/paint/words/time_format.h"
#include "gui/panels/card.h"
#include "gui/panels/line_breaks.h"
#include "gui/panels/name_dots.h"
#include "tests/engine/analysis/tape.h"
#include "tests/engine/trace/trace_fixture.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <set>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr auto all_reduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

OpenRecordingPtr shipped(const QString& name)
{
    const QString path
        = QStringLiteral("%1/resources/recordings/h200/%2.sqlite").arg(qEnvironmentVariable("LANES_SOURCE"), name);
    return analysed(open_recording(path.toStdString()), path);
}

/// The operation that starts then.
EventRef operationAt(const OpenRecording& recording, Ns start)
{
    const auto& starts = recording.trace->operations.start;
    const auto at = std::find(starts.begin(), starts.end(), start);
    return at == starts.end() ? EventRef {} : EventRef {EventTable::operations, static_cast<Row>(at - starts.begin())};
}

const CardPart* partOf(const Card& card, const char* title)
{
    const auto at = std::find_if(
        card.parts.begin(), card.parts.end(), [&](const CardPart& part) { return part.title == QLatin1String(title); });
    return at == card.parts.end() ? nullptr : &*at;
}

}  // namespace

class tst_Card : public QObject {
    Q_OBJECT

private slots:
    void hiddenIsWhatRunsBeside();
    void hiddenOfAllCopiesIsTheReports();
    void whatWaitedForWhat();
    void whenACallWentOn_data();
    void whenACallWentOn();
    void noLineEndsInAFigure_data();
    void noLineEndsInAFigure();
    void whoIssuedIt();
    void whoCapturedIt();
    void whatRunsInAWholeGraph();
    void whyNobodyOwnsIt_data();
    void whyNobodyOwnsIt();
    void figuresOfOneName_data();
    void figuresOfOneName();
    void aChainSaysItsCycleOnce();
    void everyEventHasACard();
    void aDotLeadsToItsEvent();
};

void tst_Card::hiddenIsWhatRunsBeside()
{
    Tape tape;
    tape.kernel(tape.call("cudaLaunchKernel", 10, 20), 13, 300, 900, 0, "gemm(int)");
    tape.kernel(tape.call("cudaLaunchKernel", 30, 40), 13, 950, 1000, 0, "gemm(int)");
    tape.kernel(tape.call("cudaLaunchKernel", 50, 60), 14, 500, 1200, 0, all_reduce);
    tape.kernel(tape.call("cudaLaunchKernel", 70, 80), 15, 600, 1300, 0, all_reduce);  // communication hides nothing
    const OpenRecordingPtr recording = analysed(tape.finish(), QString());
    QCOMPARE(cardFigures(*recording->trace, operationAt(*recording, 500)).hidden, std::optional<Ns>(450));
    QCOMPARE(cardFigures(*recording->trace, operationAt(*recording, 600)).hidden, std::optional<Ns>(350));
    QVERIFY(!cardFigures(*recording->trace, operationAt(*recording, 300)).hidden);
    QVERIFY(cardOf(*recording, operationAt(*recording, 500)).place.startsWith(QStringLiteral("communication, ")));
}

/// Where copies do not overlap one another their shares add up.
void tst_Card::hiddenOfAllCopiesIsTheReports()
{
    const OpenRecordingPtr recording = shipped(QStringLiteral("copy-results-back.overlapped"));
    Ns sum = 0;
    for (Row row = 0; row < recording->trace->operations.size(); ++row) {
        sum += cardFigures(*recording->trace, {EventTable::operations, row}).hidden.value_or(0);
    }
    QVERIFY(sum > 0);
    QCOMPARE(sum, recording->report->gpus.front().copy_hidden);
}

void tst_Card::whatWaitedForWhat()
{
    const OpenRecordingPtr recording = shipped(QStringLiteral("copy-results-back.overlapped"));
    const Trace& trace = *recording->trace;
    std::size_t waited = 0, waiters = 0;
    for (Row row = 0; row < trace.operations.size(); ++row) {
        const Card card = cardOf(*recording, {EventTable::operations, row});
        const Row after = recording->graph->starts().after(row);
        if (const CardPart* part = partOf(card, "It waited for"); part != nullptr && after != no_row) {
            QCOMPARE(part->entries.front().item, (ItemRef {ItemKind::operation, after}));
            QVERIFY2(part->entries.front().said.contains(
                         formatTime(std::abs(trace.operations.start[row] - trace.operations.end[after]))),
                qPrintable(part->entries.front().said));
            QVERIFY(part->entries.size() <= 2);
            ++waited;
        }
        if (const CardPart* part = partOf(card, "What waited for it")) {
            QVERIFY(part->entries.size() <= 2);
            const ItemRef first = part->entries.front().item;
            QVERIFY(first.kind == ItemKind::blocked ? recording->blocking->calls[first.row].released_by == row
                                                    : recording->graph->starts().after(first.row) == row);
            QCOMPARE(first, ItemRef(linkToWaiter(*recording, EventRef {EventTable::operations, row})->to));
            ++waiters;
        }
        const CardPart* issued = partOf(card, "Issued by");
        QVERIFY(issued != nullptr);
        QCOMPARE(issued->entries.front().item.row, trace.operations.call[row]);
    }
    QVERIFY(waited > 8 && waiters > 8);
    // A wait of a thread is on the card of what released it, and the other way round.
    QVERIFY(!recording->blocking->calls.empty());
    const BlockedCall& last = recording->blocking->calls.back();
    QVERIFY(last.released_by != no_row);
    const Card call = cardOf(*recording, {EventTable::calls, last.call});
    QVERIFY(partOf(call, "It waited for") != nullptr);
    QCOMPARE(partOf(call, "It waited for")->entries.front().item, (ItemRef {ItemKind::operation, last.released_by}));
    QCOMPARE(call.facts[1].name, QStringLiteral("blocked"));
}

void tst_Card::whenACallWentOn_data()
{
    QTest::addColumn<qint64>("end");
    QTest::addColumn<QString>("said");
    QTest::newRow("with the kernel") << qint64 {100'000} << "";
    QTest::newRow("later") << qint64 {102'000} << "; the call went on 2.00 \u00B5s after its end";
}

void tst_Card::whenACallWentOn()
{
    QFETCH(const qint64, end);
    QFETCH(const QString, said);
    Tape tape;
    tape.stream(13, StreamRecord::non_blocking);
    tape.kernel(tape.call("cudaLaunchKernel", 10'000, 14'000), 13, 15'000, 100'000);
    tape.sync(tape.call("cudaStreamSynchronize", 20'000, end), SyncRecord::stream_sync, 20'000, end, 13);
    const OpenRecordingPtr recording = analysed(tape.finish(), QString());
    const auto& calls = recording->blocking->calls;
    QCOMPARE(calls.size(), std::size_t {1});
    const Card card = cardOf(*recording, {EventTable::calls, calls.front().call});
    const CardPart* part = partOf(card, "It waited for");
    QVERIFY(part != nullptr);
    const QString all = part->entries.front().said;
    QVERIFY2(all.startsWith(QStringLiteral("on ")), qPrintable(all));
    QCOMPARE(all.contains(u';') ? all.mid(all.indexOf(u';')) : QString(), said);
}

void tst_Card::noLineEndsInAFigure_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");  // _: a space that does not break; |: a line may end
    QTest::newRow("time") << "median 5.18 \u00B5s"
                          << "median 5.18_\u00B5s";
    QTest::newRow("from, to") << "1.19543415 \u2013 1.19543920 s"
                              << "1.19543415 \u2013 1.19543920_s";
    QTest::newRow("count") << "4,416 ns, 3"
                           << "4,416_ns,| 3";
    QTest::newRow("no unit") << "2 streams, 3 blocks"
                             << "2 streams,| 3 blocks";
    QTest::newRow("name") << "at::mul<4, f>"
                          << "at:|:|mul<|4,| f>|";
    QTest::newRow("words in one") << "winogradWgradDelta4x4, 3 MiB"
                                  << "winograd|Wgrad|Delta4x4,| 3_MiB";
}

void tst_Card::noLineEndsInAFigure()
{
    QFETCH(const QString, text);
    QFETCH(const QString, shown);
    QCOMPARE(breakable(text).replace(QChar(QChar::Nbsp), u'_').replace(QChar(0x200B), u'|'), shown);
}

void tst_Card::whoIssuedIt()
{
    Tape tape;
    tape.range("train.py(7): main", 0, 2000);
    tape.range("nn.Module: Model_0", 10, 1900);
    tape.range("model.py(40): forward", 20, 1800);
    tape.range("torch/nn/modules/module.py(1518): _wrapped_call_impl", 30, 1700);
    tape.range("nn.Module: Linear_3", 40, 1600);
    tape.range("torch/nn/functional.py(12): linear", 50, 1500);
    tape.range("aten::linear", 60, 1400);
    tape.range("aten::addmm", 70, 1300);
    tape.kernel(tape.call("cudaLaunchKernel", 100, 150), 13, 300, 900);
    const OpenRecordingPtr recording = analysed(tape.finish(), QString());
    const Card card = cardOf(*recording, {EventTable::operations, 0});
    const auto fromTo = [](const Card& of) { return of.facts.front().value; };
    QCOMPARE(fromTo(card), QString::fromUtf8("300 – 900 ns"));
    // Of a rank whose recording began 1.7 µs after the job did.
    const QString ofRank = fromTo(cardOf(*recording, {EventTable::operations, 0}, -1700));
    QVERIFY2(
        ofRank.startsWith(QStringLiteral("2.0")) && ofRank.contains(QString::fromUtf8("– 2.6")), qPrintable(ofRank));
    const CardPart* issued = partOf(card, "Issued by");
    QVERIFY(issued != nullptr);
    QStringList names;
    for (const CardEntry& entry : issued->entries) {
        names << entry.name;
    }
    QCOMPARE(names,
        (QStringList {QStringLiteral("cudaLaunchKernel"), QStringLiteral("aten::addmm"), QStringLiteral("aten::linear"),
            QStringLiteral("torch/nn/functional.py(12): linear"), QStringLiteral("nn.Module: Linear_3"),
            QStringLiteral("model.py(40): forward")}));
    QVERIFY(issued->entries.front().said.contains(QStringLiteral("200 ns before it began")));
    const CardPart* owner = partOf(card, "Owner");
    QVERIFY(owner != nullptr);
    QCOMPARE(owner->entries.size(), std::size_t {2});
    QCOMPARE(owner->entries[0].name, QStringLiteral("Linear_3"));
    QCOMPARE(owner->entries[1].name, QStringLiteral("model.py(40): forward"));
}

/// The card and the details of a graph's kernel name the ranges of its capture, not those of the launch.
void tst_Card::whoCapturedIt()
{
    TraceFixture f;
    f.range("Net (train.py:7)", 0, 100);
    f.range("fc1: Linear", 10, 90);
    f.range("aten::addmm", 20, 80, operator_domain);
    f.node({1, 1}, 50);
    f.node({2, 1}, 120, {1, 1});
    f.range("replay", 130, 140);
    f.kernel_of({2, 1}, 7, 150, 160, f.call("cudaGraphLaunch", 131, 132));
    const OpenRecordingPtr recording = analysed(f.finish(), QString());
    const EventRef kernel {EventTable::operations, 0};
    const Card card = cardOf(*recording, kernel);
    const auto names = [&](const char* title) {
        QStringList found;
        const CardPart* part = partOf(card, title);
        for (const CardEntry& entry : part != nullptr ? part->entries : std::vector<CardEntry>()) {
            found << entry.name + (entry.said.isEmpty() || title != QLatin1String("Owner") ? "" : " " + entry.said);
        }
        return found;
    };
    QCOMPARE(names("Issued by"), (QStringList {"cudaGraphLaunch"}));
    QCOMPARE(names("Captured in"), (QStringList {"aten::addmm", "fc1: Linear", "Net (train.py:7)"}));
    QCOMPARE(names("Owner"), (QStringList {"aten::addmm operator", "fc1: Linear module", "train.py:7 call site"}));
    bool said = false;
    for (const DetailField& field : detailsOf(*recording, kernel)) {
        said = said || (field.name == "Captured in" && field.value == "aten::addmm ← fc1: Linear ← Net (train.py:7)");
        QVERIFY(field.name != "Launched in");
    }
    QVERIFY(said);
}

/// Names without times, from its capture.
void tst_Card::whatRunsInAWholeGraph()
{
    TraceFixture program;
    program.range("aten::addmm", 0, 10, operator_domain);
    program.node({1, 1}, 4);
    program.node({1, 2}, 5);
    program.range("aten::relu", 10, 20, operator_domain);
    program.node({1, 3}, 15);
    for (std::uint32_t node = 1; node <= 3; ++node) {
        program.node({2, node}, 30, {1, node});
    }
    program.kernel_of({2, 0}, 7, 205, 256, program.call("cudaGraphLaunch", 200, 202));
    const OpenRecordingPtr recording = analysed(program.finish(), QString());
    const auto start = recording->trace->operations.start.at(0);
    const Card card = cardOf(*recording, operationAt(*recording, start));
    const auto fact = std::find_if(card.facts.begin(), card.facts.end(),
        [](const DetailField& field) { return field.name == "in the graph, times not recorded"; });
    QVERIFY(fact != card.facts.end());
    QCOMPARE(fact->value, QStringLiteral("aten::addmm ×2, aten::relu"));
}

void tst_Card::whyNobodyOwnsIt_data()
{
    QTest::addColumn<std::uint32_t>("graph");
    QTest::addColumn<bool>("called");
    QTest::addColumn<QString>("why");
    QTest::newRow("no call") << 0U << false << QString("none: its call is not recorded");
    QTest::newRow("no capture") << 3U << true << QString("none: the capture of its CUDA graph is not recorded");
    QTest::newRow("no range") << 0U << true << QString("none: issued outside of every range");
}

void tst_Card::whyNobodyOwnsIt()
{
    QFETCH(std::uint32_t, graph);
    QFETCH(bool, called);
    QFETCH(QString, why);
    TraceFixture f;
    f.range("before", 0, 10);
    f.kernel_of({graph, graph == 0 ? 0U : 1U}, 7, 150, 160, called ? f.call("cudaLaunchKernel", 131, 132) : 0);
    const OpenRecordingPtr recording = analysed(f.finish(), QString());
    const Card card = cardOf(*recording, {EventTable::operations, 0});
    const auto said = std::find_if(
        card.facts.begin(), card.facts.end(), [](const DetailField& field) { return field.name == "owner"; });
    QVERIFY(said != card.facts.end());
    QCOMPARE(said->value, why);
    QVERIFY(partOf(card, "Owner") == nullptr);
}

void tst_Card::figuresOfOneName_data()
{
    QTest::addColumn<std::vector<Ns>>("lengths");
    QTest::addColumn<Ns>("median");
    QTest::newRow("odd") << std::vector<Ns> {100, 300, 200, 900, 400} << Ns {300};
    QTest::newRow("even, the mean of the two in the middle")
        << std::vector<Ns> {100, 300, 200, 350, 900, 400} << Ns {325};
}

void tst_Card::figuresOfOneName()
{
    QFETCH(std::vector<Ns>, lengths);
    QFETCH(Ns, median);
    Tape tape, alone;  // and without what has the same short name
    Ns at = 0;
    for (const Ns length : lengths) {
        at += 1000;
        for (Tape* of : {&tape, &alone}) {
            of->kernel(of->call("cudaLaunchKernel", at, at + 10), 13, at + 20, at + 20 + length, 0, "work<int>(int)");
        }
        tape.kernel(tape.call("cudaLaunchKernel", at + 11, at + 14), 14, at + 30, at + 35, 0, "work<float>(float)");
    }
    const OpenRecordingPtr recording = analysed(tape.finish(), QString());
    const CardFigures figures = cardFigures(*recording->trace, operationAt(*recording, 1020));
    QCOMPARE(figures.count, lengths.size());  // of this full name
    QCOMPARE(figures.least, Ns {100});
    QCOMPARE(figures.median, median);
    QCOMPARE(figures.most, Ns {900});
    QCOMPARE(figures.dots.size(), lengths.size());
    QCOMPARE(figures.span, (Interval {1020, at + 20}));
    // The summary beside the card has the same figures of this name.
    const OpenRecordingPtr besideNone = analysed(alone.finish(), QString());
    const Summary summary = summarise(*besideNone, SummaryBy::kernel);
    const auto row
        = std::find_if(summary.rows.begin(), summary.rows.end(), [](const auto& of) { return of.max == 900; });
    QVERIFY(row != summary.rows.end());
    QCOMPARE(row->count, std::uint64_t {figures.count});
    QCOMPARE(row->median, figures.median);
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(cardFigures(*recording->trace, operationAt(*recording, 1020), stop.get_token()).count < lengths.size());
}

void tst_Card::aChainSaysItsCycleOnce()
{
    const OpenRecordingPtr recording = shipped(QStringLiteral("item-every-batch.every"));
    const Row last = static_cast<Row>(recording->trace->operations.size()) - 1;
    const auto chain = chainOf(*recording, {ItemKind::operation, last});
    const auto lines = chainLines(*recording, chain);
    QVERIFY(chain.size() > 12);
    QVERIFY2(lines.size() >= 2 && lines.size() <= 12, qPrintable(QString::number(lines.size())));
    QCOMPARE(lines.front().number, std::size_t {1});
    QVERIFY(std::is_sorted(
        lines.begin(), lines.end(), [](const ChainLine& a, const ChainLine& b) { return a.number < b.number; }));
    QCOMPARE(std::count_if(lines.begin(), lines.end(), [](const ChainLine& line) { return line.times >= 3; }), 1);
    for (const ChainLine& line : lines) {
        QCOMPARE(line.entry.item, chain[line.number - 1].from);
        QVERIFY(!line.words.isEmpty() && !line.entry.name.isEmpty());
    }
    // What repeats twice is said twice.
    QCOMPARE(chainLines(*recording, {chain.begin(), chain.begin() + 2}).size(), std::size_t {2});
}

void tst_Card::everyEventHasACard()
{
    for (const char* name : {"data-loader.workers-2-pinned", "all-reduce.after-backward", "read-too-early.no-sync"}) {
        const OpenRecordingPtr recording = shipped(QLatin1String(name));
        for (const EventTable table : {EventTable::operations, EventTable::calls, EventTable::ranges,
                 EventTable::host_spans, EventTable::reads}) {
            for (Row row = 0; row < size_of(*recording->trace, table); row += 1 + row / 50) {
                const Card card = cardOf(*recording, {table, row});
                QVERIFY(!card.name.isEmpty() && !card.length.isEmpty() && !card.place.isEmpty());
                QVERIFY(card.facts.front().value.contains(QChar(0x2013)));
                for (const CardPart& part : card.parts) {
                    QVERIFY(!part.entries.empty());
                }
            }
        }
    }
    QVERIFY(cardOf(*shipped(QStringLiteral("copy-results-back.blocking")), {}).name.isEmpty());
}

void tst_Card::aDotLeadsToItsEvent()
{
    CardFigures figures;
    figures.dots = {{4, 0, 100}, {9, 500, 300}, {2, 1000, 200}};
    figures.count = 3;
    figures.least = 100;
    figures.median = 200;
    figures.most = 300;
    figures.span = {0, 1000};
    NameDots plot;
    plot.resize(240, 64);
    plot.show(figures, figures.dots[1], Qt::blue);
    QVERIFY(plot.isVisible());
    QSignalSpy chosen(&plot, &NameDots::chosen);
    for (const NameDot& dot : figures.dots) {
        const QPointF at = plot.placeOf(dot);
        QVERIFY(plot.rect().contains(at.toPoint()));
        QTest::mouseClick(&plot, Qt::LeftButton, {}, at.toPoint());
        QCOMPARE(chosen.takeFirst().front().value<Row>(), dot.row);
    }
    QVERIFY(plot.placeOf(figures.dots[1]).y() < plot.placeOf(figures.dots[2]).y());  // longer is higher
    const auto axis = plot.axisTexts();
    QCOMPARE(axis.size(), std::size_t {2});
    QCOMPARE(axis[0].text, QStringLiteral("300 ns"));
    QCOMPARE(axis[1].text, QStringLiteral("100 ns"));
    QVERIFY(std::abs(axis[0].box.center().y() - plot.placeOf(figures.dots[1]).y()) <= 3);
    QVERIFY(std::abs(axis[1].box.center().y() - plot.placeOf(figures.dots[0]).y()) <= 3);
    for (const NameDot& dot : figures.dots) {
        QVERIFY(plot.placeOf(dot).x() > axis[0].box.right() && plot.placeOf(dot).x() > axis[1].box.right());
    }
    QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(80, 10));  // beside all
    QVERIFY(chosen.isEmpty());
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(chosen.takeFirst().front().value<Row>(), Row {2});
    QTest::keyClick(&plot, Qt::Key_Left);
    QCOMPARE(chosen.takeFirst().front().value<Row>(), Row {4});
}

QTEST_MAIN(tst_Card)
#include "tst_card.moc"
