// SPDX-License-Identifier: MIT
#include "engine/analysis/usual.h"

#include "engine/analysis/facts/record_ends.h"
#include "engine/analysis/lesson_texts.h"
#include "engine/analysis/words/shown.h"
#include "engine/trace/meta_keys.h"
#include "engine/workload/catalogue.h"

#include <algorithm>
#include <functional>
#include <system_error>

namespace lanes {

namespace {

/// The run of `variant` with its own settings; null: there is none.
const LessonRun* usual_run(const Workload& workload, const std::string& variant, std::span<const LessonRun> runs)
{
    const auto is_to_fail = std::any_of(workload.variants.begin(), workload.variants.end(),
        [&](const Variant& each) { return each.name == variant && !each.expected_error.empty(); });
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const LessonRun& run) {
        return run.variant == variant && run.report != nullptr && meta::text_of(run.trace->meta, meta::settings).empty()
            && (is_to_fail || is_complete(*run.trace));
    });
    return found == runs.end() ? nullptr : &*found;
}

std::optional<double> quotient(std::optional<double> part, std::optional<double> whole)
{
    return part && whole && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
}

/// The workload in a recording or, if it is older than usual figures, the catalogue's of that name.
Workload with_usual_figures(Workload recorded, const std::string& name)
{
    const auto names = catalogue_names();
    const bool in_catalogue = std::find(names.begin(), names.end(), name) != names.end();
    if (recorded.usual.empty() && in_catalogue) {
        return find_workload(name);
    }
    return recorded;
}

Message limits_of(const UsualFigure& usual, const std::function<std::string(double)>& shown)
{
    if (!usual.at_most) {
        return {"usual.at_least", {{"least", shown(*usual.at_least)}}};
    }
    if (!usual.at_least) {
        return {"usual.at_most", {{"most", shown(*usual.at_most)}}};
    }
    return {"usual.between", {{"least", shown(*usual.at_least)}, {"most", shown(*usual.at_most)}}};
}

}  // namespace

std::vector<Message> unusual(const Workload& workload, const std::string& language, std::span<const LessonRun> runs)
{
    std::vector<Message> all;
    for (const auto& usual : workload.usual) {
        const LessonRun* of = usual_run(workload, usual.of, runs);
        const bool share = usual.over.empty();
        const LessonRun* over = share ? of : usual_run(workload, usual.over, runs);
        if (of == nullptr || over == nullptr) {
            continue;
        }
        const auto value = quotient(lesson_figure(*of, usual.figure),
            share ? whole_of_lesson_figure(*of, usual.figure) : lesson_figure(*over, usual.figure));
        const auto shown = share ? shown_share : shown_ratio;
        const bool too_little
            = value && usual.at_least && *value < *usual.at_least && shown(*value) != shown(*usual.at_least);
        const bool too_much
            = value && usual.at_most && *value > *usual.at_most && shown(*value) != shown(*usual.at_most);
        if (!too_little && !too_much) {
            continue;
        }
        Message message {share ? "usual.share" : "usual.ratio",
            {{"of", variant_title(workload, usual.of, language)}, {"value", shown(*value)}}};
        if (!share) {
            message.arguments.emplace_back("over", variant_title(workload, usual.over, language));
        }
        message.parts.push_back({"figure", {"usual.figure." + std::string(name_of(usual.figure)), {}}});
        message.parts.push_back({"usual", limits_of(usual, shown)});
        all.push_back(std::move(message));
    }
    return all;
}

std::vector<Message> unusual(
    const Trace& a, const Report& report_a, const Trace& b, const Report& report_b, const std::string& language)
{
    const std::string text(meta::text_of(a.meta, meta::workload_text));
    const std::string workload(meta::text_of(a.meta, meta::workload));
    if (text.empty() || workload != meta::text_of(b.meta, meta::workload)) {
        return {};
    }
    try {
        const LessonRun runs[] = {{std::string(meta::text_of(a.meta, meta::variant)), &a, &report_a},
            {std::string(meta::text_of(b.meta, meta::variant)), &b, &report_b}};
        return unusual(with_usual_figures(parse_workload(text, ""), workload), language, runs);
    } catch (const WorkloadError&) {
        return {};  // of another version of the language
    } catch (const std::system_error&) {
        return {};
    }
}

}  // namespace lanes
