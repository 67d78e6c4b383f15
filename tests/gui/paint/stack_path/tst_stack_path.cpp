// SPDX-License-Identifier: MIT
// How the path of a folded stack is cut.
#include "gui/paint/over/stack_path.h"

#include <QTest>

using namespace lanes::gui;

class tst_StackPath : public QObject {
    Q_OBJECT

private slots:
    void keepsTheFirstAndTheLast_data();
    void keepsTheFirstAndTheLast();
};

void tst_StackPath::keepsTheFirstAndTheLast_data()
{
    QTest::addColumn<QString>("names");
    QTest::addColumn<int>("letters");
    QTest::addColumn<QString>("path");
    QTest::newRow("none") << "" << 10 << "";
    QTest::newRow("one") << "main" << 10 << "main";
    QTest::newRow("one that does not fit") << "a_long_name" << 3 << "a_long_name";
    QTest::newRow("all") << "a,b,c" << 9 << QStringLiteral("a \u203A b \u203A c");
    QTest::newRow("the last") << "aaa,bbb,ccc" << 10 << QStringLiteral("\u2026 \u203A ccc");
    QTest::newRow("the last two") << "aaa,bbb,ccc" << 14 << QStringLiteral("\u2026 \u203A bbb \u203A ccc");
    QTest::newRow("first and last") << "a,b,c,d,e" << 16 << QStringLiteral("a \u203A \u2026 \u203A d \u203A e");
    QTest::newRow("no room at all") << "a,b,c,d,e" << 0 << QStringLiteral("\u2026 \u203A e");
}

void tst_StackPath::keepsTheFirstAndTheLast()
{
    QFETCH(const QString, names);
    QFETCH(const int, letters);
    const QStringList all = names.split(u',', Qt::SkipEmptyParts);
    QTEST(stackPath(all, [letters](const QString& path) { return path.size() <= letters; }), "path");
}

QTEST_GUILESS_MAIN(tst_StackPath)
#include "tst_stack_path.moc"
