// SPDX-License-Identifier: MIT
#include "gui/export/html/page_texts.h"

#include "gui/paint/words/printable_text.h"

#include <stdexcept>

namespace lanes::gui {

void PageTexts::next()
{
    if (m_language != SIZE_MAX && m_language > 0 && m_said[m_language].size() != m_said[0].size()) {
        throw std::logic_error("the languages of a page say different texts");
    }
    ++m_language;
    m_count = 0;
    if (m_texts.empty()) {
        m_texts.assign(languages(), {QString()});
        m_numbers.insert(QString(static_cast<qsizetype>(languages()), QChar(0)), 0);
    }
}

std::uint32_t PageTexts::say(const QString& text)
{
    return keep(printable(text));
}

std::uint32_t PageTexts::say(const QStringList& lines)
{
    QStringList clean;
    for (const QString& line : lines) {
        clean += printable(line);
    }
    return keep(clean.join(QLatin1Char('\n')));
}

std::uint32_t PageTexts::keep(const QString& text)
{
    const std::size_t at = m_count++;
    if (m_language + 1 < languages()) {
        m_said[m_language].push_back(text);
        return 0;
    }
    QString key;
    for (std::size_t language = 0; language + 1 < languages(); ++language) {
        key += m_said[language].at(at) + QChar(0);
    }
    key += text + QChar(0);
    const auto found = m_numbers.constFind(key);
    if (found != m_numbers.constEnd()) {
        return found.value();
    }
    const auto number = static_cast<std::uint32_t>(m_texts.front().size());
    for (std::size_t language = 0; language + 1 < languages(); ++language) {
        m_texts[language].push_back(m_said[language][at]);
    }
    m_texts.back().push_back(text);
    m_numbers.insert(key, number);
    return number;
}

}  // namespace lanes::gui
