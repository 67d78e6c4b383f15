// SPDX-License-Identifier: MIT
#include "gui/app/notice_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

namespace lanes::gui {

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel)
    , m_close(new QPushButton(tr("Close")))
{
    setObjectName(QStringLiteral("noticeBar"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Notice"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 5, 12, 5);
    layout->setSpacing(8);
    m_text->setObjectName(QStringLiteral("noticeText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_text, 1);
    auto* copy = new QPushButton(tr("Copy"));
    copy->setToolTip(tr("Copy this message"));
    layout->addWidget(copy, 0, Qt::AlignTop);
    m_close->setToolTip(tr("Close this message"));
    layout->addWidget(m_close, 0, Qt::AlignTop);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text->text()); });
    connect(m_close, &QPushButton::clicked, this, &QWidget::hide);
    hide();
}

void NoticeBar::showError(const QString& text)
{
    show(text, false);
}

void NoticeBar::showNotice(const QString& text)
{
    show(text, true);
}

QString NoticeBar::text() const
{
    return isHidden() ? QString() : m_text->text();
}

void NoticeBar::show(const QString& text, bool mild)
{
    m_text->setText(text);
    m_text->setAccessibleName(text);
    if (property("mild").toBool() != mild) {
        setProperty("mild", mild);
        for (QWidget* each :
            {static_cast<QWidget*>(this), static_cast<QWidget*>(m_text), static_cast<QWidget*>(m_close)}) {
            each->style()->unpolish(each);
            each->style()->polish(each);
        }
    }
    setVisible(!text.isEmpty());
}

}  // namespace lanes::gui
