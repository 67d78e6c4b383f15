// SPDX-License-Identifier: MIT
#include "tests/gui/app/command_trials/trial_stage.h"

#include "engine/store/recording_file.h"
#include "gui/app/frame/language.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QTabWidget>
#include <QTest>

#include <map>

namespace lanes::gui {

namespace {

/// A shipped workload with many times its work.
constexpr auto long_workload = R"(title: {en: Long}
parameters: {times: {default: 200000, min: 1, max: 1000000}}
streams: {compute: {gpu: 0}}
threads:
  main:
    - repeat: $times
      do:
        - kernel: {name: matmul, stream: compute, time: 20 us, blocks: all}
    - sync: device
)";

/// The entries that lead to `wanted`, outermost menu first.
QList<QAction*> pathTo(const QList<QAction*>& entries, const QAction* wanted)
{
    for (QAction* entry : entries) {
        if (entry == wanted) {
            return {entry};
        }
        if (entry->menu()) {
            if (QList<QAction*> rest = pathTo(entry->menu()->actions(), wanted); !rest.isEmpty()) {
                rest.prepend(entry);
                return rest;
            }
        }
    }
    return {};
}

}  // namespace

TrialStage::TrialStage()
{
    QSettings().clear();
    speak(QStringLiteral("en"));
    QApplication::clipboard()->clear();
    m_window = std::make_unique<MainWindow>();
    m_window->action("theme.light")->trigger();
    m_window->resize(1280, 720);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

QTabWidget& TrialStage::panels()
{
    return *m_window->findChild<QTabWidget*>(QString(), Qt::FindChildrenRecursively);
}

QDialog* TrialStage::dialog(const char* name)
{
    for (QDialog* dialog : m_window->findChildren<QDialog*>(QLatin1String(name))) {
        if (dialog->isVisible()) {
            return dialog;
        }
    }
    return nullptr;
}

bool TrialStage::focusIn(const QWidget* widget)
{
    const QWidget* focus = QApplication::focusWidget();
    return focus != nullptr && (focus == widget || widget->isAncestorOf(focus));
}

void TrialStage::open(std::initializer_list<const char*> recordings)
{
    static std::map<QString, OpenRecordingPtr> read;  // once for all trials
    std::vector<OpenRecordingPtr> opened;
    for (const char* name : recordings) {
        const QString path = QStringLiteral("%1/resources/recordings/h200/%2.sqlite")
                                 .arg(qEnvironmentVariable("LANES_SOURCE"), QLatin1String(name));
        OpenRecordingPtr& recording = read[path];
        if (!recording) {
            recording = analysed(open_recording(path.toStdString()), path);
        }
        opened.push_back(recording);
    }
    m_window->workspace().set(opened);
    m_window->action("go.timeline")->trigger();
    QVERIFY(view().hasFocus());
}

void TrialStage::selectOperation()
{
    openOne();
    const auto box = boxOf(side().frame(), {ItemKind::operation, 2});
    QVERIFY(box);
    QTest::mouseClick(&view(), Qt::LeftButton, {}, box->center().toPoint());
    QCOMPARE(side().selection(), (ItemRef {ItemKind::operation, 2}));
}

void TrialStage::selectCall()
{
    selectOperation();
    for (int steps = 0; steps < 100 && side().selection().kind == ItemKind::operation; ++steps) {
        QTest::keyClick(&view(), Qt::Key_BracketLeft);  // through what it waited for, to a call
    }
    QCOMPARE(side().selection().kind, ItemKind::call);
}

void TrialStage::selectRange()
{
    openOne();
    const int left = side().frame().geometry.labelWidth;
    const int third = (view().width() - left) / 3;
    const int y = view().height() - 6;
    QTest::mousePress(&view(), Qt::LeftButton, {}, {left + third, y});
    QTest::mouseMove(&view(), {left + third * 3 / 2, y});
    QTest::mouseMove(&view(), {left + 2 * third, y});
    QTest::mouseRelease(&view(), Qt::LeftButton, {}, {left + 2 * third, y});
    QVERIFY(side().state().highlights.range);
}

void TrialStage::startLongRun()
{
    QFile workload(file("long.yaml"));
    QVERIFY(workload.open(QIODevice::WriteOnly));
    workload.write(long_workload);
    workload.close();
    m_window->openFiles({workload.fileName()});
    QTRY_VERIFY(m_window->action("run.run")->isEnabled());
    QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
    QVERIFY(m_window->isBusy());
}

void TrialStage::answerFileDialog(const QString& path)
{
    QDialog* chooser = dialog("fileDialog");
    QVERIFY(chooser);
    auto* name = chooser->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    QVERIFY(name);
    name->setText(path);  // if typed, its completer's list would take the keys that follow
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_VERIFY(!dialog("fileDialog"));
}

void TrialStage::remember()
{
    const TimelineView& active = *timeline().activeView();
    before = {timeline().timeScale(), active.timeline().selection(), active.timeline().state().highlights.range,
        active.timeline().state().scroll, panels().currentIndex(), m_window->workspace().at(0),
        m_window->workspace().at(1)};
}

void TrialStage::press(const Command& command, const QKeySequence& key, bool inTimeline)
{
    QVERIFY2(m_window->action(command.id)->isEnabled(), command.id);
    if (inTimeline) {
        m_window->action("go.timeline")->trigger();
    }
    QWidget* focus = QApplication::focusWidget();
    QTest::keySequence(focus != nullptr ? focus : m_window.get(), key);
}

/// A menu accepts a click on an entry only if the mouse has moved since the menu opened, from a place that it knew
/// then (Qt 6.8): a click without such a move closes it.
void TrialStage::clickEntry(QMenu* menu, QAction* entry)
{
    const QPoint middle = menu->actionGeometry(entry).center();
    QTest::mouseMove(menu, middle - QPoint(4, 0));
    QTest::mouseMove(menu, middle);
    QTRY_COMPARE(menu->activeAction(), entry);
    QTest::mouseClick(menu, Qt::LeftButton, {}, middle);
}

void TrialStage::clickInMenu(const Command& command)
{
    QAction* wanted = m_window->action(command.id);
    const QList<QAction*> path = pathTo(m_window->menuBar()->actions(), wanted);
    QVERIFY2(path.size() > 1, command.id);
    QMenuBar* bar = m_window->menuBar();
    const QPoint title = bar->actionGeometry(path.front()).center();
    QTest::mouseMove(bar, title);  // see clickEntry()
    QTest::mouseClick(bar, Qt::LeftButton, {}, title);
    for (qsizetype i = 1; i < path.size(); ++i) {
        QMenu* menu = path[i - 1]->menu();
        QTRY_VERIFY2(menu->isVisible(), command.id);
        QVERIFY2(path[i]->isEnabled() && path[i]->isVisible(), command.id);
        QVERIFY2(menu->rect().contains(menu->actionGeometry(path[i])), command.id);  // no entry is cut off
        clickEntry(menu, path[i]);
    }
}

}  // namespace lanes::gui
