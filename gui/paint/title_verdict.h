// SPDX-License-Identifier: MIT
// The verdict as it is written beside a recording's title: the engine's words, and how
// much faster this run was than the one it is compared with, where they may be ranked
// (engine/analysis/compare/compare.h); where an iteration of each is shown, how much faster that was.
#pragma once

#include "engine/analysis/report.h"
#include "gui/lanes/shown_iteration.h"

#include <QString>

namespace lanes::gui {

struct ComparedIterations {
    std::shared_ptr<const ShownIteration> own = {}, reference = {};
};

struct TitleVerdict {
    enum class Tone : std::uint8_t { neutral, wrong, blocking, overlapped };
    Tone tone = Tone::neutral;
    QString text;
    QString reason;  ///< the part of `text` that the tone is about, "waits cost 32.8 ms"; "": of a tone that needs none
    QString scope;  ///< the part that it is about, where nothing but the title says that; "": of all, or said elsewhere
    bool isOld = false;  ///< of another scope than the one that is asked for: the next one is being found

    /// `reference` is the report of the recording that this one is compared with, or null, `letter` what that is
    /// called. `language` is one of Messages::languages(). `iterations` are those that are shown of this recording and
    /// of the reference; null: the whole runs are compared.
    static TitleVerdict of(const Report& report, const Report* reference = nullptr, const QString& language = {},
        QChar letter = u'A', const ComparedIterations& iterations = {});
    /// The text beside lanes that a filter thins out: its figures are not those of what is shown.
    QString textBesideFilter() const;
};

}  // namespace lanes::gui
