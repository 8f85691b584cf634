#ifndef DECANT_CTESTSUPPORT_SHIM_H
#define DECANT_CTESTSUPPORT_SHIM_H

#include <spawn.h>

/* glibc declares these only under _GNU_SOURCE, which Swift's module of glibc is built without. */
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
#endif
