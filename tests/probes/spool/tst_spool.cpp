// SPDX-License-Identifier: MIT
#include "probes/spool.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <QTemporaryDir>
#include <QTest>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace lanes;

namespace {

StepRecord step(std::uint32_t number)
{
    return {.start = 1000 + static_cast<Ns>(number), .process = 7, .thread = 8, .step = number, .instruction = number};
}

std::vector<std::byte> bytes_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text {std::istreambuf_iterator<char>(file), {}};
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    return {data, data + text.size()};
}

/// The step numbers in `bytes`, in file order.
std::vector<std::uint32_t> steps_in(std::span<const std::byte> bytes, SpoolEnd* end = nullptr)
{
    std::vector<std::uint32_t> steps;
    const auto result = read_spool(bytes, [&](const SpoolChunk& chunk) {
        for (const auto& record : records_of<StepRecord>(chunk)) {
            steps.push_back(record.step);
        }
    });
    if (end != nullptr) {
        *end = result;
    }
    return steps;
}

}  // namespace

class tst_Spool : public QObject {
    Q_OBJECT

private slots:
    void init() { m_path = m_folder.filePath(QString::number(++m_count) + ".spool").toStdString(); }
    void keepsRecordsAndText();
    void everyPrefixIsReadable();
    void damageIsSkippedAndNamed();
    void ofAnotherVersion();
    void damageWhereAPieceEnds_data();
    void damageWhereAPieceEnds();
    void endsWhereAFileIsCutMeanwhile();
    void writersShareAFile();
    void fullDiskIsAnErrorNotASignal();
    void neverWritesToAFileOfTheProgram_data();
    void neverWritesToAFileOfTheProgram();
    void refusesWhatIsNoSpool();

private:
    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
};

void tst_Spool::keepsRecordsAndText()
{
    SpoolWriter writer;
    QVERIFY(writer.open(m_path));
    const auto name = writer.intern("matmul");
    QCOMPARE(writer.intern("matmul"), name);
    QCOMPARE(writer.intern(""), 0U);
    writer.write(ThreadRecord {.process = 1, .thread = 2, .name = name, .order = 3});
    writer.write_meta("variant", "blocking");
    writer.close();

    std::map<StringId, std::string> texts;
    std::vector<ThreadRecord> threads;
    std::map<std::string, std::string> meta;
    const auto end = read_spool(m_path, [&](const SpoolChunk& chunk) {
        for (const auto& entry : strings_of(chunk)) {
            texts[entry.id] = entry.text;
        }
        for (const auto& pair : meta_of(chunk)) {
            meta[std::string(pair[0])] = pair[1];
        }
        for (const auto& record : records_of<ThreadRecord>(chunk)) {
            QVERIFY2(texts.contains(record.name), "text comes before the record that uses it");
            threads.push_back(record);
        }
    });
    QCOMPARE(threads.size(), 1U);
    QCOMPARE(texts[threads[0].name], std::string("matmul"));
    QCOMPARE(threads[0].order, 3U);
    QCOMPARE(meta["variant"], std::string("blocking"));
    QCOMPARE(end.note, std::string());
    QCOMPARE(end.sound_bytes, end.bytes);
}

void tst_Spool::everyPrefixIsReadable()
{
    SpoolWriter writer;
    QVERIFY(writer.open(m_path));
    for (std::uint32_t i = 0; i < 40; ++i) {
        writer.write(step(i));
    }
    writer.close();
    const auto bytes = bytes_of(m_path);
    const std::size_t chunk = bytes.size() / 40;
    for (std::size_t length = chunk; length <= bytes.size(); ++length) {
        SpoolEnd end;
        const auto steps = steps_in(std::span(bytes).first(length), &end);
        QCOMPARE(steps.size(), length / chunk);
        QCOMPARE(end.sound_bytes, length / chunk * chunk);
        QCOMPARE(end.note.empty(), length % chunk == 0);
        if (!end.note.empty()) {
            QCOMPARE(end.damaged_at, end.sound_bytes);
        }
    }
}

void tst_Spool::damageIsSkippedAndNamed()
{
    SpoolWriter writer;
    QVERIFY(writer.open(m_path));
    for (std::uint32_t i = 0; i < 40; ++i) {
        writer.write(step(i));
    }
    writer.close();
    const auto sound = bytes_of(m_path);
    const std::size_t chunk = sound.size() / 40;
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
        auto bytes = sound;
        const std::size_t at = random() % bytes.size();
        bytes[at] ^= std::byte(1U << (random() % 8));
        SpoolEnd end;
        const auto steps = steps_in(bytes, &end);
        QCOMPARE(steps.size(), 39U);
        QVERIFY(std::find(steps.begin(), steps.end(), at / chunk) == steps.end());
        QCOMPARE(end.damaged_at, at / chunk * chunk);
        QVERIFY(at / chunk == 39 || end.lost_chunks == 1);
    }
}

/// Its records have another layout.
void tst_Spool::ofAnotherVersion()
{
    SpoolWriter writer;
    QVERIFY(writer.open(m_path));
    writer.write(step(1));
    writer.close();
    auto bytes = bytes_of(m_path);
    bytes[4] = std::byte {1};
    try {
        steps_in(bytes);
        QFAIL("it was read");
    } catch (const std::runtime_error& error) {
        QCOMPARE(std::string(error.what()), std::string("a spool of version 1, this Lanescope reads 2"));
    }
}

void tst_Spool::damageWhereAPieceEnds_data()
{
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("count");
    QTest::newRow("none") << 0 << 0;
    for (const int from : {-33, -32, -4, -3, -1, 0, 1}) {
        QTest::addRow("a byte %d from there", from) << from << 1;
    }
    QTest::newRow("many bytes") << -3 << 1'100'000;
}

/// A file is read in pieces, whatever their size is; bytes in memory are one piece. Both must find the same.
void tst_Spool::damageWhereAPieceEnds()
{
    QFETCH(int, from);
    QFETCH(int, count);
    {
        SpoolWriter writer;
        QVERIFY(writer.open(m_path));
        std::vector<StepRecord> steps(80'000);
        std::mt19937 random(1);
        for (std::size_t at = 0; at < steps.size();) {
            const auto size = std::min<std::size_t>(1 + random() % 3000, steps.size() - at);
            for (std::size_t i = at; i < at + size; ++i) {
                steps[i] = step(static_cast<std::uint32_t>(i));
            }
            writer.write(std::span<const StepRecord>(steps).subspan(at, size));
            at += size;
        }
    }
    auto bytes = bytes_of(m_path);
    for (std::size_t border = 1U << 20U; border + 100 < bytes.size(); border += 1U << 20U) {
        const auto first = border + static_cast<std::size_t>(from);
        for (auto i = first; i < std::min(first + static_cast<std::size_t>(count), bytes.size()); ++i) {
            bytes[i] = i % 5 == 0 ? std::byte {'L'} : ~bytes[i];  // the magic's first letter everywhere
        }
        border += static_cast<std::size_t>(count);
    }
    std::ofstream(m_path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    SpoolEnd end;
    const auto expected = steps_in(bytes, &end);
    std::vector<std::uint32_t> steps;
    const auto of_file = read_spool(m_path, [&](const SpoolChunk& chunk) {
        for (const auto& record : records_of<StepRecord>(chunk)) {
            steps.push_back(record.step);
        }
    });
    QVERIFY(steps == expected);
    QCOMPARE(of_file.bytes, end.bytes);
    QCOMPARE(of_file.sound_bytes, end.sound_bytes);
    QCOMPARE(of_file.damaged_at, end.damaged_at);
    QCOMPARE(of_file.chunks, end.chunks);
    QCOMPARE(of_file.lost_chunks, end.lost_chunks);
    QCOMPARE(of_file.note, end.note);
    QCOMPARE(end.note.empty(), count == 0);
}

void tst_Spool::endsWhereAFileIsCutMeanwhile()
{
    constexpr std::uint64_t kept = 3U << 20U;
    {
        SpoolWriter writer;
        QVERIFY(writer.open(m_path));
        const std::vector<StepRecord> steps(1000, step(1));
        for (int i = 0; i < 300; ++i) {
            writer.write(std::span<const StepRecord>(steps));
        }
    }
    QVERIFY(std::filesystem::file_size(m_path) > 2 * kept);
    const auto end = read_spool(m_path, [&](const SpoolChunk&) { std::filesystem::resize_file(m_path, kept); });
    QCOMPARE(end.bytes, kept);
    QVERIFY(end.sound_bytes < kept && end.sound_bytes > kept / 2);
    QVERIFY(!end.note.empty());
}

void tst_Spool::writersShareAFile()
{
    constexpr std::uint32_t each = 200;
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t) {
        threads.emplace_back([this, t] {
            SpoolWriter writer;
            writer.open(m_path);
            for (std::uint32_t i = 0; i < each; ++i) {
                std::vector<StepRecord> many(1 + i % 50, step(t * each + i));
                writer.write(std::span<const StepRecord>(many));
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    std::map<std::uint32_t, std::uint32_t> last_of_writer;
    std::size_t records = 0;
    const auto end = read_spool(m_path, [&](const SpoolChunk& chunk) {
        const auto steps = records_of<StepRecord>(chunk);
        records += steps.size();
        QVERIFY(!last_of_writer.contains(chunk.writer) || last_of_writer[chunk.writer] < steps.front().step);
        last_of_writer[chunk.writer] = steps.front().step;
    });
    QCOMPARE(last_of_writer.size(), 4U);
    QCOMPARE(records, 4U * (each / 50) * (50 * 51 / 2));
    QCOMPARE(end.lost_chunks, 0U);
    QCOMPARE(end.note, std::string());
}

void tst_Spool::fullDiskIsAnErrorNotASignal()
{
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_DFL);  // which ends a program: the writer must not let it come
        const rlimit limit {100 * 56, 100 * 56};  // whole chunks: the next write finds no room at all
        setrlimit(RLIMIT_FSIZE, &limit);
        SpoolWriter writer;
        writer.open(m_path);
        for (std::uint32_t i = 0; i < 1000; ++i) {
            writer.write(step(i));
        }
        _exit(writer.error() != 0 ? 0 : 1);
    }
    int status = -1;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    const auto bytes = bytes_of(m_path);
    const auto steps = steps_in(bytes);
    QCOMPARE(steps.size(), bytes.size() / 56);
    QCOMPARE(steps.size(), 100U);
}

void tst_Spool::neverWritesToAFileOfTheProgram_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("last");
    QTest::addColumn<bool>("outputClosed");
    QTest::addColumn<std::size_t>("steps");  // in the spool
    QTest::newRow("it closes the numbers it does not know") << 3 << 63 << false << std::size_t {2};
    QTest::newRow("its output was closed before") << 1 << 1 << true << std::size_t {2};
    QTest::newRow("it uses all numbers") << 1 << 1023 << false << std::size_t {1};
}

/// The program puts a file of its own behind numbers that it did not open.
void tst_Spool::neverWritesToAFileOfTheProgram()
{
    QFETCH(int, first);
    QFETCH(int, last);
    QFETCH(bool, outputClosed);
    QFETCH(std::size_t, steps);
    const auto theirs = m_path + ".txt";
    const pid_t child = fork();
    if (child == 0) {
        const rlimit limit {1024, 1024};
        setrlimit(RLIMIT_NOFILE, &limit);
        if (outputClosed) {
            ::close(STDOUT_FILENO);
        }
        SpoolWriter writer;
        writer.open(m_path);
        writer.write(step(0));
        const int file = ::open(theirs.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
        for (int number = first; number <= last; ++number) {
            if (number != file) {
                ::dup2(file, number);
            }
        }
        writer.write(step(1));
        const bool stopped = writer.error() == EBADF;
        writer.close();
        bool isOpen = true;
        for (int number = first; number <= last; ++number) {
            isOpen = isOpen && ::fcntl(number, F_GETFD) >= 0;
        }
        _exit(isOpen && stopped == (steps == 1) ? 0 : 1);
    }
    int status = -1;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    QCOMPARE(std::filesystem::file_size(theirs), std::uintmax_t {0});
    QCOMPARE(steps_in(bytes_of(m_path)).size(), steps);
}

void tst_Spool::refusesWhatIsNoSpool()
{
    const std::vector<std::byte> zeros(100);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, steps_in(zeros));
    QVERIFY_THROWS_EXCEPTION(std::system_error, read_spool("/no/such/file", [](const SpoolChunk&) {}));
}

QTEST_GUILESS_MAIN(tst_Spool)
#include "tst_spool.moc"
