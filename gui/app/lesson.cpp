// SPDX-License-Identifier: MIT
#include "gui/app/lesson.h"

#include "gui/app/resource_folder.h"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace lanes::gui {

std::vector<std::string> lessonVariants(const Workload& workload)
{
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
    const auto found = std::find_if(
        workload.variants.begin(), workload.variants.end(), [&](const Variant& each) { return each.name == variant; });
    const QString title = found == workload.variants.end()
        ? QString()
        : QString::fromStdString(in_language(found->title, QLocale().name().toStdString()));
    return title.isEmpty() ? QString::fromStdString(variant) : title;
}

}  // namespace lanes::gui
