// SPDX-License-Identifier: MIT
// The files of a job: summaries written and read again, damage, and what `lanes gather` finds where.
#include "engine/job/gather.h"
#include "engine/job/job_file.h"
#include "engine/store/recording_file.h"
#include "tests/engine/cli/lanes_with.h"
#include "tests/engine/job/job_of_ranks.h"

#include <fcntl.h>
#include <filesystem>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

using namespace lanes;

namespace {

constexpr Ns ms = 1'000'000;

RunOfRanks run_of_four()
{
    RunOfRanks run;
    run.late = [](auto rank, int step) { return rank == 2 && step > 0 ? 5 * ms : 0; };
    return run;
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

}  // namespace

class tst_Gather : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void keepsAll();
    void damaged();
    void aFolder();
    void whatIsLeftOut();
    void commands();
    void namesOfRecordings_data();
    void namesOfRecordings();
    void namesOfEarlierVersions();
    void remoteNames_data();
    void remoteNames();
    void overSsh_data();
    void overSsh();
    void wholeRecordings();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    void writeRecordings(const QString& folder, std::uint32_t from = 0, std::uint32_t to = 4);

    std::vector<Trace> m_traces;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_Gather::initTestCase()
{
    qputenv("LANES_RESOURCES", qgetenv("LANES_SOURCE") + "/resources");
    QVERIFY2(QFile::exists(qEnvironmentVariable("LANES_BUILD") + "/bin/lanes"), "build the target lanes first");
    m_traces = run_of_four().make_each();
}

void tst_Gather::writeRecordings(const QString& folder, std::uint32_t from, std::uint32_t to)
{
    QVERIFY(QDir().mkpath(path(folder)));
    for (auto rank = from; rank < to; ++rank) {
        save_recording(m_traces[rank], path(QStringLiteral("%1/rank%2.sqlite").arg(folder).arg(rank)).toStdString());
    }
}

/// Each figure comes back as it was.
void tst_Gather::keepsAll()
{
    auto ranks = lanes::summaries_of(run_of_four(), 2);
    name_communicators(ranks, run_of_four());
    ranks[1].identity.told = {{"RANK", "1"}, {"TORCHELASTIC_RUN_ID", "a=b"}};
    ranks[1].identity.restarts = 2;
    ranks[1].identity.gpu = "GPU-1";
    ranks[2].complete = false;
    ranks[2].clock_set = {{ranks[2].start + ms, ranks[2].start - 2 * ms, -3 * ms}};
    ranks[2].collectives[3].is_numbered = true;
    ranks[1].rounds = {{"boot of the asker", 5 * ms, 7 * ms, 6 * ms}, {"x", -3, 0, 4}};
    ranks[2].dropped = 7;
    ranks[3].collectives.clear();
    ranks[3].chain = {};
    ranks[3].steps.clear();
    const auto file = path("job.lanes").toStdString();
    save_ranks(ranks, nullptr, file);
    QVERIFY(is_ranks_file(file));
    const auto again = load_ranks(file);
    QCOMPARE(again.size(), ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        QVERIFY(again[i].collectives == ranks[i].collectives);
        QVERIFY(again[i].chain == ranks[i].chain);
        QVERIFY(again[i].steps == ranks[i].steps);
        QVERIFY(again[i].steady == ranks[i].steady);
        QVERIFY(again[i].clock_set == ranks[i].clock_set);
        QVERIFY(again[i].rounds == ranks[i].rounds);
        QVERIFY(again[i].bins == ranks[i].bins);
        QVERIFY(again[i].times == ranks[i].times);
        QCOMPARE(again[i].names, ranks[i].names);
        QCOMPARE(again[i].file, std::filesystem::absolute(ranks[i].file).lexically_normal().string());
        QCOMPARE(again[i].start, ranks[i].start);
        QCOMPARE(again[i].end, ranks[i].end);
        QCOMPARE(again[i].operations, ranks[i].operations);
        QCOMPARE(again[i].dropped, ranks[i].dropped);
        QCOMPARE(again[i].complete, ranks[i].complete);
        const auto& a = again[i].identity;
        const auto& b = ranks[i].identity;
        QVERIFY(a.rank == b.rank && a.world == b.world && a.restarts == b.restarts && a.rule == b.rule);
        QVERIFY(a.host == b.host && a.clock == b.clock && a.gpu == b.gpu && a.process == b.process && a.told == b.told);
    }
}

/// A file that was cut or changed anywhere is an error or other figures, never a fault.
void tst_Gather::damaged()
{
    const auto ranks = lanes::summaries_of(run_of_four());
    const auto& rank = ranks[2];
    const PackedRank sound {packed_collectives(rank), packed_chain(rank), packed_steps(rank), packed_bins(rank)};
    RankSummary read;
    const auto fresh = [&] {
        read = {};
        read.names = rank.names;
        read.start = rank.start;
    };
    fresh();
    unpack(sound, "x", read);
    QVERIFY(read.collectives == rank.collectives && read.chain == rank.chain);
    int refused = 0;
    std::uint32_t random = 1;
    for (const auto table : {&PackedRank::collectives, &PackedRank::chain, &PackedRank::steps, &PackedRank::bins}) {
        for (std::size_t cut = 0; cut < (sound.*table).size(); cut += 3) {
            auto packed = sound;
            (packed.*table).resize(cut);
            fresh();
            try {
                unpack(packed, "x.sum", read);
                QFAIL("what was cut was read");
            } catch (const JobFileError& error) {
                QVERIFY(std::string(error.what()).starts_with("'x.sum' is damaged: its table of "));
            }
            packed = sound;
            random = random * 1664525U + 1013904223U;
            (packed.*table)[cut] ^= static_cast<std::byte>(1U << (random >> 29U));
            fresh();
            try {
                unpack(packed, "x.sum", read);
                std::vector<RankSummary> changed = ranks;
                read.file = "x";
                read.end = rank.end;
                read.identity = rank.identity;
                changed[2] = read;
                static_cast<void>(report_of(changed, meet(changed)));
            } catch (const JobFileError&) {
                ++refused;
            }
        }
    }
    QVERIFY(refused > 0);
    write(path("no.lanes"), "SQLite format 3");
    QVERIFY(!is_ranks_file(path("no.lanes").toStdString()));
    QVERIFY_THROWS_EXCEPTION(JobFileError, load_ranks(path("no.lanes").toStdString()));
    const auto file = path("old.lanes").toStdString();  // of another version: what to do is said
    save_ranks(ranks, nullptr, file);
    sqlite3* job = nullptr;
    QCOMPARE(sqlite3_open(file.c_str(), &job), SQLITE_OK);
    QCOMPARE(sqlite3_exec(job, "UPDATE job SET format = 1", nullptr, nullptr, nullptr), SQLITE_OK);
    QCOMPARE(sqlite3_close(job), SQLITE_OK);
    QVERIFY(is_ranks_file(file));
    try {
        static_cast<void>(load_ranks(file));
        QFAIL("read");
    } catch (const JobFileError& error) {
        QVERIFY2(std::string(error.what()).find("of format 1") != std::string::npos, error.what());
    }
}

void tst_Gather::aFolder()
{
    writeRecordings("run/node0", 0, 2);
    writeRecordings("run/node1", 2, 4);
    const auto places = std::vector<std::string> {path("run").toStdString()};
    auto gathered = gather(places);
    QCOMPARE(gathered.ranks.size(), std::size_t {4});
    QVERIFY(gathered.left_out.empty());
    const Judged judged(gathered.ranks);
    QVERIFY2(judged.sentence().starts_with("Rank 2 is late"), judged.sentence().c_str());
    // Each has its summary beside it now, which is read instead of the recording.
    const auto sum = path("run/node1/rank2.sqlite.sum");
    QVERIFY(QFile::exists(sum));
    auto other = load_ranks(sum.toStdString());
    other.front().device = "from the summary";
    QTest::qSleep(20);
    save_ranks(other, nullptr, sum.toStdString());
    gathered = gather(places);
    QCOMPARE(gathered.ranks[2].device, std::string("from the summary"));
    // Unless the recording is newer.
    QTest::qSleep(20);
    save_recording(m_traces[2], path("run/node1/rank2.sqlite").toStdString());
    QCOMPARE(gather(places).ranks[2].device, std::string());
}

/// Half files, files that are written, and files that are no recordings.
void tst_Gather::whatIsLeftOut()
{
    writeRecordings("run");
    write(path("run/notes.json"), "{\"lr\": 0.1}");
    write(path("run/log.txt"), "hello");
    write(path("run/rank9.sqlite.partial-4711"), "SQLite");
    QVERIFY(QFile::rename(path("run/rank3.sqlite"), path("run/rank3.spool")));
    const int held = ::open(path("run/rank3.spool").toLocal8Bit().constData(), O_RDONLY);
    QCOMPARE(::flock(held, LOCK_SH), 0);
    const auto gathered = gather({path("run").toStdString()});
    ::close(held);
    QCOMPARE(gathered.ranks.size(), std::size_t {3});
    QCOMPARE(gathered.left_out.size(), std::size_t {2});
    const std::string first = gathered.left_out[0];
    const std::string second = gathered.left_out[1];
    QVERIFY2(first.find("notes.json") != std::string::npos, first.c_str());
    QCOMPARE(first.find("notes.json"), first.rfind("notes.json"));  // once
    QVERIFY2(second.find("rank3.spool: it is still being written") != std::string::npos, second.c_str());
    QVERIFY_THROWS_EXCEPTION(InputError, gather({path("nowhere").toStdString()}));
}

void tst_Gather::commands()
{
    writeRecordings("run");
    const auto done = lanes_with({"gather", path("run"), "-o", path("job.lanes")});
    QVERIFY2(done.status == 0 && done.err.isEmpty(), done.err);
    const auto said = lanes_with({"ranks", path("job.lanes"), "--lang", "en"});
    QCOMPARE(said.status, 0);
    QVERIFY2(
        said.out.startsWith("Rank 2 is late (its CPU issues the work later): it came last to 19 of 20 "), said.out);
    const auto json = lanes_with({"ranks", path("job.lanes"), "--json=full"});
    QVERIFY2(json.out.contains("\"reason\": \"host\""), json.out);
    const auto files = lanes_with({"summarize", path("run/rank0.sqlite"), path("run/rank1.sqlite")});
    QVERIFY2(files.status == 0, files.err);
    const auto some = lanes_with({"ranks", path("run/rank0.sqlite.sum"), path("run/rank2.sqlite")});
    QVERIFY2(some.out.contains("missing ranks: 1 (1 of 3)"), some.out);
    const auto twice = lanes_with({"ranks", path("run/rank0.sqlite"), path("run/rank0.sqlite.sum")});
    QCOMPARE(twice.status, 2);
    QVERIFY2(twice.err.contains("are both rank 0"), twice.err);
    QCOMPARE(lanes_with({"gather", path("run")}).status, 2);
    QCOMPARE(lanes_with({"gather", path("nowhere"), "-o", path("x.lanes")}).status, 2);
}

void tst_Gather::namesOfRecordings_data()
{
    QTest::addColumn<QString>("from");  // where it is called
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("job");
    QTest::addColumn<QString>("moved");  // where the job is read then
    QTest::addColumn<bool>("is_moved_whole");
    const auto row = [](const char* name, const char* from, const char* place, const char* job, const char* moved,
                         bool whole) { QTest::newRow(name) << from << place << job << moved << whole; };
    row("the present folder", "work/run", ".", "work/job.lanes", "work/job.lanes", false);
    row("a folder below", "work", "run", "work/job.lanes", "work/job.lanes", false);
    row("beside the job", "work/run", ".", "work/run/job.lanes", "work/run/job.lanes", false);
    row("a job elsewhere", "work", "run", "elsewhere/job.lanes", "elsewhere/job.lanes", false);
    row("a job elsewhere that is moved", "work", "run", "elsewhere/job.lanes", "other/job.lanes", false);
    row("a job that is moved with its recordings", "work", "run", "work/job.lanes", "moved/job.lanes", true);
}

/// A job finds its recordings from wherever it is read.
void tst_Gather::namesOfRecordings()
{
    QFETCH(const QString, from);
    QFETCH(const QString, place);
    QFETCH(const QString, job);
    QFETCH(const QString, moved);
    QFETCH(const bool, is_moved_whole);
    writeRecordings("work/run", 0, 2);
    QVERIFY(QDir().mkpath(path("elsewhere")) && QDir().mkpath(path("other")));
    const auto here = QDir::currentPath();
    QVERIFY(QDir::setCurrent(path(from)));
    auto gathered = gather({place.toStdString()});
    save_ranks(gathered.ranks, nullptr, path(job).toStdString());
    QVERIFY(QDir::setCurrent(here));
    if (is_moved_whole) {
        QVERIFY(QDir().rename(path("work"), path("moved")));
    } else if (moved != job) {
        QVERIFY(QFile::rename(path(job), path(moved)));
    }
    const auto ranks = load_ranks(path(moved).toStdString());
    QCOMPARE(ranks.size(), std::size_t {2});
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto expected
            = path(QStringLiteral("%1/run/rank%2.sqlite").arg(is_moved_whole ? "moved" : "work").arg(i));
        QCOMPARE(QString::fromStdString(ranks[i].file), expected);
    }
}

/// They began where `lanes gather` was called.
void tst_Gather::namesOfEarlierVersions()
{
    writeRecordings("run", 0, 2);
    const auto job = path("job.lanes").toStdString();
    save_ranks(gather({path("run").toStdString()}).ranks, nullptr, job);
    const auto keep = [&](const std::string& name) {
        sqlite3* database = nullptr;
        QCOMPARE(sqlite3_open(job.c_str(), &database), SQLITE_OK);
        const auto change = "UPDATE rank SET file = '" + name + "' WHERE id = 1";
        QCOMPARE(sqlite3_exec(database, change.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
        QCOMPARE(sqlite3_close(database), SQLITE_OK);
    };
    keep("./run/rank0.sqlite");
    QCOMPARE(QString::fromStdString(load_ranks(job).front().file), path("run/rank0.sqlite"));
    keep("rank0.sqlite");
    QCOMPARE(QString::fromStdString(load_ranks(job).front().file), path("rank0.sqlite"));  // it is not there
    const auto here = QDir::currentPath();
    QVERIFY(QDir::setCurrent(path("run")));
    const auto found = load_ranks(job).front().file;
    QVERIFY(QDir::setCurrent(here));
    QCOMPARE(found, std::string("rank0.sqlite"));
}

void tst_Gather::remoteNames_data()
{
    QTest::addColumn<QByteArray>("place");
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<QByteArray>("folder");
    QTest::newRow("here") << QByteArray("run/x") << QByteArray("") << QByteArray("run/x");
    QTest::newRow("there") << QByteArray("node1:/tmp/run") << QByteArray("node1") << QByteArray("/tmp/run");
    QTest::newRow("as a user") << QByteArray("me@node1:run") << QByteArray("me@node1") << QByteArray("run");
    QTest::newRow("a colon in a name") << QByteArray("./a:b") << QByteArray("") << QByteArray("./a:b");
    QTest::newRow("no host") << QByteArray(":x") << QByteArray("") << QByteArray(":x");
}

void tst_Gather::remoteNames()
{
    QFETCH(const QByteArray, place);
    QFETCH(const QByteArray, host);
    QFETCH(const QByteArray, folder);
    const auto found = remote_folder(place.constData());
    QCOMPARE(found.host.c_str(), host.constData());
    QCOMPARE(found.folder.c_str(), folder.constData());
}

void tst_Gather::overSsh_data()
{
    QTest::addColumn<QByteArray>("shell");  // what it does before the command, and with its output
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("as it should be") << QByteArray("eval \"$3\"") << 0 << QByteArray();
    QTest::newRow("a login shell that talks")
        << QByteArray("echo 'Welcome to node1'; echo 12; eval \"$3\"") << 0 << QByteArray();
    // The connection's program ends with it, else it would hold what it writes to open.
    QTest::newRow("cut in the midst") << QByteArray("eval \"$3\" | (dd bs=1 count=9000 2>/dev/null; kill $$)") << 2
                                      << QByteArray("is not whole");
    QTest::newRow("no such host") << QByteArray("exit 255") << 2 << QByteArray("node1: ssh ended with status 255");
    QTest::newRow("no lanes there") << QByteArray("exit 127") << 2 << QByteArray("found no lanes there");
}

/// A program in the place of ssh, which runs the command here.
void tst_Gather::overSsh()
{
    QFETCH(const QByteArray, shell);
    QFETCH(const int, status);
    QFETCH(const QByteArray, says);
    writeRecordings("it's here/run");
    QVERIFY(QDir().mkpath(path("bin")));
    write(path("bin/ssh"),
        "#!/bin/sh\nPATH=" + qEnvironmentVariable("LANES_BUILD").toLocal8Bit() + "/bin:$PATH\n" + shell + "\n");
    QVERIFY(QFile::setPermissions(path("bin/ssh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const auto done = lanes_with({"gather", "node1:" + path("it's here/run"), "-o", path("job.lanes")},
        {"PATH=" + path("bin") + ":" + qEnvironmentVariable("PATH")});
    QVERIFY2(done.status == status, done.err);
    QVERIFY2(done.err.contains(says), done.err);
    QCOMPARE(QFile::exists(path("job.lanes")), status == 0);
    if (status == 0) {
        const auto ranks = load_ranks(path("job.lanes").toStdString());
        QCOMPARE(ranks.size(), std::size_t {4});
        QCOMPARE(ranks.front().identity.host, std::string("node1"));
        QVERIFY(ranks.front().file.starts_with("node1:"));
    }
}

/// Recordings of ranks that were asked for, whole or not at all.
void tst_Gather::wholeRecordings()
{
    writeRecordings("there/run");
    QVERIFY(QDir().mkpath(path("bin")));
    const auto ssh = [&](const QByteArray& shell) {
        write(path("bin/ssh"),
            "#!/bin/sh\nPATH=" + qEnvironmentVariable("LANES_BUILD").toLocal8Bit() + "/bin:$PATH\n" + shell + "\n");
        QVERIFY(QFile::setPermissions(path("bin/ssh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    };
    const auto ask = [&](const QString& ranks) {
        return lanes_with({"gather", "node1:" + path("there/run"), "-o", path("job.lanes"), "--full", ranks},
            {"PATH=" + path("bin") + ":" + qEnvironmentVariable("PATH")});
    };
    ssh("printf 'no line end'; eval \"$3\"");
    const auto done = ask("1,2-3");
    QVERIFY2(done.status == 0, done.err);
    QCOMPARE(QDir(path("job.lanes.full")).entryList(QDir::Files),
        (QStringList {"rank0001.sqlite", "rank0002.sqlite", "rank0003.sqlite"}));
    QCOMPARE(
        QFileInfo(path("job.lanes.full/rank0002.sqlite")).size(), QFileInfo(path("there/run/rank2.sqlite")).size());
    QCOMPARE(open_recording(path("job.lanes.full/rank0002.sqlite").toStdString()).operations.size(),
        m_traces[2].operations.size());
    QVERIFY(QDir(path("job.lanes.full")).removeRecursively());
    // Later the job says where they lie, as the window advises.
    const auto later = lanes_with({"gather", path("job.lanes"), "--full", "3", "-o", path("job.lanes")},
        {"PATH=" + path("bin") + ":" + qEnvironmentVariable("PATH")});
    QVERIFY2(later.status == 0, later.err);
    QCOMPARE(QDir(path("job.lanes.full")).entryList(QDir::Files), QStringList {"rank0003.sqlite"});
    QCOMPARE(load_ranks(path("job.lanes").toStdString()).size(), std::size_t {4});
    QVERIFY(QDir(path("job.lanes.full")).removeRecursively());
    ssh("case \"$3\" in *--send-file*) eval \"$3\" | head -c 5000;; *) eval \"$3\";; esac");
    const auto cut = ask("2");
    QVERIFY2(cut.status == 2 && cut.err.contains("is not whole"), cut.err);
    QVERIFY(QDir(path("job.lanes.full")).entryList(QDir::Files).isEmpty());
    QVERIFY(QFile::exists(path("job.lanes")));  // the summaries had arrived
    ssh("eval \"$3\"");
    QVERIFY(ask("9").err.contains("found rank 9"));
    for (const char* const wrong : {"x", "1-", "3-1", "1,", "-1"}) {
        QVERIFY2(ask(QLatin1String("=").mid(1) + QLatin1String(wrong)).status == 2, wrong);
    }
}

QTEST_GUILESS_MAIN(tst_Gather)
#include "tst_gather.moc"
