// SPDX-License-Identifier: MIT
#include "engine/workload/listing.h"

#include "engine/ascii.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/quantity.h"
#include "engine/workload/resources.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace lanes {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) {
        throw InputError("cannot read " + path.string() + ", which says what the listing takes as given");
    }
    return text.str();
}

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// Numbers as they are, sizes in bytes, times in ns.
std::vector<std::pair<std::string, Value>> values_of(const Workload& workload, const std::string& variant)
{
    const auto chosen = std::find_if(
        workload.variants.begin(), workload.variants.end(), [&](const Variant& each) { return each.name == variant; });
    std::vector<std::pair<std::string, Value>> values;
    for (const Parameter& parameter : workload.parameters) {
        std::string text = parameter.default_value;
        if (chosen != workload.variants.end() && chosen->values.contains(parameter.name)) {
            text = chosen->values.at(parameter.name);
        }
        values.emplace_back(parameter.name,
            parameter.type == Parameter::Type::choice ? Value {Dimension::text, 0, text} : parse_literal(text));
    }
    return values;
}

std::string whole(double number)
{
    return std::to_string(static_cast<long long>(number));
}

std::string quoted(const std::string& text)
{
    return "\"" + text + "\"";  // of a choice: words without quotes
}

/// Lines of a frame that begin with `key` in a comment: "# environment: A=B # only fast".
std::vector<std::string> told(const std::string& frame, const std::string& key, const std::string& variant)
{
    std::vector<std::string> found;
    for (const std::string& line : lines_of(frame)) {
        const std::size_t at = line.find(key);
        if (at == std::string::npos || at > 3) {
            continue;
        }
        std::string rest = line.substr(at + key.size());
        if (const std::size_t only = rest.find(" # only "); only != std::string::npos) {
            std::istringstream names(rest.substr(only + 8));
            bool is_named = false;
            for (std::string name; names >> name;) {
                is_named = is_named || name == variant;
            }
            if (!is_named) {
                continue;
            }
            rest.resize(only);
        }
        found.push_back(rest.substr(std::min(rest.find_first_not_of(' '), rest.size())));
    }
    return found;
}

/// Why the tests of the listings leave this one out; "": they do not.
std::string left_out(const std::string& frame, const std::string& variant)
{
    const auto all = told(frame, "skip " + variant + ":", variant);
    return all.empty() ? std::string() : all.front();
}

std::string without_notes(const std::string& frame, const std::string& comment)
{
    std::string text;
    for (const std::string& line : lines_of(frame)) {
        const bool is_note = line.starts_with(comment)
            && (line.find("SPDX") != std::string::npos || line.find("environment:") != std::string::npos
                || line.find("skip ") != std::string::npos || line.find("nvcc:") != std::string::npos);
        text += is_note ? "" : line + '\n';
    }
    return text;
}

void replace(std::string& text, const std::string& what, const std::string& with)
{
    if (const std::size_t at = text.find(what); at != std::string::npos) {
        text.replace(at, what.size(), with);
    }
}

std::string python(const Workload& workload, const std::string& variant, const std::string& title)
{
    const fs::path folder = resource("listings");
    const std::string frame = text_of(folder / (workload.name + ".py"));
    std::string text = "# " + title + "\n# Needs PyTorch and a GPU: python3 FILE.py\n";
    if (const std::string why = left_out(frame, variant); !why.empty()) {
        text += "# Lanescope's own tests do not run this one: " + why + "\n";
    }
    text += "import os\n";
    for (const std::string& each : told(frame, "environment:", variant)) {
        const std::size_t equals = each.find('=');
        text += "os.environ[" + quoted(each.substr(0, equals)) + "] = " + quoted(each.substr(equals + 1)) + "\n";
    }
    text += "\n# ---- the parameters: sizes in bytes, times in ns\n";
    for (const auto& [name, value] : values_of(workload, variant)) {
        text += name + " = "
            + (value.dimension == Dimension::text           ? quoted(value.text)
                    : value.dimension == Dimension::boolean ? (value.number != 0 ? "True" : "False")
                                                            : whole(value.number))
            + "\n";
    }
    text += "variant = " + quoted(variant) + "\n\n# ---- what the listing says is given\n";
    std::string given = without_notes(text_of(folder / "given.py"), "#");
    replace(given, "\"\"\"What the frames of PyTorch listings share.\"\"\"\n", "");
    text += given;
    std::string own = without_notes(frame, "#");
    replace(own, "from given import *\n", "");
    return text + own + "\n# ---- the listing\nimport torch\n\n" + workload.code_pytorch
        + "\nfor gpu in range(torch.cuda.device_count()):\n    torch.cuda.synchronize(gpu)\n";
}

/// A function begins in the first column: two words and a parenthesis before its brace, which ends a line.
bool begins_function(const std::vector<std::string>& lines, std::size_t at)
{
    const std::string& first = lines[at];
    if (first.empty() || !ascii::begins_identifier(first[0])) {
        return false;
    }
    const std::size_t open = first.find('(');
    const std::string before = first.substr(0, open);
    const std::size_t space = before.find(' ');
    if (open == std::string::npos || space == std::string::npos || space + 1 >= open || first[open - 1] == ' '
        || before.find('=') != std::string::npos) {
        return false;
    }
    for (std::size_t i = at; i < lines.size(); ++i) {
        if (lines[i].find(';') != std::string::npos || lines[i].empty()) {
            return false;
        }
        if (lines[i].ends_with('{')) {
            return true;
        }
    }
    return false;
}

/// Functions go before main, statements into it.
std::pair<std::string, std::string> functions_and_statements(const std::string& listing)
{
    std::string functions, statements, comment;  // a comment right before a function goes with it
    const auto lines = lines_of(listing);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].starts_with("//")) {
            comment += lines[i] + '\n';
            continue;
        }
        const bool is_function = begins_function(lines, i);
        (is_function ? functions : statements) += std::exchange(comment, {});
        if (!is_function) {
            statements += lines[i] + '\n';
            continue;
        }
        while (i < lines.size() && lines[i] != "}") {
            functions += lines[i++] + '\n';
        }
        functions += "}\n\n";
    }
    return {functions, statements + comment};
}

std::string cuda(const Workload& workload, const std::string& variant, const std::string& title)
{
    const fs::path folder = resource("listings");
    std::string frame = text_of(folder / (workload.name + ".cu"));
    std::string options;
    for (std::string each : told(frame, "nvcc:", variant)) {
        replace(each, "$NCCL", "-lnccl");
        options += " " + each;
    }
    std::string text
        = "// " + title + "\n// Needs a CUDA toolkit and a GPU: nvcc -std=c++17 -arch=native FILE.cu" + options + "\n";
    for (const std::string& each : told(frame, "environment:", variant)) {
        text += "// Run it with " + each + "\n";
    }
    if (const std::string why = left_out(frame, variant); !why.empty()) {
        text += "// Lanescope's own tests do not run this one: " + why + "\n";
    }
    text += "#include <cstdint>\n\n// ---- the parameters: sizes in bytes, times in ns\nnamespace p {\n";
    for (const auto& [name, value] : values_of(workload, variant)) {
        const bool is_text = value.dimension == Dimension::text, is_boolean = value.dimension == Dimension::boolean;
        text += std::string("constexpr ")
            + (is_text           ? "const char* const "
                    : is_boolean ? "bool "
                                 : "int64_t ")
            + name + " = "
            + (is_text           ? quoted(value.text)
                    : is_boolean ? (value.number != 0 ? "true" : "false")
                                 : whole(value.number))
            + ";\n";
    }
    std::string given = without_notes(text_of(folder / "given.h"), "//");
    replace(given, "#pragma once\n", "");
    frame = without_notes(frame, "//");
    replace(frame, "#include \"given.h\"\n", "// ---- what the listing says is given\n" + given);
    const auto [functions, statements] = functions_and_statements(workload.code_cuda);
    replace(frame, "// FUNCTIONS", functions);
    replace(frame, "// LISTING",
        "// ---- the listing\n" + statements + "    synchronise_all();\n    succeed(\"the listing\");");
    return text + "}\n\n" + frame;
}

}  // namespace

std::string runnable_listing(const Workload& workload, const std::string& variant, ListingLanguage language)
{
    const bool is_python = language == ListingLanguage::pytorch;
    const auto& code = is_python ? workload.code_pytorch : workload.code_cuda;
    if (code.empty()) {
        throw InputError(workload.file + " has no listing in " + (is_python ? "PyTorch" : "CUDA"));
    }
    if (!fs::exists(resource("listings") / (workload.name + (is_python ? ".py" : ".cu")))) {
        throw InputError(
            workload.file + ": only listings that come with Lanescope can be made to run; lanes list names them");
    }
    const std::string title = run_name(workload.name, variant) + " of Lanescope: " + in_language(workload.title, "en");
    return is_python ? python(workload, variant, title) : cuda(workload, variant, title);
}

}  // namespace lanes
