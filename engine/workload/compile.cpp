// SPDX-License-Identifier: MIT
#include "engine/workload/check.h"
#include "engine/workload/declare.h"
#include "engine/workload/names_check.h"
#include "engine/workload/reader.h"
#include "engine/workload/unroll.h"
#include "probes/regular_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace lanes {

Workload parse_workload(const std::string& text, const std::string& file)
{
    Workload workload;
    workload.file = file;
    workload.name = std::filesystem::path(file).stem().string();
    workload.source = text;
    auto body = std::make_shared<Workload::Body>();
    syntax::Reader(workload.file, workload, *body).read(parse_yaml(text, file));
    syntax::check_names(workload, *body);
    workload.body = body;

    std::vector<std::string> variants {""};
    for (const auto& variant : workload.variants) {
        variants.push_back(variant.name);
    }
    for (const auto& variant : variants) {
        syntax::Scope scope(workload.file);
        Program program;
        syntax::set_parameters(scope, workload, variant, {});
        syntax::declare(scope, *body, program);
        workload.gpus = std::max(workload.gpus, program.gpus);
    }
    return workload;
}

std::vector<std::string> variants_of(const Workload& workload)
{
    std::vector<std::string> names;
    for (const auto& variant : workload.variants) {
        names.push_back(variant.name);
    }
    return names.empty() ? std::vector<std::string> {""} : names;
}

Workload load_workload(const std::string& path)
{
    if (const auto other = other_than_file(path); !other.empty()) {
        throw WorkloadError(path, 0, 0, "found " + other + ", expected a file");
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(), path);
    }
    // One byte more than a workload may have is enough to refuse it.
    std::string content((std::size_t {1} << 20) + 1, '\0');
    file.read(content.data(), static_cast<std::streamsize>(content.size()));
    if (file.bad()) {
        throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(), path);
    }
    content.resize(static_cast<std::size_t>(file.gcount()));
    return parse_workload(content, path);
}

Program compile(const Workload& workload, const std::string& variant, const Settings& settings)
{
    syntax::Scope scope(workload.file);
    Program program;
    program.workload = workload.name;
    program.variant = variant;
    program.file = workload.file;
    program.steps = workload.body->infos;
    syntax::set_parameters(scope, workload, variant, settings);
    bool peer_access = true;
    for (const auto& each : workload.variants) {
        if (each.name == variant) {
            program.launch_blocking = each.launch_blocking;
            peer_access = each.peer_access;
            program.expected_error = each.expected_error;
        }
    }
    syntax::declare(scope, *workload.body, program);
    if (!peer_access) {
        program.peers.clear();
    }
    syntax::unroll(scope, *workload.body, program);
    syntax::drop_unused_streams(program);
    check(program);
    return program;
}

namespace {

/// The message on one line, whatever text it quotes.
std::string one_line(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
    return text;
}

}  // namespace

WorkloadError::WorkloadError(
    const std::string& file, std::uint32_t line, std::uint32_t column, const std::string& message)
    : InputError(one_line(
        file + ':' + (line == 0 ? "" : std::to_string(line) + ':' + std::to_string(column) + ':') + ' ' + message))
    , m_line(line)
    , m_column(column)
    , m_message(one_line(message))
{
}

const std::string& in_language(const Translated& text, const std::string& language)
{
    static const std::string none;
    for (const auto& wanted : {language, std::string("en")}) {
        if (const auto found = text.find(wanted); found != text.end()) {
            return found->second;
        }
    }
    return text.empty() ? none : text.begin()->second;
}

}  // namespace lanes
