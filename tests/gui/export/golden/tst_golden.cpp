// SPDX-License-Identifier: MIT
// Pictures of the workloads' recordings from an H100, and of those that need two GPUs from two H200s,
// against those in pictures/. LANES_UPDATE_GOLDENS=1 writes them anew; look at them before you keep them.
#include "engine/store/recording_file.h"
#include "gui/export/picture.h"
#include "tests/effort.h"
#include "tests/gui/export/golden/golden_compare.h"

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QTest>

#include <map>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr int width = 720;  // small enough for a repository, wide enough for every kind of label
constexpr int smallest_png = 0;

struct Subject {
    const char* name;
    QStringList variants;  // of the workload
    bool everyTheme;  // and 2x; the others light, 1x
    std::optional<Interval> range = {};
    TimeAxis axis = TimeAxis::ruler;
    bool selection = false;
    const char* machine = "h200";
    const char* suffix = "";
};

const std::vector<Subject>& subjects()
{
    static const std::vector<Subject> all {
        {"copy-results-back", {"blocking", "overlapped"}, true},
        {"default-stream", {"legacy", "per-thread"}, true},
        {"item-every-batch", {"every", "never"}, true},
        {"pageable-or-pinned", {"pageable-blocking", "pinned-non-blocking"}, true},
        {"two-streams", {"two-small", "two-full"}, true},
        {"cpu-work-while-copying", {"blocking", "pinned-async"}, true},
        {"read-too-early", {"no-sync", "event-sync"}, true},
        {"data-loader", {"workers-0-pageable", "workers-4-pinned"}, true},
        {"run-ahead", {"light", "queue-full"}, true},
        {"loop-on-gpu-value", {"fixed-count", "value-dependent"}, true},
        {"events-across-streams", {"stream-sync", "event-wait"}, true},
        {"copies-both-ways", {"one-stream", "three-streams"}, true},
        {"cuda-graph", {"launches", "graph"}, true},
        {"allocate-in-the-loop", {"malloc", "pool"}, true},
        {.name = "two-gpus", .variants = {"both-with-sync", "both"}, .everyTheme = true},
        {.name = "all-reduce", .variants = {"after-backward", "in-buckets"}, .everyTheme = true},
        {"default-stream", {"non-blocking"}, false},
        {"item-every-batch", {"every-10", "every-100"}, false},
        {"pageable-or-pinned", {"pageable-non-blocking", "pinned-blocking"}, false},
        {"two-streams", {"one-small", "one-full"}, false},
        {"copy-results-back", {"overlapped"}, false, Interval {3'900'000, 9'100'000}, TimeAxis::bar, true},
        {.name = "pageable-or-pinned",
            .variants = {"pageable-blocking"},
            .everyTheme = true,
            .range = Interval {0, 600'000},
            .suffix = "-zoomed"},
        {.name = "copy-results-back",
            .variants = {"blocking"},
            .everyTheme = false,
            .range = Interval {2'000'000, 6'700'000},
            .suffix = "-zoomed"},
    };
    return all;
}

ViewState viewOf(const char* machine, const QString& workload, const QString& variant)
{
    static std::map<QString, ViewState> opened;
    const QString name = workload + QLatin1Char('.') + variant;
    auto found = opened.find(name);
    if (found == opened.end()) {
        const QString path = qEnvironmentVariable("LANES_SOURCE")
            + QStringLiteral("/resources/recordings/%1/%2.sqlite").arg(QLatin1String(machine), name);
        auto shown = std::make_shared<ShownRecording>(
            *ShownRecording::of(open_recording(path.toStdString()), name.toStdString()));
        found = opened.emplace(name, ViewState::of(shown)).first;
    }
    return found->second;
}

/// The third copy, with its arrows.
void select(ViewState& view)
{
    const Trace& trace = view.model->trace();
    int copies = 0;
    for (Row row = 0; row < trace.operations.start.size(); ++row) {
        copies += trace.operations.kind[row] == OperationKind::d2h ? 1 : 0;
        if (copies == 3) {
            view.highlights.selected = {ItemKind::operation, row};
            view.highlights.chains = false;
            return;
        }
    }
}

QByteArray smallest(const QByteArray& png)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImage::fromData(png, "PNG").save(&buffer, "PNG", smallest_png);
    return bytes;
}

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size(), qPrintable(path));
}

}  // namespace

class tst_Golden : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void picture_data();
    void picture();
    void changedPixels_data();
    void changedPixels();
    void oneByteFails();
    void oneColumnFurtherFails();

private:
    static QString folder()
    {
        return qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/tests/gui/export/golden/pictures/");
    }
    static QByteArray render(const Subject& subject, PictureFormat format, PictureOptions options = {})
    {
        std::vector<ViewState> views;
        for (const QString& variant : subject.variants) {
            views.push_back(viewOf(subject.machine, QLatin1String(subject.name), variant));
        }
        if (subject.selection) {
            select(views.front());
        }
        options.size = {width, 0};
        options.range = subject.range;
        options.axis = subject.axis;
        return renderPicture(views, format, options).bytes;
    }
};

void tst_Golden::initTestCase()
{
    QVERIFY2(QFile::exists(folder()), "LANES_SOURCE names no source tree");
}

void tst_Golden::picture_data()
{
    QTest::addColumn<int>("subject");
    QTest::addColumn<QString>("theme");
    QTest::addColumn<int>("scale");
    QTest::addColumn<QString>("file");
    int pictures = 0;
    for (std::size_t i = 0; i < subjects().size(); ++i) {
        const Subject& subject = subjects()[i];
        for (const QString& theme : Theme::names()) {
            if (!subject.everyTheme && theme != QLatin1String("light")) {
                continue;
            }
            const auto row = [&](int scale, const char* ending) {
                const QString file = QStringLiteral("%1.%2.%3%4")
                                         .arg(QLatin1String(subject.name),
                                             subject.variants.join(QLatin1Char('+'))
                                                 + (subject.selection ? QStringLiteral("-selected") : QString())
                                                 + QLatin1String(subject.suffix),
                                             theme, QLatin1String(ending));
                if (pictures++ % one_trial_in == 0) {
                    QTest::newRow(qPrintable(file)) << static_cast<int>(i) << theme << scale << file;
                }
            };
            row(1, ".png");
            row(1, ".svg");
            if (subject.everyTheme) {
                row(2, ".2x.png");
            }
        }
    }
}

void tst_Golden::picture()
{
    QFETCH(int, subject);
    QFETCH(QString, theme);
    QFETCH(int, scale);
    QFETCH(QString, file);
    PictureOptions options;
    options.theme = theme;
    options.scale = scale;
    const PictureFormat format = *pictureFormatOf(file);
    const QByteArray made = render(subjects()[static_cast<std::size_t>(subject)], format, options);
    const QByteArray kept = read(folder() + file);
    const GoldenDifference difference = compareGolden(kept, made, roundingOfThisQt());
    if (difference.text.isEmpty()) {
        return;
    }
    if (qEnvironmentVariableIntValue("LANES_UPDATE_GOLDENS") != 0) {
        write(folder() + file, format == PictureFormat::png ? smallest(made) : made);
        return;
    }
    const QString failed = qEnvironmentVariable("LANES_BUILD", QDir::tempPath()) + QStringLiteral("/golden/");
    QVERIFY(QDir().mkpath(failed));
    write(failed + file, made);
    if (!difference.picture.isEmpty()) {
        write(failed + QStringLiteral("difference-") + file, difference.picture);
    }
    QFAIL(qPrintable(QStringLiteral("%1\nmade: %2\nif it shall be so: LANES_UPDATE_GOLDENS=1 ctest -R golden")
                         .arg(difference.text, failed + file)));
}

void tst_Golden::changedPixels_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("rounding");
    QTest::addColumn<bool>("fails");
    const int none = int(GoldenRounding::none);
    const int another = int(GoldenRounding::ofAnotherQt);
    QTest::newRow("none") << 0 << 0 << none << false;
    QTest::newRow("one") << 1 << 1 << none << true;
    QTest::newRow("another Qt: one by a step") << 1 << 1 << another << false;
    QTest::newRow("another Qt: one by two steps") << 1 << 2 << another << true;
    QTest::newRow("another Qt: a hundred by a step") << 100 << 1 << another << true;
}

void tst_Golden::changedPixels()
{
    QFETCH(int, count);
    QFETCH(int, steps);
    QFETCH(int, rounding);
    QFETCH(bool, fails);
    const QByteArray made = render(subjects()[0], PictureFormat::png);
    QImage image = QImage::fromData(made, "PNG").convertToFormat(QImage::Format_RGB32);
    for (int x = 300; x < 300 + count; ++x) {
        const QRgb pixel = image.pixel(x, 200);
        const int green = qGreen(pixel) + (qGreen(pixel) < 128 ? steps : -steps);
        image.setPixel(x, 200, qRgb(qRed(pixel), green, qBlue(pixel)));
    }
    QByteArray changed;
    QBuffer buffer(&changed);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    const GoldenDifference difference = compareGolden(made, changed, static_cast<GoldenRounding>(rounding));
    QCOMPARE(!difference.text.isEmpty(), fails);
    if (fails) {
        QVERIFY2(difference.text.startsWith(QStringLiteral("%1 pixels, the first at 300,200").arg(count)),
            qPrintable(difference.text));
        const QImage shown = QImage::fromData(difference.picture);
        QCOMPARE(shown.pixel(300, 200), qRgb(220, 0, 0));
        QVERIFY(shown.pixel(300 + count, 200) != qRgb(220, 0, 0));
    }
}

void tst_Golden::oneByteFails()
{
    const QByteArray made = render(subjects()[0], PictureFormat::svg);
    QByteArray changed = made;
    const qsizetype at = changed.lastIndexOf("<path d=\"M") + 10;
    changed[at] = changed[at] == '1' ? '2' : '1';
    QVERIFY(!compareGolden(made, changed, GoldenRounding::ofAnotherQt).text.isEmpty());
    QVERIFY(compareGolden(made, made, GoldenRounding::none).text.isEmpty());
}

/// A picture drawn a column further right is noticed.
void tst_Golden::oneColumnFurtherFails()
{
    Subject subject = subjects()[0];
    subject.range = Interval {0, 50'000'000};
    const QByteArray made = render(subject, PictureFormat::png);
    subject.range = Interval {90'000, 50'090'000};
    QVERIFY(!compareGolden(made, render(subject, PictureFormat::png), GoldenRounding::ofAnotherQt).text.isEmpty());
}

QTEST_MAIN(tst_Golden)
#include "tst_golden.moc"
