// SPDX-License-Identifier: MIT
// The lesson panel at the widths that a window leaves it.
#include "engine/workload/catalogue.h"
#include "gui/panels/lesson_panel.h"

#include <QTest>

using namespace lanes;
using namespace lanes::gui;

class tst_LessonPanel : public QObject {
    Q_OBJECT

private slots:
    void inANarrowPanelNothingOfALessonIsCut_data();
    void inANarrowPanelNothingOfALessonIsCut();
};

void tst_LessonPanel::inANarrowPanelNothingOfALessonIsCut_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {480, 560, 700, 900}) {
        QTest::addRow("%d", width) << width;
    }
}

/// Beside the editor a lesson has a third of the window: its lines ended at the panel's edge, and buttons were beyond
/// it.
void tst_LessonPanel::inANarrowPanelNothingOfALessonIsCut()
{
    QFETCH(int, width);
    for (const char* name : {"copy-results-back", "copies-both-ways"}) {
        LessonPanel panel;
        const auto workload = std::make_shared<const Workload>(find_workload(name));
        panel.present(workload, {});
        panel.setHere(true);
        panel.resize(width, 300);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* page = panel.findChild<QWidget*>(QStringLiteral("sideColumn"));
        QVERIFY2(page->width() <= width, qPrintable(QString::number(page->width())));
        for (const char* button : {"lessonA", "lessonB", "lessonAll", "lessonHere"}) {
            auto* shown = panel.findChild<QWidget*>(QLatin1String(button));
            QVERIFY(shown->isVisible());
            QVERIFY2(shown->mapTo(&panel, QPoint(shown->width(), 0)).x() <= width, button);
        }
    }
}

QTEST_MAIN(tst_LessonPanel)
#include "tst_lesson_panel.moc"
