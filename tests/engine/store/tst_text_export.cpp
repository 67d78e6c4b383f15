// SPDX-License-Identifier: MIT
#include "engine/store/export/export_rows.h"
#include "engine/store/recording_file.h"
#include "tests/engine/trace/random_records.h"
#include "tests/engine/trace/trace_fixture.h"

#include <algorithm>
#include <map>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <simdjson.h>
#include <zlib.h>

using namespace lanes;

namespace {

QByteArray bytes_of(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// "12.345" or "-0.007" as ns, from the digits alone.
Ns exact_ns(std::string_view text)
{
    const bool negative = text.starts_with('-');
    const auto dot = text.find('.');
    if (dot == std::string_view::npos || text.size() - dot != 4) {
        return -1;
    }
    const auto whole = std::stoll(std::string(text.substr(negative ? 1 : 0, dot - (negative ? 1 : 0))));
    const auto ns = whole * 1000 + std::stoll(std::string(text.substr(dot + 1)));
    return negative ? -ns : ns;
}

/// One event of a trace's JSON.
struct JsonEvent {
    std::string phase, category, name;
    std::int64_t process = 0, thread = 0, id = 0, correlation = -1;
    Ns start = 0, duration = 0;
};

std::int64_t number_or(simdjson::simdjson_result<simdjson::dom::element> element, std::int64_t fallback)
{
    std::int64_t number = 0;
    return element.get(number) == simdjson::SUCCESS ? number : fallback;
}

std::vector<JsonEvent> events_of(simdjson::dom::element root)
{
    std::vector<JsonEvent> events;
    for (simdjson::dom::object item : simdjson::dom::array(root["traceEvents"])) {
        JsonEvent e;
        e.phase = std::string(std::string_view(item["ph"]));
        e.name = std::string(std::string_view(item["name"]));
        std::string_view category;
        if (item["cat"].get(category) == simdjson::SUCCESS) {
            e.category = std::string(category);
        }
        e.process = number_or(item["pid"], 0);
        e.thread = number_or(item["tid"], 0);
        e.id = number_or(item["id"], 0);
        e.correlation = number_or(item["args"]["correlation"], -1);
        events.push_back(e);
    }
    return events;
}

}  // namespace

class tst_TextExport : public QObject {
    Q_OBJECT

private slots:
    void rowsAreThoseOfLookingAtAll_data();
    void rowsAreThoseOfLookingAtAll();
    void manySlicesAtOnce();
    void jsonIsWhatPerfettoAccepts_data();
    void jsonIsWhatPerfettoAccepts();
    void jsonSaysWhatTheTraceSays();
    void gzipHoldsTheSameText();
    void hostileTextIsEscaped();
    void csvIsRfc4180();
    void csvSaysOwners();
    void csvIsUtf8_data();
    void csvIsUtf8();
    void unknownEndingIsRefused();
    void cancelLeavesNoFile();

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    /// Parses a JSON that was written and adds the exact times that its text gives to X events, in order.
    std::vector<JsonEvent> load(const std::string& file)
    {
        const auto text = bytes_of(file);
        auto events = events_of(m_parser.parse(text.constData(), static_cast<std::size_t>(text.size())));
        static const QRegularExpression times(R"re("ph": "([Xsf])".*?"ts": (-?\d+\.\d+)(, "dur": (\d+\.\d+))?)re");
        auto matches = times.globalMatch(QString::fromUtf8(text));
        for (auto& e : events) {
            if (e.phase == "X" || e.phase == "s" || e.phase == "f") {
                const auto match = matches.next();
                e.start = exact_ns(match.captured(2).toStdString());
                e.duration = e.phase == "X" ? exact_ns(match.captured(4).toStdString()) : 0;
            }
        }
        return events;
    }

    QTemporaryDir m_folder;
    simdjson::dom::parser m_parser;
};

void tst_TextExport::jsonIsWhatPerfettoAccepts_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        QTest::addRow("seed %u", seed) << seed;
    }
}

void tst_TextExport::jsonIsWhatPerfettoAccepts()
{
    QFETCH(std::uint32_t, seed);
    TraceBuilder builder;
    RandomRecords(seed).write(builder, 300, 1'785'620'044'423'518'993, false);
    const auto trace = builder.finish(Source::cupti);
    save_recording(trace, path("a.json"));
    const auto events = load(path("a.json"));

    // Perfetto drops slices that overlap on one row without nesting.
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::pair<Ns, Ns>>> rows;
    std::size_t slices = 0;
    for (const auto& e : events) {
        if (e.phase == "X") {
            rows[{e.process, e.thread}].emplace_back(e.start, e.start + e.duration);
            ++slices;
            QVERIFY(e.category != "overhead" || e.correlation == JsonEvent().correlation);  // HTA takes it for a call
        }
    }
    const auto ranges = static_cast<std::size_t>(
        std::count_if(trace.ranges.begin(), trace.ranges.end(), [](const Range& r) { return !r.mark; }));
    QCOMPARE(slices,
        trace.operations.size() + trace.calls.size() + trace.syncs.size() + trace.host_spans.size() + trace.reads.size()
            + trace.overheads.size() + ranges);
    for (auto& [row, intervals] : rows) {
        for (std::size_t a = 0; a < intervals.size(); ++a) {
            for (std::size_t b = a + 1; b < intervals.size(); ++b) {
                const auto [s, e] = intervals[a];
                const auto [t, f] = intervals[b];
                const bool apart = e <= t || f <= s;
                const bool nested = (s <= t && f <= e) || (t <= s && e <= f);
                QVERIFY2(apart || nested,
                    qPrintable(QString("row %1/%2: [%3, %4) and [%5, %6)")
                                   .arg(row.first)
                                   .arg(row.second)
                                   .arg(s)
                                   .arg(e)
                                   .arg(t)
                                   .arg(f)));
            }
        }
    }
    // Every arrow has both ends and an id of its own among those of its category: from a call to its operation, and
    // from an operator to its backward.
    std::map<std::pair<std::string, std::int64_t>, int> sources;
    std::map<std::string, std::size_t> targets;
    for (const auto& e : events) {
        if (e.phase == "s") {
            QCOMPARE((++sources[{e.category, e.id}]), 1);
        }
    }
    for (const auto& e : events) {
        if (e.phase == "f") {
            QVERIFY(sources.contains({e.category, e.id}));
            ++targets[e.category];
        }
    }
    const auto issued = static_cast<std::size_t>(std::count_if(
        trace.operations.call.begin(), trace.operations.call.end(), [](Row call) { return call != no_row; }));
    const auto backward = static_cast<std::size_t>(std::count_if(
        trace.autograd.begin(), trace.autograd.end(), [](const auto& of) { return of.forward != no_row; }));
    QVERIFY(backward > 0);
    QCOMPARE(targets, (std::map<std::string, std::size_t> {{"ac2g", issued}, {"fwdbwd", backward}}));
}

void tst_TextExport::jsonSaysWhatTheTraceSays()
{
    TraceFixture f;
    f.builder.keep_times_and_devices(1'785'620'044'423'518'993);
    f.name_device("NVIDIA \"Test\"");
    const auto launch = f.call("cudaLaunchKernel", 1'001, 2'007);
    f.kernel(7, 5'000, 9'000'001, launch, "void ns::gemm<float>(float*)");
    f.kernel(7, 6'000, 7'000);  // on the same stream at once
    f.copy(CopyKind::d2h, 8, 10'000, 12'000, 4096, 0, MemoryKind::pageable);
    f.kernel(8, -5, 20);  // begins before the recording does
    save_recording(f.finish(Source::model), path("exact.json"));

    const auto text = bytes_of(path("exact.json"));
    QVERIFY(QRegularExpression(R"re("rank":\s+(\d+))re").match(text).hasMatch());  // how HTA finds the rank
    const auto root = m_parser.parse(text.constData(), static_cast<std::size_t>(text.size()));
    QCOMPARE(std::int64_t(root["schemaVersion"]), 1);
    QCOMPARE(std::int64_t(root["baseTimeNanoseconds"]), 1'785'620'044'423'518'993);
    QCOMPARE(std::string(std::string_view(root["traceName"])), std::string("exact.json"));
    QCOMPARE(std::string(std::string_view(root["lanescope"]["source"])), std::string("model"));
    QVERIFY(text.lastIndexOf("traceName") > text.lastIndexOf("traceEvents"));

    std::map<std::string, JsonEvent> slices;
    for (const auto& e : load(path("exact.json"))) {
        if (e.phase == "X" && e.start >= 0) {
            slices[e.name + "@" + std::to_string(e.start)] = e;
        }
        if (e.phase == "X" && e.start < 0) {
            QCOMPARE(e.start, Ns {-5});
        }
    }
    const auto kernel = slices.at("void ns::gemm<float>(float*)@5000");
    QCOMPARE(kernel.duration, Ns {8'995'001});
    QCOMPARE(kernel.category, std::string("kernel"));
    QCOMPARE(kernel.thread, 7);
    QCOMPARE(kernel.correlation, std::int64_t {launch});
    QVERIFY(slices.at("kernel@6000").thread != 7);
    QCOMPARE(slices.at("kernel@6000").process, kernel.process);
    QCOMPARE(slices.at("Memcpy DtoH (Device -> Pageable)@10000").category, std::string("gpu_memcpy"));
    QCOMPARE(slices.at("cudaLaunchKernel@1001").category, std::string("cuda_runtime"));
}

void tst_TextExport::gzipHoldsTheSameText()
{
    TraceBuilder builder;
    RandomRecords(3).write(builder, 3000, 1000, false);
    const auto trace = builder.finish(Source::cupti);
    save_recording(trace, path("same.json.gz"));
    save_recording(trace, path("again.json.gz"));
    save_recording(trace, path("same.json"));
    const auto plain = bytes_of(path("same.json"));
    QByteArray unpacked(plain.size() + 100, 0);
    auto* gzip = gzopen(path("same.json.gz").c_str(), "rb");
    unpacked.resize(std::max(0, gzread(gzip, unpacked.data(), static_cast<unsigned>(unpacked.size()))));
    gzclose(gzip);
    QVERIFY(plain.size() > 100'000);
    QVERIFY(unpacked.replace("same.json.gz", "same.json") == plain);
    QVERIFY(bytes_of(path("same.json.gz")).size() < plain.size() / 4);
}

void tst_TextExport::hostileTextIsEscaped()
{
    TraceFixture f;
    const std::string evil("a\"b\\c\n\x01\x7F\xFF\xED\xA0\x80\xC0\xAF\xE4\xBD\xA0", 17);
    f.kernel(7, 0, 10, 0, evil);
    f.range(evil, 0, 20);
    f.builder.write_meta("workload", evil);
    save_recording(f.finish(), path("evil.json"));
    bool found = false;
    for (const auto& e : load(path("evil.json"))) {
        found = found || e.name.starts_with("a\"b\\c\n\x01\x7F\xEF\xBF\xBD");
        QVERIFY(!e.name.starts_with("a") || e.name.ends_with("\xE4\xBD\xA0"));
    }
    QVERIFY(found);
}

void tst_TextExport::csvIsRfc4180()
{
    TraceFixture f;
    const auto call = f.call("cudaMemcpyAsync", 1, 5);
    f.range("up, load", 0, 7);
    f.name_stream(9, "in, \"fast\"");
    f.copy(CopyKind::h2d, 9, 10, 25, 4096, call, MemoryKind::pageable);
    f.kernel(9, 30, 40, 0, "gemm");
    save_recording(f.finish(), path("a.csv"));
    const auto lines = bytes_of(path("a.csv")).split('\n');
    QCOMPARE(lines.size(), 4);  // the last one is empty
    const auto columns = lines[0].count(',');
    QCOMPARE(lines[1],
        QByteArray("10,25,15,h2d,Memcpy HtoD,1,0,1,9,\"in, \"\"fast\"\"\",1,4096,Pageable,Device,1,"
                   "cudaMemcpyAsync,1,1,5,\"up, load\",,,,launch,,\r"));
    QCOMPARE(lines[1].count(','), columns + 2);  // two are quoted
    QCOMPARE(lines[2], QByteArray("30,40,10,kernel,gemm,1,0,1,9,\"in, \"\"fast\"\"\",0,,,,,,,,,,,,,,call,\r"));
    QCOMPARE(lines[2].count(','), columns + 1);
}

/// Of a launch, of a captured node, of a node whose capture is not recorded.
void tst_TextExport::csvSaysOwners()
{
    TraceFixture f;
    f.range("Net (train.py:7)", 0, 100);
    f.range("fc1: Linear", 1, 99);
    f.range("aten::addmm", 2, 98, operator_domain);
    f.kernel(9, 30, 40, f.call("cudaLaunchKernel", 3, 4));
    f.node({1, 1}, 50);
    f.node({2, 1}, 120, {1, 1});
    f.kernel_of({2, 1}, 9, 140, 150, f.call("cudaGraphLaunch", 130, 131));
    f.kernel_of({3, 1}, 9, 160, 170, f.call("cudaGraphLaunch", 152, 153));
    save_recording(f.finish(), path("a.csv"));
    const auto lines = bytes_of(path("a.csv")).split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY2(lines[0].endsWith(",range,operator,module,line,owner_from,no_owner,range_values\r"), lines[0]);
    QVERIFY2(lines[1].endsWith(",aten::addmm,aten::addmm,fc1: Linear,train.py:7,launch,,\r"), lines[1]);
    QVERIFY2(lines[2].endsWith(",130,131,aten::addmm,aten::addmm,fc1: Linear,train.py:7,capture,,\r"), lines[2]);
    QVERIFY2(lines[3].endsWith(",152,153,,,,,,capture,\r"), lines[3]);
}

void tst_TextExport::csvIsUtf8_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("field");
    QTest::newRow("UTF-8") << QByteArray("\xE7\x9F\xA9\xE9\x98\xB5") << QByteArray("\xE7\x9F\xA9\xE9\x98\xB5");
    QTest::newRow("a byte of none") << QByteArray("mm\xFF") << QByteArray("mm\xEF\xBF\xBD");
    QTest::newRow("cut short") << QByteArray("mm\xE7\x9F") << QByteArray("mm\xEF\xBF\xBD\xEF\xBF\xBD");
    QTest::newRow("over-long") << QByteArray("\xC0\xAF") << QByteArray("\xEF\xBF\xBD\xEF\xBF\xBD");
    QTest::newRow("a surrogate") << QByteArray("\xED\xA0\x80") << QByteArray("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    QTest::newRow("quoted") << QByteArray("a,\xFE\"b") << QByteArray("\"a,\xEF\xBF\xBD\"\"b\"");
}

void tst_TextExport::csvIsUtf8()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, field);
    TraceFixture f;
    f.kernel(9, 30, 40, 0, name.toStdString());
    save_recording(f.finish(), path("a.csv"));
    const QByteArray csv = bytes_of(path("a.csv"));
    QVERIFY2(csv.contains("kernel," + field + ",1,"), csv.constData());
    QCOMPARE(QString::fromUtf8(csv).toUtf8(), csv);
}

void tst_TextExport::unknownEndingIsRefused()
{
    QVERIFY_THROWS_EXCEPTION(StoreError, save_recording(Trace(), path("a.txt")));
    QVERIFY_THROWS_EXCEPTION(StoreError, save_recording(Trace(), path(".sqlite.x")));
    QVERIFY(m_folder.isValid());
}

void tst_TextExport::cancelLeavesNoFile()
{
    TraceBuilder builder;
    RandomRecords(5).write(builder, 60'000, 1000, false);
    const auto trace = builder.finish(Source::cupti);
    for (const char* name : {"cancelled.json", "cancelled.csv", "cancelled.sqlite", "cancelled.json.gz"}) {
        std::stop_source stop;
        const Progress progress(stop.get_token(), [&](double done) { done > 0 ? stop.request_stop() : false; });
        QVERIFY_THROWS_EXCEPTION(Cancelled, save_recording(trace, path(name), progress));
    }
    QVERIFY(QDir(m_folder.path()).entryList({"*cancelled*"}, QDir::Files | QDir::Hidden).isEmpty());
}

void tst_TextExport::rowsAreThoseOfLookingAtAll_data()
{
    QTest::addColumn<bool>("flat");
    QTest::addColumn<int>("longest");
    for (const bool flat : {false, true}) {
        for (const int longest : {1, 5, 40, 400}) {
            QTest::addRow("%s, up to %d", flat ? "flat" : "nested", longest) << flat << longest;
        }
    }
}

/// Each slice is on the first row that has room, found by trying one after the other.
void tst_TextExport::rowsAreThoseOfLookingAtAll()
{
    QFETCH(bool, flat);
    QFETCH(int, longest);
    std::mt19937 random(static_cast<unsigned>(longest));
    std::vector<std::pair<Ns, Ns>> slices;
    for (int i = 0; i < 600; ++i) {
        const Ns start = random() % 1000;
        slices.emplace_back(start, start + random() % static_cast<unsigned>(longest));
    }
    std::sort(slices.begin(), slices.end(),
        [](auto a, auto b) { return a.first != b.first ? a.first < b.first : a.second > b.second; });
    NestingRows rows(flat);
    std::vector<std::vector<Ns>> open;
    for (const auto& [start, end] : slices) {
        std::size_t row = 0;
        for (;; ++row) {
            open.resize(std::max(open.size(), row + 1));
            while (!open[row].empty() && open[row].back() <= start) {
                open[row].pop_back();
            }
            if (open[row].empty() || (!flat && end <= open[row].back())) {
                break;
            }
        }
        open[row].push_back(end);
        QCOMPARE(rows.place(start, end), row);
    }
}

/// 200,000 kernels at once on one stream: a row each, in a time that does not grow with the square of their number.
void tst_TextExport::manySlicesAtOnce()
{
    TraceFixture f;
    constexpr Ns count = 200'000;
    for (Ns i = 0; i < count; ++i) {
        f.kernel(7, i, i + 2 * count);
    }
    save_recording(f.finish(), path("many.json"));
    QFile file(QString::fromStdString(path("many.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("stream 7 (200000)"));
}

QTEST_GUILESS_MAIN(tst_TextExport)
#include "tst_text_export.moc"
