// SPDX-License-Identifier: MIT
// A stream of zlib that unpacks; private to engine/store.
#pragma once

#include <new>
#include <zlib.h>

namespace lanes {

struct Inflater {
    enum Format : int {  ///< as inflateInit2 counts: the size of the window, and 16 for gzip's header and trailer
        zlib = 15,
        gzip = 15 + 16
    };
    z_stream stream {};

    /// Throws std::bad_alloc.
    explicit Inflater(Format format)
    {
        if (inflateInit2(&stream, format) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    ~Inflater() { inflateEnd(&stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
};

}  // namespace lanes
