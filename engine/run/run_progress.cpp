// SPDX-License-Identifier: MIT
#include "engine/run/run_progress.h"

#include "engine/analysis/words/json_writer.h"
#include "engine/formatted.h"

#include <algorithm>
#include <unistd.h>

namespace lanes {

RunProgress::Form RunProgress::bar_if_terminal(std::FILE* out)
{
    return isatty(fileno(out)) != 0 ? Form::bar : Form::none;
}

void RunProgress::at(const std::string& variant, double fraction, const std::string& message)
{
    const auto now = std::chrono::steady_clock::now();
    if (m_form == Form::none || now - m_last < std::chrono::milliseconds(50)) {
        return;
    }
    m_last = now;
    fraction = std::clamp(fraction, 0.0, 1.0);
    if (m_form == Form::json) {
        line("progress", variant, fraction, "", message);
        return;
    }
    constexpr int width = 30;
    const auto full = static_cast<std::size_t>(fraction * width);
    const std::string text
        = formatted("\r\033[K{} [{}{}] {}", variant, std::string(full, '='), std::string(width - full, ' '), message);
    std::fputs(text.c_str(), m_out);
    std::fflush(m_out);
    m_bar_shown = true;
}

void RunProgress::done(const std::string& variant, const std::string& file)
{
    clear_bar();
    if (m_form == Form::json) {
        line("done", variant, 1, file, "");
    }
}

void RunProgress::error(const std::string& variant, const std::string& message)
{
    clear_bar();
    if (m_form == Form::json) {
        line("error", variant, -1, "", message);
    }
}

void RunProgress::clear_bar()
{
    if (m_bar_shown) {
        std::fputs("\r\033[K", m_out);
        std::fflush(m_out);
        m_bar_shown = false;
    }
}

void RunProgress::line(
    const char* event, const std::string& variant, double fraction, const std::string& file, const std::string& message)
{
    JsonWriter json;
    json.begin_object().field("event", event).field("variant", variant);
    if (fraction >= 0) {
        json.field("fraction", fraction);
    }
    if (!file.empty()) {
        json.field("file", file);
    }
    if (!message.empty()) {
        json.field("message", message);
    }
    const std::string text = json.end_object().take() + "\n";
    std::fputs(text.c_str(), m_out);
    std::fflush(m_out);
}

}  // namespace lanes
