// SPDX-License-Identifier: MIT
#include "engine/job/job_file.h"

#include "engine/job/gather.h"
#include "engine/split.h"
#include "engine/store/atomic_file.h"
#include "engine/store/sqlite_database.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <span>
#include <sstream>
#include <system_error>
#include <thread>

namespace lanes {

namespace {

constexpr std::int64_t job_format = 5;
constexpr std::size_t most_ranks = 1 << 16;
constexpr const char* schema = R"(
CREATE TABLE job(format INTEGER NOT NULL);
CREATE TABLE rank(id INTEGER PRIMARY KEY, file TEXT, device TEXT, rank INTEGER, world INTEGER, restarts INTEGER,
    rule TEXT, host TEXT, clock TEXT, gpu TEXT, process INTEGER, told TEXT, start INTEGER, "end" INTEGER,
    operations INTEGER, dropped INTEGER, complete INTEGER, busy INTEGER, compute INTEGER, communication INTEGER,
    exposed INTEGER, copies INTEGER, blocked INTEGER, names TEXT, rounds TEXT, collectives BLOB, chain BLOB, steps BLOB, bins BLOB);
CREATE TABLE clock(rank INTEGER, "from" INTEGER, "to" INTEGER, ahead_from INTEGER, ahead_to INTEGER,
    uncertainty INTEGER, method TEXT);
)";
constexpr const char* columns
    = R"(file, device, rank, world, restarts, rule, host, clock, gpu, process, told, start, "end",
    operations, dropped, complete, busy, compute, communication, exposed, copies, blocked, names, rounds, collectives,
    chain, steps, bins)";
constexpr int column_count = 28;

/// Lines; names have none within.
std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += (i == 0 ? "" : "\n") + lines[i];
    }
    return text;
}

std::string told_text(const RankIdentity& identity)
{
    std::vector<std::string> lines;
    for (const auto& [name, value] : identity.told) {
        lines.push_back(name + '=' + value);
    }
    return joined(lines);
}

/// A line each: who asked, then when it asked, was answered, had the answer.
std::string rounds_text(const RankSummary& rank)
{
    std::vector<std::string> lines;
    for (const auto& round : rank.rounds) {
        lines.push_back(std::to_string(round.sent) + ' ' + std::to_string(round.there) + ' '
            + std::to_string(round.back) + ' ' + round.asker);
    }
    return joined(lines);
}

std::vector<ClockRound> rounds_of(std::string_view text)
{
    constexpr std::size_t most_rounds = 100;
    std::vector<ClockRound> rounds;
    for (const auto line : split_at(text, '\n')) {
        std::istringstream words {std::string(line)};
        ClockRound round;
        if (rounds.size() < most_rounds && words >> round.sent >> round.there >> round.back
            && std::getline(words >> std::ws, round.asker) && is_sane(round.sent) && is_sane(round.there)
            && is_sane(round.back) && round.sent <= round.back) {
            rounds.push_back(std::move(round));
        }
    }
    return rounds;
}

/// What the file of summaries at `path` keeps as the name of a recording: from its own folder on where the recording
/// lies below that, so that both may be moved together; else from the root. What lies on another host keeps its name.
std::string kept_name(const std::string& recording, const std::string& path)
{
    if (recording.empty() || !remote_folder(recording).host.empty()) {
        return recording;
    }
    const auto whole = std::filesystem::absolute(recording).lexically_normal();
    const auto folder = std::filesystem::absolute(path).lexically_normal().parent_path();
    const auto below = whole.lexically_relative(folder);
    if (below.empty() || *below.begin() == "..") {
        return whole.string();
    }
    const auto name = below.string();
    return name.find(':') < name.find('/') ? "./" + name : name;  // it is no HOST:PATH
}

/// The other way round. A name that an earlier version kept began in the folder where `lanes gather` was called: it
/// counts from the present folder where there is such a file, and none beside the summaries.
std::string found_name(const std::string& kept, const std::string& path)
{
    const std::filesystem::path name = kept;
    if (kept.empty() || name.is_absolute() || !remote_folder(kept).host.empty()) {
        return kept;
    }
    const auto beside = (std::filesystem::path(path).parent_path() / name).lexically_normal();
    std::error_code none;
    return !std::filesystem::exists(beside, none) && std::filesystem::exists(name, none) ? kept : beside.string();
}

void write_rank(const Database& database, const RankSummary& rank, const std::string& path)
{
    std::string marks = "?";
    for (int i = 1; i < column_count; ++i) {
        marks += ",?";
    }
    Statement insert(database, std::string("INSERT INTO rank(") + columns + ") VALUES(" + marks + ")");
    int at = 0;
    const auto number = [&](std::int64_t value) { insert.bind(at++, value); };
    const auto text = [&](std::string_view value) { insert.bind(at++, value); };
    const auto told = told_text(rank.identity);
    const auto names = joined(rank.names);
    const auto file = kept_name(rank.file, path);
    text(file);
    text(rank.device);
    number(rank.identity.rank);
    number(rank.identity.world);
    number(rank.identity.restarts);
    text(rank.identity.rule);
    text(rank.identity.host);
    text(rank.identity.clock);
    text(rank.identity.gpu);
    number(rank.identity.process);
    text(told);
    number(rank.start);
    number(rank.end);
    number(static_cast<std::int64_t>(rank.operations));
    number(static_cast<std::int64_t>(rank.dropped));
    number(rank.complete ? 1 : 0);
    for (const Ns time : {rank.times.busy, rank.times.compute, rank.times.communication, rank.times.exposed,
             rank.times.copies, rank.times.blocked}) {
        number(time);
    }
    text(names);
    const auto rounds = rounds_text(rank);
    text(rounds);
    const std::array<std::vector<std::byte>, 4> blobs {
        packed_collectives(rank), packed_chain(rank), packed_steps(rank), packed_bins(rank)};
    for (const auto& blob : blobs) {
        insert.bind(at++, std::span<const std::byte>(blob));
    }
    insert.step();
}

void write_clocks(const Database& database, const JobMeetings& meetings)
{
    Statement insert(database, "INSERT INTO clock VALUES(?,?,?,?,?,?,?)");
    for (std::size_t rank = 0; rank < meetings.clock_of.size(); ++rank) {
        const auto& clock = meetings.alignment.clocks[meetings.clock_of[rank]];
        for (const auto& piece : clock.pieces) {
            const Ns from = piece.windows.front().at;
            const Ns to = piece.windows.back().at;
            Ns widest = 0;
            for (const auto& window : piece.windows) {
                widest = std::max(widest, window.half());
            }
            insert.bind(0, static_cast<std::int64_t>(rank));
            insert.bind(1, from);
            insert.bind(2, to);
            insert.bind(3, clock.ahead(from));
            insert.bind(4, clock.ahead(to));
            insert.bind(5, widest);
            insert.bind(6, std::string_view("collectives"));
            insert.step();
            insert.reset();
        }
    }
}

/// A row that was read but not yet unpacked.
struct ReadRank {
    RankSummary rank;
    PackedRank packed;
};

std::vector<std::byte> blob_of(const Statement& row, int column)
{
    const auto blob = row.blob(column);
    return {blob.begin(), blob.end()};
}

ReadRank read_rank(const Statement& row, const std::string& path)
{
    ReadRank read;
    auto& rank = read.rank;
    int at = 0;
    const auto text = [&] { return std::string(row.text(at++)); };
    const auto number = [&] { return row.integer(at++); };
    const auto time = [&] {
        const auto value = row.integer(at++);
        if (!is_sane(value)) {
            throw JobFileError("'" + path + "' is damaged: a rank has a time that cannot be");
        }
        return value;
    };
    rank.file = found_name(text(), path);
    rank.device = text();
    rank.identity.rank = number();
    rank.identity.world = number();
    rank.identity.restarts = number();
    rank.identity.rule = text();
    rank.identity.host = text();
    rank.identity.clock = text();
    rank.identity.gpu = text();
    rank.identity.process = static_cast<std::uint32_t>(number());
    for (const auto line : split_at(row.text(at++), '\n')) {
        if (const auto equals = line.find('='); equals != std::string_view::npos) {
            rank.identity.told[std::string(line.substr(0, equals))] = line.substr(equals + 1);
        }
    }
    rank.start = time();
    rank.end = time();
    constexpr std::int64_t most_ranks = std::int64_t {1} << 32U;
    if (rank.end < rank.start || std::max(rank.identity.rank, rank.identity.world) > most_ranks) {
        throw JobFileError("'" + path + "' is damaged: a rank ends before it begins, or has a number that cannot be");
    }
    rank.operations = static_cast<std::uint64_t>(number());
    rank.dropped = static_cast<std::uint64_t>(number());
    rank.complete = number() != 0;
    for (Ns* const each : {&rank.times.busy, &rank.times.compute, &rank.times.communication, &rank.times.exposed,
             &rank.times.copies, &rank.times.blocked}) {
        *each = time();
    }
    const auto names = split_at(row.text(at++), '\n');
    rank.names.assign(names.begin(), names.end());
    rank.rounds = rounds_of(row.text(at++));
    read.packed.collectives = blob_of(row, at);
    read.packed.chain = blob_of(row, at + 1);
    read.packed.steps = blob_of(row, at + 2);
    read.packed.bins = blob_of(row, at + 3);
    return read;
}

/// Unpacks on two threads; the first error is thrown.
void unpack_all(std::vector<ReadRank>& ranks, const std::string& path)
{
    std::atomic<std::size_t> next {0};
    std::mutex mutex;
    std::exception_ptr error;
    const auto work = [&] {
        for (auto i = next++; i < ranks.size(); i = next++) {
            try {
                unpack(ranks[i].packed, path, ranks[i].rank);
                ranks[i].packed = {};
            } catch (...) {
                const std::lock_guard lock(mutex);
                error = error ? error : std::current_exception();
            }
        }
    };
    std::thread other(work);
    work();
    other.join();
    if (error) {
        std::rethrow_exception(error);
    }
}

bool has_summaries(const Database& database)
{
    Statement tables(database, "SELECT count(*) FROM sqlite_schema WHERE type='table' AND name IN ('job','rank')");
    return tables.step() && tables.integer(0) == 2;
}

void expect_format(const Database& database, const std::string& path)
{
    if (!has_summaries(database)) {
        throw JobFileError("'" + path
            + "' has no summaries: expected job.lanes of lanes gather or FILE.sum of lanes "
              "summarize");
    }
    Statement format(database, "SELECT format FROM job");
    const auto found = format.step() ? format.integer(0) : 0;
    if (found != job_format) {
        throw JobFileError("'" + path + "' has summaries of format " + std::to_string(found)
            + ", this lanes reads format " + std::to_string(job_format) + ": gather them again");
    }
}

}  // namespace

void save_ranks(const std::vector<RankSummary>& ranks, const JobMeetings* meetings, const std::string& path)
{
    AtomicFile file(path);
    try {
        auto database = Database::create(file.beside(), 4096);
        database.run("BEGIN");
        database.run(schema);
        database.run(("INSERT INTO job VALUES(" + std::to_string(job_format) + ")").c_str());
        for (const auto& rank : ranks) {
            write_rank(database, rank, path);
        }
        if (meetings != nullptr) {
            write_clocks(database, *meetings);
        }
        database.run("COMMIT");
    } catch (const SqliteError& error) {
        throw std::system_error(
            error.system != 0 ? error.system : EIO, std::generic_category(), "cannot write " + path);
    }
    file.commit();
}

bool is_ranks_file(const std::string& path)
{
    std::array<char, 16> head {};
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {  // a FIFO would be waited for
        return false;
    }
    std::ifstream file(path, std::ios::binary);
    if (!file.read(head.data(), head.size()) || std::string_view(head.data(), 15) != "SQLite format 3") {
        return false;
    }
    try {
        return has_summaries(Database::open_untrusted(path));
    } catch (const SqliteError&) {
        return false;
    }
}

std::vector<RankSummary> load_ranks(const std::string& path)
{
    std::vector<ReadRank> read;
    if (!std::ifstream(path)) {
        throw std::system_error(errno != 0 ? errno : ENOENT, std::generic_category(), "cannot open '" + path + "'");
    }
    try {
        const auto database = Database::open_untrusted(path);
        expect_format(database, path);
        Statement rows(database, std::string("SELECT ") + columns + " FROM rank ORDER BY id");
        while (rows.step()) {
            if (read.size() == most_ranks) {
                throw JobFileError("'" + path + "' has more than " + std::to_string(most_ranks) + " ranks");
            }
            read.push_back(read_rank(rows, path));
        }
    } catch (const SqliteError& error) {
        throw JobFileError("'" + path + "' is no file of summaries, or it is damaged: " + error.what());
    }
    unpack_all(read, path);
    std::vector<RankSummary> ranks;
    ranks.reserve(read.size());
    for (auto& each : read) {
        ranks.push_back(std::move(each.rank));
    }
    return ranks;
}

}  // namespace lanes
