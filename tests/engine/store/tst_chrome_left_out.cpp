// SPDX-License-Identifier: MIT
// What is not part of a Chrome trace, or says too little to be shown.
#include "engine/analysis/caveats.h"
#include "engine/analysis/facts/record_ends.h"
#include "engine/analysis/recording.h"
#include "engine/analysis/report.h"
#include "engine/store/recording_file.h"
#include "engine/trace/meta_keys.h"

#include <algorithm>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <set>
#include <vector>

using namespace lanes;

class tst_ChromeLeftOut : public QObject {
    Q_OBJECT

private slots:
    void behindTheLastMember_data();
    void behindTheLastMember();
    void operationsWithoutALength_data();
    void operationsWithoutALength();
    void timesNeverFilledIn_data();
    void timesNeverFilledIn();
    void lengthsThatCannotBe_data();
    void lengthsThatCannotBe();
    void intoTheNextOfAStream_data();
    void intoTheNextOfAStream();
    void damaged_data();
    void damaged();
    void firstDamage_data();
    void firstDamage();
    void severalWriters();
    void escapes_data();
    void escapes();
    void behindTheEnd_data();
    void behindTheEnd();
    void strangersFiles_data();
    void strangersFiles();

private:
    Trace opened(const QByteArray& text);
    QTemporaryDir m_folder;
};

void tst_ChromeLeftOut::behindTheLastMember_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<bool>("complete");
    QTest::newRow("nothing") << QByteArray() << true;
    QTest::newRow("padding") << QByteArray(512, '\0') << true;
    QTest::newRow("one byte") << QByteArray("\n") << true;
    QTest::newRow("anything") << QByteArray("something else") << true;
    QTest::newRow("a member that is cut short") << QByteArray("\x1F\x8B\x08\x00", 4) << false;
}

/// As gzip does: what is not a member is not part of the file.
void tst_ChromeLeftOut::behindTheLastMember()
{
    QFETCH(const QByteArray, more);
    const auto name = qEnvironmentVariable("LANES_SOURCE") + "/resources/recordings/h200/two-streams.two-small.sqlite";
    const auto path = m_folder.filePath("more.json.gz");
    save_recording(open_recording(name.toStdString()), path.toStdString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append) && file.write(more) == more.size());
    file.close();
    const auto trace = open_recording(path.toStdString());
    QVERIFY(trace.operations.size() > 0);
    QTEST(is_complete(trace), "complete");
}

void tst_ChromeLeftOut::operationsWithoutALength_data()
{
    QTest::addColumn<QByteArray>("duration");
    QTest::addColumn<bool>("is");
    QTest::newRow("a length") << QByteArray(R"(,"dur":5)") << true;
    QTest::newRow("none at all") << QByteArray(R"(,"dur":0)") << true;
    QTest::newRow("missing") << QByteArray() << false;
    QTest::newRow("null") << QByteArray(R"(,"dur":null)") << false;
    QTest::newRow("below 0") << QByteArray(R"(,"dur":-5)") << false;
    QTest::newRow("no number") << QByteArray(R"(,"dur":"NaN")") << false;
}

/// It is not known how long they took. Ranges and calls then take no time, as in viewers.
void tst_ChromeLeftOut::operationsWithoutALength()
{
    QFETCH(const QByteArray, duration);
    QFETCH(const bool, is);
    QByteArray text = R"({"traceEvents":[)";
    for (const char* const category : {"kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "user_annotation"}) {
        text += QByteArray(R"({"ph":"X","pid":0,"tid":7,"ts":10,"name":"Memcpy HtoD","cat":")") + category + '"'
            + duration + R"(,"args":{"device":0,"stream":7,"correlation":1}},)";
    }
    text += R"({"ph":"X","pid":0,"tid":7,"ts":90,"dur":5,"name":"k","cat":"kernel","args":{"device":0,"stream":7}}]})";
    QFile file(m_folder.filePath("trace.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    const auto trace = open_recording(file.fileName().toStdString());
    QCOMPARE(trace.operations.size(), is ? 4U : 1U);
    QCOMPARE(trace.calls.size(), 1U);
    QCOMPARE(trace.ranges.size(), 1U);
    QCOMPARE(trace.meta.contains(meta::skipped_rows), !is);
    QVERIFY(is || trace.meta.at(meta::skipped_rows) == "3");
}

Trace tst_ChromeLeftOut::opened(const QByteArray& text)
{
    QFile file(m_folder.filePath("trace.json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
        qWarning("cannot write");
    }
    file.close();
    return open_recording(file.fileName().toStdString());
}

static QByteArray meta_of(const Trace& trace, const char* key)
{
    const auto found = trace.meta.find(key);
    return found == trace.meta.end() ? QByteArray() : QByteArray::fromStdString(found->second);
}

/// An event of the thread 2, or of a stream.
static QByteArray made(
    const char* category, const QByteArray& time, const QByteArray& duration, const char* phase = "X")
{
    return QByteArray(R"({"ph":")") + phase + R"(","cat":")" + category + R"(","name":"n","pid":1,"tid":2,"ts":)" + time
        + (duration.isEmpty() ? QByteArray() : ",\"dur\":" + duration) + R"(,"args":{"value":1}})";
}

static QByteArray all(const std::vector<QByteArray>& events, const char* head = "")
{
    QByteArray text = QByteArray("{") + head + "\"traceEvents\":[";
    for (const auto& one : events) {
        text += one + ",\n";
    }
    return text + "{}]}";
}

void tst_ChromeLeftOut::timesNeverFilledIn_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("left_out");
    QTest::addColumn<qint64>("duration");
    constexpr auto base = R"("baseTimeNanoseconds":1759104000000000000,)";
    const QByteArray now = "1615207264500000";
    const QByteArray later = "1615207264500900";
    const auto since_1970 = [&](const QByteArray& odd) {
        return all({made("cpu_op", now, "30"), made("kernel", later, "60"), odd});
    };
    const qint64 work = 960'000;
    QTest::newRow("a range") << since_1970(made("cpu_op", "0", "0")) << QByteArray("1") << work;
    QTest::newRow("a range that lasts") << since_1970(made("cpu_op", "0", "30")) << QByteArray("1") << work;
    QTest::newRow("a range without a length") << since_1970(made("cpu_op", "0", "")) << QByteArray("1") << work;
    QTest::newRow("a range since 0") << since_1970(made("cpu_op", "0", later)) << QByteArray("1") << work;
    QTest::newRow("a call") << since_1970(made("cuda_runtime", "0", "0")) << QByteArray("1") << work;
    QTest::newRow("a call that lasts") << since_1970(made("cuda_runtime", "0", "5")) << QByteArray("1") << work;
    QTest::newRow("a kernel") << since_1970(made("kernel", "0", "0")) << QByteArray("1") << work;
    QTest::newRow("a kernel that lasts") << since_1970(made("kernel", "0", "50")) << QByteArray("1") << work;
    QTest::newRow("a copy") << since_1970(made("gpu_memcpy", "0.0", "0.0")) << QByteArray("1") << work;
    QTest::newRow("a memset") << since_1970(made("gpu_memset", "0", "1")) << QByteArray("1") << work;
    QTest::newRow("a sync") << since_1970(made("cuda_sync", "0", "5")) << QByteArray("1") << work;
    QTest::newRow("an overhead") << since_1970(made("overhead", "0", "5")) << QByteArray("1") << work;
    QTest::newRow("a mark") << since_1970(made("cpu_op", "0", "", "i")) << QByteArray("1") << work;
    QTest::newRow("a counter") << since_1970(made("", "0", "", "C")) << QByteArray("1") << work;
    QTest::newRow("a begin and its end") << since_1970(made("a", "0", "", "B") + ',' + made("a", later, "", "E"))
                                         << QByteArray("1") << work;
    QTest::newRow("an asynchronous one") << since_1970(made("a", "0", "", "b") + ',' + made("a", "0", "", "e"))
                                         << QByteArray("1") << work;
    QTest::newRow("several") << since_1970(made("kernel", "0", "0") + ',' + made("cpu_op", "0", "0") + ','
        + made("cuda_runtime", "0", "0") + ',' + made("", "0", "", "C"))
                             << QByteArray("4") << work;
    // With a base, times are short and yet since 1970.
    QTest::newRow("with a base") << all(
        {made("cpu_op", "5000000", "30"), made("kernel", "5000900", "60"), made("kernel", "0", "0"),
            made("cpu_op", "0", "0"), made("cuda_runtime", "0", "0")},
        base) << QByteArray("3") << work;
    QTest::newRow("with a base, long") << all({made("cpu_op", "5000000", "30"), made("kernel", "65000000", "60"),
                                                  made("cpu_op", "0", "0"), made("cpu_op", "0", "0.000")},
        base) << QByteArray("2") << qint64 {60'000'060'000};
    QTest::newRow("with a base, one that lasts and a mark") << all(
        {made("cpu_op", "5000000", "30"), made("kernel", "5000900", "60"), made("cpu_op", "0", "30"),
            made("cpu_op", "0", "", "i")},
        base) << QByteArray("2") << work;
    QTest::newRow("since the machine started")
        << all({made("cpu_op", "95786113000", "30"), made("kernel", "95786113900", "60"), made("cpu_op", "0", "0")})
        << QByteArray("1") << work;
    // A clock that begins at 0 shows 0.
    QTest::newRow("a clock from 0") << all({made("cpu_op", "0", "30"), made("kernel", "900", "60"),
        made("cpu_op", "0", "", "i"), made("", "0", "", "C"), made("a", "0", "", "B"), made("a", "960", "", "E")})
                                    << QByteArray() << work;
    QTest::newRow("a clock from 0, without a length")
        << all({made("cpu_op", "0", "0"), made("kernel", "900", "60")}) << QByteArray() << work;
    QTest::newRow("a base, and from 0") << all({made("cpu_op", "0", "30"), made("kernel", "900", "60")}, base)
                                        << QByteArray() << work;
    QTest::newRow("a clock from 0, one range for long")
        << all({made("a", "0", "", "B"), made("kernel", "9000000", "60"), made("a", "9000070", "", "E")})
        << QByteArray() << qint64 {9'000'070'000};
    QTest::newRow("nothing but 0") << all({made("cpu_op", "0", "0"), made("cpu_op", "0", "", "i")}) << QByteArray()
                                   << qint64 {0};
}

/// 0 is not a time if all others are far from it. It is left out, which is said, also later in a file of ours.
void tst_ChromeLeftOut::timesNeverFilledIn()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, left_out);
    const auto trace = opened(text);
    QTEST(qint64 {trace.duration}, "duration");
    QCOMPARE(meta_of(trace, meta::skipped_rows), left_out);
    QCOMPARE(trace.dropped, 0U);
    bool is_said = false;
    for (const auto& caveat : caveats_of(trace)) {
        is_said = is_said || caveat.id == "caveat.skipped_rows";
    }
    QCOMPARE(is_said, !left_out.isEmpty());
    for (const char* const ending : {"ours.sqlite", "ours.json"}) {
        const auto ours = m_folder.filePath(ending).toStdString();
        save_recording(trace, ours);
        const auto again = open_recording(ours);
        QCOMPARE(again.duration, trace.duration);
        QCOMPARE(again.ranges.size(), trace.ranges.size());
        QCOMPARE(meta_of(again, meta::skipped_rows), left_out);
    }
}

void tst_ChromeLeftOut::lengthsThatCannotBe_data()
{
    QTest::addColumn<QByteArray>("duration");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("none") << QByteArray() << QByteArray();
    QTest::newRow("0") << QByteArray("0") << QByteArray();
    QTest::newRow("below 0") << QByteArray("-5") << QByteArray("2");
    QTest::newRow("no number") << QByteArray("NaN") << QByteArray("2");
    QTest::newRow("no number, quoted") << QByteArray("\"nan\"") << QByteArray("2");
    QTest::newRow("without end") << QByteArray("Infinity") << QByteArray("2");
    QTest::newRow("beyond 64 bits") << QByteArray("18446744073709551615") << QByteArray("2");
    QTest::newRow("2^64 ns") << QByteArray("18446744073709551.615") << QByteArray("2");
    QTest::newRow("far beyond") << QByteArray("1e300") << QByteArray("2");
}

/// Calls and ranges then take no time, which is said if the file gives a length. Operations are left out.
void tst_ChromeLeftOut::lengthsThatCannotBe()
{
    QFETCH(const QByteArray, duration);
    const auto trace = opened(all({made("cuda_runtime", "10", duration), made("cpu_op", "10", duration),
        made("kernel", "10", duration.isEmpty() ? "null" : duration), made("cpu_op", "20", "5")}));
    QCOMPARE(trace.calls.size(), 1U);
    QCOMPARE(trace.calls.end[0], trace.calls.start[0]);
    QCOMPARE(trace.ranges.size(), 2U);
    QCOMPARE(trace.ranges[0].end, trace.ranges[0].start);
    QCOMPARE(trace.operations.size(), duration == "0" ? 1U : 0U);
    QTEST(meta_of(trace, meta::without_length), "said");
    QCOMPARE(qint64 {trace.duration}, qint64 {15'000});
}

void tst_ChromeLeftOut::intoTheNextOfAStream_data()
{
    QTest::addColumn<QByteArray>("length");  // of the first of two kernels, µs
    QTest::addColumn<QByteArray>("more");  // arguments of both
    QTest::addColumn<int>("stream");  // of the second
    QTest::addColumn<qint64>("lasts");
    QTest::newRow("before") << QByteArray("90") << QByteArray() << 7 << qint64 {90'000};
    QTest::newRow("a little, as a launch that depends on it")
        << QByteArray("150") << QByteArray() << 7 << qint64 {150'000};
    QTest::newRow("half a second") << QByteArray("500000") << QByteArray() << 7 << qint64 {500'000'000};
    QTest::newRow("seconds") << QByteArray("1600000") << QByteArray() << 7 << qint64 {100'000};
    QTest::newRow("a counter of 32 bits") << QByteArray("4294967.295") << QByteArray() << 7 << qint64 {100'000};
    QTest::newRow("years") << QByteArray("1615207264500000") << QByteArray() << 7 << qint64 {100'000};
    QTest::newRow("another stream") << QByteArray("1600000") << QByteArray() << 8 << qint64 {1'600'000'000};
    QTest::newRow("branches of a graph") << QByteArray("1600000") << QByteArray(R"(,"graph node id":5)") << 7
                                         << qint64 {1'600'000'000};
}

/// An operation that lasts seconds into the next one of its stream is cut where that begins, which is said.
void tst_ChromeLeftOut::intoTheNextOfAStream()
{
    QFETCH(const QByteArray, length);
    QFETCH(const QByteArray, more);
    QFETCH(const int, stream);
    QFETCH(const qint64, lasts);
    const auto kernel = [&](const QByteArray& time, const QByteArray& duration, int of) {
        return R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)" + time + ",\"dur\":" + duration
            + R"(,"args":{"device":0,"stream":)" + QByteArray::number(of) + more + "}}";
    };
    const auto trace = opened(all({kernel("1000", length, 7), kernel("1100", "50", stream)}));
    QCOMPARE(trace.operations.size(), 2U);
    QCOMPARE(qint64 {trace.operations.end[0] - trace.operations.start[0]}, lasts);
    const bool is_cut = lasts == 100'000;
    QCOMPARE(meta_of(trace, meta::overlong), is_cut ? QByteArray("1") : QByteArray());
    QCOMPARE(meta_of(trace, meta::overlong_ns).isEmpty(), !is_cut);
    const auto ours = m_folder.filePath("ours.sqlite").toStdString();
    save_recording(trace, ours);
    QCOMPARE(meta_of(open_recording(ours), meta::overlong), meta_of(trace, meta::overlong));
}

void tst_ChromeLeftOut::damaged_data()
{
    QTest::addColumn<QByteArray>("odd");
    const QByteArray whole = made("cpu_op", "100", "5");
    const auto without
        = [&](const char* text, const char* instead) { return QByteArray(whole).replace(text, instead); };
    QTest::newRow("no closing quote") << without("\"n\"", "\"n");
    QTest::newRow("no opening quote") << without("\"n\"", "n\"");
    QTest::newRow("no quote of a key") << without("\"ts\"", "\"ts");
    QTest::newRow("no quote at the end") << without("\"value\":1", "\"value\":\"1");
    QTest::newRow("a quote too many") << without("\"n\"", "\"a\"n\"");
    QTest::newRow("a quote alone") << without(":1}", ":1}\"");
    QTest::newRow("no colon") << without("\"ts\":", "\"ts\"");
    QTest::newRow("no comma") << without(",\"ts\"", " \"ts\"");
    QTest::newRow("no closing brace") << without(":1}}", ":1}");
    QTest::newRow("no closing braces") << without(":1}}", ":1");
    QTest::newRow("a bracket in its place") << without(":1}}", ":1}]");
    QTest::newRow("cut in a key") << whole.left(60);
    QTest::newRow("cut in a value") << whole.left(75);
    QTest::newRow("its second half") << whole.mid(50);
    QTest::newRow("a word") << QByteArray("undefined");
    QTest::newRow("a text") << QByteArray("\"ph\"");
    QTest::newRow("a number") << QByteArray("5");
    QTest::newRow("another brackets") << QByteArray("[1, {\"a\":]");
    QTest::newRow("zeros") << QByteArray(100, '\0');
}

/// One event that is damaged in the middle of a file, and every third of a long one: nothing else is lost.
void tst_ChromeLeftOut::damaged()
{
    QFETCH(const QByteArray, odd);
    for (const bool object : {false, true}) {
        const auto put = [&](const QByteArray& events) {
            return object
                ? "{\"schemaVersion\":1,\"traceEvents\":[" + events + "],\"baseTimeNanoseconds\":1759104000000000000}"
                : "[" + events + "]";
        };
        const auto one = opened(put(made("cpu_op", "10", "5") + ",\n" + odd + ",\n" + made("cpu_op", "20", "5") + ", "
            + made("kernel", "30", "5")));
        QCOMPARE(one.ranges.size(), 2U);
        QCOMPARE(one.operations.size(), 1U);
        QVERIFY2(meta_of(one, meta::not_shown).contains("damaged 1"), meta_of(one, meta::not_shown));
        QVERIFY2(
            meta_of(one, meta::first_damage).contains(" 2 1 expected an event "), meta_of(one, meta::first_damage));
        QVERIFY(
            is_complete(one) || odd.endsWith(']') || odd.size() == 100 || !odd.contains('}') || odd.contains("}\""));

        QByteArray events;
        constexpr unsigned count = 20'000;
        for (unsigned i = 0; i < count; ++i) {
            events += made("cpu_op", QByteArray::number(i), "0.5") + ",\n" + (i % 3 == 0 ? odd + ",\n" : QByteArray());
        }
        const auto many = opened(put(events + made("kernel", "30", "5")));
        QCOMPARE(many.ranges.size(), std::size_t {count});
        QCOMPARE(many.operations.size(), 1U);
        QVERIFY(meta_of(many, meta::not_shown).contains("damaged"));
    }
}

void tst_ChromeLeftOut::firstDamage_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("place");
    const QByteArray sound = made("cpu_op", "10", "5");
    const QByteArray odd = QByteArray(sound).replace("\"ts\":", "\"ts\"");
    const auto at = [](const QByteArray& before, const char* line_and_column) {
        return "byte " + QByteArray::number(before.size()) + ", " + line_and_column + ": expected ";
    };
    QByteArray events = "[" + sound;
    QByteArray key = R"({"traceEvents":[)" + sound + "],\n\n ";
    QTest::newRow("none") << events + "]" << QByteArray();
    QTest::newRow("cut short") << events + ",\n" + odd.left(70) << QByteArray();
    events += ",\n";
    QTest::newRow("an event without a colon") << events + odd + "," + sound
            + ",5]" << at(events, "line 2, column 1") + "an event in sound JSON, found '" + odd.left(40) + "'";
    QTest::newRow("an event without its end") << events + QByteArray(sound).replace("\"n\"", "\"n")
            + "]" << at(events, "line 2, column 1") + "an event with its closing }, found '";
    QTest::newRow("no event") << events + " 5,\n6," + sound + "]"
                              << at(events + ' ', "line 2, column 2") + "an event in { }, found '5, 6,{";
    QTest::newRow("no key") << key + "5}" << at(key, "line 3, column 2") + "a key in quotes, found '5}'";
    key += "\"x\" ";
    QTest::newRow("a key without a colon")
        << key + "5}" << at(key, "line 3, column 6") + ": after the key \"x\", found '5}'";
    for (int i = 0; i < 30'000; ++i) {
        events += sound + ",\n";
    }
    QTest::newRow("after megabytes") << events + odd + "]" << at(events, "line 30002, column 1") + "an event in sound";
}

/// The report says where the first damage of a file is.
void tst_ChromeLeftOut::firstDamage()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, place);
    const auto trace = opened(text);
    const auto found = meta_of(trace, meta::first_damage);
    QCOMPARE(found.isEmpty(), place.isEmpty());
    QVERIFY(place.isEmpty() || meta_of(trace, meta::not_shown).contains("damaged"));
    const auto caveats = caveats_of(trace);
    const auto said = std::find_if(
        caveats.begin(), caveats.end(), [](const Message& caveat) { return caveat.id == "caveat.first_damage"; });
    QCOMPARE(said == caveats.end(), place.isEmpty());
    if (!place.isEmpty()) {
        const auto english = QByteArray::fromStdString(*said);
        QVERIFY2(english.startsWith("The first damage: " + place), english);
        const auto numbers = found.split(' ');
        const auto chinese = QString::fromStdString(Messages::of("zh_CN").format(*said));
        QVERIFY2(chinese.startsWith(QStringLiteral("第一处损坏：字节 %1，第 %2 行，第 %3 列：expected ")
                                        .arg(numbers[0], numbers[1], numbers[2])),
            qPrintable(chinese));
    }
    const auto ours = m_folder.filePath("ours.sqlite").toStdString();
    save_recording(trace, ours);
    QCOMPARE(meta_of(open_recording(ours), meta::first_damage), QByteArray());
}

/// Two ranks that wrote into one file in turn, 4096 bytes each time.
void tst_ChromeLeftOut::severalWriters()
{
    std::vector<QByteArray> texts;
    for (const char* const process : {"100", "101"}) {
        QByteArray text = "{\n \"schemaVersion\": 1,\n \"traceEvents\": [\n";
        for (int i = 0; i < 300; ++i) {
            text += QByteArray(i == 0 ? "" : ",\n")
                + "  {\n   \"ph\": \"X\",\n   \"cat\": \"cpu_op\",\n   \"name\": \"n" + QByteArray::number(i)
                + "\",\n   \"pid\": " + process
                + ",\n   \"tid\": 1,\n   \"ts\": " + QByteArray::number(5'000'000 + 100 * i)
                + ",\n   \"dur\": 30,\n   \"args\": {\n    \"External id\": 1\n"
                  "   }\n  }";
        }
        texts.push_back(text + "\n ]\n}\n");
    }
    QByteArray mixed;
    int cuts = 0;
    for (int at = 0; at < std::max(texts[0].size(), texts[1].size()); at += 4096) {
        mixed += texts[0].mid(at, 4096) + texts[1].mid(at, 4096);
        cuts += 2;
    }
    const auto trace = opened(mixed);
    QVERIFY(trace.ranges.size() >= static_cast<std::size_t>(600 - 2 * cuts));
    std::set<std::uint32_t> processes;
    for (const auto& range : trace.ranges) {
        processes.insert(trace.threads[range.thread].process);
    }
    QVERIFY(processes.contains(100) && processes.contains(101));
    QVERIFY(meta_of(trace, meta::not_shown).contains("damaged"));
    QVERIFY(!is_complete(trace));
}

void tst_ChromeLeftOut::escapes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("name");
    QTest::newRow("known ones") << QByteArray(R"(a\"\\\/\b\f\n\r\tz)") << QString("a\"\\/\b\f\n\r\tz");
    QTest::newRow("a character") << QByteArray(R"(\u00e9\u20AC\ud83d\ude00)")
                                 << QStringLiteral("\u00E9\u20AC\U0001F600");
    QTest::newRow("a quote of C") << QByteArray(R"(f(\'x\'))") << QString(R"(f(\'x\'))");
    QTest::newRow("a path") << QByteArray(R"(C:\Users\x41\n)") << QString("C:\\Users\\x41\n");
    QTest::newRow("beside a character") << QByteArray(R"(\:\u00e9\u20AC)") << QStringLiteral("\\:\u00E9\u20AC");
    QTest::newRow("half a pair") << QByteArray(R"(a\ud83dz)") << QString(R"(a\ud83dz)");
    QTest::newRow("too short") << QByteArray(R"(\u12)") << QString(R"(\u12)");
    QTest::newRow("no digits") << QByteArray(R"(\u-123)") << QString(R"(\u-123)");
}

/// In escapes that JSON does not know the backslash stays.
void tst_ChromeLeftOut::escapes()
{
    QFETCH(const QByteArray, text);
    const auto trace = opened(R"json([{"ph":"X","name":")json" + text
        + R"json(","pid":1,"tid":2,"ts":1,"dur":1,"args":{"arguments":"(\"a\:\")"}}])json");
    QCOMPARE(trace.ranges.size(), 1U);
    QTEST(QString::fromStdString(std::string(trace.text(trace.ranges[0].name))), "name");
    QVERIFY(!trace.meta.contains(meta::not_shown));
}

void tst_ChromeLeftOut::behindTheEnd_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("white space") << QByteArray(" \r\n\t\n") << QByteArray();
    QTest::newRow("zeros of a block") << QByteArray(5000, '\0') << QByteArray();
    QTest::newRow("a bracket") << QByteArray("]\n") << QByteArray("after_end 1");
    QTest::newRow("a document") << "\n" + all({made("cpu_op", "1", "5")})
                                << "after_end " + QByteArray::number(all({made("cpu_op", "1", "5")}).size());
    QTest::newRow("much") << QByteArray(3'000'000, 'x') << QByteArray("after_end 3000000");
    QTest::newRow("much, with blanks") << "\n" + QByteArray(2'000'000, 'x') + QByteArray(2'000'000, ' ') + "y \n"
                                       << QByteArray("after_end 4000001");
}

/// What follows the last bracket is not part of the trace, which is said.
void tst_ChromeLeftOut::behindTheEnd()
{
    QFETCH(const QByteArray, more);
    for (const QByteArray& whole : {all({made("cpu_op", "10", "5")}), "[" + made("cpu_op", "10", "5") + "]"}) {
        const auto trace = opened(whole + more);
        QCOMPARE(trace.ranges.size(), 1U);
        QTEST(meta_of(trace, meta::not_shown), "said");
        QVERIFY(is_complete(trace));
    }
}

void tst_ChromeLeftOut::strangersFiles_data()
{
    QTest::addColumn<qint64>("wall");
    QTest::addColumn<qint64>("busy");
    QTest::addColumn<unsigned>("kernels");
    QTest::addColumn<unsigned>("ranges");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("01_half_ts_zero.json")
        << qint64 {990'000} << qint64 {500'000} << 10U << 10U << QByteArray("caveat.skipped_rows 30");
    QTest::newRow("21_one_range_at_0.json")
        << qint64 {980'000} << qint64 {600'000} << 10U << 10U << QByteArray("caveat.skipped_rows 1");
    QTest::newRow("21e_call_at_0.json") << qint64 {980'000} << qint64 {600'000} << 10U << 10U
                                        << QByteArray("caveat.skipped_rows 1");
    QTest::newRow("06_dur_overflow.json")
        << qint64 {4'970'000} << qint64 {3'200'000} << 50U << 0U << QByteArray("caveat.overlong 5");
    QTest::newRow("09d_missing_quote.json")
        << qint64 {-1} << qint64 {0} << 0U << 2U << QByteArray("not_shown.damaged 1");
    QTest::newRow("10h_two_documents.json")
        << qint64 {-1} << qint64 {2'990'000} << 299U << 0U << QByteArray("not_shown.after_end 71380");
    QTest::newRow("38_bad_escapes.json") << qint64 {30'000} << qint64 {0} << 0U << 2U << QByteArray();
}

/// Files made from others' reports, with figures computed by hand.
void tst_ChromeLeftOut::strangersFiles()
{
    QFETCH(const qint64, wall);
    QFETCH(const QByteArray, said);
    const QString path
        = qEnvironmentVariable("LANES_SOURCE") + "/../shared/data/bugs/" + QLatin1String(QTest::currentDataTag());
    if (!QFile::exists(path)) {
        QSKIP("these files are not here");
    }
    const auto recording = reported(open_recording(path.toStdString()));
    const Trace& trace = *recording.trace;
    if (wall >= 0) {
        QCOMPARE(qint64 {recording.report->wall}, wall);
    }
    QTEST(qint64 {recording.report->gpu_busy}, "busy");
    QTEST(static_cast<unsigned>(trace.operations.size()), "kernels");
    QTEST(static_cast<unsigned>(trace.ranges.size()), "ranges");
    QByteArray found;
    std::vector<Message> messages = caveats_of(trace);
    while (!messages.empty()) {
        const auto message = messages.back();
        messages.pop_back();
        const auto count = std::find_if(
            message.arguments.begin(), message.arguments.end(), [](const auto& one) { return one.first == "count"; });
        found += QByteArray::fromStdString(message.id) + ' '
            + (count == message.arguments.end() ? QByteArray() : QByteArray::fromStdString(count->second)) + '\n';
        for (const auto& part : message.parts) {
            messages.push_back(part.message);
        }
    }
    QVERIFY2(found.contains(said), found);
}

QTEST_APPLESS_MAIN(tst_ChromeLeftOut)
#include "tst_chrome_left_out.moc"
