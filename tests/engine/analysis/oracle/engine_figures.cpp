// SPDX-License-Identifier: MIT
#include "tests/engine/analysis/oracle/engine_figures.h"

#include "engine/store/recording_file.h"

#include <set>
#include <simdjson.h>

namespace oracle {

namespace {

void flatten(const std::string& at, simdjson::dom::element element, Figures& figures)
{
    if (element.is_object()) {
        for (const auto& [key, value] : simdjson::dom::object(element)) {
            flatten(at.empty() ? std::string(key) : at + "." + std::string(key), value, figures);
        }
    } else if (element.is_array()) {
        std::size_t index = 0;
        for (const auto value : simdjson::dom::array(element)) {
            flatten(at + "[" + std::to_string(index++) + "]", value, figures);
        }
    } else if (element.is_string()) {
        figures[at] = "\"" + std::string(std::string_view(element)) + "\"";
    } else {
        figures[at] = simdjson::minify(element);
    }
}

}  // namespace

EngineReports::EngineReports(const std::string& path)
    : m_trace(lanes::open_recording(path))
    , m_blocking(lanes::find_blocking(m_trace))
    , m_bounds(m_trace, m_blocking)
{
}

Figures EngineReports::figures(std::optional<std::pair<Ns, Ns>> range) const
{
    const auto report = range
        ? lanes::make_figures(m_trace, m_blocking, m_bounds, lanes::Interval {range->first, range->second})
        : lanes::make_report(m_trace, m_blocking);
    simdjson::dom::parser parser;
    const std::string json = lanes::to_json(m_trace, report);
    Figures figures;
    for (const auto& [key, value] : simdjson::dom::object(parser.parse(json))) {
        // The defined figures: no sentences, and nothing that only the run's notes say.
        static const std::set<std::string_view> figures_of_report {"source", "devices", "range_ns", "wall_ns",
            "gpu_busy_ns", "overlap_ns", "concurrency_ns", "cpu_free_ns", "gpu", "cpu", "complete", "ends_ns", "ranges",
            "reads", "counts"};
        if (figures_of_report.count(key) != 0) {
            flatten(std::string(key), value, figures);
        }
    }
    // Held waits have an oracle of their own: the table of an independent prototype (tst_wait_costs).
    std::erase_if(figures, [](const auto& figure) {
        return figure.first.ends_with(".held_ns") || figure.first.ends_with(".held_cost_ns");
    });
    return figures;
}

std::string difference(const Figures& engine, const Figures& oracle)
{
    std::set<std::string> keys;
    for (const auto* figures : {&engine, &oracle}) {
        for (const auto& [key, value] : *figures) {
            keys.insert(key);
        }
    }
    const auto value = [](const Figures& figures, const std::string& key) {
        const auto found = figures.find(key);
        return found == figures.end() ? std::string("nothing") : found->second;
    };
    std::string lines;
    int count = 0;
    for (const auto& key : keys) {
        if (value(engine, key) != value(oracle, key) && ++count <= 10) {
            lines += key + ": engine " + value(engine, key) + ", oracle " + value(oracle, key) + "\n";
        }
    }
    return lines;
}

}  // namespace oracle
