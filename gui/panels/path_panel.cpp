// SPDX-License-Identifier: MIT
#include "gui/panels/path_panel.h"

#include "gui/paint/over/idle_painter.h"
#include "gui/paint/words/printable_text.h"
#include "gui/paint/words/scope_text.h"
#include "gui/panels/names_column.h"
#include "gui/session/critical_paths.h"
#include "gui/session/format.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace lanes::gui {

namespace {

enum PathColumn { what_column, time_column, share_column, times_column, slack_column };
constexpr int figures_a_side = 4;
constexpr int path_columns = 1 + 2 * figures_a_side;
enum PathRole { event_role = Qt::UserRole };  // of the first column of a side: what a click leads to
constexpr std::size_t most_path_names = 200;

/// What a row says of one side.
struct PathFigure {
    Ns time = 0;
    std::optional<std::uint64_t> count;
    std::optional<Ns> slack;
    EventRef longest;
};

struct PathRow {
    QString what, tip;
    std::array<std::optional<PathFigure>, 2> sides;

    Ns most() const { return std::max(sides[0] ? sides[0]->time : -1, sides[1] ? sides[1]->time : -1); }
};

using PathSides = std::array<std::shared_ptr<const ShownPath>, 2>;

/// What has the same text in A and in B is one row.
class PathRows {
public:
    PathFigure& at(const QString& what, std::size_t side)
    {
        const auto [place, isNew] = m_places.try_emplace(what, m_rows.size());
        if (isNew) {
            m_rows.push_back({what, {}, {}});
        }
        auto& figure = m_rows[place->second].sides[side];
        figure = figure ? figure : std::optional(PathFigure {});
        return *figure;
    }
    std::vector<PathRow> largestFirst()
    {
        std::stable_sort(
            m_rows.begin(), m_rows.end(), [](const PathRow& a, const PathRow& b) { return a.most() > b.most(); });
        m_rows.resize(std::min(m_rows.size(), most_path_names));
        return std::move(m_rows);
    }

private:
    std::vector<PathRow> m_rows;
    std::map<QString, std::size_t> m_places;
};

std::vector<PathRow> kindRows(const PathSides& sides)
{
    struct Of {
        const char* text;
        QString tip;
        std::vector<PathPart::Kind> kinds;
    };
    const std::array all {
        Of {"path.operations", PathPanel::tr("The GPU runs an operation on the path"), {PathPart::operation}},
        Of {"path.delays", PathPanel::tr("From a launch, or the end of what an operation waited for, to its start"),
            {PathPart::launch, PathPart::step}},
        Of {"path.calls", PathPanel::tr("A thread is in an API call, without being held"), {PathPart::call}},
        Of {"path.work",
            PathPanel::tr(
                "Recorded CPU work, named ranges and operators outside calls, and hand-overs between threads"),
            {PathPart::work, PathPart::handover}},
        Of {"path.inferred", PathPanel::tr("A thread continued when another was done: inferred, not recorded"),
            {PathPart::inferred}},
        Of {"path.between", PathPanel::tr("Nothing is recorded for the thread"), {PathPart::between}},
        Of {"path.unknown", {}, {PathPart::unknown}},
    };
    std::vector<PathRow> rows;
    for (const Of& of : all) {
        PathRow row {text(engineMessages().text(of.text)), of.tip, {}};
        for (std::size_t side = 0; side < 2; ++side) {
            if (sides[side]) {
                row.sides[side].emplace();
                for (const auto kind : of.kinds) {
                    row.sides[side]->time += sides[side]->path().of(kind);
                }
            }
        }
        if (row.most() > 0) {
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::vector<PathRow> laneRows(const PathSides& sides)
{
    PathRows rows;
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t i = 0; sides[side] && i < sides[side]->path().lanes.size(); ++i) {
            const auto& lane = sides[side]->path().lanes[i];
            const Trace& trace = sides[side]->trace();
            PathFigure& figure
                = rows.at(lane.is_stream ? streamText(trace, lane.lane) : threadText(trace, lane.lane), side);
            figure.time += lane.time;
            figure.slack = lane.slack;
            figure.longest = sides[side]->longest(lane.is_stream, lane.lane);
        }
    }
    std::vector<PathRow> all = rows.largestFirst();
    PathRow rest {PathPanel::tr("On no lane"),
        PathPanel::tr("Delays before operations, and time without records for a thread"), {}};
    for (std::size_t side = 0; side < 2; ++side) {
        Ns left = sides[side] ? sides[side]->path().range.end - sides[side]->path().range.start : 0;
        for (std::size_t i = 0; sides[side] && i < sides[side]->path().lanes.size(); ++i) {
            left -= sides[side]->path().lanes[i].time;  // of those without a row, too
        }
        if (left > 0) {
            rest.sides[side].emplace().time = left;
        }
    }
    if (rest.most() > 0) {
        all.push_back(std::move(rest));
    }
    return all;
}

std::vector<PathRow> nameRows(const PathSides& sides)
{
    PathRows rows;
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t i = 0; sides[side] && i < std::min(sides[side]->path().names.size(), most_path_names); ++i) {
            const auto& name = sides[side]->path().names[i];
            PathFigure& figure = rows.at(nameText(shown_name(sides[side]->trace(), name.table, name.name)), side);
            figure.time += name.time;
            figure.count = figure.count.value_or(0) + name.count;
            figure.slack = name.slack;
            figure.longest = sides[side]->longest(name.table, name.name);
        }
    }
    return rows.largestFirst();
}

/// What idle time the streams of both have by reason, beside what each was of all streams' time.
std::vector<PathRow> idleRows(const std::array<std::shared_ptr<const IdleReasons>, 2>& idle)
{
    std::vector<PathRow> rows;
    for (std::size_t i = 0; i < idle_reason_count; ++i) {
        const auto reason = static_cast<IdleReason>(i);
        PathRow row {idleWord(reason), idleSentence(reason), {}};
        for (std::size_t side = 0; side < 2; ++side) {
            if (!idle[side] || idle[side]->idle[i] == 0) {
                continue;
            }
            PathFigure& figure = row.sides[side].emplace();
            figure.time = idle[side]->idle[i];
            std::uint64_t count = 0;
            Ns longest = 0;
            for (const LaneIdle& lane : idle[side]->lanes) {
                for (const IdlePart& part : lane.parts) {
                    count += lane.counts && part.reason == reason ? 1 : 0;
                    if (lane.counts && part.reason == reason && part.operation != no_row
                        && part.span.end - part.span.start > longest) {
                        longest = part.span.end - part.span.start;
                        figure.longest = {EventTable::operations, part.operation};
                    }
                }
            }
            figure.count = count;
        }
        if (row.most() > 0) {
            rows.push_back(std::move(row));
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const PathRow& a, const PathRow& b) { return a.most() > b.most(); });
    return rows;
}

QString pathSlack(const PathFigure& figure)
{
    return !figure.slack ? QString() : *figure.slack == 0 ? PathPanel::tr("none") : formatTime(*figure.slack);
}

/// `wholes`: what shares are of, ns.
void addSection(
    QTreeWidget* table, const QString& title, const std::vector<PathRow>& rows, const std::array<Ns, 2>& wholes)
{
    if (rows.empty()) {
        return;
    }
    auto* section = new QTreeWidgetItem(table, {title});
    section->setFirstColumnSpanned(true);
    QFont bold = table->font();
    bold.setWeight(QFont::DemiBold);
    section->setFont(what_column, bold);
    for (const PathRow& row : rows) {
        auto* item = new QTreeWidgetItem(section, {row.what});
        item->setToolTip(what_column, row.tip.isEmpty() ? row.what : row.tip);
        for (int side = 0; side < 2; ++side) {
            const auto& figure = row.sides[static_cast<std::size_t>(side)];
            const auto set = [&](PathColumn column, const QString& value) {
                const int at = column + side * figures_a_side;
                item->setText(at, value);
                item->setTextAlignment(at, Qt::AlignRight | Qt::AlignVCenter);
            };
            if (figure) {
                set(time_column, formatTime(figure->time));
                set(share_column, shareText(figure->time, wholes[static_cast<std::size_t>(side)]));
                set(times_column, figure->count ? QStringLiteral("%L1").arg(*figure->count) : QString());
                set(slack_column, pathSlack(*figure));
                item->setData(
                    time_column + side * figures_a_side, event_role, QVariant::fromValue(figure->longest.row));
                item->setData(
                    time_column + side * figures_a_side, event_role + 1, static_cast<int>(figure->longest.table));
            }
        }
    }
    section->setExpanded(true);
}

}  // namespace

PathPanel::PathPanel(QWidget* onLanes, QWidget* parent)
    : QWidget(parent)
    , m_scope(new QLabel)
    , m_table(new QTreeWidget)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 0);
    auto* head = new QHBoxLayout;
    m_scope->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_scope->setWordWrap(true);
    head->addWidget(m_scope, 1);
    head->addWidget(onLanes);
    layout->addLayout(head);
    m_table->setObjectName(QStringLiteral("path"));
    m_table->setAccessibleName(tr("Critical path"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setUniformRowHeights(true);
    m_table->setRootIsDecorated(false);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setColumnCount(path_columns);
    m_table->header()->setStretchLastSection(false);
    for (int column = 1; column < path_columns; ++column) {
        m_table->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        m_table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_table->header()->setMinimumSectionSize(76);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    const auto lead = [this](QTreeWidgetItem* row, int column) { this->lead(row, column > figures_a_side ? 1 : 0); };
    connect(m_table, &QTreeWidget::itemClicked, this, lead);
    connect(m_table, &QTreeWidget::itemActivated, this, lead);
    setFocusProxy(m_table);
    layout->addWidget(m_table, 1);
}

void PathPanel::lead(const QTreeWidgetItem* row, int side)
{
    for (const int tried : {side, 1 - side}) {  // what is in one recording alone leads there
        const QVariant at = row->data(time_column + tried * figures_a_side, event_role);
        const EventRef event {
            static_cast<EventTable>(row->data(time_column + tried * figures_a_side, event_role + 1).toInt()),
            at.value<Row>()};
        if (at.isValid() && event) {
            m_workspace->follow(tried, event);
            return;
        }
    }
}

void PathPanel::observe(Workspace* workspace, CriticalPaths* paths, IdleTimes* idle)
{
    m_workspace = workspace;
    m_paths = paths;
    m_idle = idle;
    connect(paths, &CriticalPaths::changed, this, &PathPanel::refill);
    connect(idle, &IdleTimes::changed, this, &PathPanel::refill);
    refill();
}

void PathPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_paths->setWanted(this, true);
    m_idle->setWanted(this, true);
    refill();
}

void PathPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    if (m_paths != nullptr) {  // Qt 6.8 hides what a tab is made of, before observe()
        m_paths->setWanted(this, false);
        m_idle->setWanted(this, false);
    }
}

void PathPanel::refill()
{
    const PathSides sides {m_paths->at(0), m_paths->at(1)};
    m_table->clear();
    const bool any = sides[0] || sides[1];
    m_table->setHeaderHidden(!any);
    QStringList titles {tr("Part")};
    for (int side = 0; side < 2; ++side) {
        const QString letter = m_workspace->count() < 2 ? QString()
            : side == 0                                 ? QStringLiteral("A  ")
                                                        : QStringLiteral("B  ");
        titles << letter + tr("Time") << letter + tr("Share") << letter + tr("Count") << letter + tr("Slack");
        for (int column = 1; column <= figures_a_side; ++column) {
            m_table->setColumnHidden(column + side * figures_a_side, !sides[static_cast<std::size_t>(side)]);
        }
    }
    m_table->setHeaderLabels(titles);
    for (int column = 1; column < path_columns; ++column) {
        m_table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_table->headerItem()->setToolTip(
        slack_column, tr("The smallest time by which one of them could have ended later without delaying the end"));
    m_table->headerItem()->setToolTip(slack_column + figures_a_side, m_table->headerItem()->toolTip(slack_column));
    if (!any) {
        m_scope->setText(m_workspace->count() == 0 ? tr("The chain that determined the length of a run is shown here.")
                : m_paths->isRunning()             ? tr("Looking for the critical path …")
                : !m_paths->problem().isEmpty()    ? m_paths->problem()
                                                   : tr("This recording has no critical path."));
        return;
    }
    const std::vector<PathRow> kinds = kindRows(sides);
    m_scope->setText((kinds.empty() ? tr("%1: no critical path, nothing recorded ends there.")
                                    : tr("%1. A run is only faster if part of this is faster or not waited for."))
                         .arg(scopeText(m_paths->scope(), m_workspace->recordings().size())));
    const std::array<std::shared_ptr<const IdleReasons>, 2> idle {m_idle->at(0), m_idle->at(1)};
    std::array<Ns, 2> wholes {};
    std::array<Ns, 2> streams {};
    for (std::size_t side = 0; side < 2; ++side) {
        wholes[side] = sides[side] ? sides[side]->path().range.end - sides[side]->path().range.start : 0;
        for (std::size_t lane = 0; idle[side] && lane < idle[side]->lanes.size(); ++lane) {
            const bool counts = idle[side]->lanes[lane].counts;
            streams[side] += counts ? idle[side]->range.end - idle[side]->range.start : 0;
        }
    }
    addSection(m_table, tr("Made of"), kinds, wholes);
    addSection(m_table, tr("By lane"), laneRows(sides), wholes);
    addSection(m_table, tr("By name"), nameRows(sides), wholes);
    addSection(m_table, tr("Idle time of all streams with work, by what delayed their next operation"), idleRows(idle),
        streams);
    fitNames(m_table);
}

QString PathPanel::asText() const
{
    QString lines;
    const auto addLine = [&](const QTreeWidgetItem* item) {
        QStringList cells;
        for (int column = 0; column < path_columns; ++column) {
            if (!m_table->isColumnHidden(column)) {
                cells += item->text(column).simplified();
            }
        }
        lines += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    addLine(m_table->headerItem());
    for (int i = 0; i < m_table->topLevelItemCount(); ++i) {
        addLine(m_table->topLevelItem(i));
        for (int j = 0; j < m_table->topLevelItem(i)->childCount(); ++j) {
            addLine(m_table->topLevelItem(i)->child(j));
        }
    }
    return lines;
}

bool PathPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(asText());
        return true;
    }
    if (event->type() == QEvent::Resize && watched == m_table->viewport()) {
        fitNames(m_table);
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace lanes::gui
