// SPDX-License-Identifier: MIT
// A picture of a job of many ranks: its sentence, one heat map, the arrivals at one collective, and the first rows of
// the table. Drawn by the code that draws the window's map; the same input gives the same bytes.
#pragma once

#include "gui/export/picture.h"
#include "gui/session/open_job.h"

#include <QCoreApplication>

#include <optional>

namespace lanes::gui {

/// What of a job is shown.
struct JobShown {
    HeatMeasure measure = HeatMeasure::waited;
    std::optional<std::size_t> chosen, second;  ///< ranks that are marked
    std::optional<Ns> moment;
    std::optional<Interval> time = {};  ///< nothing: all of it
};

class JobPicture {
    Q_DECLARE_TR_FUNCTIONS(JobPicture)
public:
    JobPicture(OpenJobPtr job, const JobShown& shown, const PictureOptions& options);

    QSize size() const { return m_size; }
    QString title() const;
    static int hiddenLanes() { return 0; }
    void paint(QImage& image, double ratio);
    void paint(QPainter& painter) { draw(painter, true); }

private:
    void draw(QPainter& painter, bool vector);
    void drawHead(QPainter& painter, bool vector);
    void drawTable(QPainter& painter, const QRectF& box, bool vector);

    OpenJobPtr m_job;
    JobShown m_shown;
    QString m_title;  ///< that was asked for
    const Theme& m_theme;
    QSize m_size;
    HeatPainter m_heat;
    LabelPainter m_labels;
};

/// Without a size 1600 x 900. Throws as renderPicture().
Picture renderJob(const OpenJobPtr& job, const JobShown& shown, PictureFormat format, const PictureOptions& options);

}  // namespace lanes::gui
