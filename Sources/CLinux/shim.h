#ifndef DECANT_CLINUX_SHIM_H
#define DECANT_CLINUX_SHIM_H

/* glibc declares renameat2 only under _GNU_SOURCE, which Swift's module of glibc is built without. */
extern int renameat2(int oldFolder, const char *oldName, int newFolder, const char *newName,
                     unsigned int flags);
enum { decant_rename_noreplace = 1 };
#endif
