// SPDX-License-Identifier: MIT
// One HTML file with one or more recordings: the picture of them alive, to zoom, pan and measure in, in any browser of
// 2023 or later, without a network. The lanes, colours, words and figures are those of pictures and window; the page
// computes nothing but the figures of a range that its reader selects.
//
// The same input gives the same bytes. Names are untrusted: they reach the page as packed data and as escaped text, and
// a content security policy lets no other script run than ours.
#pragma once

#include "gui/timeline/view_state.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace lanes::gui {

struct PageOptions {
    QString title;  ///< over all of it; empty: the workload's
    QString language = QStringLiteral("en");  ///< that it opens in
    QString theme;  ///< "light" or "dark"; empty: as the reader's system is
    std::optional<Interval> range;  ///< that it opens with, in the first recording's time; nothing: all
    /// Whether the first two recordings are under one another at first, or the first is alone. More can be chosen.
    bool two = true;
    /// Links to the page that this one is a chapter of, and to its neighbours; empty: none.
    QString index, previous, next;
    /// Of a course, in both languages (course_parts.h): over the lanes, and the exercise under them; empty: none.
    QByteArray course, questions, exercise;
    /// The page of the same lesson as another GPU recorded it: what its link says, and the link. And the page that
    /// defines the terms; empty: none.
    std::vector<std::pair<QString, QString>> devices;
    QString terms;
};

/// A page carries all that it shows. More events and parts of them than that are refused by whoever makes one: Chromium
/// draws a page of as many anew in 2 ms, the first time in 30.
constexpr std::size_t most_page_items = 300'000;
/// How many a page of these views would carry.
std::size_t pageItems(const std::vector<ViewState>& views);

/// Translates tr() into a language from now on. Null: the page has the present language alone.
using Speak = std::function<void(const QString& language)>;

/// At least one view, every one with a model that is ready. Leaves the language as options.language.
/// Cost: linear; of a million operations some seconds and 4 MB.
QByteArray htmlPage(const std::vector<ViewState>& views, const PageOptions& options, const Speak& speak);

/// By the ending of `path`.
bool isPage(const QString& path);

/// `text` of resources with {{name}} replaced by what is given for it, once: what is put in is not looked at again.
QByteArray filledTemplate(const QByteArray& text, const std::vector<std::pair<QByteArray, QByteArray>>& values);
/// A file of gui/export/html.
QByteArray pageResource(const QString& name);
/// The colours of both themes as variables of CSS.
QByteArray themeStyle();
/// For a content security policy: 'sha256-…' of a script or style.
QByteArray policyHash(const QByteArray& text);

}  // namespace lanes::gui
