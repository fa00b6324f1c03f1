/* SPDX-License-Identifier: Apache-2.0 */
#include "new/new.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "load/hint.h"
#include "load/plugin_check.h"
#include "new/new_folder.h"
#include "new/new_tree.h"
#include "work/kind.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

/* The name as an identifier, for a hint; "" if nothing is left of it. */
static void mend(const char *name, char *out, size_t size)
{
    size_t length = 0;

    if (isdigit((unsigned char)*name))
        out[length++] = 'p';
    for (; *name && length + 1 < size; name++) {
        const bool good = isalnum((unsigned char)*name) || *name == '_';

        if (good && isascii(*name))
            out[length++] = *name;
        else if (strchr("-. /", *name) && length && name[1])
            out[length++] = '_';
    }
    out[length] = '\0';
}

static enum bl_status check_name(const char *name, struct bl_error *err)
{
    const size_t good = strspn(name, LETTERS "0123456789");
    char mended[BL_PLUGIN_NAME_MAX];

    if (!*name)
        return bl_error_set(err, BL_E_INPUT, "a plugin needs a name");
    if (strlen(name) >= BL_PLUGIN_NAME_MAX)
        return bl_error_set(err, BL_E_INPUT,
                            "the name has %zu letters; at most %d are allowed",
                            strlen(name), BL_PLUGIN_NAME_MAX - 1);
    if (!name[good] && !isdigit((unsigned char)*name))
        return BL_OK;
    mend(name, mended, sizeof mended);
    return bl_error_set(
        err, BL_E_INPUT,
        "\"%s\" can't be a plugin's name, since its kernels are called by it: letters, "
        "digits and '_', no digit first%s%s%s",
        name, *mended ? "; try \"" : "", mended, *mended ? "\"" : "");
}

static enum bl_status check_kind(const char *kind, struct bl_error *err)
{
    size_t count;
    const struct bl_kind *all = bl_kind_all(&count);
    const char *names[16];
    char hint[BL_HINT_SIZE];

    if (bl_kind_find(kind))
        return BL_OK;
    if (count > sizeof names / sizeof *names)
        count = sizeof names / sizeof *names;
    for (size_t i = 0; i < count; i++)
        names[i] = all[i].name;
    bl_hint_print(kind, names, count, hint, sizeof hint);
    return bl_error_set(err, BL_E_INPUT, "there is no kind \"%s\"%s", kind, hint);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* rename() replaces an empty folder at most: what somebody has made stays. */
static enum bl_status take_place(const char *filled, const char *folder,
                                 struct bl_error *err)
{
    if (rename(filled, folder) == 0)
        return BL_OK;
    return bl_error_set(err, BL_E_IO, "%s: %s", folder, strerror(errno));
}

/* Fills a folder beside its place, and moves it there. */
static enum bl_status make(const struct bl_paths *paths, const struct bl_new *what,
                           const char *parent, struct bl_new_made *made,
                           struct bl_error *err)
{
    const char *slash = *parent ? "/" : "";
    char *filled =
        bl_text_format("%s%s.%s.%ld", parent, slash, what->name, (long)getpid());
    enum bl_status status;
    struct stat info;

    made->folder = bl_text_format("%s%s%s", parent, slash, what->name);
    if (!filled || !made->folder) {
        status = bl_error_nomem(err);
    } else if (lstat(made->folder, &info) == 0) {
        status = bl_error_set(
            err, BL_E_INPUT, "%s is there already; nothing is overwritten", made->folder);
    } else {
        status = bl_new_fill(paths, what, what->in_tree ? "tree" : "folder", filled, made,
                             err);
        if (status == BL_OK)
            status = take_place(filled, made->folder, err);
        if (status != BL_OK)
            bl_new_remove(filled, made);
    }
    free(filled);
    return status;
}

static enum bl_status make_in_tree(const struct bl_paths *paths,
                                   const struct bl_new *what, struct bl_new_made *made,
                                   struct bl_error *err)
{
    char *tree = NULL, *parent = NULL;
    enum bl_status status = bl_new_tree_find(paths, &tree, err);

    if (status == BL_OK) {
        parent = bl_text_format("%s/plugins", tree);
        status = parent ? make(paths, what, parent, made, err) : bl_error_nomem(err);
    }
    if (status == BL_OK) {
        status = bl_new_tree_include(tree, what->name, err);
        if (status != BL_OK)
            bl_new_remove(made->folder, made);
    }
    free(tree);
    free(parent);
    return status;
}

enum bl_status bl_new_make(const struct bl_paths *paths, const struct bl_new *what,
                           struct bl_new_made *out, struct bl_error *err)
{
    struct bl_new_made made = {NULL, NULL, 0};
    enum bl_status status = check_name(what->name, err);

    if (status == BL_OK)
        status = check_kind(what->kind, err);
    if (status == BL_OK)
        status = what->in_tree ? make_in_tree(paths, what, &made, err)
                               : make(paths, what, "", &made, err);
    if (status != BL_OK) {
        bl_new_made_free(&made);
        return status;
    }
    qsort(made.files, made.file_count, sizeof *made.files, by_name);
    *out = made;
    return BL_OK;
}

void bl_new_made_free(struct bl_new_made *made)
{
    for (size_t i = 0; i < made->file_count; i++)
        free(made->files[i]);
    free(made->files);
    free(made->folder);
    *made = (struct bl_new_made){NULL, NULL, 0};
}
