// SPDX-License-Identifier: MIT
#include "engine/analysis/words/json_writer.h"
#include "engine/analysis/words/shown.h"
#include "engine/analysis/words/text_table.h"
#include "engine/replay/refused_changes.h"
#include "engine/replay/whatif.h"

#include <algorithm>

namespace lanes::replay {

namespace {

std::string names_of(const std::vector<Change>& changes, const char* between, const Messages& messages)
{
    std::string text;
    for (const auto& change : changes) {
        text += (text.empty() ? "" : between) + messages.format(message_of(change));
    }
    return text;
}

std::string changes_text(const Prediction& prediction, const Messages& messages)
{
    return names_of(prediction.changes, " + ", messages);
}

/// "The pool has room from the start. [pool-has-room]", with what the user said about it.
std::string line_of(const Assumption& assumption, const Messages& messages)
{
    auto line = messages.format(assumption.said);
    if (assumption.state == Assumption::condition) {
        return line;
    }
    line += " [" + assumption.word();
    if (assumption.state != Assumption::assumed) {
        line += ": " + messages.text("whatif.answer." + std::string(name_of(assumption.state)));
    }
    return line + ']';
}

}  // namespace

std::string to_text(const Gate& gate, const std::vector<Prediction>& predictions, const Messages& messages,
    const Message& why, Interval limit)
{
    const Ns recorded = recorded_in(gate, limit);
    const Message all {"whatif.recorded", {{"time", shown_time(gate.recorded)}}};
    const Message of_limit {"whatif.recorded_part",
        {{"time", shown_time(recorded)}, {"all", shown_time(gate.recorded)}, {"start", shown_time(limit.start)}}};
    std::string text = messages.format(limit.end > limit.start ? of_limit : all) + '\n';
    if (gate.measured > 0) {
        text += messages.format({"whatif.replayed",
                    {{"measured", shown_change(100 * gate.off_measured(), 2)},
                        {"constants", shown_change(100 * gate.off_constants(), 2)}}})
            + '\n';
    }
    if (!gate.is_open()) {
        text += '\n' + messages.text("whatif.refused.title") + '\n';
        for (const auto& reason : gate.reasons) {
            text += "  " + messages.format(reason) + '\n';
        }
        return text;
    }
    text += '\n';
    if (predictions.empty()) {
        return text + messages.text("whatif.nothing") + (why.empty() ? "" : ' ' + messages.format(why)) + '\n';
    }
    TextTable table("lrrrl");
    table.add({messages.text("whatif.column.change"), messages.text("whatif.column.total"),
        messages.text("whatif.column.gain"), messages.text("whatif.column.interval"),
        messages.text("whatif.column.class")});
    for (const auto& prediction : predictions) {
        const auto change = [&](Ns total) {
            return shown_change(
                recorded > 0 ? 100 * static_cast<double>(total - recorded) / static_cast<double>(recorded) : 0);
        };
        const auto gain = prediction.is_wide() ? change(prediction.low) + " … " + change(prediction.high)
                                               : change(prediction.total);
        table.add({changes_text(prediction, messages), prediction.is_wide() ? "–" : shown_time(prediction.total), gain,
            shown_time(prediction.low) + " – " + shown_time(prediction.high),
            messages.text("whatif.class." + std::string(name_of(prediction.reliability)))});
    }
    text += table.text();
    for (const auto& prediction : predictions) {
        if (!prediction.without_effect.empty()) {
            const auto names = names_of(prediction.without_effect, ", ", messages);
            text += messages.format({"whatif.without_effect", {{"changes", names}}}) + '\n';
        }
    }
    text += '\n' + messages.text("whatif.column.assumed") + '\n';
    std::vector<std::string> said;
    for (const auto& prediction : predictions) {
        for (const auto& assumption : prediction.assumptions) {
            const auto line = line_of(assumption, messages);
            if (std::find(said.begin(), said.end(), line) == said.end()) {
                const bool is_alone = predictions.size() == 1;
                text += "  " + (is_alone ? "" : changes_text(prediction, messages) + ": ") + line + '\n';
                said.push_back(line);
            }
        }
    }
    return text;
}

std::vector<Refused> refused_changes(const Gate& gate, const std::vector<Prediction>& predictions, const Message& why)
{
    std::vector<Refused> all;
    for (const auto& reason : gate.reasons) {
        all.push_back({"changes", reason.id.substr(reason.id.rfind('.') + 1), reason});
    }
    if (gate.is_open() && predictions.empty()) {
        all.push_back({"changes", "nothing_gains", why.empty() ? Message("refused.nothing_gains", {}) : why});
    }
    return all;
}

std::string to_json(const Gate& gate, const std::vector<Prediction>& predictions, const Messages& messages,
    const Message& why, Interval part)
{
    JsonWriter json;
    json.begin_object().field("schema", json_schema).field("measured_total_ns", gate.recorded);
    if (part.end > part.start) {
        json.key("range_ns").begin_array().value(part.start).value(part.start + recorded_in(gate, part)).end_array();
    }
    const auto replayed = [&](const char* key, Ns total) {
        json.key(key);
        total > 0 ? json.value(total) : json.null();
    };
    replayed("replayed_ns", gate.measured);
    replayed("replayed_by_constants_ns", gate.constants);
    json.key("delays").begin_object();
    json.field("measured", gate.delays.measured).field("constant", gate.delays.constant);
    json.field("assumed", gate.delays.assumed).end_object();
    write_refused(json, refused_changes(gate, predictions, why), messages);
    json.key("changes").begin_array();
    for (const auto& prediction : predictions) {
        json.begin_object().field("change", changes_text(prediction, messages));
        json.key("changes").begin_array();
        for (const auto& change : prediction.changes) {
            json.begin_object().field("kind", name_of(change.kind));
            json.key("on");
            change.on.empty() ? json.null() : json.value(change.on.text());
            json.key("finding");
            change.finding.empty() ? json.null() : json.value(change.finding);
            json.key("amount");
            has_amount(change.kind) ? json.value(change.amount) : json.null();
            json.key("direction");
            change.direction == Direction::both ? json.null() : json.value(name_of(change.direction));
            json.end_object();
        }
        json.end_array().key("without_effect").begin_array();
        for (const auto& change : prediction.without_effect) {
            json.value(name_of(change.kind));
        }
        json.end_array().field("count", prediction.count);
        json.field("predicted_total_ns", prediction.total);
        json.field("low_ns", prediction.low)
            .field("high_ns", prediction.high)
            .field("wide", prediction.is_wide())
            .field("undecided", prediction.is_undecided);
        json.field("class", name_of(prediction.reliability)).field("old_bytes", prediction.old_bytes);
        json.key("assumptions").begin_array();
        for (const auto& assumption : prediction.assumptions) {
            json.begin_object().field("id", assumption.word()).field("state", name_of(assumption.state));
            json.field("text", messages.format(assumption.said)).end_object();
        }
        json.end_array().end_object();
    }
    return json.end_array().end_object().take();
}

}  // namespace lanes::replay
