// SPDX-License-Identifier: MIT
#include "gui/panels/progress.h"

#include <QApplication>
#include <QTest>

using namespace lanes::gui;

/// Counts how often it is painted.
class Paints final : public QObject {
public:
    int count = 0;
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return QObject::eventFilter(watched, event);
    }
};

class tst_progress : public QObject {
    Q_OBJECT
private slots:
    void nothingIsDrawnAtOnce();
};

/// Everything else in the window that is to be drawn, above all the lanes, would be drawn with it, once per message of
/// a worker.
void tst_progress::nothingIsDrawnAtOnce()
{
    QProgressBar bar;
    bar.resize(400, 20);
    bar.show();
    QVERIFY(QTest::qWaitForWindowExposed(&bar));
    QApplication::processEvents();
    Paints paints;
    bar.installEventFilter(&paints);
    for (int i = 1; i <= 10; ++i) {
        setProgress(bar, i / 20.0);
    }
    QCOMPARE(paints.count, 0);
    QCOMPARE(bar.value(), 500);
    QCOMPARE(bar.maximum(), 1000);
    QTRY_COMPARE(paints.count, 1);
}

QTEST_MAIN(tst_progress)
#include "tst_progress.moc"
