// SPDX-License-Identifier: MIT
#include "gui/app/open/session_file.h"

#include "engine/analysis/query/query.h"
#include "engine/analysis/words/messages.h"
#include "engine/formatted.h"
#include "engine/workload/nearest.h"
#include "engine/workload/workload.h"
#include "engine/workload/yaml_tree.h"
#include "gui/export/annotation_file.h"
#include "gui/export/yaml_text.h"
#include "gui/lanes/lane_kinds.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace lanes::gui {

namespace {

constexpr std::size_t most_entries = 10'000, longest_text = 4096, longest_path = 4096;
constexpr qint64 most_bytes = 1 << 20;

/// In the order of Scope::Of.
constexpr std::array<const char*, Scope::count> scope_words {"repeating", "visible", "selection", "all"};

std::string laneText(const LaneKey& key)
{
    const std::string part = key.part == StreamPart::whole ? "" : " " + std::to_string(static_cast<int>(key.part));
    return formatted(
        "\"{} {} {} {} {}{}\"", laneKindRow(key.kind).word, key.device, key.process, key.context, key.id, part);
}

template <class Keys> std::string laneTexts(const Keys& keys)
{
    std::string out = "[";
    for (const LaneKey& key : keys) {
        out += (out.size() > 1 ? ", " : "") + laneText(key);
    }
    return out + "]";
}

/// Bytes that are no UTF-8 would not be read again.
std::string textOf(const std::string& text)
{
    return yamlQuoted(QString::fromStdString(text).toStdString());
}

std::string sideText(const Session::Side& side, const QString& folder)
{
    std::string out = "  - file: " + yamlQuoted(QDir(folder).relativeFilePath(side.file).toStdString()) + "\n";
    if (side.bytes > 0) {
        out += formatted("    bytes: {}\n", side.bytes);
    }
    for (std::size_t i = 0; i < side.marks.size(); ++i) {
        out += (i == 0 ? "    marks:\n" : "")
            + formatted("      - {{at: {}, says: {}}}\n", yamlTime(side.marks[i].time), textOf(side.marks[i].text));
    }
    const LaneArrangement::Settings lanes = side.arrangement.settings();
    const auto list = [&](const char* name, const auto& keys) {
        out += keys.empty() ? std::string() : formatted("    {}: {}\n", name, laneTexts(keys));
    };
    list("hidden", lanes.hidden);
    list("collapsed", lanes.collapsed);
    list("all-depths", lanes.allDepths);
    list("pinned", lanes.pinned);
    for (auto one = lanes.moved.begin(); one != lanes.moved.end(); ++one) {
        out += (one == lanes.moved.begin() ? "    order:\n" : "")
            + formatted("      - {{under: {}, lanes: {}}}\n", laneText(one->first), laneTexts(one->second));
    }
    return out + (side.scroll > 0 ? formatted("    scroll: {}\n", side.scroll) : std::string());
}

class SessionReader : YamlReader {
public:
    SessionReader(std::string file, QString folder)
        : YamlReader(std::move(file))
        , m_folder(std::move(folder))
    {
    }

    Session read(const YamlNode& root) const
    {
        expect(root, YamlNode::Kind::map, "a session: lanescope_session: 1, recordings, …");
        if (root.find("lanescope_session") == nullptr) {
            fail(root.place, "found no lanescope_session, expected a session that Lanescope saved");
        }
        const YamlNode& version = *root.find("lanescope_session");
        if (version.text != "1") {
            fail(version.place, "found version " + described(version) + ", expected 1");
        }
        expectKeys(root,
            {"lanescope_session", "recordings", "view", "range", "filter", "group", "first", "colours", "aligned",
                "reference", "scope", "annotations"});
        Session session;
        const YamlNode& sides = needed(root, "recordings");
        expect(sides, YamlNode::Kind::list, "a list of recordings");
        if (sides.items.empty() || sides.items.size() > 2) {
            fail(sides.place, formatted("found {} recordings, expected one or two", sides.items.size()));
        }
        for (const YamlNode& side : sides.items) {
            session.sides.push_back(readSide(side));
        }
        session.view = span(root.find("view"));
        session.range = span(root.find("range"));
        session.filter = filter(root.find("filter"));
        const YamlNode* group = root.find("group");
        session.grouping = group != nullptr && oneOf(*group, {"stream", "engine"}) == 1 ? LaneGrouping::engine
                                                                                        : LaneGrouping::stream;
        const YamlNode* first = root.find("first");
        session.order = first == nullptr          ? LaneOrder::usual
            : oneOf(*first, {"gpus", "cpu"}) == 0 ? LaneOrder::gpusFirst
                                                  : LaneOrder::cpuFirst;
        const YamlNode* colours = root.find("colours");
        session.colours = colours == nullptr              ? LaneColours::usual
            : oneOf(*colours, {"families", "kinds"}) == 0 ? LaneColours::families
                                                          : LaneColours::kinds;
        const YamlNode* reference = root.find("reference");
        session.reference = reference == nullptr ? 0 : static_cast<int>(oneOf(*reference, {"A", "B"}));
        if (static_cast<std::size_t>(session.reference) >= session.sides.size()) {
            fail(reference->place, "found B, but there is one recording");
        }
        if (const YamlNode* scope = root.find("scope")) {
            session.scope = static_cast<Scope::Of>(oneOf(*scope, {scope_words.begin(), scope_words.end()}));
        }
        if (const YamlNode* aligned = root.find("aligned")) {
            expect(*aligned, YamlNode::Kind::map, "{a: 1 ms, b: 2 ms}");
            expectKeys(*aligned, {"a", "b", "at", "uncertainty"});
            session.alignment.anchor = {timeOf(*aligned, "a"), timeOf(*aligned, "b")};
            const YamlNode* name = aligned->find("at");
            session.alignment.uncertainty
                = aligned->find("uncertainty") == nullptr ? 0 : timeOf(*aligned, "uncertainty");
            session.alignment.name = name == nullptr ? QString() : QString::fromStdString(text(*name, longest_text));
        }
        if (const YamlNode* annotations = root.find("annotations")) {
            session.annotations = readAnnotations(*annotations, file());
        }
        return session;
    }

private:
    std::string text(const YamlNode& node, std::size_t longest) const
    {
        expect(node, YamlNode::Kind::scalar, "a text");
        if (node.text.size() > longest) {
            fail(node.place, formatted("found {} bytes, expected at most {}", node.text.size(), longest));
        }
        return node.text;
    }

    std::size_t oneOf(const YamlNode& node, const std::vector<std::string>& names) const
    {
        const auto found = std::find(names.begin(), names.end(), node.text);
        if (node.kind != YamlNode::Kind::scalar || found == names.end()) {
            fail(node.place, "found " + described(node) + ", expected " + alternatives(names));
        }
        return static_cast<std::size_t>(found - names.begin());
    }

    const std::vector<YamlNode>& list(const YamlNode& node, const std::string& expected) const
    {
        expect(node, YamlNode::Kind::list, expected);
        if (node.items.size() > most_entries) {
            fail(node.place, formatted("found {} entries, expected at most {}", node.items.size(), most_entries));
        }
        return node.items;
    }

    Ns timeOf(const YamlNode& map, const std::string& key) const { return time(needed(map, key), true); }

    std::optional<Interval> span(const YamlNode* node) const
    {
        if (node == nullptr) {
            return {};
        }
        expect(*node, YamlNode::Kind::map, "{from: 1 ms, to: 2 ms}");
        expectKeys(*node, {"from", "to"});
        const Interval found {timeOf(*node, "from"), timeOf(*node, "to")};
        if (found.end <= found.start) {
            fail(node->find("to")->place, "found an end before the start, expected one after it");
        }
        return found;
    }

    std::string filter(const YamlNode* node) const
    {
        std::string found = node == nullptr ? std::string() : text(*node, longest_text);
        try {
            Query::parse(found);
        } catch (const QueryError& error) {
            fail(node->place,
                formatted("found {}, expected a filter (its column {}: {})", described(*node), error.column(),
                    Messages::of("en").format(error.message())));
        }
        return found;
    }

    std::int64_t number(const YamlNode* node, std::int64_t most) const
    {
        std::int64_t found = 0;
        if (node != nullptr) {
            const auto [end, error] = std::from_chars(node->text.data(), node->text.data() + node->text.size(), found);
            if (error != std::errc {} || end != node->text.data() + node->text.size() || found < 0 || found > most) {
                fail(node->place, formatted("found {}, expected a number from 0 to {}", described(*node), most));
            }
        }
        return found;
    }

    LaneKey key(const YamlNode& node) const
    {
        const QStringList parts = QString::fromStdString(node.text).split(QLatin1Char(' '));
        LaneKey found;
        const auto& kinds = laneKinds();
        const auto kind = std::find_if(kinds.begin(), kinds.end(),
            [word = parts.front().toStdString()](const LaneKindRow& row) { return row.word == word; });
        std::array<bool, 5> good {};
        if (node.kind == YamlNode::Kind::scalar && (parts.size() == 5 || parts.size() == 6) && kind != kinds.end()) {
            found.kind = kind->kind;
            std::uint32_t part = 0;
            good.back() = parts.size() == 5;  // all of it
            std::uint32_t* const numbers[] = {&found.device, &found.process, &found.context, &found.id, &part};
            for (qsizetype i = 0; i + 1 < parts.size(); ++i) {
                const auto index = static_cast<std::size_t>(i);
                *numbers[index] = parts[i + 1].toUInt(&good[index]);
            }
            good.back() = good.back() && part <= static_cast<std::uint32_t>(StreamPart::last);
            found.part = good.back() ? static_cast<StreamPart>(part) : StreamPart::whole;
        }
        if (!std::all_of(good.begin(), good.end(), [](bool one) { return one; })) {
            fail(node.place, "found " + described(node) + ", expected a lane such as \"stream 0 4711 1 7\"");
        }
        return found;
    }

    std::vector<LaneKey> keys(const YamlNode* node) const
    {
        std::vector<LaneKey> all;
        if (node != nullptr) {
            for (const YamlNode& one : list(*node, "a list of lanes")) {
                all.push_back(key(one));
            }
        }
        return all;
    }

    QString recording(const YamlNode& side) const
    {
        const YamlNode& node = needed(side, "file");
        QString path
            = QDir::cleanPath(QDir(m_folder).absoluteFilePath(QString::fromStdString(text(node, longest_path))));
        if (!QFileInfo(path).isFile()) {  // to open a FIFO would wait for whoever writes to it
            fail(node.place, "found no recording " + path.toStdString());
        }
        return path;
    }

    Session::Side readSide(const YamlNode& node) const
    {
        expect(node, YamlNode::Kind::map, "{file: a.sqlite, …}");
        expectKeys(node, {"file", "bytes", "marks", "hidden", "collapsed", "all-depths", "pinned", "order", "scroll"});
        Session::Side side;
        side.file = recording(node);
        side.bytes = number(node.find("bytes"), std::int64_t {1} << 60);
        side.scroll = static_cast<int>(number(node.find("scroll"), 1 << 24));
        if (const YamlNode* marks = node.find("marks")) {
            for (const YamlNode& mark : list(*marks, "a list of marks")) {
                expect(mark, YamlNode::Kind::map, "{at: 1 ms, says: …}");
                expectKeys(mark, {"at", "says"});
                const YamlNode* says = mark.find("says");
                side.marks.push_back(
                    {std::max<Ns>(timeOf(mark, "at"), 0), says == nullptr ? std::string() : text(*says, longest_text)});
            }
        }
        LaneArrangement::Settings lanes;
        const std::vector<LaneKey> hidden = keys(node.find("hidden"));
        lanes.hidden = {hidden.begin(), hidden.end()};
        const std::vector<LaneKey> collapsed = keys(node.find("collapsed"));
        lanes.collapsed = {collapsed.begin(), collapsed.end()};
        const std::vector<LaneKey> allDepths = keys(node.find("all-depths"));
        lanes.allDepths = {allDepths.begin(), allDepths.end()};
        for (const LaneKey& pinned : keys(node.find("pinned"))) {
            if (std::find(lanes.pinned.begin(), lanes.pinned.end(), pinned) == lanes.pinned.end()) {
                lanes.pinned.push_back(pinned);
            }
        }
        if (const YamlNode* order = node.find("order")) {
            for (const YamlNode& one : list(*order, "a list of {under: …, lanes: […]}")) {
                expect(one, YamlNode::Kind::map, "{under: …, lanes: […]}");
                expectKeys(one, {"under", "lanes"});
                lanes.moved[key(needed(one, "under"))] = keys(one.find("lanes"));
            }
        }
        side.arrangement = LaneArrangement(std::move(lanes));
        return side;
    }

    QString m_folder;
};

}  // namespace

bool isSessionFile(const QString& path)
{
    return path.endsWith(QLatin1String(".lanescope"), Qt::CaseInsensitive);
}

std::string sessionText(const Session& session, const QString& folder)
{
    std::string out = "lanescope_session: 1\nrecordings:\n";
    for (const Session::Side& side : session.sides) {
        out += sideText(side, folder);
    }
    const auto span = [&](const char* name, const std::optional<Interval>& interval) {
        out += interval
            ? formatted("{}: {{from: {}, to: {}}}\n", name, yamlTime(interval->start), yamlTime(interval->end))
            : std::string();
    };
    span("view", session.view);
    span("range", session.range);
    out += session.filter.empty() ? std::string() : "filter: " + textOf(session.filter) + "\n";
    out += session.grouping == LaneGrouping::engine ? "group: engine\n" : "";
    if (session.order != LaneOrder::usual) {
        out += session.order == LaneOrder::gpusFirst ? "first: gpus\n" : "first: cpu\n";
    }
    if (session.colours != LaneColours::usual) {
        out += session.colours == LaneColours::families ? "colours: families\n" : "colours: kinds\n";
    }
    if (!session.alignment.atStarts()) {
        const std::string name = session.alignment.name.toStdString();
        const Ns uncertainty = session.alignment.uncertainty;
        out += formatted("aligned: {{a: {}, b: {}{}{}}}\n", yamlTime(session.alignment.anchor[0]),
            yamlTime(session.alignment.anchor[1]), name.empty() ? std::string() : ", at: " + yamlQuoted(name),
            uncertainty == 0 ? std::string() : ", uncertainty: " + yamlTime(uncertainty));
    }
    out += session.reference == 1 ? "reference: B\n" : "";
    out += session.scope ? formatted("scope: {}\n", scope_words[static_cast<std::size_t>(*session.scope)])
                         : std::string();
    return out + (session.annotations.empty() ? std::string() : annotationText(session.annotations));
}

Session readSession(const QString& path)
{
    const std::string name = QFileInfo(path).fileName().toStdString();
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) {
        throw WorkloadError(name, 0, 0, "cannot be read: " + file.errorString().toStdString());
    }
    const std::string text = file.read(most_bytes + 1).toStdString();
    check_utf8(text, name);
    if (QByteArray::fromStdString(text).trimmed().isEmpty()) {
        throw WorkloadError(name, 1, 1, "the file is empty, expected a session that Lanescope saved");
    }
    return SessionReader(name, QFileInfo(path).absolutePath()).read(parse_yaml(text, name));
}

}  // namespace lanes::gui
