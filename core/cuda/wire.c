/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct head {
    uint32_t op;
    uint32_t reserved;
    uint64_t bytes;
};

/* Until something can be done with `fd`. BL_E_FAULT: not within timeout_ms. */
static enum bl_status await(int fd, short events, int timeout_ms, struct bl_error *err)
{
    struct pollfd wait = {.fd = fd, .events = events};
    int ready;

    do
        ready = poll(&wait, 1, timeout_ms);
    while (ready < 0 && errno == EINTR);
    if (ready < 0)
        return bl_error_set(err, BL_E_IO, "waiting for the GPU worker: %s",
                            strerror(errno));
    if (ready == 0)
        return bl_error_set(err, BL_E_FAULT, "no answer within %g s",
                            timeout_ms / 1000.0);
    return BL_OK;
}

static enum bl_status send_all(int fd, int timeout_ms, const void *data, size_t bytes,
                               struct bl_error *err)
{
    const uint8_t *at = data;

    while (bytes > 0) {
        enum bl_status status = await(fd, POLLOUT, timeout_ms, err);
        ssize_t n;

        if (status != BL_OK)
            return status;
        n = send(fd, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
            continue;
        if (n < 0)
            return bl_error_set(err, BL_E_IO, "the GPU worker is gone: %s",
                                strerror(errno));
        at += n;
        bytes -= (size_t)n;
    }
    return BL_OK;
}

enum bl_status bl_wire_send(int fd, int timeout_ms, uint32_t op,
                            const struct bl_wire_part *parts, size_t count,
                            struct bl_error *err)
{
    struct head head = {.op = op};
    enum bl_status status;

    for (size_t i = 0; i < count; i++)
        head.bytes += parts[i].bytes;
    status = send_all(fd, timeout_ms, &head, sizeof head, err);
    for (size_t i = 0; status == BL_OK && i < count; i++)
        status = send_all(fd, timeout_ms, parts[i].at, parts[i].bytes, err);
    return status;
}

static enum bl_status receive_all(int fd, int timeout_ms, void *out, size_t bytes,
                                  struct bl_error *err)
{
    uint8_t *at = out;

    while (bytes > 0) {
        enum bl_status status = await(fd, POLLIN, timeout_ms, err);
        ssize_t n;

        if (status != BL_OK)
            return status;
        n = recv(fd, at, bytes, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return bl_error_set(err, BL_E_IO, "the GPU worker is gone%s%s",
                                n < 0 ? ": " : "", n < 0 ? strerror(errno) : "");
        at += n;
        bytes -= (size_t)n;
    }
    return BL_OK;
}

enum bl_status bl_wire_receive(int fd, int timeout_ms, uint32_t *op_out,
                               uint8_t **body_out, size_t *bytes_out,
                               struct bl_error *err)
{
    struct head head;
    enum bl_status status = receive_all(fd, timeout_ms, &head, sizeof head, err);
    uint8_t *body;

    if (status != BL_OK)
        return status;
    body = malloc(head.bytes + 1);
    if (!body)
        return bl_error_nomem(err);
    status = receive_all(fd, timeout_ms, body, head.bytes, err);
    if (status != BL_OK) {
        free(body);
        return status;
    }
    *op_out = head.op;
    *body_out = body;
    *bytes_out = head.bytes;
    return BL_OK;
}

void *bl_wire_take(struct bl_wire_cursor *cursor, size_t bytes)
{
    uint8_t *at = cursor->at;

    if (bytes > cursor->left)
        return NULL;
    cursor->at += bytes;
    cursor->left -= bytes;
    return at;
}
