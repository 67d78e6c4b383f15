// SPDX-License-Identifier: MIT
// Finds the recordings of a job's ranks where they lie, and makes their summaries there. Folders of other hosts are
// read by `lanes gather` on that host, over the user's own ssh: no port, no password, no daemon of ours.
#pragma once

#include "engine/analysis/words/messages.h"
#include "engine/ranks/rank_summary.h"
#include "engine/trace/trace.h"

#include <string>
#include <vector>

namespace lanes {

struct Gathered {
    std::vector<RankSummary> ranks;  ///< in the order in which they were found
    std::vector<Message> left_out;  ///< files that hold no rank, or not a whole one, and why
};

/// "HOST:DIR" has a colon before its first slash, unless there is a file of that name.
struct RemoteFolder {
    std::string host, folder;  ///< host "": it is here
};
RemoteFolder remote_folder(const std::string& place);

/// The iterations that `lanes env --steps` asked for, of a recording that knows it; else all of it. Throws InputError
/// if they are not there.
Trace kept_steps(Trace trace, const std::string& file);

/// The summaries of a recording: of FILE.sum beside it if that is newer, else made, and FILE.sum written if it can be.
/// A file of summaries is read as it is. Throws InputError, std::system_error.
std::vector<RankSummary> summaries_of(const std::string& file);

/// All in these files and folders; of a folder also its subfolders. Files that somebody still writes are left out, as
/// are those that hold no recording. Throws InputError for a place that does not exist, and for a host that does not
/// answer.
Gathered gather(const std::vector<std::string>& places);

/// Fetches the recordings of these ranks, whose files are HOST:PATH, into a folder that is made, as rank0003.sqlite;
/// whole or not at all. Those that are here stay where they are. Throws InputError for a rank that there is none of and
/// for what does not arrive whole, std::system_error. Returns the files.
std::vector<std::string> fetch_recordings(
    const std::vector<RankSummary>& ranks, const std::vector<std::int64_t>& wanted, const std::string& folder);

/// Writes one file to standard output as fetch_recordings() reads it. Throws std::system_error.
void send_recording(const std::string& file);

/// Answers questions for the time, a line each, until one says that these are all, or there are no more.
void answer_clock();

/// Writes them to standard output as `gather` on another host reads them, after a line that marks their begin: a login
/// shell may have printed something before.
void send_gathered(const Gathered& gathered);

}  // namespace lanes
