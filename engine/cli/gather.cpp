// SPDX-License-Identifier: MIT
#include "engine/job/gather.h"
#include "engine/cli/commands.h"
#include "engine/input_error.h"
#include "engine/job/job_file.h"
#include "engine/job/job_report.h"

#include <charconv>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace lanes {

namespace {

struct GatherArguments {
    std::vector<std::string> places;
    std::string out;
    bool send = false, send_file = false;
    std::string full;  ///< "3,8-15"
};

/// "3,8-15" as numbers.
std::vector<std::int64_t> numbers_of(const std::string& text)
{
    constexpr std::int64_t most = 1 << 16;
    std::vector<std::int64_t> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto fail = [&]() -> std::int64_t {
        throw InputError("--full: found \"" + text + "\", expected numbers of ranks such as 3,8-15");
    };
    const auto number = [&] {
        std::int64_t value = 0;
        const auto read = std::from_chars(at, end, value);
        if (read.ec != std::errc {} || value < 0 || value >= most) {
            return fail();
        }
        at = read.ptr;
        return value;
    };
    while (at != end) {
        const auto first = number();
        auto last = first;
        if (at != end && *at == '-') {
            ++at;
            last = number();
        }
        if (last < first || (at != end && *at != ',') || (at != end && ++at == end)) {
            fail();
        }
        for (auto rank = first; rank <= last; ++rank) {
            numbers.push_back(rank);
        }
    }
    return numbers;
}

void say_left_out(const Gathered& gathered, const Messages& messages)
{
    for (const auto& message : gathered.left_out) {
        std::fprintf(stderr, "%s\n", messages.format(message).c_str());
    }
}

void gather_to(const GatherArguments& arguments, const Messages& messages)
{
    if (arguments.send_file) {
        send_recording(arguments.places.front());
        return;
    }
    if (arguments.out.empty() && !arguments.send) {
        throw InputError("-o: found nothing, expected a name such as job.lanes");
    }
    const auto full = numbers_of(arguments.full);
    if (arguments.send) {
        answer_clock();
    }
    auto gathered = gather(arguments.places);
    if (arguments.send) {
        say_left_out(gathered, messages);
        send_gathered(gathered);
        answer_clock();
        return;
    }
    expect_ranks(gathered, messages);
    settle_ranks(gathered.ranks);
    const auto meetings = meet(gathered.ranks);
    save_ranks(gathered.ranks, &meetings, arguments.out);
    for (const auto& note : job_notes(gathered.ranks, meetings)) {
        std::fprintf(stderr, "%s\n", messages.format(note).c_str());
    }
    for (const auto& file : fetch_recordings(gathered.ranks, full, arguments.out + ".full")) {
        std::printf("%s\n", file.c_str());
    }
}

}  // namespace

void expect_ranks(const Gathered& gathered, const Messages& messages)
{
    say_left_out(gathered, messages);
    if (gathered.ranks.empty()) {
        throw InputError("no recording of a rank was found");
    }
}

void add_gather(CLI::App& app, CommandContext& context)
{
    const auto arguments = std::make_shared<GatherArguments>();
    auto* const command = app.add_subcommand("gather", "Collect the summaries of a job's ranks from where they lie");
    command
        ->add_option("PLACE", arguments->places,
            "Folders with recordings, one a rank; recordings; FILE.sum; HOST:FOLDER, which lanes on that host reads "
            "(over ssh, with your configuration)")
        ->required();
    command->add_option("-o,--output", arguments->out, "The job, such as job.lanes")->type_name("JOB");
    command
        ->add_option("--full", arguments->full,
            "Of these ranks (3,8-15) also the recordings, into JOB.full/, if they lie on other hosts")
        ->type_name("RANKS");
    command->add_flag("--send-file", arguments->send_file,
        "Write one recording to standard output, as lanes gather --full on another host reads it");
    command->add_flag("--send", arguments->send,
        "Write the summaries to standard output, as lanes gather on another host reads them");
    add_language(*command, context);
    command->footer("The recordings stay where they are; FILE.sum is written beside each, once. Files that are still\n"
                    "being written are left out.\n\n"
                    "  lanes gather run/ -o job.lanes\n"
                    "  lanes gather node01:/tmp/run node02:/tmp/run -o job.lanes");
    command->callback([arguments, &context] { gather_to(*arguments, context.messages()); });
}

}  // namespace lanes
