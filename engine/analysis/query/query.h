// SPDX-License-Identifier: MIT
// The query language for events, used by the search and the filter of the lanes and by the table of events.
//
//
//   matmul "two words"          each occurs in the event's name or its lane's; ASCII case is ignored
//   name:gemm  lane:copy        only in the name; only in the lane's
//   stream:7  thread:main       only operations of such a stream, only what such a thread did. A number is the id.
//   kind:h2d                    see kinds()
//   family:matmul               only GPU operations of that family, see families()
//   dur>1ms  bytes>=64MiB  at<2s  blocked>10us
//                               length, bytes moved, start, time held in the call; < <= = != >= >, units of
//                               engine/workload/quantity.h; a bare number is ns or bytes
//   -x  not x  x or y  (x y)    "or" binds least; words and keys side by side must all hold ("and" may be written)
//
// A kernel is found by its full name as well, a copy by H2D, D2H, … A word with ':' or a comparison that is not a key's
// must be quoted, unless it reads as C++ (at::native, vec<T>). Limits: 1000 bytes, 32 parentheses and negations deep;
// more is an error, never a deep recursion.
#pragma once

#include "engine/analysis/facts/families.h"
#include "engine/analysis/words/messages.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// What is wrong with a query: ids query.*; what() is the English sentence with the column before it.
class QueryError : public std::runtime_error {
public:
    QueryError(std::string_view query, std::size_t offset, std::size_t length, Message message);
    const Message& message() const { return m_message; }
    std::size_t column() const { return m_column; }  ///< in characters (code points), the first is 1
    std::size_t offset() const { return m_offset; }  ///< in bytes
    std::size_t length() const { return m_length; }  ///< bytes of the wrong part; 0: something is missing

private:
    Message m_message;
    std::size_t m_column, m_offset, m_length;
};

/// The kinds of `kind:`. operation: any of the first six; copy: any copy; communication: kernels that move data between
/// GPUs; host: work, waits and reads of the host; sync: calls that synchronise; blocked: calls that were held until GPU
/// work was done.
enum class QueryKind : std::uint8_t {
    kernel,
    h2d,
    d2h,
    d2d,
    p2p,
    h2h,
    memset,  // in the order of OperationKind
    copy,
    operation,
    call,
    sync,
    blocked,
    range,
    mark,
    host,
    read,
    communication,
};

class Query {
public:
    struct Node {
        enum class Is : std::uint8_t {
            all,
            any,
            none,  ///< of the parts; `none` has one
            text,
            name,
            lane,
            stream,
            thread,  ///< `word` occurs in it; in lower case
            kind,
            family,
            duration,
            bytes,
            start,
            blocked,  ///< compared with `value` (ns, bytes)
        };
        enum class Comparison : std::uint8_t { less, at_most, equal, unequal, at_least, more };
        Is is = Is::all;
        std::string word;
        QueryKind kind = QueryKind::kernel;
        Family family = Family::other;
        Comparison comparison = Comparison::equal;
        std::int64_t value = 0;
        std::vector<Node> parts;
    };

    /// Everything matches.
    Query() = default;
    /// Throws QueryError. Linear in the text.
    static Query parse(std::string_view text);

    const std::string& text() const { return m_text; }
    const Node& root() const { return m_root; }
    /// An empty query: every event matches.
    bool empty() const { return m_root.is == Node::Is::all && m_root.parts.empty(); }

    /// "name", "kind", …: every key, for hints and for the nearest name.
    static const std::vector<std::string>& keys();
    /// "kernel", "h2d", …: the words of `kind:`, in the order of QueryKind.
    static const std::vector<std::string>& kinds();
    /// "communication", "matmul", …: the words of `family:`, in the order of Family.
    static const std::vector<std::string>& families();

private:
    std::string m_text;
    Node m_root;
};

/// name:"…", by which parse() finds the events of this name: a long one is cut, and what would end the quotes early is
/// escaped.
std::string query_of_name(std::string_view name);

}  // namespace lanes
