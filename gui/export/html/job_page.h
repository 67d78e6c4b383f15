// SPDX-License-Identifier: MIT
// One HTML file with a job of many ranks: the sentence, the heat map with its four measures, the table. It can be
// sorted and read cell by cell in any browser of 2023 or later, without a network; see html_page.h.
#pragma once

#include "gui/session/open_job.h"

#include <QByteArray>
#include <QString>

namespace lanes::gui {

/// Opens with that measure; texts are in the present language, which is called `language`. The same job gives the same
/// bytes. Cost: linear in the cells, a byte each before base64.
QByteArray jobPage(const OpenJobPtr& job, HeatMeasure measure, const QString& language);

}  // namespace lanes::gui
