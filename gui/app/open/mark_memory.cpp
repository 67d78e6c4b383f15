// SPDX-License-Identifier: MIT
#include "gui/app/open/mark_memory.h"

#include "gui/app/open/file_memory.h"

#include <QStringList>

#include <algorithm>

namespace lanes::gui {

namespace {

const FileMemory& markedFiles()
{
    static const FileMemory memory(QStringLiteral("marks"));
    return memory;
}

}  // namespace

void forgetMarks(const QString& file)
{
    markedFiles().forget(file);
}

void rememberMarks(const QString& file, const std::vector<UserMark>& marks)
{
    QStringList times;
    QStringList texts;
    for (const UserMark& mark : marks) {
        times += QString::number(mark.time);
        texts += QString::fromStdString(mark.text);
    }
    markedFiles().remember(file, {{QStringLiteral("times"), times}, {QStringLiteral("texts"), texts}});
}

std::optional<std::vector<UserMark>> recalledMarks(const QString& file)
{
    const auto kept = markedFiles().recalled(file);
    if (!kept) {
        return {};
    }
    const QStringList times = kept->value(QStringLiteral("times")).toStringList();
    const QStringList texts = kept->value(QStringLiteral("texts")).toStringList();
    std::vector<UserMark> marks;
    for (qsizetype i = 0; i < std::min(times.size(), texts.size()); ++i) {
        marks.push_back({times[i].toLongLong(), texts[i].toStdString()});
    }
    return marks;
}

}  // namespace lanes::gui
