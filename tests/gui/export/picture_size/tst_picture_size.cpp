// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "gui/export/picture.h"
#include "gui/export/picture_size.h"
#include "gui/paint/drawn_texts.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QImage>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lanes;
using namespace lanes::gui;

namespace {

std::vector<ViewState> lesson(const QStringList& names = {"copy-results-back.blocking", "copy-results-back.overlapped"})
{
    std::vector<ViewState> views;
    for (const QString& name : names) {
        const QString file
            = qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings/h200/%1.sqlite").arg(name);
        views.push_back(ViewState::of(ShownRecording::of(open_recording(file.toStdString()))));
    }
    return views;
}

QStringList textsIn(const DrawnTexts& drawn)
{
    QStringList texts;
    for (const DrawnText& text : drawn.texts) {
        texts << text.text;
    }
    return texts;
}

}  // namespace

class tst_PictureSize : public QObject {
    Q_OBJECT

private slots:
    void given_data();
    void given();
    void paper_data();
    void paper();
    void pixelsStayPixels();
    void paperHasAPixelAtLeast();
    void smallestTextOfAPreset_data();
    void smallestTextOfAPreset();
    void aSlideHasAllLanes_data();
    void aSlideHasAllLanes();
    void gpuLanesGoLast();
    void columnOfTwoRecordingsIsLow();
    void aPartIsSaidToBeOne_data();
    void aPartIsSaidToBeOne();
    void names();
};

void tst_PictureSize::given_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    QTest::addColumn<bool>("paper");
    const auto row = [](const char* text, double width, double height, bool paper) {
        QTest::newRow(text) << text << width << height << paper;
    };
    row("1920x1080", 1920, 1080, false);
    row("1920x", 1920, 0, false);
    row("x600", 0, 600, false);
    row("800px", 800, 0, false);
    row("254mm", 720, 0, true);
    row("25.4cm", 720, 0, true);
    row("10in", 720, 0, true);
    row("240.5pt", 240.5, 0, true);
    row("10x5in", 720, 360, true);
    row("254mmx127mm", 720, 360, true);
    for (const char* wrong : {"", "x", "1920", "mm", "85", "85mmx60pt", "85 furlongs", "1.5x2", "-85mm", "85mmx60mmx5",
             "0mm", "0x0", "0x600", "1920x0", "85mmx0.000"}) {
        row(wrong, -1, -1, false);
    }
}

void tst_PictureSize::given()
{
    QFETCH(QString, text);
    QFETCH(double, width);
    QFETCH(double, height);
    QFETCH(bool, paper);
    const auto size = givenSize(text);
    QCOMPARE(size.has_value(), width >= 0);
    if (size) {
        QVERIFY(std::fabs(size->width - width) < 1e-6 && std::fabs(size->height - height) < 1e-6);
        QCOMPARE(size->onPaper, paper);
    }
}

void tst_PictureSize::paper_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("size");
    QTest::addColumn<int>("dpi");
    QTest::addColumn<QSize>("pixels");  // of the PNG; a height of 0: as the lanes need
    QTest::newRow("slide") << "slide"
                           << "" << 0 << QSize(1920, 1080);
    QTest::newRow("column") << "column"
                            << "" << 0 << QSize(1004, 0);
    QTest::newRow("page") << "page"
                          << "" << 600 << QSize(4016, 0);
    QTest::newRow("without a preset") << ""
                                      << "4in" << 100 << QSize(400, 0);
    QTest::newRow("preset, other size") << "column"
                                        << "4x3in" << 100 << QSize(400, 300);
}

void tst_PictureSize::paper()
{
    QFETCH(QString, preset);
    QFETCH(QString, size);
    QFETCH(int, dpi);
    QFETCH(QSize, pixels);
    PictureOptions options;
    setSize(options, presetNamed(preset), size.isEmpty() ? GivenSize {} : *givenSize(size), dpi);
    const QImage image = pictureImage({ViewState::of(samples::copyResultsBack({}))}, options);
    QCOMPARE(image.width(), pixels.width());
    if (pixels.height() > 0) {
        QVERIFY(std::abs(image.height() - pixels.height()) <= 1);
    }
    const double inches = image.width() / (image.dotsPerMeterX() * 0.0254);
    QVERIFY(std::fabs(inches * points_an_inch - options.size.width() * options.pointsPerPixel) < 0.5);
}

void tst_PictureSize::pixelsStayPixels()
{
    PictureOptions options;
    setSize(options, nullptr, *givenSize("1920x1080"), 0);
    QCOMPARE(options.size, QSize(1920, 1080));
    QCOMPARE(options.pointsPerPixel, 0.75);
    QCOMPARE(options.scale, 1.0);
}

/// 0 would mean a side that is left out, and an endless pixel.
void tst_PictureSize::paperHasAPixelAtLeast()
{
    PictureOptions options;
    setSize(options, nullptr, *givenSize("0.01x0.001mm"), 0);
    QCOMPARE(options.size, QSize(1, 1));
    QCOMPARE(options.pointsPerPixel, smallest_text_on_paper / smallest_text_pixels);
    QVERIFY(std::isfinite(options.scale));
}

void tst_PictureSize::smallestTextOfAPreset_data()
{
    QTest::addColumn<double>("points");
    QTest::newRow("slide") << 18.0;
    QTest::newRow("column") << 6.0;
}

/// Every text that is drawn is that large where the picture is read.
void tst_PictureSize::smallestTextOfAPreset()
{
    QFETCH(double, points);
    PictureOptions options;
    setSize(options, presetNamed(QLatin1String(QTest::currentDataTag())), {}, 0);
    const DrawnTexts drawn;
    pictureImage(lesson(), options);
    QVERIFY(drawn.texts.size() > 10);
    for (const DrawnText& text : drawn.texts) {
        const double size = text.pixels / options.scale * options.pointsPerPixel;
        QVERIFY2(size >= points - 0.01, qPrintable(QStringLiteral("%1: %2 pt").arg(text.text).arg(size)));
    }
}

void tst_PictureSize::columnOfTwoRecordingsIsLow()
{
    PictureOptions options;
    setSize(options, presetNamed("column"), {}, 0);
    const Picture picture = renderPicture(lesson(), PictureFormat::svg, options);
    const double mm = options.pointsPerPixel / points_an_inch * 25.4;
    QVERIFY2(picture.size.height() * mm < 62, qPrintable(QString::number(picture.size.height() * mm)));
    QCOMPARE(picture.hiddenLanes, 0);
    QVERIFY(picture.bytes.contains("width=\"85.00mm\""));
    // Nothing is left out: the verdicts are there in full.
    QVERIFY(picture.bytes.contains("waits cost "));
    QVERIFY(!picture.bytes.contains("\u2026"));
}

void tst_PictureSize::aSlideHasAllLanes_data()
{
    QTest::addColumn<QStringList>("recordings");
    QTest::addColumn<QStringList>("lanes");
    const auto row = [](const char* lesson, const char* a, const char* b, const QStringList& lanes) {
        QTest::newRow(lesson) << QStringList {QStringLiteral("%1.%2").arg(lesson, a),
            QStringLiteral("%1.%2").arg(lesson, b)}
                              << lanes;
    };
    row("data-loader", "workers-4-pinned", "prefetcher",
        {"CPU  main", "CPU  pin_memory", "CPU  worker.0", "CPU  worker.3", "compute", "upload"});
    row("default-stream", "legacy", "non-blocking", {"CPU  main"});
    row("events-across-streams", "device-sync", "event-wait", {"CPU  main"});
    row("all-reduce", "after-backward", "data-parallel", {"CPU  main"});
    row("stream-priority", "all-reduce-high-priority", "all-reduce-same-priority",
        {"CPU  main", QString::fromUtf8("GPU 0 · bulk")});
}

/// Eight lanes of each of two recordings: their names are beside them, and no text is smaller for that.
void tst_PictureSize::aSlideHasAllLanes()
{
    QFETCH(QStringList, recordings);
    QFETCH(QStringList, lanes);
    PictureOptions options;
    setSize(options, presetNamed("slide"), {}, 0);
    const auto views = lesson(recordings);
    QCOMPARE(renderPicture(views, PictureFormat::png, options).hiddenLanes, 0);
    const DrawnTexts drawn;
    pictureImage(views, options);
    const QStringList texts = textsIn(drawn);
    for (const QString& lane : lanes) {
        QVERIFY2(texts.contains(lane), qPrintable(lane + QStringLiteral(" in ") + texts.join(QLatin1Char('|'))));
    }
    for (const DrawnText& text : drawn.texts) {
        QVERIFY2(text.pixels / options.scale * options.pointsPerPixel >= 18 - 0.01, qPrintable(text.text));
    }
}

void tst_PictureSize::gpuLanesGoLast()
{
    PictureOptions options;
    options.density = LaneDensity::compact;
    options.size = {576, 250};
    const auto views = lesson({"data-loader.workers-4-pinned", "data-loader.prefetcher"});
    QVERIFY(renderPicture(views, PictureFormat::png, options).hiddenLanes > 4);
    const DrawnTexts drawn;
    pictureImage(views, options);
    const QStringList texts = textsIn(drawn);
    for (const char* lane : {"CPU  main", "compute", "upload"}) {
        QCOMPARE(texts.count(QLatin1String(lane)), 2);
    }
    QVERIFY(!texts.contains("CPU  worker.3"));
    QCOMPARE(texts.filter(QRegularExpression("^\\+\\d+ lanes$")).size(), 2);
}

void tst_PictureSize::aPartIsSaidToBeOne_data()
{
    QTest::addColumn<Ns>("end");  // of the range; 0: none
    QTest::addColumn<bool>("figures");
    QTest::addColumn<QStringList>("said");
    QTest::newRow("all") << Ns {0} << true << QStringList();
    QTest::newRow("the longer one is cut")
        << Ns {40'000'000} << true << QStringList {"shown, with percentages: 0 ms to 40.0 ms"};
    QTest::newRow("without figures") << Ns {40'000'000} << false << QStringList {"shown: 0 ms to 40.0 ms"};
    QTest::newRow("both are cut") << Ns {10'000'000} << true
                                  << QStringList {"shown, with percentages: 0 ms to 10.0 ms",
                                         "shown, with percentages: 0 ms to 10.0 ms"};
}

/// A run cut at the edge of the picture was drawn as if it ended there, as long as the one under it.
void tst_PictureSize::aPartIsSaidToBeOne()
{
    QFETCH(Ns, end);
    QFETCH(bool, figures);
    QFETCH(QStringList, said);
    PictureOptions options;
    setSize(options, presetNamed("column"), {}, 0);
    options.figures = figures;
    if (end > 0) {
        options.range = Interval {0, end};
    }
    const auto views = lesson({"copy-results-back.blocking", "copy-results-back.copy-alone"});
    const DrawnTexts drawn;
    const QImage image = pictureImage(views, options);
    QCOMPARE(textsIn(drawn).filter("shown"), said);
}

void tst_PictureSize::names()
{
    const auto views = lesson();
    const ShownRecording& a = views[0].model->recording();
    const ShownRecording& b = views[1].model->recording();
    QCOMPARE(pictureName({&a}), QStringLiteral("copy-results-back.blocking"));
    QCOMPARE(pictureName({&a, &b}), QStringLiteral("copy-results-back.blocking+overlapped"));
    auto odd = std::make_shared<ShownRecording>(*samples::everything());
    odd->title = "../a b/c";
    QVERIFY(!pictureName({odd.get()}).contains('/'));
    odd->title.clear();
    QVERIFY(!pictureName({odd.get()}).isEmpty());
}

QTEST_MAIN(tst_PictureSize)
#include "tst_picture_size.moc"
