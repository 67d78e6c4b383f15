// SPDX-License-Identifier: MIT
#include "gui/app/annotation_memory.h"

#include "engine/workload/workload.h"
#include "gui/export/annotation_file.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSettings>

namespace lanes::gui {

namespace {

constexpr qsizetype most_annotated_files = 100;

/// What differs when the file is another one now.
QString annotatedState(const QString& file)
{
    const QFileInfo info(file);
    return QStringLiteral("%1 %2").arg(info.size()).arg(info.lastModified().toMSecsSinceEpoch());
}

QString annotatedPath(const QVariant& entry)
{
    return entry.toMap().value(QStringLiteral("file")).toString();
}

}  // namespace

void rememberAnnotations(const QString& file, const std::vector<Annotation>& annotations)
{
    const QString path = QFileInfo(file).absoluteFilePath();
    QVariantList kept = QSettings().value(QStringLiteral("annotations")).toList();
    kept.removeIf([&](const QVariant& entry) { return annotatedPath(entry) == path; });
    if (!annotations.empty()) {
        kept.prepend(QVariantMap {{QStringLiteral("file"), path}, {QStringLiteral("state"), annotatedState(file)},
            {QStringLiteral("text"), QString::fromStdString(annotationText(annotations))}});
    }
    QSettings().setValue(QStringLiteral("annotations"), kept.first(std::min(kept.size(), most_annotated_files)));
}

std::optional<std::vector<Annotation>> recalledAnnotations(const QString& file)
{
    const QString path = QFileInfo(file).absoluteFilePath();
    for (const QVariant& entry : QSettings().value(QStringLiteral("annotations")).toList()) {
        const QVariantMap map = entry.toMap();
        if (annotatedPath(entry) == path && map.value(QStringLiteral("state")).toString() == annotatedState(file)) {
            try {
                return parseAnnotations(map.value(QStringLiteral("text")).toString().toStdString(), "");
            } catch (const WorkloadError&) {
                return {};  // settings of another version
            }
        }
    }
    return {};
}

}  // namespace lanes::gui
