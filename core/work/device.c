/* SPDX-License-Identifier: Apache-2.0
 *
 * device.c - choosing a device, and the module that it runs.
 */
#include "work/device.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "load/plugin_calls.h"

enum { BACKENDS_MAX = 8, DEVICE_NAMES_MAX = 256 };

static enum bl_status open_first(const struct bl_paths *paths,
                                 const struct bl_run_options *run, struct bl_device **out,
                                 struct bl_error *err)
{
    enum bl_status status =
        bl_error_set(err, BL_E_UNSUPPORTED, "there is no device here");

    for (size_t i = 0; bl_device_backends[i]; i++) {
        status = bl_device_backends[i]->open(paths, run, out, err);
        if (status != BL_E_UNSUPPORTED)
            return status;
    }
    return status;
}

static enum bl_status unknown(const char *device, struct bl_error *err)
{
    const char *names[BACKENDS_MAX + 1] = {"auto"};
    char list[DEVICE_NAMES_MAX] = "auto";
    const char *nearest;
    size_t count = 1;

    for (size_t i = 0; bl_device_backends[i] && count <= BACKENDS_MAX; i++) {
        const size_t used = strlen(list);
        names[count++] = bl_device_backends[i]->backend;
        snprintf(list + used, sizeof list - used, ", %s", bl_device_backends[i]->backend);
    }
    nearest = bl_text_nearest(device, names, count);
    return bl_error_set(err, BL_E_INPUT,
                        "there is no device '%s'%s%s%s; this program knows %s", device,
                        nearest ? " (did you mean '" : "", nearest ? nearest : "",
                        nearest ? "'?)" : "", list);
}

enum bl_status bl_device_open(const struct bl_paths *paths,
                              const struct bl_run_options *run, struct bl_device **out,
                              struct bl_error *err)
{
    const size_t length = strcspn(run->device, ":"); /* "cuda:1" */

    if (strcmp(run->device, "auto") == 0)
        return open_first(paths, run, out, err);
    for (size_t i = 0; bl_device_backends[i]; i++) {
        const char *name = bl_device_backends[i]->backend;
        if (strlen(name) == length && strncmp(name, run->device, length) == 0)
            return bl_device_backends[i]->open(paths, run, out, err);
    }
    return unknown(run->device, err);
}

void bl_device_close(struct bl_device *dev)
{
    if (!dev)
        return;
    bl_spare_free(&dev->spare);
    dev->ops->close(dev);
}

enum bl_status bl_device_view(struct bl_device *dev, const char *arch,
                              struct bl_device_view *out, struct bl_error *err)
{
    if (arch && strcmp(arch, dev->desc.arch) != 0) {
        if (dev->ops->view)
            return dev->ops->view(dev, arch, out, err);
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "asks for the rules of %s: only the model has them; this "
                            "device is %s",
                            arch, dev->desc.arch);
    }
    *out = (struct bl_device_view){dev->desc.arch, dev->limits, dev->rates};
    return BL_OK;
}

/* ---- modules --------------------------------------------------------------- */

/* A module's target: 90 of "sm_90", and the letter behind it or NUL. */
struct target {
    uint32_t cc;
    char suffix;
};

/* The start of the line in `text` that begins with `word`, behind that word; or NULL.
 * The text need not end in NUL. */
static const char *line_after(const char *text, uint64_t length, const char *word)
{
    const size_t size = strlen(word);
    const char *end = text + length;

    for (const char *at = text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if ((size_t)(end - at) > size && memcmp(at, word, size) == 0)
            return at + size;
        if (!newline)
            break;
        at = newline + 1;
    }
    return NULL;
}

static bool read_target(const struct banklab_module *module, struct target *out)
{
    const char *end = module->text + module->length;
    const char *at = line_after(module->text, module->length, ".target");
    struct target target = {0, '\0'};

    while (at && at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (!at || end - at < 4 || memcmp(at, "sm_", 3) != 0)
        return false;
    for (at += 3; at < end && isdigit((unsigned char)*at) && target.cc < 10000; at++)
        target.cc = target.cc * 10 + (uint32_t)(*at - '0');
    if (at < end && isalpha((unsigned char)*at))
        target.suffix = *at;
    *out = target;
    return target.cc > 0;
}

uint32_t bl_module_cc(const struct banklab_module *module)
{
    struct target target = {0, '\0'};

    if (!module->cc)
        read_target(module, &target);
    return module->cc ? module->cc : target.cc;
}

static bool runs_on(struct target target, uint32_t cc)
{
    if (target.suffix == 'a')
        return target.cc == cc;
    if (target.suffix == 'f')
        return target.cc <= cc && target.cc / 10 == cc / 10;
    return target.cc <= cc;
}

/* Whether `target`, which can run, is to be taken rather than `best`: the greatest of
 * those that are not above cc, else the least. */
static bool is_better(uint32_t target, uint32_t best, uint32_t cc)
{
    if (best == 0)
        return true;
    return target <= cc ? best > cc || target > best : best > cc && target < best;
}

enum bl_status bl_job_module(const struct bl_plugin *plugin, const banklab_value *params,
                             const struct bl_device_limits *limits,
                             const struct banklab_module **out, struct bl_error *err)
{
    uint32_t count;
    const struct banklab_module *modules = bl_plugin_modules(plugin, params, &count);
    const struct banklab_module *best = NULL;
    const uint32_t cc = limits->cc;
    uint32_t best_cc = 0, least = UINT32_MAX;

    for (uint32_t i = 0; i < count; i++) {
        const struct banklab_module *module = &modules[i];
        struct target target = {0, '\0'};

        if (!read_target(module, &target) && !module->cc)
            return bl_error_at(err, BL_E_INPUT, plugin->path, 0,
                               "module %" PRIu32 " has no line '.target sm_NN'", i);
        if (module->cc)
            target.cc = module->cc;
        if (target.cc < least)
            least = target.cc;
        if ((runs_on(target, cc) || (limits->any_target && target.suffix == '\0')) &&
            is_better(target.cc, best_cc, cc)) {
            best = module;
            best_cc = target.cc;
        }
    }
    if (!count)
        return bl_error_at(err, BL_E_INPUT, plugin->path, 0,
                           "there is no device code for these parameters");
    if (!best)
        return bl_error_set(err, BL_E_UNSUPPORTED,
                            "the device code is for compute capability %" PRIu32
                            ".%" PRIu32 " or later, the device has %" PRIu32 ".%" PRIu32,
                            least / 10, least % 10, cc / 10, cc % 10);
    *out = best;
    return BL_OK;
}
