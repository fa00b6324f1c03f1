/* SPDX-License-Identifier: Apache-2.0 */
#include "new/new_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

enum { TEMPLATE_MAX = 1 << 16 }; /* bytes of a template's file */

enum bl_status bl_new_write(const char *path, const char *text, size_t length,
                            struct bl_error *err)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    int failed = !out;

    if (out) {
        failed = fwrite(text, 1, length, out) != length;
        failed |= fflush(out) != 0;
    }
    if (failed)
        bl_error_set(err, BL_E_IO, "%s: %s", path, strerror(errno));
    if (out)
        fclose(out);
    else if (fd >= 0)
        close(fd);
    return failed ? BL_E_IO : BL_OK;
}

/* What stands for the placeholder that `text` begins with, whose length is *length; NULL:
 * it begins with none. */
static const char *placeholder(const struct bl_new *what, const char *text,
                               size_t *length)
{
    const struct {
        const char *mark, *meaning;
    } all[] = {{"@NAME@", what->name}, {"@KIND@", what->kind}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *length = strlen(all[i].mark);
        if (strncmp(text, all[i].mark, *length) == 0)
            return all[i].meaning;
    }
    return NULL;
}

/* `text` with the placeholders filled in, fresh; NULL if memory ran out. */
static char *fill(const struct bl_new *what, const char *text, size_t *length_out)
{
    char *filled = NULL;
    FILE *out = open_memstream(&filled, length_out);

    if (!out)
        return NULL;
    while (*text) {
        size_t length;
        const char *meaning = placeholder(what, text, &length);

        if (meaning) {
            fputs(meaning, out);
        } else if (strncmp(text, "@PLUGIN@", 8) == 0) {
            /* Alone, it is found beside the profile; in the tree, by its name. */
            fprintf(out, what->in_tree ? "%s" : "./%s.so", what->name);
            length = 8;
        } else {
            putc(*text, out);
            length = 1;
        }
        text += length;
    }
    if (fclose(out) != 0) {
        free(filled);
        return NULL;
    }
    return filled;
}

/* "mine.cu" of "NAME.cu", fresh; NULL if memory ran out. */
static char *name_of(const struct bl_new *what, const char *entry)
{
    return strncmp(entry, "NAME", 4) == 0 ? bl_text_format("%s%s", what->name, entry + 4)
                                          : strdup(entry);
}

static enum bl_status add_name(struct bl_new_made *made, char *name, struct bl_error *err)
{
    char **files = realloc(made->files, (made->file_count + 1) * sizeof *files);

    if (files)
        made->files = files;
    if (!files || !name) {
        free(name);
        return bl_error_nomem(err);
    }
    files[made->file_count++] = name;
    return BL_OK;
}

/* One file of the templates in `from`. */
static enum bl_status add_file(const struct bl_new *what, const char *from,
                               const char *entry, const char *folder,
                               struct bl_new_made *made, struct bl_error *err)
{
    char *path = bl_text_format("%s/%s", from, entry), *text = NULL, *filled = NULL;
    char *to = NULL;
    size_t length;
    enum bl_status status = path ? BL_OK : bl_error_nomem(err);

    if (status == BL_OK)
        status = bl_text_read_file(path, TEMPLATE_MAX, &text, &length, err);
    if (status == BL_OK)
        status = add_name(made, name_of(what, entry), err);
    if (status == BL_OK) {
        to = bl_text_format("%s/%s", folder, made->files[made->file_count - 1]);
        filled = fill(what, text, &length);
        status =
            to && filled ? bl_new_write(to, filled, length, err) : bl_error_nomem(err);
    }
    free(path);
    free(text);
    free(filled);
    free(to);
    return status;
}

static enum bl_status add_templates(const struct bl_paths *paths,
                                    const struct bl_new *what, const char *which,
                                    const char *folder, struct bl_new_made *made,
                                    struct bl_error *err)
{
    char *from = bl_text_format("%s/templates/%s", paths->conf_dir, which);
    const size_t before = made->file_count;
    enum bl_status status = from ? BL_OK : bl_error_nomem(err);
    DIR *dir = from ? opendir(from) : NULL;

    if (status == BL_OK && !dir)
        status = bl_error_set(err, BL_E_IO, "%s: %s; the templates come with banklab",
                              from, strerror(errno));
    for (const struct dirent *entry; status == BL_OK && (entry = readdir(dir));) {
        const size_t length = strlen(entry->d_name);

        if (entry->d_name[0] != '.' && entry->d_name[length - 1] != '~')
            status = add_file(what, from, entry->d_name, folder, made, err);
    }
    if (status == BL_OK && made->file_count == before)
        status = bl_error_set(err, BL_E_IO,
                              "%s is empty; the templates come with banklab", from);
    if (dir)
        closedir(dir);
    free(from);
    return status;
}

enum bl_status bl_new_fill(const struct bl_paths *paths, const struct bl_new *what,
                           const char *besides, const char *folder,
                           struct bl_new_made *made, struct bl_error *err)
{
    enum bl_status status;

    if (mkdir(folder, 0777) != 0)
        return bl_error_set(err, BL_E_IO, "%s: %s", folder, strerror(errno));
    status = add_templates(paths, what, what->kind, folder, made, err);
    if (status == BL_OK)
        status = add_templates(paths, what, besides, folder, made, err);
    return status;
}

void bl_new_remove(const char *folder, const struct bl_new_made *made)
{
    for (size_t i = 0; i < made->file_count; i++) {
        char *path = bl_text_format("%s/%s", folder, made->files[i]);

        if (path)
            unlink(path);
        free(path);
    }
    rmdir(folder);
}
