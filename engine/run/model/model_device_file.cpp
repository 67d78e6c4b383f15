// SPDX-License-Identifier: MIT
#include "engine/run/model/model_device_file.h"

#include "engine/formatted.h"
#include "engine/run/model/model_constants.h"
#include "engine/workload/workload.h"
#include "engine/workload/yaml_tree.h"
#include "probes/regular_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <yaml-cpp/yaml.h>

namespace lanes {

namespace {

struct Suffix {
    const char* text;
    ModelUnit unit;
    double factor;
};
constexpr std::array suffixes {
    Suffix {"ns", ModelUnit::time, 1},
    Suffix {"us", ModelUnit::time, 1e3},
    Suffix {"ms", ModelUnit::time, 1e6},
    Suffix {"B", ModelUnit::size, 1},
    Suffix {"KiB", ModelUnit::size, 1024},
    Suffix {"MiB", ModelUnit::size, 1048576},
    Suffix {"GiB", ModelUnit::size, 1073741824},
    Suffix {"MB/s", ModelUnit::rate, 1e6},
    Suffix {"GB/s", ModelUnit::rate, 1e9},
    Suffix {"TB/s", ModelUnit::rate, 1e12},
    Suffix {"TFLOP/s", ModelUnit::operations, 1e12},
    Suffix {"", ModelUnit::none, 1},
};

const char* expected(ModelUnit unit)
{
    switch (unit) {
    case ModelUnit::time:
        return "a time, such as 3.4 us";
    case ModelUnit::size:
        return "a size, such as 64 KiB";
    case ModelUnit::rate:
        return "a rate, such as 55 GB/s";
    case ModelUnit::operations:
        return "a rate, such as 50 TFLOP/s";
    case ModelUnit::none:
        break;
    }
    return "a number";
}

class Reader {
public:
    explicit Reader(const std::string& file)
        : m_file(file)
    {
    }

    ModelDeviceFile read(const std::string& text) const
    {
        YAML::Node root;
        try {
            check_utf8(text, m_file);
            root = YAML::Load(text);
        } catch (const WorkloadError& error) {
            throw ModelDeviceError(error.what());
        } catch (const YAML::Exception& error) {
            fail(error.mark, error.msg);
        }
        check_map(root, "the file", {"name", "measured", "constants"});
        ModelDeviceFile file;
        file.device.name = scalar(need(root, root, "name"));
        if (const auto measured = root["measured"]) {
            check_map(measured, "measured", {"gpu", "driver", "cuda", "recordings"});
            for (const auto& entry : measured) {
                file.measured[scalar(entry.first)] = scalar(entry.second);
            }
        }
        const auto& node = need(root, root, "constants");
        std::set<std::string> names;
        for (const auto& constant : model_constants()) {
            names.emplace(constant.name);
        }
        check_map(node, "constants", names);
        for (const auto& constant : model_constants()) {
            read(file, constant, need(root, node, std::string(constant.name)));
        }
        return file;
    }

private:
    [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const
    {
        throw ModelDeviceError(formatted("{}:{}:{}: {}", m_file, mark.line + 1, mark.column + 1, message));
    }

    YAML::Node need(const YAML::Node& root, const YAML::Node& map, const std::string& key) const
    {
        const auto node = map[key];
        if (!node) {
            const auto mark = map.Mark().is_null() ? root.Mark() : map.Mark();
            fail(mark, formatted("\"{}\" is missing", key));
        }
        return node;
    }

    std::string scalar(const YAML::Node& node) const
    {
        if (!node.IsScalar() || node.Scalar().empty()) {
            fail(node.Mark(), "expected a text");
        }
        return node.Scalar();
    }

    void check_map(const YAML::Node& node, std::string_view what, const std::set<std::string>& keys) const
    {
        if (!node.IsMap()) {
            fail(node.Mark(), formatted("expected {} to be a map", what));
        }
        std::set<std::string> seen;
        for (const auto& entry : node) {
            const auto key = scalar(entry.first);
            if (!keys.contains(key)) {
                fail(entry.first.Mark(), formatted("unknown key \"{}\" in {}", key, what));
            }
            if (!seen.insert(key).second) {
                fail(entry.first.Mark(), formatted("\"{}\" stands twice", key));
            }
        }
    }

    void read(ModelDeviceFile& file, const ModelConstant& constant, const YAML::Node& node) const
    {
        check_map(node, constant.name, {"value", "source"});
        file.sources[std::string(constant.name)] = scalar(need(node, node, "source"));
        const auto value_node = need(node, node, "value");
        const double value = number(scalar(value_node), constant.unit, value_node.Mark());
        const bool counts = std::holds_alternative<std::uint32_t ModelDevice::*>(constant.member);
        if (!is_possible(constant, value) || (counts && value != std::floor(value))) {
            fail(value_node.Mark(),
                constant.unit == ModelUnit::time ? "a time over 1000 s"
                    : counts                     ? formatted("\"{}\" must be a whole number from 1", constant.name)
                                                 : formatted("\"{}\" must be above 0", constant.name));
        }
        set_value(file.device, constant, value);
    }

    double number(const std::string& text, ModelUnit unit, const YAML::Mark& mark) const
    {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        std::string suffix(end, text.data() + text.size());
        if (!suffix.empty() && suffix.front() == ' ') {
            suffix.erase(0, 1);
        }
        const auto known = std::find_if(
            suffixes.begin(), suffixes.end(), [&](const Suffix& s) { return s.unit == unit && s.text == suffix; });
        if (error != std::errc {} || !std::isfinite(value) || value < 0 || known == suffixes.end()) {
            fail(mark, formatted("\"{}\": expected {}", text, expected(unit)));
        }
        return value * known->factor;
    }

    std::string m_file;
};

}  // namespace

ModelDeviceFile parse_model_device_file(const std::string& text, const std::string& file)
{
    return Reader(file).read(text);
}

ModelDeviceFile load_model_device_file(const std::string& path)
{
    if (const auto other = other_than_file(path); !other.empty()) {
        throw ModelDeviceError(path + ": found " + other + ", expected a file");
    }
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path);
    }
    return parse_model_device_file(text.str(), path);
}

ModelDevice load_model_device(const std::string& path)
{
    return load_model_device_file(path).device;
}

std::string to_text(const ModelDeviceFile& file)
{
    std::string text = "# SPDX-License-Identifier: MIT\n";
    const auto quoted = [](const std::string& words) {
        YAML::Emitter out;
        out << YAML::DoubleQuoted << words;
        return std::string(out.c_str());
    };
    for (const auto& line : file.comment) {
        text += "# " + line + "\n";
    }
    text += "name: " + quoted(file.device.name) + "\n";
    if (!file.measured.empty()) {
        text += "measured:\n";
        for (const auto& [key, value] : file.measured) {
            text += formatted("  {}: {}\n", key, quoted(value));
        }
    }
    text += "constants:\n";
    for (const auto& constant : model_constants()) {
        const auto source = file.sources.find(std::string(constant.name));
        text += formatted("  {}: {{value: {}, source: {}}}\n", constant.name,
            text_of(constant, value_of(file.device, constant)),
            quoted(source == file.sources.end() ? "unknown" : source->second));
    }
    return text;
}

}  // namespace lanes
