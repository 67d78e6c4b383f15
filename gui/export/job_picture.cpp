// SPDX-License-Identifier: MIT
#include "gui/export/job_picture.h"

#include "gui/paint/words/time_format.h"
#include "gui/session/rank_columns.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanes::gui {

namespace {

constexpr int job_width = 1600, job_height = 900;
constexpr LabelPainter::Style job_title_style {20, TextStyle::semiBold};
constexpr LabelPainter::Style job_sentence_style {15, TextStyle::semiBold};
constexpr LabelPainter::Style job_text_style {12, TextStyle::regular};
constexpr LabelPainter::Style job_head_style {11, TextStyle::regular};
constexpr double job_margin = 24, job_head_height = 116, job_comb_height = 48, job_row_height = 20;
constexpr double least_width_with_table = 1000;

}  // namespace

JobPicture::JobPicture(OpenJobPtr job, const JobShown& shown, const PictureOptions& options)
    : m_job(std::move(job))
    , m_shown(shown)
    , m_title(options.title)
    , m_theme(Theme::named(options.theme))
    , m_size(options.size.width() > 0 ? options.size.width() : job_width,
          options.size.height() > 0 ? options.size.height() : job_height)
{
    if (!m_shown.chosen && !m_job->report.ranks.empty() && !m_job->report.late.stand_out.empty()) {
        m_shown.chosen = m_job->report.late.stand_out.front().device;
        m_shown.second = m_job->medianBeside(*m_shown.chosen);
    }
    m_shown.moment = m_shown.moment.value_or(m_job->firstMoment());
}

QString JobPicture::title() const
{
    return m_title.isEmpty() ? m_job->title() : m_title;
}

void JobPicture::paint(QImage& image, double ratio)
{
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    draw(painter, false);
    painter.end();
    image.setDevicePixelRatio(1);
}

void JobPicture::drawHead(QPainter& painter, bool vector)
{
    const double width = m_size.width() - 2 * job_margin;
    const QString name = m_labels.elided(title(), width / 2, job_title_style);
    m_labels.draw(painter, job_margin, 28, name, job_title_style, m_theme.text, vector);
    const double left = job_margin + m_labels.width(name, job_title_style) + 16;
    m_labels.draw(painter, left, 29,
        m_labels.elided(m_job->subtitle(), m_size.width() - job_margin - left, job_text_style), job_text_style,
        m_theme.muted, vector);
    m_labels.draw(painter, job_margin, 60, m_labels.clauses(m_job->sentence(), width, job_sentence_style),
        job_sentence_style, m_theme.text, vector);
    const JobHeat& heat = m_job->heat(m_shown.measure);
    const QString what = heat.is_of_steps ? tr("%1, each step").arg(measureText(m_shown.measure))
                                          : tr("%1, each %2").arg(measureText(m_shown.measure), formatTime(heat.part));
    m_labels.draw(painter, job_margin, 92, what, job_text_style, m_theme.text, vector);
    HeatPainter::paintScale(painter, QRectF(job_margin + m_labels.width(what, job_text_style) + 20, 80, 320, 24),
        heat.top, m_theme, m_labels, vector);
}

void JobPicture::drawTable(QPainter& painter, const QRectF& box, bool vector)
{
    const std::map<RankFigure, double> widths {{RankFigure::rank, 44}, {RankFigure::step, 76},
        {RankFigure::exposed, 80}, {RankFigure::waited, 80}, {RankFigure::caused, 86}, {RankFigure::last, 94}};
    std::vector<RankColumn> columns = rankColumns(*m_job);
    std::erase_if(columns, [&](const RankColumn& column) { return !widths.contains(column.figure); });
    const auto put
        = [&](double right, double y, const QString& text, const LabelPainter::Style& style, const QColor& color) {
              m_labels.draw(painter, right - m_labels.width(text, style), y, text, style, color, vector);
          };
    double right = box.left();
    for (const RankColumn& column : columns) {
        right += widths.at(column.figure);
        put(right, box.top() + job_row_height / 2, column.title, job_head_style, m_theme.muted);
    }
    painter.fillRect(QRectF(box.left(), box.top() + job_row_height, box.width(), 1), m_theme.line);
    double y = box.top() + 1.5 * job_row_height + 2;
    for (const JobRank& row : m_job->report.ranks) {
        if (y + job_row_height / 2 > box.bottom()) {
            break;
        }
        if (m_shown.chosen == row.index || m_shown.second == row.index) {
            painter.fillRect(QRectF(box.left(), y - job_row_height / 2, box.width(), job_row_height), m_theme.chip);
        }
        right = box.left();
        for (const RankColumn& column : columns) {
            right += widths.at(column.figure);
            put(right, y, rankText(*m_job, row, column.figure), job_text_style,
                saysLate(column.figure) && isLate(*m_job, row) ? m_theme.pillBlockingText : m_theme.text);
        }
        y += job_row_height;
    }
}

void JobPicture::draw(QPainter& painter, bool vector)
{
    const QRectF all(0, 0, m_size.width(), m_size.height());
    painter.fillRect(all, m_theme.background);
    drawHead(painter, vector);
    constexpr double table_width = 480;
    const bool hasTable = m_size.width() >= least_width_with_table;
    const double right = hasTable ? all.right() - job_margin - table_width - 24 : all.right() - job_margin;
    const bool hasComb = m_shown.chosen.has_value() || !m_job->meetings.collectives.all.empty();
    const double bottom = all.bottom() - job_margin - (hasComb ? job_comb_height : 0);
    const auto row = [&](std::optional<std::size_t> rank) { return rank ? m_job->row_of[*rank] : -1; };
    const JobHeat heat = m_shown.time ? m_job->heat(m_shown.measure, *m_shown.time) : m_job->heat(m_shown.measure);
    m_heat.forget();
    m_heat.paint(painter, QRectF(QPointF(job_margin, job_head_height), QPointF(right, bottom)), m_job->map(heat),
        {row(m_shown.chosen), row(m_shown.second), m_shown.moment}, m_theme, m_labels, vector);
    if (hasComb && !m_job->ranks.empty()) {
        if (const auto collective = m_job->collectiveAt(m_shown.chosen.value_or(0), *m_shown.moment)) {
            paintComb(painter, QRectF(QPointF(job_margin, bottom), QPointF(right, all.bottom() - job_margin / 2)),
                m_job->comb(*collective), heat.time, m_theme, m_labels, vector);
        }
    }
    if (hasTable) {
        drawTable(painter,
            QRectF(all.right() - job_margin - table_width, job_head_height - 6, table_width,
                all.bottom() - job_margin - job_head_height),
            vector);
    }
}

}  // namespace lanes::gui
