// SPDX-License-Identifier: MIT
#include "gui/session/format.h"

#include "engine/analysis/words/names.h"
#include "engine/store/formats.h"
#include "engine/trace/event.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/printable_text.h"
#include "gui/session/texts.h"

namespace lanes::gui {

QString maybeTime(MaybeNs ns)
{
    return ns ? formatTime(*ns) : QStringLiteral("–");
}

QString countDifferenceText(std::int64_t count)
{
    return withMinusSign((count > 0 ? QStringLiteral("+%L1") : QStringLiteral("%L1")).arg(count));
}

QString shareText(Ns part, Ns whole)
{
    return whole <= 0 ? QString() : formatShare(static_cast<double>(part) / static_cast<double>(whole));
}

QString threadText(const Trace& trace, Row thread)
{
    return text(engineMessages().format(thread_message(trace, thread)));
}

QString streamText(const Trace& trace, Row stream)
{
    if (stream >= trace.streams.size()) {
        return tr("unknown stream");
    }
    const Stream& s = trace.streams[stream];
    return tr("GPU %1 · %2").arg(s.device).arg(nameText(trace.label_of(s)));
}

QString formatsText()
{
    return QString::fromStdString(formats_in_words(engineMessages().language()));
}

QString laneText(const Trace& trace, EventRef event)
{
    const Row lane = lane_of(trace, event);
    return event.table == EventTable::operations ? streamText(trace, lane) : threadText(trace, lane);
}

}  // namespace lanes::gui
