// SPDX-License-Identifier: MIT
// What a page says of its recordings beside their lanes: figures, verdicts, findings, the lesson's texts. All of it is
// the engine's; the page prints it and computes none of it anew.
#pragma once

#include "gui/export/html/page_texts.h"
#include "gui/session/open_recording.h"
#include "gui/timeline/view_state.h"

#include <QJsonArray>
#include <QJsonObject>

namespace lanes::gui {

/// A recording of a page: what it shows, the workload that it carries, if one, and that whose texts are the lesson's:
/// the newest one, as in the window.
struct PageRecording {
    ViewState view;
    OpenRecordingPtr opened;
    std::shared_ptr<const Workload> lesson;
    std::shared_ptr<const Report> scoped;  ///< of the view's scope; never null
    /// `opensWith`: the range in its own time that the page opens with; nothing: all. Where the scope is what is in
    /// view it is that.
    static PageRecording of(const ViewState& view, std::optional<Interval> opensWith);
    const Report& report() const { return *scoped; }
    bool isOfPart() const { return view.scope.of != Scope::Of::all; }
};

/// Of one recording: title, source, total, summary table, findings, caveats, steps with their lines of code.
/// `language` is that which the texts are said in now.
QJsonObject factsOf(const PageRecording& recording, const QString& language, PageTexts& texts);

/// Of one, or of two under one another: verdicts with their tones, differences, the lesson's texts. `b` may be
/// null.
QJsonObject factsOf(const PageRecording& a, const PageRecording* b, const QString& language, PageTexts& texts);

/// The title of all: the workload's in `language`, else the recording's own.
QString pageTitle(const PageRecording& recording, const QString& language);

}  // namespace lanes::gui
