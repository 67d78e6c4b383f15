// SPDX-License-Identifier: MIT
#include "gui/paint/row_canvas.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <map>

namespace lanes::gui {

namespace {

constexpr int shade_step = 8;  // of 256: vector files have 32 shades of a colour
constexpr double ground_width = 4;  // logical pixels
constexpr double least_rounded = 4;  // logical pixels
constexpr int small_corner = 80;  // of 256: what of a small bar's corner stays
constexpr double gap_width = 0.8, gap_share = 0.25;  // logical pixels; of a bar's width, at most

/// A colour between those that were added, of few.
class Mean {
public:
    void add(QRgb color)
    {
        ++m_count;
        m_red += qRed(color);
        m_green += qGreen(color);
        m_blue += qBlue(color);
    }
    QRgb color() const { return qRgb(channel(m_red), channel(m_green), channel(m_blue)); }

private:
    int channel(std::int64_t sum) const
    {
        return m_count == 0 ? 0 : static_cast<int>(sum / m_count / shade_step * shade_step + shade_step / 2);
    }
    std::int64_t m_count = 0, m_red = 0, m_green = 0, m_blue = 0;
};

/// A box with corners of these radii at its left and its right side.
QPainterPath outlineOf(const QRectF& box, double left, double right)
{
    QPainterPath path(QPointF(box.left() + left, box.top()));
    path.lineTo(box.right() - right, box.top());
    if (right > 0) {
        path.arcTo(box.right() - 2 * right, box.top(), 2 * right, 2 * right, 90, -90);
    }
    path.lineTo(box.right(), box.bottom() - right);
    if (right > 0) {
        path.arcTo(box.right() - 2 * right, box.bottom() - 2 * right, 2 * right, 2 * right, 0, -90);
    }
    path.lineTo(box.left() + left, box.bottom());
    if (left > 0) {
        path.arcTo(box.left(), box.bottom() - 2 * left, 2 * left, 2 * left, -90, -90);
    }
    path.lineTo(box.left(), box.top() + left);
    if (left > 0) {
        path.arcTo(box.left(), box.top(), 2 * left, 2 * left, 180, -90);
    }
    path.closeSubpath();
    return path;
}

int heightOf(const LaneColumns& columns, std::size_t column, int height)
{
    double share = std::min(columns.narrowFraction(column), 1.0);
    if (share < LaneRasterizer::lonely_floor && LaneRasterizer::standsAlone(columns, column)) {
        share = LaneRasterizer::lonely_floor;
    }
    return std::clamp(static_cast<int>(std::lround(share * height)), 0, height);
}

/// The colour of a wait that is narrower than its column. Beside others its height says its share; where it stands
/// alone and is higher than that its strength does, so that a hundred short waits do not look like long ones.
QRgb waitColor(const LaneColumns& columns, std::size_t column, QRgb below, QRgb edge)
{
    constexpr double least = 0.25;  // just visible
    const double share = columns.narrowFraction(column) / LaneRasterizer::lonely_floor;
    if (share >= 1 || !LaneRasterizer::standsAlone(columns, column)) {
        return edge;
    }
    const int steps = static_cast<int>(std::lround(std::max(share, least) * 256 / shade_step));
    return mixed(below, edge, steps * shade_step);
}

}  // namespace

void findHatch(const LaneColumns& columns, int height, int striped, int least, NarrowHatch& hatch)
{
    const std::size_t count = columns.role.size();
    const auto isEmpty = [&](std::size_t x) { return x >= count || columns.role[x] == 0; };
    hatch.heights.assign(count, 0);
    for (std::size_t x = 0; x < count; ++x) {
        hatch.heights[x] = isEmpty(x) ? 0 : heightOf(columns, x, height);
    }
    constexpr int four = 4;  // times the height
    hatch.even.assign(count, 0);
    for (std::size_t x = 0; x < count; ++x) {
        const int own = hatch.heights[x];
        const std::size_t last = x == 0 ? 1 : x - 1;  // beyond the view it goes on as it does in it
        const std::size_t next = x + 1 == count ? last : x + 1;
        const int before = isEmpty(last) ? own : hatch.heights[last];
        const int behind = isEmpty(next) ? own : hatch.heights[next];
        hatch.even[x] = before + 2 * own + behind;  // the shortest filter that leaves nothing of every other column
    }
    // A step between two levels is half as high when it is evened out; what alternates has none left.
    const auto isStep = [&](std::size_t x) {
        return std::abs(hatch.heights[x] - hatch.heights[x - 1]) > height / 4
            && std::abs(hatch.even[x] - hatch.even[x - 1]) * 8 > four * height;
    };
    hatch.solid.assign(count, 0);
    for (std::size_t x = 0; x < count;) {
        const std::size_t from = x;
        while (!isEmpty(x) && (x == from || !isStep(x))) {
            ++x;
        }
        const bool isSolid = x - from < static_cast<std::size_t>(striped);
        std::fill(hatch.solid.begin() + static_cast<std::ptrdiff_t>(from),
            hatch.solid.begin() + static_cast<std::ptrdiff_t>(x), isSolid ? 1 : 0);
        x = std::max(x, from + 1);
    }
    const auto isPeak = [&](std::size_t x) {  // or a dip
        return x > 0 && x + 1 < count && !isEmpty(x - 1) && !isEmpty(x) && !isEmpty(x + 1)
            && (hatch.heights[x] > hatch.heights[x - 1]) == (hatch.heights[x] > hatch.heights[x + 1])
            && hatch.heights[x] != hatch.heights[x - 1] && hatch.heights[x] != hatch.heights[x + 1];
    };
    for (std::size_t x = 0; x < count; ++x) {
        const bool alternates = hatch.solid[x] == 0 && isPeak(x) && (isPeak(x + 1) || isPeak(x - 1));
        const int drawn = alternates ? (hatch.even[x] + four / 2) / four : hatch.heights[x];
        hatch.even[x] = isEmpty(x) ? 0 : std::clamp(drawn, std::min(least, height), height);
    }
    std::swap(hatch.heights, hatch.even);
}

RolePalette paletteOf(const Theme& theme, std::uint8_t shade)
{
    RolePalette palette {};
    for (std::size_t role = 0; role < itemRoleCount; ++role) {
        for (std::size_t name = 0; name < shade_count; ++name) {
            palette[role][name] = theme.item(static_cast<ItemRole>(role), name, shade).rgb();
        }
    }
    return palette;
}

RowCanvas::RowCanvas(const Theme& theme)
    : m_palettes {paletteOf(theme), paletteOf(theme, 1), paletteOf(theme, 2)}
    , m_edge(theme.background.rgb())
{
}

ImageRowCanvas::ImageRowCanvas(const Theme& theme, QImage& image, double pixelRatio)
    : RowCanvas(theme)
    , m_pixels(reinterpret_cast<QRgb*>(image.bits()))
    , m_stride(image.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb)))
    , m_width(image.width())
    , m_height(image.height())
    , m_ratio(pixelRatio)
    , m_radius(static_cast<int>(std::lround(corner_radius * pixelRatio)))
{
    for (int y = 0; y < m_radius; ++y) {
        for (int x = 0; x < m_radius; ++x) {
            const double distance = std::hypot(m_radius - x - 0.5, m_radius - y - 0.5);
            m_mask.push_back(static_cast<int>(std::lround(std::clamp(m_radius + 0.5 - distance, 0.0, 1.0) * 256)));
        }
    }
}

int ImageRowCanvas::device(double logical) const
{
    return static_cast<int>(std::lround(logical * m_ratio));
}

void ImageRowCanvas::draw(const RowDrawing& row, RowScratch& scratch) const
{
    const Lines lines {device(row.y), device(row.y + row.height), std::max(device(row.y), device(row.top)),
        std::min({device(row.y + row.height), device(row.bottom), m_height})};
    if (lines.top >= lines.bottom) {
        return;
    }
    scratch.under = row.pixels;
    if (row.hatch != nullptr) {
        if (row.lowest) {  // the hatch leaves the pixels around it as they are
            copyDown(row.pixels, device(row.left), lines);
        } else {  // nothing of a call shows at the corners of its wait
            std::fill(scratch.under.begin(), scratch.under.end(), m_edge);
        }
        hatch(row, scratch, lines);
    } else {
        LaneRasterizer::paint(row.columns, palette(row), m_edge, row.pixels);
        copyDown(row.pixels, device(row.left), lines);
    }
    roundCorners(row, scratch.under, lines);
}

void ImageRowCanvas::copyDown(const std::vector<QRgb>& pixels, int left, Lines lines) const
{
    const auto count = std::min(pixels.size(), static_cast<std::size_t>(std::max(m_width - left, 0)));
    for (int y = lines.top; y < lines.bottom; ++y) {
        std::copy_n(pixels.begin(), count, line(y) + left);
    }
}

void ImageRowCanvas::hatch(const RowDrawing& row, RowScratch& scratch, Lines lines) const
{
    auto& [under, stripes, grounds, narrow, tops] = scratch;
    const int thick = std::max(1, static_cast<int>(m_ratio));
    const QRgb stripe = row.hatch->line.rgb();
    const QRgb ground = row.hatch->ground.rgb();
    const QRgb edge = row.hatch->edge.rgb();
    stripes.assign(under.size(), stripe);
    grounds.assign(under.size(), ground);
    LaneRasterizer::paintWide(row.columns, stripe, m_edge, stripes);
    LaneRasterizer::paintWide(row.columns, ground, m_edge, grounds);
    const std::vector<QRgb> below = row.pixels;
    LaneRasterizer::paint(row.columns, edge, m_edge, row.pixels);
    const auto count = static_cast<std::int32_t>(
        std::min(row.pixels.size(), static_cast<std::size_t>(std::max(m_width - device(row.left), 0))));
    const std::int32_t striped = device(least_striped);
    findHatch(row.columns, lines.to - lines.from, striped, device(least_hatched), narrow);
    for (std::size_t x = 0; x < narrow.solid.size(); ++x) {
        if (narrow.solid[x] != 0) {
            stripes[x] = grounds[x] = waitColor(row.columns, x, below[x], edge);
        }
    }
    for (const WideItem& item : row.columns.wide) {
        if (item.x1 - item.x0 < striped) {
            for (auto x = static_cast<std::size_t>(std::max(item.x0, 0));
                 x < static_cast<std::size_t>(std::clamp(item.x1, 0, count)); ++x) {
                stripes[x] = grounds[x] = row.pixels[x];
            }
            continue;
        }
        for (int i = 0; i < thick; ++i) {  // the outline's upright lines
            for (const std::int32_t x : {item.x0 + i, item.x1 - 2 - i}) {
                if (x >= 0 && x < count) {
                    stripes[static_cast<std::size_t>(x)] = grounds[static_cast<std::size_t>(x)] = edge;
                }
            }
        }
    }
    tops.assign(under.size(), lines.bottom);
    for (std::size_t i = 0; i < tops.size(); ++i) {
        if (row.columns.role[i] != 0) {
            tops[i] = lines.to - narrow.heights[i];
        }
    }
    for (const WideItem& item : row.columns.wide) {
        const std::int32_t from = std::clamp(item.x0, 0, count);
        std::fill(tops.begin() + from, tops.begin() + std::clamp(item.x1, from, count), lines.from);
    }
    const std::vector<int> shares = stripeShares(*row.hatch);
    const auto period = static_cast<int>(shares.size());
    const auto phase = static_cast<int>(((row.first % period) + period) % period);
    for (int y = lines.top; y < lines.bottom; ++y) {
        QRgb* out = line(y) + device(row.left);
        const bool bottom = y >= lines.to - thick;
        int at = (phase + (row.hatch->falls ? period - y % period : y)) % period;
        for (std::int32_t x = 0; x < count; ++x) {
            const auto i = static_cast<std::size_t>(x);
            if (y >= tops[i]) {
                const bool outline = bottom || y < tops[i] + thick;
                const QRgb line = tops[i] == lines.from ? row.pixels[i] : narrow.solid[i] != 0 ? grounds[i] : edge;
                out[x] = outline ? line : mixed(grounds[i], stripes[i], shares[static_cast<std::size_t>(at)]);
            }
            at = at + 1 == period ? 0 : at + 1;
        }
    }
}

/// Of a period's columns: how much of each is stripe, of 256. Its edges are soft.
std::vector<int> ImageRowCanvas::stripeShares(const Theme::Hatch& hatch) const
{
    const int period = std::max(3, device(Theme::hatch_period));
    std::vector<int> shares(static_cast<std::size_t>(period));
    const double half = hatch.width / Theme::hatch_period * period / 2;
    for (int i = 0; half > 0 && i < period; ++i) {
        const double distance = std::fabs(i + 0.5 - period / 2.0);
        shares[static_cast<std::size_t>(i)]
            = static_cast<int>(std::lround(std::clamp(half - distance + 0.5, 0.0, 1.0) * 256));
    }
    return shares;
}

void ImageRowCanvas::roundCorners(const RowDrawing& row, const std::vector<QRgb>& under, Lines lines) const
{
    const int left = device(row.left);
    const auto count = static_cast<std::int32_t>(under.size());
    if (lines.to - lines.from < 3 * m_radius) {
        return;
    }
    const auto cut = [&](std::int32_t x, int y, int share) {
        if (x >= 0 && x < count && left + x < m_width && y >= lines.top && y < lines.bottom && share < 256) {
            QRgb& pixel = line(y)[left + x];
            pixel = mixed(under[static_cast<std::size_t>(x)], pixel, share);
        }
    };
    for (const WideItem& item : row.columns.wide) {
        const std::int32_t right = item.x1 - 1;  // the last column is the darker edge
        if (item.x1 - item.x0 < 3 * m_radius) {  // the same in small
            for (const std::int32_t x : {item.x0, right - 1}) {
                if (item.x1 - item.x0 >= device(least_rounded)) {
                    cut(x, lines.from, small_corner);
                    cut(x, lines.to - 1, small_corner);
                }
            }
            continue;
        }
        for (int y = 0; y < m_radius; ++y) {
            for (int x = 0; x < m_radius; ++x) {
                const int share = m_mask[static_cast<std::size_t>(y) * static_cast<std::size_t>(m_radius)
                    + static_cast<std::size_t>(x)];
                cut(item.x0 + x, lines.from + y, share);
                cut(item.x0 + x, lines.to - 1 - y, share);
                cut(right - 1 - x, lines.from + y, share);
                cut(right - 1 - x, lines.to - 1 - y, share);
            }
        }
    }
}

VectorRowCanvas::VectorRowCanvas(const Theme& theme, QPainter& painter, double ratio)
    : RowCanvas(theme)
    , m_painter(painter)
    , m_ratio(ratio)
{
}

void VectorRowCanvas::draw(const RowDrawing& row, RowScratch&) const
{
    const double y = std::max(row.y, row.top);
    const double height = std::min(row.y + row.height, row.bottom) - y;
    if (height <= 0) {
        return;
    }
    drawNarrow(row, y, height);
    const auto count = static_cast<std::int32_t>(row.pixels.size());
    for (const WideItem& item : row.columns.wide) {
        const bool cutLeft = item.x0 < 0;
        const bool cutRight = item.x1 > count;
        const double from = std::max(item.x0, 0) / m_ratio;
        const double width = std::min(item.x1, count) / m_ratio - from;
        if (width <= 0) {
            continue;
        }
        const QRectF box(row.left + from, y, width - (cutRight ? 0 : std::min(gap_width, gap_share * width)), height);
        const double rounded = box.width() >= 3 * corner_radius ? corner_radius : box.width() >= least_rounded ? 1 : 0;
        const double radius = height >= 3 * corner_radius ? rounded : 0;
        m_painter.setPen(Qt::NoPen);
        const bool solid = row.hatch != nullptr && width < least_striped;
        if (row.hatch != nullptr && !row.lowest && radius > 0) {
            m_painter.fillRect(box, QColor::fromRgb(m_edge));  // nothing of a call shows at the corners of its wait
        }
        m_painter.setBrush(solid ? row.hatch->edge
                : row.hatch != nullptr
                ? row.hatch->ground
                : QColor::fromRgb(palette(row)[static_cast<std::size_t>(item.role)][item.shade]));
        if (radius == 0) {
            m_painter.drawRect(box);
        } else {
            m_painter.drawPath(outlineOf(box, cutLeft ? 0 : radius, cutRight ? 0 : radius));
        }
        if (row.hatch == nullptr || solid) {
            continue;
        }
        drawStripes({{box.left(), box.right(), box.top()}}, box.bottom(), row);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(row.hatch->edge, 1));
        // What goes on beyond the picture has no side.
        const QRectF line = box.adjusted(cutLeft ? 0 : 0.5, 0.5, cutRight ? 0 : -0.5, -0.5);
        if (cutLeft || cutRight) {
            m_painter.drawLine(line.topLeft(), line.topRight());
            m_painter.drawLine(line.bottomLeft(), line.bottomRight());
        } else {
            m_painter.drawPath(outlineOf(line, radius, radius));
        }
        if (cutLeft != cutRight) {
            m_painter.drawLine(
                cutLeft ? line.topRight() : line.topLeft(), cutLeft ? line.bottomRight() : line.bottomLeft());
        }
    }
    LaneRasterizer::paint(row.columns, palette(row), m_edge, row.pixels);
}

void VectorRowCanvas::fillUnder(const RowDrawing& row, std::int32_t from, std::int32_t to, QRgb color) const
{
    const double y = std::max(row.y, row.top);
    const double height = std::min(row.y + row.height, row.bottom) - y;
    if (height > 0 && from < to) {
        m_painter.fillRect(QRectF(row.left + from / m_ratio, y, (to - from) / m_ratio, height), QColor::fromRgb(color));
    }
}

void VectorRowCanvas::drawNarrow(const RowDrawing& row, double y, double height) const
{
    const std::size_t count = row.pixels.size();
    const auto shareAt = [&](std::size_t x) {
        return (LaneRasterizer::shownShare(row.columns, x) + shade_step / 2) / shade_step * shade_step;
    };
    if (row.hatch != nullptr) {
        drawHatchedNarrow(row, y, height);
        return;
    }
    drawColumns(row, y, height, 0, count, [&](std::size_t x) {
        return mixed(row.pixels[x], palette(row)[row.columns.role[x]][plain_shade], shareAt(x));
    });
}

/// Stretches that are long enough are hatched under a line, others are the line's colour, as strong as their share.
void VectorRowCanvas::drawHatchedNarrow(const RowDrawing& row, double y, double height) const
{
    const std::size_t count = row.pixels.size();
    const auto at = [&](std::size_t x) { return row.left + static_cast<double>(x) / m_ratio; };
    NarrowHatch narrow;
    findHatch(row.columns, static_cast<int>(std::lround(height)),
        static_cast<int>(std::lround(least_striped * m_ratio)), static_cast<int>(least_hatched), narrow);
    const auto& [heights, solid, even] = narrow;
    const auto colorAt = [&](std::size_t x) { return waitColor(row.columns, x, row.pixels[x], row.hatch->edge.rgb()); };
    QList<QRectF> grounds, lines;
    std::map<QRgb, QList<QRectF>> faint;
    std::vector<std::vector<Run>> hatched;
    for (std::size_t x = 0; x < count;) {
        if (row.columns.role[x] == 0) {
            ++x;
            continue;
        }
        std::vector<Run> runs;
        const bool striped = solid[x] == 0;
        while (x < count && row.columns.role[x] != 0 && (solid[x] == 0) == striped) {
            const std::size_t begin = x;
            const int high = heights[begin];
            while (x < count && row.columns.role[x] != 0 && (solid[x] == 0) == striped && heights[x] == high
                && (striped || colorAt(x) == colorAt(begin))) {
                ++x;
            }
            runs.push_back({at(begin), at(x), y + height - high});
            const Run& run = runs.back();
            auto& bars = colorAt(begin) == row.hatch->edge.rgb() ? lines : faint[colorAt(begin)];
            (striped ? grounds : bars).append({run.left, run.top, run.right - run.left, y + height - run.top});
            if (striped) {
                lines.append({run.left, run.top, run.right - run.left, 1});
                lines.append({run.left, y + height - 1, run.right - run.left, 1});
            }
        }
        if (striped) {
            hatched.push_back(std::move(runs));
        }
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(row.hatch->ground);
    m_painter.drawRects(grounds);
    for (const std::vector<Run>& runs : hatched) {
        drawStripes(runs, y + height, row);
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(row.hatch->edge);
    m_painter.drawRects(lines);
    for (const auto& [color, boxes] : faint) {
        m_painter.setBrush(QColor::fromRgb(color));
        m_painter.drawRects(boxes);
    }
}

/// Lines x + y = c, or x - y = c where they fall, under the tops of the runs, which lie side by side. They begin at the
/// recording's start, so that they move with it, and as on an image.
void VectorRowCanvas::drawStripes(const std::vector<Run>& runs, double bottom, const RowDrawing& row) const
{
    const Theme::Hatch& hatch = *row.hatch;
    if (hatch.width <= 0) {
        return;
    }
    constexpr double period = Theme::hatch_period;
    const double sign = hatch.falls ? -1 : 1;  // of y
    const double origin = row.left - static_cast<double>(row.first) / m_ratio + (period + sign) / 2;
    const double thickness = hatch.width / std::sqrt(2.0);
    const double inset = thickness / 2;  // the ends of a slanting line reach beyond it
    m_painter.setPen(QPen(hatch.line, thickness, Qt::SolidLine, Qt::FlatCap));
    const double top
        = std::min_element(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.top < b.top; })->top;
    const double least = runs.front().left + std::min(sign * top, sign * bottom);
    const double most = runs.back().right + std::max(sign * top, sign * bottom);
    for (double c = origin + std::ceil((least - origin) / period) * period; c < most; c += period) {
        double from = 0;
        double to = -1;  // the piece that is not drawn yet; empty
        const auto flush = [&] {
            if (to > from) {
                m_painter.drawLine(QPointF(from, sign * (c - from)), QPointF(to, sign * (c - to)));
            }
            to = -1;
        };
        for (const Run& run : runs) {
            const double upper = c - sign * (run.top + inset);  // x where the line is at the run's top
            const double lower = c - sign * (bottom - inset);
            const double x0 = std::max(run.left + (&run == &runs.front() ? inset : 0), std::min(upper, lower));
            const double x1 = std::min(run.right - (&run == &runs.back() ? inset : 0), std::max(upper, lower));
            if (x1 <= x0) {
                continue;
            }
            if (x0 > to || to < from) {
                flush();
                from = x0;
            }
            to = x1;
        }
        flush();
    }
}

/// Columns [begin, end) in the colours of `colorAt`, those without anything left out.
void VectorRowCanvas::drawColumns(const RowDrawing& row, double y, double height, std::size_t begin, std::size_t end,
    const std::function<QRgb(std::size_t)>& colorAt) const
{
    // Rectangles of one colour are written together: a change of colour takes more room in a file than a rectangle.
    std::map<QRgb, QList<QRectF>> grounds, columns;
    const auto add = [&](std::map<QRgb, QList<QRectF>>& to, QRgb color, std::size_t from, std::size_t until) {
        const QRectF box(
            row.left + static_cast<double>(from) / m_ratio, y, static_cast<double>(until - from) / m_ratio, height);
        QList<QRectF>& boxes = to[color];
        if (!boxes.empty() && boxes.back().right() >= box.left()) {
            boxes.back().setRight(box.right());
        } else {
            boxes.append(box);
        }
    };
    // Readers smooth edges, so that what is under them shines through between neighbours: a ground of the same colour
    // under every stretch of them keeps dense rows as dark as they are.
    const auto block = static_cast<std::size_t>(std::lround(ground_width * m_ratio));
    for (std::size_t x = begin; x < end;) {
        if (row.columns.role[x] == 0) {
            ++x;
            continue;
        }
        Mean mean;
        std::size_t blockEnd = x;
        bool uniform = true;
        for (; blockEnd < end && row.columns.role[blockEnd] != 0 && (blockEnd == x || blockEnd % block != 0);
             ++blockEnd) {
            const QRgb color = colorAt(blockEnd);
            uniform = uniform && color == colorAt(x);
            mean.add(color);
        }
        if (!uniform) {
            add(grounds, mean.color(), x, blockEnd);
        }
        while (x < blockEnd) {
            const QRgb color = colorAt(x);
            const std::size_t from = x;
            while (x < blockEnd && colorAt(x) == color) {
                ++x;
            }
            add(columns, color, from, x);
        }
    }
    m_painter.setPen(Qt::NoPen);
    for (const auto* layer : {&grounds, &columns}) {
        for (const auto& [color, boxes] : *layer) {
            m_painter.setBrush(QColor::fromRgb(color));
            m_painter.drawRects(boxes);
        }
    }
}

}  // namespace lanes::gui
