// SPDX-License-Identifier: MIT
// lanescope-help-pages FOLDER ICON.svg: writes man page and completions of `lanescope` from the tables that --help is
// printed from, and the icon in the sizes of the hicolor theme. Run by the build.
#include "engine/help/command_words.h"
#include "gui/app/frame/command_line.h"
#include "gui/export/render_command.h"

#include <QDir>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <cstdio>
#include <exception>
#include <stdexcept>

namespace {

using namespace lanes::gui;
using lanes::HelpCommand;
using lanes::HelpOption;

HelpOption read(const QCommandLineOption& from)
{
    HelpOption option;
    for (const QString& name : from.names()) {
        option.names.push_back((name.size() == 1 ? "-" : "--") + name.toStdString());
    }
    option.value = from.valueName().toStdString();
    option.text = from.description().toStdString();
    if (from.valueName().contains(QLatin1Char('|'))) {
        for (const QString& choice : from.valueName().split(QLatin1Char('|'))) {
            option.choices.push_back(choice.toStdString());
        }
    }
    return option;
}

std::vector<HelpOption> read(const QList<QCommandLineOption>& from)
{
    std::vector<HelpOption> options;
    for (const QCommandLineOption& option : from) {
        options.push_back(read(option));
    }
    return options;
}

std::vector<HelpOption> files(bool required)
{
    HelpOption first, second;
    first.names = {"FILE"};
    first.text
        = "a recording, or a trace of PyTorch's profiler, Chrome, Perfetto or Nsight Systems (its SQLite export)";
    first.required = required;
    second.names = {"FILE_B"};
    second.text = "another, shown under it on the same time scale";
    return {first, second};
}

HelpCommand program()
{
    HelpCommand render {.name = "render",
        .text = "Draws one or two recordings into a picture file, without a display.",
        .notes = "Ends with 0, with 1 if the picture could not be written, or with 2 if a word or a file was wrong.\n\n"
                 "  lanescope render blocking.sqlite overlapped.sqlite -o both.svg\n"
                 "  lanescope render run.sqlite -o slide.png --size 960x540 --scale 2 --range 2ms:5.5ms\n",
        .options = read(renderOptions()),
        .words = files(true),
        .commands = {}};
    for (HelpOption& option : render.options) {
        option.required = option.names.back() == "--output";
    }
    HelpOption workload;
    workload.names = {"WORKLOAD.yaml"};
    workload.text = "a workload, which opens in the list, ready to run";
    workload.many = true;
    HelpOption session;
    session.names = {"SESSION.lanescope"};
    session.text = "a session that the window saved: its recordings as they were looked at";
    auto words = files(false);
    words.push_back(workload);
    words.push_back(session);
    return {.name = "lanescope",
        .text = "See what a CPU and a GPU do at the same time",
        .notes = "Two recordings open side by side on one time scale. All keys are listed in the window by F1.\n\n"
                 "Environment: LANES_PROGRAM is the lanes that runs workloads, unless it lies beside lanescope; "
                 "LANES_RESOURCES is the folder of what comes with Lanescope.\n\n"
                 "Ends with 0, or with 2 if a word or a file was wrong.\n",
        .options = read(windowOptions()),
        .words = words,
        .commands = {render}};
}

void writeIcon(QSvgRenderer& drawing, const QDir& folder, int side)
{
    QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    drawing.render(&painter);
    painter.end();
    const QString at = QStringLiteral("icons/hicolor/%1x%1/apps").arg(side);
    if (!folder.mkpath(at) || !image.save(folder.filePath(at + QStringLiteral("/lanescope.png")))) {
        throw std::runtime_error("cannot write an icon into " + folder.path().toStdString());
    }
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    if (argc != 3) {
        std::fputs("lanescope-help-pages: expected a folder to write to and the icon\n", stderr);
        return 2;
    }
    try {
        lanes::write_help_pages(program(), LANES_VERSION, argv[1]);
        QSvgRenderer drawing(QString::fromLocal8Bit(argv[2]));
        if (!drawing.isValid()) {
            throw std::runtime_error(std::string(argv[2]) + " is no SVG");
        }
        for (const int side : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
            writeIcon(drawing, QDir(QString::fromLocal8Bit(argv[1])), side);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanescope-help-pages: %s\n", error.what());
        return 1;
    }
    return 0;
}
