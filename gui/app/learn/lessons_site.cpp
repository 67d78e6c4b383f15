// SPDX-License-Identifier: MIT
#include "gui/app/learn/lessons_site.h"

#include "engine/analysis/lesson_texts.h"
#include "engine/analysis/report.h"
#include "engine/analysis/words/names.h"
#include "engine/store/recording_file.h"
#include "engine/workload/catalogue.h"
#include "gui/app/frame/language.h"
#include "gui/app/frame/resource_folder.h"
#include "gui/app/learn/lesson.h"
#include "gui/app/run/model_job.h"
#include "gui/export/html/claims_page.h"
#include "gui/export/html/html_page.h"
#include "gui/export/html/index_page.h"
#include "gui/export/picture.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/utf8_text.h"

#include <cstdio>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QTemporaryDir>

#include <algorithm>
#include <stdexcept>

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
        throw siteError(LessonsSiteTexts::tr("%1 cannot be written: %2").arg(path, problem));
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
            return entry.suffix() == QLatin1String("html");
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
    shown->title = variant_title(workload, variant, QLocale().name().toStdString());
    return shown;
}

/// The two that the lesson opens, then its other variants, as the same GPU recorded them; what it has not recorded, and
/// all of a lesson whose two are not recorded, is run on the model device.
std::vector<ViewState> viewsOf(const std::shared_ptr<const Workload>& workload, const RunDevice& device)
{
    std::vector<std::string> variants = lessonVariants(*workload);
    for (const Variant& variant : workload->variants) {
        if (std::find(variants.begin(), variants.end(), variant.name) == variants.end()) {
            variants.push_back(variant.name);
        }
    }
    std::vector<ViewState> views;
    for (const std::string& variant : variants) {
        if (device.kind != RunDevice::Kind::recorded) {
            views.push_back(ViewState::of(runOnModel({workload, {variant, {}}, device, {}, {}})));
            continue;
        }
        const QString path
            = recordedFile(device.argument, QString::fromStdString(workload->name), QString::fromStdString(variant));
        if (QFileInfo::exists(path)) {
            views.push_back(ViewState::of(recordingOf(*workload, variant, path)));
        } else {
            // Not recorded yet: as the model of that GPU runs it, which it says of itself.
            const RunDevice model {RunDevice::Kind::model, device.argument, {}};
            views.push_back(ViewState::of(runOnModel({workload, {variant, {}}, model, {}, {}})));
        }
    }
    return views;
}

QByteArray cardPicture(std::vector<ViewState> views, const QString& theme, const QString& language)
{
    views.resize(std::min<std::size_t>(views.size(), 2));
    PictureOptions options;
    options.size = {card_width, 0};
    options.theme = theme;
    options.language = language;
    options.scale = 2;
    options.showTitle = options.legend = options.source = options.differences = options.figures = false;
    options.axis = TimeAxis::none;
    options.density = LaneDensity::compact;  // both recordings are to be seen on a card
    return renderPicture(views, PictureFormat::png, options).bytes;
}

struct Lesson {
    std::shared_ptr<const Workload> workload;
    RunDevice device;
    QString page() const { return QString::fromStdString(workload->name) + QStringLiteral(".html"); }
    QString picture(const char* theme) const
    {
        return QStringLiteral("%1/%2.%3.png")
            .arg(pictures_folder, QString::fromStdString(workload->name), QLatin1String(theme));
    }
};

std::vector<Lesson> allLessons()
{
    std::vector<Lesson> lessons;
    for (const std::string& name : catalogue_names()) {
        auto workload = std::make_shared<const Workload>(find_workload(name));
        const RunDevice device = lessonDevice(*workload, lessonVariants(*workload));
        if (device.kind != RunDevice::Kind::recorded) {
            std::fprintf(stderr, "lanescope render: %s\n",
                qPrintable(LessonsSiteTexts::tr(
                    "%1: Lanescope has no recording of it; it is shown as the model device runs it")
                               .arg(text(name))));
        }
        lessons.push_back({std::move(workload), device});
    }
    return lessons;
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

void fill(const QDir& folder, const QString& language)
{
    const std::vector<Lesson> lessons = allLessons();
    folder.mkpath(pictures_folder);
    std::vector<LessonCard> cards;
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        const Lesson& lesson = lessons[i];
        const std::vector<ViewState> views = viewsOf(lesson.workload, lesson.device);
        PageOptions options;
        options.language = language;
        options.index = QStringLiteral("index.html");
        options.previous = i > 0 ? lessons[i - 1].page() : QString();
        options.next = i + 1 < lessons.size() ? lessons[i + 1].page() : QString();
        if (lesson.workload->view) {
            options.range = Interval {lesson.workload->view->start, lesson.workload->view->end};
        }
        write(folder.filePath(lesson.page()), htmlPage(views, options, speak));
        for (const char* theme : {"light", "dark"}) {
            write(folder.filePath(lesson.picture(theme)), cardPicture(views, QLatin1String(theme), language));
        }
        cards.push_back({lesson.workload.get(), lesson.page(), lesson.picture("light"), lesson.picture("dark"),
            sourceOf(views.front().model->trace())});
    }
    CourseLessons all;
    for (const Lesson& lesson : lessons) {
        all[lesson.workload->name] = lesson.workload;
    }
    const QString claims = QStringLiteral("claims.html");
    write(folder.filePath(claims), claimsPage(article_claims(), all, QStringLiteral("index.html"), language));
    write(folder.filePath(QStringLiteral("index.html")), indexPage(cards, claims, language));
}

/// In the place of `site`, which is not there, is empty or is one of ours.
void put(const QString& made, const QString& site)
{
    const QString old = made + QStringLiteral(".old");
    const bool replaces = QFileInfo::exists(site);
    if (replaces && !QDir().rename(site, old)) {
        throw siteError(LessonsSiteTexts::tr("%1 cannot be replaced").arg(site));
    }
    if (!QDir().rename(made, site)) {
        if (replaces) {
            QDir().rename(old, site);
        }
        throw siteError(LessonsSiteTexts::tr("%1 cannot be written").arg(site));
    }
    QDir(old).removeRecursively();
}

}  // namespace

int writeLessonsSite(const QString& folder, const QString& language)
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
    try {
        if (!QDir().mkpath(there.absolutePath())) {
            throw siteError(LessonsSiteTexts::tr("%1 cannot be written").arg(there.absolutePath()));
        }
        QTemporaryDir beside(site + QStringLiteral(".partial-XXXXXX"));
        if (!beside.isValid()) {
            throw siteError(LessonsSiteTexts::tr("%1 cannot be written: %2").arg(site, beside.errorString()));
        }
        fill(QDir(beside.path()), language);
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
