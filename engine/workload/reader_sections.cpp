// SPDX-License-Identifier: MIT
#include "engine/ascii.h"
#include "engine/workload/nearest.h"
#include "engine/workload/reader.h"

#include <algorithm>

namespace lanes::syntax {

namespace {

constexpr std::size_t most_names = 1000;

const std::vector<std::string> sections {"title", "description", "matters", "look", "why", "rule", "quiz", "exercise",
    "compared", "view", "parameters", "variants", "usual", "buffers", "cache", "streams", "events", "queues", "peers",
    "parts", "threads", "code"};

// Keys of a variant that are no parameters.
constexpr std::string_view launch_blocking_key = "launch_blocking", peer_access_key = "peer_access",
                           expect_error_key = "expect_error";

bool is_error_name(std::string_view text)
{
    return text.starts_with("cudaError") && text.size() > 9 && text.size() <= 64
        && std::all_of(text.begin(), text.end(), ascii::is_letter_or_digit);
}

/// The type of parameters whose values have this dimension; nothing for text, which needs `one_of`.
std::optional<Parameter::Type> type_of(Dimension dimension)
{
    switch (dimension) {
    case Dimension::number:
        return Parameter::Type::number;
    case Dimension::bytes:
        return Parameter::Type::bytes;
    case Dimension::time:
        return Parameter::Type::time;
    case Dimension::boolean:
        return Parameter::Type::boolean;
    case Dimension::text:
        break;
    }
    return std::nullopt;
}

}  // namespace

Dimension dimension_of(Parameter::Type type)
{
    switch (type) {
    case Parameter::Type::number:
        return Dimension::number;
    case Parameter::Type::bytes:
        return Dimension::bytes;
    case Parameter::Type::time:
        return Dimension::time;
    case Parameter::Type::boolean:
        return Dimension::boolean;
    case Parameter::Type::choice:
        break;
    }
    return Dimension::text;
}

std::string parameter_problem(const Parameter& parameter, const Value& value, const std::optional<Value>& minimum,
    const std::optional<Value>& maximum)
{
    const std::string is = "'" + parameter.name + "' is " + to_text(value) + ", expected ";
    if (parameter.type == Parameter::Type::choice) {
        const auto& choices = parameter.one_of;
        if (std::find(choices.begin(), choices.end(), value.text) != choices.end()) {
            return "";
        }
        const auto nearest = nearest_name(value.text, choices);
        return is + alternatives(choices) + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
    }
    if (value.dimension != dimension_of(parameter.type)) {
        return is + std::string(described(dimension_of(parameter.type)));
    }
    if (minimum && value.number < minimum->number) {
        return is + to_text(*minimum) + " or more";
    }
    if (maximum && value.number > maximum->number) {
        return is + to_text(*maximum) + " or less";
    }
    return "";
}

void Reader::read(const YamlNode& root)
{
    expect(root, YamlNode::Kind::map, "a map with title, streams, threads, …");
    for (std::size_t i = 0; i < root.pair_count(); ++i) {
        if (std::find(sections.begin(), sections.end(), root.key(i).text) == sections.end()) {
            fail(root.key(i).place, unknown_name("key", root.key(i).text, sections));
        }
    }
    const auto section = [&](const char* name, auto read) {
        if (const YamlNode* node = root.find(name); node != nullptr && node->kind != YamlNode::Kind::null) {
            read(*node);
        }
    };
    section("title", [&](const YamlNode& node) { m_workload.title = translated(node); });
    section("description", [&](const YamlNode& node) { m_workload.description = translated(node); });
    section("matters", [&](const YamlNode& node) { m_workload.matters = matters(node); });
    section("look", [&](const YamlNode& node) { m_workload.look = lesson_text(node, false); });
    section("why", [&](const YamlNode& node) { m_workload.why = lesson_text(node, false); });
    section("rule", [&](const YamlNode& node) { m_workload.rule = lesson_text(node, false); });
    section("view", [&](const YamlNode& node) { m_workload.view = view(node); });
    section("code", [&](const YamlNode& node) { code(node); });
    section("parameters", [&](const YamlNode& node) { parameters(node); });
    section("variants", [&](const YamlNode& node) { variants(node); });
    section("quiz", [&](const YamlNode& node) { quiz(node); });
    section("compared", [&](const YamlNode& node) { m_workload.compared = compared(node); });
    section("exercise", [&](const YamlNode& node) { m_workload.exercise = exercise(node); });
    section("usual", [&](const YamlNode& node) { usual(node); });
    section("buffers", [&](const YamlNode& node) { declarations(node, "buffer", buffer_keys(), m_body.buffers); });
    section("cache", [&](const YamlNode& node) { map_into(node, "cache", cache_keys(), m_body.cache, nullptr); });
    section("streams", [&](const YamlNode& node) { declarations(node, "stream", stream_keys(), m_body.streams); });
    section("events", [&](const YamlNode& node) { declarations(node, "event", event_keys(), m_body.events); });
    section("queues", [&](const YamlNode& node) { declarations(node, "queue", queue_keys(), m_body.queues); });
    section("peers", [&](const YamlNode& node) { peers(node); });
    section("parts", [&](const YamlNode& node) { parts(node); });
    section("threads", [&](const YamlNode& node) { threads(node); });
    if (m_body.threads.empty()) {
        fail(root.place, "the workload lacks 'threads'");
    }
}

void Reader::expect_few(const YamlNode& node) const
{
    if (node.pair_count() > most_names) {
        fail(node.place, "found more than 1000 names, expected fewer");
    }
}

void Reader::parameters(const YamlNode& node)
{
    expect(node, YamlNode::Kind::map, "a map of parameters");
    expect_few(node);
    for (std::size_t i = 0; i < node.pair_count(); ++i) {
        const std::string name = identifier(node.key(i), "a parameter's name");
        if (name == "title" || name == "look") {
            fail(node.key(i).place,
                "found '" + name + "', expected a parameter's name: variants have their "
                    + (name == "title" ? "titles" : "texts") + " under this key");
        }
        if (name == launch_blocking_key || name == peer_access_key || name == expect_error_key) {
            fail(node.key(i).place, "found '" + name + "', expected a parameter's name: this is a key of variants");
        }
        parameter(name, node.value(i));
    }
}

void Reader::parameter(const std::string& name, const YamlNode& map)
{
    static constexpr Key keys[] = {{"default", Takes::text}, {"min", Takes::text}, {"max", Takes::text},
        {"one_of", Takes::text}, {"label", Takes::text}};
    expect(map, YamlNode::Kind::map, "a map: {default: …}");
    for (std::size_t k = 0; k < map.pair_count(); ++k) {
        if (find_key(keys, map.key(k).text) == nullptr) {
            fail(map.key(k).place, unknown_name("key", map.key(k).text, names_of(keys)) + " (in a parameter)");
        }
    }
    const YamlNode* standard = map.find("default");
    if (standard == nullptr) {
        fail(map.place, "parameter '" + name + "' lacks 'default'");
    }
    Parameter parameter;
    parameter.name = name;
    parameter.default_value = standard->text;
    Value value = literal(*standard);
    if (const YamlNode* choices = map.find("one_of")) {
        expect(*choices, YamlNode::Kind::list, "a list of strings");
        for (const auto& choice : choices->items) {
            expect(choice, YamlNode::Kind::scalar, "a word");
            parameter.one_of.push_back(choice.text);
        }
        parameter.type = Parameter::Type::choice;
        value = {Dimension::text, 0, standard->text};
    } else if (const auto type = type_of(value.dimension)) {
        parameter.type = *type;
    } else {
        fail(standard->place,
            "found " + described(*standard)
                + ", expected a number, a size, a time, true or false; strings need 'one_of'");
    }
    const auto minimum = bound(map, "min", parameter, value.dimension);
    const auto maximum = bound(map, "max", parameter, value.dimension);
    if (minimum && maximum && minimum->number > maximum->number) {
        fail(map.find("min")->place,
            "'min' of '" + name + "' is " + to_text(*minimum) + ", expected no more than its 'max', "
                + to_text(*maximum));
    }
    parameter.min = minimum ? map.find("min")->text : "";
    parameter.max = maximum ? map.find("max")->text : "";
    if (const YamlNode* label = map.find("label")) {
        parameter.label = translated(*label);
    }
    m_workload.parameters.push_back(std::move(parameter));
    m_body.minima.push_back(minimum);
    m_body.maxima.push_back(maximum);
    m_body.defaults.push_back(value);
    check_value(m_workload.parameters.back(), m_workload.parameters.size() - 1, value, standard->place);
}

std::optional<Value> Reader::bound(
    const YamlNode& map, const char* key, const Parameter& parameter, Dimension dimension) const
{
    const YamlNode* limit = map.find(key);
    if (limit == nullptr) {
        return std::nullopt;
    }
    if (parameter.type == Parameter::Type::choice || parameter.type == Parameter::Type::boolean) {
        fail(limit->place, "found '" + std::string(key) + "', which only numbers, sizes and times have");
    }
    auto value = literal(*limit);
    if (value.dimension != dimension) {
        fail(limit->place,
            "found " + described(*limit) + ", expected " + std::string(described(dimension)) + " as '" + parameter.name
                + "' is");
    }
    return value;
}

void Reader::check_value(const Parameter& parameter, std::size_t index, const Value& value, Place place) const
{
    const std::string problem = parameter_problem(parameter, value, m_body.minima[index], m_body.maxima[index]);
    if (!problem.empty()) {
        fail(place, problem);
    }
}

void Reader::variants(const YamlNode& node)
{
    expect(node, YamlNode::Kind::map, "a map of variants");
    expect_few(node);
    std::vector<std::string> known;
    for (const auto& parameter : m_workload.parameters) {
        known.push_back(parameter.name);
    }
    for (std::size_t i = 0; i < node.pair_count(); ++i) {
        Variant variant;
        variant.name = node.key(i).text;
        // It becomes part of a file's name.
        const bool sound = !variant.name.empty() && variant.name.size() <= 64
            && std::all_of(variant.name.begin(), variant.name.end(),
                [](char c) { return ascii::continues_identifier(c) || c == '-'; });
        if (!sound) {
            fail(node.key(i).place,
                "found " + described(node.key(i)) + ", expected a variant's name: letters, digits, '-' and '_'");
        }
        const YamlNode& map = node.value(i);
        if (map.kind != YamlNode::Kind::null) {
            expect(map, YamlNode::Kind::map, "a map of parameters");
        }
        for (std::size_t k = 0; k < map.pair_count(); ++k) {
            const std::string& name = map.key(k).text;
            if (name == "title") {
                variant.title = translated(map.value(k));
                continue;
            }
            if (name == launch_blocking_key || name == peer_access_key) {
                const Value value = literal(map.value(k));
                if (value.dimension != Dimension::boolean) {
                    fail(map.value(k).place, "found " + described(map.value(k)) + ", expected true or false");
                }
                (name == peer_access_key ? variant.peer_access : variant.launch_blocking) = value.number != 0;
                continue;
            }
            if (name == expect_error_key) {
                if (!is_error_name(map.value(k).text)) {
                    fail(map.value(k).place,
                        "found " + described(map.value(k)) + ", expected the name of an error of CUDA: cudaError…");
                }
                variant.expected_error = map.value(k).text;
                continue;
            }
            if (name == "look") {
                variant.look = lesson_text(map.value(k), true);
                continue;
            }
            const auto found = std::find(known.begin(), known.end(), name);
            if (found == known.end()) {
                fail(map.key(k).place, unknown_name("parameter", name, known));
            }
            const auto index = static_cast<std::size_t>(found - known.begin());
            const Parameter& parameter = m_workload.parameters[index];
            const YamlNode& value = map.value(k);
            expect(value, YamlNode::Kind::scalar, "a value");
            const bool choice = parameter.type == Parameter::Type::choice;
            check_value(
                parameter, index, choice ? Value {Dimension::text, 0, value.text} : literal(value), value.place);
            variant.values[name] = value.text;
        }
        m_workload.variants.push_back(std::move(variant));
    }
}

void Reader::declarations(const YamlNode& node, const std::string& what, std::span<const Key> keys, Declarations& into)
{
    expect(node, YamlNode::Kind::map, "a map of " + what + "s");
    expect_few(node);
    for (std::size_t i = 0; i < node.pair_count(); ++i) {
        Declaration declaration;
        declaration.name = identifier(node.key(i), "the name of a " + what);
        declaration.place = node.key(i).place;
        const auto same_name = [&](const Parameter& parameter) { return parameter.name == declaration.name; };
        if (what == "buffer" && std::any_of(m_workload.parameters.begin(), m_workload.parameters.end(), same_name)) {
            // Arithmetic may combine the two.
            fail(declaration.place,
                "'" + declaration.name + "' is a parameter already, expected another name for this buffer");
        }
        if (what == "stream" && (declaration.name == "legacy" || declaration.name == "per_thread")) {
            fail(declaration.place, "'" + declaration.name + "' is a predefined stream, expected another name");
        }
        const YamlNode& value = node.value(i);
        if (value.kind != YamlNode::Kind::null) {
            map_into(value, declaration.name, keys, declaration.arguments, nullptr);
        } else if (std::any_of(keys.begin(), keys.end(), [](const Key& key) { return key.required; })) {
            fail(value.place, "found nothing, expected a map");
        }
        into.push_back(std::move(declaration));
    }
}

void Reader::parts(const YamlNode& node)
{
    expect(node, YamlNode::Kind::map, "a map of parts");
    expect_few(node);
    for (std::size_t i = 0; i < node.pair_count(); ++i) {
        Declaration part;
        part.name = identifier(node.key(i), "the name of a part");
        part.place = node.key(i).place;
        part.steps = steps(node.value(i));
        m_body.parts.push_back(std::move(part));
    }
}

void Reader::threads(const YamlNode& node)
{
    expect(node, YamlNode::Kind::map, "a map of threads");
    expect_few(node);
    for (std::size_t i = 0; i < node.pair_count(); ++i) {
        Declaration thread;
        thread.name = identifier(node.key(i), "the name of a thread");
        thread.place = node.key(i).place;
        if (node.value(i).kind == YamlNode::Kind::map) {
            std::vector<std::pair<std::string_view, Steps>> blocks;
            map_into(node.value(i), thread.name, thread_keys(), thread.arguments, &blocks);
            thread.steps = std::move(blocks.front().second);
        } else {
            thread.steps = steps(node.value(i));
        }
        m_body.threads.push_back(std::move(thread));
    }
}

void Reader::peers(const YamlNode& node)
{
    expect(node, YamlNode::Kind::list, "a list of pairs: [[0, 1]]");
    if (node.items.size() > most_names) {
        fail(node.place, "found more than 1000 pairs, expected fewer");
    }
    for (const auto& pair : node.items) {
        if (pair.kind != YamlNode::Kind::list || pair.items.size() != 2) {
            fail(pair.place, "found " + described(pair) + ", expected a pair of GPUs: [0, 1]");
        }
        const auto a = static_cast<std::uint32_t>(whole_number(pair.items[0], 0, most_gpus - 1));
        const auto b = static_cast<std::uint32_t>(whole_number(pair.items[1], 0, most_gpus - 1));
        if (a == b) {
            fail(pair.place, "found the same GPU twice, expected two");
        }
        m_body.peers.push_back({pair.place, a, b});
    }
}

FirstView Reader::view(const YamlNode& node) const
{
    expect(node, YamlNode::Kind::scalar, "a time range such as 1 ms .. 1.3 ms");
    const std::size_t dots = node.text.find("..");
    if (dots == std::string::npos) {
        fail(node.place, "found " + described(node) + ", expected a time range such as 1 ms .. 1.3 ms");
    }
    const auto time = [&](std::size_t from, std::size_t length) {
        YamlNode part = node;
        const std::size_t first = std::min(node.text.find_first_not_of(' ', from), from + length);
        part.text = node.text.substr(first, from + length - first);
        part.text.erase(part.text.find_last_not_of(' ') + 1);
        part.place.column += static_cast<std::uint32_t>(first);
        const Value value = literal(part);
        if (value.dimension != Dimension::time || value.number < 0 || value.number >= 1e18) {
            fail(part.place, "found " + described(part) + ", expected a time");
        }
        return static_cast<Ns>(value.number);
    };
    const FirstView found {time(0, dots), time(dots + 2, node.text.size() - dots - 2)};
    if (found.end <= found.start) {
        fail(node.place, "found " + described(node) + ", expected an end after the start");
    }
    return found;
}

void Reader::code(const YamlNode& node)
{
    expect(node, YamlNode::Kind::map, "a map: {pytorch: …, cuda: …}");
    for (std::size_t i = 0; i < node.pair_count(); ++i) {
        const std::string& language = node.key(i).text;
        if (language != "pytorch" && language != "cuda") {
            fail(node.key(i).place, unknown_name("key", language, {"pytorch", "cuda"}) + " (in 'code')");
        }
        expect(node.value(i), YamlNode::Kind::scalar, "a text");
        (language == "pytorch" ? m_workload.code_pytorch : m_workload.code_cuda) = node.value(i).text;
    }
}

}  // namespace lanes::syntax
