// SPDX-License-Identifier: MIT
#include "gui/app/learn/presenter_notes.h"

#include "gui/paint/words/printable_text.h"

#include <QCloseEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QShortcut>
#include <QTextBrowser>

#include <algorithm>
#include <chrono>

namespace lanes::gui {

namespace {

constexpr int lines_in_sight = 38;  // of text, whatever the window's height
constexpr int least_pixels = 13, most_pixels = 30;
constexpr QSize first_size(760, 620);

}  // namespace

PresenterNotes::PresenterNotes(QWidget* stage)
    : QWidget(stage, Qt::Window)
    , m_stage(stage)
    , m_title(new QLabel)
    , m_time(new QLabel)
    , m_text(new QTextBrowser)
{
    setObjectName(QStringLiteral("presenterNotes"));
    setWindowTitle(tr("Notes for the presenter"));
    setAttribute(Qt::WA_QuitOnClose, false);
    m_title->setTextFormat(Qt::RichText);
    m_title->setWordWrap(true);
    m_time->setToolTip(tr("For how long this lesson has been open"));
    m_time->setAlignment(Qt::AlignRight | Qt::AlignTop);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setAccessibleName(windowTitle());
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_time);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(head);
    layout->addWidget(m_text, 1);
    auto* leave = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    connect(leave, &QShortcut::activated, this, &PresenterNotes::leaveWanted);
    resize(first_size);
    m_tick.setInterval(std::chrono::seconds(1));
    connect(&m_tick, &QTimer::timeout, this, &PresenterNotes::sayTime);
    m_since.start();
}

QScreen* PresenterNotes::ownScreen() const
{
    const QList<QScreen*> screens = QGuiApplication::screens();
    const auto other = std::find_if(
        screens.begin(), screens.end(), [this](const QScreen* each) { return each != m_stage->screen(); });
    return other == screens.end() ? nullptr : *other;
}

bool PresenterNotes::hasOwnScreen() const
{
    return ownScreen() != nullptr;
}

void PresenterNotes::setOn(bool on)
{
    if (on == isOn()) {
        return;
    }
    if (const QScreen* screen = ownScreen(); on && screen) {
        setGeometry(screen->availableGeometry());
        showMaximized();
        m_stage->activateWindow();
    } else {
        setVisible(on);
    }
    on ? m_tick.start() : m_tick.stop();
    sayTime();
    emit turned(on);
}

void PresenterNotes::set(const Content& content)
{
    if (content == m_content) {
        return;
    }
    if (content.title != m_content.title) {
        m_since.start();
    }
    m_content = content;
    say();
    sayTime();
}

void PresenterNotes::say()
{
    const int pixels = std::clamp(height() / lines_in_sight, least_pixels, most_pixels);
    QFont plain = font();
    plain.setPixelSize(pixels);
    m_text->document()->setDefaultFont(plain);
    plain.setPixelSize(pixels * 3 / 2);
    m_time->setFont(plain);
    m_title->setFont(plain);
    m_title->setText(QStringLiteral("<b>%1</b><br><span style='font-size:%2px'>%3</span>")
                         .arg(m_content.title.toHtmlEscaped())
                         .arg(pixels)
                         .arg(m_content.place.toHtmlEscaped()));
    QString html;
    for (const LessonPanel::Section& section : m_content.sections) {
        if (!section.text.isEmpty()) {
            html += QStringLiteral("<p style='margin:%1px 0 0 0'><b>%2</b></p><p style='margin:0'>%3</p>")
                        .arg(QString::number(pixels * 3 / 4), htmlLines(section.heading), htmlLines(section.text));
        }
    }
    m_text->setHtml(html);
}

void PresenterNotes::sayTime()
{
    const qint64 seconds = m_since.elapsed() / 1000;
    m_time->setText(QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0')));
}

void PresenterNotes::closeEvent(QCloseEvent* event)
{
    event->ignore();
    setOn(false);
}

void PresenterNotes::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    say();
}

}  // namespace lanes::gui
