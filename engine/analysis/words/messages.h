// SPDX-License-Identifier: MIT
// The sentences of the engine in every language: a message is an id with arguments;
// resources/text/LANGUAGE.yaml holds the sentences.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes {

struct Message {
    struct Part;
    using Arguments = std::vector<std::pair<std::string, std::string>>;

    std::string id;  ///< "verdict.blocking"; "": nothing to say
    Arguments arguments;  ///< names unchanged from the file: format() makes them printable
    std::vector<Part> parts;  ///< arguments that are messages themselves: the name of a cause, "thread 7"

    // Defined where Part is complete: libstdc++ 14 makes a vector's constructor a constant expression, which clang
    // evaluates at once.
    Message();
    Message(std::string id, Arguments arguments);
    Message(std::string id, Arguments arguments, std::vector<Part> parts);

    bool empty() const { return id.empty(); }
    /// In English, where no language is at hand.
    operator std::string() const;  // NOLINT(google-explicit-constructor): a message stands for its text
};

struct Message::Part {
    std::string name;
    Message message;
};

/// The sentences of one language, with arguments as {name}. Does not change once loaded.
class Messages {
public:
    /// The languages there are: "en", "zh_CN".
    static const std::vector<std::string>& languages();
    /// The nearest of languages() to a locale's name ("zh_CN.UTF-8", "de_DE"): English unless it is Chinese.
    static std::string language_of_locale(std::string_view locale);

    /// The sentences of `language`; English where the language or a sentence of it is missing. Loaded once a
    /// process; may be called from any thread. Without the resources a message reads as its id and arguments.
    static const Messages& of(const std::string& language);
    static const Messages& english() { return of("en"); }

    const std::string& language() const { return m_language; }

    /// Reads sentences from YAML text: nested maps whose keys joined with '.' are the ids.
    /// Throws std::runtime_error for anything else.
    explicit Messages(const std::string& yaml);
    Messages() = default;

    std::string format(const Message& message) const;
    /// The sentence of a message without arguments.
    std::string text(std::string_view id) const { return format({std::string(id), {}}); }

    const std::map<std::string, std::string, std::less<>>& sentences() const { return m_sentences; }

private:
    std::string m_language = "en";
    std::map<std::string, std::string, std::less<>> m_sentences;
};

}  // namespace lanes
