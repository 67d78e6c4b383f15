// SPDX-License-Identifier: MIT
#include "gui/export/annotation_file.h"

#include "engine/formatted.h"
#include "engine/workload/expression.h"
#include "engine/workload/nearest.h"
#include "engine/workload/quantity.h"
#include "gui/export/yaml_text.h"
#include "gui/lanes/annotation_lanes.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lanes::gui {

namespace {

struct AnnotationForm {
    Annotation::Kind kind;
    std::string name;
    std::vector<std::string> keys;
};

const std::vector<AnnotationForm>& annotationForms()
{
    static const std::vector<AnnotationForm> forms {
        {Annotation::Kind::text, "text", {"at", "lane", "height", "says", "recording"}},
        {Annotation::Kind::bracket, "bracket", {"from", "to", "lane", "height", "says", "recording"}},
        {Annotation::Kind::arrow, "arrow",
            {"from", "from_lane", "from_height", "to", "to_lane", "to_height", "says", "recording"}},
        {Annotation::Kind::frame, "frame", {"from", "to", "lane", "says", "recording"}},
    };
    return forms;
}

class AnnotationReader : YamlReader {
public:
    AnnotationReader(const std::string& file, const std::vector<std::vector<std::string>>& lanes)
        : YamlReader(file)
        , m_lanes(lanes)
    {
    }

    std::vector<Annotation> read(const YamlNode& root) const
    {
        expect(root, YamlNode::Kind::map, "annotations: and a list");
        expectKeys(root, {"annotations"});
        const YamlNode* list = root.find("annotations");
        if (list == nullptr) {
            fail(root.place, "found no annotations, expected annotations: and a list");
        }
        return readList(*list);
    }

    std::vector<Annotation> readList(const YamlNode& list) const
    {
        std::vector<Annotation> all;
        if (list.kind == YamlNode::Kind::null) {
            return all;
        }
        expect(list, YamlNode::Kind::list, "a list of annotations");
        std::array<std::size_t, 2> counts {};
        for (const YamlNode& item : list.items) {
            all.push_back(annotation(item));
            if (++counts[static_cast<std::size_t>(all.back().side)] > most_annotations) {
                fail(item.place,
                    formatted("found more annotations, expected at most {} of a recording", most_annotations));
            }
        }
        return all;
    }

private:
    Annotation annotation(const YamlNode& node) const
    {
        const std::string one = "one of text, bracket, arrow and frame, as - text: {at: 1 ms, lane: copy, says: …}";
        expect(node, YamlNode::Kind::map, one);
        if (node.pair_count() != 1) {
            fail(node.place, formatted("found {} keys, expected {}", node.pair_count(), one));
        }
        const auto& forms = annotationForms();
        const auto form = std::find_if(
            forms.begin(), forms.end(), [&](const AnnotationForm& known) { return known.name == node.key(0).text; });
        if (form == forms.end()) {
            fail(
                node.key(0).place, unknown_name("annotation", node.key(0).text, {"text", "bracket", "arrow", "frame"}));
        }
        const YamlNode& body = node.value(0);
        expect(body, YamlNode::Kind::map, "a map: {" + form->keys.front() + ": 1 ms, …}");
        expectKeys(body, form->keys, " (in '" + form->name + "')");
        Annotation made;
        made.kind = form->kind;
        if (const YamlNode* side = body.find("recording")) {
            if (side->text != "A" && side->text != "B") {
                fail(side->place, "found " + described(*side) + ", expected A or B");
            }
            made.side = side->text == "B" ? 1 : 0;
            if (!m_lanes.empty() && static_cast<std::size_t>(made.side) >= m_lanes.size()) {
                fail(side->place, "found B, but there is one recording");
            }
        }
        const bool text = made.kind == Annotation::Kind::text;
        const bool arrow = made.kind == Annotation::Kind::arrow;
        made.from.time = timeOf(body, text ? "at" : "from");
        made.to.time = text ? made.from.time : timeOf(body, "to");
        if (!arrow && made.to.time < made.from.time) {
            fail(body.find("to")->place, "found an end before the start, expected one after it");
        }
        made.from.lane = lane(body, arrow ? "from_lane" : "lane", made.side, text || arrow);
        made.to.lane = arrow ? lane(body, "to_lane", made.side, true) : made.from.lane;
        made.from.height = height(body, arrow ? "from_height" : "height");
        made.to.height = arrow ? height(body, "to_height") : made.from.height;
        made.text = says(body, text);
        return made;
    }

    const YamlNode* value(const YamlNode& body, const std::string& key, bool must) const
    {
        const YamlNode* node = must ? &needed(body, key) : body.find(key);
        if (node != nullptr) {
            expect(*node, YamlNode::Kind::scalar, "a value of '" + key + "'");
        }
        return node;
    }

    Ns timeOf(const YamlNode& body, const std::string& key) const { return time(*value(body, key, true), false); }

    std::string lane(const YamlNode& body, const std::string& key, int side, bool must) const
    {
        const YamlNode* node = value(body, key, must);
        if (node == nullptr) {
            return {};
        }
        if (!m_lanes.empty()) {
            const auto& known = m_lanes[static_cast<std::size_t>(side)];
            if (std::find(known.begin(), known.end(), node->text) == known.end()) {
                fail(node->place, unknown_name("lane", node->text, known));
            }
        }
        return node->text;
    }

    double height(const YamlNode& body, const std::string& key) const
    {
        const YamlNode* node = value(body, key, false);
        if (node == nullptr) {
            return 0.5;
        }
        try {
            const Value found = parse_literal(node->text);
            if (found.dimension == Dimension::number && found.number >= 0 && found.number <= 1) {
                return found.number;
            }
        } catch (const ExpressionError&) {  // said below
        }
        fail(node->place, "found " + described(*node) + ", expected a number from 0 (the lane's top) to 1");
    }

    std::string says(const YamlNode& body, bool must) const
    {
        const YamlNode* node = value(body, "says", must);
        if (node != nullptr && node->text.size() > longest_annotation) {
            fail(node->place, formatted("found {} bytes, expected at most {}", node->text.size(), longest_annotation));
        }
        return node == nullptr ? std::string() : node->text;
    }

    const std::vector<std::vector<std::string>>& m_lanes;
};

}  // namespace

std::vector<Annotation> parseAnnotations(
    const std::string& text, const std::string& file, const std::vector<std::vector<std::string>>& lanes)
{
    check_utf8(text, file);
    return AnnotationReader(file, lanes).read(parse_yaml(text, file));
}

std::vector<Annotation> parseAnnotationsOf(
    const std::vector<RecordingPtr>& recordings, const std::string& text, const std::string& file)
{
    std::vector<std::vector<std::string>> lanes;
    lanes.reserve(recordings.size());
    std::transform(recordings.begin(), recordings.end(), std::back_inserter(lanes), laneNamesForAnnotations);
    return parseAnnotations(text, file, lanes);
}

std::vector<Annotation> readAnnotations(const YamlNode& list, const std::string& file)
{
    return AnnotationReader(file, {}).readList(list);
}

std::string annotationText(const std::vector<Annotation>& annotations)
{
    std::string out = "annotations:\n";
    const auto place = [](const std::string& prefix, const AnnotationSpot& spot) {
        return (spot.lane.empty() ? std::string() : formatted(", {}lane: {}", prefix, yamlQuoted(spot.lane)))
            + (spot.height == 0.5 ? std::string() : formatted(", {}height: {:.3f}", prefix, spot.height));
    };
    for (const Annotation& one : annotations) {
        switch (one.kind) {
        case Annotation::Kind::text:
            out += formatted("  - text: {{at: {}{}", yamlTime(one.from.time), place("", one.from));
            break;
        case Annotation::Kind::arrow:
            out += formatted("  - arrow: {{from: {}{}, to: {}{}", yamlTime(one.from.time), place("from_", one.from),
                yamlTime(one.to.time), place("to_", one.to));
            break;
        case Annotation::Kind::bracket:
            out += formatted("  - bracket: {{from: {}, to: {}{}", yamlTime(one.from.time), yamlTime(one.to.time),
                place("", one.from));
            break;
        case Annotation::Kind::frame: {
            const AnnotationSpot whole {0, one.from.lane, 0.5};  // it is as high as its lane
            out += formatted(
                "  - frame: {{from: {}, to: {}{}", yamlTime(one.from.time), yamlTime(one.to.time), place("", whole));
            break;
        }
        }
        out += (one.text.empty() ? std::string() : ", says: " + yamlQuoted(one.text))
            + (one.side == 1 ? ", recording: B" : "") + "}\n";
    }
    return annotations.empty() ? "annotations: []\n" : out;
}

}  // namespace lanes::gui
