// SPDX-License-Identifier: MIT
#include "gui/export/picture_options.h"

#include "engine/analysis/lesson_texts.h"
#include "engine/trace/meta_keys.h"

#include <QLocale>

namespace lanes::gui {

QString pictureTitle(const Trace& trace)
{
    if (const std::string title = recorded_titles(trace, QLocale().name().toStdString()).workload; !title.empty()) {
        return QString::fromStdString(title);
    }
    for (const char* key : {meta::title, meta::workload}) {
        const auto found = trace.meta.find(key);
        if (found != trace.meta.end() && !found->second.empty()) {
            return QString::fromStdString(found->second);
        }
    }
    return {};
}

}  // namespace lanes::gui
