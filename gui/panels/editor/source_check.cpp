// SPDX-License-Identifier: MIT
#include "gui/panels/editor/source_check.h"

namespace lanes::gui {

SourceState stateOf(const QString& text, const QString& file)
{
    SourceState state;
    try {
        const auto workload = std::make_shared<const Workload>(parse_workload(text.toStdString(), file.toStdString()));
        state.workload = workload;
        for (const std::string& variant : variants_of(*workload)) {
            compile(*workload, variant);
        }
    } catch (const WorkloadError& error) {
        state.line = static_cast<int>(error.line());
        state.column = static_cast<int>(error.column());
        state.problem = QString::fromStdString(error.message());
    } catch (const std::exception& error) {
        state.problem = QString::fromUtf8(error.what());
    }
    return state;
}

SourceCheck::SourceCheck(QObject* parent)
    : QObject(parent)
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(delay_ms);
    connect(&m_delay, &QTimer::timeout, this, &SourceCheck::start);
}

void SourceCheck::check(const QString& text, const QString& file)
{
    m_text = text;
    m_file = file;
    m_isAsked = true;
    m_answer.cancel();
    m_delay.start();
}

void SourceCheck::settle()
{
    if (m_isAsked) {
        forget();
        emit checked(stateOf(m_text, m_file));
    }
}

void SourceCheck::forget()
{
    m_isAsked = false;
    m_answer.cancel();
    m_delay.stop();
}

void SourceCheck::start()
{
    m_answer.ask([text = m_text, file = m_file](const std::stop_token& /*it is short*/) { return stateOf(text, file); },
        [this](const SourceState& state) {
            m_isAsked = false;
            emit checked(state);
        },
        [this](const QString& problem) {
            m_isAsked = false;
            SourceState state;
            state.problem = problem;
            emit checked(state);
        });
}

}  // namespace lanes::gui
