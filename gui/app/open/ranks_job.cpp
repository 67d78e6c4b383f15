// SPDX-License-Identifier: MIT
#include "gui/app/open/ranks_job.h"

#include "engine/ranks/merge_ranks.h"
#include "gui/paint/words/time_format.h"

#include <QFileInfo>

#include <algorithm>
#include <cstdlib>

namespace lanes::gui {

namespace {

constexpr double reading_share = 0.7;  // the rest of the bar is the analysis

/// What people must know of how the times of the parts were brought together; "": they had one clock.
QString clocksOf(const std::vector<MergedPart>& parts)
{
    QStringList lines;
    for (const MergedPart& part : parts) {
        const QString name = QFileInfo(QString::fromStdString(part.name)).fileName();
        const QString moved = formatTime(std::llabs(part.moved));
        if (part.alignment == lanes::Alignment::collectives) {
            lines += WorkerJob::tr("%1 shifted by %2, ± %3").arg(name, moved, formatTime(part.uncertainty.value_or(0)));
        } else if (part.alignment == lanes::Alignment::starts) {
            lines += WorkerJob::tr("%1 shifted by %2: no time in common, so all begin together").arg(name, moved);
        }
    }
    return lines.join(QStringLiteral("; "));
}

}  // namespace

WorkerJob* makeRanksJob(const QStringList& files, QObject* parent)
{
    const QString title = WorkerJob::tr("Opening %1 ranks").arg(files.size());
    return new WorkerJob(
        title,
        [files](const Progress& progress) {
            std::vector<MergedPart> parts;
            const double share = reading_share / static_cast<double>(files.size());
            for (const QString& file : files) {
                const double begun = share * static_cast<double>(parts.size());
                MergedPart part;
                part.name = file.toStdString();
                part.trace = open_recording(part.name, progress.part(begun, begun + share));
                parts.push_back(std::move(part));
            }
            Trace trace = merge_ranks(parts);
            const QString clocks = clocksOf(parts);
            parts.clear();
            auto shown = std::make_shared<OpenRecording>(
                *analysed(std::move(trace), QString(), progress.part(reading_share, 1)));
            if (shown->title.empty()) {
                shown->title = WorkerJob::tr("%1 ranks").arg(files.size()).toStdString();
            }
            if (!clocks.isEmpty()) {
                shown->note = clocks.toStdString();
            }
            return OpenRecordingPtr(shown);
        },
        parent);
}

}  // namespace lanes::gui
