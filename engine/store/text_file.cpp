// SPDX-License-Identifier: MIT
#include "engine/store/text_file.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <zlib.h>

namespace lanes {

TextFile::TextFile(std::string path, bool gzip)
    : m_path(std::move(path))
{
    m_file = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (m_file < 0) {
        fail(errno);
    }
    if (gzip) {
        m_gzip = gzdopen(m_file, "wb6");
        if (m_gzip == nullptr) {
            ::close(m_file);
            fail(ENOMEM);
        }
        gzbuffer(static_cast<gzFile>(m_gzip), 256U << 10);
    }
    m_buffer.reserve(flush_at + 4096);
}

TextFile::~TextFile()
{
    if (m_gzip != nullptr) {
        gzclose(static_cast<gzFile>(m_gzip));
    } else if (m_file >= 0) {
        ::close(m_file);
    }
}

TextFile& TextFile::operator<<(std::int64_t number)
{
    std::array<char, 24> digits {};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void TextFile::flush()
{
    std::string_view rest = m_buffer;
    while (!rest.empty()) {
        errno = 0;
        const auto written = m_gzip != nullptr
            ? gzwrite(static_cast<gzFile>(m_gzip), rest.data(), static_cast<unsigned>(rest.size()))
            : ::write(m_file, rest.data(), rest.size());
        if (written <= 0) {
            if (errno == EINTR && m_gzip == nullptr) {
                continue;
            }
            fail(errno != 0 ? errno : EIO);
        }
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    m_buffer.clear();
}

void TextFile::close()
{
    flush();
    errno = 0;
    const auto gzip = std::exchange(m_gzip, nullptr);
    const auto file = std::exchange(m_file, -1);
    const bool closed = gzip != nullptr ? gzclose(static_cast<gzFile>(gzip)) == Z_OK : ::close(file) == 0;
    if (!closed) {
        fail(errno != 0 ? errno : EIO);
    }
}

void TextFile::fail(int error) const
{
    throw std::system_error(error, std::generic_category(), m_path);
}

}  // namespace lanes
