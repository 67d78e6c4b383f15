// SPDX-License-Identifier: MIT
#include "engine/run/cuda/expected_contents.h"

#include <bit>
#include <cstring>
#include <QTest>
#include <random>

using namespace lanes;

namespace {

constexpr std::uint64_t bytes = 1003;  // not a whole number of words

Program random_program(std::mt19937& random)
{
    Program program;
    for (int b = 0; b < 4; ++b) {
        program.buffers.push_back({std::to_string(b), b % 2 == 0 ? 0U : no_id, MemoryKind::device,
            bytes - static_cast<std::uint64_t>(b) * 8});
        program.buffers.back().initial_value = b;
    }
    program.streams.push_back({"s"});
    program.steps.push_back({"copy", "", 1, 1});
    program.threads.push_back({"main", {}});
    std::uniform_int_distribution<Index> buffer(0, 3);
    std::uniform_int_distribution<std::uint64_t> place(0, bytes - 30);
    for (int i = 0; i < 40; ++i) {
        const auto offset = place(random) / 2;
        const auto length = 1 + place(random) / 2;
        if (i % 3 == 0) {
            program.threads[0].instructions.push_back(
                {MemsetAction {buffer(random), 0, offset, length, static_cast<std::uint8_t>(random()), false}, 0});
        } else if (i % 3 == 1) {
            KernelAction kernel {};
            kernel.writes = {buffer(random)};
            program.threads[0].instructions.push_back({kernel, 0});
        } else {
            program.threads[0].instructions.push_back(
                {CopyAction {buffer(random), buffer(random), 0, offset, length}, 0});
        }
    }
    return program;
}

void fill(std::vector<std::byte>& memory, double value)
{
    for (std::size_t i = 0; i < memory.size(); ++i) {
        memory[i] = static_cast<std::byte>(std::bit_cast<std::uint64_t>(value) >> (i % 8 * 8));
    }
}

}  // namespace

class tst_ExpectedContents : public QObject {
    Q_OBJECT

private slots:
    void agreesWithRealMemory();
    void countsWrongBytes();
};

void tst_ExpectedContents::agreesWithRealMemory()
{
    std::mt19937 random(20261121);
    for (int round = 0; round < 50; ++round) {
        const auto program = random_program(random);
        ExpectedContents expected(program);
        std::vector<std::vector<std::byte>> memory;
        for (const auto& buffer : program.buffers) {
            memory.emplace_back(buffer.bytes);
            fill(memory.back(), buffer.initial_value);
        }
        double number = 0;
        for (const auto& instruction : program.threads[0].instructions) {
            if (const auto* set = std::get_if<MemsetAction>(&instruction.action)) {
                std::memset(memory[set->to].data() + set->offset, set->value, set->bytes);
                expected.set(expected.span_of(set->to, set->offset, set->bytes), 0x0101010101010101ULL * set->value);
            } else if (const auto* kernel = std::get_if<KernelAction>(&instruction.action)) {
                fill(memory[kernel->writes[0]], ++number);
                expected.set(expected.span_of(kernel->writes[0]), std::bit_cast<std::uint64_t>(number));
            } else {
                const auto& copy = std::get<CopyAction>(instruction.action);
                std::memmove(memory[copy.to].data() + copy.offset, memory[copy.from].data() + copy.offset, copy.bytes);
                expected.copy(expected.span_of(copy.from, copy.offset, copy.bytes).first,
                    expected.span_of(copy.to, copy.offset, copy.bytes));
            }
            for (Index b = 0; b < memory.size(); ++b) {
                QCOMPARE(expected.wrong_bytes(b, memory[b].data()), 0U);
            }
        }
    }
}

void tst_ExpectedContents::countsWrongBytes()
{
    Program program;
    program.buffers.push_back({"x", no_id, MemoryKind::pinned, 64});
    ExpectedContents expected(program);
    std::vector<std::byte> memory(64);
    memory[9] = std::byte {1};
    memory[10] = std::byte {1};
    memory[40] = std::byte {1};
    QCOMPARE(expected.wrong_bytes(0, memory.data()), 16U);  // whole words
}

QTEST_GUILESS_MAIN(tst_ExpectedContents)
#include "tst_expected_contents.moc"
