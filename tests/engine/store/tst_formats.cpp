// SPDX-License-Identifier: MIT
// Each format that can be opened is recognised by one row alone, has words in both languages, a fuzzer with a corpus,
// and its endings in docs/traces.md.
#include "engine/store/formats.h"
#include "engine/store/recording_file.h"

#include <QtTest>

#include <set>

using namespace lanes;

class tst_Formats : public QObject {
    Q_OBJECT
private slots:
    void rows_data();
    void rows();
    void recognised();
};

static QString source(const QString& path)
{
    return qEnvironmentVariable("LANES_SOURCE") + "/" + path;
}

void tst_Formats::rows_data()
{
    QTest::addColumn<int>("row");
    for (int row = 0; row < int(formats().size()); ++row) {
        QTest::newRow(QByteArray(formats()[row].name.data(), int(formats()[row].name.size())).constData()) << row;
    }
}

void tst_Formats::rows()
{
    QFETCH(const int, row);
    const Format& format = formats()[row];
    const auto name = QString::fromUtf8(format.name.data(), int(format.name.size()));
    QVERIFY(QFile::exists(source("tests/fuzz/store/fuzz_" + name + ".cpp")));
    QFile page(source("docs/traces.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray text = page.readAll();
    QVERIFY(!format.endings.empty());
    for (const auto ending : format.endings) {
        QVERIFY2(text.contains(QByteArray(ending.data(), int(ending.size()))), ending.data());
        QVERIFY(format.english.find(ending) != std::string_view::npos);
        QVERIFY(format.chinese.find(ending) != std::string_view::npos);
    }
    QVERIFY(format.english != format.chinese);
    // Files of the fuzzers' corpus are recognised by this row and no other, as far as they are of the format at all.
    const QDir corpus(source("tests/fuzz/corpus/" + name));
    int own = 0;
    for (const auto& file : corpus.entryInfoList(QDir::Files)) {
        QFile opened(file.filePath());
        QVERIFY(opened.open(QIODevice::ReadOnly));
        const auto begin = opened.read(512).toStdString();
        own += format_of(begin, "x") == &format ? 1 : 0;
        int rows = 0;
        for (const auto& each : formats()) {
            rows += each.is_it(begin, "x") ? 1 : 0;
        }
        QVERIFY2(rows <= 1, qPrintable(file.filePath()));
    }
    QVERIFY(own > 0);
}

void tst_Formats::recognised()
{
    QCOMPARE(format_of("hello", "hello.sqlite"), nullptr);
    QVERIFY(format_of("", "cut.spool") != nullptr);
    const std::string english = formats_in_words("en");
    QVERIFY(english.find(", and ") != std::string::npos);
    QVERIFY(formats_in_words("zh_CN").find("、") != std::string::npos);
    try {
        QTemporaryFile file;
        QVERIFY(file.open());
        file.write("hello");
        file.flush();
        check_recording(file.fileName().toStdString());
        QFAIL("a text was taken for a recording");
    } catch (const StoreError& error) {
        QVERIFY2(std::string(error.what()).find(english) != std::string::npos, error.what());
    }
}

QTEST_GUILESS_MAIN(tst_Formats)
#include "tst_formats.moc"
