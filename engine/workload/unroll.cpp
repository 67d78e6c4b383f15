// SPDX-License-Identifier: MIT
#include "engine/workload/unroll.h"

#include "engine/workload/actions.h"

#include <stdexcept>

namespace lanes::syntax {

namespace {

constexpr std::size_t most_instructions = 4'000'000;
constexpr std::size_t most_iterations = 8'000'000;  // of loops and calls, which may be empty
constexpr double most_repeats = 1e9;

class Unroller {
public:
    Unroller(Scope& scope, const Workload::Body& body, Program& program)
        : m_scope(scope)
        , m_body(body)
        , m_program(program)
        , m_actions(scope, program)
        , m_called(body.infos.size())
    {
    }

    void threads()
    {
        for (const bool counting : {true, false}) {
            m_counting = counting;
            m_total = 0;
            m_iterations = 0;
            for (const auto& declaration : m_body.threads) {
                const Elements elements = m_scope.threads.elements.find(declaration.name)->second;
                const Argument* as = declaration.arguments.find("as");
                for (std::uint32_t i = 0; i < elements.count; ++i) {
                    if (as != nullptr) {
                        m_scope.push(as->source, i);
                    }
                    thread(m_program.threads[elements.first + i], declaration.steps);
                    if (as != nullptr) {
                        m_scope.pop();
                    }
                }
            }
        }
    }

private:
    void thread(ThreadProgram& program, const Steps& steps)
    {
        m_thread = &program;
        if (m_counting) {
            m_lengths.push_back(m_total);
        } else {
            const auto index = static_cast<std::size_t>(&program - m_program.threads.data());
            program.instructions.reserve(m_lengths[index]);
        }
        const std::size_t before = m_total;
        run(steps);
        if (m_counting) {
            m_lengths.back() = m_total - before;
        }
    }

    void run(const Steps& steps)
    {
        for (const auto& step : steps) {
            run(step);
        }
    }

    void run(const Step& step)
    {
        if (form_of(step.kind).holds_steps()) {
            take_apart(step);
        } else if (m_counting) {
            add(step, 1);
        } else {
            if (m_capturing != nullptr) {
                refuse_in_capture(step);
            }
            m_actions.of(step, [&](Action action) {
                add(step, 1);
                m_thread->instructions.push_back({std::move(action), step.id});
            });
        }
    }

    void take_apart(const Step& step)
    {
        switch (step.kind) {
        case StepKind::repeat:
            return repeat(step);
        case StepKind::if_:
            return branch(step);
        case StepKind::while_:
            return loop(step);
        case StepKind::call:
            iterate(step);
            return run(called(step));
        case StepKind::range:
            emit(step, [&] { return RangeBeginAction {m_scope.text(step.arguments.all.front())}; });
            run(*step.block("do"));
            emit(step, [] { return RangeEndAction {}; });
            return;
        case StepKind::capture:
            return capture(step);
        default:
            throw std::logic_error("unroll.cpp cannot take apart the step " + std::string(form_of(step.kind).action));
        }
    }

    /// The steps of the part that a step calls. With nested calls this is called millions of times.
    const Steps& called(const Step& step)
    {
        const Steps*& steps = m_called[step.id];
        if (steps == nullptr) {
            steps = &find(m_body.parts, step.arguments.all.front().source)->steps;
        }
        return *steps;
    }

    void add(const Step& step, std::size_t instructions)
    {
        m_total += instructions;
        if (m_total > most_instructions) {
            m_scope.fail(step.place, "the workload has more than 4000000 instructions once its loops are unrolled");
        }
    }

    void iterate(const Step& step)
    {
        if (++m_iterations > most_iterations) {
            m_scope.fail(step.place, "the loops of the workload have more than 8000000 iterations");
        }
    }

    template <class Make> std::size_t emit(const Step& step, Make make)
    {
        add(step, 1);
        if (m_counting) {
            return 0;
        }
        m_thread->instructions.push_back({make(), step.id});
        return m_thread->instructions.size() - 1;
    }

    void repeat(const Step& step)
    {
        const Arguments& arguments = step.arguments;
        const auto value = [&](std::string_view key, double otherwise) {
            const Argument* argument = arguments.find(key);
            return argument == nullptr ? otherwise : m_scope.whole(*argument, -most_repeats, most_repeats);
        };
        const auto count = static_cast<std::int64_t>(m_scope.whole(*arguments.find("repeat"), 0, most_repeats));
        const double from = value("from", 0);
        const double by = value("step", 1);
        const Argument* as = arguments.find("as");
        const Steps& steps = *step.block("do");
        if (as != nullptr) {
            m_scope.push(as->source, from);
        }
        for (std::int64_t k = 0; k < count; ++k) {
            iterate(step);
            if (as != nullptr) {
                m_scope.set_top(from + static_cast<double>(k) * by);
            }
            run(steps);
        }
        if (as != nullptr) {
            m_scope.pop();
        }
    }

    /// Makes the branches in `from` continue after the last instruction.
    void land(const std::vector<std::size_t>& from)
    {
        for (const std::size_t at : from) {
            if (!m_counting) {
                std::get<BranchAction>(m_thread->instructions[at].action).target
                    = static_cast<Index>(m_thread->instructions.size());
            }
        }
    }

    void branch(const Step& step)
    {
        const Argument& argument = step.arguments.all.front();
        const Evaluated condition = m_scope.code(argument);
        const Steps& then = *step.block("then");
        const Steps* otherwise = step.block("else");
        if (condition.constant()) {
            if (condition.value.number != 0) {
                run(then);
            } else if (otherwise != nullptr) {
                run(*otherwise);
            }
            return;
        }
        check_branch(step, argument, condition);
        const std::size_t skip = emit(step, [&] { return BranchAction {condition.code, 0}; });
        run(then);
        if (otherwise == nullptr) {
            land({skip});
            return;
        }
        const std::size_t done = emit(step, [] { return BranchAction {{}, 0}; });
        land({skip});
        run(*otherwise);
        land({done});
    }

    void check_branch(const Step& step, const Argument& argument, const Evaluated& condition) const
    {
        if (m_capturing != nullptr) {
            refuse_in_capture(step);
        }
        m_actions.check_host_values(argument, condition.code);
    }

    void loop(const Step& step)
    {
        const Argument& argument = *step.arguments.find("while");
        const Evaluated condition = m_scope.code(argument);
        check_branch(step, argument, condition);
        const auto most = static_cast<std::int64_t>(m_scope.whole(*step.arguments.find("at_most"), 1, most_repeats));
        const Steps& steps = *step.block("do");
        std::vector<std::size_t> exits;
        for (std::int64_t k = 0; k < most; ++k) {
            iterate(step);
            exits.push_back(emit(step, [&] { return BranchAction {condition.code, 0}; }));
            run(steps);
        }
        land(exits);
    }

    void capture(const Step& step)
    {
        if (m_capturing != nullptr) {
            m_scope.fail(step.place, "found 'capture' inside 'capture'");
        }
        const Argument& graph = *step.arguments.find("graph");
        const Argument& stream = *step.arguments.find("stream");
        CaptureBeginAction begin {0, 0};
        if (!m_counting) {
            begin = {m_actions.graph(graph), m_actions.stream(stream)};
            if (m_program.streams[begin.stream].kind == StreamSpec::Kind::legacy) {
                m_scope.fail(stream.place, "the legacy stream cannot be captured, expected another stream");
            }
        }
        m_capturing = &step;
        emit(step, [&] { return begin; });
        run(*step.block("do"));
        emit(step, [&] { return CaptureEndAction {begin.graph, begin.stream}; });
        m_capturing = nullptr;
    }

    void refuse_in_capture(const Step& step) const
    {
        const InCapture rule = form_of(step.kind).in_capture;
        const Argument* blocking = step.arguments.find("blocking");
        const Argument* call = step.arguments.find("call");
        const bool host_waits = (blocking != nullptr && m_scope.number(*blocking, 0, 1) != 0)
            || (call != nullptr && m_scope.text(*call) == "cudaMemcpy");
        if ((rule == InCapture::allowed && !host_waits)
            || (rule != InCapture::refused && !m_program.expected_error.empty())) {
            return;
        }
        m_scope.fail(step.place,
            "found '" + std::string(form_of(step.kind).action)
                + "' inside 'capture', which allows only steps that do not make the host wait");
    }

    Scope& m_scope;
    const Workload::Body& m_body;
    Program& m_program;
    Actions m_actions;
    std::vector<const Steps*> m_called;  // by step, once it has run
    ThreadProgram* m_thread = nullptr;
    const Step* m_capturing = nullptr;
    bool m_counting = true;
    std::size_t m_total = 0;
    std::size_t m_iterations = 0;
    std::vector<std::size_t> m_lengths;  // of the threads, once counted
};

}  // namespace

void unroll(Scope& scope, const Workload::Body& body, Program& program)
{
    Unroller(scope, body, program).threads();
}

}  // namespace lanes::syntax
