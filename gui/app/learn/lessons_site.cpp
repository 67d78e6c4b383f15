// SPDX-License-Identifier: MIT
#include "gui/app/learn/lessons_site.h"

#include "engine/analysis/lesson_texts.h"
#include "engine/analysis/report.h"
#include "engine/analysis/words/names.h"
#include "engine/store/recording_file.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/course.h"
#include "gui/app/frame/language.h"
#include "gui/app/frame/resource_folder.h"
#include "gui/app/learn/lesson.h"
#include "gui/app/run/model_job.h"
#include "gui/export/html/claims_page.h"
#include "gui/export/html/course_parts.h"
#include "gui/export/html/html_page.h"
#include "gui/export/html/index_page.h"
#include "gui/export/lesson_slides.h"
#include "gui/export/picture.h"
#include "gui/export/whole_file.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/utf8_text.h"

#include <cstdio>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace lanes::gui {

namespace {

struct LessonsSiteTexts {
    Q_DECLARE_TR_FUNCTIONS(LessonsSite)
};

constexpr int card_width = 480;  // of pictures that are twice as large
const QString pictures_folder = QStringLiteral("pictures");

std::runtime_error siteError(const QString& text)
{
    return std::runtime_error(text.toStdString());
}

void write(const QString& path, const QByteArray& bytes)
{
    if (const QString problem = saveWhole(path, bytes); !problem.isEmpty()) {
        throw siteError(problem);
    }
}

/// Nothing in it but pages and pictures that this command writes.
bool isSite(const QDir& folder)
{
    QFile index(folder.filePath(QStringLiteral("index.html")));
    if (!index.open(QIODevice::ReadOnly) || !index.read(4096).contains(course_mark)) {
        return false;
    }
    const auto entries = folder.entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    return std::all_of(entries.begin(), entries.end(), [](const QFileInfo& entry) {
        if (entry.isSymLink()) {
            return false;
        }
        if (!entry.isDir()) {
            return entry.suffix() == QLatin1String("html") || entry.suffix() == QLatin1String("pdf");
        }
        const QDir pictures(entry.absoluteFilePath());
        const auto kept = pictures.entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
        return entry.fileName() == pictures_folder && std::all_of(kept.begin(), kept.end(), [](const QFileInfo& file) {
            return file.isFile() && !file.isSymLink() && file.suffix() == QLatin1String("png");
        });
    });
}

RecordingPtr recordingOf(const Workload& workload, const std::string& variant, const QString& path)
{
    auto shown = std::make_shared<ShownRecording>(*ShownRecording::of(open_recording(path.toStdString()), variant));
    const std::string& language = windowLanguage();
    shown->title = variant_title(workload, variant, language);
    shown->compared = compared_value(workload, {variant, shown->trace.get(), shown->report.get()}, language);
    return shown;
}

struct Lesson {
    std::shared_ptr<const Workload> workload;
    RunDevice device;
    bool own = false;  ///< somebody's own: its recordings are beside it
    Translated chapter = {};
    QByteArray about = {};  ///< its chapter, minutes and what comes before it
    QByteArray onCard = {};  ///< the same without the chapter
    QString page() const { return QString::fromStdString(workload->name) + QStringLiteral(".html"); }
    QString pageOf(const QString& gpu) const
    {
        return gpu == device.argument ? page()
                                      : QStringLiteral("%1.%2.html").arg(QString::fromStdString(workload->name), gpu);
    }
    QString slides() const { return QString::fromStdString(workload->name) + QStringLiteral(".slides.pdf"); }
    QString picture(const char* theme) const
    {
        return QStringLiteral("%1/%2.%3.png")
            .arg(pictures_folder, QString::fromStdString(workload->name), QLatin1String(theme));
    }
    /// Where `lanes run` puts it.
    QString recording(const QString& gpu, const std::string& variant) const
    {
        return own ? QFileInfo(QString::fromStdString(workload->file))
                         .dir()
                         .filePath(QString::fromStdString(run_name(workload->name, variant) + ".sqlite"))
                   : recordedFile(gpu, QString::fromStdString(workload->name), QString::fromStdString(variant));
    }
};

/// The two that the lesson opens, then its other variants, as one GPU recorded them; what it has not recorded, and all
/// of a lesson whose two are not recorded, is run on the model device.
std::vector<ViewState> viewsOf(const Lesson& lesson, const RunDevice& device)
{
    std::vector<std::string> variants = lessonVariants(*lesson.workload);
    for (const Variant& variant : lesson.workload->variants) {
        if (std::find(variants.begin(), variants.end(), variant.name) == variants.end()) {
            variants.push_back(variant.name);
        }
    }
    std::vector<ViewState> views;
    for (const std::string& variant : variants) {
        const QString path = lesson.recording(device.argument, variant);
        if ((lesson.own || device.kind == RunDevice::Kind::recorded) && QFileInfo::exists(path)) {
            views.push_back(ViewState::of(recordingOf(*lesson.workload, variant, path)));
        } else {
            // Not recorded yet: as the model of that GPU runs it, which it says of itself.
            const RunDevice model {
                RunDevice::Kind::model, device.kind == RunDevice::Kind::recorded ? device.argument : QString(), {}};
            views.push_back(ViewState::of(runOnModel(
                {lesson.workload, {variant, {}}, device.kind == RunDevice::Kind::recorded ? model : device, {}, {}})));
        }
    }
    for (ViewState& view : views) {
        view.scope.of = Scope::Of::all;  // as the texts, also where the lesson opens on a part
    }
    return views;
}

std::vector<ViewState> firstTwo(std::vector<ViewState> views)
{
    views.resize(std::min<std::size_t>(views.size(), 2));
    return views;
}

QByteArray cardPicture(const std::vector<ViewState>& views, const QString& theme, const QString& language)
{
    PictureOptions options;
    options.size = {card_width, 0};
    options.theme = theme;
    options.language = language;
    options.scale = 2;
    options.showTitle = options.legend = options.source = options.differences = options.figures = false;
    options.heads = false;  // they would answer what the card asks
    options.axis = TimeAxis::none;
    options.density = LaneDensity::compact;  // both recordings are to be seen on a card
    return renderPicture(firstTwo(views), PictureFormat::png, options).bytes;
}

void sayOnModel(const std::string& name)
{
    std::fprintf(stderr, "lanescope render: %s\n",
        qPrintable(LessonsSiteTexts::tr("%1: Lanescope has no recording of it; it is shown as the model device runs it")
                       .arg(text(name))));
}

std::vector<Lesson> courseLessons(const Course& course)
{
    std::vector<Lesson> lessons;
    for (const CourseLesson& each : course.lessons) {
        auto workload = std::make_shared<const Workload>(find_workload(each.name));
        const RunDevice device = lessonDevice(*workload, lessonVariants(*workload));
        if (device.kind != RunDevice::Kind::recorded) {
            sayOnModel(each.name);
        }
        Lesson lesson {std::move(workload), device};
        if (each.chapter) {
            for (const auto& [language, title] : course.chapters[*each.chapter]) {
                lesson.chapter[language] = std::to_string(*each.chapter + 1) + ". " + title;
            }
        }
        lessons.push_back(std::move(lesson));
    }
    const auto title = [&](const std::string& name) {
        const auto found = std::find_if(
            lessons.begin(), lessons.end(), [&](const Lesson& each) { return each.workload->name == name; });
        return found->workload->title;
    };
    for (Lesson& lesson : lessons) {
        CourseLesson place = *course.find(lesson.workload->name);
        lesson.about = courseLine(course, place, title);
        place.chapter.reset();  // the index has the chapter as a heading above the card
        lesson.onCard = courseLine(course, place, title);
    }
    return lessons;
}

/// Somebody's own, after those of the course, in a chapter of their own. Throws WorkloadError.
void addOwn(std::vector<Lesson>& lessons, const QStringList& files)
{
    for (const QString& file : files) {
        auto workload = std::make_shared<const Workload>(find_workload(QFile::encodeName(file).toStdString()));
        if (std::any_of(lessons.begin(), lessons.end(),
                [&](const Lesson& each) { return each.workload->name == workload->name; })) {
            throw WorkloadError(
                workload->file, 0, 0, "found a second lesson '" + workload->name + "', expected a name of its own");
        }
        for (const std::string& variant : variants_of(*workload)) {
            compile(*workload, variant);
        }
        Lesson lesson {std::move(workload), RunDevice(), true};
        lesson.chapter = {{"en", "More lessons"}, {"zh_CN", "更多课程"}};
        for (const std::string& variant : lessonVariants(*lesson.workload)) {
            if (!QFileInfo::exists(lesson.recording({}, variant))) {
                sayOnModel(lesson.workload->name);
                break;
            }
        }
        lessons.push_back(std::move(lesson));
    }
}

/// The GPUs that have recorded what a lesson compares, the one of its page first.
QStringList gpusOf(const Lesson& lesson)
{
    if (lesson.device.kind != RunDevice::Kind::recorded) {
        return {};
    }
    QStringList gpus {lesson.device.argument};
    for (const QString& gpu : recordedDevices()) {
        const std::vector<std::string> variants = lessonVariants(*lesson.workload);
        if (gpu != lesson.device.argument
            && std::all_of(variants.begin(), variants.end(),
                [&](const std::string& variant) { return QFileInfo::exists(lesson.recording(gpu, variant)); })) {
            gpus += gpu;
        }
    }
    return gpus;
}

/// Where the recordings of a card come from, in both languages.
Translated sourceOf(const Trace& trace)
{
    const std::string device = device_name(trace, 0);
    Translated source;
    for (const std::string& language : Messages::languages()) {
        source[language]
            = trace.source == Source::model ? Messages::of(language).format(source_message(trace, device)) : device;
    }
    return source;
}

/// One of those that have no recordings: `body` is what it is filled with.
QByteArray staticPage(const QString& name, const QString& index, const QByteArray& body, const QString& language)
{
    const QByteArray style = themeStyle() + pageResource(QStringLiteral("index.css"));
    const QByteArray script = pageResource(QStringLiteral("index.js"));
    return filledTemplate(pageResource(name),
        {{"lang", language == QLatin1String("zh_CN") ? "zh-CN" : "en"}, {"mark", course_mark}, {"style", style},
            {"style-hash", policyHash(style)}, {"script", script}, {"script-hash", policyHash(script)},
            {"index", index.toHtmlEscaped().toUtf8()}, {"body", body}});
}

/// The page of a lesson, and one for each other GPU that has recorded it. Returns what its card is drawn from.
std::vector<ViewState> writePages(
    const QDir& folder, const std::vector<Lesson>& lessons, std::size_t number, PageOptions options)
{
    const Lesson& lesson = lessons[number];
    options.previous = number > 0 ? lessons[number - 1].page() : QString();
    options.next = number + 1 < lessons.size() ? lessons[number + 1].page() : QString();
    options.course = (lesson.about.isEmpty() ? QByteArray() : "<p>" + lesson.about + "</p>\n")
        + mattersHtml(lesson.workload->matters);
    options.questions = questionsHtml(*lesson.workload);
    options.exercise = exerciseHtml(*lesson.workload) + slidesLink(lesson.slides());
    if (lesson.workload->view) {
        options.range = Interval {lesson.workload->view->start, lesson.workload->view->end};
    }
    const QStringList gpus = gpusOf(lesson);
    for (const QString& gpu : gpus) {
        options.devices.emplace_back(gpu.toUpper(), lesson.pageOf(gpu));
    }
    const std::vector<ViewState> views = viewsOf(lesson, lesson.device);
    PictureOptions slides;
    slides.language = options.language;
    slides.range = options.range;
    write(folder.filePath(lesson.slides()), lessonSlides(*lesson.workload, firstTwo(views), slides));
    write(folder.filePath(lesson.page()), htmlPage(views, options, speak));
    for (const QString& gpu : gpus.mid(1)) {
        write(folder.filePath(lesson.pageOf(gpu)),
            htmlPage(viewsOf(lesson, {RunDevice::Kind::recorded, gpu, {}}), options, speak));
    }
    return views;
}

void fill(const QDir& folder, const QString& language, const std::vector<Lesson>& lessons)
{
    folder.mkpath(pictures_folder);
    std::vector<LessonCard> cards;
    PageOptions options;
    options.language = language;
    options.index = QStringLiteral("index.html");
    options.terms = QStringLiteral("terms.html");
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        const Lesson& lesson = lessons[i];
        const std::vector<ViewState> views = writePages(folder, lessons, i, options);
        for (const char* theme : {"light", "dark"}) {
            write(folder.filePath(lesson.picture(theme)), cardPicture(views, QLatin1String(theme), language));
        }
        cards.push_back({lesson.workload.get(), lesson.page(), lesson.picture("light"), lesson.picture("dark"),
            sourceOf(views.front().model->trace()), lesson.chapter, lesson.onCard});
    }
    CourseLessons all;
    for (const Lesson& lesson : lessons) {
        all[lesson.workload->name] = lesson.workload;
    }
    const QString claims = QStringLiteral("claims.html");
    write(folder.filePath(claims), claimsPage(article_claims(), all, options.index, language));
    write(folder.filePath(options.terms), staticPage(QStringLiteral("terms.html"), options.index, {}, language));
    QByteArray sheet;
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        sheet += sheetHtml(*lessons[i].workload, i + 1);
    }
    write(folder.filePath(QStringLiteral("sheet.html")),
        staticPage(QStringLiteral("sheet.html"), options.index, sheet, language));
    write(folder.filePath(options.index), indexPage(cards, claims, options.terms, language));
}

/// In the place of `site`, which is not there, is empty or is one of ours.
void put(const QString& made, const QString& site)
{
    const QString old = made + QStringLiteral(".old");
    const bool replaces = QFileInfo::exists(site);
    if (replaces && !QDir().rename(site, old)) {
        throw siteError(LessonsSiteTexts::tr("%1 cannot be replaced").arg(site));
    }
    std::error_code problem;
    std::filesystem::rename(QFile::encodeName(made).toStdString(), QFile::encodeName(site).toStdString(), problem);
    if (problem) {
        if (replaces) {
            QDir().rename(old, site);
        }
        throw siteError(notWritten(site, text(problem.message())));
    }
    QDir(old).removeRecursively();
}

}  // namespace

int writeLessonsSite(const QString& folder, const QString& language, const QStringList& own)
{
    const auto sayWhy = [](const QString& why, int code) {
        std::fprintf(stderr, "lanescope render: %s\n", qPrintable(printable(why)));
        return code;
    };
    const QString site = QDir::cleanPath(QFileInfo(folder).absoluteFilePath());
    const QFileInfo there(site);
    if (folder.isEmpty() || there.isSymLink() || (there.exists() && !there.isDir())) {
        return sayWhy(LessonsSiteTexts::tr("--lessons %1: expected a folder, new or empty").arg(folder), 2);
    }
    if (there.exists() && !QDir(site).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot)
        && !isSite(QDir(site))) {
        return sayWhy(
            LessonsSiteTexts::tr("--lessons %1: the folder has other content; expected a new or empty folder, or one "
                                 "written by this command")
                .arg(folder),
            2);
    }
    std::vector<Lesson> lessons;
    try {
        lessons = courseLessons(course());
        addOwn(lessons, own);
    } catch (const InputError& error) {
        return sayWhy(QString::fromUtf8(error.what()), 2);
    } catch (const std::exception& error) {
        return sayWhy(QString::fromUtf8(error.what()), 1);
    }
    try {
        std::error_code problem;
        std::filesystem::create_directories(QFile::encodeName(there.absolutePath()).toStdString(), problem);
        if (problem) {
            throw siteError(notWritten(there.absolutePath(), text(problem.message())));
        }
        QTemporaryDir beside(site + QStringLiteral(".partial-XXXXXX"));
        if (!beside.isValid()) {
            throw siteError(notWritten(site, beside.errorString()));
        }
        fill(QDir(beside.path()), language, lessons);
        QFile::setPermissions(beside.path(),
            QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup
                | QFile::ReadOther | QFile::ExeOther);
        put(beside.path(), site);
        beside.setAutoRemove(false);
    } catch (const std::exception& error) {
        return sayWhy(QString::fromUtf8(error.what()), 1);
    }
    return 0;
}

}  // namespace lanes::gui
