// SPDX-License-Identifier: MIT
// Text on its way to a file, plain or gzip, a megabyte at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanes {

/// Every function that writes throws std::system_error naming the file (disk full). Cost: one copy of the text.
/// A gzip file holds no name and no time, so the same text gives the same bytes.
class TextFile {
public:
    TextFile(std::string path, bool gzip);
    ~TextFile();
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;

    TextFile& operator<<(std::string_view text)
    {
        m_buffer += text;
        if (m_buffer.size() >= flush_at) {
            flush();
        }
        return *this;
    }
    TextFile& operator<<(std::int64_t number);
    /// Writes what is left and closes.
    void close();

private:
    static constexpr std::size_t flush_at = 1U << 20;
    void flush();
    [[noreturn]] void fail(int error) const;

    std::string m_path;
    std::string m_buffer;
    int m_file = -1;
    void* m_gzip = nullptr;  ///< a gzFile
};

}  // namespace lanes
