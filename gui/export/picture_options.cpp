// SPDX-License-Identifier: MIT
#include "gui/export/picture_options.h"

#include "engine/trace/meta_keys.h"

namespace lanes::gui {

QString pictureTitle(const Trace& trace)
{
    for (const char* key : {meta::title, meta::workload}) {
        const auto found = trace.meta.find(key);
        if (found != trace.meta.end() && !found->second.empty()) {
            return QString::fromStdString(found->second);
        }
    }
    return {};
}

}  // namespace lanes::gui
