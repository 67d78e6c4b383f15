/* SPDX-License-Identifier: MIT
 * The probe's own interface: for programs that mark their parts, and for programs not
 * started by `lanes record` (a notebook, a server) that record a part of themselves.
 * liblanes-probe.so exports it; plain C, so that any language can load it.
 *
 * Under `lanes record`, ranges and marks go into its recording. Otherwise they do
 * nothing until lanescope_start(). All functions may be called from any thread; none
 * prints, throws or ends the program.
 *
 * Cost: a range under 1 us for both ends (0.7 to 0.9 on two busy cores of an EPYC, writing included); without a
 * recording a few ns.
 */
#ifndef LANESCOPE_H
#define LANESCOPE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Records this process from here on into the spool `path`, even if it has already used CUDA: existing streams are
 * described again. `lanes convert path recording.sqlite` makes a recording of it. Appends if the file exists. Returns
 * 0, or -1: see lanescope_error(). Fails if the process is already being recorded. Takes a few ms; the first call loads
 * CUPTI. Kernels of CUDA graphs instantiated before may lack their calls. */
int lanescope_start(const char* path);

/* Ends what lanescope_start() began; the spool is complete when it returns. Wait for the GPU first, or work that still
 * runs is lost. Returns 0, or -1 if nothing was begun or something could not be written: see lanescope_error(). */
int lanescope_stop(void);

/* 1 if ranges and marks reach a recording, of `lanes record` or lanescope_start(). */
int lanescope_recording(void);

/* A range of the calling thread, from push to pop; ranges nest. UTF-8. A pop without a push does nothing. */
void lanescope_range_push(const char* name);
void lanescope_range_pop(void);

/* A point in time on the calling thread. */
void lanescope_mark(const char* name);

/* A value of the process, or of one of its CUDA devices, valid until the next call with the same name, unit and device:
 * a curve in the recording. `device`: as CUDA numbers it in this process; -1 for the process. Values that are not
 * finite are ignored. Costs as much as a mark. */
enum lanescope_unit { LANESCOPE_NUMBER = 0, LANESCOPE_BYTES = 1, LANESCOPE_PERCENT = 2 };
void lanescope_counter(const char* name, double value, int unit, int device);

/* The calling thread's name in the recording. */
void lanescope_name_thread(const char* name);

/* Writes the calling thread's ranges to disk. This also happens every 20 ms while it runs, and when the thread or the
 * process ends, but not if the process ends by _exit() or a signal. */
void lanescope_flush(void);

/* Why the last failed function on this thread failed, in one line; "" if none has. */
const char* lanescope_error(void);

#ifdef __cplusplus
}
#endif

#endif
