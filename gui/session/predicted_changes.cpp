// SPDX-License-Identifier: MIT
#include "gui/session/predicted_changes.h"

#include "engine/replay/change.h"
#include "engine/trace/meta_keys.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/utf8_text.h"

#include <QStringList>

namespace lanes::gui {

QString predictedChanges(const Trace& trace)
{
    const auto found = trace.meta.find(meta::changes);
    if (!isPredicted(trace) || found == trace.meta.end()) {
        return {};
    }
    QStringList changes;
    for (const QString& line : text(found->second).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const auto change = replay::change_in(line.toStdString());
        changes += change ? text(engineMessages().format(message_of(*change))) : line;
    }
    return changes.join(QStringLiteral(" + "));
}

}  // namespace lanes::gui
