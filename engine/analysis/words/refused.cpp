// SPDX-License-Identifier: MIT
#include "engine/analysis/words/refused.h"

#include "engine/analysis/words/json_writer.h"

namespace lanes {

Refused refused(std::string what, std::string code, bool is_curable)
{
    Refused made {std::move(what), code, {"refused." + code, {}}};
    if (is_curable) {
        made.needs = {"refused.needs." + code, {}};
    }
    return made;
}

void write_refused(JsonWriter& json, const std::vector<Refused>& all, const Messages& messages)
{
    json.key("refused").begin_array();
    for (const auto& each : all) {
        json.begin_object().field("what", std::string_view(each.what)).field("code", std::string_view(each.code));
        json.field("why", std::string_view(messages.format(each.why))).key("needs");
        each.needs.empty() ? json.null() : json.value(std::string_view(messages.format(each.needs)));
        json.end_object();
    }
    json.end_array();
}

}  // namespace lanes
