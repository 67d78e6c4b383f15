// SPDX-License-Identifier: MIT
// Curves of counters, compared with every sample, and the places of their lanes.
#include "engine/trace/trace_builder.h"
#include "gui/lanes/lane_arrangement.h"
#include "gui/lanes/lane_layout.h"

#include <bit>
#include <QTest>
#include <random>

using namespace lanes;
using namespace lanes::gui;

namespace {

CounterRecord sample(TraceBuilder& builder, Ns time, double value, const char* name, std::uint32_t process,
    std::uint32_t device, CounterRecord::Unit unit = CounterRecord::none)
{
    return {time, std::bit_cast<std::uint64_t>(value), process, device, builder.intern(name), unit};
}

}  // namespace

class tst_CounterCurve : public QObject {
    Q_OBJECT

private slots:
    void agreesWithEverySample_data();
    void agreesWithEverySample();
    void lanesStandWithWhatTheyAreOf();
};

void tst_CounterCurve::agreesWithEverySample_data()
{
    QTest::addColumn<int>("samples");
    for (const int samples : {1, 2, 15, 16, 17, 33, 256, 257, 5000}) {
        QTest::addRow("%d samples", samples) << samples;
    }
}

void tst_CounterCurve::agreesWithEverySample()
{
    QFETCH(int, samples);
    std::mt19937 random(static_cast<unsigned>(samples));
    TraceBuilder builder;
    builder.keep_times_and_devices(0);
    for (int i = 0; i < samples; ++i) {
        builder.write(sample(builder, 100 + static_cast<Ns>(random() % (3 * static_cast<unsigned>(samples))),
            static_cast<double>(random() % 2001) - 1000, "x", 1, no_id));
    }
    const Trace trace = builder.finish(Source::chrome);
    QCOMPARE(trace.counters.size(), std::size_t {1});
    const Ns until = trace.duration + 50;
    const CounterCurve curve(trace, 0, until);
    const auto& times = trace.samples.time;
    const auto& numbers = trace.samples.value;
    // The values in [start, end), at the start and at each sample.
    const auto expected = [&](Ns start, Ns end) {
        std::optional<CounterCurve::Values> values;
        for (std::size_t i = 0; i < times.size(); ++i) {
            const Ns gone = i + 1 < times.size() ? times[i + 1] : until;  // where the next one takes over
            if (start < until && times[i] < end && (gone > start || (gone == times[i] && times[i] > start))) {
                values = values
                    ? CounterCurve::Values {std::min(values->least, numbers[i]), std::max(values->most, numbers[i])}
                    : CounterCurve::Values {numbers[i], numbers[i]};
            }
        }
        return values;
    };
    for (int i = 0; i < 400; ++i) {
        const Ns start = static_cast<Ns>(random() % static_cast<unsigned>(until + 20));
        const Ns end = start + 1 + static_cast<Ns>(random() % (i % 2 == 0 ? 5 : static_cast<unsigned>(until)));
        const auto found = curve.in(start, end);
        const auto wanted = expected(start, end);
        QVERIFY2(found == wanted, qPrintable(QString("[%1, %2)").arg(start).arg(end)));
        const auto at = curve.at(start);
        const auto only = expected(start, start + 1);
        QCOMPARE(at.has_value(), only.has_value());
        QVERIFY(!at || (*at >= only->least && *at <= only->most));
    }
    QVERIFY(!curve.at(times.front() - 1));
    QCOMPARE(*curve.at(until - 1), numbers.back());
    QVERIFY(!curve.at(until));
}

void tst_CounterCurve::lanesStandWithWhatTheyAreOf()
{
    TraceBuilder builder;
    constexpr std::uint32_t threads[] = {11, 21};
    for (const auto process : {1U, 2U}) {
        const auto thread = threads[process - 1];
        builder.write(ApiCallRecord {
            0, 10, process, thread, process, builder.intern("cudaLaunchKernel"), ApiCallRecord::runtime, 0});
        KernelRecord kernel {};
        kernel.start = 10;
        kernel.end = 90;
        kernel.process = process;
        kernel.context = 1;
        kernel.stream = 7;
        kernel.correlation = process;
        builder.write(kernel);
        builder.write(sample(builder, 5, 512, "used", process, 0, CounterRecord::bytes));
        builder.write(sample(builder, 50, 4096, "used", process, 0, CounterRecord::bytes));
    }
    builder.write(sample(builder, 20, 3, "queue", 2, no_id));
    builder.write(sample(builder, 20, 3, "queue", 3, no_id));  // of a process that does nothing else
    const LaneModel model(ShownRecording::of(builder.finish(Source::chrome)));
    QStringList found;
    static constexpr const char* kinds[]
        = {"overlap", "thread", "gpu", "stream", "engine", "process", "counter", "others", "time"};
    static_assert(std::size(kinds) == laneKindCount);
    for (std::size_t lane = 0; lane < model.lanes().size(); ++lane) {
        const Lane& of = model.lanes()[lane];
        const auto head = headOf(model.lanes(), lane);
        found << QString::fromLatin1(kinds[static_cast<std::size_t>(of.key.kind)])
                + (head ? QString(" of %1").arg(*head) : QString());
        QCOMPARE(of.curve != nullptr, of.key.kind == LaneKind::counter);
    }
    QCOMPARE(found.join(", "),
        QString(
            "overlap, gpu, stream of 1, time of 1, counter of 1, gpu, stream of 5, time of 5, counter of 5, thread, "
            "process, thread of 10, counter of 10, counter"));
    const ArrangedLanes all = LaneArrangement().arrange(model.lanes());
    const LaneLayout layout(model.lanes(), all, 900);
    QCOMPARE(layout.lanes().size(), all.lanes.size());
    for (const PlacedLane& placed : layout.lanes()) {
        const bool curve = model.lanes()[placed.lane].curve != nullptr;
        QCOMPARE(placed.curveHeight > 0, curve || model.lanes()[placed.lane].key.kind == LaneKind::gpuTime);
        QVERIFY(!curve || (placed.curveY > placed.y && placed.curveY + placed.curveHeight < placed.y + placed.height));
    }
    LaneArrangement folded;
    folded.setCollapsed(model.lanes()[5].key, true);
    QCOMPARE(folded.arrange(model.lanes()).lanes.size(), all.lanes.size() - 3);  // its stream, its time, its counter
}

QTEST_APPLESS_MAIN(tst_CounterCurve)
#include "tst_counter_curve.moc"
