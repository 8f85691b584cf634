#ifndef DECANT_CLINUX_SHIM_H
#define DECANT_CLINUX_SHIM_H

#include <fcntl.h>
#include <malloc.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>

/* glibc declares renameat2 only under _GNU_SOURCE, which Swift's module of glibc is built without. */
extern int renameat2(int oldFolder, const char *oldName, int newFolder, const char *newName,
                     unsigned int flags);
enum { decant_rename_noreplace = 1, decant_rename_exchange = 2 };
/* The same holds for F_SETLEASE, F_SETSIG and O_TMPFILE. */
enum { decant_set_lease = 1024, decant_set_signal = 10, decant_nameless = __O_TMPFILE };

/* Writes a part of a file back to the disk, and waits for it. */
extern int sync_file_range(int file, __off64_t offset, __off64_t count, unsigned int flags);
static inline int decant_write_back(int file, long long offset, long long count) {
  return sync_file_range(file, offset, count, 1 | 2 | 4);
}

/* Makes the file `to` share the blocks of `from`; 0 where the file system can. */
static inline int decant_clone(int to, int from) { return ioctl(to, FICLONE, from); }

/*
 * Has buffers above 4 MiB go back to the system as they are freed. Without it that size grows with what was freed before.
 * Of the rest, 1 MiB stays: with the default of 128 KiB the same pages are returned and requested over and over.
 */
static inline void decant_return_large_buffers(void) {
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
}
#endif
