// SPDX-License-Identifier: MIT
#include "engine/store/kept_trace.h"
#include "engine/store/sources_key.h"
#include "engine/trace/large_vector.h"
#include "engine/trace/tables.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <span>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t worth_rows = 300'000;  // a file with fewer is read as quickly
constexpr std::size_t chunk_bytes = std::size_t {1} << 20U;
constexpr std::array<char, 8> magic {'L', 'A', 'N', 'E', 'K', 'E', 'P', 'T'};

/// After the head come columns: each a count of bytes, their sum (Sum), then the bytes.
struct Head {
    std::array<char, 8> magic;
    std::array<char, 64> sources;  ///< of the program: another one may have another layout of a Trace
    FileStamp stamp;
    std::uint64_t bytes;  ///< of the whole file
};

/// Two running sums of 32-bit words. The second depends on the places of words: against damage, not forgery.
class Sum {
public:
    void add(std::span<const std::byte> bytes)
    {
        std::size_t at = 0;
        for (; at + sizeof(std::uint64_t) * lanes <= bytes.size(); at += sizeof(std::uint64_t) * lanes) {
            std::array<std::uint64_t, lanes> words;
            std::memcpy(words.data(), bytes.data() + at, sizeof words);
            for (std::size_t i = 0; i < lanes; ++i) {
                m_first[i] += words[i];
                m_second[i] += m_first[i];
            }
        }
        for (; at < bytes.size(); ++at) {
            m_first[at % lanes] += static_cast<std::uint64_t>(bytes[at]);
            m_second[at % lanes] += m_first[at % lanes];
        }
    }
    std::uint64_t value() const
    {
        std::uint64_t all = 0;
        for (std::size_t i = 0; i < lanes; ++i) {
            all = (all ^ m_first[i]) * 0x9E3779B97F4A7C15ULL;
            all = (all ^ m_second[i] ^ all >> 31U) * 0xC2B2AE3D27D4EB4FULL;
        }
        return all;
    }

private:
    static constexpr std::size_t lanes = 8;
    std::array<std::uint64_t, lanes> m_first {}, m_second {};
};

/// The contents of a Trace without its tables.
struct Rest {
    struct Numbers {
        std::int64_t source, origin, duration;
        std::uint64_t dropped;
    };
    std::vector<Numbers> numbers;  ///< one
    std::vector<Ns> marks;
    std::vector<std::uint32_t> lengths;  ///< of the table's texts, then of meta's keys and values, then of marks' texts
    std::vector<char> texts;
    std::vector<std::uint32_t> counts;  ///< of the table's texts, of meta, of marks

    template <class Visit> void each(Visit visit)
    {
        visit(numbers);
        visit(marks);
        visit(lengths);
        visit(texts);
        visit(counts);
    }
};

Rest rest_of(const Trace& trace)
{
    Rest rest;
    rest.numbers.push_back({static_cast<std::int64_t>(trace.source), trace.origin, trace.duration, trace.dropped});
    const auto add = [&](std::string_view text) {
        rest.lengths.push_back(static_cast<std::uint32_t>(text.size()));
        rest.texts.insert(rest.texts.end(), text.begin(), text.end());
    };
    for (StringId id = 0; id < trace.strings.size(); ++id) {
        add(trace.text(id));
    }
    for (const auto& [key, value] : trace.meta) {
        add(key);
        add(value);
    }
    for (const auto& mark : trace.marks) {
        rest.marks.push_back(mark.time);
        add(mark.text);
    }
    rest.counts = {static_cast<std::uint32_t>(trace.strings.size()), static_cast<std::uint32_t>(trace.meta.size()),
        static_cast<std::uint32_t>(trace.marks.size())};
    return rest;
}

/// False: the parts do not fit together.
bool take_rest(const Rest& rest, Trace& trace)
{
    if (rest.numbers.size() != 1 || rest.counts.size() != 3
        || rest.lengths.size() != std::uint64_t {rest.counts[0]} + 2 * std::uint64_t {rest.counts[1]} + rest.counts[2]
        || rest.marks.size() != rest.counts[2] || rest.numbers[0].source < 0
        || rest.numbers[0].source > static_cast<std::int64_t>(Source::unknown)) {
        return false;
    }
    trace.source = static_cast<Source>(rest.numbers[0].source);
    trace.origin = rest.numbers[0].origin;
    trace.duration = rest.numbers[0].duration;
    trace.dropped = rest.numbers[0].dropped;
    std::string_view texts(rest.texts.data(), rest.texts.size());
    std::size_t at = 0;
    bool fits = true;
    const auto next = [&] {
        const std::size_t length = rest.lengths[at++];
        fits = fits && length <= texts.size();
        const auto text = texts.substr(0, length);
        texts.remove_prefix(std::min(length, texts.size()));
        return text;
    };
    for (StringId id = 0; id < rest.counts[0] && fits; ++id) {
        fits = trace.strings.intern(next()) == id && fits;
    }
    for (std::uint32_t i = 0; i < rest.counts[1] && fits; ++i) {
        const auto key = next();
        trace.meta.emplace(key, next());
    }
    for (const auto time : rest.marks) {
        if (fits) {
            trace.marks.push_back({time, std::string(next())});
        }
    }
    return fits && texts.empty();
}

class OpenFile {
public:
    explicit OpenFile(int file)
        : m_file(file)
    {
    }
    ~OpenFile()
    {
        if (m_file >= 0) {
            ::close(m_file);
        }
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    explicit operator bool() const { return m_file >= 0; }
    int get() const { return m_file; }
    bool read(void* to, std::size_t bytes) const
    {
        auto* at = static_cast<char*>(to);
        while (bytes > 0) {
            const auto got = ::read(m_file, at, bytes);
            if (got <= 0 && !(got < 0 && errno == EINTR)) {
                return false;
            }
            at += std::max<ssize_t>(got, 0);
            bytes -= static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        }
        return true;
    }
    bool write(const void* from, std::size_t bytes) const
    {
        const auto* at = static_cast<const char*>(from);
        while (bytes > 0) {
            const auto put = ::write(m_file, at, std::min(bytes, std::size_t {1} << 30U));
            if (put < 0 && errno != EINTR) {
                return false;
            }
            at += std::max<ssize_t>(put, 0);
            bytes -= static_cast<std::size_t>(std::max<ssize_t>(put, 0));
        }
        return true;
    }

private:
    int m_file;
};

/// The folder of kept traces; "": there is none.
fs::path folder()
{
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    if (cache != nullptr && *cache == '/') {
        return fs::path(cache) / "lanescope" / "traces";
    }
    return home != nullptr && *home == '/' ? fs::path(home) / ".cache" / "lanescope" / "traces" : fs::path();
}

/// The file for the recording at a path; if two share it, each replaces the other, as their stamps differ.
fs::path place_of(const std::string& path)
{
    const auto where = folder();
    std::error_code error;
    const auto whole = fs::canonical(path, error).string();
    if (where.empty() || error) {
        return {};
    }
    std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a
    for (const char c : whole) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    }
    std::array<char, 24> name {};
    std::snprintf(name.data(), name.size(), "%016llx.kept", static_cast<unsigned long long>(hash));
    return where / name.data();
}

Head head_of(const FileStamp& stamp, std::uint64_t bytes)
{
    Head head {magic, {}, stamp, bytes};
    std::strncpy(head.sources.data(), sources_key, head.sources.size() - 1);
    return head;
}

/// Makes room for a new one of `bytes` by removing the oldest.
bool make_room(const fs::path& where, std::uint64_t bytes)
{
    struct Kept {
        fs::file_time_type used;
        std::uint64_t bytes;
        fs::path path;
    };
    std::vector<Kept> all;
    std::uint64_t sum = bytes;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(where, error)) {
        std::error_code gone;
        const auto size = entry.file_size(gone);
        const auto used = entry.last_write_time(gone);
        if (!gone) {
            all.push_back({used, size, entry.path()});
            sum += size;
        }
    }
    std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
    for (const auto& kept : all) {
        if (sum > most_kept_bytes) {
            std::error_code ignored;
            fs::remove(kept.path, ignored);
            sum -= kept.bytes;
        }
    }
    const auto space = fs::space(where, error);
    return sum <= most_kept_bytes && !error && space.available / 4 > bytes;
}

template <class T> std::span<const std::byte> bytes_of(const std::vector<T>& column)
{
    static_assert(std::is_trivially_copyable_v<T>);
    return std::as_bytes(std::span(column));
}

bool write_all(const OpenFile& file, const Trace& trace, Rest& rest, const Head& head)
{
    bool good = file.write(&head, sizeof head);
    const auto put = [&](const auto& column) {
        const auto bytes = bytes_of(column);
        Sum sum;
        sum.add(bytes);
        const std::array<std::uint64_t, 2> words {bytes.size(), sum.value()};
        good = good && file.write(words.data(), sizeof words) && file.write(bytes.data(), bytes.size());
    };
    for_each_vector(trace, put);
    rest.each(put);
    return good;
}

class Reader {
public:
    Reader(const OpenFile& file, std::uint64_t bytes, const Progress& progress)
        : m_file(file)
        , m_bytes(bytes)
        , m_left(bytes)
        , m_progress(progress)
    {
    }
    template <class T> void take(std::vector<T>& column)
    {
        std::array<std::uint64_t, 2> words {};
        if (!m_good || m_left < sizeof words || !m_file.read(words.data(), sizeof words)) {
            m_good = false;
            return;
        }
        m_left -= sizeof words;
        const auto [bytes, expected] = words;
        m_good = bytes <= m_left && bytes % sizeof(T) == 0 && bytes / sizeof(T) < no_row;
        if (!m_good) {
            return;
        }
        m_left -= bytes;
        reserve_large(column, bytes / sizeof(T));
        Sum sum;
        constexpr std::size_t at_once
            = chunk_bytes / 64 * 64 / sizeof(T) > 64 ? chunk_bytes / 64 * 64 / sizeof(T) / 64 * 64 : 64;
        // In steps: new memory is filled while its zeros are still in the processor's cache. Each step but the last is
        // a whole number of the sum's blocks.
        while (m_good && column.size() < bytes / sizeof(T)) {
            const auto old = column.size();
            const auto more = std::min<std::size_t>(at_once, bytes / sizeof(T) - old);
            column.resize(old + more);
            m_good = m_file.read(column.data() + old, more * sizeof(T));
            sum.add(std::as_bytes(std::span(column).subspan(old)));
            m_progress.report(1 - static_cast<double>(m_left) / static_cast<double>(m_bytes));
        }
        m_good = m_good && sum.value() == expected;
    }
    bool whole() const { return m_good && m_left == 0; }

private:
    const OpenFile& m_file;
    std::uint64_t m_bytes, m_left;
    const Progress& m_progress;
    bool m_good = true;
};

}  // namespace

std::optional<FileStamp> stamp_of(const std::string& path)
{
    struct stat s { };
    if (::stat(path.c_str(), &s) != 0 || !S_ISREG(s.st_mode)) {
        return {};
    }
    const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
    return FileStamp {number(s.st_dev), number(s.st_ino), number(s.st_size), number(s.st_mtim.tv_sec),
        number(s.st_mtim.tv_nsec), number(s.st_ctim.tv_sec), number(s.st_ctim.tv_nsec)};
}

std::optional<Trace> kept_trace(const std::string& path, const FileStamp& stamp, const Progress& progress)
{
    try {
        const auto place = place_of(path);
        const OpenFile file(place.empty() ? -1 : ::open(place.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        struct stat status { };
        Head head {};
        if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid()
            || !file.read(&head, sizeof head)) {
            return {};
        }
        const auto expected = head_of(stamp, static_cast<std::uint64_t>(status.st_size));
        if (std::memcmp(&head, &expected, sizeof head) != 0) {
            return {};
        }
        Trace trace;
        Rest rest;
        Reader reader(file, head.bytes - sizeof head, progress);
        for_each_vector(trace, [&](auto& column) { reader.take(column); });
        rest.each([&](auto& column) { reader.take(column); });
        if (!reader.whole() || !take_rest(rest, trace) || !is_possible(trace)) {
            return {};
        }
        ::futimens(file.get(), nullptr);  // marks it as used
        return trace;
    } catch (const std::bad_alloc&) {
    } catch (const std::system_error&) {
    }
    return {};
}

void keep_trace(const std::string& path, const FileStamp& stamp, const Trace& trace) noexcept
{
    try {
        if (trace.operations.size() + trace.calls.size() + trace.ranges.size() + trace.samples.size() < worth_rows) {
            return;
        }
        const auto place = place_of(path);
        if (place.empty() || !is_possible(trace)) {
            return;
        }
        auto rest = rest_of(trace);
        std::uint64_t bytes = sizeof(Head);
        const auto count = [&](const auto& column) { bytes += 2 * sizeof(std::uint64_t) + bytes_of(column).size(); };
        for_each_vector(trace, count);
        rest.each(count);
        fs::create_directories(place.parent_path());
        ::chmod(place.parent_path().c_str(), S_IRWXU);
        if (!make_room(place.parent_path(), bytes)) {
            return;
        }
        const auto beside = place.string() + "." + std::to_string(::getpid());
        const OpenFile file(
            ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
        if (!file) {
            return;
        }
        if (!write_all(file, trace, rest, head_of(stamp, bytes)) || ::rename(beside.c_str(), place.c_str()) != 0) {
            ::unlink(beside.c_str());
        }
    } catch (...) {  // the file can be read again
    }
}

}  // namespace lanes
