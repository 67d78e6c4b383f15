// SPDX-License-Identifier: MIT
#include "gui/timeline/filter_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace lanes::gui {

FilterBar::FilterBar(QWidget* parent)
    : QWidget(parent)
    , m_field(new QueryField)
    , m_status(new QueryStatus("filterStatus"))
{
    setObjectName(QStringLiteral("searchBar"));  // it looks like one
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Filter"));
    m_field->setObjectName(QStringLiteral("filterField"));
    m_field->setAccessibleName(tr("Show only these events"));
    m_field->setPlaceholderText(tr("Show only: text, kind:copy, dur>1ms, stream:7, thread:main, -name:…"));
    auto* title = new QLabel(tr("Filter"));
    title->setBuddy(m_field);
    auto* shut = new QPushButton(tr("Clear"));
    shut->setObjectName(QStringLiteral("clearFilter"));
    shut->setToolTip(tr("Shows all events again"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 5, 12, 5);
    row->setSpacing(8);
    row->addWidget(title);
    row->addWidget(m_field, 3);
    row->addWidget(m_status, 0);
    row->addWidget(shut);

    m_later.setSingleShot(true);
    m_later.setInterval(300);
    connect(&m_later, &QTimer::timeout, this, &FilterBar::apply);
    connect(m_field, &QLineEdit::textChanged, this, [this] { m_later.start(); });
    connect(m_field, &QueryField::nextWanted, this, [this] {
        apply();
        emit left();
    });
    connect(m_field, &QueryField::leaveWanted, this, [this] {
        if (m_field->text().trimmed().isEmpty()) {
            clear();
        }
        emit left();
    });
    connect(shut, &QPushButton::clicked, this, &FilterBar::clear);
    hide();
}

void FilterBar::open()
{
    show();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void FilterBar::ask(const QString& words)
{
    show();
    m_field->setText(words);
    apply();
    emit left();
}

void FilterBar::clear()
{
    const bool open = !isHidden();
    m_field->clear();
    apply();
    hide();
    if (open) {
        emit left();
    }
}

void FilterBar::follow(const std::string& filter)
{
    SearchError error;
    if (parsedQuery(m_field->text(), &error).text() == filter || !error.text.isEmpty()) {
        return;
    }
    m_field->setText(QString::fromStdString(filter));
    m_later.stop();
    m_status->say({}, false);
    setVisible(!filter.empty());
}

void FilterBar::apply()
{
    m_later.stop();
    SearchError error;
    const Query query = parsedQuery(m_field->text(), &error);
    m_field->setError(error);
    if (!error.text.isEmpty()) {
        m_status->say(error.text, true);
        return;
    }
    m_status->say({}, false);
    emit filterWanted(query.empty() ? nullptr : std::make_shared<const Query>(query));
}

void FilterBar::setShown(std::size_t events)
{
    if (!m_field->error().text.isEmpty()) {
        return;
    }
    const bool filtered = !m_field->text().trimmed().isEmpty();
    m_status->say(!filtered ? QString()
            : events == 0   ? tr("nothing matches")
                            : tr("%L1 shown").arg(static_cast<qulonglong>(events)),
        false);
}

QString FilterBar::statusText() const
{
    return m_status->text();
}

}  // namespace lanes::gui
