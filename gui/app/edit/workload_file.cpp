// SPDX-License-Identifier: MIT
#include "gui/app/edit/workload_file.h"

#include "gui/export/whole_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace lanes::gui {

namespace {

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
    return saveWhole(file, text.toUtf8());
}

}  // namespace lanes::gui
