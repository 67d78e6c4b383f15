// SPDX-License-Identifier: MIT
#include "engine/store/export/export_text.h"
#include "engine/trace/collective_call.h"
#include "engine/trace/csv.h"
#include "engine/trace/event.h"
#include "engine/trace/owners.h"
#include "engine/trace/range_value.h"
#include "engine/trace/utf8.h"

#include <string>
#include <string_view>

namespace lanes {

namespace {

/// A name as one field, cut to what a cell of a spreadsheet holds: every row repeats it.
std::string name_field(std::string_view name)
{
    constexpr std::size_t most = 32'767;  // bytes
    return csv_field(utf8_head(name, most));
}

}  // namespace

void write_csv(const Trace& trace, TextFile& file, const Progress& progress)
{
    file << "start_ns,end_ns,duration_ns,kind,name,process,device,context,stream,stream_name,correlation,bytes,source,"
            "target,async,call,call_thread,call_start_ns,call_end_ns,range,operator,module,line,owner_from,no_owner,"
            "range_values\r\n";
    const auto& table = trace.operations;
    const Owners owners(trace);
    std::size_t done = 0;
    for (const auto row : trace.operations_by_time()) {
        const auto& stream = trace.streams[table.stream[row]];
        const auto kind = table.kind[row];
        file << table.start[row] << "," << table.end[row] << "," << table.end[row] - table.start[row] << ","
             << name_of(kind_of(kind)) << "," << name_field(trace.text(table.name[row])) << "," << stream.process << ","
             << stream.device << "," << stream.context << "," << stream.id << "," << name_field(trace.text(stream.name))
             << "," << table.correlation[row] << ",";
        if (kind == OperationKind::memset) {
            const auto& memset = trace.memsets[table.detail[row]];
            file << static_cast<std::int64_t>(memset.bytes) << ",," << word_of(memset.target) << "," << memset.async;
        } else if (is_copy(kind)) {
            const auto& copy = trace.copies[table.detail[row]];
            file << static_cast<std::int64_t>(copy.bytes) << "," << word_of(copy.source) << "," << word_of(copy.target)
                 << "," << copy.async;
        } else {
            file << ",,,";
        }
        if (const auto call = table.call[row]; call != no_row) {
            const auto thread = trace.calls.thread[call];
            file << "," << name_field(trace.text(trace.calls.name[call])) << ",";
            if (thread != no_row) {
                file << trace.threads[thread].id;
            }
            file << "," << trace.calls.start[call] << "," << trace.calls.end[call] << ",";
        } else {
            file << ",,,,,";
        }
        const auto owner = owners.of(row);
        if (owner.innermost != no_row) {
            file << name_field(trace.text(trace.ranges[owner.innermost].name));
        } else if (owner.within != 0) {
            file << name_field(owners.around(owner).front());
        }
        for (const auto part : {OwnerPart::torch_operator, OwnerPart::module, OwnerPart::line}) {
            file << "," << name_field(owners.text(owner, part));
        }
        file << "," << name_of(owner.from) << "," << name_of(owner.missing) << ",";
        if (const Row range = range_with_values(trace, owners, row); range != no_row) {
            file << name_field(values_text(trace, range));
        }
        file << "\r\n";
        if (++done % 16384 == 0) {
            progress.report(static_cast<double>(done) / static_cast<double>(table.size()));
        }
    }
}

}  // namespace lanes
