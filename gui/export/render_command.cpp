// SPDX-License-Identifier: MIT
#include "gui/export/render_command.h"

#include "engine/analysis/time_range.h"
#include "engine/store/recording.h"
#include "gui/export/picture.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QSaveFile>
#include <cstdio>
#include <memory>

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
    explicit WrongWords(const QString& text) : std::runtime_error(text.toStdString()) {}
};

int say(const QString& text, int code)
{
    std::fprintf(stderr, "lanescope render: %s\n", qPrintable(text));
    return code;
}

QSize sizeOf(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d{2,5})[xX\u00D7](\\d{2,5})$"));
    const auto match = form.match(text);
    if (!match.hasMatch()) {
        throw WrongWords(Texts::tr("--size: found \"%1\", expected WIDTHxHEIGHT in pixels, as 1920x1080").arg(text));
    }
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (size.width() < 320 || size.height() < 160) {
        throw WrongWords(Texts::tr("--size: %1 is too small, 320x160 is the least").arg(text));
    }
    return size;
}

double scaleOf(const QString& text)
{
    bool ok = false;
    const double scale = text.toDouble(&ok);
    if (!ok || !(scale >= 0.25 && scale <= most_scale)) {
        throw WrongWords(Texts::tr("--scale: found \"%1\", expected a number from 0.25 to %2").arg(text).arg(most_scale));
    }
    return scale;
}

RecordingPtr open(const QString& path)
{
    if (!QFileInfo::exists(path)) {
        throw WrongWords(Texts::tr("%1: there is no such file").arg(path));
    }
    try {
        return Recording::of(open_recording(path.toStdString()), QFileInfo(path).completeBaseName());
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
};

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(Texts::tr("Draws one or two recordings into a picture file."));
    parser.addPositionalArgument(QStringLiteral("FILE"), Texts::tr("a recording"));
    parser.addPositionalArgument(QStringLiteral("FILE_B"), Texts::tr("another, drawn under it on the same time scale"), QStringLiteral("[FILE_B]"));
    parser.addOptions({
        {{QStringLiteral("o"), QStringLiteral("output")}, Texts::tr("the picture; its ending (.png, .svg, .pdf) says the format"), QStringLiteral("OUT")},
        {QStringLiteral("size"), Texts::tr("in logical pixels; 1600 wide and as high as the lanes need if not given"), QStringLiteral("1920x1080")},
        {QStringLiteral("scale"), Texts::tr("pixels a logical pixel, for PNG"), QStringLiteral("2")},
        {QStringLiteral("range"), Texts::tr("the part of the time to show, as 2ms:5.5ms"), QStringLiteral("A:B")},
        {QStringLiteral("theme"), Texts::tr("light, dark or print"), QStringLiteral("NAME")},
        {QStringLiteral("title"), Texts::tr("over the picture; the workload's if not given"), QStringLiteral("TEXT")},
        {QStringLiteral("no-title"), Texts::tr("no title")},
        {QStringLiteral("no-legend"), Texts::tr("neither legend nor source")},
        {QStringLiteral("lang"), Texts::tr("en or zh_CN, for the verdicts"), QStringLiteral("LANG")},
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
    if (parser.isSet(QStringLiteral("size"))) {
        words.options.size = sizeOf(parser.value(QStringLiteral("size")));
    }
    if (parser.isSet(QStringLiteral("scale"))) {
        words.options.scale = scaleOf(parser.value(QStringLiteral("scale")));
    }
    if (parser.isSet(QStringLiteral("theme"))) {
        words.options.theme = parser.value(QStringLiteral("theme"));
        if (!Theme::names().contains(words.options.theme)) {
            throw WrongWords(Texts::tr("--theme: found \"%1\", expected light, dark or print").arg(words.options.theme));
        }
    }
    words.options.title = parser.value(QStringLiteral("title"));
    words.options.showTitle = !parser.isSet(QStringLiteral("no-title"));
    words.options.legend = !parser.isSet(QStringLiteral("no-legend"));
    if (parser.isSet(QStringLiteral("lang"))) {
        words.options.language = parser.value(QStringLiteral("lang"));
    }
    words.range = parser.value(QStringLiteral("range"));
    return words;
}

void write(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        throw std::runtime_error(QStringLiteral("%1: %2").arg(path, file.errorString()).toStdString());
    }
}

int render(const Words& words)
{
    std::vector<RecordingPtr> recordings;
    Ns longest = 1;
    for (const QString& path : words.files) {
        recordings.push_back(open(path));
        longest = std::max(longest, recordings.back()->trace->duration);
    }
    PictureOptions options = words.options;
    if (!words.range.isEmpty()) {
        try {
            const Interval range = parse_time_range(words.range.toStdString(), longest);
            options.range = TimeSpan{range.start, range.end};
        } catch (const std::invalid_argument& error) {
            throw WrongWords(QStringLiteral("--range: %1").arg(QString::fromUtf8(error.what())));
        }
    }
    write(words.out, renderPicture(recordings, words.format, options));
    return done;
}

}  // namespace

int renderCommand(const QStringList& words)
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
    if (!parser.parse(QStringList{QStringLiteral("lanescope render")} + words)) {
        return say(parser.errorText(), wrong);
    }
    if (parser.isSet(QStringLiteral("help"))) {
        std::fputs(qPrintable(parser.helpText()), stdout);
        return done;
    }
    try {
        return render(wordsOf(parser));
    } catch (const WrongWords& error) {
        return say(QString::fromUtf8(error.what()), wrong);
    } catch (const std::exception& error) {
        return say(QString::fromUtf8(error.what()), failed);
    }
}

}  // namespace lanes::gui
