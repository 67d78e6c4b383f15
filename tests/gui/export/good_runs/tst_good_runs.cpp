// SPDX-License-Identifier: MIT
// Vermilion means time that is lost. No picture of a shipped recording without a held wait has a pixel of it, among
// them all good variants of the lessons; every recording with held waits has it in its lanes. Which have is not asked
// of the engine: tests/engine/analysis/graph/wait_costs.txt was written by another program.
#include "engine/store/recording_file.h"
#include "gui/export/picture.h"
#include "gui/export/picture_size.h"

#include <QFile>
#include <QImage>
#include <QTest>

#include <algorithm>

using namespace lanes;
using namespace lanes::gui;

namespace {

/// What a lesson recommends. Its other variants may have free waits alone, too.
constexpr const char* good_variants[] {"all-reduce.in-buckets", "allocate-in-the-loop.pool",
    "copies-both-ways.three-streams", "copy-results-back.overlapped", "cpu-work-while-copying.pinned-async",
    "cuda-graph.graph", "data-loader.prefetcher", "data-loader.workers-4-pinned", "default-stream.non-blocking",
    "default-stream.per-thread", "events-across-streams.event-wait", "hidden-syncs.where", "item-every-batch.never",
    "launch-blocking.normal", "loop-on-gpu-value.fixed-count", "offload.own-stream", "overwritten-source.two-buffers",
    "pageable-or-pinned.pinned-non-blocking", "prefetcher.own-stream", "read-too-early.event-sync",
    "record-stream.record-stream", "run-ahead.heavy", "stream-priority.high-priority", "timing-mistakes.sync-both",
    "two-gpus.both", "two-streams.two-small"};

QString sourcePath(const char* path)
{
    return qEnvironmentVariable("LANES_SOURCE") + QLatin1String(path);
}

QImage drawn(const QString& recording, const QString& theme)
{
    PictureOptions options;
    options.theme = theme;
    setSize(options, nullptr, *givenSize(QStringLiteral("1600x900")), 0);
    const auto file = sourcePath("/resources/recordings/") + recording + QStringLiteral(".sqlite");
    return pictureImage({ViewState::of(ShownRecording::of(open_recording(file.toStdString())))}, options);
}

/// Pixels in what the theme paints lost time with.
int vermilionOf(const QImage& image, const Theme& theme)
{
    const QRgb colors[] {theme.item(ItemRole::held).rgb(), theme.hatch(ItemRole::held)->ground.rgb(),
        theme.pillBlocking.rgb(), theme.pillBlockingText.rgb()};
    int found = 0;
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        found += static_cast<int>(std::count_if(line, line + image.width(),
            [&](QRgb pixel) { return std::find(std::begin(colors), std::end(colors), pixel) != std::end(colors); }));
    }
    return found;
}

}  // namespace

class tst_GoodRuns : public QObject {
    Q_OBJECT
private slots:
    void vermilionIsLostTime_data();
    void vermilionIsLostTime();
    void goodVariantsLoseNone();

private:
    QStringList m_free;
};

void tst_GoodRuns::vermilionIsLostTime_data()
{
    QTest::addColumn<QString>("recording");
    QTest::addColumn<double>("held");  // ms
    QFile table(sourcePath("/tests/engine/analysis/graph/wait_costs.txt"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    while (!table.atEnd()) {
        const QStringList cells = QString::fromUtf8(table.readLine()).split(QStringLiteral(" | "));
        if (cells.size() == 4 && !cells[0].startsWith(QLatin1Char('#'))) {
            QTest::addRow("%s", qPrintable(cells[0])) << cells[0] << cells[2].toDouble();
        }
    }
}

void tst_GoodRuns::vermilionIsLostTime()
{
    QFETCH(QString, recording);
    QFETCH(double, held);
    const QString theme = Theme::names()[static_cast<qsizetype>(qHash(recording) % 2)];  // that of print is not its own
    const int found = vermilionOf(drawn(recording, theme), Theme::named(theme));
    QVERIFY2(held > 0 ? found > 0 : found == 0, qPrintable(QString::number(found)));
    if (held == 0) {
        m_free += recording.section(QLatin1Char('/'), 1);
    }
}

void tst_GoodRuns::goodVariantsLoseNone()
{
    for (const char* variant : good_variants) {
        QVERIFY2(m_free.contains(QLatin1String(variant)), variant);
    }
}

QTEST_MAIN(tst_GoodRuns)
#include "tst_good_runs.moc"
