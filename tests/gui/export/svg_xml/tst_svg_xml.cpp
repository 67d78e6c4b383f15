// SPDX-License-Identifier: MIT
// An SVG file is XML, whatever a program has called its kernels: one of every shipped recording goes through a parser.
#include "engine/store/recording_file.h"
#include "engine/trace/trace_builder.h"
#include "gui/export/picture.h"
#include "gui/paint/words/printable_text.h"
#include "tests/effort.h"
#include "tests/gui/timeline/sample_recordings.h"

#include <QDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace lanes;
using namespace lanes::gui;

namespace {

struct Parsed {
    QString problem;  // empty: it is XML
    QStringList texts, titles;
};

Parsed parse(const QByteArray& svg)
{
    Parsed parsed;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (reader.name() == QLatin1String("text")) {
            parsed.texts << reader.readElementText().trimmed();
        } else if (reader.name() == QLatin1String("title")) {
            parsed.titles << reader.readElementText();
        }
    }
    if (reader.hasError()) {
        parsed.problem = QStringLiteral("line %1: %2").arg(reader.lineNumber()).arg(reader.errorString());
    }
    return parsed;
}

QByteArray render(const RecordingPtr& recording, int width, const QString& title = {})
{
    PictureOptions options;
    options.size = {width, 0};
    options.title = title;
    return renderPicture({ViewState::of(recording)}, PictureFormat::svg, options).bytes;
}

/// One thread and one kernel of this name, in a range and on a stream of this name.
RecordingPtr named(std::string_view name)
{
    TraceBuilder builder;
    const StringId id = builder.intern(name);
    builder.write(ThreadRecord {1, 1, id, 0});
    ApiCallRecord call {};
    call.end = 1'000;
    call.process = call.thread = call.correlation = 1;
    call.name = id;
    builder.write(call);
    KernelRecord kernel {};
    kernel.start = 2'000;
    kernel.end = 900'000;
    kernel.process = kernel.context = kernel.stream = kernel.correlation = 1;
    kernel.name = id;
    builder.write(kernel);
    StreamRecord stream {};
    stream.process = stream.context = stream.stream = 1;
    stream.name = id;
    builder.write(stream);
    RangeRecord range {};
    range.id = range.process = range.thread = 1;
    range.name = id;
    builder.write(range);
    range.time = 900'000;
    range.edge = RangeRecord::finish;
    builder.write(range);
    return ShownRecording::of(builder.finish(Source::cupti));
}

}  // namespace

class tst_SvgXml : public QObject {
    Q_OBJECT

private slots:
    void everyShippedRecording_data();
    void everyShippedRecording();
    void oddNames_data() { odd(); }
    void oddNames();
    void oddTitles_data() { odd(); }
    void oddTitles();

private:
    static void odd()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("shown");
        const QChar wrong(unprintable);
        QTest::newRow("NUL") << QByteArray("\0mm", 3) << QString(wrong) + QStringLiteral("mm");
        QTest::newRow("escape") << QByteArray("\x1B[1mred") << QString(wrong) + QStringLiteral("[1mred");
        QTest::newRow("right to left") << QByteArray("mm\xE2\x80\xAE") + "z" << QStringLiteral("mm") + wrong + u'z';
        QTest::newRow("line break") << QByteArray("two\nlines") << QStringLiteral("two lines");
        QTest::newRow("no UTF-8") << QByteArray("mm\xFF") << QStringLiteral("mm") + wrong;
        QTest::newRow("no character") << QByteArray("mm\xEF\xBF\xBE") << QStringLiteral("mm") + wrong;
        QTest::newRow("markup") << QByteArray("</text>&<b>\"'") << QStringLiteral("</text>&<b>\"'");
    }
};

void tst_SvgXml::everyShippedRecording_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(qEnvironmentVariable("LANES_SOURCE") + QStringLiteral("/resources/recordings"));
    for (const QString& machine : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QDir of(folder.filePath(machine));
        for (const QString& name : of.entryList({QStringLiteral("*.sqlite")}, QDir::Files)) {
            QTest::newRow(qPrintable(machine + QLatin1Char('/') + name)) << of.filePath(name);
        }
    }
}

void tst_SvgXml::everyShippedRecording()
{
    QFETCH(QString, file);
    const auto recording = ShownRecording::of(open_recording(file.toStdString()));
    static int recordings = 0;
    ++recordings;
    for (const int width : {720, 1600}) {
        if (one_trial_in > 1 && (width == 720) != (recordings % 2 == 0)) {  // each recording still, in one width
            continue;
        }
        const Parsed parsed = parse(render(recording, width));
        QVERIFY2(parsed.problem.isEmpty(), qPrintable(parsed.problem));
        QVERIFY(parsed.texts.size() > 10);
    }
}

void tst_SvgXml::oddNames()
{
    QFETCH(QByteArray, name);
    QFETCH(QString, shown);
    const Parsed parsed = parse(render(named({name.constData(), static_cast<std::size_t>(name.size())}), 1600));
    QVERIFY2(parsed.problem.isEmpty(), qPrintable(parsed.problem));
    QVERIFY2(parsed.texts.contains(shown), qPrintable(parsed.texts.join(QLatin1Char('|'))));  // the range
    QVERIFY2(
        parsed.texts.contains(shown + QStringLiteral(" · stream 1")), qPrintable(parsed.texts.join(QLatin1Char('|'))));
    QVERIFY(parsed.texts.contains(QStringLiteral("CPU  ") + shown));
}

void tst_SvgXml::oddTitles()
{
    QFETCH(QByteArray, name);
    QFETCH(QString, shown);
    const Parsed parsed
        = parse(render(samples::copyResultsBack({}), 720, QString::fromUtf8(name.constData(), name.size())));
    QVERIFY2(parsed.problem.isEmpty(), qPrintable(parsed.problem));
    QVERIFY2(parsed.texts.contains(shown), qPrintable(parsed.texts.join(QLatin1Char('|'))));
    QCOMPARE(parsed.titles, QStringList(shown));
}

QTEST_MAIN(tst_SvgXml)
#include "tst_svg_xml.moc"
