// SPDX-License-Identifier: MIT
#include "gui/panels/run_titles.h"

#include <QLocale>

#include <algorithm>

namespace lanes::gui {

QString labelOf(const Parameter& parameter)
{
    const QString label = QString::fromStdString(in_language(parameter.label, QLocale().name().toStdString()));
    return label.isEmpty() ? QString::fromStdString(parameter.name).replace(QLatin1Char('_'), QLatin1Char(' ')) : label;
}

QString valueIn(const Workload& workload, const VariantSettings& run, const Parameter& parameter)
{
    if (const auto set = run.settings.find(parameter.name); set != run.settings.end()) {
        return QString::fromStdString(set->second);
    }
    for (const Variant& variant : workload.variants) {
        if (const auto own = variant.values.find(parameter.name); variant.name == run.variant && own != variant.values.end()) {
            return QString::fromStdString(own->second);
        }
    }
    return QString::fromStdString(parameter.default_value);
}

std::vector<OpenRecordingPtr> toldApart(std::vector<OpenRecordingPtr> recordings)
{
    if (recordings.size() != 2 || !recordings[0]->workload || !recordings[1]->workload
        || recordings[0]->workload->name != recordings[1]->workload->name
        || recordings[0]->run.variant != recordings[1]->run.variant) {
        return recordings;
    }
    QString titles[2];
    for (const Parameter& parameter : recordings[1]->workload->parameters) {
        const auto& olds = recordings[0]->workload->parameters;
        const auto old = std::find_if(olds.begin(), olds.end(), [&](const Parameter& other) { return other.name == parameter.name; });
        if (old == olds.end()) {
            continue;
        }
        const QString values[] = {valueIn(*recordings[0]->workload, recordings[0]->run, *old),
            valueIn(*recordings[1]->workload, recordings[1]->run, parameter)};
        for (int side = 0; side < 2 && values[0] != values[1]; ++side) {
            titles[side] += QStringLiteral(" \u00B7 %1 %2").arg(labelOf(parameter), values[side]);
        }
    }
    for (std::size_t side = 0; side < 2; ++side) {
        const QString base = QString::fromStdString(recordings[side]->run.variant.empty() ? recordings[side]->workload->name : recordings[side]->run.variant);
        if (!titles[side].isEmpty() && recordings[side]->title != base + titles[side]) {
            recordings[side] = titled(recordings[side], base + titles[side]);
        }
    }
    return recordings;
}

}  // namespace lanes::gui
