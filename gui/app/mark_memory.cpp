// SPDX-License-Identifier: MIT
#include "gui/app/mark_memory.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSettings>

namespace lanes::gui {

namespace {

constexpr qsizetype most_files = 100;

QVariantList files()
{
    return QSettings().value(QStringLiteral("marks")).toList();
}

/// What differs when the file is another one now.
QString stateOf(const QString& file)
{
    const QFileInfo info(file);
    return QStringLiteral("%1 %2").arg(info.size()).arg(info.lastModified().toMSecsSinceEpoch());
}

QString pathOf(const QVariant& entry)
{
    return entry.toMap().value(QStringLiteral("file")).toString();
}

}  // namespace

void forgetMarks(const QString& file)
{
    const QString path = QFileInfo(file).absoluteFilePath();
    QVariantList kept = files();
    kept.removeIf([&](const QVariant& entry) { return pathOf(entry) == path; });
    QSettings().setValue(QStringLiteral("marks"), kept);
}

void rememberMarks(const QString& file, const std::vector<UserMark>& marks)
{
    forgetMarks(file);
    QStringList times;
    QStringList texts;
    for (const UserMark& mark : marks) {
        times += QString::number(mark.time);
        texts += QString::fromStdString(mark.text);
    }
    QVariantList kept = files();
    kept.prepend(QVariantMap {{QStringLiteral("file"), QFileInfo(file).absoluteFilePath()},
        {QStringLiteral("state"), stateOf(file)}, {QStringLiteral("times"), times}, {QStringLiteral("texts"), texts}});
    QSettings().setValue(QStringLiteral("marks"), kept.first(std::min(kept.size(), most_files)));
}

std::optional<std::vector<UserMark>> recalledMarks(const QString& file)
{
    const QString path = QFileInfo(file).absoluteFilePath();
    for (const QVariant& entry : files()) {
        const QVariantMap map = entry.toMap();
        if (pathOf(entry) != path || map.value(QStringLiteral("state")).toString() != stateOf(file)) {
            continue;
        }
        const QStringList times = map.value(QStringLiteral("times")).toStringList();
        const QStringList texts = map.value(QStringLiteral("texts")).toStringList();
        std::vector<UserMark> marks;
        for (qsizetype i = 0; i < std::min(times.size(), texts.size()); ++i) {
            marks.push_back({times[i].toLongLong(), texts[i].toStdString()});
        }
        return marks;
    }
    return {};
}

}  // namespace lanes::gui
