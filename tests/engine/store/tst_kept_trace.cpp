// SPDX-License-Identifier: MIT
// What is kept of a large recording for its next opening: the same trace, or nothing.
#include "engine/store/kept_trace.h"
#include "engine/store/recording_file.h"
#include "engine/trace/trace_builder.h"
#include "tests/effort.h"
#include "tests/engine/trace/random_records.h"
#include "tests/engine/trace/trace_difference.h"
#include "tests/engine/trace/trace_soundness.h"

#include <filesystem>
#include <fstream>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sqlite3.h>

using namespace lanes;
namespace fs = std::filesystem;

class tst_KeptTrace : public QObject {
    Q_OBJECT

private slots:
    void init();
    void isTheSame();
    void isOfTheFileAsItIs();
    void smallOnesAreNotKept();
    void damagedOnesAreNothing();
    void whatCannotBeIsNothing_data();
    void whatCannotBeIsNothing();
    void isWhatTheNextOpeningReads();
    void leavesTheFileAsItIs();
    void whatIsWrittenNeedNotBeRead();

private:
    /// A bit of everything, with that many values of a counter.
    static Trace made(std::size_t samples, std::uint32_t seed = 5)
    {
        TraceBuilder builder;
        RandomRecords(seed).write(builder, 300, 1'000'000'000, false);
        const auto name = builder.intern("queue");
        for (std::size_t i = 0; i < samples; ++i) {
            builder.write(CounterRecord {1'000'000'000 + static_cast<Ns>(i * 5),
                std::bit_cast<std::uint64_t>(static_cast<double>(i % 1000)), 4242, no_id, name, CounterRecord::none});
        }
        auto trace = builder.finish(Source::cupti);
        trace.marks = {{5, "here"}, {7, ""}};
        return trace;
    }
    /// One that is worth keeping; made once, since that takes most of a test's time.
    static const Trace& large()
    {
        static const Trace trace = made(many);
        return trace;
    }
    /// Makes a recording's file that many bytes larger, by a table that nobody reads.
    static void fill(const std::string& file, std::size_t bytes)
    {
        sqlite3* database = nullptr;
        const auto table = "CREATE TABLE filling AS SELECT zeroblob(" + std::to_string(bytes) + ") AS bytes";
        QCOMPARE(sqlite3_open(file.c_str(), &database), SQLITE_OK);
        QCOMPARE(sqlite3_exec(database, table.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        QCOMPARE(sqlite3_close(database), SQLITE_OK);
    }
    std::optional<Trace> kept() const { return kept_trace(m_file, *stamp_of(m_file), {}); }
    fs::path keptFile() const
    {
        for (const auto& entry : fs::directory_iterator(m_cache + "/lanescope/traces")) {
            return entry.path();
        }
        return {};
    }

    static constexpr std::size_t many = 300'000;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_cache, m_file;
};

void tst_KeptTrace::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_cache = m_folder->filePath("cache").toStdString();
    m_file = m_folder->filePath("run.sqlite").toStdString();
    qputenv("XDG_CACHE_HOME", m_cache.c_str());
    std::ofstream(m_file) << "the recording";
}

void tst_KeptTrace::isTheSame()
{
    const auto& trace = large();
    QVERIFY(is_possible(trace));
    QVERIFY(!kept());
    keep_trace(m_file, *stamp_of(m_file), trace);
    const auto again = kept();
    QVERIFY(again.has_value());
    QCOMPARE(QString::fromStdString(difference(trace, *again)), QString());
    QCOMPARE(QString::fromStdString(unsoundness(*again)), QString());
    QVERIFY(again->marks == trace.marks && again->meta == trace.meta);
    QCOMPARE(again->strings.size(), trace.strings.size());
    const auto rights = fs::status(keptFile()).permissions();
    QVERIFY((rights & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none);
}

void tst_KeptTrace::isOfTheFileAsItIs()
{
    keep_trace(m_file, *stamp_of(m_file), large());
    const auto before = fs::last_write_time(m_file);
    QVERIFY(kept());
    fs::last_write_time(m_file, before + std::chrono::seconds(1));
    QVERIFY(!kept());
    fs::last_write_time(m_file, before);  // as one would to hide a change; the inode's time shows it
    QVERIFY(!kept());
    keep_trace(m_file, *stamp_of(m_file), large());
    QVERIFY(kept());
    fs::rename(m_file, m_file + ".old");
    fs::copy_file(m_file + ".old", m_file);
    QVERIFY(!kept());
}

void tst_KeptTrace::smallOnesAreNotKept()
{
    keep_trace(m_file, *stamp_of(m_file), made(10));
    QVERIFY(!fs::exists(m_cache));
}

void tst_KeptTrace::damagedOnesAreNothing()
{
    keep_trace(m_file, *stamp_of(m_file), large());
    const auto path = keptFile();
    const auto size = fs::file_size(path);
    std::mt19937_64 random(7);
    // The head, the columns' heads, and anywhere.
    std::vector<std::uint64_t> places;
    for (std::uint64_t at = 0; at < 300; at += 17 * one_trial_in) {
        places.push_back(at);
    }
    for (int i = 0; i < 15; i += one_trial_in) {
        places.push_back(random() % size);
        places.push_back(size - 1 - random() % 20'000);
    }
    for (const auto at : places) {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        char byte = 0;
        file.seekg(static_cast<std::streamoff>(at)).get(byte);
        file.seekp(static_cast<std::streamoff>(at)).put(static_cast<char>(byte ^ 1 << random() % 8)).flush();
        QVERIFY2(!kept(), std::to_string(at).c_str());
        file.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
    }
    QVERIFY(kept());
    for (const auto length : {size - 1, size / 2, std::uintmax_t {100}, std::uintmax_t {0}}) {
        fs::resize_file(path, length);
        QVERIFY2(!kept(), std::to_string(length).c_str());
    }
}

void tst_KeptTrace::whatCannotBeIsNothing_data()
{
    QTest::addColumn<std::function<void(Trace&)>>("spoil");
    const auto row = [](const char* name, std::function<void(Trace&)> spoil) { QTest::newRow(name) << spoil; };
    constexpr Row far = 1'000'000;
    row("operation's detail", [](Trace& t) { t.operations.detail[3] = far; });
    row("operation's end", [](Trace& t) { t.operations.end[3] = t.operations.start[3] - 1; });
    row("operation behind the end", [](Trace& t) { t.operations.end.back() = t.duration + 1; });
    row("operations' order", [](Trace& t) { std::swap(t.operations.start[3], t.operations.start[4]); });
    row("operations' columns", [](Trace& t) { t.operations.kind.pop_back(); });
    row("outer of an outer", [](Trace& t) { t.calls.outer[3] = t.calls.outer[4] = 3; });
    row("calls' order", [](Trace& t) { t.calls.start[3] = t.calls.end[3] = t.duration; });
    row("calls' columns", [](Trace& t) { t.calls.result.pop_back(); });
    row("order of syncs", [](Trace& t) { t.syncs.front().start = t.syncs.front().end = t.duration; });
    row("order of autograd", [](Trace& t) { t.autograd.push_back(t.autograd.front()); });
    row("spin's call", [](Trace& t) { t.query_spins.front().call = no_row; });
    row("counter's samples", [](Trace& t) { t.counters[0].samples.end += 1; });
    row("counter's last sample", [](Trace& t) { t.samples.time.pop_back(); });
    row("a value that is none", [](Trace& t) { t.samples.value[0] = std::numeric_limits<double>::infinity(); });
    // Every column whose values are restricted.
    for_each_table([&]<class Table>(Table table) {
        for_each_column(table, [&]<class Column>(const Column& column) {
            constexpr auto kind = Column::kind;
            if constexpr (kind == ColumnKind::text || kind == ColumnKind::row || kind == ColumnKind::enumeration
                || kind == ColumnKind::flag) {
                row((std::string(Table::name) + ", " + column.name).c_str(), [table, column](Trace& t) {
                    auto& cell = cell_of(table, column, t, 0);
                    if constexpr (Column::kind == ColumnKind::flag) {
                        std::memset(&cell, 7, 1);
                    } else if constexpr (Column::kind == ColumnKind::enumeration) {
                        cell = static_cast<std::remove_reference_t<decltype(cell)>>(column.last + 1);
                    } else {
                        cell = far;
                    }
                });
            }
        });
    });
}

void tst_KeptTrace::whatCannotBeIsNothing()
{
    QFETCH(std::function<void(Trace&)>, spoil);
    auto trace = made(20);
    QVERIFY(is_possible(trace));
    spoil(trace);
    QVERIFY(!is_possible(trace));
}

void tst_KeptTrace::isWhatTheNextOpeningReads()
{
    save_recording(large(), m_file);
    fill(m_file, 24'000'000);
    QVERIFY2(fs::file_size(m_file) > 24'000'000, std::to_string(fs::file_size(m_file)).c_str());
    const auto first = open_recording(m_file);
    const auto stamp = *stamp_of(m_file);
    QVERIFY(kept());
    QCOMPARE(QString::fromStdString(difference(first, open_recording(m_file))), QString());
    // What is read is really the kept trace: another one is put in its place.
    const auto other = made(many, 6);
    keep_trace(m_file, stamp, other);
    QCOMPARE(QString::fromStdString(difference(other, open_recording(m_file))), QString());
    fs::last_write_time(m_file, fs::last_write_time(m_file) + std::chrono::seconds(1));
    QCOMPARE(QString::fromStdString(difference(first, open_recording(m_file))), QString());
    // If nothing can be kept all works as before.
    fs::remove_all(m_cache);
    std::ofstream(m_cache) << "no folder";
    QCOMPARE(open_recording(m_file).samples.size(), first.samples.size());
}

void tst_KeptTrace::leavesTheFileAsItIs()
{
    const auto before = *stamp_of(m_file);
    keep_trace(m_file, before, large());
    QVERIFY(kept());
    QVERIFY(*stamp_of(m_file) == before);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList {"run.sqlite"});
}

QTEST_APPLESS_MAIN(tst_KeptTrace)
void tst_KeptTrace::whatIsWrittenNeedNotBeRead()
{
    Trace trace = large();
    trace.meta["filling a"] = trace.meta["filling b"] = std::string(12'000'000, 'x');
    save_recording(trace, m_file);
    QVERIFY2(fs::file_size(m_file) > 24'000'000, std::to_string(fs::file_size(m_file)).c_str());
    const auto saved = kept();
    QVERIFY(saved.has_value());
    fs::remove_all(m_cache);
    const auto read = open_recording(m_file);
    QCOMPARE(QString::fromStdString(difference(read, *saved)), QString());
    QCOMPARE(QString::fromStdString(unsoundness(*saved)), QString());
    QVERIFY(read.meta == saved->meta && read.marks == saved->marks && read.source == saved->source);
    // With other marks than the trace's it differs from what is in memory.
    fs::remove_all(m_cache);
    const std::vector<UserMark> marks {{9, "elsewhere"}};
    save_recording(trace, m_file, {}, &marks);
    QVERIFY(!kept());
    save_recording(trace, m_folder->filePath("run.json").toStdString());
    QVERIFY(!fs::exists(m_cache));
}

#include "tst_kept_trace.moc"
