// SPDX-License-Identifier: MIT
#include "engine/workload/catalogue.h"

#include "engine/workload/course.h"
#include "engine/workload/nearest.h"
#include "engine/workload/resources.h"

#include <algorithm>
#include <stdexcept>
#include <system_error>

namespace lanes {

namespace fs = std::filesystem;

std::vector<std::string> catalogue_names(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const CourseLesson& lesson : course_of(folder).lessons) {
        names.push_back(lesson.name);
    }
    return names;
}

std::vector<std::string> catalogue_names()
{
    return catalogue_names(resource("workloads"));
}

fs::path workload_path(const std::string& argument)
{
    if (argument.find('/') != std::string::npos || argument.ends_with(".yaml")) {
        return argument;
    }
    const auto names = catalogue_names();
    if (std::find(names.begin(), names.end(), argument) == names.end()) {
        const bool is_near = !nearest_name(argument, names).empty();
        throw WorkloadError(argument, 0, 0,
            unknown_name("workload", argument, names)
                + (is_near ? "" : "; see lanes list, or give the path of a file"));
    }
    return resource("workloads") / (argument + ".yaml");
}

Workload find_workload(const std::string& argument)
{
    const auto path = workload_path(argument).string();
    try {
        return load_workload(path);
    } catch (const std::system_error& error) {
        throw WorkloadError(path, 0, 0, error.code().message());
    }
}

std::shared_ptr<const Workload> newest_of(const std::shared_ptr<const Workload>& recorded)
{
    try {
        const auto names = catalogue_names();  // never an arbitrary path from a recording
        if (std::find(names.begin(), names.end(), recorded->name) == names.end()) {
            return recorded;
        }
        auto newest = std::make_shared<const Workload>(find_workload(recorded->name));
        const bool has_all = std::all_of(recorded->variants.begin(), recorded->variants.end(), [&](const Variant& old) {
            return std::any_of(newest->variants.begin(), newest->variants.end(),
                [&](const Variant& now) { return now.name == old.name; });
        });
        return has_all ? newest : recorded;
    } catch (const std::runtime_error&) {
        return recorded;
    }
}

}  // namespace lanes
