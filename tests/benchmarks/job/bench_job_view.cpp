// SPDX-License-Identifier: MIT
// bench_job_view [RANKS [STEPS]]: how long a job takes from job.lanes to its first picture in the window, and how long
// each repaint of its view takes (1920x1000, real widgets, offscreen): another rank and moment each time, every 50th
// time another measure; then, another stretch of time each time. Prints JSON.
#include "gui/app/ranks/job_view.h"
#include "gui/panels/ranks/heat_view.h"
#include "gui/session/open_job.h"
#include "tests/benchmarks/job/large_job.h"

#include <QApplication>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

using namespace lanes;
using namespace lanes::gui;

namespace {

double milliseconds(std::chrono::steady_clock::duration time)
{
    return std::chrono::duration<double, std::milli>(time).count();
}

long peak_mb()
{
    rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

/// The job is made by another process, whose memory does not count.
std::string made_apart(int argc, char** argv)
{
    const std::string command
        = "'" + std::string(argv[0]) + "' --make " + (argc > 1 ? argv[1] : "512") + " " + (argc > 2 ? argv[2] : "500");
    FILE* const child = ::popen(command.c_str(), "r");
    char path[4096] {};
    const bool has_path = child != nullptr && std::fgets(path, sizeof path, child) != nullptr;
    if (child == nullptr || ::pclose(child) != 0 || !has_path) {
        std::fprintf(stderr, "bench_job_view: the job could not be made\n");
        std::exit(1);
    }
    std::string text(path);
    text.erase(std::min(text.find('\n'), text.size()));
    return text;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc > 3 && std::string_view(argv[1]) == "--make") {
        std::puts(write_large_job(static_cast<std::uint32_t>(std::atoi(argv[2])), std::atoi(argv[3])).c_str());
        return 0;
    }
    const auto path = made_apart(argc, argv);
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QApplication application(argc, argv);
    JobView view;
    view.resize(1920, 1000);
    view.show();
    QApplication::processEvents();
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const OpenJobPtr job = openJob(QString::fromStdString(path));
    const double opened = milliseconds(Clock::now() - begin);
    view.setJob(job);
    QApplication::processEvents();
    view.repaint();
    const double shown = milliseconds(Clock::now() - begin);
    std::filesystem::remove(path);
    constexpr int frames = 400;
    constexpr int of_a_measure = 50;
    const JobHeat& heat = job->heat(HeatMeasure::waited);
    const auto each = [&](const auto& change) {
        std::vector<double> times;
        for (int i = 0; i < frames; ++i) {
            const auto before = Clock::now();
            change(i);
            QApplication::processEvents();  // paints what changed, once
            times.push_back(milliseconds(Clock::now() - before));
        }
        std::sort(times.begin(), times.end());
        return times;
    };
    const auto chosen = each([&](int i) {
        const auto rank = static_cast<std::size_t>(i) * 7 % job->ranks.size();
        const Ns moment = heat.start_of(static_cast<std::size_t>(i) * 13 % heat_columns);
        if (i % of_a_measure == 0) {
            view.setMeasure(heat_measures[static_cast<std::size_t>(i / of_a_measure) % heat_measures.size()]);
        }
        view.mark(rank, job->medianBeside(rank), moment);
    });
    const auto zoomed = each([&](int i) {
        const auto column = static_cast<std::size_t>(i) * 13 % heat_columns;
        view.map()->zoomTo({heat.start_of(column), heat.start_of(column + 1 + column / 3)});
    });
    const auto figures = [](const std::vector<double>& times) {
        char text[100] {};
        std::snprintf(text, sizeof text, "{\"median\": %.2f, \"p95\": %.2f, \"max\": %.2f}", times[times.size() / 2],
            times[times.size() * 95 / 100], times.back());
        return std::string(text);
    };
    std::printf("{\"ranks\": %zu, \"open_ms\": %.0f, \"first_picture_ms\": %.0f, \"repaint_ms\": %s, "
                "\"zoom_ms\": %s, \"peak_mb\": %ld}\n",
        job->ranks.size(), opened, shown, figures(chosen).c_str(), figures(zoomed).c_str(), peak_mb());
    return 0;
}
