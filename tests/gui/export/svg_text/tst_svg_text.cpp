// SPDX-License-Identifier: MIT
// SVG files hold their texts as text, as outlines, or as glyphs with invisible text over them; all look the same.
#include "gui/export/picture.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSet>
#include <QSvgRenderer>
#include <QTest>
#include <QXmlStreamReader>

using namespace lanes;
using namespace lanes::gui;

namespace {

QByteArray svgWith(SvgText kind, double scale = 1)
{
    PictureOptions options;
    options.svgText = kind;
    options.size = {900, 0};
    options.scale = scale;
    return renderPicture({ViewState::of(samples::copyResultsBack({}))}, PictureFormat::svg, options).bytes;
}

QImage drawn(const QByteArray& svg)
{
    QSvgRenderer renderer(svg);
    QImage image(renderer.viewBox().size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

/// Of 255, over all pixels.
double difference(const QImage& a, const QImage& b)
{
    double sum = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            sum += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
        }
    }
    return sum / a.width() / a.height();
}

QSet<QByteArray> all(const QByteArray& svg, const char* pattern)
{
    QSet<QByteArray> found;
    auto matches = QRegularExpression(QLatin1String(pattern)).globalMatch(QString::fromUtf8(svg));
    while (matches.hasNext()) {
        found.insert(matches.next().captured(1).toUtf8());
    }
    return found;
}

}  // namespace

class tst_SvgText : public QObject {
    Q_OBJECT

private slots:
    void outlinesHaveNoText();
    void glyphsAreThereOnce();
    void sameInputSameBytes();
    void looksTheSame();
    void noTextIsDrawnThrough_data();
    void noTextIsDrawnThrough();
};

void tst_SvgText::outlinesHaveNoText()
{
    const QByteArray svg = svgWith(SvgText::outlines);
    QVERIFY(!svg.contains("<text") && !svg.contains("font-family=\"Inter") && !svg.contains("<use"));
    QVERIFY(svgWith(SvgText::text).contains("<text"));
}

void tst_SvgText::glyphsAreThereOnce()
{
    const QByteArray svg = svgWith(SvgText::embedded);
    const auto used = all(svg, "href=\"#([^\"]+)\"");
    QVERIFY(used.size() > 20);
    QCOMPARE(all(svg, "<path id=\"([^\"]+)\""), used);
    QCOMPARE(svg.count("<path id="), used.size());
    QVERIFY(!all(svg, "<text fill=\"([^\"]+)\"").isEmpty());
    QCOMPARE(all(svg, "<text fill=\"([^\"]+)\""), QSet<QByteArray> {"none"});
    QVERIFY(svg.contains(">compute</text>"));
}

void tst_SvgText::sameInputSameBytes()
{
    QCOMPARE(svgWith(SvgText::embedded), svgWith(SvgText::embedded));
    QCOMPARE(svgWith(SvgText::outlines), svgWith(SvgText::outlines));
}

void tst_SvgText::looksTheSame()
{
    const QImage glyphs = drawn(svgWith(SvgText::embedded));
    const QImage outlines = drawn(svgWith(SvgText::outlines));
    QVERIFY2(difference(glyphs, outlines) < 0.2, qPrintable(QString::number(difference(glyphs, outlines))));
    PictureOptions options;
    options.size = {900, 0};
    const QImage png = pictureImage({ViewState::of(samples::copyResultsBack({}))}, options);
    QVERIFY2(difference(glyphs, png) < 4, qPrintable(QString::number(difference(glyphs, png))));
}

void tst_SvgText::noTextIsDrawnThrough_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("text") << int(SvgText::text);
    QTest::newRow("outlines") << int(SvgText::outlines);
    QTest::newRow("embedded") << int(SvgText::embedded);
}

/// Transparent things, tints and highlights, hold no text.
void tst_SvgText::noTextIsDrawnThrough()
{
    QFETCH(int, kind);
    QXmlStreamReader reader(svgWith(static_cast<SvgText>(kind)));
    QList<bool> through;  // of the elements around
    int texts = 0;
    while (!reader.atEnd()) {
        const auto token = reader.readNext();
        if (token == QXmlStreamReader::EndElement) {
            through.removeLast();
        } else if (token == QXmlStreamReader::StartElement) {
            const QString opacity = reader.attributes().value(QLatin1String("fill-opacity")).toString();
            const bool own = opacity.isEmpty() ? !through.isEmpty() && through.last() : opacity.toDouble() < 1;
            through.append(own);
            const bool text = reader.name() == QLatin1String("text") || reader.name() == QLatin1String("use")
                || (reader.name() == QLatin1String("path")
                    && reader.attributes().value(QLatin1String("stroke")) == QLatin1String("none"));
            texts += text ? 1 : 0;
            QVERIFY2(!text || !own, qPrintable(QStringLiteral("line %1").arg(reader.lineNumber())));
        }
    }
    QVERIFY(texts > 10);
}

QTEST_MAIN(tst_SvgText)
#include "tst_svg_text.moc"
