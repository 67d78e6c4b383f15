// SPDX-License-Identifier: MIT
#include "gui/paint/title_pills.h"

#include "engine/analysis/facts/record_ends.h"
#include "gui/paint/words/time_format.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct TitlePillsTexts {
    Q_DECLARE_TR_FUNCTIONS(TimelinePainter)
};

}  // namespace

std::vector<TitlePill> titlePills(const TimelineFrame& frame)
{
    const Theme& theme = frame.theme;
    const ShownRecording& recording = frame.model.recording();
    const std::string& filter = frame.model.choice().filterText();
    std::vector<TitlePill> pills;
    if (recording.is_model() || recording.trace->source == Source::unknown) {
        const QString text = recording.trace->source == Source::predicted
            ? TitlePillsTexts::tr("predicted, not measured")
            : recording.is_model() ? TitlePillsTexts::tr("model device, not measured")
                                   : TitlePillsTexts::tr("measured or computed: unknown");
        pills.push_back({text, theme.pillCaution, theme.pillCautionText});
    }
    if (!is_complete(*recording.trace)) {
        pills.push_back({TitlePillsTexts::tr("cut short at %1").arg(formatTime(frame.model.duration())),
            theme.pillCaution, theme.pillCautionText});
    }
    if (!frame.verdict.scope.isEmpty()) {
        pills.push_back({frame.verdict.scope, theme.pillNeutral, theme.pillNeutralText});
    }
    if (!frame.verdict.text.isEmpty()) {
        const bool isOld = frame.verdict.isOld;
        const bool wrong = frame.verdict.tone == TitleVerdict::Tone::wrong;
        const bool blocking = frame.verdict.tone == TitleVerdict::Tone::blocking;
        const bool overlapped = frame.verdict.tone == TitleVerdict::Tone::overlapped;
        pills.push_back({filter.empty() ? frame.verdict.text : frame.verdict.textBesideFilter(),
            isOld            ? theme.pillNeutral
                : wrong      ? theme.pillCaution
                : blocking   ? theme.pillBlocking
                : overlapped ? theme.pillOverlapped
                             : theme.pillNeutral,
            isOld            ? theme.muted
                : wrong      ? theme.pillCautionText
                : blocking   ? theme.pillBlockingText
                : overlapped ? theme.pillOverlappedText
                             : theme.pillNeutralText});
    }
    if (!filter.empty()) {
        pills.push_back({TitlePillsTexts::tr("lanes filtered: %1").arg(QString::fromStdString(filter)),
            theme.pillNeutral, theme.pillNeutralText});
    }
    return pills;
}

}  // namespace lanes::gui
