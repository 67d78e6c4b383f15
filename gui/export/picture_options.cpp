// SPDX-License-Identifier: MIT
#include "gui/export/picture_options.h"

#include "engine/analysis/lesson_texts.h"
#include "engine/trace/meta_keys.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/utf8_text.h"

#include <QStringList>

namespace lanes::gui {

namespace {

constexpr int most_name = 120;
constexpr int narrow = 480;  // pictures below it are compact

}  // namespace

bool isCompact(const PictureOptions& options)
{
    return options.density ? *options.density == LaneDensity::compact
                           : options.size.width() > 0 && options.size.width() < narrow;
}

QString pictureName(const std::vector<const ShownRecording*>& recordings)
{
    QString workload;
    QStringList parts;
    for (const ShownRecording* recording : recordings) {
        const auto& all = recording->trace->meta;
        const auto of = all.find(meta::workload);
        const auto variant = all.find(meta::variant);
        const QString name = of == all.end() ? QString() : QString::fromStdString(of->second);
        const bool known = !name.isEmpty() && variant != all.end() && !variant->second.empty();
        const QString own = QString::fromStdString(known ? variant->second : recording->title);
        const bool same = known && name == workload;
        workload = known ? name : QString();
        const QString part = known && !same ? name + QLatin1Char('.') + own : own;
        if (!parts.contains(part)) {
            parts += part;
        }
    }
    QString name = parts.join(QLatin1Char('+'));
    for (QChar& letter : name) {
        const bool plain = letter.isLetterOrNumber() || QStringLiteral(".-+_").contains(letter);
        letter = plain ? letter : QLatin1Char('-');
    }
    name = name.left(most_name);
    return name.isEmpty() || name.startsWith(QLatin1Char('.')) ? QStringLiteral("timeline") : name;
}

QString pictureTitle(const Trace& trace)
{
    if (const std::string title = recorded_titles(trace, windowLanguage()).workload; !title.empty()) {
        return QString::fromStdString(title);
    }
    for (const char* key : {meta::title, meta::workload}) {
        if (const auto said = meta::text_of(trace.meta, key); !said.empty()) {
            return text(said);
        }
    }
    return {};
}

}  // namespace lanes::gui
