// SPDX-License-Identifier: MIT
// The multiprocessors of one GPU: which blocks of which kernels are resident, and
// how fast they run.
//
// A kernel's blocks take slots in the order in which kernels became ready, higher
// priority first; what earlier kernels leave free goes to later ones, and no block
// leaves before it is done. So a full-grid kernel lets the next one in only as its
// last blocks end, while small ones run side by side. Blocks of a kernel that were
// placed together end together. Resident blocks of FMA kernels share the
// multiprocessors' arithmetic, those of memory kernels the memory's bandwidth: if the demand exceeds what there is, all
// of that kind slow down alike.
//
// Cost of settle(): linear in the kernels that are resident or ready.
#pragma once

#include "engine/run/model/agenda.h"
#include "engine/run/model/model_device.h"
#include "engine/workload/program.h"

#include <array>
#include <vector>

namespace lanes::model {

class SmPool {
public:
    struct Request {
        std::uint32_t operation;
        std::uint32_t blocks;
        double time;  ///< ns of the kernel alone
        KernelWork work;
        int priority;  ///< lower goes first
        bool held = false;  ///< ends when release() says so, not by time
    };

    explicit SmPool(const ModelDevice& device);

    /// A kernel is ready at the time of the last settle(). Takes effect at the next one.
    void add(const Request& request);
    /// Lets a held kernel end at the next settle().
    void release(std::uint32_t operation);

    /// Moves to `now`: ends grids that are done, places blocks that fit. The lists have what began and ended until the
    /// next call.
    void settle(Ns now);
    const std::vector<std::uint32_t>& started() const { return m_started; }
    const std::vector<std::uint32_t>& finished() const { return m_finished; }

    /// When the next blocks end if nothing is added; `never` if none run.
    Ns next() const { return m_next; }

    std::uint32_t slot_count() const { return m_slots; }
    /// How long a grid of `blocks` takes if each wave takes `wave` ns.
    double waves(std::uint32_t blocks) const;

private:
    struct Grid {
        Request request;
        std::uint32_t unplaced;
        std::uint32_t running = 0;
        double block_time;
        bool begun = false;
    };
    struct Cohort {
        std::size_t grid;  ///< index into m_grids
        std::uint32_t blocks;
        double end;  ///< on the clock of its kind of work
    };

    void advance(Ns now);
    void end_cohorts();
    void place();
    void set_rates();

    const ModelDevice& m_device;
    std::uint32_t m_slots;
    std::uint32_t m_free;
    std::vector<Grid> m_grids;  ///< ready or running, in placing order
    std::vector<Cohort> m_cohorts;
    std::array<double, 3> m_clock {};  ///< by KernelWork: work done by a block at full speed
    std::array<double, 3> m_rate {1, 1, 1};
    Ns m_now = 0;
    Ns m_next = never;
    std::vector<std::uint32_t> m_started, m_finished;
};

}  // namespace lanes::model
