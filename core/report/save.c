/* SPDX-License-Identifier: Apache-2.0
 *
 * save.c - a report to a file, all or nothing.
 */
#include "report/save.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

enum bl_status bl_report_flush(FILE *out, struct bl_error *err)
{
    int failed;

    errno = 0;
    failed = fflush(out);
    if (failed || ferror(out))
        return bl_error_set(err, BL_E_IO, "%s", errno ? strerror(errno) : "write error");
    return BL_OK;
}

static enum bl_status cant(const char *path, const char *why, struct bl_error *err)
{
    return bl_error_set(err, BL_E_IO, "cannot write the report to %s: %s", path, why);
}

/* The file that is to be replaced: `path`, or what a symbolic link there stands for.
 * *mode_out is its permissions, or those of a new file. *special_out: not a regular
 * file, which must be written to, not replaced. */
static enum bl_status target(const char *path, char **file_out, mode_t *mode_out,
                             bool *special_out, struct bl_error *err)
{
    struct stat info;
    char *file;

    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return cant(path, "it is a folder", err);
        *special_out = !S_ISREG(info.st_mode);
        *mode_out = info.st_mode & 07777;
        file = *special_out ? strdup(path) : realpath(path, NULL);
    } else if (errno == ENOENT) {
        const mode_t mask = umask(0);

        umask(mask);
        *special_out = false;
        *mode_out = 0666 & ~mask;
        file = strdup(path);
    } else {
        return cant(path, strerror(errno), err);
    }
    if (!file)
        return errno == ENOMEM ? bl_error_nomem(err) : cant(path, strerror(errno), err);
    *file_out = file;
    return BL_OK;
}

/* The name of a temporary file in the folder of `file`, for mkstemp. */
static char *temporary(const char *file)
{
    char *copy = strdup(file);
    char *name = copy ? bl_text_format("%s/.banklab-XXXXXX", dirname(copy)) : NULL;

    free(copy);
    return name;
}

enum bl_status bl_report_save_check(const char *path, struct bl_error *err)
{
    char *file = NULL, *copy = NULL;
    const char *folder;
    mode_t mode;
    bool special;
    enum bl_status status = target(path, &file, &mode, &special, err);

    if (status != BL_OK)
        return status;
    if (special) {
        if (access(path, W_OK) != 0)
            status = cant(path, strerror(errno), err);
        goto out;
    }
    copy = strdup(file);
    if (!copy) {
        status = bl_error_nomem(err);
        goto out;
    }
    folder = dirname(copy);
    if (access(folder, W_OK | X_OK) != 0) {
        status =
            bl_error_set(err, BL_E_IO, "cannot write the report to %s: folder %s: %s",
                         path, folder, strerror(errno));
    }
out:
    free(copy);
    free(file);
    return status;
}

static enum bl_status write_special(const char *path, bl_save_fn *write, const void *what,
                                    struct bl_error *err)
{
    FILE *out = fopen(path, "w");
    enum bl_status status;

    if (!out)
        return cant(path, strerror(errno), err);
    status = write(what, out, err);
    if (status != BL_OK)
        bl_error_prefix(err, "cannot write the report to %s", path);
    if (fclose(out) != 0 && status == BL_OK)
        status = cant(path, strerror(errno), err);
    return status;
}

/* Writes all of it to `fd` and closes it, on the disk when this returns. */
static enum bl_status write_all(const char *path, bl_save_fn *write, const void *what,
                                int fd, mode_t mode, struct bl_error *err)
{
    enum bl_status status = BL_OK;
    FILE *out = fdopen(fd, "w");

    if (!out) {
        status = cant(path, strerror(errno), err);
        close(fd);
        return status;
    }
    status = write(what, out, err);
    if (status != BL_OK)
        bl_error_prefix(err, "cannot write the report to %s", path);
    else if (fchmod(fd, mode) != 0 || fsync(fd) != 0)
        status = cant(path, strerror(errno), err);
    if (fclose(out) != 0 && status == BL_OK)
        status = cant(path, strerror(errno), err);
    return status;
}

enum bl_status bl_save(const char *path, bl_save_fn *write, const void *what,
                       struct bl_error *err)
{
    char *file = NULL, *temp = NULL;
    mode_t mode;
    bool special;
    int fd;
    enum bl_status status = target(path, &file, &mode, &special, err);

    if (status != BL_OK)
        return status;
    if (special) {
        status = write_special(path, write, what, err);
        goto out;
    }
    temp = temporary(file);
    if (!temp) {
        status = bl_error_nomem(err);
        goto out;
    }
    fd = mkstemp(temp);
    if (fd < 0) {
        status = cant(path, strerror(errno), err);
        goto out;
    }
    status = write_all(path, write, what, fd, mode, err);
    if (status == BL_OK && rename(temp, file) != 0)
        status = cant(path, strerror(errno), err);
    if (status != BL_OK)
        unlink(temp);
out:
    free(temp);
    free(file);
    return status;
}

struct view {
    const struct bl_report *report;
    enum bl_format format;
};

static enum bl_status write_view(const void *what, FILE *out, struct bl_error *err)
{
    static const struct bl_style style = {false, 0};
    const struct view *view = what;

    return bl_report_write(view->report, view->format, &style, out, err);
}

enum bl_status bl_report_save(const struct bl_report *report, enum bl_format format,
                              const char *path, struct bl_error *err)
{
    return bl_save(path, write_view, &(struct view){report, format}, err);
}
