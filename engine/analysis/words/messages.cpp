// SPDX-License-Identifier: MIT
#include "engine/analysis/words/messages.h"

#include "engine/analysis/words/seams.h"
#include "engine/analysis/words/text_table.h"
#include "engine/workload/resources.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <yaml-cpp/yaml.h>

namespace lanes {

namespace {

void collect(const YAML::Node& node, const std::string& id, std::map<std::string, std::string, std::less<>>& sentences)
{
    if (node.IsMap()) {
        for (const auto& entry : node) {
            const auto name = entry.first.as<std::string>();
            collect(entry.second, id.empty() ? name : id + '.' + name, sentences);
        }
    } else if (node.IsScalar() && !id.empty()) {
        sentences[id] = node.Scalar();
    } else {
        throw std::runtime_error("texts: '" + id + "' is not a message id");
    }
}

Messages load(const std::string& language)
{
    std::ifstream file;
    try {
        file.open(resource("text/" + language + ".yaml"), std::ios::binary);
    } catch (const std::runtime_error&) {
        return {};  // no resources: a report without sentences is better than none
    }
    return file ? Messages(std::string {std::istreambuf_iterator<char>(file), {}}) : Messages();
}

/// The form of "record was|records were" for a number.
std::string form_for(const std::string& number, std::string_view forms)
{
    const auto bar = std::min(forms.find('|'), forms.size());
    return std::string(number == "1" ? forms.substr(0, bar) : forms.substr(std::min(bar + 1, forms.size())));
}

}  // namespace

const std::vector<std::string>& Messages::languages()
{
    static const std::vector<std::string> all {"en", "zh_CN"};
    return all;
}

std::string Messages::language_of_locale(std::string_view locale)
{
    return locale.starts_with("zh") ? "zh_CN" : "en";
}

const Messages& Messages::of(const std::string& language)
{
    static std::mutex mutex;
    static std::map<std::string, Messages> loaded;
    const std::lock_guard lock(mutex);
    const auto place = loaded.find(language);
    if (place != loaded.end()) {
        return place->second;
    }
    auto messages = load("en");
    if (language != "en" && language == language_of_locale(language)) {
        const auto other = load(language);
        messages.m_language = language;
        for (const auto& [id, sentence] : other.m_sentences) {
            messages.m_sentences[id] = sentence;
        }
    }
    return loaded.emplace(language, std::move(messages)).first->second;
}

Messages::Messages(const std::string& yaml)
{
    try {
        collect(YAML::Load(yaml), "", m_sentences);
    } catch (const YAML::Exception& error) {
        throw std::runtime_error(std::string("texts: ") + error.what());
    }
}

std::string Messages::format(const Message& message) const
{
    const auto found = m_sentences.find(message.id);
    if (found == m_sentences.end()) {
        auto text = message.id;
        for (const auto& [name, value] : message.arguments) {
            text.append(" ").append(name).append("=").append(printable(value));
        }
        for (const auto& part : message.parts) {
            text.append(" ").append(part.name).append("=").append(format(part.message));
        }
        return text;
    }
    std::string text;
    std::string_view rest = found->second;
    while (!rest.empty()) {
        const auto open = rest.find('{');
        append_spaced(text, rest.substr(0, open));
        if (open == std::string_view::npos) {
            break;
        }
        rest.remove_prefix(open);
        const auto close = rest.find('}');
        const auto inside = rest.substr(1, close == std::string_view::npos ? close : close - 1);
        const auto name = inside.substr(0, inside.find('|'));
        std::optional<std::string> value;
        for (const auto& argument : message.arguments) {
            if (argument.first == name) {
                value = printable(argument.second);
            }
        }
        for (const auto& part : message.parts) {
            if (part.name == name) {
                value = format(part.message);
            }
        }
        if (value && name.size() < inside.size()) {
            value = form_for(*value, inside.substr(name.size() + 1));
        }
        const auto length = close == std::string_view::npos ? rest.size() : close + 1;
        append_spaced(text, value.value_or(std::string(rest.substr(0, length))));
        rest.remove_prefix(length);
    }
    return m_language == "zh_CN" ? tight_percents(std::move(text)) : text;
}

Message::Message() = default;

Message::Message(std::string id, Arguments arguments)
    : id(std::move(id))
    , arguments(std::move(arguments))
{
}

Message::Message(std::string id, Arguments arguments, std::vector<Part> parts)
    : id(std::move(id))
    , arguments(std::move(arguments))
    , parts(std::move(parts))
{
}

Message::operator std::string() const
{
    return Messages::english().format(*this);
}

}  // namespace lanes
