// SPDX-License-Identifier: MIT
// The fit against a known truth: the calibration workloads run on model devices, and the fit to those recordings
// finds their constants again, starting from defaults that are all wrong.
#include "engine/calibrate/fit.h"
#include "engine/run/model/model_constants.h"
#include "engine/run/model/model_device_file.h"
#include "engine/run/model/run_model.h"
#include "engine/trace/trace_builder.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/resources.h"
#include "engine/workload/workload.h"

#include <QTest>
#include <set>

using namespace lanes;

namespace {

// No experiment determines these.
const std::set<std::string_view> not_measured {
    "gpus", "resident_grids", "branch", "inline_bytes", "fault_report_spread"};

ModelDevice h100()
{
    return load_model_device(resource("devices/h100.yaml").string());
}

/// Every constant is changed by a different factor, or by a step if it has steps.
ModelDevice other_device()
{
    auto device = h100();
    int k = 0;
    for (const auto& constant : model_constants()) {
        if (!not_measured.contains(constant.name) && constant.unit != ModelUnit::none) {
            set_value(device, constant, value_of(device, constant) * (0.7 + 0.13 * (k++ % 6)));
        }
    }
    device.multiprocessors = 96;
    device.copy_engines = 2;
    device.core_clock_khz = 1500000;
    device.blocks_per_multiprocessor = 6;
    device.blocks_to_saturate_memory = 150;
    device.h2d_duplex = 0.7;
    device.d2h_duplex = 0.9;
    device.launch_queue = 700;
    device.all_reduce_blocks = 20;
    device.staged_at_once = 64 * 1024;
    device.staging_chunk = 512 * 1024;
    return device;
}

/// Nothing as it is anywhere.
ModelDevice wrong_device()
{
    auto device = h100();
    for (const auto& constant : model_constants()) {
        if (!not_measured.contains(constant.name)) {
            set_value(device, constant, 3 * value_of(device, constant) + 5);
        }
    }
    return device;
}

std::vector<Trace> recordings(const ModelDevice& device)
{
    std::vector<Trace> traces;
    for (const auto& name : catalogue_names(resource("calibration"))) {
        const auto workload = load_workload(resource("calibration/" + name + ".yaml").string());
        auto variants = workload.variants;
        if (variants.empty()) {
            variants.emplace_back();
        }
        for (const auto& variant : variants) {
            TraceBuilder records;
            run_model(compile(workload, variant.name), device, records);
            traces.push_back(records.finish(Source::model));
        }
    }
    return traces;
}

}  // namespace

class tst_Fit : public QObject {
    Q_OBJECT

private slots:
    void findsTheDeviceAgain_data();
    void findsTheDeviceAgain();
    void whatIsMissingStaysDefault();
    void outliersDoNotMatter();
    void lineThroughOutliers();
};

void tst_Fit::findsTheDeviceAgain_data()
{
    QTest::addColumn<bool>("other");
    QTest::newRow("h100") << false;
    QTest::newRow("another") << true;
}

void tst_Fit::findsTheDeviceAgain()
{
    QFETCH(bool, other);
    const auto truth = other ? other_device() : h100();
    const auto traces = recordings(truth);
    const auto fit = fit_device(Experiments(traces), wrong_device());
    for (const auto& constant : model_constants()) {
        const double want = value_of(truth, constant);
        const double got = value_of(fit.device(), constant);
        const double tolerance = constant.unit == ModelUnit::time ? std::max(5.0, 0.005 * want) : 0.01 * want;
        QVERIFY2(std::abs(got - want) <= tolerance,
            qPrintable(QString("%1: %2, expected %3")
                           .arg(QString::fromUtf8(constant.name.data(), qsizetype(constant.name.size())),
                               QString::fromStdString(text_of(constant, got)),
                               QString::fromStdString(text_of(constant, want)))));
        QCOMPARE(fit.estimates().contains(constant.name), !not_measured.contains(constant.name));
    }
}

void tst_Fit::whatIsMissingStaysDefault()
{
    auto traces = recordings(h100());
    std::erase_if(traces, [](const Trace& trace) {
        return trace.devices.size() > 1;  // as a machine with one GPU has it
    });
    const auto defaults = wrong_device();
    const auto fit = fit_device(Experiments(traces), defaults);
    QCOMPARE(fit.device().p2p_bandwidth, defaults.p2p_bandwidth);
    QCOMPARE(fit.device().all_reduce_latency, defaults.all_reduce_latency);
    QVERIFY(!fit.estimates().contains("p2p_call"));
    QVERIFY(fit.device().h2d_bandwidth != defaults.h2d_bandwidth);

    const auto nothing = fit_device(Experiments({}), defaults);
    QVERIFY(nothing.estimates().empty());
    QCOMPARE(nothing.device().wake_up, defaults.wake_up);
}

void tst_Fit::outliersDoNotMatter()
{
    Fit fit(h100());
    fit.set("wake_up", {3000, 3100, 3050, 900'000, 2950}, "one interrupt");
    QCOMPARE(fit.device().wake_up, 3025);
    fit.set("kernel_gap", {1, 2}, "too few");
    fit.set("h2d_bandwidth", {-1, -1, -1}, "no rate");
    QCOMPARE(fit.device().kernel_gap, h100().kernel_gap);
    QCOMPARE(fit.device().h2d_bandwidth, h100().h2d_bandwidth);
    QCOMPARE(fit.estimates().size(), 1U);
}

void tst_Fit::lineThroughOutliers()
{
    std::vector<std::pair<double, double>> points;
    for (int x = 0; x < 20; ++x) {
        points.emplace_back(x, x % 5 == 0 ? 1e6 : 7 + 3.0 * x);
    }
    const auto line = robust_line(points);
    QCOMPARE(line.slope, 3.0);
    QCOMPARE(line.intercept, 7.0);
}

QTEST_GUILESS_MAIN(tst_Fit)
#include "tst_fit.moc"
