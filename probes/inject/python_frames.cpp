// SPDX-License-Identifier: MIT
#include "probes/inject/python_frames.h"
#include "probes/utf8_letter.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <sys/uio.h>
#include <unistd.h>

namespace lanes {

struct PythonLayout {
    int minor;  ///< of 3.x
    std::size_t state_frame;  ///< of the thread's state: its frame; in 3.11 and 3.12 through `cframe_frame`
    std::size_t cframe_frame;  ///< unused: no such step
    std::size_t frame_code, frame_previous, frame_instruction;
    std::size_t frame_owner;  ///< unused before 3.11
    std::size_t code_first_line, code_file, code_name, code_table, code_bytes;
    std::size_t text_ascii, text_other;  ///< of a text: where its letters begin
};

namespace {

constexpr std::size_t unused = std::numeric_limits<std::size_t>::max();

constexpr std::array<PythonLayout, 5> layouts {{
    {9, 24, unused, 32, 24, 104, unused, 40, 104, 112, 120, unused, 48, 72},
    {10, 24, unused, 32, 24, 96, unused, 40, 104, 112, 120, unused, 48, 72},
    {11, 56, 8, 32, 48, 56, 69, 72, 112, 128, 136, 184, 48, 72},
    {12, 56, 0, 0, 8, 56, 70, 68, 112, 128, 136, 192, 40, 56},
    {13, 72, unused, 0, 8, 56, 70, 68, 112, 128, 136, 200, 40, 56},
}};

// Of every object and every version that has a layout.
constexpr std::size_t object_type = 8, object_size = 16, text_state = 32, bytes_begin = 32;

constexpr std::size_t most_frames = 64;
constexpr std::size_t most_depth = 10'000;  // of all(), in what may be no stack
constexpr std::size_t most_codes = 1U << 14U;
constexpr std::size_t longest_text = 4096;
constexpr std::size_t longest_table = std::size_t {1} << 20U;
constexpr std::uint8_t owned_by_c = 3;
constexpr int most_tries = 4;

template <class T> T at(const std::byte* bytes, std::size_t offset)
{
    T value;
    std::memcpy(&value, bytes + offset, sizeof value);
    return value;
}

/// A number in parts of six bits, the lowest first; bit 6 says that more follow.
std::uint32_t varint(std::string_view table, std::size_t& i)
{
    std::uint32_t value = 0;
    for (unsigned shift = 0; i < table.size() && shift < 32; shift += 6) {
        const auto byte = static_cast<std::uint8_t>(table[i++]);
        value |= (byte & 63U) << shift;
        if ((byte & 64U) == 0) {
            break;
        }
    }
    return value;
}

int line_since_11(std::string_view table, int line, int offset)
{
    constexpr unsigned no_location = 15, without_columns = 13, longest_one_line = 12, first_one_line = 10;
    int begin = 0;
    for (std::size_t i = 0; i < table.size();) {
        const auto head = static_cast<std::uint8_t>(table[i++]);
        const unsigned form = head >> 3U & 15U;
        if (form == without_columns || form == without_columns + 1) {
            const auto delta = varint(table, i);
            line += (delta & 1U) != 0 ? -static_cast<int>(delta >> 1U) : static_cast<int>(delta >> 1U);
        } else if (form >= first_one_line && form <= longest_one_line) {
            line += static_cast<int>(form - first_one_line);
        }
        begin += 2 * static_cast<int>((head & 7U) + 1);
        if (offset < begin) {
            return form == no_location ? 0 : line;
        }
        while (i < table.size() && (static_cast<std::uint8_t>(table[i]) & 128U) == 0) {
            ++i;
        }
    }
    return 0;
}

}  // namespace

const PythonLayout* python_layout(std::uint32_t version)
{
    const auto* const found = std::find_if(layouts.begin(), layouts.end(), [version](const PythonLayout& layout) {
        return version >> 16U == (3U << 8U | static_cast<std::uint32_t>(layout.minor));
    });
    return found == layouts.end() ? nullptr : found;
}

int python_line(int minor, std::string_view table, int first_line, int offset)
{
    if (minor >= 11) {
        return line_since_11(table, first_line, offset);
    }
    int line = first_line;
    int reached = 0;
    for (std::size_t i = 0; i + 1 < table.size(); i += 2) {
        const int bytes = static_cast<std::uint8_t>(table[i]);
        const int lines = static_cast<std::int8_t>(table[i + 1]);
        reached += bytes;
        if (minor == 9) {  // the pair is of the code behind `bytes`
            if (reached > offset) {
                break;
            }
            line += lines;
        } else {  // of the code in `bytes`; -128: it has no line
            line += lines == -128 ? 0 : lines;
            if (reached > offset) {
                return lines == -128 ? 0 : line;
            }
        }
    }
    return minor == 9 ? line : 0;
}

PythonFrames::PythonFrames(const PythonLayout& layout, std::uintptr_t code_type, std::string library)
    : m_layout(layout)
    , m_code_type(code_type)
    , m_library(std::move(library))
{
}

bool PythonFrames::read(std::uintptr_t from, void* to, std::size_t bytes)
{
    const iovec local {to, bytes};
    const iovec remote {reinterpret_cast<void*>(from), bytes};  // NOLINT: an address of this process
    const auto got = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
    m_error = got < 0 ? errno : 0;
    return got == static_cast<ssize_t>(bytes);
}

bool PythonFrames::read_top(std::uintptr_t state, std::uintptr_t& frame)
{
    return read(state + m_layout.state_frame, frame)
        && (m_layout.cframe_frame == unused || (frame != 0 && read(frame + m_layout.cframe_frame, frame)));
}

bool PythonFrames::read_frame(std::uintptr_t where, Frame& frame)
{
    std::array<std::byte, 112> bytes {};
    const auto size = (m_layout.frame_owner == unused ? m_layout.frame_instruction : m_layout.frame_owner) + 4;
    if (!read(where, bytes.data(), size)) {
        return false;
    }
    frame.at = where;
    frame.code = at<std::uintptr_t>(bytes.data(), m_layout.frame_code);
    frame.previous = at<std::uintptr_t>(bytes.data(), m_layout.frame_previous);
    if (m_layout.frame_owner == unused) {
        frame.offset = at<std::int32_t>(bytes.data(), m_layout.frame_instruction) * (m_layout.minor == 9 ? 1 : 2);
    } else {
        frame.is_shim = at<std::uint8_t>(bytes.data(), m_layout.frame_owner) >= owned_by_c;
        const auto instruction = at<std::uintptr_t>(bytes.data(), m_layout.frame_instruction);
        frame.offset = static_cast<std::int32_t>(instruction - frame.code - m_layout.code_bytes);
    }
    return true;
}

bool PythonFrames::read_bytes(std::uintptr_t where, std::string& bytes)
{
    std::size_t size = 0;
    if (!read(where + object_size, size) || size > longest_table) {
        return false;
    }
    bytes.resize(size);
    return size == 0 || read(where + bytes_begin, bytes.data(), size);
}

bool PythonFrames::read_text(std::uintptr_t where, std::string& text)
{
    std::size_t length = 0;
    std::uint32_t state = 0;
    if (!read(where + object_size, length) || !read(where + text_state, state) || length > longest_text) {
        return false;
    }
    const std::size_t width = state >> 2U & 7U;
    const bool is_ascii = (state & 64U) != 0;
    if ((state & 32U) == 0 || (width != 1 && width != 2 && width != 4)) {
        return false;
    }
    std::string letters(length * width, '\0');
    if (length > 0
        && !read(where + (is_ascii ? m_layout.text_ascii : m_layout.text_other), letters.data(), letters.size())) {
        return false;
    }
    if (is_ascii) {
        text = std::move(letters);
        return true;
    }
    text.clear();
    for (std::size_t i = 0; i < letters.size(); i += width) {
        std::uint32_t letter = 0;
        std::memcpy(&letter, letters.data() + i, width);
        append_utf8(text, letter);
    }
    return true;
}

bool PythonFrames::is_inside(std::string_view path) const
{
    const auto has = [path](std::string_view part) { return path.find(part) != std::string_view::npos; };
    const bool is_installed = has("/site-packages/") || has("/dist-packages/");
    return path.substr(0, 7) == "<frozen" || has("/torch/") || has("/lanes_stacks.py") || has("/lanes_pytorch.py")
        || (!is_installed && !m_library.empty() && path.substr(0, m_library.size()) == m_library);
}

const PythonFrames::Code* PythonFrames::code_of(std::uintptr_t where)
{
    std::array<std::byte, 144> bytes {};
    if (where == 0 || !read(where, bytes.data(), bytes.size())
        || at<std::uintptr_t>(bytes.data(), object_type) != m_code_type) {
        return nullptr;
    }
    Code code;
    code.name = at<std::uintptr_t>(bytes.data(), m_layout.code_name);
    code.file = at<std::uintptr_t>(bytes.data(), m_layout.code_file);
    code.table_at = at<std::uintptr_t>(bytes.data(), m_layout.code_table);
    code.first_line = at<std::int32_t>(bytes.data(), m_layout.code_first_line);
    const auto known = m_codes.find(where);
    if (known != m_codes.end() && known->second.name == code.name && known->second.file == code.file
        && known->second.table_at == code.table_at && known->second.first_line == code.first_line) {
        return &known->second;
    }
    if (!read_text(code.name, code.function) || !read_text(code.file, code.path)
        || !read_bytes(code.table_at, code.table)) {
        return nullptr;
    }
    code.inside = is_inside(code.path);
    if (m_codes.size() >= most_codes) {
        m_codes.clear();
    }
    return &(m_codes[where] = std::move(code));
}

int PythonFrames::line_of(const Code& code, const Frame& frame) const
{
    return python_line(m_layout.minor, code.table, code.first_line, std::max(frame.offset, 0));
}

std::string PythonFrames::text_of(const Code& code, const Frame& frame) const
{
    const auto file = std::string_view(code.path).substr(code.path.rfind('/') + 1);
    const int line = line_of(code, frame);
    return code.function + " (" + std::string(file) + ":" + std::to_string(line > 0 ? line : code.first_line) + ")";
}

std::optional<std::string> PythonFrames::place(std::uintptr_t state)
{
    for (int tries = 0; tries < most_tries; ++tries) {
        std::uintptr_t next = 0;
        bool sound = read_top(state, next);
        std::optional<Frame> innermost, found;
        std::string text;
        for (std::size_t depth = 0; sound && next != 0 && depth < most_frames; ++depth) {
            Frame frame;
            sound = read_frame(next, frame);
            next = frame.previous;
            if (!sound || frame.is_shim) {
                continue;
            }
            const auto* const code = code_of(frame.code);
            sound = code != nullptr;
            if (!sound || (code->inside && innermost)) {
                continue;
            }
            innermost = innermost ? innermost : frame;
            found = frame;
            text = text_of(*code, frame);
            if (!code->inside) {
                break;
            }
        }
        if (sound && !found && next == 0) {
            return std::string();
        }
        Frame again;
        if (sound && found && read_frame(found->at, again) && again.code == found->code
            && again.previous == found->previous) {
            return text;
        }
    }
    return std::nullopt;
}

std::string PythonFrames::all(std::uintptr_t state)
{
    std::string text;
    std::uintptr_t next = 0;
    bool sound = read_top(state, next);
    for (std::size_t depth = 0; sound && next != 0; ++depth) {
        Frame frame;
        sound = depth < most_depth && read_frame(next, frame);
        next = frame.previous;
        if (sound && !frame.is_shim) {
            const auto* const code = code_of(frame.code);
            sound = code != nullptr;
            if (sound) {
                text += code->path + ":" + code->function + ":" + std::to_string(line_of(*code, frame)) + "\n";
            }
        }
    }
    return sound ? text : std::string();
}

}  // namespace lanes
