// SPDX-License-Identifier: MIT
#include "gui/app/frame/notice_bar.h"

#include "engine/trace/meta_keys.h"
#include "gui/app/frame/job.h"
#include "gui/paint/words/printable_text.h"

#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

#include <utility>

namespace lanes::gui {

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel)
    , m_offer(new QPushButton)
    , m_copy(new QPushButton(tr("Copy")))
    , m_close(new QPushButton(QStringLiteral("✕")))
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
    m_offer->setObjectName(QStringLiteral("noticeOffer"));
    m_offer->setProperty("primary", true);
    m_offer->hide();
    layout->addWidget(m_offer, 0, Qt::AlignTop);
    connect(m_offer, &QPushButton::clicked, this, [this] {
        hide();
        const auto accepted = m_accepted;  // which may make another offer
        accepted();
    });
    m_copy->setObjectName(QStringLiteral("noticeCopy"));
    m_copy->setToolTip(tr("Copy this message"));
    layout->addWidget(m_copy, 0, Qt::AlignTop);
    m_close->setFlat(true);
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(tr("Close this message"));
    layout->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text->text()); });
    connect(m_close, &QPushButton::clicked, this, &QWidget::hide);
    constexpr int shown_on_stage_ms = 4000;
    m_away.setSingleShot(true);
    m_away.setInterval(shown_on_stage_ms);
    connect(&m_away, &QTimer::timeout, this, &QWidget::hide);
    hide();
}

void NoticeBar::setOnStage(bool on)
{
    m_onStage = on;
    m_away.stop();
    if (on) {
        m_waits = !isHidden();
        hide();
    } else if (std::exchange(m_waits, false)) {
        setVisible(true);
    }
}

void NoticeBar::showError(const QString& text)
{
    show(text, false);
}

void NoticeBar::showNotice(const QString& text)
{
    show(text, true);
}

void NoticeBar::showSaved(const QString& path, const QString& problem)
{
    problem.isEmpty() ? showNotice(savedText(path)) : showError(problem);
}

QString NoticeBar::savedText(const QString& path)
{
    return tr("Saved %1.").arg(printable(QDir::toNativeSeparators(path)));
}

void NoticeBar::showOffer(const QString& text, const QString& button, const std::function<void()>& accepted)
{
    show(text, true);
    m_accepted = accepted;
    m_away.stop();
    m_offer->setText(button);
    m_offer->show();
}

void NoticeBar::showEnd(const JobResult& result, const QString& file)
{
    const bool failed = !result.error.isEmpty();
    QString said = failed   ? result.error
        : !result.recording ? QString()
                            : caveats(*result.recording).join(QLatin1Char(' '));
    if (said.isEmpty()) {
        return;
    }
    bool mild = !failed && !result.recording->trace->meta.contains(meta::error);
    if (!file.isEmpty()) {
        said = said.contains(file) ? said : QStringLiteral("%1: %2").arg(file, said);
        if (const QString before = text(); !before.isEmpty()) {
            said = before + QLatin1Char('\n') + said;
            mild = mild && property("mild").toBool();
        }
    }
    show(said, mild);
}

QString NoticeBar::text() const
{
    return isHidden() ? QString() : m_text->text();
}

void NoticeBar::show(const QString& text, bool mild)
{
    m_offer->hide();
    m_copy->setVisible(!mild);  // what went wrong is asked of others
    const QString shown = printableLines(text);
    m_text->setText(shown);
    m_text->setAccessibleName(shown);
    if (property("mild").toBool() != mild) {
        setProperty("mild", mild);
        QWidgetList all = findChildren<QWidget*>();
        all << this;
        for (QWidget* each : std::as_const(all)) {
            each->style()->unpolish(each);
            each->style()->polish(each);
        }
    }
    setVisible(!text.isEmpty());
    m_waits = false;
    m_away.stop();
    if (m_onStage && mild) {
        m_away.start();
    }
}

}  // namespace lanes::gui
