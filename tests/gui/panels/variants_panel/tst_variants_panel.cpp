// SPDX-License-Identifier: MIT
// The table of variants, if recordings are the medians of several runs: how far the runs differ is shown and said.
#include "engine/trace/meta_keys.h"
#include "gui/panels/variants_panel.h"
#include "tests/gui/panels/model_recording.h"

#include <QImage>
#include <QLabel>
#include <QTest>
#include <QTreeWidget>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr int total_column = 3;

/// A recording of `variant` whose runs took `percent` of its time each; none: one run.
OpenRecordingPtr recordingOf(const std::string& variant, const std::vector<Ns>& percent)
{
    const Ns wall = modelRecording(variant)->report->wall;
    std::string totals;
    for (const Ns of_it : percent) {
        totals += (totals.empty() ? "" : " ") + std::to_string(wall / 100 * of_it);
    }
    const Program program = compile(*smallWorkload(), variant, {});
    TraceBuilder builder;
    const auto device = qEnvironmentVariable("LANES_SOURCE").toStdString() + "/resources/devices/h100.yaml";
    write_model_outcome(run_model(program, load_model_device(device), builder), builder);
    if (!totals.empty()) {
        builder.write_meta(meta::repeat_totals_ns, totals);
    }
    return analysed(builder.finish(Source::cupti), QString());
}

}  // namespace

class tst_VariantsPanel : public QObject {
    Q_OBJECT

private slots:
    void saysHowFarRunsDiffer_data();
    void saysHowFarRunsDiffer();
};

void tst_VariantsPanel::saysHowFarRunsDiffer_data()
{
    QTest::addColumn<std::vector<Ns>>("percent");
    QTest::addColumn<bool>("said");
    QTest::newRow("one run") << std::vector<Ns> {} << false;
    QTest::newRow("alike") << std::vector<Ns> {99, 100, 102} << false;
    QTest::newRow("apart") << std::vector<Ns> {80, 100, 125} << true;
}

void tst_VariantsPanel::saysHowFarRunsDiffer()
{
    QFETCH(std::vector<Ns>, percent);
    QFETCH(bool, said);
    VariantsPanel panel(new QLabel);
    panel.resize(1200, 200);
    panel.show();
    const auto picture = [&](const OpenRecordingPtr& first) {
        panel.present(smallWorkload(),
            {{"blocking", VariantOutcome::State::done, {}, recordingOf("blocking", {70, 100, 130})},
                {"overlapped", VariantOutcome::State::done, {}, first}},
            QStringLiteral("a GPU"));
        const QTreeWidget* table = panel.table();
        const QRect cell = table->visualRect(table->model()->index(1, total_column));
        return panel.table()->viewport()->grab(cell).toImage();
    };
    const auto one = picture(recordingOf("overlapped", {}));
    const auto recording = recordingOf("overlapped", percent);
    const auto several = picture(recording);
    QCOMPARE(several != one, said);
    const auto tip = panel.table()->topLevelItem(1)->toolTip(total_column);
    QCOMPARE(!tip.isEmpty(), said);
    QCOMPARE(QString::fromStdString(recording->note).contains(QStringLiteral("median of 3 runs")), said);
    if (said) {
        QVERIFY2(tip.contains(QStringLiteral("3 runs")), qPrintable(tip));
    }
    if (const auto folder = qEnvironmentVariable("LANES_KEEP"); !folder.isEmpty()) {
        panel.grab().save(folder + '/' + QLatin1String(QTest::currentDataTag()) + QStringLiteral(".png"));
    }
}

QTEST_MAIN(tst_VariantsPanel)
#include "tst_variants_panel.moc"
