// SPDX-License-Identifier: MIT
#include "engine/analysis/words/text_table.h"

#include <QTest>

using namespace lanes;

class tst_TextTable : public QObject {
    Q_OBJECT

private slots:
    void printableText_data();
    void printableText();
};

void tst_TextTable::printableText_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char* name, const QByteArray& text, const QByteArray& shown) {
        QTest::newRow(name) << text << shown;
    };
    row("nothing", "", "");
    row("letters", "void k<float>(T*) µ 矩阵 𝛼", "void k<float>(T*) µ 矩阵 𝛼");
    row("ESC, line break, DEL", "a\x1b[31m\nb\x7f", "a [31m b ");
    row("NUL", QByteArray("a\0b", 3), "a b");
    row("U+009B, as ESC [",
        "a\xC2\x9B"
        "31m",
        "a 31m");
    row("no-break space", "a\xC2\xA0", "a\xC2\xA0");
    row("line separator", "a\xE2\x80\xA8z", "a z");
    row("right to left",
        "\xE2\x80\xAE"
        "a\xE2\x80\xAC",
        " a ");
    row("isolate", "\xE2\x81\xA6z\xE2\x81\xA9", " z ");
    row("neighbours of these", "\xE2\x80\xA7\xE2\x80\xAF\xE2\x81\xA5\xE2\x81\xAA",
        "\xE2\x80\xA7\xE2\x80\xAF\xE2\x81\xA5\xE2\x81\xAA");
    row("no UTF-8", "a\xFF\xFEz", "a\xEF\xBF\xBD\xEF\xBF\xBDz");
    row("cut short", "a\xE2\x80", "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

void tst_TextTable::printableText()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QCOMPARE(QByteArray::fromStdString(printable(text.toStdString())), shown);
}

QTEST_APPLESS_MAIN(tst_TextTable)
#include "tst_text_table.moc"
