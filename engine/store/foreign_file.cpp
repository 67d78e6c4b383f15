// SPDX-License-Identifier: MIT
#include "engine/store/foreign_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <zlib.h>

namespace lanes {

namespace {

using namespace std::string_view_literals;

struct Beginning {
    std::string_view bytes;
    std::string_view what;
};

constexpr Beginning by_content[] = {
    {"\x1F\x8B"sv, "is packed with gzip: gunzip unpacks it"sv},
    {"\xFD"
     "7zXZ"sv,
        "is packed with xz: xz -d unpacks it"sv},
    {"\x28\xB5\x2F\xFD"sv, "is packed with zstd: zstd -d unpacks it"sv},
    {"BZh"sv, "is packed with bzip2: bzip2 -d unpacks it"sv},
    {"\x04\x22\x4D\x18"sv, "is packed with lz4: lz4 -d unpacks it"sv},
    {"PK\x03\x04"sv, "is a zip archive: unzip unpacks it"sv},
    // UTF-32 first: its mark begins as that of UTF-16 does.
    {"\xFF\xFE\0\0"sv, "is text in UTF-32; iconv -f UTF-32 -t UTF-8 converts it to a file that can be opened"sv},
    {"\0\0\xFE\xFF"sv, "is text in UTF-32; iconv -f UTF-32 -t UTF-8 converts it to a file that can be opened"sv},
    {"\xFF\xFE"sv, "is text in UTF-16; iconv -f UTF-16 -t UTF-8 converts it to a file that can be opened"sv},
    {"\xFE\xFF"sv, "is text in UTF-16; iconv -f UTF-16 -t UTF-8 converts it to a file that can be opened"sv},
    {"# tracer:"sv,
        "is a trace of Linux's ftrace (systrace); Perfetto's traceconv json converts it to a file that can be opened"sv},
    {"<!doctype html"sv,
        "is a web page; if systrace made it, Perfetto's traceconv json converts it to a file that can be opened"sv},
    {"<html"sv,
        "is a web page; if systrace made it, Perfetto's traceconv json converts it to a file that can be opened"sv},
    {"PERFILE2"sv, "is a profile of Linux's perf, which has samples and no GPU work"sv},
    {"NVR\0"sv, "is a report of Nsight Compute, which has figures of single kernels and no timeline"sv},
};

constexpr Beginning by_ending[] = {
    {".nsys-rep"sv,
        "is a report of Nsight Systems; nsys export --type sqlite converts it to a file that can be opened"sv},
    {".qdrep"sv, "is a report of Nsight Systems; nsys export --type sqlite converts it to a file that can be opened"sv},
    {".qdstrm"sv,
        "is a capture of Nsight Systems that has not been imported; QdstrmImporter makes a report of it, and nsys "
        "export --type sqlite of that a file that can be opened"sv},
    {".ncu-rep"sv, "is a report of Nsight Compute, which has figures of single kernels and no timeline"sv},
    {"xplane.pb"sv,
        "is a profile of XLA; xprof's trace viewer saves it as JSON (trace.json.gz), which can be opened"sv},
    {".pftrace"sv, "is a trace in Perfetto's own format; traceconv json converts it to a file that can be opened"sv},
    {".perfetto-trace"sv,
        "is a trace in Perfetto's own format; traceconv json converts it to a file that can be opened"sv},
    {".nvvp"sv, "is of nvprof, which has been replaced by Nsight Systems"sv},
    {".nvprof"sv, "is of nvprof, which has been replaced by Nsight Systems"sv},
    {".yaml"sv, "is YAML, as workloads are: lanes run makes a recording of a workload"sv},
    {".yml"sv, "is YAML, as workloads are: lanes run makes a recording of a workload"sv},
    {".tracy"sv, "is a capture of Tracy, in a format of its own"sv},
};

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool begins_with(std::string_view text, std::string_view bytes)
{
    return text.size() >= bytes.size()
        && std::equal(bytes.begin(), bytes.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::string what_foreign_file_is(std::string_view begin, std::string_view path)
{
    if (begin.empty()) {
        return "is empty";
    }
    const auto has = [&](std::string_view word) { return begin.find(word) != std::string_view::npos; };
    const auto content = std::find_if(std::begin(by_content), std::end(by_content),
        [&](const Beginning& one) { return begins_with(begin, one.bytes); });
    const auto ending = std::find_if(
        std::begin(by_ending), std::end(by_ending), [&](const Beginning& one) { return path.ends_with(one.bytes); });
    if (ending != std::end(by_ending)) {
        return std::string(ending->what);  // a report of Nsight Systems may be packed, too
    }
    if (content != std::end(by_content)) {
        return std::string(content->what);
    }
    if (has("\"rocprofiler-sdk-tool\"") || (has(",") && (has("\"Kernel_Name\"") || has("KernelName")))) {
        return "is a table or a result of rocprof; rocprofv3 --output-format pftrace and then Perfetto's traceconv "
               "json "
               "make a file that can be opened";
    }
    // Both are protocol buffers that begin with a message in field 1; XLA's planes have such names.
    if (begin.front() == '\x0A') {
        return has("/host:") || has("/device:")
            ? "is a profile of XLA; xprof's trace viewer saves it as JSON (trace.json.gz), which can be opened"
            : "seems to be a trace in Perfetto's own format; traceconv json converts it to a file that can be opened";
    }
    return "is not a file that Lanescope can open";
}

std::string unpacked_beginning(std::string_view begin)
{
    std::array<char, 512> text {};
    z_stream stream {};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) {  // 16: gzip's header
        return {};
    }
    std::string packed(begin);
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    inflate(&stream, Z_SYNC_FLUSH);
    inflateEnd(&stream);
    return {text.data(), text.size() - stream.avail_out};
}

}  // namespace lanes
