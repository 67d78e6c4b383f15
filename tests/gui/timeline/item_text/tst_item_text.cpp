// SPDX-License-Identifier: MIT
// Labels of everything in every shipped recording, at 40 widths. The recordings hold 48,000 items but a hundred or so
// different lists of labels: each list is made for every item and drawn once a width, so that the test is cheap enough
// for the sanitizers, too.
#include "engine/store/recording_file.h"
#include "gui/timeline/item_text.h"
#include "gui/timeline/label_painter.h"
#include "gui/timeline/printable_text.h"

#include <QDir>
#include <QSet>
#include <QTest>

using namespace lanes;
using namespace lanes::gui;

namespace {

constexpr LabelPainter::Style style{12, TextStyle::regular};
constexpr int widths = 40;
constexpr int step = 9;  // pixels between two widths: to 360, longer than most names
constexpr int beyond = 24;

QString utf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QStringList shippedRecordings()
{
    const QDir folder(qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings"));
    QStringList files;
    for (const QString& machine : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QDir of(folder.filePath(machine));
        for (const QString& name : of.entryList({QStringLiteral("*.sqlite")}, QDir::Files)) {
            files << of.filePath(name);
        }
    }
    return files;
}

/// True if ink lies right of `room` pixels.
bool reachesBeyond(const QImage& image, int room, QRgb ground)
{
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = room; x < image.width(); ++x) {
            if (line[x] != ground) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

class tst_ItemText : public QObject {
    Q_OBJECT

private slots:
    void everyLabelOfEveryShippedRecording();
    void printableText_data();
    void printableText();
};

void tst_ItemText::everyLabelOfEveryShippedRecording()
{
    QSet<QStringList> different;
    std::size_t items = 0;
    const QStringList files = shippedRecordings();
    QVERIFY(files.size() > 90);
    for (const QString& file : files) {
        const auto recording = Recording::of(open_recording(file.toStdString()));
        const Trace& trace = *recording->trace;
        const auto take = [&](ItemKind kind, std::size_t count) {
            for (std::size_t row = 0; row < count; ++row) {
                const QStringList labels = labelsOf(*recording, {kind, static_cast<Row>(row)});
                items += 1;
                if (kind == ItemKind::operation && trace.operations.kind[row] == OperationKind::kernel) {
                    const QString name = utf8(trace.text(trace.operations.name[row]));
                    for (const QString& label : labels) {  // the name or a part of it
                        QVERIFY2(name.contains(label), qPrintable(file + QLatin1Char(' ') + label));
                    }
                }
                different.insert(labels);
            }
        };
        take(ItemKind::operation, trace.operations.size());
        take(ItemKind::call, trace.calls.size());
        take(ItemKind::blocked, recording->blocking->calls.size());
        take(ItemKind::range, trace.ranges.size());
        take(ItemKind::hostSpan, trace.host_spans.size());
        take(ItemKind::read, trace.reads.size());
    }
    QVERIFY(items > 20'000);
    QVERIFY2(different.size() > 50, qPrintable(QString::number(different.size())));

    LabelPainter labels;
    QImage image(widths * step + beyond, 20, QImage::Format_RGB32);
    const QColor ground(Qt::white);
    std::size_t drawn = 0;
    for (const QStringList& list : different) {
        for (const QString& label : list) {
            QCOMPARE(printable(label), label);
        }
        for (int width = step; width <= widths * step; width += step) {
            const QString text = labels.fitting(list, width, style);
            const auto fits = [&](const QString& label) { return !label.isEmpty() && labels.width(label, style) <= width; };
            const auto first = std::find_if(list.begin(), list.end(), fits);
            QCOMPARE(text, first == list.end() ? QString() : *first);
            if (text.isEmpty()) {
                continue;
            }
            image.fill(ground);
            QPainter painter(&image);
            labels.drawOn(painter, 0, image.height() / 2.0, text, style, Qt::black, ground, false);
            painter.end();
            QVERIFY2(!reachesBeyond(image, width + 1, ground.rgb()), qPrintable(text));
            ++drawn;
        }
    }
    QVERIFY2(drawn > 2000, qPrintable(QString::number(drawn)));
}

void tst_ItemText::printableText_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    const QString wrong(QChar{unprintable});
    const auto row = [](const char* name, const QString& text, const QString& shown) { QTest::newRow(name) << text << shown; };
    row("nothing", {}, {});
    row("plain", QStringLiteral("D2H 64 MiB \u00B7 \u77E9\u9635"), QStringLiteral("D2H 64 MiB \u00B7 \u77E9\u9635"));
    row("NUL", QString(QChar(0)) + QStringLiteral("_reduce"), wrong + QStringLiteral("_reduce"));
    row("escape", QStringLiteral("a\u001B[31mb"), QStringLiteral("a") + wrong + QStringLiteral("[31mb"));
    row("delete and C1", QStringLiteral("a\u007F") + QChar(0x85), QStringLiteral("a") + wrong + wrong);
    row("white space", QStringLiteral("a\tb\r\nc"), QStringLiteral("a b  c"));
    row("beyond the first plane", QString::fromUtf8("\xF0\x9F\x94\xA5"), QString::fromUtf8("\xF0\x9F\x94\xA5"));
    row("high surrogate alone", QString(QChar(0xD83D)) + QLatin1Char('x'), wrong + QLatin1Char('x'));
    row("low surrogate alone", QLatin1Char('x') + QString(QChar(0xDD25)), QLatin1Char('x') + wrong);
    row("no characters", QString(QChar(0xFFFD)) + QChar(0xFFFE) + QChar(0xFFFF), wrong + wrong + wrong);
}

void tst_ItemText::printableText()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(printable(text), shown);
}

QTEST_MAIN(tst_ItemText)
#include "tst_item_text.moc"
