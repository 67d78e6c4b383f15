// SPDX-License-Identifier: MIT
#include "gui/session/run_titles.h"

#include "engine/analysis/lesson_texts.h"
#include "engine/store/recording_file.h"
#include "engine/workload/quantity.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/utf8_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace lanes::gui {

namespace {

struct RunTitlesTexts {
    Q_DECLARE_TR_FUNCTIONS(RunTitles)
};

constexpr qsizetype most_named = 3;

/// "64 MiB" and "65536 KiB" are one value.
bool sameValue(const QString& a, const QString& b)
{
    if (a == b) {
        return true;
    }
    try {
        const Value left = parse_literal(a.toStdString());
        const Value right = parse_literal(b.toStdString());
        return left.dimension == right.dimension && left.dimension != Dimension::text && left.number == right.number;
    } catch (const std::exception&) {
        return false;
    }
}

/// What a recording was run with where that is not what is chosen: "Matrices 8".
QStringList otherValues(const OpenRecording& shown, const VariantSettings& chosen)
{
    if (shown.run.variant != chosen.variant) {
        return {RunTitlesTexts::tr("variant %1").arg(variantTitle(*shown.workload, shown.run.variant))};
    }
    QStringList others;
    for (const Parameter& parameter : shown.workload->parameters) {
        if (const QString value = valueIn(*shown.workload, shown.run, parameter);
            !sameValue(value, valueIn(*shown.workload, chosen, parameter))) {
            others += QStringLiteral("%1 %2").arg(labelOf(parameter), value);
        }
    }
    return others;
}

}  // namespace

QString inLanguage(const Translated& text)
{
    return QString::fromStdString(in_language(text, windowLanguage()));
}

QString titleOf(const Workload& workload)
{
    const QString title = inLanguage(workload.title);
    return title.isEmpty() ? QString::fromStdString(workload.name) : title;
}

QString variantTitle(const Workload& workload, const std::string& variant)
{
    return QString::fromStdString(variant_title(workload, variant, windowLanguage()));
}

QString labelOf(const Parameter& parameter)
{
    const QString label = inLanguage(parameter.label);
    return label.isEmpty() ? QString::fromStdString(parameter.name).replace(QLatin1Char('_'), QLatin1Char(' ')) : label;
}

QString valueIn(const Workload& workload, const VariantSettings& run, const Parameter& parameter)
{
    if (const auto set = run.settings.find(parameter.name); set != run.settings.end()) {
        return QString::fromStdString(set->second);
    }
    for (const Variant& variant : workload.variants) {
        if (const auto own = variant.values.find(parameter.name);
            variant.name == run.variant && own != variant.values.end()) {
            return QString::fromStdString(own->second);
        }
    }
    return QString::fromStdString(parameter.default_value);
}

bool hasOwnValues(const Workload& workload, const VariantSettings& run)
{
    return std::all_of(workload.parameters.begin(), workload.parameters.end(), [&](const Parameter& parameter) {
        return sameValue(valueIn(workload, run, parameter), valueIn(workload, {run.variant, {}}, parameter));
    });
}

/// "before/trace", "after/trace": two files of one name by the folders that they lie in.
static std::vector<OpenRecordingPtr> toldApartByFolder(std::vector<OpenRecordingPtr> recordings)
{
    QString folders[2], names[2];
    for (std::size_t side = 0; side < 2; ++side) {
        const QString& path = recordings[side]->path;
        folders[side] = printable(QFileInfo(path).dir().dirName());
        names[side] = nameText(recording_name(path.toStdString()));
        if (names[side].isEmpty() || !text(recordings[side]->title).endsWith(names[side])) {
            return recordings;  // it is not called by its file
        }
    }
    if (names[0] == names[1] && folders[0] != folders[1]) {
        for (std::size_t side = 0; side < 2; ++side) {
            if (const QString title = folders[side] + QLatin1Char('/') + names[side];
                text(recordings[side]->title) != title) {
                recordings[side] = titled(recordings[side], title);
            }
        }
    }
    return recordings;
}

std::vector<OpenRecordingPtr> toldApart(std::vector<OpenRecordingPtr> recordings)
{
    if (recordings.size() == 2 && !recordings[0]->workload && !recordings[1]->workload) {
        return toldApartByFolder(std::move(recordings));
    }
    if (recordings.size() != 2 || !recordings[0]->workload || !recordings[1]->workload
        || recordings[0]->workload->name != recordings[1]->workload->name
        || recordings[0]->run.variant != recordings[1]->run.variant) {
        return recordings;
    }
    QString titles[2];
    for (const Parameter& parameter : recordings[1]->workload->parameters) {
        const auto& olds = recordings[0]->workload->parameters;
        const auto old = std::find_if(
            olds.begin(), olds.end(), [&](const Parameter& other) { return other.name == parameter.name; });
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
        const OpenRecording& of = *recordings[side];
        const QString base = of.run.variant.empty() ? QString::fromStdString(of.workload->name)
                                                    : variantTitle(*of.workload, of.run.variant);
        if (!titles[side].isEmpty() && text(recordings[side]->title) != base + titles[side]) {
            recordings[side] = titled(recordings[side], base + titles[side]);
        }
    }
    return recordings;
}

QString shownInstead(const std::vector<OpenRecordingPtr>& shown, const std::shared_ptr<const Workload>& workload,
    const std::vector<VariantSettings>& chosen)
{
    QStringList others;
    QString otherWorkload;
    bool ofWorkload = false;
    for (std::size_t side = 0; side < shown.size() && workload; ++side) {
        const OpenRecording& recording = *shown[side];
        if (!recording.workload || recording.workload->name != workload->name) {
            otherWorkload = recording.workload ? titleOf(*recording.workload) : otherWorkload;
            continue;
        }
        ofWorkload = true;
        const bool ran = std::any_of(chosen.begin(), chosen.end(),
            [&](const VariantSettings& run) { return otherValues(recording, run).isEmpty(); });
        if (ran || side >= chosen.size()) {
            continue;
        }
        const QStringList values = otherValues(recording, chosen[side]);
        QString named = values.mid(0, most_named).join(QStringLiteral(", "));
        if (values.size() > most_named) {
            named += QStringLiteral(", …");
        }
        others += shown.size() < 2 ? named : (side == 0 ? QStringLiteral("A: ") : QStringLiteral("B: ")) + named;
    }
    return ofWorkload ? others.join(QStringLiteral("; ")) : otherWorkload;
}

}  // namespace lanes::gui
