// SPDX-License-Identifier: MIT
// The spool: an append-only file of chunks of records, which can be read wherever it was cut off.
//
// A chunk is a 32-byte header {magic, version, kind, writer, sequence, payload bytes, record count, CRC-32 of header
// and payload} and a payload: an array of records of one kind, the texts of StringIds, or meta data. Several writers,
// in one or many processes, may append to a file concurrently: each chunk is a single write() to an O_APPEND
// descriptor, which Linux's local file systems do not interleave. StringIds are valid within one writer and are written
// before the first record that uses them.
//
// The reader accepts any prefix of a file and any damage: it skips chunks with a wrong checksum, continues at the next
// sound chunk, and reports what it skipped.
#pragma once

#include "probes/high_descriptor.h"
#include "probes/record_sink.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// Appends chunks to a spool. All functions are thread-safe.
///
/// A failed write (disk full, RLIMIT_FSIZE) stops the writer for good: error() says why, later calls do nothing. So
/// does a program that closes the descriptor or opens something else under its number (EBADF): that is never written
/// to. Because it runs inside other people's programs, it suppresses SIGXFSZ. It throws std::bad_alloc only, from
/// intern() and write_meta().
class SpoolWriter final : public RecordSink {
public:
    SpoolWriter() = default;
    ~SpoolWriter() override;

    /// Opens or creates `path` for appending. False: see error(). Holds a shared flock() until close(), so an exclusive
    /// lock can only be taken when nobody is writing.
    bool open(const std::string& path);
    void close();

    /// The writer id in its chunks.
    std::uint32_t id() const { return m_writer; }

    /// errno of the first failure, 0 if none.
    int error() const { return m_error; }

    /// The text is written with the next chunk of records. Cost: one map look-up under a lock.
    StringId intern(std::string_view text) override;
    void write_meta(std::string_view key, std::string_view value) override;

private:
    /// Writes one chunk, or several if the records exceed 4 MiB.
    void append(RecordKind kind, std::span<const std::byte> payload, std::size_t record_size) override;
    void write_chunk(RecordKind kind, std::span<const std::byte> payload, std::uint32_t count);
    void flush_strings();

    std::mutex m_mutex;
    int m_descriptor = -1;
    FileIdentity m_file;
    std::atomic<int> m_error = 0;
    std::uint32_t m_writer = 0;
    std::uint32_t m_sequence = 0;
    std::map<std::string, StringId, std::less<>> m_ids;
    std::vector<std::byte> m_new_strings;
    std::uint32_t m_new_string_count = 0;
};

/// A sound chunk. `payload` is valid only during the callback, and unaligned.
struct SpoolChunk {
    RecordKind kind;
    std::uint32_t writer;
    std::uint32_t count;
    std::span<const std::byte> payload;
};

/// How much of a spool could be read.
struct SpoolEnd {
    std::uint64_t bytes = 0;  ///< length of the file
    std::uint64_t sound_bytes = 0;  ///< bytes in sound chunks
    std::uint64_t damaged_at = 0;  ///< offset of the first unsound byte, if sound_bytes < bytes
    std::uint64_t chunks = 0;
    std::uint64_t lost_chunks = 0;  ///< number missing in the writers' sequences
    std::string note;  ///< one line for the user about what was skipped and where, or ""
};

/// Reads the spool at `path` and calls `take` for each sound chunk in file order. Throws std::system_error if the file
/// cannot be read, std::runtime_error if it is not a spool. A file that becomes shorter meanwhile ends there. Cost: one
/// pass over the file; memory for the longest chunk.
SpoolEnd read_spool(const std::string& path, const std::function<void(const SpoolChunk&)>& take);

/// The same for bytes in memory.
SpoolEnd read_spool(std::span<const std::byte> bytes, const std::function<void(const SpoolChunk&)>& take);

/// Copies the records out of a chunk; empty if it has another kind or a wrong size.
template <Record R> std::vector<R> records_of(const SpoolChunk& chunk);

/// The texts of a `strings` chunk, and the keys and values of a `meta` chunk.
struct SpoolText {
    StringId id;
    std::string_view text;
};
std::vector<SpoolText> strings_of(const SpoolChunk& chunk);
std::vector<std::array<std::string_view, 2>> meta_of(const SpoolChunk& chunk);

template <Record R> std::vector<R> records_of(const SpoolChunk& chunk)
{
    std::vector<R> records;
    if (chunk.kind != R::kind || chunk.payload.size() != chunk.count * sizeof(R)) {
        return records;
    }
    records.resize(chunk.count);
    std::copy_n(chunk.payload.data(), chunk.payload.size(), reinterpret_cast<std::byte*>(records.data()));
    return records;
}

}  // namespace lanes
