// SPDX-License-Identifier: MIT
#include "gui/paint/words/engine_words.h"

#include "engine/ascii.h"
#include "engine/trace/event.h"
#include "gui/paint/words/time_format.h"

#include <QLocale>

namespace lanes::gui {

namespace {

QString word(const char* section, std::string_view name)
{
    return QString::fromStdString(engineMessages().text(section + std::string(name)));
}

}  // namespace

const Messages& engineMessages()
{
    return Messages::of(Messages::language_of_locale(QLocale().name().toStdString()));
}

const std::string& windowLanguage()
{
    return engineMessages().language();
}

QString sentenceOf(Message message)
{
    for (auto& [name, value] : message.arguments) {
        if (value.size() > 1 && value[0] == '-' && ascii::is_digit(value[1])) {
            value = withMinusSign(QString::fromStdString(value)).toStdString();
        }
    }
    return QString::fromStdString(engineMessages().format(message));
}

QString kindText(EventKind kind)
{
    return word("kind.", name_of(kind));
}

QString memoryText(MemoryKind kind)
{
    return word("memory.", name_of(kind));
}

QString causeText(BlockCause cause)
{
    return word("cause.", name_of(cause));
}

}  // namespace lanes::gui
