// SPDX-License-Identifier: MIT
#include "gui/app/open/annotation_memory.h"

#include "engine/workload/workload.h"
#include "gui/app/open/file_memory.h"
#include "gui/export/annotation_file.h"

namespace lanes::gui {

namespace {

const FileMemory& annotatedFiles()
{
    static const FileMemory memory(QStringLiteral("annotations"));
    return memory;
}

}  // namespace

void rememberAnnotations(const QString& file, const std::vector<Annotation>& annotations)
{
    if (annotations.empty()) {
        annotatedFiles().forget(file);
    } else {
        annotatedFiles().remember(
            file, {{QStringLiteral("text"), QString::fromStdString(annotationText(annotations))}});
    }
}

std::optional<std::vector<Annotation>> recalledAnnotations(const QString& file)
{
    if (const auto kept = annotatedFiles().recalled(file)) {
        try {
            return parseAnnotations(kept->value(QStringLiteral("text")).toString().toStdString(), "");
        } catch (const WorkloadError&) {
            return {};  // settings of another version
        }
    }
    return {};
}

}  // namespace lanes::gui
