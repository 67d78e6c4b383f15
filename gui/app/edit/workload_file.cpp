// SPDX-License-Identifier: MIT
#include "gui/app/edit/workload_file.h"

#include "gui/export/picture.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace lanes::gui {

namespace {

struct WorkloadFileTexts {
    Q_DECLARE_TR_FUNCTIONS(WorkloadFile)
};

constexpr qint64 longest_text = 4 << 20;

}  // namespace

std::optional<QString> workloadText(const QString& file)
{
    QFile from(file);
    if (!QFileInfo(file).isFile() || !from.open(QIODevice::ReadOnly) || from.size() > longest_text) {
        return {};
    }
    return QString::fromUtf8(from.readAll());
}

QString writeWorkload(const QString& file, const QString& text)
{
    QFileInfo(file).dir().mkpath(QStringLiteral("."));
    if (const QString problem = saveWhole(file, text.toUtf8()); !problem.isEmpty()) {
        return WorkloadFileTexts::tr("%1 could not be written: %2").arg(QDir::toNativeSeparators(file), problem);
    }
    return {};
}

}  // namespace lanes::gui
