// SPDX-License-Identifier: MIT
#include "gui/export/render_command.h"

#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct RenderOptionsTexts {
    Q_DECLARE_TR_FUNCTIONS(RenderCommand)
};

}  // namespace

QList<QCommandLineOption> renderOptions()
{
    return {
        {{QStringLiteral("o"), QStringLiteral("output")},
            RenderOptionsTexts::tr(
                "the picture; the ending gives the format (.png, .svg, .pdf, .html); an HTML file can be zoomed "
                "and measured in any browser"),
            QStringLiteral("OUT")},
        {QStringLiteral("preset"),
            RenderOptionsTexts::tr(
                "size, layout and resolution for a slide (16:9, text of 18 pt or more), a column (85 mm), a page "
                "(170 mm) or a poster (800 mm)"),
            QStringLiteral("slide|column|page|poster")},
        {QStringLiteral("size"),
            RenderOptionsTexts::tr(
                "logical pixels, or mm, cm, in or pt on paper: 85mm, 170x100mm; 1920x or x600 gives one of the "
                "two (default: 1600 pixels wide, as high as the lanes need)"),
            QStringLiteral("1920x1080")},
        {QStringLiteral("dpi"), RenderOptionsTexts::tr("dots per inch of a PNG with a size on paper (default: 300)"),
            QStringLiteral("300")},
        {QStringLiteral("svg-text"),
            RenderOptionsTexts::tr(
                "text in SVG: text (needs the font Inter to be installed), outlines (shapes) or embedded (shapes "
                "with invisible text over them; the default)"),
            QStringLiteral("text|outlines|embedded")},
        {QStringLiteral("scale"),
            RenderOptionsTexts::tr(
                "for PNG, device pixels per logical pixel: 2 for a high-resolution screen, 4 for paper"),
            QStringLiteral("2")},
        {QStringLiteral("measure"),
            RenderOptionsTexts::tr("of a job of many ranks (job.lanes), what its heat map shows"),
            QStringLiteral("waited|exposed|idle|step")},
        {QStringLiteral("range"),
            RenderOptionsTexts::tr("the time to show, for example 2ms:5.5ms, or steady: the part that repeats"),
            QStringLiteral("A:B")},
        {QStringLiteral("all"),
            RenderOptionsTexts::tr("show all of the time, even if a lesson highlights a part or a program repeats")},
        {QStringLiteral("lanes"),
            RenderOptionsTexts::tr(
                "stream (one lane per stream) or engine (H2D copies, D2H copies and kernels of each GPU)"),
            QStringLiteral("stream|engine")},
        {QStringLiteral("filter"),
            RenderOptionsTexts::tr("show only matching events, in the window's filter syntax: \"kind:copy dur>1ms\""),
            QStringLiteral("QUERY")},
        {QStringLiteral("critical-path"),
            RenderOptionsTexts::tr("outline the critical path of the run, or of the shown range")},
        {QStringLiteral("idle-reasons"),
            RenderOptionsTexts::tr("show why streams are idle, as bars at the foot of their lanes")},
        {QStringLiteral("annotations"),
            RenderOptionsTexts::tr(
                "texts, brackets, arrows and frames to draw over the lanes: a YAML file saved by the window"),
            QStringLiteral("FILE")},
        {QStringLiteral("theme"), RenderOptionsTexts::tr("light, dark or print (readable in grey)"),
            QStringLiteral("light|dark|print")},
        {QStringLiteral("title"), RenderOptionsTexts::tr("title of the picture (default: the workload's)"),
            QStringLiteral("TEXT")},
        {QStringLiteral("time-scale"),
            RenderOptionsTexts::tr("ruler (above the lanes, with a grid), bar (of a known length, below them) or none"),
            QStringLiteral("ruler|bar|none")},
        {QStringLiteral("no-title"), RenderOptionsTexts::tr("leave out the title")},
        {QStringLiteral("no-heads"), RenderOptionsTexts::tr("leave out name and verdict of each recording")},
        {QStringLiteral("no-figures"), RenderOptionsTexts::tr("leave out the busy figure of each lane")},
        {QStringLiteral("no-legend"), RenderOptionsTexts::tr("leave out the legend")},
        {QStringLiteral("no-source"), RenderOptionsTexts::tr("leave out the source of the recordings")},
        {QStringLiteral("no-differences"), RenderOptionsTexts::tr("leave out the differences between two recordings")},
        {QStringLiteral("no-overview"), RenderOptionsTexts::tr("with --range, leave out the overview strip")},
        {QStringLiteral("lessons"),
            RenderOptionsTexts::tr(
                "write all lessons as HTML pages with an index to DIR, which must be new, empty or written by "
                "this option"),
            QStringLiteral("DIR")},
        {QStringLiteral("lang"), RenderOptionsTexts::tr("language of the texts in the picture: en or zh_CN"),
            QStringLiteral("en|zh_CN")},
        {{QStringLiteral("h"), QStringLiteral("help")}, RenderOptionsTexts::tr("print this help")},
    };
}

}  // namespace lanes::gui
