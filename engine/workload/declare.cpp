// SPDX-License-Identifier: MIT
#include "engine/workload/declare.h"

#include "engine/ascii.h"
#include "engine/workload/nearest.h"
#include "engine/workload/reader.h"

#include <algorithm>
#include <cmath>

namespace lanes::syntax {

namespace {

constexpr double most_elements = 65536;  // of all buffers, and of all events
constexpr double most_streams = 1024;
constexpr double most_threads = 256;
constexpr double most_capacity = 1'000'000;
constexpr double most_bytes = 1099511627776.0;  // 1 TiB
constexpr double least_bytes = 8;  // one value

/// Calls `make` for every element of `declaration`, with its name.
template <class Make>
void each_element(Scope& scope, NameTable& table, const Declaration& declaration, std::size_t already, double least,
    double most, Make make)
{
    const Argument* count = declaration.arguments.find("count");
    const Argument* as = declaration.arguments.find("as");
    Elements elements {.first = static_cast<Index>(already), .count = 1, .counted = count != nullptr};
    const double left = most - static_cast<double>(already);
    if (count != nullptr) {
        elements.count = static_cast<std::uint32_t>(scope.whole(*count, least, most));
    }
    if (elements.count > left) {
        scope.fail(declaration.place,
            "found more than " + std::to_string(static_cast<std::uint64_t>(most)) + ' ' + table.what
                + "s, expected fewer");
    }
    if (as != nullptr) {
        scope.push(as->source, 0);
    }
    for (std::uint32_t i = 0; i < elements.count; ++i) {
        if (as != nullptr) {
            scope.set_top(i);
        }
        make(elements.counted ? declaration.name + '.' + std::to_string(i) : declaration.name);
    }
    if (as != nullptr) {
        scope.pop();
    }
    table.elements[declaration.name] = elements;
}

BufferElement buffer(const Scope& scope, const Declaration& declaration, const std::string& name)
{
    const Arguments& arguments = declaration.arguments;
    const Argument& on = *arguments.find("on");
    const Argument* memory = arguments.find("memory");
    BufferElement element {.name = name, .gpu = no_id, .memory = MemoryKind::pageable, .bytes = 0};
    const std::string where = scope.text(on);
    if (where == "host") {
        if (memory != nullptr && scope.text(*memory) == "pinned") {
            element.memory = MemoryKind::pinned;
        } else if (memory != nullptr && scope.text(*memory) == "cached") {
            scope.fail(memory->place, "found 'memory: cached' of a buffer on the host, expected it of one on a GPU");
        }
    } else {
        const std::string digits = where.starts_with("gpu ") ? where.substr(4) : "";
        if (digits.size() > 2 || !ascii::is_all_digits(digits) || std::stoi(digits) >= most_gpus) {
            scope.fail(on.place, "found '" + where + "', expected host or 'gpu 0' to 'gpu 63'");
        }
        if (memory != nullptr && scope.text(*memory) != "cached") {
            scope.fail(memory->place,
                "found 'memory: " + scope.text(*memory) + "' of a buffer on a GPU, expected it of one on the host");
        }
        element.cached = memory != nullptr;
        element.gpu = static_cast<std::uint32_t>(std::stoi(digits));
        element.memory = MemoryKind::device;
    }
    element.bytes = static_cast<std::uint64_t>(scope.number(*arguments.find("bytes"), least_bytes, most_bytes));
    if (const Argument* value = arguments.find("value")) {
        element.initial_value = scope.number(*value, -1e300, 1e300);
    }
    return element;
}

StreamSpec stream(const Scope& scope, const Declaration& declaration, const std::string& name)
{
    const Argument* gpu = declaration.arguments.find("gpu");
    const Argument* kind = declaration.arguments.find("kind");
    const Argument* priority = declaration.arguments.find("priority");
    StreamSpec spec {.name = name};
    spec.gpu = gpu == nullptr ? 0 : static_cast<std::uint32_t>(scope.whole(*gpu, 0, most_gpus - 1));
    if (kind != nullptr && scope.text(*kind) == "blocking") {
        spec.kind = StreamSpec::Kind::blocking;
    }
    if (priority != nullptr) {
        const std::string word = scope.text(*priority);
        spec.priority = word == "high" ? -1 : word == "low" ? 1 : 0;
    }
    return spec;
}

}  // namespace

void set_parameters(Scope& scope, const Workload& workload, const std::string& variant, const Settings& settings)
{
    const auto& body = *workload.body;
    const auto fail = [&](const std::string& message) { throw WorkloadError(workload.file, 0, 0, message); };
    const auto set = [&](const std::string& name, const std::string& text) {
        std::vector<std::string> known;
        for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
            const Parameter& parameter = workload.parameters[i];
            known.push_back(parameter.name);
            if (parameter.name != name) {
                continue;
            }
            Value value {Dimension::text, 0, text};
            if (parameter.type != Parameter::Type::choice) {
                try {
                    value = parse_literal(text);
                } catch (const ExpressionError& error) {
                    fail("'" + name + "' is " + text + ": " + error.what());
                }
            }
            const std::string problem = parameter_problem(parameter, value, body.minima[i], body.maxima[i]);
            if (!problem.empty()) {
                fail(problem);
            }
            scope.parameters[name] = value;
            return;
        }
        fail(unknown_name("parameter", name, known));
    };
    for (std::size_t i = 0; i < workload.parameters.size(); ++i) {
        scope.parameters[workload.parameters[i].name] = body.defaults[i];
    }
    if (!variant.empty()) {
        std::vector<std::string> known;
        const Variant* chosen = nullptr;
        for (const auto& candidate : workload.variants) {
            known.push_back(candidate.name);
            chosen = candidate.name == variant ? &candidate : chosen;
        }
        if (chosen == nullptr) {
            fail(unknown_name("variant", variant, known));
        }
        for (const auto& [name, text] : chosen->values) {
            set(name, text);
        }
    }
    for (const auto& [name, text] : settings) {
        set(name, text);
    }
}

void declare(Scope& scope, const Workload::Body& body, Program& program)
{
    for (const auto& declaration : body.buffers) {
        each_element(scope, scope.buffers, declaration, program.buffers.size(), 1, most_elements,
            [&](const std::string& name) { program.buffers.push_back(buffer(scope, declaration, name)); });
    }
    for (const auto& declaration : body.streams) {
        each_element(scope, scope.streams, declaration, program.streams.size(), 1, most_streams,
            [&](const std::string& name) { program.streams.push_back(stream(scope, declaration, name)); });
    }
    for (const auto& declaration : body.events) {
        each_element(scope, scope.events, declaration, program.events.size(), 1, most_elements,
            [&](const std::string& name) { program.events.push_back(name); });
    }
    for (const auto& declaration : body.queues) {
        const auto make = [&](const std::string& name) {
            const double capacity = scope.whole(*declaration.arguments.find("capacity"), 1, most_capacity);
            program.queues.push_back({name, static_cast<std::uint32_t>(capacity)});
        };
        each_element(scope, scope.queues, declaration, program.queues.size(), 1, most_streams, make);
    }
    for (const auto& declaration : body.threads) {
        each_element(
            scope, scope.threads, declaration, program.threads.size(), 0, most_threads, [&](const std::string& name) {
                program.threads.push_back({name, {}});
            });
    }
    if (const Argument* limit = body.cache.find("limit")) {
        program.cache_limit = static_cast<std::uint64_t>(scope.number(*limit, least_bytes, most_bytes));
    }
    for (const auto& peer : body.peers) {
        program.peers.emplace_back(peer.a, peer.b);
    }
    program.gpus = gpus_needed(program);
    // "legacy" is the stream of GPU 0, "legacy.1" that of GPU 1.
    for (const auto& [name, kind] :
        {std::pair("legacy", StreamSpec::Kind::legacy), {"per_thread", StreamSpec::Kind::per_thread}}) {
        scope.streams.elements[name] = {static_cast<Index>(program.streams.size()), program.gpus, false};
        for (std::uint32_t gpu = 0; gpu < program.gpus; ++gpu) {
            const std::string suffix = gpu == 0 ? "" : '.' + std::to_string(gpu);
            program.streams.push_back({.name = name + suffix, .gpu = gpu, .kind = kind});
        }
    }
}

std::uint32_t gpus_needed(const Program& program)
{
    std::uint32_t most = 1;
    for (const auto& element : program.buffers) {
        most = element.gpu == no_id ? most : std::max(most, element.gpu + 1);
    }
    for (const auto& spec : program.streams) {
        most = std::max(most, spec.gpu + 1);
    }
    for (const auto& [a, b] : program.peers) {
        most = std::max({most, a + 1, b + 1});
    }
    return most;
}

void drop_unused_streams(Program& program)
{
    std::vector<Index> now(program.streams.size(), no_id);
    const auto each_stream = [&](auto visit) {
        for (auto& thread : program.threads) {
            for (auto& instruction : thread.instructions) {
                std::visit(
                    [&](auto& action) {
                        if constexpr (requires { action.stream; }) {
                            visit(action.stream);
                        } else if constexpr (requires { action.streams; }) {
                            std::for_each(action.streams.begin(), action.streams.end(), visit);
                        }
                    },
                    instruction.action);
            }
        }
    };
    each_stream([&](Index stream) {
        if (stream != no_id) {
            now[stream] = 0;
        }
    });
    std::vector<StreamSpec> used;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] != no_id) {
            now[i] = static_cast<Index>(used.size());
            used.push_back(std::move(program.streams[i]));
        }
    }
    program.streams = std::move(used);
    each_stream([&](Index& stream) { stream = stream == no_id ? no_id : now[stream]; });
}

}  // namespace lanes::syntax
