// SPDX-License-Identifier: MIT
#include "gui/export/picture.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QImage>
#include <QProcess>
#include <QSet>
#include <QSvgRenderer>
#include <QPainter>
#include <QTest>
#include <QXmlStreamReader>

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
    void modelSaysSo();
    void themesDiffer();
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
    const auto of = [&](Ns kernel) { return render({ViewState::of(samples::copyResultsBack({.kernel = kernel}))}, static_cast<PictureFormat>(format)); };
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
    options.range = TimeSpan{10'000'000, 20'000'000};
    const auto texts = textsOf(render(both(), PictureFormat::svg, options));
    QVERIFY(texts.contains("10.0 ms") && texts.contains("15.0 ms"));
    QVERIFY(!texts.contains("5.0 ms") && !texts.contains("25.0 ms"));
    QVERIFY(texts.contains("overview"));
}

void tst_Picture::svgHasTextAndNoClip()
{
    const auto svg = render(both(), PictureFormat::svg);
    const auto texts = textsOf(svg);
    for (const char* expected : {"compute", "copy", "D2H 64 MiB", "mm_0", "CPU  main thread", "overlap", "model device, not measured", "copy-results-back"}) {
        QVERIFY2(texts.contains(QLatin1String(expected)), expected);
    }
    QVERIFY(!svg.contains("clip-path") && !svg.contains("<clipPath") && !svg.contains("<image") && !svg.contains("<pattern"));
    QVERIFY(svg.contains("font-family=\"Inter\""));
}

void tst_Picture::svgLooksLikeThePng()
{
    PictureOptions options;
    options.size = {1000, 560};
    const QImage png = QImage::fromData(render(both(), PictureFormat::png, options)).convertToFormat(QImage::Format_RGB32);
    QSvgRenderer renderer(render(both(), PictureFormat::svg, options));
    QImage svg(png.size(), QImage::Format_RGB32);
    svg.fill(Qt::white);
    QPainter painter(&svg);
    renderer.render(&painter);
    painter.end();
    // Edges are smoothed in the one and lie on pixels in the other; areas must agree.
    int different = 0;
    for (int y = 0; y < png.height(); ++y) {
        for (int x = 0; x < png.width(); ++x) {
            const QColor a(png.pixel(x, y));
            const QColor b(svg.pixel(x, y));
            different += std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) > 120 ? 1 : 0;
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
        return textsOf(render({ViewState::of(samples::copyResultsBack({.source = source}))}, PictureFormat::svg)).contains("model device, not measured");
    };
    QVERIFY(says(Source::model));
    QVERIFY(!says(Source::cupti));
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

void tst_Picture::tooLargeIsRefused()
{
    PictureOptions options;
    options.size = {20000, 3000};
    options.scale = 4;
    QVERIFY_EXCEPTION_THROWN(render(both(), PictureFormat::png, options), std::runtime_error);
    QVERIFY_EXCEPTION_THROWN(render({}, PictureFormat::png), std::runtime_error);
}

void tst_Picture::endings()
{
    QCOMPARE(*pictureFormatOf("a/b.PNG"), PictureFormat::png);
    QCOMPARE(*pictureFormatOf("b.svg"), PictureFormat::svg);
    QCOMPARE(*pictureFormatOf("x.y.pdf"), PictureFormat::pdf);
    QVERIFY(!pictureFormatOf("picture"));
    QVERIFY(!pictureFormatOf("picture.jpg"));
}

QTEST_MAIN(tst_Picture)
#include "tst_picture.moc"
