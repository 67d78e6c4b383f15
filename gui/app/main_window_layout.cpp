// SPDX-License-Identifier: MIT
// How the window is laid out, its menus and keys, and what it remembers.
#include "gui/app/activity_bar.h"
#include "gui/app/chrome.h"
#include "gui/app/device_choice.h"
#include "gui/app/file_watch.h"
#include "gui/app/gallery_page.h"
#include "gui/app/live_run.h"
#include "gui/app/guess_page.h"
#include "gui/app/lecture.h"
#include "gui/app/main_window.h"
#include "gui/app/notice_bar.h"
#include "gui/app/resource_folder.h"
#include "gui/app/step_through.h"
#include "gui/app/variant_runs.h"
#include "gui/panels/code_panel.h"
#include "gui/panels/details_panel.h"
#include "gui/panels/events_panel.h"
#include "gui/panels/findings_panel.h"
#include "gui/panels/lesson_panel.h"
#include "gui/panels/parameter_form.h"
#include "gui/panels/statistics_panel.h"
#include "gui/panels/variants_panel.h"
#include "gui/panels/workload_editor.h"
#include "gui/panels/workload_list.h"
#include "gui/timeline/comparison_view.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace lanes::gui {

namespace {

constexpr int side_width = 300;
constexpr int editor_width = 460;
constexpr int form_height = 280;
constexpr QSize first_size(1440, 900);

QLabel* sectionTitle(const QString& text)
{
    auto* label = new QLabel(text.toUpper());
    label->setProperty("section", true);
    return label;
}

/// With the timeline's key where the command has none that works everywhere: shown, not registered.
QString menuTextOf(const Command& command)
{
    const QList<QKeySequence> keys = timelineKeys(command);
    return windowKeys(command).isEmpty() && !keys.isEmpty() ? commandText(command) + QLatin1Char('\t') + keys.first().toString(QKeySequence::NativeText)
                                                            : commandText(command);
}

}  // namespace

void MainWindow::buildLayout()
{
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildTopBar());
    m_activity = new ActivityBar;
    m_notice = new NoticeBar;
    layout->addWidget(m_activity);
    layout->addWidget(m_notice);
    m_watch = new FileWatch(this);
    m_live = new LiveRun(this);
    m_columns = new QSplitter(Qt::Horizontal);
    m_columns->setObjectName(QStringLiteral("columns"));
    m_columns->setHandleWidth(1);
    m_columns->setChildrenCollapsible(false);
    m_columns->addWidget(buildSideColumn());
    m_columns->addWidget(buildCentre());
    m_editor = new WorkloadEditor;
    m_editor->setMinimumWidth(300);
    m_editor->hide();
    m_columns->addWidget(m_editor);
    m_columns->setStretchFactor(1, 1);
    m_columns->setSizes({side_width, first_size.width() - side_width - editor_width, editor_width});
    layout->addWidget(m_columns, 1);
    setCentralWidget(central);
    m_lecture = new Lecture(this, m_timeline, m_lesson, m_stepBar, {menuBar(), central->findChild<QWidget*>(QStringLiteral("topBar")), m_side, m_tabs});
    auto* lanes = static_cast<QVBoxLayout*>(m_stepBar->parentWidget()->layout());
    lanes->insertWidget(0, m_lecture->title());
    lanes->addWidget(m_lecture->text());
    lanes->addWidget(m_lecture->code());
    setAcceptDrops(true);
}

QWidget* MainWindow::buildTopBar()
{
    auto* bar = new QWidget;
    bar->setObjectName(QStringLiteral("topBar"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(16, 7, 12, 7);
    layout->setSpacing(8);
    auto* brand = new QLabel(QStringLiteral("Lanescope"));
    brand->setObjectName(QStringLiteral("brand"));
    m_caption = new QLabel;
    m_caption->setObjectName(QStringLiteral("caption"));
    m_caption->setSizePolicy(
        QSizePolicy::Ignored, QSizePolicy::Preferred);  // the caption gives way, the buttons do not
    m_run = commandButton("run.run", tr("Run"));
    m_run->setObjectName(QStringLiteral("run"));
    m_runAll = commandButton("run.all", tr("Run all"));
    m_runAll->setObjectName(QStringLiteral("runAll"));
    m_device = new DeviceChoice;
    layout->addWidget(brand);
    layout->addSpacing(4);
    layout->addWidget(commandButton("lesson.gallery", tr("Gallery")));
    layout->addSpacing(4);
    layout->addWidget(m_caption, 1);
    layout->addWidget(m_run);
    layout->addWidget(m_runAll);
    layout->addWidget(m_device);
    layout->addWidget(commandButton("view.fit", tr("Fit")));
    layout->addWidget(commandButton("file.export", tr("Export…")));
    return bar;
}

QPushButton* MainWindow::commandButton(const char* id, const QString& text)
{
    auto* button = new QPushButton(text);
    QAction* act = action(id);
    button->setCheckable(act->isCheckable());
    const auto follow = [button, act] {
        button->setEnabled(act->isEnabled());
        button->setChecked(act->isChecked());
        button->setToolTip(act->toolTip());
        button->setAccessibleDescription(act->toolTip());
    };
    connect(act, &QAction::changed, button, follow);
    connect(button, &QPushButton::clicked, act, &QAction::trigger);
    follow();
    return button;
}

QWidget* MainWindow::buildSideColumn()
{
    m_side = new QSplitter(Qt::Vertical);
    m_side->setObjectName(QStringLiteral("side"));
    m_side->setHandleWidth(1);
    m_side->setChildrenCollapsible(false);
    m_side->setMinimumWidth(220);

    const auto section = [&](QWidget* content, const QString& title) {
        auto* page = new QWidget;
        auto* layout = new QVBoxLayout(page);
        layout->setContentsMargins(16, 12, 14, 10);
        layout->setSpacing(8);
        if (!title.isEmpty()) {
            layout->addWidget(sectionTitle(title));
        }
        layout->addWidget(content, 1);
        return page;
    };
    m_workloads = new WorkloadList;
    QWidget* workloads = section(m_workloads, tr("Workloads"));
    workloads->layout()->setContentsMargins(8, 12, 8, 8);
    workloads->layout()->itemAt(0)->widget()->setContentsMargins(8, 0, 0, 0);
    m_side->addWidget(workloads);

    m_parameters = new ParameterForm;
    auto* holder = new QWidget;
    holder->setObjectName(QStringLiteral("sideColumn"));
    auto* holderLayout = new QVBoxLayout(holder);
    holderLayout->setContentsMargins(0, 0, 4, 0);
    holderLayout->addWidget(m_parameters);
    holderLayout->addStretch();
    auto* scroll = new QScrollArea;
    connect(m_parameters, &ParameterForm::changed, scroll, [scroll, holder] {  // scrolls down, never sideways
        scroll->setMinimumWidth(holder->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width());
    }, Qt::QueuedConnection);  // once the fields have their style
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(holder);
    QWidget* parameters = section(scroll, tr("Variants and parameters"));
    parameters->layout()->setContentsMargins(16, 12, 8, 10);
    m_notRun = new QLabel;  // under the fields, which stay where they are when it comes and goes
    m_notRun->setObjectName(QStringLiteral("notRun"));
    m_notRun->setAccessibleName(tr("Whether the lanes show these values"));
    m_notRun->setWordWrap(true);
    m_notRun->hide();
    parameters->layout()->addWidget(m_notRun);
    m_side->addWidget(parameters);

    m_code = new CodePanel;
    QWidget* code = section(m_code, {});
    code->layout()->setContentsMargins(16, 10, 14, 12);
    m_side->addWidget(code);
    m_side->setStretchFactor(0, 0);
    m_side->setStretchFactor(1, 0);
    m_side->setStretchFactor(2, 1);
    return m_side;
}

QWidget* MainWindow::buildCentre()
{
    m_rows = new QSplitter(Qt::Vertical);
    m_rows->setObjectName(QStringLiteral("rows"));
    m_rows->setHandleWidth(1);
    m_rows->setChildrenCollapsible(false);
    m_gallery = new GalleryPage;
    m_timeline = new ComparisonView;
    m_timeline->setMinimumHeight(160);
    m_stepBar = new StepBar({commandButton("lesson.step-back", tr("Back")), commandButton("lesson.play", tr("Play")), commandButton("lesson.step-forward", tr("Forward"))},
        StepThrough::speedNames());
    m_stepThrough = new StepThrough(m_timeline, m_stepBar, this);
    auto* lanes = new QWidget;
    m_guess = new GuessPage;
    auto* lanesLayout = new QVBoxLayout(lanes);
    lanesLayout->setContentsMargins(0, 0, 0, 0);
    lanesLayout->setSpacing(0);
    lanesLayout->addWidget(m_timeline, 1);
    lanesLayout->addWidget(m_stepBar);
    m_rows->addWidget(lanes);

    m_tabs = new QTabWidget;
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Panels"));
    m_tabs->tabBar()->setAccessibleName(tr("Panels"));
    m_findings = new FindingsPanel;
    m_statistics = new StatisticsPanel;
    m_events = new EventsPanel;
    m_details = new DetailsPanel;
    m_tabs->addTab(m_findings, tr("Findings"));
    m_tabs->addTab(m_statistics, tr("Statistics"));
    m_tabs->addTab(m_events, tr("Events"));
    m_tabs->addTab(m_details, tr("Details"));
    m_lesson = new LessonPanel;
    m_tabs->addTab(m_lesson, tr("Lesson"));
    m_variants = new VariantsPanel(commandButton("run.all", tr("Run all variants")));
    m_variantRuns = new VariantRuns(this);
    m_tabs->addTab(m_variants, tr("Variants"));
    m_tabs->setMinimumHeight(120);
    m_rows->addWidget(m_tabs);
    m_rows->setStretchFactor(0, 3);
    m_rows->setStretchFactor(1, 1);
    m_rows->setSizes({615, 205});
    m_stage = new QStackedWidget;
    m_stage->addWidget(m_gallery);
    m_stage->addWidget(m_rows);
    m_stage->addWidget(m_guess);
    return m_stage;
}

void MainWindow::buildCommands()
{
    QMap<Menu, QMenu*> menus;
    for (const Menu menu : {Menu::file, Menu::edit, Menu::view, Menu::go, Menu::compare, Menu::lesson, Menu::run, Menu::help}) {
        menus[menu] = menuBar()->addMenu(menuText(menu));
        menus[menu]->setToolTipsVisible(true);
    }
    for (const Menu menu : {Menu::lanes, Menu::theme, Menu::language}) {
        menus[menu] = new QMenu(menuText(menu), this);
        menus[menu]->setToolTipsVisible(true);
    }
    for (const Command& command : commandTable()) {
        auto* act = new QAction(menuTextOf(command), this);
        act->setObjectName(QLatin1String(command.id));
        act->setToolTip(tooltipOf(command));
        act->setShortcuts(windowKeys(command));
        act->setCheckable(command.checked != nullptr);
        connect(act, &QAction::triggered, this, [this, &command] {
            command.run(*this);
            refresh();
        });
        if (command.separator) {
            menus[command.menu]->addSeparator();
        }
        menus[command.menu]->addAction(act);
        addAction(act);  // its keys work where the menus are hidden, too
        m_actions[command.id] = act;
    }
    m_recentMenu = new QMenu(tr("Open &recent"), this);
    menus[Menu::file]->insertMenu(action("file.save-a"), m_recentMenu);
    m_lanesMenu = menus[Menu::lanes];
    connect(m_lanesMenu, &QMenu::aboutToShow, this, &MainWindow::refresh);  // which lane is meant changes with the mouse
    m_marksMenu = new QMenu(tr("Mar&ks"), this);
    menus[Menu::go]->insertMenu(action("go.findings"), m_marksMenu);
    menus[Menu::view]->addSeparator();
    menus[Menu::view]->addMenu(m_lanesMenu);
    menus[Menu::view]->addMenu(menus[Menu::theme]);
    menus[Menu::view]->addMenu(menus[Menu::language]);
}

void MainWindow::restore()
{
    QSettings settings;
    m_theme = settings.value(QStringLiteral("theme"), QStringLiteral("system")).toString();
    m_language = settings.value(QStringLiteral("language")).toString();
    setAsking(settings.value(QStringLiteral("ask"), false).toBool());
    m_recent = settings.value(QStringLiteral("recent")).toStringList();
    m_liveKnobs = settings.value(QStringLiteral("liveKnobs"), true).toBool();
    loadOwnWorkloads(settings.value(QStringLiteral("ownWorkloads")).toStringList());
    resize(first_size.boundedTo(screen()->availableSize() - QSize(0, style()->pixelMetric(QStyle::PM_TitleBarHeight))));
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    m_columns->restoreState(settings.value(QStringLiteral("columns")).toByteArray());
    m_rows->restoreState(settings.value(QStringLiteral("rows")).toByteArray());
    if (!m_side->restoreState(settings.value(QStringLiteral("side")).toByteArray())) {
        constexpr int heading = 50;
        constexpr int row = 29;  // the style is not known before the window shows
        const int list = std::clamp(m_workloads->count(), 3, 12) * row + heading;
        m_side->setSizes({list, form_height, std::max(first_size.height() - list - form_height, form_height)});
    }
    m_tabs->setCurrentIndex(settings.value(QStringLiteral("panel"), 0).toInt());

    const RunDevice device {static_cast<RunDevice::Kind>(settings.value(QStringLiteral("device/kind"), 0).toInt()),
        settings.value(QStringLiteral("device/argument"), QStringLiteral("h100")).toString(), {}};
    m_device->select(device);
    if (!m_workloads->select(settings.value(QStringLiteral("workload"), QStringLiteral("copy-results-back")).toString())
) {
        m_workloads->selectFirst();
    }
    std::vector<VariantSettings> runs;
    const int count = settings.beginReadArray(QStringLiteral("runs"));
    for (int i = 0; i < std::min(count, 2); ++i) {
        settings.setArrayIndex(i);
        VariantSettings& run = runs.emplace_back();
        run.variant = settings.value(QStringLiteral("variant")).toString().toStdString();
        const QVariantMap values = settings.value(QStringLiteral("settings")).toMap();
        for (auto value = values.begin(); value != values.end(); ++value) {
            run.settings[value.key().toStdString()] = value.value().toString().toStdString();
        }
    }
    settings.endArray();
    m_parameters->setRuns(runs);
}

void MainWindow::remember()
{
    m_lecture->setOn(false);  // the window that is remembered is the usual one
    QSettings settings;
    settings.setValue(QStringLiteral("theme"), m_theme);
    settings.setValue(QStringLiteral("ask"), m_asking);
    settings.setValue(QStringLiteral("recent"), m_recent);
    settings.setValue(QStringLiteral("liveKnobs"), m_liveKnobs);
    settings.setValue(QStringLiteral("ownWorkloads"), m_workloads->ownFiles());
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("columns"), m_columns->saveState());
    settings.setValue(QStringLiteral("rows"), m_rows->saveState());
    settings.setValue(QStringLiteral("side"), m_side->saveState());
    settings.setValue(QStringLiteral("panel"), m_tabs->currentIndex());
    settings.setValue(QStringLiteral("device/kind"), static_cast<int>(m_device->device().kind));
    settings.setValue(QStringLiteral("device/argument"), m_device->device().argument);
    if (const auto workload = m_workloads->selected()) {
        const QString file = QString::fromStdString(workload->file);
        settings.setValue(
            QStringLiteral("workload"), m_workloads->isOwn(file) ? file : QString::fromStdString(workload->name));
    }
    const std::vector<VariantSettings> runs = m_parameters->runs();
    settings.beginWriteArray(QStringLiteral("runs"), static_cast<int>(runs.size()));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue(QStringLiteral("variant"), QString::fromStdString(runs[i].variant));
        QVariantMap values;
        for (const auto& [key, value] : runs[i].settings) {
            values[QString::fromStdString(key)] = QString::fromStdString(value);
        }
        settings.setValue(QStringLiteral("settings"), values);
    }
    settings.endArray();
}

}  // namespace lanes::gui
