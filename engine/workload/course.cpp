// SPDX-License-Identifier: MIT
#include "engine/workload/course.h"

#include "engine/split.h"
#include "engine/workload/nearest.h"
#include "engine/workload/resources.h"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace lanes {

namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t most_minutes = 600;

std::string trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos
        ? std::string()
        : std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> parts_of(std::string_view line, char separator)
{
    std::vector<std::string> parts;
    for (const auto part : split_at(line, separator)) {
        parts.push_back(trimmed(part));
    }
    return parts;
}

class OrderReader {
public:
    OrderReader(std::string file, std::vector<std::string> present)
        : m_file(std::move(file))
        , m_present(std::move(present))
    {
    }

    void read(const std::string& text)
    {
        ++m_line;
        const std::string line = trimmed(text);
        if (line.empty() || line.front() == '#') {
            return;
        }
        line.front() == '[' ? chapter(line) : lesson(line);
    }

    Course finished()
    {
        for (const std::string& name : m_present) {
            m_course.lessons.push_back({name, 0, {}, {}});
        }
        return std::move(m_course);
    }

private:
    [[noreturn]] void fail(const std::string& found, const std::string& line, const std::string& expected) const
    {
        const std::size_t at = line.find(found);
        throw WorkloadError(m_file, m_line, static_cast<std::uint32_t>(at == std::string::npos ? 1 : at + 1),
            "found '" + found + "', expected " + expected);
    }

    void chapter(const std::string& line)
    {
        if (line.back() != ']') {
            fail(line, line, "a chapter: [English | 中文]");
        }
        const auto titles = parts_of(std::string_view(line).substr(1, line.size() - 2), '|');
        if (titles.size() != 2 || titles[0].empty() || titles[1].empty()) {
            fail(line, line, "a chapter: [English | 中文]");
        }
        m_course.chapters.push_back({{"en", titles[0]}, {"zh_CN", titles[1]}});
    }

    void lesson(const std::string& line)
    {
        const auto parts = parts_of(line, '|');
        if (parts.size() > 3) {
            fail(line, line, "NAME | MINUTES | LESSONS BEFORE IT");
        }
        CourseLesson lesson;
        lesson.name = parts[0];
        if (!m_course.chapters.empty()) {
            lesson.chapter = m_course.chapters.size() - 1;
        }
        if (parts.size() > 1 && !parts[1].empty()) {
            const char* end = parts[1].data() + parts[1].size();
            const auto read = std::from_chars(parts[1].data(), end, lesson.minutes);
            if (read.ec != std::errc() || read.ptr != end || lesson.minutes == 0 || lesson.minutes > most_minutes) {
                fail(parts[1], line, "minutes, a whole number from 1 to " + std::to_string(most_minutes));
            }
        }
        for (const std::string& name : parts.size() > 2 ? parts_of(parts[2], ',') : std::vector<std::string>()) {
            if (std::find(m_named.begin(), m_named.end(), name) == m_named.end()) {
                const auto near = nearest_name(name, m_named);
                fail(name, line, "a lesson of a line above" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
            }
            if (m_course.find(name) != nullptr) {
                lesson.after.push_back(name);
            }
        }
        if (std::find(m_named.begin(), m_named.end(), lesson.name) != m_named.end()) {
            fail(lesson.name, line, "each lesson once");
        }
        m_named.push_back(lesson.name);
        if (const auto found = std::find(m_present.begin(), m_present.end(), lesson.name); found != m_present.end()) {
            m_present.erase(found);
            m_course.lessons.push_back(std::move(lesson));
        }
    }

    std::string m_file;
    std::vector<std::string> m_present;  // workloads that no line has named yet
    std::vector<std::string> m_named;
    std::uint32_t m_line = 0;
    Course m_course;
};

}  // namespace

const CourseLesson* Course::find(const std::string& name) const
{
    const auto found
        = std::find_if(lessons.begin(), lessons.end(), [&](const CourseLesson& each) { return each.name == name; });
    return found == lessons.end() ? nullptr : &*found;
}

Course course_of(const fs::path& folder)
{
    const fs::path file = folder / "order.txt";
    OrderReader reader(file.string(), stems_in(folder, ".yaml"));
    std::ifstream order(file);
    for (std::string line; std::getline(order, line);) {
        reader.read(line);
    }
    return reader.finished();
}

Course course()
{
    return course_of(resource("workloads"));
}

}  // namespace lanes
