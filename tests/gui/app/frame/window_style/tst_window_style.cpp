// SPDX-License-Identifier: MIT
#include "gui/app/frame/window_style.h"

#include <QHeaderView>
#include <QHoverEvent>
#include <QImage>
#include <QSet>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>

using namespace lanes::gui;

namespace {

/// The columns and rows of the picture that differ from its last pixel, which is background: the place of the text.
QRect inkOf(const QImage& picture)
{
    const QColor ground = picture.pixelColor(picture.width() - 2, picture.height() / 2);
    QRect ink;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            if (std::abs(picture.pixelColor(x, y).lightness() - ground.lightness()) > 90) {
                ink = ink.united(QRect(x, y, 1, 1));
            }
        }
    }
    return ink;
}

}  // namespace

class tst_WindowStyle : public QObject {
    Q_OBJECT

private slots:
    void rowsStayWhereTheyAreUnderTheMouse_data();
    void rowsStayWhereTheyAreUnderTheMouse();
    void bothArrowsAreThereAtTheLeastValue();
};

void tst_WindowStyle::rowsStayWhereTheyAreUnderTheMouse_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"", "whatIf", "variantTable"}) {
        QTest::newRow(name) << QString(QLatin1String(name));
    }
}

void tst_WindowStyle::rowsStayWhereTheyAreUnderTheMouse()
{
    QFETCH(QString, name);
    applyStyle(ThemeChoice::light);
    QTreeWidget tree;
    tree.setObjectName(name);
    tree.setRootIsDecorated(false);
    tree.setFocusPolicy(Qt::NoFocus);
    tree.header()->hide();
    tree.addTopLevelItem(new QTreeWidgetItem({QStringLiteral("Hidden")}));
    tree.resize(300, 120);
    tree.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tree));
    const QRect row = tree.visualItemRect(tree.topLevelItem(0));
    const auto send = [&](QEvent::Type type, const QPoint& at) {
        QHoverEvent event(type, at, tree.viewport()->mapToGlobal(at), at);
        QCoreApplication::sendEvent(tree.viewport(), &event);
    };
    send(QEvent::HoverLeave, {-1, -1});
    const QImage calm = tree.viewport()->grab(row).toImage();
    send(QEvent::HoverEnter, row.center());
    QVERIFY(tree.viewport()->grab(row).toImage() != calm);  // its background shows that the mouse is there
    QVERIFY(!inkOf(calm).isEmpty());
    QCOMPARE(inkOf(tree.viewport()->grab(row).toImage()), inkOf(calm));
}

/// A field at its lowest value can only go up; with one arrow it would look broken.
void tst_WindowStyle::bothArrowsAreThereAtTheLeastValue()
{
    applyStyle(ThemeChoice::light);
    QSpinBox box;
    box.setSpecialValueText(QStringLiteral("-"));  // far from the arrows
    box.resize(160, 25);
    box.show();
    QVERIFY(QTest::qWaitForWindowExposed(&box));
    const QImage picture = box.grab().toImage();
    const auto colours = [&](int top, int height) {
        QSet<QRgb> all;
        for (int y = top; y < top + height; ++y) {
            for (int x = box.width() - 16; x < box.width() - 3; ++x) {
                all.insert(picture.pixel(x, y));
            }
        }
        return all.size();
    };
    QVERIFY(colours(3, 8) > 2);
    QVERIFY(colours(14, 8) > 2);
}

QTEST_MAIN(tst_WindowStyle)
#include "tst_window_style.moc"
