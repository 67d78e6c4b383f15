// SPDX-License-Identifier: MIT
// The verdict as it is written beside a recording's title: the engine's words, and how
// much faster this run was than the one it is compared with, where they may be ranked
// (engine/analysis/compare/compare.h).
#pragma once

#include "engine/analysis/report.h"

#include <QString>

namespace lanes::gui {

struct TitleVerdict {
    enum class Tone : std::uint8_t { neutral, wrong, blocking, overlapped };
    Tone tone = Tone::neutral;
    QString text;

    /// `reference` is the report of the recording that this one is compared with, or null, `letter` what that is
    /// called. `language` is one of Messages::languages().
    static TitleVerdict of(
        const Report& report, const Report* reference = nullptr, const QString& language = {}, QChar letter = u'A');
    /// The text beside lanes that a filter thins out: its figures are not those of what is shown.
    QString textBesideFilter() const;
};

}  // namespace lanes::gui
