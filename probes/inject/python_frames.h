// SPDX-License-Identifier: MIT
// Reads where a thread of CPython is (3.9 to 3.13), from another thread, while it runs.
//
// The reader takes no lock of the interpreter and runs none of its code: a sampler that took the interpreter's lock
// would slow the program down, and would see mostly the places that give the lock away. Memory is read with
// process_vm_readv on the own process, so that an address which is gone is an error and no fault. Since the
// thread runs on, what is read may be torn: a frame counts only if it still runs the same code once the way to it has
// been read, and if that code is a code object.
//
// The places of the fields are CPython's own, for each version (Include/cpython, Include/internal/pycore_frame.h),
// and are not promised to stay. So all() is compared with what Python says of the same frames before anything is
// recorded (probes/python/hook/lanes_stacks.py): a build with other places is recognised, and not sampled.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// Where the fields are, in bytes; one a version.
struct PythonLayout;

/// nullptr: not a known version. `version` as PY_VERSION_HEX: 0x030B07F0 is 3.11.7.
const PythonLayout* python_layout(std::uint32_t version);

/// The line of the instruction at byte `offset` of a code object, as its table says; 0: it has none. `minor`: of the
/// version, since three forms of the table exist (co_lnotab in 3.9; PEP 626 in 3.10; Objects/locations.md from 3.11
/// on).
int python_line(int minor, std::string_view table, int first_line, int offset);

/// For one thread: it keeps what it has read of each code object.
class PythonFrames {
public:
    /// `code_type`: address of the type of code objects. `library`: the folder of Python's own library.
    PythonFrames(const PythonLayout& layout, std::uintptr_t code_type, std::string library);

    /// "forward (model.py:42)" of the innermost frame of the thread that is neither in Python's own library nor in
    /// PyTorch, which call what the program asks for; of the innermost frame at all if all of the last 64 are in them.
    /// With the class from 3.11 on: "Net.forward (model.py:42)". "": no frame; nothing: it could not be read, four
    /// times in a row. `state`: the thread's PyThreadState. Cost: 1 to 2 us a frame; more for code that is seen first.
    std::optional<std::string> place(std::uintptr_t state);

    /// "file:function:line" of all frames, the innermost first, a line each. Of the calling thread, or of one that
    /// stands still; "" if it cannot be read.
    std::string all(std::uintptr_t state);

    /// What the last failed read said: an errno, 0: only the frames were not sound.
    int error() const { return m_error; }

private:
    struct Code {
        std::uintptr_t name = 0, file = 0, table_at = 0;  ///< what tells it from another one at its address
        std::int32_t first_line = 0;
        std::string function, path, table;
        bool inside = false;  ///< of Python's own library or PyTorch
    };
    struct Frame {
        std::uintptr_t at = 0, code = 0, previous = 0;
        std::int32_t offset = 0;
        bool is_shim = false;  ///< where C called Python: no frame of the program
    };

    bool read(std::uintptr_t from, void* to, std::size_t bytes);
    template <class T> bool read(std::uintptr_t from, T& to) { return read(from, &to, sizeof to); }
    bool read_top(std::uintptr_t state, std::uintptr_t& frame);
    bool read_frame(std::uintptr_t at, Frame& frame);
    const Code* code_of(std::uintptr_t at);
    bool read_text(std::uintptr_t at, std::string& text);
    bool read_bytes(std::uintptr_t at, std::string& bytes);
    bool is_inside(std::string_view path) const;
    int line_of(const Code& code, const Frame& frame) const;
    std::string text_of(const Code& code, const Frame& frame) const;

    const PythonLayout& m_layout;
    const std::uintptr_t m_code_type;
    const std::string m_library;
    std::map<std::uintptr_t, Code> m_codes;
    int m_error = 0;
};

}  // namespace lanes
