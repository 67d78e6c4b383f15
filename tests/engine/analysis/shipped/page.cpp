// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/shipped/page.h"

#include "engine/analysis/words/shown.h"

#include <set>

namespace shipped {

using namespace lanes;

namespace {

std::string after(const std::string& text, char at)
{
    return text.substr(text.find(at) + 1);
}

std::string findings_cell(const Reports& reports, const std::string& name, const Expectation* expected)
{
    std::string cell;
    for (const auto& finding : reports.at(name).findings) {
        cell += (cell.empty() ? "`" : "; `") + finding.rule + "` " + cost_text(finding, Messages::english());
        cell += finding.otherwise == finding.cost ? "" : ", or " + shown_time(finding.otherwise);
        if (expected == nullptr) {
            continue;
        }
        for (const auto& expectation : expected->findings) {
            const auto saved = expectation.rule == finding.rule && !expectation.sibling.empty()
                ? saved_by(reports, name, expectation.sibling)
                : std::nullopt;
            if (saved) {
                cell += " (`" + expectation.sibling + "`: " + shown_time(*saved) + ")";
            }
        }
    }
    return cell.empty() ? "–" : cell;
}

}  // namespace

std::optional<Ns> saved_by(const Reports& reports, const std::string& name, const std::string& sibling)
{
    const auto other = reports.find(name.substr(0, name.rfind('.') + 1) + sibling);
    return other == reports.end() ? std::nullopt : std::optional(reports.at(name).wall - other->second.wall);
}

std::string page_of(const Reports& reports, const std::map<std::string, Expectation>& expectations)
{
    std::string page
        = "# Findings and verdicts of the shipped recordings\n\n"
          "The output of `lanes report` for each recording in [resources/recordings](../resources/recordings); "
          "[definitions.md](definitions.md) explains the terms. In parentheses after a cost: the variant "
          "that follows the finding's advice, and how much shorter its run was on the same GPU. A second time "
          "after *or*: the gain on the condition that the advice names.\n\n"
          "This page is written by `LANES_UPDATE_PAGES=1 ctest -R tst_shipped`; without the variable, the test "
          "compares it with the recordings. What each recording must and must not yield is in "
          "[table.txt](../tests/engine/analysis/shipped/table.txt).\n";
    std::map<std::string, std::set<std::string>> workloads;  // names of recordings
    for (const auto& [name, report] : reports) {
        const auto recording = after(name, '/');
        workloads[recording.substr(0, recording.rfind('.'))].insert(name);
    }
    const auto& messages = Messages::english();
    for (const auto& [workload, names] : workloads) {
        page += "\n## " + workload
            + "\n\n| GPU | variant | total | verdict | text | findings |\n| --- | --- | --- | --- | --- | --- |\n";
        for (const auto& name : names) {
            const auto& report = reports.at(name);
            const auto recording = after(name, '/');
            const auto expected = expectations.find(recording);
            page += "| " + name.substr(0, name.find('/')) + " | `" + after(recording, '.') + "` | "
                + shown_time(report.wall) + " | `" + std::string(name_of(report.verdict.kind)) + "` | "
                + messages.format(report.verdict.message) + " | "
                + findings_cell(reports, name, expected == expectations.end() ? nullptr : &expected->second) + " |\n";
        }
        for (const auto& [recording, expectation] : expectations) {
            if (recording.starts_with(workload + ".") && !expectation.reason.empty()) {
                page += "\n`" + after(recording, '.') + "`: " + expectation.reason + ".\n";
            }
        }
    }
    return page;
}

}  // namespace shipped
