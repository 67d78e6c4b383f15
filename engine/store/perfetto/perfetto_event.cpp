// SPDX-License-Identifier: MIT
#include "engine/store/perfetto/perfetto_event.h"

#include "engine/ascii.h"
#include "engine/store/perfetto/protobuf_fields.h"
#include "engine/trace/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lanes {

namespace {

using Field = ProtobufField;

bool is_upper(std::string_view text, std::size_t at)
{
    return at < text.size() && ascii::is_upper(text[at]);
}

/// "cudaLaunchKernel" and "hipMalloc" are of the runtime, "cuLaunchKernel" of the driver; "": no call.
std::string_view category_of_call(std::string_view name)
{
    return name.starts_with("cuda") && is_upper(name, 4) ? "cuda_runtime"
        : name.starts_with("hip") && is_upper(name, 3)   ? "hip_runtime"
        : name.starts_with("cu") && is_upper(name, 2)    ? "cuda_driver"
                                                         : "";
}

std::array<std::uint32_t, 3> triple_of(std::string_view message)
{
    std::array<std::uint32_t, 3> triple {};
    std::size_t at = 0;
    Field field;
    for (ProtobufFields fields(message); fields.next(field);) {
        if (field.type == Field::varint && field.number >= 1 && field.number <= 3) {
            at = field.number - 1;
            triple[at] = static_cast<std::uint32_t>(field.value);
        }
    }
    return triple;
}

}  // namespace

PerfettoTrackEvent PerfettoEventReader::outline(std::string_view message)
{
    PerfettoTrackEvent event;
    const auto take_all = [](const Field& field, auto&& take) {
        if (field.type != Field::bytes) {
            take(field.value);
            return;
        }
        for (std::size_t at = 0; at < field.text.size();) {  // packed
            take(protobuf_number(field.text, at));
        }
    };
    Field field;
    for (ProtobufFields fields(message); fields.next(field);) {
        const bool is_number = field.type == Field::varint;
        switch (field.number) {
        case 1:
            event.relative_us = is_number ? std::optional(field.as_signed()) : event.relative_us;
            break;
        case 6:
            if (field.type == Field::bytes) {
                Field part;
                for (ProtobufFields parts(field.text); parts.next(part);) {
                    if (part.is(2, Field::varint)) {
                        event.legacy_phase = static_cast<char>(part.value);
                    } else if (part.is(3, Field::varint)) {
                        event.legacy_us = part.as_signed();
                    }
                }
            }
            break;
        case 9:
            event.type = is_number && field.value <= PerfettoTrackEvent::counter
                ? static_cast<PerfettoTrackEvent::Type>(field.value)
                : event.type;
            break;
        case 11:
            event.track = is_number ? std::optional(field.value) : event.track;
            break;
        case 16:
            event.absolute_us = is_number ? std::optional(field.as_signed()) : event.absolute_us;
            break;
        case 30:
            event.value = is_number ? std::optional(static_cast<double>(field.as_signed())) : event.value;
            break;
        case 44:
            event.value = field.type == Field::fixed64 ? std::optional(field.as_double()) : event.value;
            break;
        case 12:
            take_all(field, [&](std::uint64_t value) {
                event.further_values.push_back(static_cast<double>(static_cast<std::int64_t>(value)));
            });
            break;
        case 31:
            take_all(field, [&](std::uint64_t value) { event.further_tracks.push_back(value); });
            break;
        case 36:
        case 42:
        case 47:
        case 48:
            event.has_flow = true;
            break;
        default:
            break;
        }
    }
    return event;
}

std::string_view PerfettoEventReader::digits(std::int64_t number)
{
    return m_batch.mended.emplace_back(std::to_string(number));
}

std::string_view PerfettoEventReader::unsigned_digits(std::uint64_t number)
{
    return m_batch.mended.emplace_back(std::to_string(number));
}

void PerfettoEventReader::read(std::string_view message, const PerfettoNames& names, ChromeEvent& event)
{
    Field field;
    for (ProtobufFields fields(message); fields.next(field);) {
        const bool is_text = field.type == Field::bytes;
        if (field.is(10, Field::varint)) {
            event.name = names.text(PerfettoNames::event, field.value);
        } else if (field.number == 23 && is_text) {
            event.name = m_texts.keep(field.text);
        } else if (field.is(3, Field::varint) && event.category.empty()) {
            event.category = names.text(PerfettoNames::category, field.value);
        } else if (field.number == 22 && is_text && event.category.empty()) {
            event.category = m_texts.keep(field.text);
        } else if (field.number == 4 && is_text) {
            argument(field.text, names, event);
        } else if (field.number == 6 && is_text) {
            legacy(field.text, event);
            if (event.name.empty()) {
                Field part;
                for (ProtobufFields parts(field.text); parts.next(part);) {
                    event.name = part.is(1, Field::varint) ? names.text(PerfettoNames::event, part.value) : event.name;
                }
            }
        }
    }
}

/// A LegacyEvent: the ids of an event that was one of Chrome's before.
void PerfettoEventReader::legacy(std::string_view message, ChromeEvent& event)
{
    Field field;
    for (ProtobufFields fields(message); fields.next(field);) {
        if (field.is(7, Field::bytes)) {
            event.scope = m_texts.keep(field.text);
        }
        if (field.type != Field::varint) {
            continue;
        }
        if (field.number == 6 || field.number == 10 || field.number == 11) {
            event.id = unsigned_digits(field.value);
            event.local_id = field.number == 10;
        } else if (field.number == 18) {
            event.process = {field.as_signed(), digits(field.as_signed())};
        } else if (field.number == 19) {
            event.thread = {field.as_signed(), digits(field.as_signed())};
        }
    }
}

void PerfettoEventReader::argument(std::string_view message, const PerfettoNames& names, ChromeEvent& event)
{
    std::string_view key, text;
    std::optional<double> number;
    bool has_text = false;
    std::array<std::uint32_t, 3> triple {};
    std::size_t items = 0;
    Field field;
    for (ProtobufFields fields(message); fields.next(field);) {
        const bool is_number = field.type == Field::varint;
        if (field.number == 1 && is_number) {
            key = names.text(PerfettoNames::argument, field.value);
        } else if (field.is(10, Field::bytes)) {
            key = field.text;
        } else if ((field.number == 3 || field.number == 7) && is_number) {
            number = static_cast<double>(field.value);
            text = unsigned_digits(field.value);
        } else if (field.number == 4 && is_number) {
            number = static_cast<double>(field.as_signed());
            text = digits(field.as_signed());
        } else if (field.is(5, Field::fixed64)) {
            number = field.as_double();
            std::array<char, 32> digits_of {};
            const auto end = std::to_chars(digits_of.data(), digits_of.data() + digits_of.size(), *number).ptr;
            text = m_batch.mended.emplace_back(digits_of.data(), end);
        } else if (field.is(6, Field::bytes)) {
            text = field.text;
            has_text = true;
        } else if (field.number == 17 && is_number) {
            text = names.text(PerfettoNames::value, field.value);
        } else if (field.is(12, Field::bytes) && items < triple.size()) {
            Field item;
            for (ProtobufFields parts(field.text); parts.next(item);) {
                if (item.type == Field::varint && (item.number == 3 || item.number == 4)) {
                    triple[items] = static_cast<std::uint32_t>(item.value);
                }
            }
            ++items;
        }
    }
    m_is_call = m_is_call || key == "cbid";
    m_is_sync = m_is_sync || key == "cuda_sync_kind";
    m_is_python = m_is_python || key == "Python id";
    if (number && std::isfinite(*number) && (event.phase == 'C' || event.phase == 'i')) {
        m_batch.values.push_back({m_texts.keep(key), *number});
    }
    switch (chrome_argument(key)) {
    case ChromeArgument::none:
        break;
    case ChromeArgument::triple:
        take_argument(event, key, triple);
        break;
    case ChromeArgument::text:
        take_argument(m_batch, event, key, has_text ? m_texts.keep(text) : text);
        break;
    }
}

void PerfettoEventReader::read_stage(std::string_view message, const PerfettoNames& names, ChromeEvent& event)
{
    std::uint64_t stage = 0;
    std::string_view kernel;
    const auto take = [&](std::string_view key, std::string_view text) {
        // Its keys differ from those of a slice where a viewer has a meaning for these.
        const auto known = key == "device id" ? "device"
            : key == "context id"             ? "context"
            : key == "stream id"              ? "stream"
            : key == "registers_per_thread"   ? "registers per thread"
            : key == "shared_mem_dynamic"     ? "shared memory"
                                              : key;
        if (chrome_argument(known) == ChromeArgument::text && known != "name") {
            take_argument(m_batch, event, known, m_texts.keep(text));
        }
    };
    Field field;
    for (ProtobufFields fields(message); fields.next(field);) {
        const bool is_number = field.type == Field::varint;
        if (field.number == 2 && is_number) {
            event.duration = static_cast<Ns>(field.value);
        } else if (field.number == 11 && is_number) {
            event.device = event.device.value_or(field.as_signed());
        } else if (field.number == 13 && is_number && event.stream.text.empty() && !event.stream.number) {
            event.stream.text = names.text(PerfettoNames::stage, field.value);
        } else if (field.number == 14 && is_number) {
            stage = field.value;
        } else if (field.number == 17 && field.type == Field::bytes) {
            event.name = m_texts.keep(field.text);
        } else if (field.number == 20 && is_number) {
            event.name = names.text(PerfettoNames::event, field.value);
        } else if (field.number == 19 && is_number) {
            kernel = names.text(PerfettoNames::kernel, field.value);
        } else if (field.is(6, Field::bytes)) {
            std::string_view key, text;
            Field part;
            for (ProtobufFields parts(field.text); parts.next(part);) {
                key = part.is(1, Field::bytes) ? part.text : key;
                text = part.is(2, Field::bytes) ? part.text : text;
            }
            take(key, text);
        } else if (field.is(21, Field::bytes)) {
            Field part;
            for (ProtobufFields parts(field.text); parts.next(part);) {
                if (part.is(1, Field::bytes)) {
                    event.grid = triple_of(part.text);
                } else if (part.is(2, Field::bytes)) {
                    event.block = triple_of(part.text);
                } else if (part.is(3, Field::bytes)) {
                    std::string_view key;
                    std::optional<std::uint64_t> number;
                    Field item;
                    for (ProtobufFields items(part.text); items.next(item);) {
                        key = item.is(1, Field::varint) ? names.text(PerfettoNames::launch_argument, item.value)
                            : item.is(2, Field::bytes)  ? item.text
                                                        : key;
                        number = item.type == Field::varint && (item.number == 3 || item.number == 4)
                            ? std::optional(item.value)
                            : number;
                    }
                    if (number) {
                        take(key, unsigned_digits(*number));
                    }
                }
            }
        }
    }
    const auto what = names.text(PerfettoNames::stage, stage);
    event.name = !event.name.empty() ? event.name : !kernel.empty() ? kernel : what;
    event.category = what == "Annotation" ? "gpu_user_annotation"
        : what.starts_with("Memcpy")      ? "gpu_memcpy"
        : what.starts_with("Memset")      ? "gpu_memset"
                                          : "kernel";
    event.lasts = event.duration >= 0 && is_sane(event.duration);
    event.duration = event.lasts ? event.duration : -1;
    if (event.device) {
        event.process = {*event.device, digits(*event.device)};
    }
}

void PerfettoEventReader::find_category(ChromeEvent& event, std::string_view track) const
{
    if (!event.category.empty() || event.phase != 'X') {
        return;
    }
    const bool has_correlation = event.correlation.number || !event.correlation.text.empty();
    const bool has_stream = event.stream.number || !event.stream.text.empty();
    const auto call = category_of_call(event.name);
    event.category = m_is_sync                                                 ? "cuda_sync"
        : (m_is_call || (has_correlation && !has_stream)) && !call.empty()     ? call
        : has_stream && event.device && event.name.starts_with("Memcpy")       ? "gpu_memcpy"
        : has_stream && event.device && event.name.starts_with("Memset")       ? "gpu_memset"
        : has_stream && event.device && has_correlation                        ? "kernel"
        : track == "Overhead"                                                  ? "overhead"
        : m_is_python                                                          ? "python_function"
        : event.external_id && event.name.find("::") != std::string_view::npos ? "cpu_op"
        : event.external_id                                                    ? "user_annotation"
                                                                               : "";
}

}  // namespace lanes
