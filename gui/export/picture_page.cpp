// SPDX-License-Identifier: MIT
#include "gui/export/picture_page.h"

#include "engine/analysis/caveats.h"
#include "engine/analysis/report.h"
#include "engine/analysis/words/messages.h"
#include "gui/export/lanes_with_room.h"
#include "gui/lanes/family_role.h"
#include "gui/paint/compact_head.h"
#include "gui/paint/hit_painter.h"
#include "gui/paint/lane_pills.h"
#include "gui/paint/over/annotation_painter.h"
#include "gui/paint/over/idle_painter.h"
#include "gui/paint/over/iteration_painter.h"
#include "gui/paint/over/path_painter.h"
#include "gui/paint/ruler_ticks.h"
#include "gui/paint/staged_painter.h"
#include "gui/paint/torn_edge.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/role_text.h"
#include "gui/paint/words/scope_text.h"
#include "gui/paint/words/time_format.h"
#include "gui/session/open_recording.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <QCoreApplication>

namespace lanes::gui {

namespace {

struct PicturePageTexts {
    Q_DECLARE_TR_FUNCTIONS(PicturePage)
};

constexpr int roomy_title_height = 46, compact_title_height = 22;
constexpr int compact_ruler_height = 15;
constexpr int more_height = 14;  // the line that says how many lanes are not shown
constexpr int default_width = 1600;
constexpr double natural_stretch = 1.25;  // of lanes where the height is ours to choose
constexpr double margin = 14;
constexpr double vector_columns = 4;  // a logical pixel: finer than paper shows, coarse enough for small files
constexpr std::size_t most_looked_at = 100'000;  // items of a row whose kinds the legend is made from
constexpr LabelPainter::Style roomy_title_style {17, TextStyle::semiBold};
constexpr LabelPainter::Style compact_title_style {13, TextStyle::semiBold};
constexpr LabelPainter::Style alignment_style {12, TextStyle::regular};
constexpr LabelPainter::Style more_style {11, TextStyle::regular};

}  // namespace

PicturePage::PicturePage(const std::vector<ViewState>& views, const PictureOptions& options)
    : m_theme(Theme::named(options.theme))
    , m_options(options)
    , m_compact(isCompact(options))
{
    if (options.showTitle && !views.empty()) {
        m_title = printable(options.title.isEmpty() ? pictureTitle(views.front().model->trace()) : options.title);
    }
    std::array<Ns, 2> drawn {1, 1};
    for (std::size_t i = 0; i < std::min<std::size_t>(views.size(), 2); ++i) {
        m_alignment.anchor[i] = views[i].highlights.anchor.value_or(0);
        drawn[i] = std::max<Ns>(views[i].model->drawnEnd(), 1);
    }
    m_extent = m_alignment.spanOf(drawn);
    for (std::size_t i = 0; i < views.size(); ++i) {
        OnePicture part;
        part.view = views[i];
        if (!options.selection) {
            part.view.highlights = {};
            part.view.highlights.iteration = views[i].highlights.iteration;
            part.view.hits = {};
        } else if (options.range && part.view.highlights.range == shown(i, *options.range)) {
            part.view.highlights.range.reset();  // all that is shown
        }
        takeScope(i, part.view);
        m_parts.push_back(std::move(part));
    }
    sayVerdicts();
    m_totals = familyTotals();
    place();
    for (std::size_t i = 0; i < m_parts.size() && !m_staging; ++i) {
        m_staging = shownStaged(frame(i, vector_columns));
    }
    if (m_staging && options.legend) {
        place();  // the legend says what the comb is
    }
}

/// What the picture shows, where its figures are of that or of a selection that is not drawn.
void PicturePage::takeScope(std::size_t i, ViewState& view) const
{
    const Interval all {0, view.model->trace().duration};
    if (view.scope.of == Scope::Of::selected && !view.highlights.range) {
        view.scope.of = Scope::Of::visible;
    }
    if (view.scope.of == Scope::Of::visible) {
        const Interval seen = m_options.range ? shown(i, *m_options.range) : all;
        view.scope.range = {std::clamp(seen.start, all.start, all.end), std::clamp(seen.end, all.start, all.end)};
    }
}

/// Whether it is of a part, which the picture says then.
bool PicturePage::isOfPart(const ViewState& view)
{
    const Interval& range = view.scope.range;
    return view.scope.of != Scope::Of::all && range.end > range.start
        && (range.start > 0 || range.end < view.model->trace().duration);
}

void PicturePage::sayVerdicts()
{
    std::vector<std::shared_ptr<const Report>> reports;
    for (const OnePicture& part : m_parts) {
        const ViewState& view = part.view;
        const bool isKnown = view.report && view.report->range == view.scope.range;
        reports.push_back(!m_options.heads ? nullptr
                : isKnown                  ? view.report
                                           : reportOf(view.model->recording(), view.scope));
    }
    const std::size_t reference = m_parts.size() > 1 && m_parts[0].view.compared ? 1 : 0;
    const bool isWide = std::any_of(m_parts.begin(), m_parts.end(),
        [](const OnePicture& part) { return part.view.model->recording().wideTotal.has_value(); });
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (reports[i]) {
            const auto& iteration = m_parts[i].view.highlights.iteration;
            const bool isCompared
                = i != reference && !isWide && !m_parts[i].view.part && (iteration || !isOfPart(m_parts[i].view));
            m_parts[i].verdict = TitleVerdict::of(*reports[i], isCompared ? reports[reference].get() : nullptr,
                m_options.language, QChar(u'A' + static_cast<char16_t>(reference)),
                {iteration, m_parts[reference].view.highlights.iteration});
        }
        if (const ViewState& view = m_parts[i].view; isOfPart(view) || m_options.range) {  // or a part is drawn
            m_parts[i].verdict.scope = scopeTextOf({view.scope.of, {view.scope.range, {}}, view.scope.isIteration}, 0);
        }
    }
}

/// A range of the first recording's time in that of the i-th.
Interval PicturePage::shown(std::size_t i, Interval range) const
{
    return i == 1 ? m_alignment.across(range, 0) : range;
}

int PicturePage::titleHeight() const
{
    return m_title.isEmpty() ? 0 : m_compact ? compact_title_height : roomy_title_height;
}

/// A compact picture has one ruler for recordings that begin at the same place.
int PicturePage::rulerHeight(const OnePicture& part) const
{
    if (m_options.axis != TimeAxis::ruler || (m_compact && &part != &m_parts.front() && m_alignment.atStarts())) {
        return 0;
    }
    return m_compact ? compact_ruler_height : FrameGeometry::ruler_height;
}

int PicturePage::headHeight(const OnePicture& part) const
{
    return (m_options.heads ? part.titleHeight : 0) + rulerHeight(part);
}

bool PicturePage::hasOverview() const
{
    return m_options.overview && !m_compact && m_options.range
        && (m_options.range->start > m_extent.start || m_options.range->end < m_extent.end);
}

const Waterfall* PicturePage::changes() const
{
    const bool alone = hasDifferences() && m_parts[0].view.highlights.iteration;
    return alone ? m_parts[0].view.changes.get() : nullptr;
}

int PicturePage::heightBetween() const
{
    return hasDifferences() ? Differences::strip_height + (changes() != nullptr ? changes()->height() : 0) : 0;
}

/// Lays out everything; where a height is given and lanes with their names over them have no room, with them beside.
void PicturePage::place()
{
    m_density = m_compact ? LaneDensity::compact : LaneDensity::roomy;
    divide();
    const auto cut = [](const OnePicture& part) { return part.hidden > 0; };
    if (m_compact && std::any_of(m_parts.begin(), m_parts.end(), cut)) {
        m_density = LaneDensity::tight;
        divide();
    }
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const TimelineFrame shown = frame(i, vector_columns);
        m_parts[i].layout.lookAt(
            m_parts[i].view.model->lanes(), {shown.scale.timeAt(0), shown.scale.timeAt(shown.columns())});
    }
}

/// As high as its view, and scrolled as that is; not where a height was chosen.
bool PicturePage::isAsInView(const OnePicture& part) const
{
    return part.view.height > 0 && !m_compact && m_options.size.height() <= 0;
}

/// Gives every part its height; what is not lanes keeps its own.
void PicturePage::divide()
{
    m_size = {m_options.size.width() > 0 ? m_options.size.width() : default_width, 1};
    constexpr int head_in_view = FrameGeometry::title_height + FrameGeometry::ruler_height;
    int wanted = 0, least = 0;
    bool scrolled = false;  // as in a view: nothing has to be in sight
    for (OnePicture& part : m_parts) {
        if (m_compact) {
            const auto index = static_cast<std::size_t>(&part - m_parts.data());
            part.titleHeight = CompactHead(frame(index, vector_columns), m_painter.labels()).height();
        }
        const auto& lanes = part.view.model->lanes();
        const ArrangedLanes arranged = part.view.arranged();
        part.scroll = 0;
        part.hidden = 0;
        if (isAsInView(part)) {
            scrolled = true;
            const int seen = std::max(part.view.height - head_in_view, 1);
            part.layout = LaneLayout(lanes, arranged, seen, m_density);
            const int most = std::max(0, part.layout.height() - seen);
            const auto whole = part.layout.wholeLanes({std::clamp(part.view.scroll, 0, most), seen});
            part.scroll = whole.scroll;
            const int sticky = part.layout.stickyHeight();
            const auto& placed = part.layout.lanes();
            part.hidden = static_cast<std::size_t>(std::count_if(placed.begin(), placed.end(), [&](const auto& lane) {
                return lane.y >= sticky && (lane.y < whole.scroll + sticky || lane.y >= whole.scroll + whole.height);
            }));
            part.height = headHeight(part) + whole.height;
        } else {
            part.height
                = headHeight(part) + LaneLayout::heightOf(lanes, arranged, m_compact ? 1 : natural_stretch, m_density);
        }
        part.least = headHeight(part) + LaneLayout::tightestHeight(lanes, arranged, m_density);
        wanted += part.height;
        least += part.least;
    }
    m_footer = PictureFooter(footer(), m_size.width(), m_painter.labels());
    const int above = titleHeight();
    const int around = above + m_footer.height() + (hasOverview() ? OverviewStrip::strip_height : 0) + heightBetween();
    m_size.setHeight(m_options.size.height() > 0 ? m_options.size.height() : wanted + around);
    const int room = std::max(m_size.height() - around, 1);
    const auto share = [room](int of, int all) {
        return static_cast<int>(std::lround(static_cast<double>(of) * room / std::max(all, 1)));
    };
    const bool isTooLow = !scrolled && std::any_of(m_parts.begin(), m_parts.end(), [&](const OnePicture& part) {
        return share(part.height, wanted) < part.least;
    });
    int y = above;
    int left = room;
    for (OnePicture& part : m_parts) {
        const bool last = &part == &m_parts.back();
        part.height = last ? left : isTooLow ? share(part.least, least) : share(part.height, wanted);
        part.y = y;
        if (!isAsInView(part)) {
            const int lanesRoom = part.height - headHeight(part);
            part.layout = LaneLayout(part.view.model->lanes(), part.view.arranged(), lanesRoom, m_density);
            cutLanes(part);
        }
        y += part.height + heightBetween();
        left -= part.height;
    }
}

/// A picture cannot be scrolled: where the height is too small it leaves out whole lanes and says how many.
void PicturePage::cutLanes(OnePicture& part) const
{
    const int room = part.height - headHeight(part);
    if (part.layout.lanesHeight() <= room) {
        return;
    }
    const LaneModel& model = *part.view.model;
    const auto index = static_cast<std::size_t>(&part - m_parts.data());
    const Interval range
        = m_options.range ? shown(index, *m_options.range) : Interval {0, std::max<Ns>(model.drawnEnd(), 1)};
    const std::size_t all = part.layout.lanes().size();
    const ArrangedLanes some = lanesWithRoom(model, part.view.arranged(), range, room - more_height, m_density);
    part.layout = LaneLayout(model.lanes(), some, room - more_height, m_density);
    part.hidden = all - part.layout.lanes().size();
}

int PicturePage::hiddenLanes() const
{
    return std::accumulate(m_parts.begin(), m_parts.end(), 0,
        [](int sum, const OnePicture& part) { return sum + static_cast<int>(part.hidden); });
}

TimelineFrame PicturePage::frame(std::size_t i, double ratio) const
{
    const OnePicture& part = m_parts[i];
    FrameGeometry geometry;
    geometry.size = {m_size.width(), part.height};
    geometry.labelWidth = FrameGeometry::labelWidthFor(m_size.width(), m_density);
    geometry.density = m_density;
    geometry.titleHeight = part.titleHeight;
    geometry.rulerHeight = rulerHeight(part);
    geometry.title = m_options.heads;
    geometry.note = false;  // is in the last line, where it is wanted
    geometry.ruler = m_options.axis == TimeAxis::ruler;
    geometry.pills = m_options.figures;
    geometry.scroll = part.scroll;
    const int columns = std::max(static_cast<int>(geometry.plotWidth() * ratio), 1);
    const Ns roomy = static_cast<Ns>(static_cast<double>(m_extent.end - m_extent.start) * (m_compact ? 1.01 : 1.06))
        + 1;  // for the total's label
    const Interval range = m_options.range.value_or(Interval {m_extent.start, m_extent.start + roomy});
    const Ns reach = std::max(m_extent.end - m_extent.start, part.view.model->trace().duration);
    TimeScale scale = m_options.range
        ? TimeScale::showing(range.start, std::max(range.end, range.start + 1), columns, reach)
        : TimeScale::fitting(range.end - range.start, columns);
    scale = scale.startingAt(scale.columnOf(range.start));
    if (i == 1) {
        scale = m_alignment.across(scale, 0);
    }
    const QString letter = m_parts.size() > 1 ? QString(QChar(u'A' + static_cast<char16_t>(i))) : QString();
    return {*part.view.model, part.layout, m_theme, scale, geometry, ratio, letter, part.verdict, part.view.scope,
        part.view.highlights.iteration, clockUncertainty(part.view.model->trace(), part.view.uncertainty),
        part.view.part};
}

void PicturePage::paint(QImage& image, double ratio)
{
    image.fill(m_theme.background);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        m_painter.paint(frame(i, ratio), image, QPoint(0, static_cast<int>(std::lround(m_parts[i].y * ratio))));
        QPainter painter(&image);
        painter.scale(ratio, ratio);
        painter.translate(0, m_parts[i].y);
        paintOver(i, painter, ratio, false);
    }
    QPainter painter(&image);
    painter.scale(ratio, ratio);
    paintAround(painter, false);
}

void PicturePage::paint(QPainter& painter)
{
    painter.setFont(bundledFont(12));  // the desktop's own must not get into the file
    painter.fillRect(QRectF(0, 0, m_size.width(), m_size.height()), m_theme.background);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        painter.save();
        painter.translate(0, m_parts[i].y);
        m_painter.paint(frame(i, vector_columns), painter);
        paintOver(i, painter, vector_columns, true);
        painter.restore();
    }
    paintAround(painter, true);
}

/// What lies over a part's lanes, and the note in place of lanes that have no room.
void PicturePage::paintOver(std::size_t i, QPainter& painter, double ratio, bool vector)
{
    const OnePicture& part = m_parts[i];
    paintIteration(frame(i, ratio), painter, m_painter.labels(), vector);
    if (part.view.highlights.path) {
        paintPath(frame(i, ratio), *part.view.highlights.path, painter, m_painter.textBoxes());
    }
    if (part.view.highlights.idle) {
        paintIdle(frame(i, ratio), *part.view.highlights.idle, painter);
    }
    if (part.view.hits) {
        QImage nowhere(1, 1, QImage::Format_RGB32);
        QPainter trial(&nowhere);
        HitPainter hits;
        hits.setHits(part.view.hits);
        while (!hits.paint(frame(i, ratio), trial)) {  // looks at a few rows each time
        }
        hits.paint(frame(i, ratio), painter);
    }
    paintLanePills(frame(i, ratio), painter, m_painter.labels(), vector);
    HighlightDetails details;
    details.follow(*part.view.model, part.view.highlights);
    paintOverlay(
        frame(i, ratio), part.view.highlights, details, {}, painter, m_painter.labels(), m_painter.textBoxes());
    if (m_compact) {  // others have an overview
        paintTornEdges(frame(i, ratio), painter);
    }
    if (m_options.annotations) {
        paintAnnotations(frame(i, ratio), painter, m_painter.labels(), vector);
    }
    if (part.hidden == 0 || isAsInView(part)) {  // as in a view: the foot says it
        return;
    }
    const QString text
        = part.hidden == 1 ? PicturePageTexts::tr("+1 lane") : PicturePageTexts::tr("+%1 lanes").arg(part.hidden);
    m_painter.labels().draw(painter, m_compact ? FrameGeometry::compact_label_width : margin,
        part.height - more_height / 2.0, text, more_style, m_theme.muted, vector);
}

void PicturePage::paintAround(QPainter& painter, bool vector)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    LabelPainter& labels = m_painter.labels();
    if (!m_title.isEmpty()) {
        const LabelPainter::Style style = m_compact ? compact_title_style : roomy_title_style;
        const double left = m_compact ? FrameGeometry::compact_label_width : margin;
        painter.fillRect(QRectF(0, 0, m_size.width(), titleHeight()), m_theme.background);
        labels.draw(painter, left, titleHeight() / 2.0, labels.elided(m_title, m_size.width() - 2 * left, style), style,
            m_theme.text, vector);
    }
    if (hasDifferences()) {
        const Differences content = differences();
        const QString aligned = labels.elided(content.alignment, m_size.width() / 3.0, alignment_style);
        const double right
            = m_size.width() - margin - (aligned.isEmpty() ? 0 : labels.width(aligned, alignment_style) + margin);
        painter.save();
        painter.translate(0, m_parts[1].y - heightBetween());
        content.paint(painter, m_theme, labels, m_size.width(), right, vector);
        labels.draw(
            painter, right + margin, Differences::strip_height / 2.0, aligned, alignment_style, m_theme.muted, vector);
        if (const Waterfall* steps = changes()) {
            painter.translate(0, Differences::strip_height);
            const TimelineFrame upper = frame(0, vector_columns);
            steps->paint(
                painter, m_theme, labels, m_size.width(), [&](Ns time) { return upper.xOf(time); }, vector);
        }
        painter.restore();
    }
    const double bottom = m_size.height() - m_footer.height();
    painter.save();
    painter.translate(0, bottom);
    m_footer.paint(painter, m_theme, labels, vector, m_painter.marked());
    painter.restore();
    if (hasOverview()) {
        std::vector<const LaneModel*> models;
        for (const OnePicture& part : m_parts) {
            models.push_back(part.view.model.get());
        }
        painter.save();
        painter.translate(0, bottom - OverviewStrip::strip_height);
        paintOverview({models, m_theme, {m_size.width(), OverviewStrip::strip_height},
                          FrameGeometry::labelWidthFor(m_size.width()), m_extent, *m_options.range, m_alignment},
            painter, labels, vector);
        painter.restore();
    }
}

/// Of the scope.
Differences PicturePage::differences() const
{
    Differences content;
    content.reference = m_parts[0].view.compared ? 1 : 0;
    content.filtered = m_parts[0].view.model->choice().filter != nullptr;
    content.alignment = m_alignment.atStarts() ? QString() : m_alignment.text();
    const auto scopeOf = [this](std::size_t i) { return m_parts[i].view.scope; };
    const bool isOfPart = PicturePage::isOfPart(m_parts[0].view) || PicturePage::isOfPart(m_parts[1].view);
    content.scope = isOfPart
        ? scopeText({scopeOf(0).of, {scopeOf(0).range, scopeOf(1).range}, scopeOf(0).isIteration}, 2)
        : PicturePageTexts::tr("whole recordings");
    for (std::size_t i = 0; i < 2; ++i) {
        const LaneModel& model = *m_parts[i].view.model;
        const auto& alone = m_parts[i].view.highlights.iteration;
        content.sides[i] = alone && alone->span == scopeOf(i).range ? sideFiguresOf(model, *alone)
            : isOfPart                                              ? sideFiguresOf(model, scopeOf(i).range)
                                                                    : sideFiguresOf(model);
    }
    content.takeWideTotals({m_parts[0].view.model->pointer(), m_parts[1].view.model->pointer()},
        isOfPart ? std::optional(Ranges {scopeOf(0).range, scopeOf(1).range}) : std::nullopt);
    return content;
}

PictureFooter::Content PicturePage::footer() const
{
    PictureFooter::Content content;
    content.density = m_density;
    if (m_options.axis == TimeAxis::bar && !m_parts.empty()) {
        content.nsPerPixel = frame(0, vector_columns).scale.nsPerColumn() * vector_columns;
    }
    if (m_options.legend) {
        content.legend = legend();
    }
    if (m_options.source) {
        content.sources = sources();
    }
    std::size_t outOfSight = 0;
    for (const OnePicture& part : m_parts) {
        outOfSight += isAsInView(part) ? part.hidden : 0;
    }
    if (outOfSight > 0) {
        content.sources.prepend(outOfSight == 1
                ? PicturePageTexts::tr("1 more lane is not visible")
                : PicturePageTexts::tr("%1 more lanes are not visible").arg(outOfSight));
    }
    return content;
}

/// What is drawn of the shown lanes in the shown time.
std::vector<LegendEntry> PicturePage::legend() const
{
    std::bitset<itemRoleCount> has;
    const auto look = [&](const Lane& lane, const std::optional<Interval>& range) {
        for (const LaneRow& row : lane.rows) {
            if (m_compact && row.kind == ItemKind::range && !hasOnlyRanges(lane)) {
                continue;
            }
            const std::size_t first = range ? row.items.firstEndingAfter(range->start) : 0;
            for (std::size_t i = first; i < std::min(row.items.size(), first + most_looked_at); ++i) {
                if (range && row.items.start(i) > range->end) {
                    break;
                }
                has[static_cast<std::size_t>(row.items.role(i))] = true;
            }
        }
    };
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const OnePicture& part = m_parts[i];
        const auto& lanes = part.view.model->lanes();
        const auto range = m_options.range ? std::optional(shown(i, *m_options.range)) : std::nullopt;
        for (const ArrangedLane& arranged : part.view.arranged().lanes) {
            look(lanes[arranged.lane], range);
            std::for_each(
                arranged.folded.begin(), arranged.folded.end(), [&](std::size_t lane) { look(lanes[lane], range); });
        }
    }
    std::vector<LegendEntry> shown;
    for (const ItemRole role : rolesOfLegend(has)) {
        shown.push_back({m_totals && isGpuWork(role)
                ? QStringLiteral("%1 %2").arg(roleText(role), formatShare(m_totals->share(role)))
                : roleText(role),
            role});
    }
    if (std::any_of(m_parts.begin(), m_parts.end(), [](const OnePicture& part) { return part.view.highlights.path; })) {
        shown.push_back({PicturePageTexts::tr("critical path"), ItemRole::none, paintPathSwatch});
    }
    std::vector<const IdleReasons*> idle;
    for (const OnePicture& part : m_parts) {
        idle.push_back(part.view.highlights.idle.get());
    }
    for (const IdleReason reason : shownReasons(idle)) {
        shown.push_back({PicturePageTexts::tr("idle: %1").arg(idleWord(reason)), ItemRole::none,
            [reason](QPainter& painter, const Theme& theme, const QRectF& box) {
                paintIdleSwatch(painter, theme, reason, box);
            }});
    }
    if (m_staging) {
        shown.push_back({PicturePageTexts::tr("staged copy: filled while bytes move"), ItemRole::none,
            [role = *m_staging](QPainter& painter, const Theme& theme, const QRectF& box) {
                paintStagedSwatch(painter, theme, role, box);
            }});
    }
    return shown;
}

/// Of a single recording whose kernels are drawn by their families, in its scope.
std::optional<RoleTotals> PicturePage::familyTotals() const
{
    if (m_parts.size() != 1) {
        return {};
    }
    const LaneModel& model = *m_parts.front().view.model;
    if (!areFamiliesShown(model.trace(), model.choice().colours)) {
        return {};
    }
    return roleTotals(model.trace(), m_parts.front().view.scope.range);
}

QStringList PicturePage::sources() const
{
    QStringList lines;
    for (const OnePicture& part : m_parts) {
        const Trace& trace = part.view.model->trace();
        const Message message = source_message(trace, deviceName(trace).toStdString());
        const Messages& messages = Messages::of(m_options.language.toStdString());
        QString line = QString::fromStdString(messages.format(message));
        if (const Message cut = cut_short_message(trace); !cut.empty()) {
            line += QStringLiteral(". ") + QString::fromStdString(messages.format(cut));
        }
        if (!lines.contains(line)) {
            lines << line;
        }
    }
    if (lines.size() > 1) {
        for (qsizetype i = 0; i < lines.size(); ++i) {
            lines[i] = QStringLiteral("%1: %2").arg(QChar(u'A' + static_cast<char16_t>(i))).arg(lines[i]);
        }
    }
    return lines;
}

}  // namespace lanes::gui
