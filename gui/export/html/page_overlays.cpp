// SPDX-License-Identifier: MIT
#include "gui/export/html/page_overlays.h"

#include "gui/lanes/annotation_lanes.h"
#include "gui/paint/staging_painter.h"

#include <algorithm>
#include <QJsonObject>

namespace lanes::gui {

namespace {

constexpr qsizetype most_sketches = 200;
constexpr std::size_t most_parts = 2000;  // 8 KB of the page, packed

}  // namespace

QJsonArray annotationsOf(const PageRecording& recording, PageTexts& texts)
{
    static constexpr const char* kinds[] = {"text", "bracket", "arrow", "frame"};
    const LaneModel& model = *recording.view.model;
    const std::vector<std::string> lanes = annotationLanes(model);
    QJsonArray all;
    for (const Annotation& one : *model.recording().annotations) {
        const auto spot = [&](const AnnotationSpot& at) {
            const std::size_t lane = at.lane.empty()
                ? lanes.size()
                : laneOfAnnotation(model, lanes, at.lane, at.time).value_or(lanes.size());
            return QJsonArray {static_cast<qint64>(at.time), at.lane.empty() ? -1 : static_cast<int>(lane), at.height};
        };
        all += QJsonObject {{QStringLiteral("kind"), QLatin1String(kinds[static_cast<std::size_t>(one.kind)])},
            {QStringLiteral("text"), static_cast<qint64>(texts.say(QString::fromStdString(one.text)))},
            {QStringLiteral("from"), spot(one.from)}, {QStringLiteral("to"), spot(one.to)}};
    }
    return all;
}

QJsonArray stagingOf(const PageRecording& recording, PageTexts& texts)
{
    const LaneModel& model = *recording.view.model;
    std::size_t parts = 0;
    QJsonArray all;
    for (std::size_t l = 0; l < model.lanes().size(); ++l) {
        for (std::size_t r = 0; r < model.lanes()[l].rows.size(); ++r) {
            const LaneRow& row = model.lanes()[l].rows[r];
            if (row.kind != ItemKind::call) {
                continue;
            }
            for (std::size_t i = 0; i < row.items.size() && all.size() < most_sketches; ++i) {
                const auto sketch = stagingSketchOf(model.recording(), row.items.place(i));
                if (!sketch) {
                    continue;
                }
                QJsonArray steps;
                Ns at = row.items.start(i);
                parts += sketch->size();
                for (std::size_t p = 0; p < (parts <= most_parts ? sketch->size() : 1); ++p) {
                    const StagingPart part = sketch->part(p);
                    steps += static_cast<int>(part.step);
                    steps += static_cast<qint64>(part.end - at);
                    at = part.end;
                }
                all += QJsonObject {{QStringLiteral("at"),
                                        QJsonArray {static_cast<int>(l), static_cast<int>(r), static_cast<qint64>(i)}},
                    {QStringLiteral("each"), sketch->each()},
                    {QStringLiteral("pieces"), static_cast<qint64>(sketch->pieces())},
                    {QStringLiteral("text"), static_cast<qint64>(texts.say(stagingOverview(sketch->pieces())))},
                    {QStringLiteral("parts"), steps}};
            }
        }
    }
    return all;
}

QJsonArray stagingWords(PageTexts& texts)
{
    QJsonArray words;
    for (const StagingStep step :
        {StagingStep::wait, StagingStep::pinned_buffer, StagingStep::transfer, StagingStep::host_copy}) {
        words += static_cast<qint64>(texts.say(stagingStepText(step)));
    }
    words += static_cast<qint64>(texts.say(stagingMark()));
    return words;
}

}  // namespace lanes::gui
