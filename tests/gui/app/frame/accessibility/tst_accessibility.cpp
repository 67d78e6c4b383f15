// SPDX-License-Identifier: MIT
// What a screen reader and a keyboard find: the tree of QAccessible is walked through every page, panel and dialog of
// the real window, and each test names all offenders at once.
#include "gui/app/frame/panel_tabs.h"
#include "gui/panels/details_panel.h"
#include "gui/panels/parameter_form.h"
#include "tests/effort.h"
#include "tests/gui/app/command_trials/trial_stage.h"

#include <algorithm>
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRadioButton>
#include <QSettings>
#include <QStandardPaths>
#include <QStyleOptionFocusRect>
#include <QTest>
#include <QTextEdit>

using namespace lanes;
using namespace lanes::gui;

namespace {

/// A control: the user operates it, or it takes the focus. Its role must say what it is.
bool isControl(QAccessibleInterface* each)
{
    switch (each->role()) {
    case QAccessible::PushButton:
    case QAccessible::ButtonMenu:
    case QAccessible::CheckBox:
    case QAccessible::RadioButton:
    case QAccessible::ComboBox:
    case QAccessible::EditableText:
    case QAccessible::Slider:
    case QAccessible::SpinBox:
    case QAccessible::List:
    case QAccessible::Table:
    case QAccessible::Tree:
    case QAccessible::PageTab:
    case QAccessible::PageTabList:
    case QAccessible::MenuItem:
    case QAccessible::ProgressBar:
    case QAccessible::Dialog:
    case QAccessible::Chart:
        return true;
    default:
        return each->state().focusable;
    }
}

QString described(QAccessibleInterface* each)
{
    const QObject* object = each->object();
    QString path;
    for (const QObject* at = object; at != nullptr && path.size() < 200; at = at->parent()) {
        path += QStringLiteral(" < %1 “%2”").arg(QLatin1String(at->metaObject()->className()), at->objectName());
    }
    return QStringLiteral("role %1%2").arg(each->role()).arg(path.isEmpty() ? QStringLiteral(" of no object") : path);
}

/// Parts of a spin box or of a combo box are described through it; cells through their table.
bool speaksThroughItsParent(QAccessibleInterface* each)
{
    const auto* parent = each->parent();
    return parent != nullptr && (parent->role() == QAccessible::SpinBox || parent->role() == QAccessible::ComboBox);
}

void collect(QAccessibleInterface* each, QSet<QString>& offenders)
{
    if (each == nullptr || !each->isValid() || each->state().invisible) {
        return;
    }
    if (isControl(each) && !speaksThroughItsParent(each)) {
        if (each->text(QAccessible::Name).trimmed().isEmpty()) {
            offenders += QStringLiteral("no name: ") + described(each);
        }
        // A scroll area is a container, as Qt says.
        const auto* widget = qobject_cast<const QWidget*>(each->object());
        const bool scrolls = widget != nullptr
            && (widget->inherits("QAbstractScrollArea") || widget->focusProxy() != nullptr);  // or hands the focus on
        const bool vague = each->role() == QAccessible::Client || each->role() == QAccessible::NoRole;
        if (each->state().focusable && vague && !scrolls) {
            offenders += QStringLiteral("no role: ") + described(each);
        }
    }
    const auto role = each->role();
    if (role == QAccessible::Table || role == QAccessible::Tree || role == QAccessible::List
        || role == QAccessible::ComboBox || role == QAccessible::SpinBox) {
        return;  // their cells are data
    }
    for (int i = 0; i < each->childCount(); ++i) {
        collect(each->child(i), offenders);
    }
}

QString listed(const QSet<QString>& offenders)
{
    QStringList lines(offenders.begin(), offenders.end());
    lines.sort();
    return QStringLiteral("\n  ") + lines.join(QStringLiteral("\n  "));
}

/// In such a group Tab goes to the button that had the focus last, and the arrow keys go to the others.
bool isReachedFromOthers(const QWidget* widget)
{
    if (qobject_cast<const QRadioButton*>(widget) == nullptr) {
        return false;
    }
    const auto group = widget->parentWidget()->findChildren<QRadioButton*>();
    return std::any_of(
        group.begin(), group.end(), [](const auto* each) { return (each->focusPolicy() & Qt::TabFocus) != 0; });
}

/// The user operates it by mouse.
bool takesInput(const QWidget* widget)
{
    return qobject_cast<const QAbstractButton*>(widget) != nullptr || qobject_cast<const QComboBox*>(widget) != nullptr
        || qobject_cast<const QAbstractSpinBox*>(widget) != nullptr || qobject_cast<const QLineEdit*>(widget) != nullptr
        || qobject_cast<const QAbstractItemView*>(widget) != nullptr
        || qobject_cast<const QTextEdit*>(widget) != nullptr
        || (qobject_cast<const QAbstractSlider*>(widget) != nullptr && !widget->inherits("QScrollBar"));
}

/// Reached by the keys of another widget: a spin box's field, a bar's arrows, the button that clears a field.
bool isPartOfAControl(const QWidget* widget)
{
    for (const QWidget* at = widget->parentWidget(); at != nullptr; at = at->parentWidget()) {
        if (at->inherits("QAbstractSpinBox") || at->inherits("QComboBox") || at->inherits("QLineEdit")
            || at->inherits("QTabBar") || at->inherits("QMenuBar") || at->inherits("QAbstractItemView")
            || at->inherits("QToolBar")) {
            return true;
        }
    }
    return widget->focusProxy() != nullptr || widget->inherits("QTableCornerButton") || widget->inherits("QHeaderView");
}

}  // namespace

class tst_accessibility : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void everyControlHasNameAndRole_data();
    void everyControlHasNameAndRole();
    void everyActionIsACommand();
    void everyCommandGoesByKeyOrMenu();
    void theFocusGoesRoundAndComesBack_data();
    void theFocusGoesRoundAndComesBack();
    void theFocusIsSeen_data();
    void theFocusIsSeen();
    void theTimelineTellsTheSelection();
    void settingsActAtOnceAndAreRemembered();
    void fieldsAreWholeWithLargeTexts_data();
    void fieldsAreWholeWithLargeTexts();
};

void tst_accessibility::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("lanescope-test"));
    QCoreApplication::setApplicationName(QStringLiteral("tst_accessibility"));
    QApplication::setQuitOnLastWindowClosed(false);
    qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources");
    qputenv("LANES_PROGRAM", "/no/such/lanes");
    QAccessible::setActive(true);
}

void tst_accessibility::everyControlHasNameAndRole_data()
{
    QTest::addColumn<int>("recordings");
    QTest::addColumn<QByteArray>("command");
    QTest::newRow("gallery") << 0 << QByteArray();
    QTest::newRow("one recording") << 1 << QByteArray();
    QTest::newRow("two recordings") << 2 << QByteArray();
    // What is shown by each command that only shows something.
    TrialStage stage;
    int number = 0;
    for (const Command& command : stage.window().commands()) {
        const QByteArray id(command.id);
        if (id.startsWith("go.") || id.startsWith("help.") || id.startsWith("lesson.") || id.startsWith("edit.")
            || id.startsWith("compare.") || id == "file.export" || id == "view.code" || id == "run.edit") {
            if (number++ % one_trial_in == 0) {  // tst_command_trials carries out each
                QTest::newRow(id.constData()) << 2 << id;
            }
        }
    }
}

void tst_accessibility::everyControlHasNameAndRole()
{
    QFETCH(int, recordings);
    QFETCH(QByteArray, command);
    TrialStage stage;
    if (recordings == 1) {
        stage.openOne();
    } else if (recordings == 2) {
        stage.openTwo();
    }
    if (!command.isEmpty()) {
        QAction* action = stage.window().action(command);
        QVERIFY(action != nullptr);
        if (!action->isEnabled()) {
            QSKIP("cannot be done with two recordings alone");
        }
        action->trigger();
        QApplication::processEvents();
    }
    QSet<QString> offenders;
    for (QWidget* window : QApplication::topLevelWidgets()) {
        if (window->isVisible()) {
            collect(QAccessible::queryAccessibleInterface(window), offenders);
        }
    }
    QVERIFY2(offenders.isEmpty(), qPrintable(listed(offenders)));
    QSet<QString> unreachable;
    for (QWidget* window : QApplication::topLevelWidgets()) {
        if (!window->isVisible()) {
            continue;
        }
        for (QWidget* widget : window->findChildren<QWidget*>()) {
            if (widget->isVisible() && widget->isEnabled() && takesInput(widget) && !isPartOfAControl(widget)
                && (widget->focusPolicy() & Qt::TabFocus) == 0 && !isReachedFromOthers(widget)) {
                unreachable += described(QAccessible::queryAccessibleInterface(widget));
            }
        }
    }
    QVERIFY2(unreachable.isEmpty(), qPrintable(QStringLiteral("not reached by Tab:") + listed(unreachable)));
}

/// The window's menus have only entries of the table of commands, submenus, and the lists of files and marks, which
/// are made when they are opened.
void tst_accessibility::everyActionIsACommand()
{
    TrialStage stage;
    stage.openTwo();
    QSet<QString> strangers;
    for (const QAction* action : stage.window().actions()) {
        if (stage.window().commands().find(action->objectName().toLatin1()) == nullptr) {
            strangers += action->text();
        }
    }
    QVERIFY2(strangers.isEmpty(), qPrintable(listed(strangers)));
}

void tst_accessibility::everyCommandGoesByKeyOrMenu()
{
    TrialStage stage;
    stage.openTwo();
    QSet<QString> lost;
    for (const Command& command : stage.window().commands()) {
        const QAction* action = stage.window().action(command.id);
        bool inMenu = false;
        for (const QMenu* menu : stage.window().findChildren<QMenu*>()) {
            inMenu = inMenu || menu->actions().contains(const_cast<QAction*>(action));
        }
        if (!inMenu || action->text().isEmpty() || command.tip.isEmpty()) {
            lost += QLatin1String(command.id);
        }
    }
    QVERIFY2(lost.isEmpty(), qPrintable(listed(lost)));
}

void tst_accessibility::theFocusGoesRoundAndComesBack_data()
{
    QTest::addColumn<int>("recordings");
    QTest::addColumn<QByteArray>("command");
    QTest::newRow("gallery") << 0 << QByteArray();
    QTest::newRow("two recordings") << 2 << QByteArray();
    QTest::newRow("settings") << 0 << QByteArray("edit.settings");
    QTest::newRow("keys") << 0 << QByteArray("help.keys");
    QTest::newRow("export") << 2 << QByteArray("file.export");
}

/// To the next control: by Ctrl+Tab out of a text that takes tabs.
static void goOn(QWidget* at)
{
    QTest::keyClick(at, Qt::Key_Tab);
    if (QApplication::focusWidget() == at) {
        QTest::keyClick(at, Qt::Key_Tab, Qt::ControlModifier);
    }
}

/// Tab leads on from everywhere (Ctrl+Tab from a text), and round.
void tst_accessibility::theFocusGoesRoundAndComesBack()
{
    QFETCH(int, recordings);
    QFETCH(QByteArray, command);
    TrialStage stage;
    if (recordings == 2) {
        stage.openTwo();
    }
    if (!command.isEmpty()) {
        stage.window().action(command)->trigger();
    }
    QTRY_VERIFY(QApplication::focusWidget() != nullptr
        && (command.isEmpty() || qobject_cast<QDialog*>(QApplication::focusWidget()->window()) != nullptr));
    QList<QWidget*> way;
    for (int i = 0; i < 300; ++i) {
        QWidget* at = QApplication::focusWidget();
        QVERIFY(at != nullptr);
        if (way.contains(at)) {
            break;
        }
        way += at;
        goOn(at);
        if (QApplication::focusWidget() == at && qobject_cast<QLabel*>(at) != nullptr) {
            goOn(at);  // from its link
        }
        QVERIFY2(QApplication::focusWidget() != at, at->metaObject()->className());
    }
    // Of two timelines Tab enters the active one, so the first may be passed on the second round.
    QVERIFY(way.size() > 2 && way.indexOf(QApplication::focusWidget()) <= 1);
}

void tst_accessibility::theFocusIsSeen_data()
{
    QTest::addColumn<QByteArray>("theme");
    QTest::addColumn<int>("recordings");
    QTest::addColumn<QByteArray>("command");
    QTest::newRow("dark") << QByteArray("theme.dark") << 2 << QByteArray("go.timeline");
    QTest::newRow("light") << QByteArray("theme.light") << 2 << QByteArray("go.timeline");
    QTest::newRow("gallery") << QByteArray("theme.light") << 0 << QByteArray();
    for (const char* command : {"go.summary", "go.statistics", "go.events", "go.details", "go.lesson", "go.variants",
             "edit.settings", "help.keys", "file.export"}) {
        QTest::newRow(command) << QByteArray("theme.dark") << 2 << QByteArray(command);
    }
}

/// Wherever Tab leads, something in the window changes its look: in all of the window, and in each panel and
/// dialog.
void tst_accessibility::theFocusIsSeen()
{
    QFETCH(QByteArray, theme);
    QFETCH(int, recordings);
    QFETCH(QByteArray, command);
    TrialStage stage;
    if (recordings == 2) {
        stage.openTwo();
        stage.side().select({ItemKind::operation, 0});  // which the card shows
    }
    stage.window().action(theme)->trigger();
    if (!command.isEmpty()) {
        stage.window().action(command)->trigger();
    }
    const bool dialog = command == "edit.settings" || command == "help.keys" || command == "file.export";
    QTRY_VERIFY(QApplication::focusWidget() != nullptr
        && (!dialog || qobject_cast<QDialog*>(QApplication::focusWidget()->window()) != nullptr));
    const bool panel = command.startsWith("go.") && command != "go.timeline";
    const QWidget* scope = &stage.panels();
    if (command == "go.details") {
        scope = stage.window().findChild<DetailsPanel*>();
    }
    const auto inScope = [&](const QWidget* at) { return !panel || scope->isAncestorOf(at); };
    QVERIFY(inScope(QApplication::focusWidget()));
    goOn(QApplication::focusWidget());  // from now on by keyboard
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
    QSet<QString> unseen;
    QList<QWidget*> way;
    for (int i = 0; i < 60; ++i) {
        QWidget* at = QApplication::focusWidget();
        if (way.contains(at) || !inScope(at)) {
            break;
        }
        way += at;
        QApplication::processEvents();
        const QImage with = at->grab().toImage();
        const bool text = at->inherits("QTextEdit") || at->inherits("QPlainTextEdit");
        goOn(at);
        QApplication::processEvents();
        const bool blinks = at->inherits("QLineEdit") || at->inherits("QAbstractSpinBox") || text;
        if (at->isVisible() && !blinks && at->grab().toImage() == with) {
            unseen += described(QAccessible::queryAccessibleInterface(at));
        }
    }
    QVERIFY(!way.isEmpty());
    QVERIFY2(unseen.isEmpty(), qPrintable(listed(unseen)));
}

void tst_accessibility::theTimelineTellsTheSelection()
{
    TrialStage stage;
    stage.openOne();
    QAccessibleInterface* ear = QAccessible::queryAccessibleInterface(&stage.view());
    QCOMPARE(ear->role(), QAccessible::Chart);
    const QString before = ear->text(QAccessible::Description);
    QVERIFY(!before.isEmpty());
    stage.side().select({ItemKind::operation, 0});
    const QString said = ear->text(QAccessible::Description);
    QVERIFY2(
        said.startsWith(before) && said.contains(QStringLiteral("Selected on ")) && said.contains(QStringLiteral("ms")),
        qPrintable(said));
    stage.side().select({});
    QCOMPARE(ear->text(QAccessible::Description), before);
}

void tst_accessibility::fieldsAreWholeWithLargeTexts_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"text.large", "text.largest", "text.usual"}) {
        QTest::newRow(text) << QByteArray(text);
    }
}

/// The parameters' column kept the width of its earlier texts, and cut its fields.
void tst_accessibility::fieldsAreWholeWithLargeTexts()
{
    QFETCH(QByteArray, text);
    TrialStage stage;
    stage.openOne();
    auto* form = stage.window().findChild<ParameterForm*>();
    QVERIFY(form != nullptr);
    stage.window().action(text.constData())->trigger();
    const QWidget* seen = form->parentWidget()->parentWidget();  // in the area that scrolls
    QTRY_VERIFY(form->mapTo(seen, QPoint(form->minimumSizeHint().width(), 0)).x() <= seen->width());
    for (const QWidget* field : form->findChildren<QWidget*>()) {
        const int right = field->isVisible() ? field->mapTo(seen, QPoint(field->width(), 0)).x() : 0;
        QVERIFY2(right <= seen->width(), qPrintable(field->objectName()));
    }
    stage.window().action("text.usual")->trigger();
}

void tst_accessibility::settingsActAtOnceAndAreRemembered()
{
    const auto click = [](TrialStage& stage, const char* name) {
        auto* page = stage.dialog("settingsPage");
        QVERIFY(page != nullptr);
        auto* button = page->findChild<QAbstractButton*>(QStringLiteral("settings.") + QLatin1String(name));
        QVERIFY2(button != nullptr, name);
        QTest::keyClick(button, Qt::Key_Space);
    };
    {
        TrialStage stage;
        stage.openOne();
        QTest::keyClick(&stage.window(), Qt::Key_Comma, Qt::ControlModifier);
        click(stage, "theme.dark");
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 128);
        click(stage, "text.large");
        QCOMPARE(stage.view().magnification(), 1.25);
        QCOMPARE(QApplication::font().pixelSize(), 16);
        QVERIFY(stage.panels().isVisible());
        click(stage, "view.panels");
        QVERIFY(!stage.panels().isVisible());
        click(stage, "view.panels");
        stage.window().remember();
    }
    MainWindow again;
    again.show();
    QVERIFY(again.action("theme.dark")->isChecked() && again.action("text.large")->isChecked());
    QCOMPARE(again.timeline().view(0)->magnification(), 1.25);
    again.action("theme.light")->trigger();
    again.action("text.usual")->trigger();
    again.remember();
}

QTEST_MAIN(tst_accessibility)
#include "tst_accessibility.moc"
