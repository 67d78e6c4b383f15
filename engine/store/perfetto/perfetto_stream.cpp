// SPDX-License-Identifier: MIT
#include "engine/store/perfetto/perfetto_stream.h"

#include "engine/store/inflater.h"
#include "engine/store/perfetto/protobuf_fields.h"
#include "engine/store/recording_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lanes {

namespace {

using PacketField = ProtobufField;

constexpr std::uint64_t cleared_flag = 1, needs_flag = 2;

Ns sane(Ns time)
{
    if (!is_sane(time)) {
        throw ProtobufDamage {0, "expected a time within 2^61 ns, found one beyond it"};
    }
    return time;
}

ChromeEvent& add_event(ChromeBatch& batch, char phase)
{
    auto& event = batch.events.emplace_back();
    event.phase = phase;
    event.first_value = static_cast<std::uint32_t>(batch.values.size());
    return event;
}

}  // namespace

PerfettoStream::PerfettoStream(const std::string& path, std::size_t most_bytes)
    : m_path(path)
    , m_source(path)
    , m_left(most_bytes)
{
}

void PerfettoStream::fail(std::size_t at, const std::string& words) const
{
    throw StoreError(m_path + ": byte " + std::to_string(at) + ": " + words);
}

/// Reads a piece more; false: there is none.
bool PerfettoStream::fill()
{
    if (m_ended) {
        return false;
    }
    m_before += m_at;
    m_text.erase(0, m_at);
    m_at = 0;
    const auto old = m_text.size();
    const auto wanted = std::min(piece, m_left);
    m_text.resize(old + wanted);
    const auto got = m_source.read(m_text.data() + old, wanted);
    m_text.erase(old + got);
    m_left -= got;
    m_ended = got < wanted || m_left == 0;
    m_cut = m_cut || m_source.cut_short();
    return got > 0;
}

bool PerfettoStream::next(ChromeBatch& batch)
{
    batch.clear();
    if (m_finished) {
        return false;
    }
    while (batch.events.size() < most_events) {
        if (m_packed_at < m_packed.size()) {
            take_packed(batch);
            continue;
        }
        const auto left = std::string_view(m_text).substr(m_at);
        if (left.empty()) {
            if (fill()) {
                continue;
            }
            finish(batch);
            return true;
        }
        ProtobufHead head;
        try {
            head = protobuf_head(left);
        } catch (const ProtobufDamage& damage) {
            fail(m_before + m_at + damage.at, damage.words);
        }
        const auto total = head.size + head.length;
        if (head.size > 0 && (head.length > most_packet || total < head.length)) {
            fail(m_before + m_at,
                "expected a packet of at most 64 MiB, found one of " + std::to_string(head.length) + " bytes");
        }
        if (head.size == 0 || total > left.size()) {
            if (!fill()) {
                m_cut = true;
                m_at = m_text.size();
            }
            continue;
        }
        if (head.number == 1 && head.type == ProtobufField::bytes) {
            take_packet(batch, left.substr(head.size, static_cast<std::size_t>(head.length)),
                m_before + m_at + head.size, false);
        }
        m_at += static_cast<std::size_t>(total);
    }
    m_found += batch.events.size();
    return true;
}

void PerfettoStream::take_packet(ChromeBatch& batch, std::string_view message, std::size_t at, bool is_packed)
{
    const auto events = batch.events.size();
    try {
        read_packet(batch, message, is_packed);
    } catch (const ProtobufDamage& damage) {
        batch.events.resize(events);
        ++batch.damaged;
        ++m_damaged;
        if (m_first_damage.empty()) {
            m_first_damage = is_packed ? "packed packet at byte " + std::to_string(at) + ": " + damage.words
                                       : "packet at byte " + std::to_string(at) + ": " + damage.words;
        }
    }
}

void PerfettoStream::read_packet(ChromeBatch& batch, std::string_view message, bool is_packed)
{
    // What a packet says of its sequence counts for the whole packet, also for fields before it.
    Packet packet;
    m_parts.clear();
    PacketField field;
    for (ProtobufFields fields(message); fields.next(field);) {
        if (field.type == PacketField::bytes) {
            m_parts.push_back(field);
        } else if (field.type == PacketField::varint) {
            packet.has_stamp = packet.has_stamp || field.number == 8;
            packet.stamp = field.number == 8 ? field.value : packet.stamp;
            packet.sequence = field.number == 10 ? static_cast<std::uint32_t>(field.value) : packet.sequence;
            packet.flags = field.number == 13 ? field.value : packet.flags;
            packet.cleared = packet.cleared || (field.number == 41 && field.value != 0);
            packet.lost = packet.lost || (field.number == 42 && field.value != 0);
            packet.clock = field.number == 58 ? static_cast<std::uint32_t>(field.value) : packet.clock;
        }
    }
    auto& sequence = m_sequences[packet.sequence];
    if (packet.cleared || (packet.flags & cleared_flag) != 0) {
        sequence.names = std::make_shared<PerfettoNames>();
        sequence.is_known = true;
        sequence.clock = 0;
        sequence.track = 0;
        sequence.counter_tracks.clear();
    } else if (packet.lost) {
        sequence.is_known = false;
    }
    for (const auto& part : m_parts) {
        if (part.number == 12) {
            sequence.names->take(part.text, m_texts);
        } else if (part.number == 59) {
            defaults(part.text, sequence);
        } else if (part.number == 6) {
            m_clocks.take(part.text, packet.sequence);
        }
    }
    if ((packet.flags & needs_flag) != 0 && !sequence.is_known) {
        ++batch.damaged;  // what it refers to was lost
        return;
    }
    const auto time = [&] {
        const auto clock = packet.clock != 0 ? packet.clock : sequence.clock;
        return sane(m_clocks.time_of(packet.stamp, clock != 0 ? clock : PerfettoClocks::boottime, packet.sequence));
    };
    for (const auto& part : m_parts) {
        if (part.number == 60) {
            describe_track(batch, part.text);
        } else if (part.number == 43) {
            describe_process(batch, part.text, nullptr);
        } else if (part.number == 44) {
            describe_thread(batch, part.text, nullptr, &sequence);
        } else if (part.number == 11) {
            track_event(batch, part.text, packet, sequence);
        } else if (part.number == 53) {
            const Ns start = time();
            auto& event = add_event(batch, 'X');
            event.start = start;
            PerfettoEventReader(m_texts, batch).read_stage(part.text, *sequence.names, event);
        } else if (part.number == 52) {
            gpu_counters(batch, part.text, time());
        } else if (part.number == 50 && !is_packed) {
            unpack(part.text);
        }
    }
}

/// Inflates packets that were deflated together, for take_packed().
void PerfettoStream::unpack(std::string_view packed)
{
    Inflater inflater(Inflater::zlib);
    std::string bytes(packed), text;
    auto& z = inflater.stream;
    z.next_in = reinterpret_cast<Bytef*>(bytes.data());
    z.avail_in = static_cast<uInt>(bytes.size());
    int status = Z_OK;
    while (status == Z_OK) {
        const auto old = text.size();
        if (old >= most_packet) {
            throw ProtobufDamage {0, "expected packets of at most 64 MiB, found more"};
        }
        text.resize(old + piece);
        z.next_out = reinterpret_cast<Bytef*>(text.data() + old);
        z.avail_out = static_cast<uInt>(piece);
        status = inflate(&z, Z_NO_FLUSH);
        text.erase(text.size() - z.avail_out);
        if (status == Z_OK && z.avail_in == 0 && z.avail_out > 0) {
            break;
        }
    }
    if (status != Z_STREAM_END) {
        throw ProtobufDamage {0, "expected deflated packets, found other bytes"};
    }
    m_unpacked += text.size();
    if (m_unpacked > most_json_bytes) {
        fail(m_before + m_at, "expected packed packets of at most 16 GiB in all, found more");
    }
    m_packed = std::move(text);
    m_packed_at = 0;
}

/// Takes the next of the packets that were deflated together; they hold no further ones.
void PerfettoStream::take_packed(ChromeBatch& batch)
{
    const auto left = std::string_view(m_packed).substr(m_packed_at);
    try {
        ProtobufFields fields(left);
        PacketField field;
        fields.next(field);
        m_packed_at += fields.at();
        if (field.is(1, PacketField::bytes)) {
            take_packet(batch, field.text, m_before + m_at, true);
        }
    } catch (const ProtobufDamage&) {
        ++batch.damaged;
        m_packed_at = m_packed.size();
    }
}

void PerfettoStream::defaults(std::string_view message, Sequence& sequence)
{
    PacketField field;
    for (ProtobufFields fields(message); fields.next(field);) {
        if (field.is(58, PacketField::varint)) {
            sequence.clock = static_cast<std::uint32_t>(field.value);
        } else if (field.is(11, PacketField::bytes)) {
            const auto outline = PerfettoEventReader::outline(field.text);
            sequence.track = outline.track.value_or(sequence.track);
            if (!outline.further_tracks.empty()) {
                sequence.counter_tracks = outline.further_tracks;
            }
        }
    }
}

void PerfettoStream::metadata(
    ChromeBatch& batch, std::string_view what, std::int64_t process, std::int64_t thread, std::string_view name)
{
    auto& event = add_event(batch, 'M');
    event.name = what;
    event.process = {process, batch.mended.emplace_back(std::to_string(process))};
    event.thread = {thread, batch.mended.emplace_back(std::to_string(thread))};
    event.given_name = name;
}

void PerfettoStream::describe_process(ChromeBatch& batch, std::string_view message, Track* track)
{
    std::optional<std::int64_t> process;
    std::string_view name, label;
    PacketField field;
    for (ProtobufFields fields(message); fields.next(field);) {
        process = field.is(1, PacketField::varint) ? std::optional<std::int64_t>(static_cast<std::int32_t>(field.value))
                                                   : process;
        name = field.is(6, PacketField::bytes) ? field.text : name;
        label = field.is(8, PacketField::bytes) ? field.text : label;
    }
    if (!process) {
        return;
    }
    if (track != nullptr) {
        track->process = process;
        name = name.empty() ? track->name : name;
    }
    if (!name.empty()) {
        metadata(batch, "process_name", *process, *process, m_texts.keep(name));
    }
    if (!label.empty()) {
        metadata(batch, "process_labels", *process, *process, m_texts.keep(label));
    }
}

void PerfettoStream::describe_thread(ChromeBatch& batch, std::string_view message, Track* track, Sequence* sequence)
{
    std::optional<std::int64_t> process;
    std::int64_t thread = 0;
    std::string_view name;
    PacketField field;
    for (ProtobufFields fields(message); fields.next(field);) {
        process = field.is(1, PacketField::varint) ? std::optional<std::int64_t>(static_cast<std::int32_t>(field.value))
                                                   : process;
        thread = field.is(2, PacketField::varint) ? field.as_signed() : thread;
        name = field.is(5, PacketField::bytes) ? field.text : name;
        if (sequence != nullptr && field.is(6, PacketField::varint)) {
            sequence->reference_us = field.as_signed();
        }
    }
    // A sequence that describes its thread has its events there.
    constexpr std::uint64_t of_sequences = std::uint64_t {1} << 63U;
    if (sequence != nullptr && process) {
        const auto uuid = of_sequences | (static_cast<std::uint64_t>(*process) << 32U)
            | (static_cast<std::uint64_t>(thread) & 0x7FFFFFFFU);
        sequence->track = uuid;
        track = &m_tracks[uuid];
    }
    if (!process || track == nullptr) {
        return;
    }
    track->process = process;
    track->thread = thread;
    name = name.empty() ? track->name : name;
    track->name = m_texts.keep(name);
    if (!name.empty()) {
        metadata(batch, "thread_name", *process, thread, track->name);
    }
}

void PerfettoStream::describe_track(ChromeBatch& batch, std::string_view message)
{
    std::uint64_t uuid = 0;
    std::string_view name, process, thread, counter;
    std::uint64_t parent = 0;
    PacketField field;
    bool is_counter = false;
    for (ProtobufFields fields(message); fields.next(field);) {
        uuid = field.is(1, PacketField::varint) ? field.value : uuid;
        parent = field.is(5, PacketField::varint) ? field.value : parent;
        if (field.type == PacketField::bytes) {
            name = field.number == 2 || field.number == 10 || field.number == 13 ? field.text : name;
            process = field.number == 3 ? field.text : process;
            thread = field.number == 4 ? field.text : thread;
            counter = field.number == 8 ? field.text : counter;
            is_counter = is_counter || field.number == 8;
        }
    }
    auto& track = m_tracks[uuid];
    track.parent = parent != 0 ? parent : track.parent;
    track.name = name.empty() ? track.name : m_texts.keep(name);
    track.is_counter = track.is_counter || is_counter;
    for (ProtobufFields fields(counter); fields.next(field);) {
        if (field.is(3, PacketField::varint) && field.value != 0) {
            constexpr std::uint64_t size_in_bytes = 3;
            track.shown_unit = field.value == size_in_bytes ? CounterRecord::bytes : CounterRecord::none;
        } else if (field.is(4, PacketField::varint)) {
            track.unit = field.as_signed();
        } else if (field.is(5, PacketField::varint)) {
            track.is_incremental = field.value != 0;
        }
    }
    if (!thread.empty()) {
        describe_thread(batch, thread, &track, nullptr);
    } else if (!process.empty()) {
        describe_process(batch, process, &track);
    }
}

/// Sets the process and the thread of an event: those of its track or of the nearest one above it. A track of neither
/// is a lane of its own, called as the track.
void PerfettoStream::place(ChromeBatch& batch, ChromeEvent& event, std::uint64_t uuid)
{
    constexpr int most_levels = 64;  // a track may be above itself
    const auto own = m_tracks.find(uuid);
    const auto set = [&](ChromeId& id, std::int64_t number) {
        id = {number, batch.mended.emplace_back(std::to_string(number))};
    };
    auto at = own;
    for (int level = 0; level < most_levels && at != m_tracks.end() && !at->second.process; ++level) {
        at = at->second.parent == 0 ? m_tracks.end() : m_tracks.find(at->second.parent);
    }
    const bool is_told = event.process.number.has_value();
    if (!is_told && at != m_tracks.end() && at->second.process) {
        set(event.process, *at->second.process);
    }
    if (event.thread.number) {
        return;
    }
    if (at == own && own != m_tracks.end() && own->second.thread) {
        set(event.thread, *own->second.thread);
    } else if (at == own && own != m_tracks.end() && own->second.process) {
        set(event.thread, *own->second.process);  // of the process itself
    } else {
        const auto name = own == m_tracks.end() ? std::string_view() : own->second.name;
        event.thread.text = name.empty() ? m_texts.keep("track " + std::to_string(uuid)) : name;
    }
    if (!event.process.number) {
        set(event.process, 0);
    }
}

void PerfettoStream::slice(
    ChromeBatch& batch, const Track& track, std::uint64_t uuid, const Slice& begun, const End& end)
{
    auto& event = add_event(batch, 'X');
    event.start = begun.start;
    event.duration = end.time - begun.start;
    event.lasts = event.duration >= 0;
    PerfettoEventReader reader(m_texts, batch);
    reader.read(begun.message, *begun.names, event);
    const auto name = event.name;
    reader.read(end.message, *end.names, event);
    event.name = name;
    m_flows += begun.has_flow && !event.correlation.number && event.correlation.text.empty() ? 1 : 0;
    place(batch, event, uuid);
    reader.find_category(event, track.name);
}

/// Joins an end to its begin, or leaves it to finish() if that did not come yet, or if many came after it that begin
/// later than the end.
void PerfettoStream::end_slice(ChromeBatch& batch, std::uint64_t uuid, End end, bool in_columns)
{
    auto& track = m_tracks[uuid];
    auto& begun = track.begun;
    auto found = begun.end();
    if (in_columns) {
        found = begun.begin();
    } else {
        constexpr std::size_t most = 256;  // looked at: each of many ends may be earlier than many begins
        const auto last = begun.size() <= most ? begun.begin() : begun.end() - most;
        while (found != last && (found == begun.end() || found->start > end.time)) {
            --found;
        }
    }
    if (found == begun.end() || found->start > end.time) {
        track.lone.push_back(std::move(end));
        return;
    }
    const auto slice_of = std::move(*found);
    begun.erase(found);
    slice(batch, track, uuid, slice_of, end);
}

/// Joins the ends that were held.
void PerfettoStream::release(ChromeBatch& batch, Sequence& sequence)
{
    auto held = std::exchange(sequence.held, {});
    for (auto& [track, end] : held) {
        try {
            end_slice(batch, track, std::move(end), sequence.in_columns);
        } catch (const ProtobufDamage&) {
            batch.events.pop_back();
            ++batch.damaged;
        }
    }
}

void PerfettoStream::count(ChromeBatch& batch, std::uint64_t uuid, double value, Ns time)
{
    auto& track = m_tracks[uuid];
    value *= static_cast<double>(track.unit);
    value = track.is_incremental ? track.sum += value : value;
    if (!std::isfinite(value)) {
        return;
    }
    auto& event = add_event(batch, 'C');
    event.start = time;
    event.name = track.name.empty() ? std::string_view("counter") : track.name;
    event.unit = track.shown_unit;
    batch.values.push_back({"value", value});
    event.values = 1;
    place(batch, event, uuid);
}

void PerfettoStream::track_event(ChromeBatch& batch, std::string_view message, const Packet& packet, Sequence& sequence)
{
    const auto outline = PerfettoEventReader::outline(message);
    const auto microseconds
        = [](std::int64_t time) { return static_cast<Ns>(static_cast<std::uint64_t>(time) * 1000U); };
    Ns time = 0;
    if (packet.has_stamp) {
        const auto clock = packet.clock != 0 ? packet.clock : sequence.clock;
        time = m_clocks.time_of(packet.stamp, clock != 0 ? clock : PerfettoClocks::boottime, packet.sequence);
    } else if (outline.absolute_us) {
        time = microseconds(*outline.absolute_us);
    } else {
        sequence.reference_us = static_cast<std::int64_t>(static_cast<std::uint64_t>(sequence.reference_us)
            + static_cast<std::uint64_t>(outline.relative_us.value_or(0)));
        time = microseconds(sequence.reference_us);
    }
    time = sane(time);
    const auto uuid = outline.track.value_or(sequence.track);
    auto& track = m_tracks[uuid];
    const auto& further = outline.further_tracks.empty() ? sequence.counter_tracks : outline.further_tracks;
    for (std::size_t i = 0; i < std::min(further.size(), outline.further_values.size()); ++i) {
        count(batch, further[i], outline.further_values[i], time);
    }
    auto type = outline.type;
    if (type == PerfettoTrackEvent::unspecified) {
        type = outline.legacy_phase == 'B'                               ? PerfettoTrackEvent::begin
            : outline.legacy_phase == 'E'                                ? PerfettoTrackEvent::end
            : outline.legacy_phase == 'i' || outline.legacy_phase == 'I' ? PerfettoTrackEvent::instant
                                                                         : type;
    }
    const bool is_edge = type == PerfettoTrackEvent::begin || type == PerfettoTrackEvent::end;
    const bool is_next_begin = type == PerfettoTrackEvent::begin && sequence.begins > 0 && !sequence.after_end;
    const bool is_end_of_row = type == PerfettoTrackEvent::end && sequence.begins > 1;
    sequence.in_columns = sequence.in_columns || ((is_next_begin || is_end_of_row) && time < sequence.last);
    if (type != PerfettoTrackEvent::end) {
        release(batch, sequence);
    }
    switch (type) {
    case PerfettoTrackEvent::begin:
        sequence.begins = sequence.after_end ? 1 : sequence.begins + 1;
        sequence.after_end = false;
        track.begun.push_back({time, std::string(message), sequence.names, outline.has_flow});
        break;
    case PerfettoTrackEvent::end:
        sequence.after_end = true;
        if (sequence.begins > 1 && !sequence.in_columns) {
            sequence.held.push_back({uuid, {time, std::string(message), sequence.names}});
        } else {
            release(batch, sequence);
            end_slice(batch, uuid, {time, std::string(message), sequence.names}, sequence.in_columns);
        }
        break;
    case PerfettoTrackEvent::counter:
        if (outline.value) {
            count(batch, uuid, *outline.value, time);
        }
        break;
    case PerfettoTrackEvent::instant:
    case PerfettoTrackEvent::unspecified: {
        if (type != PerfettoTrackEvent::instant && outline.legacy_phase == 0) {
            break;  // only further counters
        }
        auto& event = add_event(batch, type == PerfettoTrackEvent::instant ? 'i' : outline.legacy_phase);
        event.start = time;
        event.duration = outline.legacy_us ? sane(microseconds(*outline.legacy_us)) : 0;
        event.lasts = outline.legacy_us && event.duration >= 0;
        PerfettoEventReader reader(m_texts, batch);
        reader.read(message, *sequence.names, event);
        event.values = static_cast<std::uint32_t>(batch.values.size()) - event.first_value;
        place(batch, event, uuid);
        reader.find_category(event, track.name);
        break;
    }
    }
    sequence.last = is_edge ? time : sequence.last;
}

/// Counters of a GPU. Their names are in this packet or in an earlier one.
void PerfettoStream::gpu_counters(ChromeBatch& batch, std::string_view message, Ns time)
{
    std::int64_t gpu = 0;
    struct Value {
        std::uint32_t id = 0;
        double number = 0;
    };
    std::vector<Value> values;
    PacketField field;
    for (ProtobufFields fields(message); fields.next(field);) {
        gpu = field.is(3, PacketField::varint) ? static_cast<std::int32_t>(field.value) : gpu;
        if (field.type != PacketField::bytes) {
            continue;
        }
        PacketField part;
        if (field.number == 1) {
            for (ProtobufFields specs(field.text); specs.next(part);) {
                if (!part.is(1, PacketField::bytes)) {
                    continue;
                }
                std::uint32_t id = 0;
                std::string_view name;
                PacketField item;
                for (ProtobufFields items(part.text); items.next(item);) {
                    id = item.is(1, PacketField::varint) ? static_cast<std::uint32_t>(item.value) : id;
                    name = item.is(2, PacketField::bytes) ? item.text : name;
                }
                m_gpu_counters[id] = m_texts.keep(name);
            }
        } else if (field.number == 2) {
            Value value;
            for (ProtobufFields parts(field.text); parts.next(part);) {
                value.id = part.is(1, PacketField::varint) ? static_cast<std::uint32_t>(part.value) : value.id;
                value.number = part.is(2, PacketField::varint) ? static_cast<double>(part.as_signed())
                    : part.is(3, PacketField::fixed64)         ? part.as_double()
                                                               : value.number;
            }
            values.push_back(value);
        }
    }
    for (const auto& value : values) {
        const auto name = m_gpu_counters.find(value.id);
        if (name == m_gpu_counters.end() || !std::isfinite(value.number)) {
            ++m_unnamed;
            continue;
        }
        auto& event = add_event(batch, 'C');
        event.start = time;
        event.name = name->second;
        event.process.text = m_texts.keep("GPU " + std::to_string(gpu) + " Counters");
        batch.values.push_back({"value", value.number});
        event.values = 1;
    }
}

/// Joins what is left by time, as packets of several sequences come in any order. What never ended is an open range.
void PerfettoStream::finish(ChromeBatch& batch)
{
    m_finished = true;
    for (auto& [id, sequence] : m_sequences) {
        release(batch, sequence);
    }
    for (auto& [uuid, track] : m_tracks) {
        auto begun = std::vector<Slice>(
            std::make_move_iterator(track.begun.begin()), std::make_move_iterator(track.begun.end()));
        track.begun.clear();
        std::stable_sort(begun.begin(), begun.end(), [](const Slice& a, const Slice& b) { return a.start < b.start; });
        std::stable_sort(
            track.lone.begin(), track.lone.end(), [](const End& a, const End& b) { return a.time < b.time; });
        std::vector<Slice> open;
        std::size_t next = 0;
        for (const auto& end : track.lone) {
            for (; next < begun.size() && begun[next].start <= end.time; ++next) {
                open.push_back(std::move(begun[next]));
            }
            if (open.empty()) {
                ++m_lone_ends;
                continue;
            }
            try {
                slice(batch, track, uuid, open.back(), end);
            } catch (const ProtobufDamage&) {
                batch.events.pop_back();
                ++batch.damaged;
            }
            open.pop_back();
        }
        for (; next < begun.size(); ++next) {
            open.push_back(std::move(begun[next]));
        }
        for (const auto& left : open) {
            auto& event = add_event(batch, 'X');
            event.start = left.start;
            PerfettoEventReader reader(m_texts, batch);
            try {
                reader.read(left.message, *left.names, event);
                place(batch, event, uuid);
                reader.find_category(event, track.name);
                const bool is_range = event.category.empty() || event.category == "cpu_op"
                    || event.category == "user_annotation" || event.category == "python_function";
                event.phase = is_range ? 'B' : 'X';
            } catch (const ProtobufDamage&) {
                batch.events.pop_back();
                ++batch.damaged;
            }
        }
        track.lone.clear();
    }
    m_found += batch.events.size();
    if (m_found == 0 && m_damaged > 0) {
        throw StoreError(m_path + ": no packet in it can be read; the first is the " + m_first_damage);
    }
    if (m_found == 0) {
        throw StoreError(m_path + ": is a trace of Perfetto without slices, counters or work of a GPU");
    }
}

}  // namespace lanes
