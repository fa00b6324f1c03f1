/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum bl_status bl_spawn(char *const *args, const char *log, int *status,
                        struct bl_error *err)
{
    posix_spawn_file_actions_t files;
    int error, how = 0;
    pid_t pid;
    if (posix_spawn_file_actions_init(&files) != 0)
        return bl_error_nomem(err);
    error =
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log,
                                                 O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    if (!error)
        error = posix_spawn(&pid, args[0], &files, NULL, args, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error)
        return bl_error_set(err, BL_E_INPUT, "%.600s: %s", args[0], strerror(error));
    while (waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            return bl_error_set(err, BL_E_IO, "%.600s: %s", args[0], strerror(errno));
    *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return BL_OK;
}
