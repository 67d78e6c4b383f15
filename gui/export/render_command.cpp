// SPDX-License-Identifier: MIT
#include "gui/export/render_command.h"

#include "engine/analysis/facts/time_range.h"
#include "engine/analysis/lesson_texts.h"
#include "engine/analysis/told_run.h"
#include "engine/input_error.h"
#include "engine/job/job_file.h"
#include "engine/standard_output.h"
#include "engine/store/atomic_file.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"
#include "engine/workload/nearest.h"
#include "engine/workload/resources.h"
#include "engine/workload/workload.h"
#include "gui/export/annotation_file.h"
#include "gui/export/html/html_page.h"
#include "gui/export/html/job_page.h"
#include "gui/export/job_picture.h"
#include "gui/export/picture.h"
#include "gui/export/picture_size.h"
#include "gui/export/whole_file.h"
#include "gui/paint/glyphs.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/session/iteration_changes.h"
#include "gui/session/problem_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QRegularExpression>

namespace lanes::gui {

namespace {

struct RenderCommandTexts {
    Q_DECLARE_TR_FUNCTIONS(RenderCommand)
};

constexpr int done = 0, failed = 1, wrong = 2;
constexpr double most_scale = 16;
constexpr qint64 most_annotation_bytes = 1 << 20;

/// Wrong arguments: exit status 2.
class ArgumentError : public InputError {
public:
    explicit ArgumentError(const QString& text)
        : InputError(text.toStdString())
    {
    }
};

int say(const QString& text, int code)
{
    std::fprintf(stderr, "lanescope render: %s\n", qPrintable(printable(text)));
    return code;
}

constexpr int least_width = 240, least_height = 160;

double scaleOf(const QString& text)
{
    bool ok = false;
    const double scale = text.toDouble(&ok);
    if (!ok || !(scale >= 0.25 && scale <= most_scale)) {
        throw ArgumentError(RenderCommandTexts::tr("--scale: found \"%1\", expected a number from 0.25 to %2")
                                .arg(text)
                                .arg(most_scale));
    }
    return scale;
}

GivenSize sizeOf(const QString& text)
{
    const auto size = givenSize(text);
    if (!size) {
        throw ArgumentError(
            RenderCommandTexts::tr("--size: found \"%1\", expected WIDTHxHEIGHT in pixels such as 1920x1080 (either "
                                   "may be left out: 1920x), or a size on paper such as 85mm, 170x100mm, 3.3in, 240pt")
                .arg(text));
    }
    if (!size->onPaper
        && ((size->width > 0 && size->width < 320) || (size->height > 0 && size->height < least_height))) {
        throw ArgumentError(RenderCommandTexts::tr("--size: found \"%1\", expected 320x160 or more").arg(text));
    }
    return *size;
}

const PicturePreset* presetOf(const QString& name)
{
    const PicturePreset* preset = presetNamed(name);
    if (preset == nullptr) {
        throw ArgumentError(
            RenderCommandTexts::tr("--preset: found \"%1\", expected slide, column, page or poster").arg(name));
    }
    return preset;
}

int dpiOf(const QString& text)
{
    bool ok = false;
    const int dpi = text.toInt(&ok);
    if (!ok || dpi < 36 || dpi > 2400) {
        throw ArgumentError(RenderCommandTexts::tr("--dpi: found \"%1\", expected a number from 36 to 2400").arg(text));
    }
    return dpi;
}

SvgText svgTextOf(const QString& name)
{
    for (const auto& [text, kind] : {std::pair("text", SvgText::text), std::pair("outlines", SvgText::outlines),
             std::pair("embedded", SvgText::embedded)}) {
        if (name == QLatin1String(text)) {
            return kind;
        }
    }
    throw ArgumentError(
        RenderCommandTexts::tr("--svg-text: found \"%1\", expected text, outlines or embedded").arg(name));
}

/// All that says how large the picture is.
void takeSize(PictureOptions& options, const QCommandLineParser& parser)
{
    const bool scaled = parser.isSet(QStringLiteral("scale"));
    if (scaled && parser.isSet(QStringLiteral("dpi"))) {
        throw ArgumentError(RenderCommandTexts::tr("--scale and --dpi exclude each other: give only one"));
    }
    const QString asked = parser.value(QStringLiteral("size"));
    setSize(options,
        parser.isSet(QStringLiteral("preset")) ? presetOf(parser.value(QStringLiteral("preset"))) : nullptr,
        parser.isSet(QStringLiteral("size")) ? sizeOf(asked) : GivenSize {},
        parser.isSet(QStringLiteral("dpi")) ? dpiOf(parser.value(QStringLiteral("dpi"))) : 0);
    if ((options.size.width() > 0 && options.size.width() < least_width)
        || (options.size.height() > 0 && options.size.height() < least_height)) {
        const double mm = options.pointsPerPixel / points_an_inch * 25.4;
        throw ArgumentError(RenderCommandTexts::tr("--size: found \"%1\", expected %2x%3mm or more")
                                .arg(asked)
                                .arg(std::ceil(least_width * mm))
                                .arg(std::ceil(least_height * mm)));
    }
    if (scaled) {
        options.scale = scaleOf(parser.value(QStringLiteral("scale")));
    }
}

constexpr int usual_width = 1600;

/// What the arguments alone make too large: a height that is left out is known once the lanes are.
void checkPixels(const PictureOptions& options, bool isPixels)
{
    const double scale = isPixels ? options.scale : 1;
    const int columns = options.size.width() > 0 ? options.size.width() : usual_width;
    const double width = columns * scale;
    const double height = options.size.height() * scale;
    if (width > most_picture_side || height > most_picture_side
        || (isPixels && width * height > static_cast<double>(most_picture_area))) {
        throw ArgumentError(RenderCommandTexts::tr(
            "--size: found %1x%2 at a scale of %3, expected at most %4 pixels per side and %5 million in total")
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
    throw ArgumentError(RenderCommandTexts::tr("--time-scale: found \"%1\", expected ruler, bar or none").arg(text));
}

LaneGrouping groupingOf(const QString& text)
{
    if (text != QLatin1String("stream") && text != QLatin1String("engine")) {
        throw ArgumentError(RenderCommandTexts::tr("--lanes: found \"%1\", expected stream or engine").arg(text));
    }
    return text == QLatin1String("engine") ? LaneGrouping::engine : LaneGrouping::stream;
}

std::shared_ptr<const Query> filterOf(const QString& text)
{
    try {
        return std::make_shared<const Query>(Query::parse(text.toStdString()));
    } catch (const QueryError& error) {
        throw ArgumentError(QStringLiteral("--filter: %1").arg(QString::fromUtf8(error.what())));
    }
}

RecordingPtr open(const QString& path)
{
    if (!QFileInfo::exists(path)) {
        throw ArgumentError(missingFile(path));
    }
    try {
        auto shown = std::make_shared<ShownRecording>(
            *ShownRecording::of(open_recording(path.toStdString()), recording_name(path.toStdString())));
        if (const auto told = told_run(*shown->trace)) {
            const std::string& language = windowLanguage();
            shown->title
                = told->variant.empty() ? shown->title : variant_title(*told->workload, told->variant, language);
            shown->compared
                = compared_value(*told->workload, {told->variant, shown->trace.get(), shown->report.get()}, language);
        }
        return shown;
    } catch (const std::exception& error) {
        const QString what = QString::fromUtf8(error.what());
        throw ArgumentError(
            what.contains(QFileInfo(path).fileName()) ? what : QStringLiteral("%1: %2").arg(path, what));
    }
}

struct Arguments {
    QStringList files;
    QString out;
    PictureFormat format = PictureFormat::png;
    bool page = false;  ///< no picture, an HTML file
    PictureOptions options;
    QString pageTheme;  ///< that was asked for; empty: as the reader's system is
    QString range;
    QString annotations;
    bool all = false, path = false, idle = false;
    HeatMeasure measure = HeatMeasure::waited;  ///< of a job of many ranks
    bool isMeasureGiven = false;
    LaneChoice lanes;
};

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(RenderCommandTexts::tr("Draws one or two recordings to a picture file."));
    parser.addPositionalArgument(QStringLiteral("FILE"), RenderCommandTexts::tr("a recording"));
    parser.addPositionalArgument(QStringLiteral("FILE_B"),
        RenderCommandTexts::tr("another recording, drawn below on the same time scale"), QStringLiteral("[FILE_B]"));
    parser.addOptions(renderOptions());
}

/// A page is as large as its window and has all that a reader may want to see: arguments that say otherwise would be
/// ignored.
void checkPageArguments(const QCommandLineParser& parser)
{
    for (const char* option :
        {"preset", "size", "scale", "dpi", "svg-text", "time-scale", "critical-path", "idle-reasons", "no-title",
            "no-heads", "no-figures", "no-legend", "no-source", "no-differences", "no-overview", "all"}) {
        if (parser.isSet(QLatin1String(option))) {
            throw ArgumentError(RenderCommandTexts::tr(
                "--%1 is for pictures (.png, .svg, .pdf); a page (.html) takes --title, --theme, "
                "--range, --lanes, --filter, --annotations and --lang")
                                    .arg(QLatin1String(option)));
        }
    }
    if (parser.value(QStringLiteral("theme")) == QLatin1String("print")) {
        throw ArgumentError(RenderCommandTexts::tr(
            "--theme: found \"print\", expected light or dark: a page uses print colours when it is printed"));
    }
}

/// The files that are read and the one that is written, which is none of them.
void takeFiles(Arguments& arguments, const QCommandLineParser& parser)
{
    arguments.files = parser.positionalArguments();
    if (arguments.files.isEmpty() || arguments.files.size() > 2) {
        throw ArgumentError(
            RenderCommandTexts::tr("expected one or two recordings, found %1").arg(arguments.files.size()));
    }
    arguments.out = parser.value(QStringLiteral("output"));
    if (arguments.out.isEmpty()) {
        throw ArgumentError(RenderCommandTexts::tr("-o OUT is missing: expected the file to write"));
    }
    const auto format = pictureFormatOf(arguments.out);
    arguments.page = isPage(arguments.out);
    if (!format && !arguments.page) {
        throw ArgumentError(
            RenderCommandTexts::tr("%1: unknown ending, expected .png, .svg, .pdf or .html").arg(arguments.out));
    }
    arguments.format = format.value_or(PictureFormat::svg);
    if (arguments.page) {
        checkPageArguments(parser);
    }
    try {
        expect_writable_as_file(QFile::encodeName(arguments.out).toStdString());
    } catch (const StoreError& error) {
        throw ArgumentError(QString::fromUtf8(error.what()));
    }
    arguments.annotations = parser.value(QStringLiteral("annotations"));
    for (const QString& input : arguments.files + QStringList {arguments.annotations}) {
        std::error_code none;
        if (std::filesystem::equivalent(
                QFile::encodeName(input).toStdString(), QFile::encodeName(arguments.out).toStdString(), none)) {
            throw ArgumentError(
                RenderCommandTexts::tr("%1 is an input itself; choose another name for OUT").arg(arguments.out));
        }
    }
}

void takeTheme(Arguments& arguments, const QCommandLineParser& parser)
{
    if (parser.isSet(QStringLiteral("theme"))) {
        arguments.options.theme = parser.value(QStringLiteral("theme"));
        if (!Theme::names().contains(arguments.options.theme)) {
            throw ArgumentError(RenderCommandTexts::tr("--theme: found \"%1\", expected light, dark or print")
                                    .arg(arguments.options.theme));
        }
        arguments.pageTheme
            = arguments.options.theme == QLatin1String("dark") ? QStringLiteral("dark") : QStringLiteral("light");
    }
}

/// What is drawn around the lanes.
void takeParts(PictureOptions& options, const QCommandLineParser& parser)
{
    options.title = parser.value(QStringLiteral("title"));
    options.showTitle = !parser.isSet(QStringLiteral("no-title"));
    options.heads = !parser.isSet(QStringLiteral("no-heads"));
    options.figures = !parser.isSet(QStringLiteral("no-figures"));
    options.legend = !parser.isSet(QStringLiteral("no-legend"));
    options.source = !parser.isSet(QStringLiteral("no-source"));
    options.differences = !parser.isSet(QStringLiteral("no-differences"));
    options.overview = !parser.isSet(QStringLiteral("no-overview"));
    if (parser.isSet(QStringLiteral("time-scale"))) {
        options.axis = axisOf(parser.value(QStringLiteral("time-scale")));
    }
}

/// Which time is drawn.
void takeRange(Arguments& arguments, const QCommandLineParser& parser)
{
    arguments.range = parser.value(QStringLiteral("range"));
    if (parser.isSet(QStringLiteral("range")) && arguments.range.isEmpty()) {  // a variable that is not set
        throw ArgumentError(RenderCommandTexts::tr("--range: found \"\", expected a value"));
    }
    arguments.all = parser.isSet(QStringLiteral("all"));
    if (arguments.all && !arguments.range.isEmpty()) {
        throw ArgumentError(RenderCommandTexts::tr("--range and --all exclude each other: give only one"));
    }
}

HeatMeasure measureOf(const QString& text)
{
    for (const HeatMeasure measure : heat_measures) {
        if (text == QLatin1String(name_of(measure))) {
            return measure;
        }
    }
    throw ArgumentError(
        RenderCommandTexts::tr("--measure: found \"%1\", expected waited, exposed, idle or step").arg(text));
}

Arguments argumentsOf(const QCommandLineParser& parser)
{
    Arguments arguments;
    arguments.isMeasureGiven = parser.isSet(QStringLiteral("measure"));
    if (arguments.isMeasureGiven) {
        arguments.measure = measureOf(parser.value(QStringLiteral("measure")));
    }
    takeFiles(arguments, parser);
    takeTheme(arguments, parser);
    arguments.options.svgText = SvgText::embedded;
    if (parser.isSet(QStringLiteral("svg-text"))) {
        arguments.options.svgText = svgTextOf(parser.value(QStringLiteral("svg-text")));
    }
    takeParts(arguments.options, parser);
    if (parser.isSet(QStringLiteral("lanes"))) {
        arguments.lanes.grouping = groupingOf(parser.value(QStringLiteral("lanes")));
    }
    if (parser.isSet(QStringLiteral("filter"))) {
        arguments.lanes.filter = filterOf(parser.value(QStringLiteral("filter")));
    }
    takeSize(arguments.options, parser);
    arguments.options.showTitle  // one that is asked for is shown, whatever the preset has
        = arguments.options.showTitle
        || (!arguments.options.title.isEmpty() && !parser.isSet(QStringLiteral("no-title")));
    checkPixels(arguments.options, arguments.format == PictureFormat::png);
    takeRange(arguments, parser);
    arguments.idle = parser.isSet(QStringLiteral("idle-reasons"));
    arguments.path = parser.isSet(QStringLiteral("critical-path"));
    return arguments;
}

/// A page carries all that it shows: what a browser could not hold is refused.
void checkPageItems(std::size_t items)
{
    if (items > most_page_items) {
        throw ArgumentError(RenderCommandTexts::tr("found %L1 events, a page holds at most %L2: take a part of the "
                                                   "time (lanes convert FILE PART --range A:B), leave "
                                                   "some out, for example with --filter \"kind:kernel dur>100us\", or "
                                                   "make a picture (.png, .svg, .pdf), which has "
                                                   "no limit")
                                .arg(items)
                                .arg(most_page_items));
    }
}

QByteArray pageOf(
    const Arguments& arguments, const std::vector<ViewState>& views, const PictureOptions& options, Speaker speak)
{
    checkPageItems(pageItems(views));
    PageOptions page;
    page.title = options.title;
    page.language = options.language;
    page.theme = arguments.pageTheme;
    page.range = options.range;
    return htmlPage(views, page, speak == nullptr ? Speak() : Speak(speak));
}

/// Draws over the recordings what the file says.
void annotate(const std::vector<ViewState>& views, const QString& path)
{
    QFile file(path);
    if (!file.exists()) {
        throw ArgumentError(RenderCommandTexts::tr("--annotations: %1: no such file").arg(path));
    }
    if (!QFileInfo(path).isFile()) {
        throw ArgumentError(RenderCommandTexts::tr("--annotations: %1 is no file").arg(path));
    }
    if (!file.open(QIODevice::ReadOnly)) {
        throw ArgumentError(QStringLiteral("--annotations: %1: %2").arg(path, file.errorString()));
    }
    if (file.size() > most_annotation_bytes) {
        throw ArgumentError(RenderCommandTexts::tr("--annotations: %1 is larger than 1 MiB").arg(path));
    }
    std::vector<RecordingPtr> recordings;
    recordings.reserve(views.size());
    for (const ViewState& view : views) {
        recordings.push_back(view.model->pointer());
    }
    try {
        for (const Annotation& one : parseAnnotationsOf(recordings, file.readAll().toStdString(), path.toStdString())) {
            recordings[static_cast<std::size_t>(one.side)]->annotations->push_back(one);
        }
    } catch (const WorkloadError& error) {
        throw ArgumentError(QString::fromUtf8(error.what()));
    }
}

/// Without what comes with Lanescope there would be keys in the picture in place of its sentences.
void checkTexts()
{
    const auto text = resource("text/en.yaml");  // throws if there is no folder at all
    if (!std::filesystem::is_regular_file(text)) {
        throw std::runtime_error(
            RenderCommandTexts::tr("%1 is missing, which has the texts of pictures; LANES_RESOURCES gives the "
                                   "folder of what comes with Lanescope")
                .arg(QString::fromStdString(text.string()))
                .toStdString());
    }
}

/// Of two programs that both repeat: a typical iteration of each under one another, and what changed between them.
/// Returns the range that shows both, in the time of the first; nothing where there are none.
std::optional<Interval> showTypicalIterations(std::vector<ViewState>& views)
{
    const auto isProgram = [](const ViewState& view) {
        const auto& recording = view.model->recording();
        return recording.graph && recording.ranges && recording.trace->meta.count(meta::workload) == 0;
    };
    if (views.size() != 2 || !std::all_of(views.begin(), views.end(), isProgram)) {
        return std::nullopt;
    }
    const auto& a = views[0].model->recording();
    const auto& b = views[1].model->recording();
    const auto ofA = iterations_of(*a.graph, a.ranges->bounds());
    const auto ofB = ofA ? iterations_of(*b.graph, b.ranges->bounds()) : std::nullopt;
    const auto changes = ofA && ofB ? waterfallOf(a, *ofA, b, *ofB, {ofA->typical, ofB->typical}) : nullptr;
    if (!changes) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < 2; ++i) {
        views[i].highlights.iteration = changes->shown[i];
        views[i].highlights.anchor = changes->shown[i]->span.start;
        views[i].scope = {Scope::Of::repeated, changes->shown[i]->span};
    }
    views[0].changes = changes;
    return rangeOfBoth(*changes->shown[0], *changes->shown[1]);
}

/// A job of many ranks is drawn with its heat map, sentence and table; a picture's map is what the window opens with,
/// or all of it.
int renderRanks(const Arguments& arguments)
{
    for (const bool isGiven : {arguments.files.size() > 1, !arguments.range.isEmpty(), !arguments.annotations.isEmpty(),
             arguments.path, arguments.idle, arguments.lanes.filter != nullptr}) {
        if (isGiven) {
            throw ArgumentError(
                RenderCommandTexts::tr("a job of many ranks is drawn alone: it takes "
                                       "--title, --theme, --size, --scale, --measure, --all and --lang"));
        }
    }
    const OpenJobPtr job = openJob(arguments.files.front());
    if (arguments.measure == HeatMeasure::step && !job->heat(HeatMeasure::step).is_of_steps) {
        throw ArgumentError(
            RenderCommandTexts::tr("--measure: found \"step\", but the ranks of this job have no steps"));
    }
    const QByteArray bytes = arguments.page
        ? jobPage(job, arguments.measure, arguments.options.language)
        : renderJob(job, {arguments.measure, {}, {}, {}, arguments.all ? std::nullopt : job->openedPart()},
            arguments.format, arguments.options)
              .bytes;
    const QString problem = saveWhole(arguments.out, bytes);
    return problem.isEmpty() ? done : say(problem, failed);
}

int render(const Arguments& arguments, Speaker speak)
{
    if (is_ranks_file(QFile::encodeName(arguments.files.front()).toStdString())) {
        return renderRanks(arguments);
    }
    if (arguments.isMeasureGiven) {
        throw ArgumentError(RenderCommandTexts::tr("--measure is for jobs of many ranks (job.lanes)"));
    }
    std::vector<ViewState> views;
    Ns longest = 1, run = 0;
    for (const QString& path : arguments.files) {
        views.push_back(ViewState::of(open(path), arguments.lanes));
        longest = std::max(longest, views.back().model->trace().duration);
        run = std::max(run, views.back().model->duration());
    }
    PictureOptions options = arguments.options;
    if (!arguments.range.isEmpty()) {
        try {
            const auto& trace = views.front().model->trace();
            options.range = arguments.range == QLatin1String("steady")
                ? parse_range_of(trace, "steady")
                : parse_time_range(arguments.range.toStdString(), longest, run);
        } catch (const std::invalid_argument& error) {
            throw ArgumentError(QStringLiteral("--range: %1").arg(QString::fromUtf8(error.what())));
        }
    } else if (const auto view
               = arguments.all || arguments.page ? std::nullopt : recorded_view(views.front().model->trace());
               view && view->start < longest && (view->start > 0 || view->end < longest)) {
        options.range = Interval {view->start, view->end};
    } else if (const auto part = views.size() > 1 || arguments.all
            ? std::nullopt
            : repeatedPart(views.front().model->recording())) {  // as the window opens it
        views.front().scope = {Scope::Of::repeated, *part};
        options.range = part;
    }
    if (const auto both = arguments.all || options.range ? std::nullopt : showTypicalIterations(views)) {
        options.range = *both;
    }
    if (!arguments.annotations.isEmpty()) {
        annotate(views, arguments.annotations);
    }
    for (ViewState& view : views) {
        const auto& graph = view.model->recording().graph;
        const Interval range = options.range.value_or(Interval {0, std::numeric_limits<Ns>::max()});
        if (graph && arguments.path) {
            view.highlights.path = std::make_shared<const ShownPath>(*graph, range);
        }
        if (graph && arguments.idle) {
            view.highlights.idle = std::make_shared<const IdleReasons>(idle_reasons(*graph, range));
        }
    }
    const Picture picture = arguments.page ? Picture {pageOf(arguments, views, options, speak), {}, 0}
                                           : renderPicture(views, arguments.format, options);
    if (const QString problem = saveWhole(arguments.out, picture.bytes); !problem.isEmpty()) {
        throw std::runtime_error(problem.toStdString());
    }
    if (picture.hiddenLanes > 0) {
        say((picture.hiddenLanes == 1
                    ? RenderCommandTexts::tr(
                        "the height has no room for %1 lane; --size %2x makes the picture high enough")
                    : RenderCommandTexts::tr(
                        "the height has no room for %1 lanes; --size %2x makes the picture high enough"))
                .arg(picture.hiddenLanes)
                .arg(options.size.width() > 0 ? options.size.width() : usual_width),
            done);
    }
    return done;
}

/// The option that a word is, as --size, --size=800x, -o or -oOUT; nothing if it is none.
std::optional<QCommandLineOption> optionOf(const QString& word)
{
    const QString name = word.section(QLatin1Char('='), 0, 0);
    for (const QCommandLineOption& option : renderOptions()) {
        for (const QString& known : option.names()) {
            const bool joined = known.size() == 1 && !option.valueName().isEmpty() && word.size() > 2
                && word.startsWith(QLatin1Char('-') + known);
            if (name == (known.size() == 1 ? QStringLiteral("-") : QStringLiteral("--")) + known || joined) {
                return option;
            }
        }
    }
    return std::nullopt;
}

QString unknownOption(const QString& name)
{
    std::vector<std::string> known;
    for (const QCommandLineOption& option : renderOptions()) {
        known.push_back("--" + option.names().constLast().toStdString());
    }
    const auto nearest = name.size() > 2 ? nearest_name(name.toStdString(), known) : std::string();
    return nearest.empty()
        ? RenderCommandTexts::tr("unknown option '%1'; see lanescope render --help").arg(name)
        : RenderCommandTexts::tr("unknown option '%1'; did you mean '%2'?").arg(name, QString::fromStdString(nearest));
}

/// What is wrong with the options of a command line, in the order of its words; "" if nothing is.
QString wrongOption(const QStringList& words)
{
    for (qsizetype i = 0; i < words.size() && words[i] != QLatin1String("--"); ++i) {
        const QString& word = words[i];
        if (!word.startsWith(QLatin1Char('-')) || word == QLatin1String("-")) {
            continue;
        }
        const QString name = word.section(QLatin1Char('='), 0, 0);
        const auto option = optionOf(word);
        if (!option) {
            return unknownOption(name);
        }
        const bool takesValue = !option->valueName().isEmpty();
        if (!takesValue && name != word) {
            return RenderCommandTexts::tr("%1 takes no value").arg(name);
        }
        const bool follows = takesValue && (word == name && (word.size() == 2 || word.startsWith(QLatin1String("--"))));
        if (follows && i + 1 == words.size()) {
            return RenderCommandTexts::tr("%1: found nothing, expected %2").arg(name, option->valueName());
        }
        if (follows && (words[i + 1] == QLatin1String("--") || optionOf(words[i + 1]))) {
            return RenderCommandTexts::tr("%1: found \"%2\", which is no value, expected %3")
                .arg(name, words[i + 1], option->valueName());
        }
        i += follows ? 1 : 0;
    }
    return {};
}

int lessons(const QCommandLineParser& parser, const QString& language, LessonsWriter write)
{
    for (const QString& file : parser.positionalArguments()) {
        if (!file.endsWith(QLatin1String(".yaml"))) {
            return say(
                RenderCommandTexts::tr("--lessons DIR: found \"%1\", expected workloads of your own (.yaml)").arg(file),
                wrong);
        }
    }
    for (const QString& option : parser.optionNames()) {
        if (option != QLatin1String("lessons") && option != QLatin1String("lang")) {
            return say(RenderCommandTexts::tr("--lessons DIR takes workloads, --lang and nothing else, found --%1")
                           .arg(option),
                wrong);
        }
    }
    if (write == nullptr) {
        return say(RenderCommandTexts::tr("the lessons were not found"), failed);
    }
    return write(parser.value(QStringLiteral("lessons")), language, parser.positionalArguments());
}

}  // namespace

int renderCommand(const QStringList& arguments, Speaker speak, LessonsWriter writeLessons)
{
    std::unique_ptr<QGuiApplication> application;
    static int count = 1;
    static char name[] = "lanescope";
    static char* argv[] = {name, nullptr};
    if (QCoreApplication::instance() == nullptr) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        application = std::make_unique<QGuiApplication>(count, argv);
    }
    QCommandLineParser parser;
    addOptions(parser);
    if (const QString problem = wrongOption(arguments); !problem.isEmpty()) {
        return say(problem, wrong);
    }
    if (!parser.parse(QStringList {QStringLiteral("lanescope render")} + arguments)) {
        return say(parser.errorText(), wrong);
    }
    const QString language
        = parser.isSet(QStringLiteral("lang")) ? parser.value(QStringLiteral("lang")) : QStringLiteral("en");
    if (language != QLatin1String("en") && language != QLatin1String("zh_CN")) {
        return say(RenderCommandTexts::tr("--lang: found \"%1\", expected en or zh_CN").arg(language), wrong);
    }
    if (speak != nullptr) {
        speak(language);
    }
    if (parser.isSet(QStringLiteral("help"))) {
        QString help = parser.helpText();
        help.replace(QCoreApplication::arguments().value(0) + QStringLiteral(" [options]"),
            QStringLiteral("lanescope render -o OUT [options]"));
        std::fputs(qPrintable(help), stdout);
        return standard_output_arrived() ? done
                                         : say(RenderCommandTexts::tr("cannot write to standard output"), failed);
    }
    if (parser.isSet(QStringLiteral("lessons"))) {
        return lessons(parser, language, writeLessons);
    }
    try {
        Arguments asked = argumentsOf(parser);
        checkTexts();
        asked.options.language = language;
        if (const QString missing = missingGlyphs(language); !missing.isEmpty()) {
            say(missing, done);
        }
        return render(asked, speak);
    } catch (const InputError& error) {
        return say(QString::fromUtf8(error.what()), wrong);
    } catch (const std::exception& error) {
        return say(QString::fromUtf8(error.what()), failed);
    }
}

}  // namespace lanes::gui
