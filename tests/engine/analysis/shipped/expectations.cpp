// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/shipped/expectations.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace shipped {

namespace {

std::string trimmed(std::string text)
{
    const auto first = text.find_first_not_of(" \t");
    const auto last = text.find_last_not_of(" \t");
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

std::vector<std::string> split(const std::string& text, char at)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) {
        if (part = trimmed(part); !part.empty()) {
            parts.push_back(part);
        }
    }
    return parts;
}

/// "rule", "rule = sibling", "rule = sibling * 0.4 .. 0.7", "rule ~ sibling", any of them in parentheses.
ExpectedFinding finding_of(std::string text)
{
    ExpectedFinding finding;
    if (text.starts_with('(') && text.ends_with(')')) {
        finding.may_be_missing = true;
        text = text.substr(1, text.size() - 2);
    }
    const auto equals = text.find_first_of("=~");
    finding.rule = trimmed(text.substr(0, equals));
    if (equals == std::string::npos) {
        return finding;
    }
    finding.is_open = text[equals] == '~';
    const auto rest = text.substr(equals + 1);
    const auto times = rest.find('*');
    finding.sibling = trimmed(rest.substr(0, times));
    if (times != std::string::npos) {
        const auto dots = rest.find("..");
        finding.least = std::stod(rest.substr(times + 1));
        finding.most = std::stod(rest.substr(dots + 2));
    }
    return finding;
}

}  // namespace

std::map<std::string, Expectation> read_expectations(const std::string& path)
{
    std::map<std::string, Expectation> all;
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        const auto comment = line.find('#');
        const auto text = trimmed(line.substr(0, comment));
        if (text.empty()) {
            continue;
        }
        const auto fail = [&](const std::string& what) {
            throw std::runtime_error(path + ":" + std::to_string(number) + ": " + what);
        };
        const auto columns = split(text, '|');
        if (columns.size() != 3) {
            fail("wants three columns");
        }
        Expectation expectation;
        expectation.verdicts = split(columns[1], '/');
        expectation.reason = comment == std::string::npos ? "" : trimmed(line.substr(comment + 1));
        if (columns[2] != "-") {
            for (const auto& part : split(columns[2], ',')) {
                try {
                    expectation.findings.push_back(finding_of(part));
                } catch (const std::exception&) {
                    fail("no finding: " + part);
                }
                const auto& finding = expectation.findings.back();
                if ((finding.is_open || finding.least != 0.85 || finding.most != 1.15) && expectation.reason.empty()) {
                    fail("a cost that is not within 15 % wants a reason");
                }
            }
        }
        if (!all.emplace(columns[0], std::move(expectation)).second) {
            fail("twice: " + columns[0]);
        }
    }
    if (all.empty()) {
        throw std::runtime_error(path + ": nothing in it");
    }
    return all;
}

}  // namespace shipped
