// SPDX-License-Identifier: MIT
#include "gui/app/learn/lesson.h"

#include "gui/app/frame/resource_folder.h"
#include "gui/session/run_titles.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <map>

namespace lanes::gui {

namespace {

struct LessonTextsOfWindow {
    Q_DECLARE_TR_FUNCTIONS(Lesson)
};

/// Lines of "WORKLOAD VARIANT VARIANT".
std::map<QString, QStringList> readPairs()
{
    std::map<QString, QStringList> pairs;
    QFile file(resourcePath(QStringLiteral("workloads/compare.txt")));
    if (file.open(QIODevice::ReadOnly)) {
        for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
            const QStringList words = line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
            if (words.size() == 3) {
                pairs[words[0]] = words.sliced(1);
            }
        }
    }
    return pairs;
}

bool has(const Workload& workload, const QString& variant)
{
    return std::any_of(workload.variants.begin(), workload.variants.end(),
        [&](const Variant& each) { return each.name == variant.toStdString(); });
}

}  // namespace

std::vector<std::string> lessonVariants(const Workload& workload)
{
    static const std::map<QString, QStringList> pairs = readPairs();
    const auto pair = pairs.find(QString::fromStdString(workload.name));
    if (pair != pairs.end() && has(workload, pair->second[0]) && has(workload, pair->second[1])) {
        return {pair->second[0].toStdString(), pair->second[1].toStdString()};
    }
    if (workload.variants.empty()) {
        return {std::string()};
    }
    std::vector<std::string> chosen {workload.variants.front().name};
    if (workload.variants.size() > 1) {
        chosen.push_back(workload.variants.back().name);
    }
    return chosen;
}

RunDevice lessonDevice(const Workload& workload, const std::vector<std::string>& variants)
{
    const QString name = QString::fromStdString(workload.name);
    for (const QString& device : recordedDevices()) {
        const bool all = std::all_of(variants.begin(), variants.end(), [&](const std::string& variant) {
            return QFileInfo::exists(recordedFile(device, name, QString::fromStdString(variant)));
        });
        if (all) {
            return {RunDevice::Kind::recorded, device, {}};
        }
    }
    return {};
}

const Course& ownCourse()
{
    static const Course own = [] {
        try {
            return course();
        } catch (const std::exception&) {  // the gallery says what is wrong with the resources
            return Course();
        }
    }();
    return own;
}

QString chapterOf(const Workload& workload)
{
    const CourseLesson* lesson = ownCourse().find(workload.name);
    if (lesson == nullptr || !lesson->chapter) {
        return {};
    }
    const Translated& chapter = ownCourse().chapters[*lesson->chapter];
    const QString title = QStringLiteral("%1 %2").arg(*lesson->chapter + 1).arg(inLanguage(chapter));
    return lesson->minutes == 0 ? title : LessonTextsOfWindow::tr("%1 \u00B7 %2 min").arg(title).arg(lesson->minutes);
}

}  // namespace lanes::gui
