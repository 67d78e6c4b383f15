// SPDX-License-Identifier: MIT
// The texts of a page in all its languages, each text once.
//
// Whoever collects texts runs once a language, over the same things in the same order: say() then knows by its count
// which texts are the same in other words. In the last run it returns the number of the text in the page.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace lanes::gui {

class PageTexts {
public:
    explicit PageTexts(std::size_t languages)
        : m_said(languages)
    {
    }
    /// Begins the next language, the first one included.
    void next();
    /// Untrusted text, cleaned of what cannot be drawn; 0 until the last language, then its number. 0 is "".
    std::uint32_t say(const QString& text);
    /// Several that go together: alternatives for a place, lines of a tip. They come as one text with line breaks.
    std::uint32_t say(const QStringList& lines);

    std::size_t languages() const { return m_said.size(); }
    /// By number, of one language.
    const std::vector<QString>& texts(std::size_t language) const { return m_texts[language]; }

private:
    std::uint32_t keep(const QString& text);

    std::size_t m_language = SIZE_MAX;
    std::size_t m_count = 0;  // said in this language
    std::vector<std::vector<QString>> m_said;  // by language, in the order of say()
    std::vector<std::vector<QString>> m_texts;
    QHash<QString, std::uint32_t> m_numbers;  // by the text in all languages
};

}  // namespace lanes::gui
