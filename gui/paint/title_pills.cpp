// SPDX-License-Identifier: MIT
#include "gui/paint/title_pills.h"

#include "engine/analysis/facts/record_ends.h"
#include "gui/paint/words/time_format.h"
#include "gui/paint/words/utf8_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lanes::gui {

namespace {

struct TitlePillsTexts {
    Q_DECLARE_TR_FUNCTIONS(TimelinePainter)
};

constexpr LabelPainter::Style title_style {14, TextStyle::semiBold};
constexpr LabelPainter::Style title_pill_style {12, TextStyle::semiBold};
constexpr LabelPainter::Style note_style {12, TextStyle::regular};
constexpr double title_margin = 14, pill_inset = 11;

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
                             : theme.pillNeutralText,
            !wrong, filter.empty() ? frame.verdict.reason : QString()});
    }
    if (!filter.empty()) {
        pills.push_back({TitlePillsTexts::tr("lanes filtered: %1").arg(QString::fromStdString(filter)),
            theme.pillNeutral, theme.pillNeutralText});
    }
    return pills;
}

/// The shortest words of what the colours say: "waits cost 32.8 ms", "overlapped".
static QString shortReason(const TitlePill& pill)
{
    const QList<qsizetype> ends = LabelPainter::clauseEnds(pill.reason);
    return ends.isEmpty() ? pill.reason : pill.reason.left(*std::min_element(ends.begin(), ends.end()));
}

/// Whether what the colours say is in `shown`; of a text that has it anywhere else than in its first clause.
static bool saysItsReason(const TitlePill& pill, const QString& shown)
{
    return pill.reason.isEmpty() ? shown.size() == pill.text.size() || !LabelPainter::clauseEnds(shown).isEmpty()
                                 : shown.contains(shortReason(pill));
}

/// With as many clauses as have room: what the colours say goes before what else is said.
static QString fittingText(const TitlePill& pill, double room, LabelPainter& labels)
{
    const QString usual = labels.clauses(pill.text, room, title_pill_style);
    const qsizetype at = pill.reason.isEmpty() ? -1 : pill.text.indexOf(pill.reason);
    if (at < 0 || saysItsReason(pill, usual)) {
        return usual;
    }
    const QList<qsizetype> ends = LabelPainter::clauseEnds(pill.text);
    const qsizetype first = std::min(ends.isEmpty() ? at : *std::min_element(ends.begin(), ends.end()), at);
    const qsizetype between = at > 1 && pill.text[at - 1] == u' ' ? 2 : std::min<qsizetype>(at, 1);  // "; ", "\uFF1B"
    const QString both = pill.text.left(first) + pill.text.mid(at - between, between) + pill.reason;
    const QString found = labels.fitting({both, pill.reason, shortReason(pill)}, room, title_pill_style);
    return found.isEmpty() ? usual : found;
}

TitleRow titleRow(const TimelineFrame& frame, LabelPainter& labels)
{
    const Theme& theme = frame.theme;
    const double middle = FrameGeometry::title_height / 2.0;
    const double width = frame.geometry.size.width();
    TitleRow row;
    double x = title_margin;
    const auto add = [&](const QString& said, LabelPainter::Style style, const QColor& color) {
        row.pieces.push_back({x, said, style, color});
        row.end = x + labels.width(said, style);
    };
    if (!frame.letter.isEmpty()) {
        add(frame.letter, title_style, theme.accent);
        x = row.end + 10;
    }
    const ShownRecording& recording = frame.model.recording();
    add(labels.elided(text(recording.title), width / 2 - x, title_style), title_style, theme.text);
    x = std::max<double>(row.end + 14, frame.geometry.labelWidth);
    if (frame.part && !frame.part->said.isEmpty()) {
        add(labels.clauses(frame.part->said, width - x - title_margin, title_pill_style), title_pill_style,
            frame.part->isLate ? theme.pillBlockingText : theme.muted);
        x = row.end + 14;
    }
    for (const TitlePill& pill : titlePills(frame)) {
        const QString shown = fittingText(pill, width - x - title_margin - 2 * pill_inset, labels);
        if (pill.text.isEmpty() || shown.size() < 4) {
            continue;
        }
        const bool neutral = pill.isJudged && !saysItsReason(pill, shown);
        const QRectF box(x, middle - 11, labels.width(shown, title_pill_style) + 2 * pill_inset, 22);
        row.pieces.push_back({x + pill_inset, shown, title_pill_style, neutral ? theme.pillNeutralText : pill.color,
            box, neutral ? theme.pillNeutral : pill.ground});
        row.end = box.right();
        x = row.end + 10;
    }
    const QString note
        = labels.elided(frame.geometry.note ? text(recording.note) : QString(), width - x - title_margin, note_style);
    if (note.size() > 3) {
        x += 4;
        add(note, note_style, theme.muted);
    }
    return row;
}

}  // namespace lanes::gui
