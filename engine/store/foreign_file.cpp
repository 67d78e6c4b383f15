// SPDX-License-Identifier: MIT
#include "engine/store/foreign_file.h"
#include "engine/ascii.h"
#include "engine/store/inflater.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <system_error>

namespace lanes {

namespace {

using namespace std::string_view_literals;

struct Beginning {
    std::string_view bytes;
    std::string_view what;
};

constexpr auto rocprof = "is a table or a result of rocprof; rocprofv3 --output-format pftrace makes a file that "
                         "can be opened"sv;
constexpr auto web_page
    = "is a web page; if systrace made it, Perfetto's traceconv json converts it to a file that can be opened"sv;
constexpr auto utf_16 = "is text in UTF-16; iconv -f UTF-16 -t UTF-8 converts it to a file that can be opened"sv;
constexpr auto utf_32 = "is text in UTF-32; iconv -f UTF-32 -t UTF-8 converts it to a file that can be opened"sv;
constexpr auto pickle = "is a pickle of Python, as PyTorch's snapshots of memory are; a trace is what torch.profiler's "
                        "export_chrome_trace writes"sv;
constexpr auto tracy = "is a capture of Tracy, in a format of its own"sv;

/// Containers that may hold any file: if the name says more, that counts.
constexpr Beginning packed[] = {
    {"\x1F\x8B"sv, "is packed with gzip: gunzip unpacks it"sv},
    {"\xFD"
     "7zXZ"sv,
        "is packed with xz: xz -d unpacks it"sv},
    {"\x28\xB5\x2F\xFD"sv, "is packed with zstd: zstd -d unpacks it"sv},
    {"BZh"sv, "is packed with bzip2: bzip2 -d unpacks it"sv},
    {"\x04\x22\x4D\x18"sv, "is packed with lz4: lz4 -d unpacks it"sv},
    {"\x02\x21\x4C\x18"sv, "is packed with lz4: lz4 -d unpacks it"sv},
    {"LZIP"sv, "is packed with lzip: lzip -d unpacks it"sv},
    {"\x5D\0\0"sv, "is packed with lzma: xz -d unpacks it"sv},
    {"\x1F\x9D"sv, "is packed with compress: gunzip unpacks it"sv},
    {"\xFF\x06\0\0sNaPpY"sv, "is packed with snappy"sv},
    {"PK\x03\x04"sv, "is a zip archive: unzip unpacks it"sv},
    {"PK\x05\x06"sv, "is a zip archive without any file"sv},
};

constexpr Beginning by_content[] = {
    {"7z\xBC\xAF\x27\x1C"sv, "is a 7z archive: 7z x unpacks it"sv},
    {"Rar!\x1A\x07"sv, "is a rar archive: unrar x unpacks it"sv},
    {"!<arch>\n"sv, "is an archive of ar: ar x unpacks it"sv},
    // UTF-32 first: its mark begins as that of UTF-16 does.
    {"\xFF\xFE\0\0"sv, utf_32},
    {"\0\0\xFE\xFF"sv, utf_32},
    {"\xFF\xFE"sv, utf_16},
    {"\xFE\xFF"sv, utf_16},
    {"# tracer:"sv,
        "is a trace of Linux's ftrace (systrace); Perfetto's traceconv json converts it to a file that can be opened"sv},
    {"<!doctype html"sv, web_page},
    {"<html"sv, web_page},
    {"PERFILE2"sv, "is a profile of Linux's perf, which has samples and no GPU work"sv},
    {"NVR\0"sv, "is a report of Nsight Compute, which has figures of single kernels and no timeline"sv},
    {"\x89HDF\r\n\x1A\n"sv,
        "is an HDF5 file; if Nsight Systems made it, nsys export --type sqlite of its report makes a file that can be "
        "opened"sv},
    {"ARROW1"sv,
        "is a table of Arrow; if Nsight Systems made it, nsys export --type sqlite of its report makes a file that can "
        "be "
        "opened"sv},
    {"PAR1"sv,
        "is a table of Parquet; if Nsight Systems made it, nsys export --type sqlite of its report makes a file that "
        "can "
        "be opened"sv},
    {"\x93NUMPY"sv, "is an array of NumPy"sv},
    {"\x80\x02"sv, pickle},
    {"\x80\x03"sv, pickle},
    {"\x80\x04"sv, pickle},
    {"\x80\x05"sv, pickle},
    {"tlZ\x04"sv, tracy},
    {"tZst"sv, tracy},
    {"tr\xFDP"sv, tracy},
    {"tracy"sv, tracy},
    {"\x10\0\x04\x46\x78\x54\x16\0"sv,
        "is a trace of Fuchsia; Perfetto's traceconv json converts it to a file that can be opened"sv},
    {"/* CTF"sv, "is a trace of LTTng (CTF), which babeltrace2 reads"sv},
    {"\xC1\x1F\xFC\xC1"sv, "is a trace of LTTng (CTF), which babeltrace2 reads"sv},
    {"\x75\xD1\x1D\xC1"sv, "is the description of a trace of LTTng (CTF), which babeltrace2 reads"sv},
    {"OTF2"sv, "is a trace in OTF2, which Vampir reads"sv},
    {"FLR\0"sv, "is a recording of Java's Flight Recorder"sv},
    {"\x7F"
     "ELF"sv,
        "is a program or a library: lanes record -- PROGRAM makes a recording of what it does"sv},
    {"#!"sv, "is a script: lanes record -- SCRIPT makes a recording of what it does"sv},
    {"==PROF=="sv, "is what Nsight Compute prints, which has figures of single kernels and no timeline"sv},
    {"\x89PNG"sv, "is a picture"sv},
    {"%PDF"sv, "is a PDF"sv},
};

/// For content that says nothing.
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
    {".pftrace"sv, "is called as traces of Perfetto are, but does not begin with a packet"sv},
    {".perfetto-trace"sv, "is called as traces of Perfetto are, but does not begin with a packet"sv},
    {".nvvp"sv, "is of nvprof, which has been replaced by Nsight Systems"sv},
    {".nvprof"sv, "is of nvprof, which has been replaced by Nsight Systems"sv},
    {".vtune"sv, "is a result of Intel VTune, in a format of its own"sv},
    {".yaml"sv, "is YAML, as workloads are: lanes run makes a recording of a workload"sv},
    {".yml"sv, "is YAML, as workloads are: lanes run makes a recording of a workload"sv},
    {".tracy"sv, tracy},
    {".hatchet"sv,
        "is a profile of Triton's Proton without a timeline; proton's trace mode writes one that can be "
        "opened"sv},
    {".tar"sv, "is a tar archive: tar -x unpacks it"sv},
};

/// A word of an object's keys, or of the names of a database's tables, each in quotes.
struct Sign {
    std::string_view word;
    std::string_view what;
};

constexpr Sign json_signs[] = {
    {"\"startH2dMs\""sv, "the times of single runs that trtexec exports"sv},
    {"\"startComputeMs\""sv, "the times of single runs that trtexec exports"sv},
    {"\"averageMs\""sv, "the profile of layers that trtexec exports"sv},
    {"\"Bindings\""sv, "the description of an engine of TensorRT"sv},
    {"\"model_name\""sv, "a trace of requests of Triton Inference Server"sv},
    {"\"resourceSpans\""sv, "spans of OpenTelemetry"sv},
    {"\"resourceMetrics\""sv, "metrics of OpenTelemetry"sv},
    {"\"profiles\""sv, "a profile of speedscope, which has samples and no timeline of a GPU"sv},
    {"\"timeDeltas\""sv, "a profile of V8's CPU profiler, which has samples and no GPU work"sv},
    {"\"libs\""sv, "a profile of Firefox, which has samples and no GPU work"sv},
    {"\"device_traces\""sv, "a snapshot of PyTorch's memory"sv},
    {"\"nodes\""sv,
        "a graph, as PyTorch's execution traces are; a trace is what torch.profiler's export_chrome_trace writes"sv},
    {"\"nbformat\""sv, "a notebook of Jupyter"sv},
    {"\"rocprofiler-sdk-tool\""sv,
        "a result of rocprofv3; its --output-format pftrace makes a file that can be opened"sv},
};

/// A word at the beginning of a table's name.
constexpr Sign table_signs[] = {
    {"\"rocpd_"sv,
        "is a database of rocprofv3 (rocpd); rocpd convert -i FILE -f pftrace makes a file that can be opened"sv},
    {"\"CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL\""sv,
        "is a database of nvprof, which has been replaced by Nsight Systems: its tables are of another kind; lanes record or nsys profile records the program anew"sv},
    {"\"CUPTI_ACTIVITY_KIND_DRIVER\""sv,
        "is a database of nvprof, which has been replaced by Nsight Systems: its tables are of another kind; lanes record or nsys profile records the program anew"sv},
    {"\"StringTable\""sv,
        "is a database of nvprof, which has been replaced by Nsight Systems: its tables are of another kind; lanes record or nsys profile records the program anew"sv},
    {"\"thread_track\""sv,
        "is a database of Perfetto's trace processor; traceconv json of the trace that it was made from makes a file that can be opened"sv},
    {"\"dd_"sv, "is a database of Intel VTune, whose tables are of another kind"sv},
};

bool begins_with(std::string_view text, std::string_view bytes)
{
    return text.size() >= bytes.size() && std::equal(bytes.begin(), bytes.end(), text.begin(), [](char a, char b) {
        return ascii::to_lower(a) == ascii::to_lower(b);
    });
}

/// Whether a header of tar begins here: the sum of its bytes, with blanks in place of the sum itself, is in it.
bool is_tar(std::string_view begin)
{
    constexpr std::size_t size = 512;
    constexpr std::size_t sum_at = 148;
    constexpr std::size_t sum_size = 8;
    if (begin.size() < size || begin.front() == '\0') {
        return false;
    }
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < size; ++at) {
        const bool in_sum = at >= sum_at && at < sum_at + sum_size;
        sum += in_sum ? static_cast<unsigned char>(' ') : static_cast<unsigned char>(begin[at]);
    }
    auto digits = begin.substr(sum_at, sum_size);
    digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
    std::uint64_t said = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), said, 8);
    return error == std::errc {} && said == sum;
}

}  // namespace

std::string what_foreign_file_is(std::string_view begin, std::string_view path)
{
    if (begin.empty()) {
        return "is empty";
    }
    const auto has = [&](std::string_view word) { return begin.find(word) != std::string_view::npos; };
    const auto begins = [&](const Beginning& one) { return begins_with(begin, one.bytes); };
    if (const auto* content = std::find_if(std::begin(by_content), std::end(by_content), begins);
        content != std::end(by_content)) {
        return std::string(content->what);
    }
    if (is_tar(begin)) {
        return "is a tar archive: tar -x unpacks it";
    }
    const auto* const ending = std::find_if(
        std::begin(by_ending), std::end(by_ending), [&](const Beginning& one) { return path.ends_with(one.bytes); });
    const auto* const packing = std::find_if(std::begin(packed), std::end(packed), begins);
    if (packing != std::end(packed)) {  // also a packed report of Nsight Systems
        return std::string(ending != std::end(by_ending) ? ending->what : packing->what);
    }
    if (has("\"rocprofiler-sdk-tool\"") || (has(",") && (has("\"Kernel_Name\"") || has("KernelName")))) {
        return std::string(rocprof);
    }
    if (ending != std::end(by_ending)) {
        return std::string(ending->what);
    }
    // A protocol buffer that begins with a message in field 1, as a trace of Perfetto does; XLA's planes have such
    // names.
    if (begin.front() == '\x0A' && (has("/host:") || has("/device:"))) {
        return "is a profile of XLA; xprof's trace viewer saves it as JSON (trace.json.gz), which can be opened";
    }
    return std::string(unknown_format);
}

std::string what_json_is(std::string_view keys)
{
    const auto* const sign = std::find_if(std::begin(json_signs), std::end(json_signs),
        [&](const Sign& one) { return keys.find(one.word) != std::string_view::npos; });
    return sign == std::end(json_signs) ? std::string() : "; it seems to be " + std::string(sign->what);
}

std::string what_database_is(std::string_view tables)
{
    const auto* const sign = std::find_if(std::begin(table_signs), std::end(table_signs),
        [&](const Sign& one) { return tables.find(one.word) != std::string_view::npos; });
    return sign == std::end(table_signs) ? std::string() : std::string(sign->what);
}

std::string unpacked_beginning(std::string_view begin)
{
    std::array<char, 512> text {};
    Inflater inflater(Inflater::gzip);
    auto& stream = inflater.stream;
    std::string bytes(begin);
    stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    inflate(&stream, Z_SYNC_FLUSH);
    return {text.data(), text.size() - stream.avail_out};
}

}  // namespace lanes
