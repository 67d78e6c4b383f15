// SPDX-License-Identifier: MIT
#include "gui/app/frame/side_column.h"

#include "gui/panels/code_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/workload_list.h"

#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::gui {

namespace {

constexpr int form_height = 280;
constexpr int least_width = 220;
constexpr int form_left = 16, form_right = 8;

QLayout* addSection(QSplitter* column, QWidget* content, const QString& title, const QMargins& margins)
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(margins);
    layout->setSpacing(8);
    if (!title.isEmpty()) {
        auto* label = new QLabel(title.toUpper());
        label->setProperty("section", true);
        layout->addWidget(label);
    }
    layout->addWidget(content, 1);
    column->addWidget(page);
    return layout;
}

/// Scrolls down, never sideways: as wide as its fields need with the texts they have now, and however large these are.
/// The field that is being edited stays in sight when something takes room from the form.
class FormScroll final : public QScrollArea {
public:
    /// The column has a least width of its own, which hides that of what is in it.
    explicit FormScroll(SideColumn* column)
        : m_column(column)
    {
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QScrollArea::resizeEvent(event);
        if (QWidget* field = QApplication::focusWidget(); field != nullptr && widget()->isAncestorOf(field)) {
            ensureWidgetVisible(field, 0, 4);
        }
    }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == widget() && event->type() == QEvent::LayoutRequest) {
            const int least = widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width();
            setMinimumWidth(least);
            m_column->setMinimumWidth(std::max(least_width, least + form_left + form_right));
        }
        return QScrollArea::eventFilter(watched, event);
    }

private:
    SideColumn* m_column;
};

QScrollArea* scrolled(ParameterForm* form, SideColumn* column)
{
    auto* holder = new QWidget;
    holder->setObjectName(QStringLiteral("sideColumn"));
    auto* layout = new QVBoxLayout(holder);
    layout->setContentsMargins(0, 0, 4, 0);
    layout->addWidget(form);
    layout->addStretch();
    auto* scroll = new FormScroll(column);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(holder);
    return scroll;
}

}  // namespace

SideColumn::SideColumn(QWidget* parent)
    : QSplitter(Qt::Vertical, parent)
    , m_workloads(new WorkloadList)
    , m_form(new ParameterForm)
    , m_code(new CodePanel)
    , m_notRun(new QLabel)
{
    setObjectName(QStringLiteral("side"));
    setHandleWidth(1);
    setChildrenCollapsible(false);
    setMinimumWidth(least_width);
    QLayout* workloads = addSection(this, m_workloads, tr("Workloads"), {8, 12, 8, 8});
    workloads->itemAt(0)->widget()->setContentsMargins(8, 0, 0, 0);
    QLayout* parameters
        = addSection(this, scrolled(m_form, this), tr("Variants and parameters"), {form_left, 12, form_right, 10});
    m_code->setObjectName(QStringLiteral("sideCode"));
    m_notRun->setObjectName(QStringLiteral("notRun"));
    m_notRun->setAccessibleName(tr("Whether the lanes show these values"));
    m_notRun->setWordWrap(true);
    m_notRun->setTextFormat(Qt::RichText);
    m_notRun->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(m_notRun, &QLabel::linkActivated, this,
        [this](const QString& link) { link == QLatin1String("text") ? emit textWanted() : emit lessonWanted(); });
    m_notRun->hide();
    parameters->addWidget(m_notRun);  // under the fields, which stay where they are when it comes and goes
    addSection(this, m_code, {}, {16, 10, 14, 12});
    setStretchFactor(0, 0);
    setStretchFactor(1, 0);
    setStretchFactor(2, 1);
}

void SideColumn::sayNotRun(const QString& shownInstead, bool lesson)
{
    QString words = tr("Not run yet: the lanes show %1.").arg(shownInstead).toHtmlEscaped();
    if (lesson) {
        words += QStringLiteral(" <a href=\"lesson\" style=\"color: %1\">%2</a>")
                     .arg(m_notRun->palette().color(QPalette::WindowText).name(), tr("Open the lesson"));
    }
    m_notRun->setText(words);
    m_notRun->setVisible(!shownInstead.isEmpty());
}

void SideColumn::sayWrong(const QString& problem)
{
    m_notRun->setText(QStringLiteral("%1 <a href=\"text\" style=\"color: %2\">%3</a>")
                          .arg(tr("Its text cannot run: %1").arg(problem).toHtmlEscaped(),
                              m_notRun->palette().color(QPalette::WindowText).name(), tr("Show the text")));
    m_notRun->show();
}

void SideColumn::setListShown(bool shown)
{
    widget(0)->setVisible(shown);
}

void SideColumn::restoreDivisions(const QByteArray& state, int height)
{
    if (!restoreState(state)) {
        constexpr int heading = 50;
        constexpr int row = 29;  // the style is not known before the window shows
        const int list = std::clamp(m_workloads->count(), 3, 12) * row + heading;
        setSizes({list, form_height, std::max(height - list - form_height, form_height)});
    }
}

}  // namespace lanes::gui
