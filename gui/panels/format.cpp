// SPDX-License-Identifier: MIT
#include "gui/panels/format.h"
#include "gui/panels/texts.h"

namespace lanes::gui {

QString maybeTime(MaybeNs ns)
{
    return ns ? formatTime(*ns) : QStringLiteral("–");
}

QString differenceText(Ns ns)
{
    return ns > 0 ? QLatin1Char('+') + formatTime(ns) : formatTime(ns);
}

QString bandwidthText(std::uint64_t bytes, Ns ns)
{
    if (bytes == 0 || ns <= 0) {
        return {};
    }
    return QStringLiteral("%1 GB/s").arg(static_cast<double>(bytes) / static_cast<double>(ns), 0, 'f', 1);
}

QString shareText(Ns part, Ns whole)
{
    return whole <= 0 ? QString() : formatShare(static_cast<double>(part) / static_cast<double>(whole));
}

QString kindText(OperationKind kind)
{
    switch (kind) {
    case OperationKind::kernel:
        return tr("kernel");
    case OperationKind::h2d:
        return tr("copy H2D");
    case OperationKind::d2h:
        return tr("copy D2H");
    case OperationKind::d2d:
        return tr("copy D2D");
    case OperationKind::p2p:
        return tr("copy P2P");
    case OperationKind::h2h:
        return tr("copy H2H");
    case OperationKind::memset:
        return tr("memset");
    }
    return {};
}

QString memoryText(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::unknown:
        return tr("unknown");
    case MemoryKind::pageable:
        return tr("pageable");
    case MemoryKind::pinned:
        return tr("pinned");
    case MemoryKind::device:
        return tr("device");
    case MemoryKind::array:
        return tr("array");
    case MemoryKind::managed:
        return tr("managed");
    case MemoryKind::device_static:
        return tr("device static");
    case MemoryKind::managed_static:
        return tr("managed static");
    }
    return tr("unknown");
}

QString causeText(BlockCause cause)
{
    switch (cause) {
    case BlockCause::copy:
        return tr("its own copy");
    case BlockCause::staging:
        return tr("staging of its copy");
    case BlockCause::stream_sync:
        return tr("a stream");
    case BlockCause::device_sync:
        return tr("the whole device");
    case BlockCause::event_sync:
        return tr("an event");
    case BlockCause::queue_full:
        return tr("room in the launch queue");
    case BlockCause::memory:
        return tr("allocating or freeing memory");
    case BlockCause::other:
        return tr("GPU work");
    }
    return {};
}

QString syncText(SyncRecord::Type type)
{
    switch (type) {
    case SyncRecord::unknown:
        return tr("synchronisation");
    case SyncRecord::event:
        return tr("waits for an event");
    case SyncRecord::stream_wait_event:
        return tr("stream waits for an event");
    case SyncRecord::stream_sync:
        return tr("waits for a stream");
    case SyncRecord::context_sync:
        return tr("waits for the device");
    }
    return {};
}

QString streamKindText(StreamRecord::Flag flag)
{
    switch (flag) {
    case StreamRecord::unknown:
        return tr("unknown");
    case StreamRecord::blocking:
        return tr("blocking (waits for the legacy default stream)");
    case StreamRecord::non_blocking:
        return tr("non-blocking");
    case StreamRecord::null:
        return tr("legacy default stream");
    }
    return {};
}

QString overheadText(OverheadRecord::Type type)
{
    switch (type) {
    case OverheadRecord::unknown:
        return tr("overhead");
    case OverheadRecord::driver_compiler:
        return tr("driver compiles");
    case OverheadRecord::buffer_flush:
        return tr("recorder flushes");
    case OverheadRecord::instrumentation:
        return tr("recorder instruments");
    case OverheadRecord::resource:
        return tr("recorder allocates");
    case OverheadRecord::module_loading:
        return tr("module is loaded");
    case OverheadRecord::lazy_function_loading:
        return tr("function is loaded");
    case OverheadRecord::command_buffer_full:
        return tr("launch queue is full");
    case OverheadRecord::activity_buffer_request:
        return tr("recorder asks for a buffer");
    case OverheadRecord::uvm_init:
        return tr("managed memory starts");
    }
    return {};
}

QString threadText(const Trace& trace, Row thread)
{
    if (thread >= trace.threads.size()) {
        return tr("unknown thread");
    }
    const Thread& t = trace.threads[thread];
    return t.name == 0 ? tr("thread %1").arg(t.id) : QStringLiteral("%1 (%2)").arg(text(trace.text(t.name))).arg(t.id);
}

QString streamText(const Trace& trace, Row stream)
{
    if (stream >= trace.streams.size()) {
        return tr("unknown stream");
    }
    const Stream& s = trace.streams[stream];
    return tr("GPU %1 · %2").arg(s.device).arg(text(trace.label_of(s)));
}

}  // namespace lanes::gui
