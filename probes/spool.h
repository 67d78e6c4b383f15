// SPDX-License-Identifier: MIT
// The spool: an append-only file of chunks of records, readable however it was cut
// short.
//
// A chunk is a 32-byte header {magic, version, kind, writer, sequence, payload
// bytes, record count, CRC-32 of header and payload} and a payload: an array of
// records of one kind, the text of StringIds, or meta data. Several writers, in one
// process or many, may append to one file at once: each chunk leaves in a single
// write() on an O_APPEND descriptor, which Linux's local file systems keep whole.
// StringIds are valid within one writer and are written before the first record
// that uses them.
//
// The reader takes any prefix of a file and any damage in it: it skips what fails
// its checksum, goes on at the next sound chunk and says what it left out.
#pragma once

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

/// Appends chunks to a spool. All functions may be called from any thread.
///
/// A write that fails (disk full, RLIMIT_FSIZE) stops this writer for good: error()
/// says why, later calls do nothing. It never throws and lets no SIGXFSZ through: it lives in strangers' processes.
class SpoolWriter final : public RecordSink {
public:
    SpoolWriter() = default;
    ~SpoolWriter() override;

    /// Opens `path` for appending, creating it if it is not there. False: see error().
    /// The file carries a shared flock() until close(): whoever gets an exclusive one knows that nobody writes to it.
    bool open(const std::string& path);
    void close();

    /// What its chunks carry as their writer.
    std::uint32_t id() const { return m_writer; }

    /// errno of the first failure, 0 if none.
    int error() const { return m_error; }

    /// The text goes to the file with the next chunk of records. Cost: one lookup in a map under the lock.
    StringId intern(std::string_view text) override;
    void write_meta(std::string_view key, std::string_view value) override;

private:
    /// Writes one chunk, or several where the records exceed 4 MiB.
    void append(RecordKind kind, std::span<const std::byte> payload, std::size_t record_size) override;
    void write_chunk(RecordKind kind, std::span<const std::byte> payload, std::uint32_t count);
    void flush_strings();

    std::mutex m_mutex;
    int m_descriptor = -1;
    std::atomic<int> m_error = 0;
    std::uint32_t m_writer = 0;
    std::uint32_t m_sequence = 0;
    std::map<std::string, StringId, std::less<>> m_ids;
    std::vector<std::byte> m_new_strings;
    std::uint32_t m_new_string_count = 0;
};

/// One sound chunk. `payload` is valid during the callback only, and aligned for no type.
struct SpoolChunk {
    RecordKind kind;
    std::uint32_t writer;
    std::uint32_t count;
    std::span<const std::byte> payload;
};

/// How far a spool could be read.
struct SpoolEnd {
    std::uint64_t bytes = 0;  ///< length of the file
    std::uint64_t sound_bytes = 0;  ///< bytes in sound chunks
    std::uint64_t damaged_at = 0;  ///< where the first unsound byte lies, if sound_bytes < bytes
    std::uint64_t chunks = 0;
    std::uint64_t lost_chunks = 0;  ///< missing by their writers' sequence numbers
    std::string note;  ///< "" or one line for people: what was left out and where
};

/// Reads the spool at `path`, calling `take` for each sound chunk in file order.
/// Throws std::system_error when the file cannot be read, std::runtime_error when it
/// is no spool at all. Cost: one pass over the mapped file.
SpoolEnd read_spool(const std::string& path, const std::function<void(const SpoolChunk&)>& take);

/// The same over bytes in memory.
SpoolEnd read_spool(std::span<const std::byte> bytes, const std::function<void(const SpoolChunk&)>& take);

/// Copies the records out of a chunk; empty if its kind is not R's or its size does not fit.
template <Record R> std::vector<R> records_of(const SpoolChunk& chunk);

/// The texts of a `strings` chunk, and the pairs of a `meta` chunk.
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
