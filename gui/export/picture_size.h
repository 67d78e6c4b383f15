// SPDX-License-Identifier: MIT
// How large pictures are: in pixels, or on paper and slides, where the texts have the size that is to be read there and
// the layout follows from it. A logical pixel on paper is as large as makes the smallest text, of 11 pixels, so many
// points high.
#pragma once

#include "gui/export/picture_options.h"

namespace lanes::gui {

inline constexpr double smallest_text_pixels = 11;
inline constexpr double points_an_inch = 72;
/// What journals ask for at least, where a size on paper comes without a preset.
inline constexpr double smallest_text_on_paper = 6;
inline constexpr int paper_dots_an_inch = 300;

struct PicturePreset {
    const char* name;
    double width, height;  ///< points; a height of 0: as the lanes need
    double text;  ///< points: the smallest text
    int dpi;  ///< of a PNG
    std::optional<LaneDensity> density;
    bool title;  ///< else the caption or the text around has it, and where the recordings come from
};

/// slide (16:9, 13.3 in wide), column (85 mm), page (170 mm), poster (800 mm). Null: there is none of that name.
const PicturePreset* presetNamed(const QString& name);

/// What `--size` says: pixels, or points where it has a unit.
struct GivenSize {
    double width = 0, height = 0;  ///< 0: left out
    bool onPaper = false;
};
/// "1920x1080", "1920x", "x600", "85mm", "170x100mm", "3.3in", "240pt", "800px". Nothing where it is none of these.
std::optional<GivenSize> givenSize(const QString& text);

/// Sets what `preset` (or nothing), a size and `dpi` (0: the preset's, or 300 on paper) make of the options. The parts
/// that a preset leaves out are switched off.
void setSize(PictureOptions& options, const PicturePreset* preset, const GivenSize& size, int dpi);

}  // namespace lanes::gui
