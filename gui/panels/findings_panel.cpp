// SPDX-License-Identifier: MIT
#include "gui/panels/findings_panel.h"

#include "engine/trace/event.h"
#include "gui/paint/words/engine_words.h"
#include "gui/paint/words/scope_text.h"
#include "gui/panels/hit_steps.h"
#include "gui/panels/old_look.h"
#include "gui/panels/theme_of.h"
#include "gui/session/format.h"
#include "gui/session/scope_reports.h"
#include "gui/session/what_ifs.h"

#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lanes::gui {

namespace {

enum Role { cost_role = Qt::UserRole, title_role, advice_role, link_width_role, steps_height_role, lost_role };
constexpr int margin = 12;
constexpr int pill_width = 104;
constexpr int gap = 14;

/// Of the buttons to the next and the previous one, under the pill.
int stepsTop(const QFontMetrics& metrics)
{
    return metrics.height() + 17;
}

/// A pill with the cost, the title beside it, the advice under the title, wrapped.
class FindingDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->fillRect(option.rect, option.palette.color(QPalette::AlternateBase));
        }
        if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(option.palette.color(QPalette::Highlight));
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
        const QFontMetrics metrics(option.font);
        const QRect pill(option.rect.left() + margin, option.rect.top() + 7, pill_width, metrics.height() + 6);
        const Theme& theme = themeOf(option.palette);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        const bool isWarm = index.data(lost_role).toBool() && !hasOldLook(option.widget);
        painter->setBrush(isWarm ? theme.pillBlocking : theme.pillNeutral);
        painter->drawRoundedRect(pill, 4, 4);
        QFont bold = option.font;
        bold.setWeight(QFont::DemiBold);
        painter->setFont(bold);
        painter->setPen(isWarm ? theme.pillBlockingText : theme.muted);
        painter->drawText(pill, Qt::AlignCenter, index.data(cost_role).toString());

        const QRect text = textRect(option.rect);
        const int titleWidth = text.width() - index.data(link_width_role).toInt();
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(QRect(text.left(), text.top(), titleWidth, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(bold).elidedText(index.data(title_role).toString(), Qt::ElideRight, titleWidth));
        painter->setFont(option.font);
        painter->setPen(option.palette.color(QPalette::PlaceholderText));
        painter->drawText(text.adjusted(0, metrics.height() + 3, 0, 0), Qt::AlignLeft | Qt::TextWordWrap,
            index.data(advice_role).toString());
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto* list = static_cast<const QListWidget*>(parent());
        const QFontMetrics metrics(option.font);
        const QRect text = textRect(QRect(0, 0, list->viewport()->width(), 10000));
        const QString advice = index.data(advice_role).toString();
        const int under = advice.isEmpty() ? 0 : metrics.boundingRect(text, Qt::TextWordWrap, advice).height() + 3;
        const int stepped = index.data(steps_height_role).toInt();  // under the pill
        return {0, std::max(10 + metrics.height() + under + 9, stepped > 0 ? stepsTop(metrics) + stepped + 4 : 0)};
    }

private:
    static QRect textRect(const QRect& item) { return item.adjusted(margin + pill_width + gap, 10, -margin, 0); }
};

/// What to do about it, and what its cost is gained on top of.
QString adviceText(const Finding& finding)
{
    const Messages& messages = engineMessages();
    const QString advice = text(messages.format(finding.advice));
    if (finding.on_top_of.empty()) {
        return advice;
    }
    QStringList before;
    for (const replay::Change& change : finding.on_top_of) {
        before += text(messages.format(replay::message_of(change)));
    }
    return FindingsPanel::tr("%1 Gained on top of: %2.").arg(advice, before.join(QStringLiteral(", ")));
}

QString sideText(int side, std::size_t recordings)
{
    return recordings < 2 ? QString() : side == 0 ? QStringLiteral(" (A)") : QStringLiteral(" (B)");
}

}  // namespace

FindingsPanel::FindingsPanel(QWidget* parent)
    : QListWidget(parent)
    , m_steps(new HitSteps(viewport()))
{
    setItemDelegate(new FindingDelegate(this));
    setObjectName(QStringLiteral("findings"));
    setAccessibleName(tr("Findings"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    const auto show = [this](QListWidgetItem* chosen) { present(row(chosen)); };
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &FindingsPanel::placeSteps);
    connect(this, &QListWidget::itemClicked, this, show);
    connect(this, &QListWidget::itemActivated, this, show);
}

void FindingsPanel::present(int row)
{
    const Entry& entry = m_entries[static_cast<std::size_t>(row)];
    if (!entry.evidence) {
        return;
    }
    if (m_workspace != nullptr) {
        const QString title = entry.count > entry.all.size()
            ? tr("%1, the %L2 longest").arg(entry.title).arg(static_cast<qulonglong>(entry.all.size()))
            : entry.title;
        AskedHits hits {title, {}};
        hits.wanted[static_cast<std::size_t>(entry.side)] = [all = entry.all]() -> EventList::Wanted {
            return [all](EventRef event) { return std::find(all.begin(), all.end(), event) != all.end(); };
        };
        m_steps->follow(entry.all.size() > 1 ? title : QString());
        m_workspace->mark(hits);
        placeSteps();
    }
    emit evidenceWanted(entry.side, entry.evidence);
}

void FindingsPanel::placeSteps()
{
    for (std::size_t row = 0; row < m_links.size(); ++row) {
        if (m_links[row] != nullptr) {
            const QRect at = visualItemRect(item(static_cast<int>(row)));
            m_links[row]->move(at.right() - margin - m_links[row]->width(), at.top() + 6);
        }
    }
    if (const QListWidgetItem* chosen = currentItem()) {
        const QRect item = visualItemRect(chosen);
        m_steps->adjustSize();
        m_steps->move(margin + (pill_width - m_steps->width()) / 2, item.top() + stepsTop(fontMetrics()));
    }
}

void FindingsPanel::addLinks(const std::vector<OpenRecordingPtr>& recordings)
{
    for (QPushButton* link : m_links) {
        delete link;
    }
    m_links.assign(m_entries.size(), nullptr);
    for (std::size_t row = 0; row < m_entries.size(); ++row) {
        const Entry& entry = m_entries[row];
        const auto& of = recordings[static_cast<std::size_t>(entry.side)];
        if ((m_whatIfs != nullptr && m_whatIfs->isRefused(of)) || !entry.hasChange) {
            item(static_cast<int>(row))->setData(link_width_role, {});
            continue;
        }
        auto* link = new QPushButton(tr("What if"), viewport());
        link->setFlat(true);
        link->setObjectName(QStringLiteral("findingWhatIf"));
        link->setCursor(Qt::PointingHandCursor);
        link->setToolTip(tr("What the advised change would gain"));
        link->setAccessibleName(tr("What if: %1").arg(entry.title));
        connect(link, &QPushButton::clicked, this,
            [this, side = entry.side, key = entry.key] { emit whatIfWanted(side, key); });
        link->show();
        link->adjustSize();
        item(static_cast<int>(row))->setData(link_width_role, link->width() + margin);
        m_links[row] = link;
    }
}

void FindingsPanel::setRecordings(
    const std::vector<OpenRecordingPtr>& recordings, const std::vector<std::shared_ptr<const Report>>& reports)
{
    m_entries.clear();
    m_open = !recordings.empty();
    m_known = std::none_of(reports.begin(), reports.end(), [](const std::shared_ptr<const Report>& report) {
        return report == nullptr || report->verdict.message.empty();
    });
    m_looked = std::any_of(reports.begin(), reports.end(), [](const std::shared_ptr<const Report>& report) {
        return report != nullptr && std::any_of(report->threads.begin(), report->threads.end(), [](const auto& thread) {
            return thread.blocked.has_value();
        });
    });
    const Messages& messages = engineMessages();
    for (std::size_t side = 0; side < recordings.size(); ++side) {
        if (reports[side] == nullptr) {
            continue;
        }
        for (const Finding& finding : reports[side]->findings) {
            m_entries.push_back(
                {static_cast<int>(side), finding.cost, rank_of(finding), text(cost_text(finding, messages)),
                    text(messages.format(finding.title)) + sideText(static_cast<int>(side), recordings.size()),
                    adviceText(finding), finding.evidence.empty() ? EventRef {} : finding.evidence.front(),
                    finding.evidence, finding.count, finding.key(), !finding.changes.empty(),
                    finding.stale_bytes > 0 || !finding.changes.empty()});
        }
    }
    std::stable_sort(m_entries.begin(), m_entries.end(),
        [](const Entry& a, const Entry& b) { return a.rank != b.rank ? a.rank < b.rank : a.cost > b.cost; });
    m_steps->follow({});
    const int scroll = verticalScrollBar()->value();  // another recording of the same: the eye stays where it is
    clear();
    for (const Entry& entry : m_entries) {
        auto* item = new QListWidgetItem(this);
        item->setData(cost_role, entry.pill);
        item->setData(title_role, entry.title);
        item->setData(advice_role, entry.advice);
        item->setData(lost_role, entry.isLost);
        item->setData(steps_height_role, entry.all.size() > 1 ? m_steps->sizeHint().height() : 0);
        item->setData(Qt::AccessibleTextRole, QStringLiteral("%1: %2. %3").arg(entry.pill, entry.title, entry.advice));
    }
    addLinks(recordings);
    if (scroll > 0) {
        doItemsLayout();
        verticalScrollBar()->setValue(scroll);
    }
    placeSteps();
}

void FindingsPanel::paintEvent(QPaintEvent* event)
{
    QListWidget::paintEvent(event);
    if (m_entries.empty()) {
        QPainter painter(viewport());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin),
            Qt::AlignCenter | Qt::TextWordWrap,
            !m_open ? tr("Run a workload or open a recording to see what cost time.")
                : m_known && !m_looked
                ? tr("Not looked for: the recording does not say what the CPU waited for. %1.").arg(m_scopeText)
                : m_known ? tr("No findings: no known cause costs enough to be named. %1.").arg(m_scopeText)
                : m_workspace != nullptr && m_workspace->reports().isFoundOld()
                ? tr("computing…")
                : tr("Findings come when the whole recording has been read."));
    }
}

void FindingsPanel::resizeEvent(QResizeEvent* event)
{
    QListWidget::resizeEvent(event);
    scheduleDelayedItemsLayout();  // the advice wraps anew
    placeSteps();
}

void FindingsPanel::observe(Workspace* workspace, const WhatIfs* whatIfs)
{
    m_workspace = workspace;
    m_whatIfs = whatIfs;
    connect(whatIfs, &WhatIfs::refused, this, [this] {
        addLinks(m_workspace->recordings());
        placeSteps();
    });
    m_steps->observe(workspace);
    connect(workspace, &Workspace::walkChanged, this, &FindingsPanel::placeSteps);
    connect(&workspace->reports(), &ScopeReports::changed, this, [this, workspace] {
        std::vector<std::shared_ptr<const Report>> reports;
        for (int side = 0; side < workspace->count(); ++side) {
            reports.push_back(workspace->reports().found(side));
        }
        m_scopeText = scopeText(workspace->reports().foundScope(), reports.size());
        setOldLook(this, workspace->reports().isFoundOld());
        setRecordings(workspace->recordings(), reports);
        emit listed();
    });
    connect(this, &FindingsPanel::evidenceWanted, workspace, &Workspace::follow);
}

}  // namespace lanes::gui
