// SPDX-License-Identifier: MIT
#include "gui/paint/even_labels.h"

#include <QTest>

using namespace lanes::gui;

class tst_EvenLabels : public QObject {
    Q_OBJECT

private slots:
    void equalBarsHaveEqualTexts_data();
    void equalBarsHaveEqualTexts();
};

/// "room:long|short" a bar, "=" before a cut one, "/" begins another row; a letter is one wide.
void tst_EvenLabels::equalBarsHaveEqualTexts_data()
{
    QTest::addColumn<QString>("bars");
    QTest::addColumn<QString>("expected");
    QTest::newRow("all have room") << "12:copy 64 MiB|copy 12:copy 64 MiB|copy"
                                   << "copy 64 MiB,copy 64 MiB";
    QTest::newRow("one has none: the short form on both") << "12:copy 64 MiB|copy 10:copy 64 MiB|copy"
                                                          << "copy,copy";
    QTest::newRow("none on any") << "7:batch_1 6:batch_2 7:batch_3"
                                 << ",,";
    QTest::newRow("a longer number is the same name") << "8:batch_9 8:batch_10 8:batch_11"
                                                      << "batch_9,batch_10,batch_11";
    QTest::newRow("and counts for all") << "7:batch_9 7:batch_10 7:batch_11"
                                        << ",,";
    QTest::newRow("a somewhat longer bar is about as long") << "14:copy 64 MiB|copy 10:copy 64 MiB|copy"
                                                            << "copy,copy";
    QTest::newRow("a much longer bar is another") << "10:copy 64 MiB|copy 20:copy 64 MiB|copy"
                                                  << "copy,copy 64 MiB";
    QTest::newRow("other names are others") << "12:copy 64 MiB|copy 10:fill 64 MiB|fill"
                                            << "copy 64 MiB,fill";
    QTest::newRow("other rows are others") << "12:copy 64 MiB|copy / 10:copy 64 MiB|copy"
                                           << "copy 64 MiB,copy";
    QTest::newRow("what is cut is like no other") << "12:copy 64 MiB|copy =10:copy 64 MiB|copy"
                                                  << "copy 64 MiB,copy";
    QTest::newRow("no text at all") << "12: 12:copy 64 MiB|copy"
                                    << ",copy 64 MiB";
}

void tst_EvenLabels::equalBarsHaveEqualTexts()
{
    QFETCH(QString, bars);
    std::vector<LabelWish> wishes;
    double row = 0;
    QString text = bars;
    text.replace(QStringLiteral("64 MiB"), QStringLiteral("64~MiB"))
        .replace(QStringLiteral("copy 64"), QStringLiteral("copy~64"))
        .replace(QStringLiteral("fill 64"), QStringLiteral("fill~64"));
    for (QString bar : text.split(u' ')) {
        if (bar == u'/') {
            ++row;
            continue;
        }
        const bool cut = bar.startsWith(u'=');
        bar.remove(u'=').replace(u'~', u' ');
        const QString forms = bar.section(u':', 1);
        wishes.push_back(
            {forms.isEmpty() ? QStringList() : forms.split(u'|'), bar.section(u':', 0, 0).toDouble(), row, cut});
    }
    QStringList all;
    for (const QString& each : evenTexts(wishes, [](const QString& of) { return static_cast<double>(of.size()); })) {
        all << each;
    }
    QTEST(all.join(u','), "expected");
}

QTEST_GUILESS_MAIN(tst_EvenLabels)
#include "tst_even_labels.moc"
