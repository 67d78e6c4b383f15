/* SPDX-License-Identifier: MIT
 * The probe's own interface: for programs that mark what they do, and for those that
 * are not started by `lanes record` (a notebook, a server) and record a part of
 * themselves. liblanes-probe.so exports it; plain C, so that any language can load it.
 *
 * Under `lanes record` ranges and marks go into its recording. Elsewhere they do
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

/* Records this process from here on into the spool `path`, also when it has used CUDA already: streams that exist are
 * described anew. `lanes convert path recording.sqlite` makes a recording of it. Appends if the file is there. Returns
 * 0, or -1: see lanescope_error(). Fails where the process is recorded already. A few ms; the first one loads CUPTI.
 * Kernels of CUDA graphs that were instantiated before may lack their calls. */
int lanescope_start(const char* path);

/* Ends what lanescope_start() began; the spool is complete when it returns. Wait for the GPU before, or what still runs
 * is lost. Returns 0, or -1 where nothing was begun or something could not be written: see lanescope_error(). */
int lanescope_stop(void);

/* 1: ranges and marks reach a recording, of `lanes record` or of lanescope_start(). */
int lanescope_recording(void);

/* A range of the calling thread, which ends with its pop; they nest. UTF-8. A pop without a push does nothing. */
void lanescope_range_push(const char* name);
void lanescope_range_pop(void);

/* A moment of the calling thread. */
void lanescope_mark(const char* name);

/* A value that the process, or one of its CUDA devices, has from now on until the next call of the same name, unit and
 * device: a curve in the recording. `device`: as CUDA numbers it in this process, -1: the process's own. What is no
 * finite number is left out. Cost as a mark's. */
enum lanescope_unit { LANESCOPE_NUMBER = 0, LANESCOPE_BYTES = 1, LANESCOPE_PERCENT = 2 };
void lanescope_counter(const char* name, double value, int unit, int device);

/* The calling thread's name in the recording. */
void lanescope_name_thread(const char* name);

/* Writes the calling thread's ranges to disk. They are anyway, every 20 ms while it goes on, and when it or the process
 * ends; not where that ends by _exit() or a signal. */
void lanescope_flush(void);

/* Why the last function that failed on this thread did, one line; "" if none has. */
const char* lanescope_error(void);

#ifdef __cplusplus
}
#endif

#endif
