// SPDX-License-Identifier: MIT
#include "gui/export/render_command.h"

#include "engine/analysis/lesson_texts.h"
#include "engine/analysis/time_range.h"
#include "engine/run/model/staging_device.h"
#include "engine/standard_output.h"
#include "engine/store/atomic_file.h"
#include "engine/store/recording_file.h"
#include "gui/export/picture.h"
#include "gui/paint/glyphs.h"

#include <cstdio>
#include <memory>
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QRegularExpression>

namespace lanes::gui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(RenderCommand)
};

constexpr int done = 0, failed = 1, wrong = 2;
constexpr double most_scale = 16;

/// What the words ask for cannot be done: exit code 2.
class WrongWords : public std::runtime_error {
public:
    explicit WrongWords(const QString& text)
        : std::runtime_error(text.toStdString())
    {
    }
};

int say(const QString& text, int code)
{
    std::fprintf(stderr, "lanescope render: %s\n", qPrintable(text));
    return code;
}

QSize sizeOf(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d{1,6})?[xX\u00D7](\\d{1,6})?$"));
    const auto match = form.match(text);
    const QString width = match.captured(1);
    const QString height = match.captured(2);
    if (!match.hasMatch() || (width.isEmpty() && height.isEmpty())) {
        throw WrongWords(Texts::tr("--size: found \"%1\", expected WIDTHxHEIGHT in pixels such as 1920x1080; either "
                                   "may be left out, as in 1920x")
                             .arg(text));
    }
    const QSize size(width.toInt(), height.toInt());
    if ((!width.isEmpty() && size.width() < 320) || (!height.isEmpty() && size.height() < 160)) {
        throw WrongWords(Texts::tr("--size: found \"%1\", expected 320x160 or more").arg(text));
    }
    return size;
}

constexpr int usual_width = 1600;

/// What the words alone make too large: a height that is left out is known once the lanes are.
void checkPixels(const PictureOptions& options, bool isPixels)
{
    const double scale = isPixels ? options.scale : 1;
    const int columns = options.size.width() > 0 ? options.size.width() : usual_width;
    const double width = columns * scale;
    const double height = options.size.height() * scale;
    if (width > most_picture_side || height > most_picture_side
        || (isPixels && width * height > static_cast<double>(most_picture_area))) {
        throw WrongWords(
            Texts::tr("--size: found %1x%2 at a scale of %3, expected at most %4 pixels a side and %5 million in all")
                .arg(columns)
                .arg(options.size.height())
                .arg(scale)
                .arg(most_picture_side)
                .arg(most_picture_area / 1'000'000));
    }
}

TimeAxis axisOf(const QString& text)
{
    for (const auto& [name, axis] :
        {std::pair("ruler", TimeAxis::ruler), std::pair("bar", TimeAxis::bar), std::pair("none", TimeAxis::none)}) {
        if (text == QLatin1String(name)) {
            return axis;
        }
    }
    throw WrongWords(Texts::tr("--time-scale: found \"%1\", expected ruler, bar or none").arg(text));
}

LaneGrouping groupingOf(const QString& text)
{
    if (text != QLatin1String("stream") && text != QLatin1String("engine")) {
        throw WrongWords(Texts::tr("--lanes: found \"%1\", expected stream or engine").arg(text));
    }
    return text == QLatin1String("engine") ? LaneGrouping::engine : LaneGrouping::stream;
}

std::shared_ptr<const Query> filterOf(const QString& text)
{
    try {
        return std::make_shared<const Query>(Query::parse(text.toStdString()));
    } catch (const QueryError& error) {
        throw WrongWords(QStringLiteral("--filter: %1").arg(QString::fromUtf8(error.what())));
    }
}

double scaleOf(const QString& text)
{
    bool ok = false;
    const double scale = text.toDouble(&ok);
    if (!ok || !(scale >= 0.25 && scale <= most_scale)) {
        throw WrongWords(
            Texts::tr("--scale: found \"%1\", expected a number from 0.25 to %2").arg(text).arg(most_scale));
    }
    return scale;
}

RecordingPtr open(const QString& path)
{
    if (!QFileInfo::exists(path)) {
        throw WrongWords(Texts::tr("%1: there is no such file").arg(path));
    }
    try {
        auto shown = std::make_shared<ShownRecording>(
            *ShownRecording::of(open_recording(path.toStdString()), QFileInfo(path).completeBaseName().toStdString()));
        shown->stagingDevice = staging_device(*shown->trace);
        if (const auto title = recorded_titles(*shown->trace, QLocale().name().toStdString()).variant; !title.empty()) {
            shown->title = title;
        }
        return shown;
    } catch (const std::exception& error) {
        const QString what = QString::fromUtf8(error.what());
        throw WrongWords(what.contains(QFileInfo(path).fileName()) ? what : QStringLiteral("%1: %2").arg(path, what));
    }
}

struct Words {
    QStringList files;
    QString out;
    PictureFormat format = PictureFormat::png;
    PictureOptions options;
    QString range;
    LaneChoice lanes;
};

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(Texts::tr("Draws one or two recordings into a picture file."));
    parser.addPositionalArgument(QStringLiteral("FILE"), Texts::tr("a recording"));
    parser.addPositionalArgument(QStringLiteral("FILE_B"), Texts::tr("another, drawn under it on the same time scale"),
        QStringLiteral("[FILE_B]"));
    parser.addOptions({
        {{QStringLiteral("o"), QStringLiteral("output")},
            Texts::tr("the picture; its ending (.png, .svg, .pdf) says the format"), QStringLiteral("OUT")},
        {QStringLiteral("size"),
            Texts::tr("in logical pixels; 1600 wide and as high as the lanes need unless given, 1920x or x600 gives "
                      "one of them"),
            QStringLiteral("1920x1080")},
        {QStringLiteral("scale"), Texts::tr("pixels a logical pixel, for PNG: 2 for a sharp screen, 4 for paper"),
            QStringLiteral("2")},
        {QStringLiteral("range"), Texts::tr("the part of the time to show, as 2ms:5.5ms"), QStringLiteral("A:B")},
        {QStringLiteral("lanes"),
            Texts::tr("stream (one for each) or engine (copies up, copies down and kernels of each GPU)"),
            QStringLiteral("KIND")},
        {QStringLiteral("filter"),
            Texts::tr("show only what fits, in the words of the window's filter: \"kind:copy dur>1ms\""),
            QStringLiteral("QUERY")},
        {QStringLiteral("theme"), Texts::tr("light, dark or print (readable in grey)"), QStringLiteral("NAME")},
        {QStringLiteral("title"), Texts::tr("over the picture; the workload's if not given"), QStringLiteral("TEXT")},
        {QStringLiteral("time-scale"),
            Texts::tr("ruler (over the lanes, with a grid), bar (of a known length, under them) or none"),
            QStringLiteral("KIND")},
        {QStringLiteral("no-title"), Texts::tr("no title")},
        {QStringLiteral("no-heads"), Texts::tr("no name and verdict over each recording")},
        {QStringLiteral("no-figures"), Texts::tr("no figure beside each lane that says how busy it is")},
        {QStringLiteral("no-legend"), Texts::tr("no legend")},
        {QStringLiteral("no-source"), Texts::tr("no line that says where the recordings come from")},
        {QStringLiteral("no-differences"), Texts::tr("no strip between two recordings that says how they differ")},
        {QStringLiteral("no-overview"), Texts::tr("with --range, no strip that shows where in the whole it lies")},
        {QStringLiteral("lang"), Texts::tr("en or zh_CN, for the texts in the picture"), QStringLiteral("LANG")},
        {{QStringLiteral("h"), QStringLiteral("help")}, Texts::tr("prints this")},
    });
}

Words wordsOf(const QCommandLineParser& parser)
{
    Words words;
    words.files = parser.positionalArguments();
    if (words.files.isEmpty() || words.files.size() > 2) {
        throw WrongWords(Texts::tr("expected one or two recordings, found %1").arg(words.files.size()));
    }
    words.out = parser.value(QStringLiteral("output"));
    if (words.out.isEmpty()) {
        throw WrongWords(Texts::tr("-o OUT is missing: where shall the picture go?"));
    }
    const auto format = pictureFormatOf(words.out);
    if (!format) {
        throw WrongWords(Texts::tr("%1: the ending says the format; expected .png, .svg or .pdf").arg(words.out));
    }
    words.format = *format;
    try {
        expect_writable_as_file(QFile::encodeName(words.out).toStdString());
    } catch (const StoreError& error) {
        throw WrongWords(QString::fromUtf8(error.what()));
    }
    if (parser.isSet(QStringLiteral("size"))) {
        words.options.size = sizeOf(parser.value(QStringLiteral("size")));
    }
    if (parser.isSet(QStringLiteral("scale"))) {
        words.options.scale = scaleOf(parser.value(QStringLiteral("scale")));
    }
    checkPixels(words.options, words.format == PictureFormat::png);
    if (parser.isSet(QStringLiteral("theme"))) {
        words.options.theme = parser.value(QStringLiteral("theme"));
        if (!Theme::names().contains(words.options.theme)) {
            throw WrongWords(
                Texts::tr("--theme: found \"%1\", expected light, dark or print").arg(words.options.theme));
        }
    }
    words.options.title = parser.value(QStringLiteral("title"));
    words.options.showTitle = !parser.isSet(QStringLiteral("no-title"));
    words.options.heads = !parser.isSet(QStringLiteral("no-heads"));
    words.options.figures = !parser.isSet(QStringLiteral("no-figures"));
    words.options.legend = !parser.isSet(QStringLiteral("no-legend"));
    words.options.source = !parser.isSet(QStringLiteral("no-source"));
    words.options.differences = !parser.isSet(QStringLiteral("no-differences"));
    words.options.overview = !parser.isSet(QStringLiteral("no-overview"));
    if (parser.isSet(QStringLiteral("time-scale"))) {
        words.options.axis = axisOf(parser.value(QStringLiteral("time-scale")));
    }
    if (parser.isSet(QStringLiteral("lanes"))) {
        words.lanes.grouping = groupingOf(parser.value(QStringLiteral("lanes")));
    }
    if (parser.isSet(QStringLiteral("filter"))) {
        words.lanes.filter = filterOf(parser.value(QStringLiteral("filter")));
    }
    words.range = parser.value(QStringLiteral("range"));
    return words;
}

int render(const Words& words)
{
    std::vector<ViewState> views;
    Ns longest = 1;
    for (const QString& path : words.files) {
        views.push_back(ViewState::of(open(path), words.lanes));
        longest = std::max(longest, views.back().model->trace().duration);
    }
    PictureOptions options = words.options;
    if (!words.range.isEmpty()) {
        try {
            const Interval range = parse_time_range(words.range.toStdString(), longest);
            options.range = Interval {range.start, range.end};
        } catch (const std::invalid_argument& error) {
            throw WrongWords(QStringLiteral("--range: %1").arg(QString::fromUtf8(error.what())));
        }
    }
    const Picture picture = renderPicture(views, words.format, options);
    if (const QString problem = saveWhole(words.out, picture.bytes); !problem.isEmpty()) {
        throw std::runtime_error(Texts::tr("%1 cannot be written: %2").arg(words.out, problem).toStdString());
    }
    if (picture.hiddenLanes > 0) {
        say(Texts::tr("the height has no room for %1 of the lanes; --size %2x makes it as high as they need")
                .arg(picture.hiddenLanes)
                .arg(options.size.width() > 0 ? options.size.width() : usual_width),
            done);
    }
    return done;
}

}  // namespace

int renderCommand(const QStringList& words, void (*speak)(const QString&))
{
    std::unique_ptr<QGuiApplication> application;
    static int count = 1;
    static char name[] = "lanescope";
    static char* arguments[] = {name, nullptr};
    if (QCoreApplication::instance() == nullptr) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        application = std::make_unique<QGuiApplication>(count, arguments);
    }
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(QStringList {QStringLiteral("lanescope render")} + words)) {
        return say(parser.errorText(), wrong);
    }
    const QString language
        = parser.isSet(QStringLiteral("lang")) ? parser.value(QStringLiteral("lang")) : QStringLiteral("en");
    if (language != QLatin1String("en") && language != QLatin1String("zh_CN")) {
        return say(Texts::tr("--lang: found \"%1\", expected en or zh_CN").arg(language), wrong);
    }
    if (speak != nullptr) {
        speak(language);
    }
    if (parser.isSet(QStringLiteral("help"))) {
        QString help = parser.helpText();
        help.replace(QCoreApplication::arguments().value(0) + QStringLiteral(" [options]"),
            QStringLiteral("lanescope render -o OUT [options]"));
        std::fputs(qPrintable(help), stdout);
        return standard_output_arrived() ? done : say(Texts::tr("cannot write to standard output"), failed);
    }
    try {
        Words asked = wordsOf(parser);
        asked.options.language = language;
        if (const QString missing = missingGlyphs(language); !missing.isEmpty()) {
            say(missing, done);
        }
        return render(asked);
    } catch (const WrongWords& error) {
        return say(QString::fromUtf8(error.what()), wrong);
    } catch (const std::exception& error) {
        return say(QString::fromUtf8(error.what()), failed);
    }
}

}  // namespace lanes::gui
