// SPDX-License-Identifier: MIT
// The first page of a course: a card for each lesson, in both languages, with a picture of it in light and in dark.
#pragma once

#include "engine/workload/workload.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace lanes::gui {

/// Pages of a course carry this, so that a folder of them is known by it.
inline constexpr const char* course_mark = "<meta name=\"generator\" content=\"Lanescope lessons\">";

struct LessonCard {
    const Workload* workload;  ///< never null
    QString page;  ///< its link
    QString light, dark;  ///< links of its pictures
    Translated source;  ///< where its recordings come from
    Translated chapter;  ///< with its number; {}: in none. Cards of one follow one another
    QByteArray course;  ///< minutes and what comes before it, HTML in both languages; may be empty
};

/// Opens in `language`; `claims` and `terms` are the links of the pages about the articles and with
/// the definitions. The same cards give the same bytes.
QByteArray indexPage(
    const std::vector<LessonCard>& cards, const QString& claims, const QString& terms, const QString& language);

}  // namespace lanes::gui
