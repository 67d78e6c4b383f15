// SPDX-License-Identifier: MIT
#include "engine/store/json_text.h"
#include "engine/store/recording_file.h"
#include "probes/regular_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <unistd.h>
#include <zlib.h>

namespace lanes {

namespace {

constexpr std::size_t piece = std::size_t {4} << 20U;  // read at once

/// As read(), but all of `size` unless the file ends.
std::size_t read_all(int file, char* to, std::size_t size, const std::string& path)
{
    std::size_t got = 0;
    while (got < size) {
        const auto count = ::read(file, to + got, std::min(size - got, piece));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            throw std::system_error(errno, std::generic_category(), path);
        }
        if (count == 0) {
            break;
        }
        got += static_cast<std::size_t>(count);
    }
    return got;
}

std::size_t size_of(int file)
{
    struct stat status { };
    return ::fstat(file, &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
}

/// Closes what it holds.
struct File {
    int descriptor;
    explicit File(int opened)
        : descriptor(opened)
    {
    }
    ~File() { ::close(descriptor); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
};

struct Inflater {
    z_stream stream {};
    Inflater() { inflateInit2(&stream, 15 + 16); }  // 16: gzip's header and trailer
    ~Inflater() { inflateEnd(&stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
};

}  // namespace

JsonText::JsonText(const std::string& path, const Progress& progress)
{
    const File file(open_file(path));
    std::array<char, 2> begin {};
    const bool gzip
        = read_all(file.descriptor, begin.data(), begin.size(), path) == 2 && begin[0] == '\x1F' && begin[1] == '\x8B';
    ::lseek(file.descriptor, 0, SEEK_SET);
    gzip ? read_gzip(file.descriptor, path, progress) : read_plain(file.descriptor, path, progress);
    m_bytes.resize(m_size + json_padding);
    std::fill(m_bytes.end() - json_padding, m_bytes.end(), '\0');
}

void JsonText::read_plain(int file, const std::string& path, const Progress& progress)
{
    const auto size = size_of(file);
    if (size > most_json_bytes) {
        throw StoreError(path + ": is larger than the 16 GiB of JSON that can be opened");
    }
    m_bytes.resize(size + json_padding);
    while (m_size < size) {
        const auto got = read_all(file, m_bytes.data() + m_size, std::min(piece, size - m_size), path);
        if (got == 0) {
            break;
        }
        m_size += got;
        progress.report(static_cast<double>(m_size) / static_cast<double>(size));
    }
}

void JsonText::read_gzip(int file, const std::string& path, const Progress& progress)
{
    const auto packed_size = std::max<std::size_t>(size_of(file), 1);
    std::string packed(piece, '\0');
    Inflater inflater;
    auto& z = inflater.stream;
    std::size_t read = 0;
    int status = Z_OK;
    while (true) {
        if (z.avail_in == 0) {
            const auto got = read_all(file, packed.data(), packed.size(), path);
            if (got == 0) {
                m_cut = status != Z_STREAM_END;
                break;
            }
            read += got;
            z.next_in = reinterpret_cast<Bytef*>(packed.data());
            z.avail_in = static_cast<uInt>(got);
            progress.report(static_cast<double>(read) / static_cast<double>(packed_size));
        }
        if (status == Z_STREAM_END) {  // gzip files may be joined end to end
            inflateReset(&z);
        }
        if (m_bytes.size() - m_size < piece) {
            m_bytes.resize(std::max(m_bytes.size() * 2, m_size + 2 * piece));
        }
        const auto room = static_cast<uInt>(std::min<std::size_t>(m_bytes.size() - m_size, std::size_t {1} << 30U));
        z.next_out = reinterpret_cast<Bytef*>(m_bytes.data() + m_size);
        z.avail_out = room;
        status = inflate(&z, Z_NO_FLUSH);
        m_size += room - z.avail_out;
        if (m_size > most_json_bytes) {
            throw StoreError(path + ": unpacks to more than the 16 GiB of JSON that can be opened");
        }
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
            if (m_size == 0) {
                throw StoreError(path + ": is a damaged gzip file");
            }
            m_cut = true;
            break;
        }
    }
}

std::size_t skip_space(std::string_view text, std::size_t at)
{
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
        ++at;
    }
    return at;
}

namespace {

/// One past the string whose quote is at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at)
{
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == '"') {
            return at + 1;
        }
    }
    return std::string_view::npos;
}

}  // namespace

std::size_t end_of_value(std::string_view text, std::size_t at)
{
    if (at >= text.size()) {
        return std::string_view::npos;
    }
    if (text[at] == '"') {
        return end_of_string(text, at);
    }
    if (text[at] != '{' && text[at] != '[') {
        const auto end = text.find_first_of(",]} \t\r\n", at);
        return end == std::string_view::npos ? text.size() : std::max(end, at + 1);
    }
    std::size_t depth = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            at = end_of_string(text, at);
            if (at == std::string_view::npos) {
                return at;
            }
            continue;
        }
        if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return at + 1;
        }
        ++at;
    }
    return std::string_view::npos;
}

std::string place_in(std::string_view text, std::size_t at)
{
    const auto before = text.substr(0, at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto last = before.find_last_of('\n');
    const auto column = last == std::string_view::npos ? at + 1 : at - last;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace lanes
