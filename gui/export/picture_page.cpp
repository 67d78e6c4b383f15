// SPDX-License-Identifier: MIT
#include "gui/export/picture_page.h"

#include "engine/analysis/messages.h"
#include "engine/store/meta.h"
#include "gui/timeline/time_format.h"

#include <QCoreApplication>
#include <cmath>
#include <numeric>

namespace lanes::gui {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(PicturePage)
};

constexpr int title_height = 46;
constexpr int legend_height = 34;
constexpr int default_width = 1600;
constexpr double natural_stretch = 1.25;  // of lanes where the height is ours to choose
constexpr double margin = 14;
constexpr LabelPainter::Style title_style{17, TextStyle::semiBold};
constexpr LabelPainter::Style legend_style{11, TextStyle::regular};

QString metaText(const Trace& trace, const char* key)
{
    const auto found = trace.meta.find(key);
    return found == trace.meta.end() ? QString() : QString::fromStdString(found->second);
}

QString deviceOf(const Trace& trace)
{
    if (!trace.devices.empty() && trace.devices.front().name != 0) {
        return QString::fromStdString(std::string(trace.text(trace.devices.front().name)));
    }
    return metaText(trace, meta::device);
}

}  // namespace

QString pictureTitle(const Trace& trace)
{
    const QString title = metaText(trace, meta::title);
    return title.isEmpty() ? metaText(trace, meta::workload) : title;
}

PicturePage::PicturePage(const std::vector<RecordingPtr>& recordings, const PictureOptions& options)
    : m_theme(Theme::named(options.theme))
    , m_options(options)
{
    if (options.showTitle && !recordings.empty()) {
        m_title = options.title.isEmpty() ? pictureTitle(*recordings.front()->trace) : options.title;
    }
    for (const RecordingPtr& recording : recordings) {
        Part part;
        part.model = std::make_unique<LaneModel>(recording);
        if (recording->report) {
            const Report* reference = m_parts.empty() ? nullptr : m_parts.front().model->recording().report.get();
            part.verdict = TitleVerdict::of(*recording->report, reference, options.language);
        }
        m_extent = std::max(m_extent, part.model->duration());
        m_parts.push_back(std::move(part));
    }
    place();
}

/// Gives every part its height; what is not lanes keeps its own.
void PicturePage::place()
{
    const int around = (m_title.isEmpty() ? 0 : title_height) + (m_options.legend ? legend_height : 0)
        + (m_options.range ? OverviewStrip::strip_height : 0);
    constexpr int head = FrameGeometry::title_height + FrameGeometry::ruler_height;
    int wanted = 0;
    for (Part& part : m_parts) {
        part.height = head + LaneLayout::heightOf(part.model->lanes(), LaneArrangement().arrange(part.model->lanes()), natural_stretch);
        wanted += part.height;
    }
    m_size = {m_options.size.width() > 0 ? m_options.size.width() : default_width,
        m_options.size.height() > 0 ? m_options.size.height() : wanted + around};
    const int room = std::max(m_size.height() - around, 1);
    int y = m_title.isEmpty() ? 0 : title_height;
    int left = room;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        Part& part = m_parts[i];
        const bool last = i + 1 == m_parts.size();
        part.height = last ? left : static_cast<int>(std::lround(static_cast<double>(part.height) * room / std::max(wanted, 1)));
        part.y = y;
        part.layout = LaneLayout(part.model->lanes(), LaneArrangement().arrange(part.model->lanes()), part.height - head);
        y += part.height;
        left -= part.height;
    }
}

TimelineFrame PicturePage::frame(std::size_t i, double ratio) const
{
    const Part& part = m_parts[i];
    FrameGeometry geometry;
    geometry.size = {m_size.width(), part.height};
    geometry.labelWidth = FrameGeometry::labelWidthFor(m_size.width());
    const int columns = std::max(static_cast<int>(geometry.plotWidth() * ratio), 1);
    const TimeScale scale = m_options.range
        ? TimeScale::showing(m_options.range->start, std::max(m_options.range->end, m_options.range->start + 1), columns)
        : TimeScale::fitting(static_cast<Ns>(static_cast<double>(m_extent) * 1.06) + 1, columns);
    const QString letter = m_parts.size() > 1 ? QString(QChar(u'A' + static_cast<char16_t>(i))) : QString();
    return {*part.model, part.layout, m_theme, scale, geometry, ratio, letter, part.verdict};
}

void PicturePage::paint(QImage& image, double ratio)
{
    image.fill(m_theme.background);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        m_painter.paint(frame(i, ratio), image, QPoint(0, static_cast<int>(std::lround(m_parts[i].y * ratio))));
    }
    QPainter painter(&image);
    painter.scale(ratio, ratio);
    paintAround(painter, false);
}

void PicturePage::paint(QPainter& painter)
{
    constexpr double columns_a_unit = 4;  // finer than any reader shows, coarse enough for small files
    painter.fillRect(QRectF(0, 0, m_size.width(), m_size.height()), m_theme.background);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        painter.save();
        painter.translate(0, m_parts[i].y);
        m_painter.paint(frame(i, columns_a_unit), painter);
        painter.restore();
    }
    paintAround(painter, true);
}

void PicturePage::paintAround(QPainter& painter, bool vector)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    LabelPainter& labels = m_painter.labels();
    if (!m_title.isEmpty()) {
        painter.fillRect(QRectF(0, 0, m_size.width(), title_height), m_theme.background);
        labels.draw(painter, margin, title_height / 2.0, labels.elided(m_title, m_size.width() - 2 * margin, title_style), title_style, m_theme.text, vector);
    }
    double bottom = m_size.height();
    if (m_options.legend) {
        bottom -= legend_height;
        painter.fillRect(QRectF(0, bottom, m_size.width(), legend_height), m_theme.background);
        painter.fillRect(QRectF(0, bottom, m_size.width(), 0.7), m_theme.line);
        const double middle = bottom + legend_height / 2.0;
        const double from = paintLegend(painter, middle, vector);
        const QString source = labels.elided(sourceLine(), m_size.width() - from - margin, legend_style);
        if (source.size() > 8) {
            labels.draw(painter, m_size.width() - margin - labels.width(source, legend_style), middle, source, legend_style, m_theme.muted, vector);
        }
    }
    if (m_options.range) {
        std::vector<const LaneModel*> models;
        for (const Part& part : m_parts) {
            models.push_back(part.model.get());
        }
        painter.save();
        painter.translate(0, bottom - OverviewStrip::strip_height);
        paintOverview({models, m_theme, {m_size.width(), OverviewStrip::strip_height}, FrameGeometry::labelWidthFor(m_size.width()), m_extent, *m_options.range},
            painter, labels, vector);
        painter.restore();
    }
}

std::vector<PicturePage::LegendEntry> PicturePage::legend() const
{
    std::vector<bool> has(itemRoleCount);
    for (const Part& part : m_parts) {
        for (const Lane& lane : part.model->lanes()) {
            for (const LaneRow& row : lane.rows) {
                for (std::size_t i = 0; i < std::min<std::size_t>(row.items.size(), 100'000); ++i) {
                    has[static_cast<std::size_t>(row.items.role(i))] = true;
                }
            }
        }
    }
    const std::vector<LegendEntry> all{{Texts::tr("kernel"), ItemRole::kernel}, {Texts::tr("copy H2D"), ItemRole::h2d},
        {Texts::tr("copy D2H"), ItemRole::d2h}, {Texts::tr("copy D2D"), ItemRole::d2d}, {Texts::tr("copy P2P"), ItemRole::p2p},
        {Texts::tr("copy H2H"), ItemRole::h2h}, {Texts::tr("memset"), ItemRole::memset}, {Texts::tr("range"), ItemRole::range},
        {Texts::tr("CPU work"), ItemRole::hostWork}, {Texts::tr("CPU waits for CPU"), ItemRole::hostWait},
        {Texts::tr("API call"), ItemRole::call}, {Texts::tr("blocked"), ItemRole::blocked}, {Texts::tr("one at a time"), ItemRole::overlap1},
        {Texts::tr("two at once"), ItemRole::overlap2}, {Texts::tr("three or more"), ItemRole::overlap3}};
    std::vector<LegendEntry> shown;
    std::copy_if(all.begin(), all.end(), std::back_inserter(shown), [&](const LegendEntry& entry) { return has[static_cast<std::size_t>(entry.role)]; });
    return shown;
}

/// Returns where it ended.
double PicturePage::paintLegend(QPainter& painter, double middle, bool vector)
{
    LabelPainter& labels = m_painter.labels();
    double x = margin;
    for (const LegendEntry& entry : legend()) {
        const double width = 16 + labels.width(entry.text, legend_style) + 14;
        if (x + width > m_size.width() - margin) {
            break;
        }
        const QRectF swatch(x, middle - 5, 11, 10);
        const bool hatched = entry.role == ItemRole::blocked;
        painter.setPen(hatched ? QPen(m_theme.item(entry.role), 1) : QPen(Qt::NoPen));
        painter.setBrush(hatched ? m_theme.hatchGround : m_theme.item(entry.role));
        painter.drawRoundedRect(swatch, 2, 2);
        if (hatched) {
            painter.setPen(QPen(m_theme.item(entry.role), 1.8, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(QPointF(x + 1, middle + 1), QPointF(x + 6, middle - 4));
            painter.drawLine(QPointF(x + 4, middle + 4), QPointF(x + 10, middle - 2));
        }
        labels.draw(painter, x + 16, middle, entry.text, legend_style, m_theme.muted, vector);
        x += width;
    }
    return x + 10;
}

QString PicturePage::sourceLine() const
{
    QStringList lines;
    for (const Part& part : m_parts) {
        const Trace& trace = part.model->trace();
        const Message message{"source." + std::string(name_of(trace.source)), {{"device", deviceOf(trace).toStdString()}}};
        const QString line = QString::fromStdString(Messages::of(m_options.language.toStdString()).format(message));
        if (!lines.contains(line)) {
            lines << line;
        }
    }
    if (lines.size() > 1) {
        for (qsizetype i = 0; i < lines.size(); ++i) {
            lines[i] = QStringLiteral("%1: %2").arg(QChar(u'A' + static_cast<char16_t>(i))).arg(lines[i]);
        }
    }
    return lines.join(QStringLiteral("   "));
}

}  // namespace lanes::gui
