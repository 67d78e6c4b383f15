// SPDX-License-Identifier: MIT
#include "engine/store/json_text.h"
#include "engine/store/inflater.h"
#include "engine/store/recording_file.h"
#include "probes/regular_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <unistd.h>

namespace lanes {

namespace {

constexpr std::size_t packed_piece = std::size_t {1} << 18U;  // read at once

/// As read(), but all of `size` unless the file ends.
std::size_t read_all(int file, char* to, std::size_t size, const std::string& path)
{
    std::size_t got = 0;
    while (got < size) {
        const auto count = ::read(file, to + got, size - got);
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

}  // namespace

struct JsonSource::State {
    /// Closes the file.
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

    std::string path;
    File file;
    std::size_t packed_size = 1, packed_read = 0, given = 0;
    bool gzip = false, ended = false, cut = false;
    Inflater inflater {Inflater::gzip};
    std::string packed;

    explicit State(const std::string& path_)
        : path(path_)
        , file(open_file(path_))
        , packed_size(std::max<std::size_t>(size_of(file.descriptor), 1))
    {
    }

    std::size_t read_plain(char* to, std::size_t size)
    {
        const auto got = read_all(file.descriptor, to, size, path);
        packed_read += got;
        return got;
    }

    std::size_t read_gzip(char* to, std::size_t size)
    {
        auto& z = inflater.stream;
        std::size_t got = 0;
        while (got < size && !ended) {
            if (z.avail_in == 0) {
                const auto more = read_all(file.descriptor, packed.data(), packed.size(), path);
                if (more == 0) {
                    cut = !member_ended && !is_junk(true);
                    ended = true;
                    break;
                }
                packed_read += more;
                z.next_in = reinterpret_cast<Bytef*>(packed.data());
                z.avail_in = static_cast<uInt>(more);
            }
            if (member_ended) {  // gzip files may be joined end to end
                inflateReset(&z);
                is_later = true;
            }
            const auto room = static_cast<uInt>(std::min<std::size_t>(size - got, std::size_t {1} << 30U));
            z.next_out = reinterpret_cast<Bytef*>(to + got);
            z.avail_out = room;
            const int status = inflate(&z, Z_NO_FLUSH);
            member_ended = status == Z_STREAM_END;
            got += room - z.avail_out;
            if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
                if (is_junk(false)) {
                    ended = true;
                    break;
                }
                if (given + got == 0) {
                    throw StoreError(path + ": is a damaged gzip file");
                }
                cut = ended = true;
            }
        }
        return got;
    }

    /// Whether what follows a member is no member: padding or anything else, which gzip ignores, too. `at_end`: no more
    /// bytes come.
    bool is_junk(bool at_end) const
    {
        constexpr uLong magic = 2;
        return is_later && inflater.stream.total_in < magic + (at_end ? 0 : 1);
    }

    bool member_ended = false, is_later = false;
};

JsonSource::JsonSource(const std::string& path)
    : m_state(std::make_unique<State>(path))
{
    std::array<char, 2> begin {};
    const int file = m_state->file.descriptor;
    m_state->gzip = read_all(file, begin.data(), begin.size(), path) == 2 && begin[0] == '\x1F' && begin[1] == '\x8B';
    ::lseek(file, 0, SEEK_SET);
    if (m_state->gzip) {
        m_state->packed.resize(packed_piece);
    }
}

JsonSource::~JsonSource() = default;

std::size_t JsonSource::read(char* to, std::size_t size)
{
    const auto got = m_state->gzip ? m_state->read_gzip(to, size) : m_state->read_plain(to, size);
    m_state->given += got;
    if (m_state->given > most_json_bytes) {
        throw StoreError(m_state->path
            + (m_state->gzip ? ": unpacks to more than the 16 GiB that can be opened"
                             : ": is larger than the 16 GiB that can be opened"));
    }
    return got;
}

bool JsonSource::cut_short() const
{
    return m_state->cut;
}

double JsonSource::fraction() const
{
    return static_cast<double>(m_state->packed_read) / static_cast<double>(m_state->packed_size);
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

std::size_t last_gap(std::string_view text, std::size_t at)
{
    const auto before = [&](std::size_t place) {  // the last byte before `place` that is no white space; `at` if none
        while (place > at
            && (text[place - 1] == ' ' || text[place - 1] == '\n' || text[place - 1] == '\r'
                || text[place - 1] == '\t')) {
            --place;
        }
        return place > at ? place - 1 : at;
    };
    for (auto open = text.rfind('{'); open != std::string_view::npos && open > at; open = text.rfind('{', open - 1)) {
        const auto comma = before(open);
        if (text[comma] == ',' && comma > at && text[before(comma)] == '}') {
            return comma;
        }
    }
    return std::string_view::npos;
}

JsonPlace place_in_json(const std::string& path, std::size_t at)
{
    JsonSource source(path);
    std::string piece(packed_piece, '\0');
    JsonPlace place;
    for (std::size_t left = at; left > 0;) {
        const auto got = source.read(piece.data(), std::min(left, piece.size()));
        if (got == 0) {
            break;
        }
        const auto before = std::string_view(piece).substr(0, got);
        const auto last = before.find_last_of('\n');
        place.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
        place.column = last == std::string_view::npos ? place.column + got : got - last;
        left -= got;
    }
    return place;
}

std::string in_words(JsonPlace place)
{
    return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

}  // namespace lanes
