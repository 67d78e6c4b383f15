// SPDX-License-Identifier: MIT
#include "engine/analysis/messages.h"

#include "engine/workload/resources.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <mutex>
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
        throw std::runtime_error("texts: '" + id + "' is no sentence");
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

/// `value` with `unit` and four digits, trailing zeros left out: "48.4 ms", "2 ms".
std::string with_unit(double value, const char* unit)
{
    const double size = std::abs(value);
    const int digits = size < 9.9995 ? 2 : size < 99.995 ? 1 : 0;
    std::array<char, 48> text {};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    std::string shown = text.data();
    if (digits > 0) {
        shown.erase(shown.find_last_not_of('0') + 1);
        if (shown.back() == '.') {
            shown.pop_back();
        }
    }
    return shown + unit;
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
            text.append(" ").append(name).append("=").append(value);
        }
        return text;
    }
    std::string text;
    std::string_view rest = found->second;
    while (!rest.empty()) {
        const auto open = rest.find('{');
        text += rest.substr(0, open);
        if (open == std::string_view::npos) {
            break;
        }
        rest.remove_prefix(open);
        const auto close = rest.find('}');
        const auto name = rest.substr(1, close == std::string_view::npos ? close : close - 1);
        const std::string* value = nullptr;
        for (const auto& argument : message.arguments) {
            if (argument.first == name) {
                value = &argument.second;
            }
        }
        const auto length = close == std::string_view::npos ? rest.size() : close + 1;
        text += value == nullptr ? rest.substr(0, length) : std::string_view(*value);
        rest.remove_prefix(length);
    }
    return text;
}

Message::operator std::string() const
{
    return Messages::english().format(*this);
}

std::string shown_time(Ns time)
{
    const auto size = std::abs(static_cast<double>(time));
    const auto value = static_cast<double>(time);
    if (size < 999.5) {
        return with_unit(value, " ns");
    }
    if (size < 999.5e3) {
        return with_unit(value / 1e3, " µs");
    }
    return size < 999.5e6 ? with_unit(value / 1e6, " ms") : with_unit(value / 1e9, " s");
}

std::string shown_percent(double fraction)
{
    // Never 0 % of something, never 100 % of less than all.
    const double percent = fraction * 100;
    if (percent > 0 && percent < 0.05) {
        return "< 0.1 %";
    }
    if (percent < 100 && percent >= 99.95) {
        return "> 99.9 %";
    }
    const bool near_end = (percent > 0 && percent < 0.95) || (percent < 100 && percent >= 99.05);
    std::array<char, 48> text {};
    std::snprintf(text.data(), text.size(), near_end ? "%.1f %%" : "%.0f %%", percent);
    return text.data();
}

std::string shown_bytes(std::uint64_t bytes)
{
    constexpr std::array<const char*, 5> units {" B", " KiB", " MiB", " GiB", " TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return with_unit(value, units[unit]);
}

std::string shown_ratio(double ratio)
{
    return with_unit(ratio, "");
}

}  // namespace lanes
