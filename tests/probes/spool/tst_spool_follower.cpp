// SPDX-License-Identifier: MIT
#include "probes/spool_follower.h"

#include "probes/regular_file.h"
#include "probes/spool_format.h"

#include <fstream>
#include <QTemporaryDir>
#include <QTest>
#include <random>
#include <sys/stat.h>

using namespace lanes;

namespace {

std::string bytes_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void append(const std::string& path, std::string_view bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::app)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// The same chunks, as if the writer with this id had made them.
std::string written_by(std::uint32_t writer, std::string spool)
{
    for (std::size_t at = 0; at < spool.size();) {
        SpoolHeader header {};
        std::memcpy(&header, spool.data() + at, sizeof header);
        header.writer = writer;
        header.checksum
            = spool_checksum(header, std::as_bytes(std::span(spool)).subspan(at + sizeof header, header.payload_bytes));
        std::memcpy(spool.data() + at, &header, sizeof header);
        at += sizeof header + header.payload_bytes;
    }
    return spool;
}

/// The new step numbers.
std::vector<std::uint32_t> new_steps(SpoolFollower& follower)
{
    std::vector<std::uint32_t> steps;
    follower.read([&](const SpoolChunk& chunk) {
        for (const auto& record : records_of<StepRecord>(chunk)) {
            steps.push_back(record.step);
        }
    });
    return steps;
}

}  // namespace

class tst_SpoolFollower : public QObject {
    Q_OBJECT

private slots:
    void init() { m_path = m_folder.filePath(QString::number(++m_count) + ".spool").toStdString(); }
    void takesEachChunkOnceHoweverItComes_data();
    void takesEachChunkOnceHoweverItComes();
    void damageIsSkipped_data();
    void damageIsSkipped();
    void nobodyWaitsForWhatIsCutAnywhere();
    void nobodyWaitsForALengthThatNoWriterMakes();
    void refusesWhatIsNoSpool_data();
    void refusesWhatIsNoSpool();

private:
    std::string spool_of(std::uint32_t steps)
    {
        const auto path = m_folder.filePath("whole.spool").toStdString();
        ::unlink(path.c_str());
        SpoolWriter writer;
        writer.open(path);
        for (std::uint32_t i = 0; i < steps; ++i) {
            writer.write(StepRecord {.start = i,
                .process = 7,
                .thread = writer.intern("t" + std::to_string(i)),
                .step = i,
                .instruction = i});
        }
        writer.close();
        return bytes_of(path);
    }
    QTemporaryDir m_folder;
    std::string m_path;
    int m_count = 0;
};

void tst_SpoolFollower::takesEachChunkOnceHoweverItComes_data()
{
    QTest::addColumn<int>("most");
    QTest::newRow("byte by byte") << 1;
    QTest::newRow("pieces") << 90;
    QTest::newRow("longer pieces") << 1000;
    QTest::newRow("at once") << (1 << 20);
}

void tst_SpoolFollower::takesEachChunkOnceHoweverItComes()
{
    QFETCH(int, most);
    const auto whole = spool_of(40);
    SpoolFollower follower(m_path);
    QVERIFY(new_steps(follower).empty());  // not there yet
    std::mt19937 random(7);
    std::vector<std::uint32_t> steps;
    for (std::size_t at = 0; at < whole.size();) {
        const auto size = std::min<std::size_t>(1 + random() % static_cast<unsigned>(most), whole.size() - at);
        append(m_path, std::string_view(whole).substr(at, size));
        at += size;
        const auto more = new_steps(follower);
        steps.insert(steps.end(), more.begin(), more.end());
    }
    QCOMPARE(steps.size(), std::size_t {40});
    QVERIFY(std::is_sorted(steps.begin(), steps.end()));
    QVERIFY(new_steps(follower).empty());
}

void tst_SpoolFollower::damageIsSkipped_data()
{
    QTest::addColumn<int>("most");
    QTest::newRow("pieces") << 50;
    QTest::newRow("at once") << (1 << 20);
}

/// A chunk that was partly written, and chunks of other processes after it.
void tst_SpoolFollower::damageIsSkipped()
{
    QFETCH(int, most);
    const auto first = spool_of(5);
    const auto second = spool_of(3);
    const auto bytes = first + second.substr(0, 50) + second + std::string("LSPL garbage LS") + second;
    SpoolFollower follower(m_path);
    std::vector<std::uint32_t> steps;
    for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(most)) {
        append(m_path, std::string_view(bytes).substr(at, static_cast<std::size_t>(most)));
        const auto more = new_steps(follower);
        steps.insert(steps.end(), more.begin(), more.end());
    }
    QCOMPARE(steps, (std::vector<std::uint32_t> {0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 2}));
}

/// After a cut header the next chunk's fields are where its length would be: the writer's id, which may be a small
/// number, or the sequence and kind.
void tst_SpoolFollower::nobodyWaitsForWhatIsCutAnywhere()
{
    const auto first = written_by(70000, spool_of(5));
    const auto second = written_by(70000, spool_of(3));
    for (std::size_t cut = 1; cut < second.size(); ++cut) {
        const auto path = m_path + QByteArray::number(static_cast<qulonglong>(cut)).toStdString();
        const auto begun = second.substr(0, cut);
        append(path, second + begun);
        append(path, first);
        append(path, second);
        SpoolFollower follower(path);
        const auto steps = new_steps(follower);
        const std::vector<std::uint32_t> last {0, 1, 2, 3, 4, 0, 1, 2};
        QVERIFY2(steps.size() >= last.size() && std::equal(last.rbegin(), last.rend(), steps.rbegin()),
            QByteArray::number(static_cast<qulonglong>(cut)).constData());
    }
}

void tst_SpoolFollower::nobodyWaitsForALengthThatNoWriterMakes()
{
    const auto sound = spool_of(2);
    auto lying = sound.substr(0, 32);
    const std::uint32_t most = 0xFFFFFFF0U;
    lying.replace(16, 4, reinterpret_cast<const char*>(&most), 4);
    append(m_path, sound + lying + sound);
    SpoolFollower follower(m_path);
    QCOMPARE(new_steps(follower), (std::vector<std::uint32_t> {0, 1, 0, 1}));
}

void tst_SpoolFollower::refusesWhatIsNoSpool_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("text") << QByteArray("SQLite format 3, or something else that is no spool at all");
    QTest::newRow("zeros") << QByteArray(100, '\0');
    QTest::newRow("a few bytes") << QByteArray("x");
}

void tst_SpoolFollower::refusesWhatIsNoSpool()
{
    QFETCH(QByteArray, bytes);
    append(m_path, bytes.toStdString());
    SpoolFollower follower(m_path);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, new_steps(follower));

    const auto cut = m_path + ".cut";
    append(cut, spool_of(3));
    SpoolFollower of_cut(cut);
    QCOMPARE(new_steps(of_cut).size(), std::size_t {3});
    QCOMPARE(::truncate(cut.c_str(), 10), 0);
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, new_steps(of_cut));

    const auto pipe = m_path + ".fifo";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    SpoolFollower of_pipe(pipe);
    QVERIFY_THROWS_EXCEPTION(NotAFile, new_steps(of_pipe));
}

QTEST_GUILESS_MAIN(tst_SpoolFollower)
#include "tst_spool_follower.moc"
