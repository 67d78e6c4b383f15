// SPDX-License-Identifier: MIT
#include "gui/lanes/shown_recording.h"

#include "engine/trace/meta_keys.h"

namespace lanes::gui {

namespace {

std::string titleOf(const Trace& trace, const std::string& fallback)
{
    const auto said = [&trace](const char* key) {
        const auto found = trace.meta.find(key);
        return found == trace.meta.end() ? std::string() : found->second;
    };
    const std::string variant = said(meta::variant);
    return !variant.empty() ? variant : !fallback.empty() ? fallback : said(meta::command);
}

}  // namespace

std::shared_ptr<const ShownRecording> ShownRecording::of(
    Trace trace, const std::string& title, const Progress& progress)
{
    auto shown = std::make_shared<ShownRecording>();
    shown->Recording::operator=(lanes::analysed(std::move(trace), progress));
    shown->marks = std::make_shared<Marks>(shown->trace->marks);
    shown->ranks = told_ranks(*shown->trace);
    shown->title = titleOf(*shown->trace, title);
    return shown;
}

std::optional<Interval> repeatedPart(const Recording& recording)
{
    const auto steady = recording.report ? recording.report->steady : decltype(recording.report->steady) {};
    const bool isShort = steady && 2 * (steady->span.end - steady->span.start) < recording.trace->duration;
    return isShort ? std::optional(steady->span) : std::nullopt;
}

}  // namespace lanes::gui
