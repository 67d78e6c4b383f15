// SPDX-License-Identifier: MIT
#include "gui/app/open/file_memory.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr qsizetype most_files = 100;

QVariantList without(QVariantList entries, const QString& path)
{
    entries.removeIf([&](const QVariant& entry) { return entry.toMap().value(QStringLiteral("file")) == path; });
    return entries;
}

/// What differs when the file is another one now.
QString stateOf(const QFileInfo& file)
{
    return QStringLiteral("%1 %2").arg(file.size()).arg(file.lastModified().toMSecsSinceEpoch());
}

}  // namespace

void FileMemory::remember(const QString& file, QVariantMap what) const
{
    const QFileInfo info(file);
    const QString path = info.absoluteFilePath();
    what[QStringLiteral("file")] = path;
    what[QStringLiteral("state")] = stateOf(info);
    QSettings settings;
    QVariantList kept = without(settings.value(m_key).toList(), path);
    kept.prepend(what);
    settings.setValue(m_key, kept.first(std::min(kept.size(), most_files)));
}

void FileMemory::forget(const QString& file) const
{
    QSettings settings;
    settings.setValue(m_key, without(settings.value(m_key).toList(), QFileInfo(file).absoluteFilePath()));
}

std::optional<QVariantMap> FileMemory::recalled(const QString& file) const
{
    const QFileInfo info(file);
    for (const QVariant& entry : QSettings().value(m_key).toList()) {
        QVariantMap what = entry.toMap();
        if (what.value(QStringLiteral("file")) == info.absoluteFilePath()
            && what.value(QStringLiteral("state")) == stateOf(info)) {
            return what;
        }
    }
    return {};
}

}  // namespace lanes::gui
