// SPDX-License-Identifier: MIT
#include "engine/store/chrome/chrome_async.h"
#include "engine/store/export/export_rows.h"

#include <algorithm>
#include <limits>

namespace lanes {

void ChromeAsync::begin(std::uint32_t process, std::string key, StringId name, std::string_view category, Ns time)
{
    auto& spans = m_groups[{process, std::string(category)}];
    auto& open = m_open[std::move(key)];
    open.all.push_back({&spans, spans.size()});
    open.by_name[name].push_back(open.all.back());
    ++open.count;
    spans.push_back({time, time, name, true, false});
}

bool ChromeAsync::end(const std::string& key, StringId name, Ns time)
{
    const auto found = m_open.find(key);
    if (found == m_open.end()) {
        return false;
    }
    auto& open = found->second;
    auto& begun = name == 0 ? open.all : open.by_name[name];
    while (!begun.empty() && !begun.back().span().open) {
        begun.pop_back();
    }
    if (begun.empty()) {
        return false;
    }
    auto& span = begun.back().span();
    span.end = std::max(span.start, time);
    span.open = false;
    begun.pop_back();
    if (--open.count == 0) {
        m_open.erase(found);
    }
    return true;
}

void ChromeAsync::instant(std::uint32_t process, StringId name, std::string_view category, Ns time)
{
    m_groups[{process, std::string(category)}].push_back({time, time, name, false, true});
}

void ChromeAsync::finish(TraceBuilder& builder, std::uint32_t first_thread, std::uint64_t first_range)
{
    constexpr std::uint32_t after_all = 1'000'000;  // places of lanes, after those of threads
    std::uint32_t place = after_all;
    for (auto& [group, spans] : m_groups) {
        const auto& [process, category] = group;
        const auto end_of = [](const Span& span) { return span.open ? std::numeric_limits<Ns>::max() : span.end; };
        std::stable_sort(spans.begin(), spans.end(), [&](const Span& a, const Span& b) {
            return a.start != b.start ? a.start < b.start : end_of(a) > end_of(b);
        });
        NestingRows rows(false);
        std::vector<std::uint32_t> threads;
        for (const auto& span : spans) {
            const auto row = rows.place(span.start, end_of(span));
            while (row >= threads.size()) {
                const auto label = (category.empty() ? "asynchronous" : category)
                    + (threads.empty() ? "" : " (" + std::to_string(threads.size() + 1) + ")");
                threads.push_back(first_thread++);
                builder.write(ThreadRecord {process, threads.back(), builder.intern(label), place++});
            }
            RangeRecord r {};
            r.time = span.start;
            r.id = first_range++;
            r.process = process;
            r.thread = threads[row];
            r.name = span.name;
            r.domain = builder.intern(category);
            r.edge = span.instant ? RangeRecord::mark : RangeRecord::begin;
            builder.write(r);
            if (!span.open && !span.instant) {
                r.time = span.end;
                r.name = r.domain = 0;
                r.edge = RangeRecord::finish;
                builder.write(r);
            }
        }
    }
}

}  // namespace lanes
