// SPDX-License-Identifier: MIT
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "gui/export/pdf_stamps.h"
#include "gui/export/picture.h"
#include "gui/export/picture_footer.h"
#include "gui/export/printed_page.h"
#include "gui/paint/font_family.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <iterator>
#include <QBuffer>
#include <QFile>
#include <QFontInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSet>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <ctime>

using namespace lanes;
using namespace lanes::gui;

namespace {

std::vector<ViewState> both()
{
    return {ViewState::of(samples::copyResultsBack({})),
        ViewState::of(samples::copyResultsBack({.copy = 1'180'000, .blocking = false, .source = Source::model}))};
}

QByteArray render(const std::vector<ViewState>& views, PictureFormat format, const PictureOptions& options = {})
{
    return renderPicture(views, format, options).bytes;
}

}  // namespace

class tst_Picture : public QObject {
    Q_OBJECT

private slots:
    void sameInputSameBytes_data() { formats(); }
    void sameInputSameBytes();
    void differentRecordingsDiffer_data() { formats(); }
    void differentRecordingsDiffer();
    void sizeAndScale();
    void heightFollowsTheLanes();
    void rangeIsShown();
    void svgHasTextAndNoClip();
    void svgLooksLikeThePng();
    void pdfHasNoTimeOfItsOwn();
    void everyDateOfAPdfIsTheRecordings();
    void pdfOffsetsAreRight();
    void partsAreSwitchedAlone_data();
    void partsAreSwitchedAlone();
    void viewStateIsShown();
    void aScrolledViewIsCutBetweenLanes();
    void aRangeHidesNoLane();
    void tooLowSaysWhatIsMissing();
    void printMarksBarsAndLegendAlike();
    void printsOnPaper();
    void printIsReadableInGrey();
    void hostFontsAreNotTaken();
    void brokenFontsComeBack();
    void modelSaysSo();
    void saysWhereItsFiguresAreDoubtful();
    void themesDiffer();
    void aCollectiveIsPaleUntilItsLastKernelBegins();
    void tooLargeIsRefused();
    void endings();

private:
    static void formats()
    {
        QTest::addColumn<int>("format");
        QTest::newRow("png") << int(PictureFormat::png);
        QTest::newRow("svg") << int(PictureFormat::svg);
        QTest::newRow("pdf") << int(PictureFormat::pdf);
    }
    static QStringList textsOf(const QByteArray& svg)
    {
        QXmlStreamReader reader(svg);
        QStringList texts;
        while (!reader.atEnd()) {
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text")) {
                texts << reader.readElementText().trimmed();
            }
        }
        return texts;
    }
};

void tst_Picture::sameInputSameBytes()
{
    QFETCH(int, format);
    const auto first = render(both(), static_cast<PictureFormat>(format));
    QTest::qWait(1100);  // a time stamp in whole seconds would show
    QCOMPARE(render(both(), static_cast<PictureFormat>(format)), first);
    QVERIFY(first.size() > 5000);
}

void tst_Picture::differentRecordingsDiffer()
{
    QFETCH(int, format);
    const auto of = [&](Ns kernel) {
        return render(
            {ViewState::of(samples::copyResultsBack({.kernel = kernel}))}, static_cast<PictureFormat>(format));
    };
    QVERIFY(of(2'000'000) != of(2'200'000));
}

void tst_Picture::sizeAndScale()
{
    PictureOptions options;
    options.size = {900, 500};
    for (const double scale : {1.0, 1.5, 2.0}) {
        options.scale = scale;
        const QImage image = QImage::fromData(render(both(), PictureFormat::png, options));
        QCOMPARE(image.size(), QSize(900, 500) * scale);
    }
    QSvgRenderer svg(render(both(), PictureFormat::svg, options));
    QVERIFY(svg.isValid());
    QCOMPARE(svg.viewBox().size(), QSize(900, 500));
}

void tst_Picture::heightFollowsTheLanes()
{
    const auto heightOf = [](const std::vector<ViewState>& views) {
        return QImage::fromData(render(views, PictureFormat::png)).height();
    };
    const int one = heightOf({both()[0]});
    QVERIFY(heightOf(both()) > one + 150);
    QVERIFY(heightOf({ViewState::of(samples::everything())}) > one + 150);
}

void tst_Picture::rangeIsShown()
{
    PictureOptions options;
    options.range = Interval {10'000'000, 20'000'000};
    const auto texts = textsOf(render(both(), PictureFormat::svg, options));
    QVERIFY(texts.contains("10.0 ms") && texts.contains("15.0 ms"));
    QVERIFY(!texts.contains("5.0 ms") && !texts.contains("25.0 ms"));
    QVERIFY(texts.contains("overview"));
}

void tst_Picture::svgHasTextAndNoClip()
{
    const auto svg = render(both(), PictureFormat::svg);
    const auto texts = textsOf(svg);
    for (const char* expected : {"compute", "copy", "D2H 64 MiB", "mm_0", "CPU  main thread", "overlap",
             "model device, not measured", "copy-results-back"}) {
        QVERIFY2(texts.contains(QLatin1String(expected)), expected);
    }
    QVERIFY(!svg.contains("clip-path") && !svg.contains("<clipPath") && !svg.contains("<image")
        && !svg.contains("<pattern"));
    QVERIFY(svg.contains("font-family=\"Inter\""));
}

void tst_Picture::svgLooksLikeThePng()
{
    PictureOptions options;
    options.size = {1000, 560};
    const QImage png
        = QImage::fromData(render(both(), PictureFormat::png, options)).convertToFormat(QImage::Format_RGB32);
    QSvgRenderer renderer(render(both(), PictureFormat::svg, options));
    QImage svg(png.size(), QImage::Format_RGB32);
    svg.fill(Qt::white);
    QPainter painter(&svg);
    renderer.render(&painter);
    painter.end();
    // Edges are smoothed in the one and on whole pixels in the other; areas must agree.
    int different = 0;
    for (int y = 0; y < png.height(); ++y) {
        for (int x = 0; x < png.width(); ++x) {
            const QColor a(png.pixel(x, y));
            const QColor b(svg.pixel(x, y));
            different
                += std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) > 120
                ? 1
                : 0;
        }
    }
    QVERIFY2(different < png.width() * png.height() * 4 / 100, qPrintable(QString::number(different)));
}

void tst_Picture::pdfHasNoTimeOfItsOwn()
{
    const auto pdf = render(both(), PictureFormat::pdf);
    QVERIFY(pdf.startsWith("%PDF"));
    QVERIFY(pdf.contains("/CreationDate (D:20261121100000"));
    QVERIFY(!pdf.contains("/Subtype /Image"));
}

void tst_Picture::modelSaysSo()
{
    const auto says = [](Source source) {
        return textsOf(render({ViewState::of(samples::copyResultsBack({.source = source}))}, PictureFormat::svg))
            .contains("model device, not measured");
    };
    QVERIFY(says(Source::model));
    QVERIFY(!says(Source::cupti));
}

void tst_Picture::saysWhereItsFiguresAreDoubtful()
{
    const auto texts = [](Source source, bool complete) {
        const QTemporaryDir folder;
        const auto file = folder.filePath("a.sqlite").toStdString();
        save_recording(*samples::copyResultsBack({})->trace, file);
        Trace trace = open_recording(file);
        trace.source = source;
        if (!complete) {
            trace.meta[meta::complete] = "no";
        }
        const auto recording = ShownRecording::of(std::move(trace));
        return textsOf(render({ViewState::of(recording)}, PictureFormat::svg)).join(QLatin1Char('\n'));
    };
    const auto cut = texts(Source::cupti, false);
    QVERIFY2(cut.contains("cut short at"), qPrintable(cut));
    QVERIFY2(cut.contains("what followed is unknown"), qPrintable(cut));
    const auto whole = texts(Source::cupti, true);
    QVERIFY2(!whole.contains("cut short") && !whole.contains("unknown"), qPrintable(whole));
    const auto unknown = texts(Source::unknown, true);
    QVERIFY2(unknown.contains("measured or computed: unknown"), qPrintable(unknown));
    QVERIFY2(!unknown.contains("recorded with CUPTI"), qPrintable(unknown));
}

void tst_Picture::themesDiffer()
{
    QSet<QByteArray> pictures;
    for (const QString& theme : Theme::names()) {
        PictureOptions options;
        options.theme = theme;
        pictures.insert(render(both(), PictureFormat::png, options));
    }
    QCOMPARE(pictures.size(), 3);
}

void tst_Picture::aCollectiveIsPaleUntilItsLastKernelBegins()
{
    const auto path = qEnvironmentVariable("LANES_SOURCE").toStdString()
        + "/resources/recordings/h200/all-reduce.after-backward.sqlite";
    const Theme& theme = Theme::named(QStringLiteral("light"));
    const QRgb pale = blend(theme.background, theme.item(ItemRole::communication), 0.2).rgb();
    auto recording = std::make_shared<ShownRecording>(*ShownRecording::of(open_recording(path)));
    // One that began before its partner on the other GPU.
    const OperationTable& operations = recording->trace->operations;
    Interval range {0, 0};
    for (Row row = 0; row < operations.size(); ++row) {
        const Row last = recording->graph->partner_of(row);
        const Ns late = last == no_row ? 0 : operations.start[last] - operations.start[row];
        range = late > range.end - range.start ? Interval {operations.start[row], operations.start[last]} : range;
    }
    QVERIFY(range.end > range.start);
    range = {range.start - (range.end - range.start), range.end + (range.end - range.start)};
    const auto palePixels = [&] {
        PictureOptions options;
        options.range = range;
        const QImage image = pictureImage({ViewState::of(recording)}, options);
        int found = 0;
        for (int y = 0; y < image.height(); ++y) {
            const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
            found += static_cast<int>(std::count(line, line + image.width(), pale));
        }
        return found;
    };
    QVERIFY(palePixels() > 100);
    // Its text lies on the pale part as on any other bar: no plate of the solid part's colour under it.
    const Interval wider = std::exchange(
        range, {range.start + (range.end - range.start) * 4 / 10, range.start + (range.end - range.start) * 6 / 10});
    PictureOptions narrow;
    narrow.range = range;
    const QImage image = pictureImage({ViewState::of(recording)}, narrow);
    const auto& shades = theme.items[static_cast<std::size_t>(ItemRole::communication)];
    int plates = 0, ink = 0;
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        const auto* first = std::find(line, line + image.width(), pale);
        const auto* last
            = std::find(std::make_reverse_iterator(line + image.width()), std::make_reverse_iterator(first), pale)
                  .base();
        for (const auto* at = first; at < last; ++at) {
            plates += std::any_of(shades.begin(), shades.end(), [&](const QColor& of) { return of.rgb() == *at; });
            ink += qGray(*at) < 80;
        }
    }
    QCOMPARE(plates, 0);
    QVERIFY(ink > 20);
    range = wider;
    recording->graph.reset();
    QCOMPARE(palePixels(), 0);
}

void tst_Picture::tooLargeIsRefused()
{
    PictureOptions options;
    options.size = {20000, 3000};
    options.scale = 4;
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, render(both(), PictureFormat::png, options));
    options.size = {30000, 30000};
    options.scale = 1;
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, render(both(), PictureFormat::png, options));
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, render({}, PictureFormat::png));
}

void tst_Picture::endings()
{
    QCOMPARE(*pictureFormatOf("a/b.PNG"), PictureFormat::png);
    QCOMPARE(*pictureFormatOf("b.svg"), PictureFormat::svg);
    QCOMPARE(*pictureFormatOf("x.y.pdf"), PictureFormat::pdf);
    QVERIFY(!pictureFormatOf("picture"));
    QVERIFY(!pictureFormatOf("picture.jpg"));
}

void tst_Picture::everyDateOfAPdfIsTheRecordings()
{
    // Qt 6.8 writes both, earlier ones the first alone; the length is that of the local zone.
    QByteArray pdf
        = "%PDF-1.4\n1 0 obj\n<<\n/CreationDate (D:20260101000000+01'00')\n/ModDate (D:20260101000000Z)\n>>\nendobj\n"
          "2 0 obj\n<<>>\nendobj\n<rdf:Description xmp:CreateDate=\"2026-01-01T00:00:00+05:45\" "
          "xmp:ModifyDate=\"2026-01-01T00:00:00+05:45\" xmp:MetadataDate=\"2026-01-01T00:00:00+05:45\"/>\n";
    const auto offset = [](qsizetype at) { return QByteArray::number(at).rightJustified(10, '0'); };
    const qsizetype table = pdf.size();
    pdf += "xref\n0 3\n0000000000 65535 f \n" + offset(pdf.indexOf("1 0 obj")) + " 00000 n \n"
        + offset(pdf.indexOf("2 0 obj")) + " 00000 n \ntrailer\n<<>>\nstartxref\n" + QByteArray::number(table)
        + "\n%%EOF\n";
    const QByteArray stamped = withCreationDate(pdf, "2026-11-21T10:00:00Z");
    QVERIFY(stamped.contains("/CreationDate (D:20261121100000Z)\n/ModDate (D:20261121100000Z)\n"));
    for (const char* key : {"xmp:CreateDate", "xmp:ModifyDate", "xmp:MetadataDate"}) {
        QVERIFY2(stamped.contains(QByteArray(key) + "=\"2026-11-21T10:00:00+00:00\""), key);
    }
    const qsizetype moved = stamped.indexOf("\nxref\n") + 1;
    QVERIFY(stamped.contains("startxref\n" + QByteArray::number(moved) + "\n"));
    QVERIFY(stamped.contains(
        "\n" + offset(stamped.indexOf("1 0 obj")) + " 00000 n \n" + offset(stamped.indexOf("2 0 obj")) + " 00000 n "));
}

void tst_Picture::pdfOffsetsAreRight()
{
    // Local time with and without an offset has another length in QPdfWriter's stamp.
    QByteArray first;
    for (const char* zone : {"UTC", "Asia/Kathmandu", "America/New_York"}) {
        qputenv("TZ", zone);
        tzset();
        const auto pdf = render(both(), PictureFormat::pdf);
        first = first.isEmpty() ? pdf : first;
        QVERIFY2(pdf == first, zone);
    }
    qunsetenv("TZ");
    tzset();
    const qsizetype table = first.lastIndexOf("\nxref\n") + 1;
    QCOMPARE(first.mid(first.lastIndexOf("startxref") + 10).split('\n').front().trimmed().toLongLong(), table);
    const QList<QByteArray> lines = first.mid(table).split('\n');
    const qsizetype count = lines[1].split(' ')[1].toLongLong();
    QVERIFY(count > 10);
    for (qsizetype i = 1; i < count; ++i) {
        const qsizetype at = lines[2 + i].left(10).toLongLong();
        QVERIFY2(first.mid(at).startsWith(QByteArray::number(i) + " 0 obj"), lines[2 + i].constData());
    }
}

void tst_Picture::partsAreSwitchedAlone_data()
{
    QTest::addColumn<int>("part");
    QTest::addColumn<QString>("text");  // that goes with it
    QTest::newRow("title") << 0 << "copy-results-back";
    QTest::newRow("heads") << 1 << "% busy";
    QTest::newRow("legend") << 2 << "copy D2H";
    QTest::newRow("source") << 3 << "A: NVIDIA H100 80GB HBM3, recorded with CUPTI";
    QTest::newRow("overview") << 4 << "overview";
    QTest::newRow("differences") << 5 << "In view, A 10.0 ms, B 8.42 ms";
    QTest::newRow("ruler") << 6 << "15.0 ms";
}

void tst_Picture::partsAreSwitchedAlone()
{
    QFETCH(int, part);
    QFETCH(QString, text);
    PictureOptions options;
    options.range = Interval {10'000'000, 20'000'000};
    const auto all = textsOf(render(both(), PictureFormat::svg, options));
    bool* const switches[] {
        &options.showTitle, &options.heads, &options.legend, &options.source, &options.overview, &options.differences};
    if (part < 6) {
        *switches[part] = false;
    } else {
        options.axis = TimeAxis::bar;
    }
    auto without = textsOf(render(both(), PictureFormat::svg, options));
    QVERIFY2(part == 1 ? all.filter("% busy").size() == 2 : all.contains(text), qPrintable(all.mid(60).join("|")));
    QVERIFY(part == 1 ? without.filter("% busy").isEmpty() : !without.contains(text));
    const qsizetype missing = all.size() - without.size();
    QVERIFY2(missing > 0 && missing < 40, qPrintable(without.join("|")));
    if (part == 6) {
        QVERIFY(without.contains(QString::fromUtf8("500 \xC2\xB5s")));  // the bar's
        options.axis = TimeAxis::none;
        QVERIFY(!textsOf(render(both(), PictureFormat::svg, options)).contains(QString::fromUtf8("500 \xC2\xB5s")));
    }
}

void tst_Picture::viewStateIsShown()
{
    auto views = both();
    const auto plain = render(views, PictureFormat::svg);
    ViewState& view = views[0];
    view.highlights.selected = {ItemKind::operation, 5};
    view.highlights.range = Interval {10'000'000, 20'000'000};
    const auto selected = render(views, PictureFormat::svg);
    QVERIFY(selected != plain);
    const QString figures = rangeLinesOf(*view.model, *view.highlights.range).front().mid(1);  // "Δ" is of another font
    QVERIFY(figures.contains(QStringLiteral("10.0 ms")));
    QVERIFY(textsOf(plain).filter(figures).isEmpty());
    QCOMPARE(textsOf(selected).filter(figures).size(), 1);
    PictureOptions options;
    options.selection = false;
    QVERIFY(render(views, PictureFormat::svg, options) == plain);
    options.selection = true;
    options.range = view.highlights.range;
    QVERIFY(textsOf(render(views, PictureFormat::svg, options)).filter(figures).isEmpty());  // all that is shown

    view.highlights = {};
    QVERIFY(textsOf(plain).count("GPU 0") == 2);
    for (const Lane& lane : view.model->lanes()) {
        if (lane.key.kind == LaneKind::gpu) {
            view.arrangement.hide(lane.key);
        }
    }
    QCOMPARE(textsOf(render(views, PictureFormat::svg)).count("GPU 0"), 1);

    view.arrangement.reset();
    view.height = 120;
    view.scroll = 30;
    const QImage scrolled = QImage::fromData(render({view}, PictureFormat::png));
    view.scroll = 0;
    const QImage top = QImage::fromData(render({view}, PictureFormat::png));
    QVERIFY(scrolled != top);
    QVERIFY(QImage::fromData(render({both()[0]}, PictureFormat::png)).height() > top.height() + 50);
}

/// Whatever the height of the view: its picture is as high as the lanes that it shows whole.
void tst_Picture::aScrolledViewIsCutBetweenLanes()
{
    ViewState view = both()[0];
    const auto& lanes = view.model->lanes();
    PictureOptions options;
    options.legend = options.source = options.showTitle = false;
    constexpr int head = FrameGeometry::title_height + FrameGeometry::ruler_height;
    QSet<int> heights;
    for (int room = 60; room < LaneLayout::tightestHeight(lanes, view.arranged()); room += 3) {
        const LaneLayout seen(lanes, view.arranged(), room);
        QSet<int> edges;
        for (const PlacedLane& lane : seen.lanes()) {
            edges.insert(lane.y + lane.height);
        }
        edges.insert(seen.height());
        view.height = head + room;
        const Picture picture = renderPicture({view}, PictureFormat::svg, options);
        int height = picture.size.height() - head;
        // The foot alone says how many lanes are left out.
        QStringList said;
        if (picture.hiddenLanes > 0) {
            said += picture.hiddenLanes == 1 ? QStringLiteral("1 more lane is not visible")
                                             : QStringLiteral("%1 more lanes are not visible").arg(picture.hiddenLanes);
            LabelPainter labels;
            height -= PictureFooter({{}, {}, said, LaneDensity::roomy}, picture.size.width(), labels).height();
        }
        QCOMPARE(textsOf(picture.bytes).filter(QStringLiteral(" more lane")), said);
        QVERIFY(textsOf(picture.bytes).filter(QStringLiteral("+")).filter(QStringLiteral("lane")).isEmpty());
        const bool isWhole = height == seen.height() && edges.contains(height);
        QCOMPARE(picture.hiddenLanes == 0, isWhole);
        QVERIFY2(edges.contains(height), qPrintable(QString::number(height)));
        heights.insert(height);
    }
    QVERIFY(heights.size() > 1);
}

/// Where it would hide the last lane it is beside the title, with as many figures as have room there.
void tst_Picture::aRangeHidesNoLane()
{
    ViewState view = both()[0];
    view.highlights.range = Interval {10'000'000, 12'000'000};
    const QString all = rangeLinesOf(*view.model, *view.highlights.range)
                            .join(QStringLiteral(" \u00B7 "))
                            .mid(1);  // "Δ" is of another font
    const QString length = all.section(QChar(0xB7), 0, 0).trimmed();
    const auto written = [&](int width) {
        PictureOptions options;
        options.size.setWidth(width);
        const QStringList texts = textsOf(render({view}, PictureFormat::svg, options)).filter(length);
        return texts.size() == 1 ? texts.front() : QString();
    };
    QVERIFY2(written(1400).startsWith(all), qPrintable(written(1400)));
    view.height = 120;
    qsizetype before = 0;
    for (const int width : {900, 1050, 1400}) {
        const QString beside = written(width);
        QVERIFY2(!beside.isEmpty() && all.startsWith(beside), qPrintable(beside));
        QVERIFY(beside.size() > before);
        before = beside.size();
    }
}

void tst_Picture::tooLowSaysWhatIsMissing()
{
    PictureOptions options;
    options.size = {1000, 240};
    const Picture low = renderPicture({ViewState::of(samples::everything())}, PictureFormat::svg, options);
    QVERIFY(low.hiddenLanes > 2);
    QCOMPARE(textsOf(low.bytes).count(QStringLiteral("+%1 lanes").arg(low.hiddenLanes)), 1);
    QVERIFY(textsOf(low.bytes).filter("Increase").isEmpty());  // which the picture's readers cannot do
    options.size.setHeight(0);
    const Picture high = renderPicture({ViewState::of(samples::everything())}, PictureFormat::svg, options);
    QCOMPARE(high.hiddenLanes, 0);
    QVERIFY(textsOf(high.bytes).filter(" lanes").isEmpty());
}

/// In the print theme copies have arrows, on their bars and in the legend; if the bars are too narrow, nowhere.
void tst_Picture::printMarksBarsAndLegendAlike()
{
    const auto arrows = [](int width, const QString& theme, bool legend) {
        PictureOptions options;
        options.size = {width, 0};
        options.theme = theme;
        options.legend = legend;
        options.selection = false;
        const QByteArray svg = render({both().front()}, PictureFormat::svg, options);
        static const QRegularExpression triangle(QStringLiteral("<(polygon|path)[^>]*(points|d)=\"([^\"]*)\""));
        int found = 0;
        for (auto all = triangle.globalMatch(QString::fromUtf8(svg)); all.hasNext();) {
            const QString shape = all.next().captured(3);
            static const QRegularExpression number(QStringLiteral("-?[0-9.]+"));
            QList<double> at;
            for (auto numbers = number.globalMatch(shape); numbers.hasNext();) {
                at += numbers.next().captured().toDouble();
            }
            const bool three = at.size() >= 6 && at.size() <= 8;
            found += three && std::abs(std::abs(at[2] - at[0]) - 6) < 0.01
                && std::abs(std::abs(at[5] - at[1]) - 5) < 0.01;
        }
        return found;
    };
    constexpr int copies = 8;
    QCOMPARE(arrows(1600, QStringLiteral("print"), false), copies);
    QCOMPARE(arrows(1600, QStringLiteral("print"), true), copies + 1);
    QCOMPARE(arrows(1600, QStringLiteral("light"), true), 0);
    QCOMPARE(arrows(80, QStringLiteral("print"), true), 0);
}

/// On one page with its handout if there is room, else on separate pages.
void tst_Picture::printsOnPaper()
{
    const auto pages = [](const std::vector<ViewState>& views, const Handout& handout) {
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QPdfWriter writer(&buffer);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageOrientation(QPageLayout::Landscape);
        printPicture(writer, views, {}, handout);
        return std::pair(buffer.data().count("/Type /Page\n"), buffer.data().size());
    };
    const auto [alone, bytes] = pages({both().front()}, {});
    QCOMPARE(alone, 1);
    const auto [together, more] = pages({both().front()}, {{{"Why", "Because <it> is so."}}, "x = y & z"});
    QCOMPARE(together, 1);
    QVERIFY(more > bytes);
    const QString code = QStringLiteral("a line of the code\n").repeated(150);
    QVERIFY(pages({both().front()}, {{}, code}).first >= 3);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, pages({}, {}));
}

void tst_Picture::printIsReadableInGrey()
{
    const Theme& theme = Theme::named("print");
    const auto luma
        = [](const QColor& c) { return (299 * c.red() + 587 * c.green() + 114 * c.blue()) / 1000; };  // Rec. 601
    const auto grey = [&](ItemRole role) { return luma(theme.item(role)); };
    for (const auto& [dark, light] : {std::pair(ItemRole::kernel, ItemRole::d2h),
             std::pair(ItemRole::d2h, ItemRole::h2d), std::pair(ItemRole::communication, ItemRole::kernel),
             std::pair(ItemRole::overlap3, ItemRole::overlap2), std::pair(ItemRole::overlap2, ItemRole::overlap1)}) {
        QVERIFY2(grey(light) - grey(dark) > 35, qPrintable(QStringLiteral("%1 %2").arg(grey(dark)).arg(grey(light))));
    }
    QVERIFY(luma(theme.background) - grey(ItemRole::h2d) > 25);
    // Waits are hatched: stripes and their ground differ more than any two kinds, and the slope tells what costs.
    const Theme::Hatch& held = *theme.hatch(ItemRole::held);
    const Theme::Hatch& free = *theme.hatch(ItemRole::freeWait);
    QVERIFY(luma(held.ground) - luma(held.line) > 120);
    QVERIFY(luma(free.ground) - luma(free.line) > 80);
    QVERIFY(held.falls != free.falls && held.width > 1.5 * free.width);
}

void tst_Picture::hostFontsAreNotTaken()
{
    const QFont font = bundledFont(12);
    QCOMPARE(font.family(), QString::fromLatin1(bundled_family));
    QCOMPARE(QFontInfo(font).family(), QString::fromLatin1(bundled_family));
    QVERIFY(!render(both(), PictureFormat::svg).contains(QByteArray("font-family=\"") + bundled_family));
    QVERIFY(render(both(), PictureFormat::pdf).contains("+Inter-"));
}

void tst_Picture::brokenFontsComeBack()
{
    QFile file(qEnvironmentVariable("LANES_SOURCE") + "/resources/font/Inter-Regular.otf");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray font = file.readAll();
    const QByteArray renamed = withFontFamily(font, "Inter", "Other");
    QCOMPARE(renamed.size(), font.size());
    QVERIFY(renamed != font);
    QCOMPARE(withFontFamily(renamed, "Other", "Inter"), font);
    for (qsizetype size = 0; size < 1200; size += 7) {
        QCOMPARE(withFontFamily(font.left(size), "Inter", "Other").size(), size);
    }
    QCOMPARE(withFontFamily("no font", "Inter", "Other"), QByteArray("no font"));
}

QTEST_MAIN(tst_Picture)
#include "tst_picture.moc"
