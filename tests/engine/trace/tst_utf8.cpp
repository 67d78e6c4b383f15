// SPDX-License-Identifier: MIT
#include "engine/trace/json_string.h"
#include "engine/trace/utf8.h"
#include "probes/utf8_letter.h"

#include <algorithm>
#include <QTest>

using namespace lanes;

class tst_Utf8 : public QObject {
    Q_OBJECT

private slots:
    void everyLetter();
    void whatIsNone_data();
    void whatIsNone();
};

void tst_Utf8::everyLetter()
{
    constexpr char32_t byte_order_mark = 0xFEFF;  // Qt does not count it as text
    for (char32_t point = 0; point < 0x110000; ++point) {
        std::string text;
        append_utf8(text, point);
        const bool surrogate = point >= 0xD800 && point < 0xE000;
        const bool good = utf8_length(text) == (surrogate ? 0 : text.size())
            && (surrogate || code_point_of(text) == point)
            && (surrogate || point == byte_order_mark || QString::fromUcs4(&point, 1).toStdString() == text)
            && std::all_of(text.begin() + 1, text.end(), continues_utf8) && !continues_utf8(text.front());
        QVERIFY2(good, std::to_string(static_cast<unsigned>(point)).c_str());
    }
    std::string none;
    append_utf8(none, 0x110000);
    QVERIFY(none.empty());
}

void tst_Utf8::whatIsNone_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("quotes") << QByteArray("a\"b\\") << QByteArray(R"("a\"b\\")");
    QTest::newRow("controls") << QByteArray("\n\x01\x7F") << QByteArray(R"("\u000a\u0001\u007f")");
    QTest::newRow("a lone byte") << QByteArray("a\xFF"
                                               "b")
                                 << QByteArray("\"a\xEF\xBF\xBD"
                                               "b\"");
    QTest::newRow("cut short") << QByteArray("\xE7\x9F") << QByteArray("\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    QTest::newRow("two letters") << QByteArray("\xC3\xA4\xE7\x9F\xA9") << QByteArray("\"\xC3\xA4\xE7\x9F\xA9\"");
}

void tst_Utf8::whatIsNone()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, json);
    QCOMPARE(QByteArray::fromStdString(json_string(bytes.toStdString())), json);
}

QTEST_APPLESS_MAIN(tst_Utf8)
#include "tst_utf8.moc"
