// SPDX-License-Identifier: MIT
// "Run on this GPU" in the What-if panel, beside a GPU: the rewritten variant runs there and is shown under the
// recording, and its time is shown beside the predicted one.
#include "engine/store/recording_file.h"
#include "gui/app/run/device_choice.h"
#include "gui/panels/what_if/what_if_panel.h"
#include "gui/session/what_ifs.h"
#include "tests/engine/run/cuda/lanes_program.h"
#include "tests/gui/app/window_case.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QTreeWidget>

using namespace lanes;
using namespace lanes::gui;
using replay::ChangeKind;

class tst_PredictionsGpu : public WindowCase {
    Q_OBJECT

private slots:
    void initTestCase();
    void thePredictionIsCheckedOnThisGpu();
};

void tst_PredictionsGpu::initTestCase()
{
    prepare();
    qputenv("LANES_PROGRAM", QFile::encodeName(program()));
    if (!this_machine().can_record || this_machine().gpus == 0) {
        QSKIP("no GPU that can be recorded here");
    }
}

void tst_PredictionsGpu::thePredictionIsCheckedOnThisGpu()
{
    startAfresh();
    // Recorded here, alone in its folder, so that no recording of the other variant is beside it.
    const QString file = m_folder.filePath(QStringLiteral("recorded.sqlite"));
    QCOMPARE(QProcess::execute(program(),
                 {QStringLiteral("run"), QStringLiteral("copy-results-back"), QStringLiteral("--variant"),
                     QStringLiteral("blocking"), QStringLiteral("--device"), QStringLiteral("cuda"),
                     QStringLiteral("-o"), file}),
        0);
    const auto window = this->window();
    window->openFiles({file});
    QTRY_COMPARE(window->workspace().count(), 1);
    auto& whatIfs = *window->workspace().findChild<WhatIfs*>();
    QTRY_VERIFY(whatIfs.priced() != nullptr && !window->isBusy());
    QTRY_VERIFY(window->findChild<DeviceChoice*>()->gpu().has_value());
    whatIfs.setTicked({{ChangeKind::pin}, {ChangeKind::non_blocking}});
    window->action("go.what-if")->trigger();
    auto& panel = *window->findChild<WhatIfPanel*>();
    panel.table()->setCurrentItem(panel.table()->topLevelItem(1));
    auto* run = window->findChild<QPushButton*>(QStringLiteral("whatIfToMeasured"));
    QTRY_VERIFY(run->isVisible());
    QVERIFY2(run->text().contains(QStringLiteral("on this GPU")), qPrintable(run->text()));
    run->click();
    QTRY_VERIFY(!window->isBusy() && window->workspace().count() == 2);
    const OpenRecordingPtr real = window->workspace().at(1);
    QCOMPARE(real->run.variant, std::string("overlapped"));
    QCOMPARE(real->trace->source, Source::cupti);
    const auto said = window->findChild<QLabel*>(QStringLiteral("whatIfMeasured"))->text();
    QVERIFY2(said.contains(QStringLiteral("predicted")), qPrintable(said));
    const auto& together = *whatIfs.together();
    qInfo("predicted %.3f ms (%.3f to %.3f), took %.3f ms", static_cast<double>(together.total) / 1e6,
        static_cast<double>(together.low) / 1e6, static_cast<double>(together.high) / 1e6,
        static_cast<double>(real->report->wall) / 1e6);
    if (const auto folder = qEnvironmentVariable("LANES_KEEP"); !folder.isEmpty()) {
        QDir().mkpath(folder);
        window->grab().save(folder + QStringLiteral("/predicted-and-run.png"));
    }
    QVERIFY(together.low <= real->report->wall && real->report->wall <= together.high);
}

QTEST_MAIN(tst_PredictionsGpu)
#include "tst_predictions_gpu.moc"
