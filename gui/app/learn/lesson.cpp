// SPDX-License-Identifier: MIT
#include "gui/app/learn/lesson.h"

#include "engine/analysis/lesson_texts.h"
#include "gui/app/frame/resource_folder.h"

#include <QFile>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <map>

namespace lanes::gui {

namespace {

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

QString variantTitle(const Workload& workload, const std::string& variant)
{
    return QString::fromStdString(variant_title(workload, variant, QLocale().name().toStdString()));
}

}  // namespace lanes::gui
