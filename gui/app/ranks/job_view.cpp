// SPDX-License-Identifier: MIT
#include "gui/app/ranks/job_view.h"

#include "gui/paint/words/time_format.h"
#include "gui/panels/ranks/heat_view.h"
#include "gui/panels/ranks/rank_table.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lanes::gui {

JobView::JobView(QWidget* parent)
    : QWidget(parent)
    , m_title(new QLabel)
    , m_sentence(new QLabel)
    , m_notes(new QLabel)
    , m_unit(new QLabel)
    , m_scale(new HeatScale)
    , m_map(new HeatView)
    , m_comb(new CombView)
    , m_table(new RankTable)
    , m_parts(new QSplitter(Qt::Horizontal))
{
    setObjectName(QStringLiteral("jobView"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Job of many ranks"));
    m_sentence->setProperty("heading", true);
    m_sentence->setObjectName(QStringLiteral("jobSentence"));
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setWordWrap(true);
    for (QLabel* quiet : {m_title, m_notes, m_unit}) {
        quiet->setProperty("quiet", true);
    }
    m_unit->setProperty("small", true);
    m_notes->setWordWrap(true);
    m_notes->setObjectName(QStringLiteral("jobNotes"));
    auto* bar = new QHBoxLayout;
    bar->setSpacing(0);
    auto* group = new QButtonGroup(this);
    for (const HeatMeasure measure : heat_measures) {
        auto* button = new QPushButton(measureText(measure));
        button->setObjectName(QLatin1String("measure.") + QLatin1String(name_of(measure)));
        button->setCheckable(true);
        button->setProperty("segment", true);
        button->setFocusPolicy(Qt::TabFocus);
        group->addButton(button);
        bar->addWidget(button);
        m_measures[static_cast<std::size_t>(measure)] = button;
        connect(button, &QPushButton::clicked, this, [this, measure] { setMeasure(measure); });
    }
    bar->addSpacing(16);
    bar->addWidget(m_unit);
    bar->addSpacing(8);
    bar->addWidget(m_scale);
    bar->addStretch(1);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_map, 1);
    column->addWidget(m_comb);
    m_parts->setObjectName(QStringLiteral("jobParts"));
    m_parts->setHandleWidth(1);
    m_parts->setChildrenCollapsible(false);
    m_parts->addWidget(left);
    m_parts->addWidget(m_table);
    m_parts->setStretchFactor(0, 3);
    m_parts->setStretchFactor(1, 2);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(14, 6, 12, 6);
    head->setSpacing(4);
    head->addWidget(m_title);
    head->addWidget(m_sentence);
    head->addWidget(m_notes);
    head->addLayout(bar);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_parts, 1);
    connect(m_map, &HeatView::chosen, this, &JobView::rankWanted);
    connect(m_map, &HeatView::secondChosen, this, &JobView::secondWanted);
    connect(m_map, &HeatView::timeChanged, this, [this](Interval time) {
        m_comb->setTime(time);
        m_shown.time = m_map->showsAll() ? std::nullopt : std::optional(time);
    });
    connect(m_comb, &CombView::zoomWanted, m_map, &HeatView::zoomTo);
    connect(m_table, &RankTable::chosen, this,
        [this](std::size_t rank) { emit rankWanted(rank, m_shown.moment.value_or(m_job->firstMoment())); });
}

void JobView::setJob(OpenJobPtr job)
{
    m_job = std::move(job);
    m_shown = {m_shown.measure, {}, {}, {}, {}};
    m_map->setJob(m_job);
    m_shown.time = m_map->showsAll() ? std::nullopt : std::optional(m_map->time());
    m_table->setJob(m_job);
    m_comb->setComb({});
    if (!m_job) {
        return;
    }
    if (m_shown.measure == HeatMeasure::step && !m_job->heat(HeatMeasure::step).is_of_steps) {
        m_shown.measure = HeatMeasure::waited;
    }
    m_measures[static_cast<std::size_t>(HeatMeasure::step)]->setEnabled(m_job->heat(HeatMeasure::step).is_of_steps);
    m_title->setText(m_job->subtitle());  // the name is in the window's head
    m_sentence->setText(m_job->sentence());
    const QStringList notes = m_job->notes();
    constexpr qsizetype most_notes = 3;
    m_notes->setText(notes.mid(0, most_notes).join(QLatin1Char('\n')));
    m_notes->setToolTip(notes.join(QLatin1Char('\n')));
    m_notes->setHidden(notes.isEmpty());
    setMeasure(m_shown.measure);
    // The worst one, where the others wait longest: marked, not chosen, as nobody has asked for its lanes.
    const std::size_t worst = m_job->report.ranks.empty() ? 0 : m_job->report.ranks.front().index;
    const Ns moment = m_job->firstMoment();
    if (const auto first = m_job->collectiveAt(worst, moment)) {
        m_comb->setComb(m_job->comb(*first));
    }
    const bool standsOut = !m_job->report.late.stand_out.empty();
    m_map->mark(standsOut ? std::optional(worst) : std::nullopt, {}, moment);
    fitTexts();
}

void JobView::setMeasure(HeatMeasure measure)
{
    m_shown.measure = measure;
    m_measures[static_cast<std::size_t>(measure)]->setChecked(true);
    m_map->setMeasure(measure);
    sayScale();
}

void JobView::sayScale()
{
    if (m_job) {
        const JobHeat& heat = m_job->heat(m_shown.measure);
        m_unit->setText(heat.is_of_steps ? tr("in each step") : tr("in each %1").arg(formatTime(heat.part)));
        m_scale->setTop(heat.top);
    }
}

void JobView::mark(std::size_t chosen, std::size_t second, Ns moment)
{
    m_shown.chosen = chosen;
    m_shown.second = second;
    m_shown.moment = moment;
    m_map->mark(chosen, second == chosen ? std::nullopt : std::optional(second), moment);
    m_table->follow(chosen, second);
    const auto collective = m_job->collectiveAt(chosen, moment);
    m_comb->setComb(collective ? std::optional(m_job->comb(*collective)) : std::nullopt);
}

/// The table is as wide as its columns, as long as the map keeps nearly half of the width.
void JobView::fitTexts()
{
    const int table = std::min(m_table->horizontalHeader()->length() + 24, width() * 11 / 20);
    m_parts->setSizes({std::max(1, width() - table), std::max(1, table)});
    m_scale->setHidden(width() < 1100);
}

void JobView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != width()) {
        fitTexts();
    }
}

}  // namespace lanes::gui
