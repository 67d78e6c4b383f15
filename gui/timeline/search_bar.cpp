// SPDX-License-Identifier: MIT
#include "gui/timeline/search_bar.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace lanes::gui {

SearchBar::SearchBar(LaneSearch* search, QWidget* parent)
    : QWidget(parent)
    , m_search(search)
    , m_field(new QueryField)
    , m_status(new QueryStatus("searchStatus"))
    , m_buttons(new QPushButton, new QPushButton)
{
    setObjectName(QStringLiteral("searchBar"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Search"));
    m_field->setObjectName(QStringLiteral("searchField"));
    m_field->setAccessibleName(tr("Search for events"));
    m_field->setPlaceholderText(tr("Search: text, kind:copy, dur>1ms, thread:main, -name:…"));
    auto* shut = new QPushButton(tr("Close"));
    shut->setToolTip(tr("Ends the search (Esc)"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 5, 12, 5);
    layout->setSpacing(6);
    layout->addWidget(m_field, 3);
    layout->addWidget(m_status, 0);
    layout->addWidget(m_buttons.previous);
    layout->addWidget(m_buttons.next);
    layout->addWidget(shut);
    for (QAbstractButton* button : {m_buttons.previous, m_buttons.next}) {
        button->setFixedWidth(34);
    }

    connect(m_field, &QLineEdit::textChanged, m_search, &LaneSearch::setQuery);
    connect(m_field, &QueryField::nextWanted, this, &SearchBar::nextWanted);
    connect(m_field, &QueryField::previousWanted, this, &SearchBar::previousWanted);
    connect(m_field, &QueryField::leaveWanted, this, &SearchBar::close);
    connect(m_buttons.next, &QAbstractButton::clicked, this, &SearchBar::nextWanted);
    connect(m_buttons.previous, &QAbstractButton::clicked, this, &SearchBar::previousWanted);
    connect(shut, &QPushButton::clicked, this, &SearchBar::close);
    connect(m_search, &LaneSearch::changed, this, &SearchBar::refresh);
    hide();
    refresh();
}

void SearchBar::open()
{
    show();
    m_search->setQuery(m_field->text());
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void SearchBar::close()
{
    if (!isHidden()) {
        hide();
        m_search->setQuery({});
        emit closed();
    }
}

void SearchBar::setCurrent(std::optional<std::size_t> index)
{
    m_current = index;
    refresh();
}

QString SearchBar::statusText() const
{
    return m_status->text();
}

void SearchBar::refresh()
{
    const SearchError& error = m_search->error();
    const auto count = static_cast<qlonglong>(m_search->count());
    const bool wrong = !error.text.isEmpty();
    QString text;
    if (wrong) {
        text = error.text;
    } else if (m_search->busy()) {
        text = tr("searching…");
    } else if (m_search->query().trimmed().isEmpty()) {
        text.clear();
    } else if (count == 0) {
        text = tr("nothing found");
    } else if (m_current) {
        text = tr("%L1 of %L2").arg(static_cast<qlonglong>(*m_current) + 1).arg(count);
    } else {
        text = tr("%L1 found").arg(count);
    }
    m_status->say(text, wrong);
    m_field->setError(error);
    m_buttons.setEnabled(count > 0);
}

}  // namespace lanes::gui
