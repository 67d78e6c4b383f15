// SPDX-License-Identifier: MIT
// Kernels beside a collective, whose blocks keep multiprocessors for themselves while they wait for the other GPUs: a
// kernel that begins then gets none of those if its blocks do not fit beside the collective's. Blocks take their time,
// however few run, so a kernel is longer by whole turns: 128 blocks on 132 multiprocessors are one turn, on 108 two. A
// collective that comes later waits until the last blocks of the kernel have begun, and for the blocks in its place;
// one on a stream of higher priority gets its place when the next blocks end. (Measured on H200, NCCL's 24
// blocks: 169 µs against 301; of 384 blocks, three turns against four, 376 µs against 497; an all-reduce of 243 µs that
// came while a kernel of 348 µs ran began 262 µs later and took 313.)
#pragma once

#include <cstdint>

namespace lanes::replay {

/// A kernel's blocks on a GPU; no blocks: collectives do not matter to it.
struct Crowd {
    std::uint32_t blocks = 0;
    std::uint32_t kept = 0;  ///< blocks that run at once beside a collective
    std::uint32_t lent = 0;  ///< blocks that run at once on the multiprocessors that a collective takes
    bool yields = false;  ///< a collective may begin between its turns: the collective's stream has the higher priority
};

/// One kernel's blocks, turn by turn. Times are the kernel's own, from its start, as if no other kernel shared with it.
/// Cost: linear in turns.
class Turns {
public:
    /// `length`: alone on the GPU; `is_beside`: a collective runs when it begins.
    Turns(const Crowd& crowd, double length, bool is_beside);

    /// A collective begins.
    void take(double time);
    /// When the first of the blocks that run at `time` end.
    double next_turn(double time) const;
    /// The collective is over.
    void give_back(double time);

    bool yields() const { return m_yields; }

    /// When its last blocks begin: no collective begins earlier, unless the kernel yields.
    double last_begin() const { return rest().m_last; }
    /// When a collective can have all of its multiprocessors: those of the one before it or, if blocks that had to wait
    /// for that one still run there, others. (Measured on H200: of kernels of 322 µs, the last 144 blocks of which
    /// waited 72 µs for an all-reduce, the next all-reduce began 249 µs after their start.)
    double leaves_room() const;
    double end() const { return rest().m_end; }

private:
    void advance(double time);
    Turns rest() const;

    std::uint32_t m_left, m_kept, m_lent;
    double m_turn;
    double m_kept_free = 0, m_lent_free = 0;  // when those multiprocessors can take blocks
    double m_last = 0, m_end = 0;
    bool m_beside, m_yields;
};

}  // namespace lanes::replay
