// SPDX-License-Identifier: MIT
#include "gui/export/html/page_overlays.h"

#include "gui/lanes/annotation_lanes.h"

#include <algorithm>
#include <QJsonObject>

namespace lanes::gui {

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

}  // namespace lanes::gui
