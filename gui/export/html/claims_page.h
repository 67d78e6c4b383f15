// SPDX-License-Identifier: MIT
// The page of a course that goes through what articles say, with links to the lessons that show it.
#pragma once

#include "engine/workload/article_claims.h"

#include <QByteArray>
#include <QString>

#include <map>
#include <memory>
#include <string>

namespace lanes::gui {

/// The lessons of the course by name; a claim that another one shows is told without a link.
using CourseLessons = std::map<std::string, std::shared_ptr<const Workload>>;

/// Opens in `language`; `index` is the link of the first page. The same claims give the same bytes.
QByteArray claimsPage(
    const std::vector<Article>& articles, const CourseLessons& lessons, const QString& index, const QString& language);

}  // namespace lanes::gui
