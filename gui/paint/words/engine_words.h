// SPDX-License-Identifier: MIT
// The engine's words and sentences (resources/text) in the language of the window.
#pragma once

#include "engine/analysis/blocking/blocking.h"
#include "engine/analysis/words/messages.h"
#include "engine/trace/event_ref.h"

#include <QString>

#include <string>

namespace lanes::gui {

/// Valid until the program ends.
const Messages& engineMessages();
/// One of Messages::languages(). Valid until the program ends.
const std::string& windowLanguage();

/// A sentence with figures that may be below zero: with the window's minus for their hyphen.
QString sentenceOf(Message message);

/// "kernel", "copy H2D", "API call", "range", …
QString kindText(EventKind kind);
/// "pageable", "pinned", "device", …
QString memoryText(MemoryKind kind);
/// What a blocked thread waits for: "its own copy", "a stream", …
QString causeText(BlockCause cause);

}  // namespace lanes::gui
