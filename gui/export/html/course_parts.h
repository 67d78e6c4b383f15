// SPDX-License-Identifier: MIT
// What a course adds to the page of a lesson, as plain HTML in both languages, so that it is there without JavaScript
// too: its chapter, why it matters, its questions, whose answers open by a click or a key, and its exercise.
#pragma once

#include "engine/workload/course.h"
#include "engine/workload/workload.h"

#include <QByteArray>
#include <QString>

#include <functional>

namespace lanes::gui {

/// Text in both languages; the style of the page shows the one that it is in.
QByteArray inBoth(const Translated& text);

/// "2 Copies and memory · 12 min · after: …"; `titleOf` gives the title of a lesson by its name. "" where there is
/// nothing to say.
QByteArray courseLine(
    const Course& course, const CourseLesson& lesson, const std::function<Translated(const std::string&)>& titleOf);

/// Why it matters, with a link to the issue; "" where the lesson says nothing.
QByteArray mattersHtml(const Matters& matters);

/// The questions, folded; "" where there are none.
QByteArray questionsHtml(const Workload& workload);

/// The exercise and how it is checked; "" where there is none.
QByteArray exerciseHtml(const Workload& workload);

/// The questions to be printed and filled in: boxes, and no answer. `number` of the lesson in the course, from 1.
QByteArray sheetHtml(const Workload& workload, std::size_t number);

/// A link to the slides of the lesson.
QByteArray slidesLink(const QString& link);

}  // namespace lanes::gui
