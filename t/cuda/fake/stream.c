/* SPDX-License-Identifier: Apache-2.0
 *
 * stream.c - the double's streams, graphs, events and its clock, which moves when work
 * is done and stands still otherwise.
 */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

/* ---- the clock ----------------------------------------------------------------- */

/* Evenly from -1 to 1. */
static double random_part(void)
{
    fake.random = fake.random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (double)(fake.random >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

void fake_pass(double us)
{
    fake.now_us +=
        us * (1 + fake.drift * (double)fake.replays) * (1 + fake.noise * random_part());
}

/* What an operation takes now, after the kernel before. */
static double time_of(const struct fake_op *op)
{
    const bool other = op->kernel && strcmp(op->kernel, fake.last) != 0;

    if (!op->kernel)
        return op->us;
    snprintf(fake.last, sizeof fake.last, "%s", op->kernel);
    return op->us * fake.slow + (other ? fake.left : 0);
}

CUresult fake_did(CUstream stream, const char *kernel, double us)
{
    CUgraph graph = stream->capturing;
    char *name;

    if (!graph) {
        fake_pass(time_of(&(struct fake_op){kernel, us}));
        return CUDA_SUCCESS;
    }
    if (graph->count == graph->cap) {
        const size_t cap = graph->cap ? 2 * graph->cap : 16;
        struct fake_op *more = realloc(graph->ops, cap * sizeof *more);
        if (!more)
            return CUDA_ERROR_OUT_OF_MEMORY;
        graph->ops = more;
        graph->cap = cap;
    }
    name = kernel ? strdup(kernel) : NULL;
    graph->ops[graph->count++] = (struct fake_op){name, us};
    return CUDA_SUCCESS;
}

void fake_graph_clear(CUgraph graph)
{
    for (size_t i = 0; i < graph->count; i++)
        free((char *)graph->ops[i].kernel);
    free(graph->ops);
    memset(graph, 0, sizeof *graph);
}

/* ---- streams ------------------------------------------------------------------- */

CUresult cuStreamCreate(CUstream *out, unsigned flags)
{
    CUstream stream;

    (void)flags;
    FAKE_BEGIN(fake_enter_context, "cuStreamCreate");
    stream = calloc(1, sizeof *stream);
    if (!stream)
        return CUDA_ERROR_OUT_OF_MEMORY;
    fake.streams++;
    *out = stream;
    return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream stream)
{
    const CUresult begun = fake_enter_context("cuStreamDestroy");

    if (stream->capturing) {
        fake_graph_clear(stream->capturing);
        free(stream->capturing);
    }
    free(stream);
    fake.streams--;
    return begun;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    FAKE_BEGIN(fake_enter_context, "cuStreamSynchronize");
    return stream->capturing ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    (void)mode;
    FAKE_BEGIN(fake_enter_context, "cuStreamBeginCapture");
    if (stream->capturing)
        return CUDA_ERROR_ILLEGAL_STATE;
    stream->capturing = calloc(1, sizeof *stream->capturing);
    if (!stream->capturing)
        return CUDA_ERROR_OUT_OF_MEMORY;
    fake.graphs++;
    return CUDA_SUCCESS;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *out)
{
    FAKE_BEGIN(fake_enter_context, "cuStreamEndCapture");
    if (!stream->capturing)
        return CUDA_ERROR_ILLEGAL_STATE;
    *out = stream->capturing;
    stream->capturing = NULL;
    return CUDA_SUCCESS;
}

/* ---- graphs -------------------------------------------------------------------- */

CUresult cuGraphInstantiateWithFlags(CUgraphExec *out, CUgraph graph,
                                     unsigned long long flags)
{
    CUgraphExec exec;

    (void)flags;
    FAKE_BEGIN(fake_enter_context, "cuGraphInstantiateWithFlags");
    exec = calloc(1, sizeof *exec);
    if (!exec || !(exec->copy.ops = calloc(graph->count + 1, sizeof *exec->copy.ops))) {
        free(exec);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    for (; exec->copy.count < graph->count; exec->copy.count++) {
        exec->copy.ops[exec->copy.count] = graph->ops[exec->copy.count];
        if (graph->ops[exec->copy.count].kernel)
            exec->copy.ops[exec->copy.count].kernel =
                strdup(graph->ops[exec->copy.count].kernel);
    }
    fake.execs++;
    fake_log("graph %zu", graph->count);
    *out = exec;
    return CUDA_SUCCESS;
}

/* A replay takes the time that its operations took: they aren't carried out again. */
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    double us = 0;

    (void)stream;
    FAKE_BEGIN(fake_enter_context, "cuGraphLaunch");
    for (size_t i = 0; i < exec->copy.count; i++) {
        if (exec->copy.ops[i].kernel)
            fake_deeds(exec->copy.ops[i].kernel);
        us += time_of(&exec->copy.ops[i]);
    }
    fake.replays++;
    fake_pass(us);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
    const CUresult begun = fake_enter_context("cuGraphExecDestroy");

    fake_graph_clear(&exec->copy);
    free(exec);
    fake.execs--;
    return begun;
}

CUresult cuGraphDestroy(CUgraph graph)
{
    const CUresult begun = fake_enter_context("cuGraphDestroy");

    fake_graph_clear(graph);
    free(graph);
    fake.graphs--;
    return begun;
}

/* ---- events -------------------------------------------------------------------- */

CUresult cuEventCreate(CUevent *out, unsigned flags)
{
    CUevent event;

    (void)flags;
    FAKE_BEGIN(fake_enter_context, "cuEventCreate");
    event = calloc(1, sizeof *event);
    if (!event)
        return CUDA_ERROR_OUT_OF_MEMORY;
    fake.events++;
    *out = event;
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event)
{
    const CUresult begun = fake_enter_context("cuEventDestroy");

    free(event);
    fake.events--;
    return begun;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    (void)stream;
    FAKE_BEGIN(fake_enter_context, "cuEventRecord");
    event->at_us = fake.now_us;
    event->recorded = true;
    return CUDA_SUCCESS;
}

#ifdef FAKE_OLD_DRIVER /* from before CUDA 12.8, which brought cuEventElapsedTime_v2 */
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end);
#endif

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    FAKE_BEGIN(fake_enter_context, "cuEventElapsedTime");
    if (!start->recorded || !end->recorded)
        return CUDA_ERROR_INVALID_HANDLE;
    *ms = (float)((end->at_us - start->at_us) / 1000);
    return CUDA_SUCCESS;
}

/* ---- for the other doubles ------------------------------------------------------ */

void fake_cuda_counts(struct bl_counts *out)
{
    *out = fake.counts;
}

uint64_t fake_cuda_replays(void)
{
    return fake.replays;
}
