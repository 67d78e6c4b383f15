// SPDX-License-Identifier: MIT
// The Record dialog beside a GPU: a CUDA program recorded from the window as a user does, its lanes as they grow, the
// figures of the strip against what the program does, and nothing missing at the end.
#include "engine/store/recording_file.h"
#include "gui/app/record/live_recording.h"
#include "gui/app/record/monitor_strip.h"
#include "gui/app/record/record_dialog.h"
#include "gui/timeline/comparison_view.h"
#include "tests/engine/run/cuda/lanes_program.h"
#include "tests/gui/app/window_case.h"

#include <algorithm>
#include <QAction>
#include <QDir>
#include <QFile>
#include <QLineEdit>

using namespace lanes;
using namespace lanes::gui;

class tst_LiveGpu : public WindowCase {
    Q_OBJECT

private slots:
    void initTestCase();
    void aProgramIsRecordedFromTheDialog();

private:
    /// Kept for a later look if LANES_KEEP names a folder.
    static void keep(MainWindow& window, const char* name);
};

void tst_LiveGpu::initTestCase()
{
    prepare();
    qputenv("LANES_PROGRAM", QFile::encodeName(program()));
    if (!this_machine().can_record || this_machine().gpus == 0) {
        QSKIP("no GPU that can be recorded here");
    }
}

void tst_LiveGpu::keep(MainWindow& window, const char* name)
{
    if (const auto folder = qEnvironmentVariable("LANES_KEEP"); !folder.isEmpty()) {
        QDir().mkpath(folder);
        window.grab().save(folder + QStringLiteral("/%1.png").arg(QLatin1String(name)));
    }
}

void tst_LiveGpu::aProgramIsRecordedFromTheDialog()
{
    startAfresh();
    const auto window = this->window();
    const QString counted = m_folder.filePath(QStringLiteral("rounds.txt"));
    window->action("run.record")->trigger();
    auto* dialog = window->findChild<RecordDialog*>();
    QVERIFY(dialog);
    dialog->findChild<QLineEdit*>(QStringLiteral("recordCommand"))
        ->setText(QStringLiteral("%1/tests/gpu_program 6 %2").arg(qEnvironmentVariable("LANES_BUILD"), counted));
    dialog->findChild<QLineEdit*>(QStringLiteral("recordFolder"))->setText(m_folder.path());
    auto* start = dialog->findChild<QPushButton*>(QStringLiteral("recordStart"));
    QVERIFY(start->isEnabled());
    start->click();

    auto& recorder = *window->findChild<LiveRecording*>();
    auto& strip = *window->findChild<MonitorStrip*>();
    const auto shown = [&] {
        const OpenRecordingPtr recording = window->workspace().at(0);
        return recording ? recording->trace->operations.size() : std::size_t {0};
    };
    QTRY_VERIFY(shown() > 0);
    std::vector<std::size_t> sizes;
    int busy = 0, blocked = 0;
    const auto percent = [&](int tile) {
        return strip.findChildren<FigureTile*>()[tile]->value().section(QLatin1Char(' '), 0, 0).toInt();
    };
    while (recorder.isRunning() && sizes.size() < 12) {
        QTest::qWait(300);
        sizes.push_back(shown());
        if (sizes.size() == 8) {
            busy = percent(0);
            blocked = percent(2);
            keep(*window, "live");
        }
    }
    QVERIFY2(std::is_sorted(sizes.begin(), sizes.end()) && sizes.back() > sizes.front() + 100,
        qPrintable(QStringLiteral("from %1 to %2 operations").arg(sizes.front()).arg(sizes.back())));
    // The thread waits for a kernel and a copy, one after the other: both are near 100 %.
    QVERIFY2(busy >= 80 && blocked >= 80, qPrintable(QStringLiteral("busy %1 %, blocked %2 %").arg(busy).arg(blocked)));

    QTRY_VERIFY(!recorder.isRunning() && !window->isBusy());
    keep(*window, "whole");
    QFile file(counted);
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(strip.state() + strip.output()));
    const auto rounds = file.readAll().trimmed().toULongLong();
    const Trace whole = open_recording(window->workspace().at(0)->path.toStdString());
    const auto& kinds = whole.operations.kind;
    QCOMPARE(
        static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), OperationKind::kernel)), std::size_t {rounds});
    QCOMPARE(whole.operations.size(), 2 * rounds);
    QVERIFY(window->action("run.record-keep")->isEnabled());
    qInfo("%zu operations at the first look, %zu at the last, %zu in the end; busy %d %%, blocked %d %%", sizes.front(),
        sizes.back(), whole.operations.size(), busy, blocked);
}

QTEST_MAIN(tst_LiveGpu)
#include "tst_live_gpu.moc"
