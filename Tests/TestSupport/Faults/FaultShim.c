// A library that is preloaded into a program and makes one of its calls to the system fail, or kills the
// program before it.
//
// Calls are counted by class, and only those on files below one folder. What is set:
//
//   FAULT_FOLDER   the folder, as its real path
//   FAULT_CLASS    the class of calls that fails: open, read, write, …; change: whatever changes a file
//   FAULT_NUMBER   the number of the call that fails, from 1 on; 0 lets all of them through
//   FAULT_ERROR    the errno it fails with; 0 has a write end half-way, without an error
//   FAULT_KILLS    set where the program is killed before the call; with errno 0, half-way through a write
//   FAULT_LASTS    whether every later call of the class fails as well
//   FAULT_REMOVE   a path that is taken away before that call, which then goes through
//   FAULT_PUT      a path that is renamed to it then
//   FAULT_BLIND    set where nobody can tell how much room a disk has
//   FAULT_PLAIN    set where the file system knows no more than plain renames
//   FAULT_REPORT   a file that tells afterwards how many calls there were, and which of them failed
//   FAULT_TRACE    a file that tells, line by line, which file was written, synced, renamed or removed,
//                  and which folder was made: the call, the file's number, its path, and the other path of a rename, parted by tabs
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, SYNC, RENAME, UNLINK, TRUNCATE, MAKE, MAP, LOCK, LOOK, CLOSE, CHANGE, CLASSES };

static const char *const names[CLASSES] = {
    "open", "read", "write", "sync", "rename", "unlink", "truncate", "make", "map", "lock", "look",
    "close", "change",
};

enum { FILES = 4096 };

static char folder[PATH_MAX];
static size_t folder_length;
static int chosen = -1;
static long number;
static int error;
static int lasts;
static int kills;
// Whether the program is to be killed as soon as its write is half done.
static atomic_int is_dying;
static int is_blind;
static int is_plain;
static char removed[PATH_MAX], put[PATH_MAX], report[PATH_MAX];
// Where calls are told; -1 where they are not.
static int trace = -1;
static atomic_long counts[CLASSES];
static atomic_long failures;
static char failed[PATH_MAX + 64];
// Whether a descriptor is one of a file below the folder.
static atomic_char watched[FILES];

__attribute__((constructor)) static void begin(void) {
  is_blind = getenv("FAULT_BLIND") != NULL;
  const char *text = getenv("FAULT_FOLDER");
  if (!text) return;
  snprintf(folder, sizeof folder, "%s", text);
  folder_length = strlen(folder);
  if ((text = getenv("FAULT_CLASS")))
    for (int class = 0; class < CLASSES; class++)
      if (!strcmp(text, names[class])) chosen = class;
  if ((text = getenv("FAULT_NUMBER"))) number = atol(text);
  if ((text = getenv("FAULT_ERROR"))) error = atoi(text);
  if ((text = getenv("FAULT_LASTS"))) lasts = atoi(text);
  kills = getenv("FAULT_KILLS") != NULL;
  is_plain = getenv("FAULT_PLAIN") != NULL;
  if ((text = getenv("FAULT_REMOVE"))) snprintf(removed, sizeof removed, "%s", text);
  if ((text = getenv("FAULT_PUT"))) snprintf(put, sizeof put, "%s", text);
  if ((text = getenv("FAULT_REPORT"))) snprintf(report, sizeof report, "%s", text);
  if ((text = getenv("FAULT_TRACE"))) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    // Out of the way of the program's own.
    trace = (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 1000);
    syscall(SYS_close, file);
  }
}

__attribute__((destructor)) static void end(void) {
  if (!report[0]) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  char text[PATH_MAX + 1024];
  int length = 0;
  for (int class = 0; class < CLASSES; class++)
    length += snprintf(text + length, sizeof text - length, "%s %ld\n", names[class], counts[class]);
  length += snprintf(text + length, sizeof text - length, "failed %ld\n", failures);
  length += snprintf(text + length, sizeof text - length, "call %s\n", failed);
  syscall(SYS_write, file, text, length);
  syscall(SYS_close, file);
}

static int is_below(const char *path) {
  return !strncmp(path, folder, folder_length)
      && (path[folder_length] == '/' || !path[folder_length]);
}

// Whether a path, which may be a relative one, leads below the folder.
static int concerns(int directory, const char *path) {
  if (!folder_length || !path) return 0;
  if (path[0] == '/') return is_below(path);
  char start[PATH_MAX];
  char link[64];
  if (directory == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
  else snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, start, sizeof start - 1);
  if (length <= 0) return 0;
  start[length] = 0;
  return is_below(start);
}

static int is_watched(int file) { return file >= 0 && file < FILES && watched[file]; }

static int watch(int file, int concerned) {
  if (file >= 0 && file < FILES) watched[file] = (char)concerned;
  return file;
}

static void note(const char *call, const char *path, int file) {
  char link[64], name[PATH_MAX];
  if (!path) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, name, sizeof name - 1);
    name[length > 0 ? length : 0] = 0;
    path = name;
  }
  const char *last = strrchr(path, '/');
  snprintf(failed, sizeof failed, "%s %s", call, last ? last + 1 : path);
}

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

// The path of an open file.
static void path_of(int file, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = 0;
}

// A path of which the folder is named without links; the last part may be one.
static void absolute(int directory, const char *path, char *result) {
  char parent[PATH_MAX];
  const char *slash = strrchr(path, '/');
  snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
  int file = (int)syscall(SYS_openat, directory, parent[0] ? parent : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  char folder[PATH_MAX];
  path_of(file, folder);
  if (file >= 0) syscall(SYS_close, file);
  snprintf(result, PATH_MAX, "%.*s/%s", PATH_MAX / 2, folder, slash ? slash + 1 : path);
}

static void tell(const char *call, unsigned long long number, const char *path, const char *other) {
  char line[3 * PATH_MAX];
  int length = snprintf(line, sizeof line, "%s\t%llu\t%s\t%s\n", call, number, path, other);
  syscall(SYS_write, trace, line, length);
}

// Tells of a call on an open file that went well, as `result` says.
static long told(long result, int file, const char *call) {
  if (trace < 0 || result < 0 || !is_watched(file)) return result;
  int before = errno;
  char path[PATH_MAX];
  path_of(file, path);
  struct stat status;
  if (!syscall(SYS_fstat, file, &status)) tell(call, status.st_ino, path, "");
  errno = before;
  return result;
}

// Tells of a name that was given or taken away; the file is the one that has the name, or had it before `result` came.
static int told_name(int result, const char *call, unsigned long long number, int directory, const char *path,
                     int other_directory, const char *other) {
  if (trace < 0 || result) return result;
  if (!concerns(directory, path) && !(other && concerns(other_directory, other))) return result;
  char first[PATH_MAX], second[PATH_MAX] = "";
  absolute(directory, path, first);
  if (other) absolute(other_directory, other, second);
  tell(call, number, first, second);
  return result;
}

// The number of the file that has a name.
static unsigned long long number_of(int directory, const char *path) {
  struct stat status;
  if (trace < 0 || syscall(SYS_newfstatat, directory, path, &status, AT_SYMLINK_NOFOLLOW)) return 0;
  return status.st_ino;
}

static int changes(int class) {
  return class == WRITE || class == SYNC || class == RENAME || class == UNLINK || class == TRUNCATE
      || class == MAKE;
}

// Counts a call; whether it is one of those that are chosen.
static int is_met(int class, const char *call, const char *path, int file) {
  long count = atomic_fetch_add(&counts[class], 1) + 1;
  if (changes(class)) {
    long change = atomic_fetch_add(&counts[CHANGE], 1) + 1;
    if (chosen == CHANGE) class = CHANGE, count = change;
  }
  if (class != chosen || !number || count < number || (count > number && !lasts)) return 0;
  if (atomic_fetch_add(&failures, 1) == 0) note(call, path, file);
  if (removed[0]) {
    char away[PATH_MAX + 8];
    snprintf(away, sizeof away, "%s.away", removed);
    // A folder cannot be taken away but by another name.
    if (syscall(SYS_unlink, removed)) syscall(SYS_rename, removed, away);
    if (put[0]) syscall(SYS_rename, put, removed);
    return 0;
  }
  return 1;
}

// Counts a call; whether it is to fail, if anybody is left to be told.
static int fails(int class, const char *call, const char *path, int file) {
  if (!is_met(class, call, path, file)) return 0;
  if (kills) die();
  errno = error;
  return 1;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// MARK: Files are opened

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

static int open_below(int directory, const char *path, int flags, mode_t mode, const char *call) {
  int concerned = concerns(directory, path);
  if (concerned && fails(OPEN, call, path, -1)) return -1;
  // Opening is a change where it makes a file, or empties one.
  int makes = (flags & O_CREAT) && syscall(SYS_faccessat, directory, path, F_OK);
  if (concerned && (makes || (flags & O_TRUNC)) && fails(CHANGE, call, path, -1)) return -1;
  long file = syscall(SYS_openat, directory, path, flags, mode);
  return watch((int)file, concerned);
}

#define OPEN_CALL(name) \
  int name(const char *path, int flags, ...) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = mode_of(flags, arguments); \
    va_end(arguments); \
    return open_below(AT_FDCWD, path, flags, mode, #name); \
  }
OPEN_CALL(open)
OPEN_CALL(open64)

#define OPENAT_CALL(name) \
  int name(int directory, const char *path, int flags, ...) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = mode_of(flags, arguments); \
    va_end(arguments); \
    return open_below(directory, path, flags, mode, #name); \
  }
OPENAT_CALL(openat)
OPENAT_CALL(openat64)

int creat(const char *path, mode_t mode) {
  return open_below(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, "creat");
}

#define FOPEN_CALL(name) \
  FILE *name(const char *path, const char *mode) { \
    REAL(name); \
    int concerned = concerns(AT_FDCWD, path); \
    if (concerned && fails(OPEN, #name, path, -1)) return NULL; \
    FILE *stream = real(path, mode); \
    if (stream) watch(fileno(stream), concerned); \
    return stream; \
  }
FOPEN_CALL(fopen)
FOPEN_CALL(fopen64)

DIR *opendir(const char *path) {
  REAL(opendir);
  if (concerns(AT_FDCWD, path) && fails(OPEN, "opendir", path, -1)) return NULL;
  return real(path);
}

int close(int file) {
  int isWatched = is_watched(file);
  int isFailing = isWatched && fails(CLOSE, "close", NULL, file);
  if (isWatched) watched[file] = 0;
  long result = syscall(SYS_close, file);
  if (!isFailing) return (int)result;
  errno = error;
  return -1;
}

int fclose(FILE *stream) {
  REAL(fclose);
  // What was buffered is written now.
  int file = fileno(stream);
  int isFailing = is_watched(file) && fails(WRITE, "fclose", NULL, file);
  // It may be written now or was before: in either case not synced since.
  if ((fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY) told(0, file, "write");
  if (file >= 0 && file < FILES) watched[file] = 0;
  int result = real(stream);
  if (!isFailing) return result;
  errno = error;
  return EOF;
}

// MARK: Content is read and written

#define FAILING(class, file, name, result) \
  if (is_watched(file) && fails(class, name, NULL, file)) return result

ssize_t read(int file, void *bytes, size_t count) {
  FAILING(READ, file, "read", -1);
  return syscall(SYS_read, file, bytes, count);
}
ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  FAILING(READ, file, "pread", -1);
  return syscall(SYS_pread64, file, bytes, count, offset);
}
ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
  FAILING(READ, file, "pread64", -1);
  return syscall(SYS_pread64, file, bytes, count, offset);
}
ssize_t readv(int file, const struct iovec *parts, int count) {
  REAL(readv);
  FAILING(READ, file, "readv", -1);
  return real(file, parts, count);
}

// The length of a write; half of it where the write is to end half-way, -1 where it is to fail.
static ssize_t writable(int file, size_t count, const char *call) {
  if (!is_watched(file) || !is_met(WRITE, call, NULL, file)) return (ssize_t)count;
  if (error && kills) die();
  errno = error;
  if (error) return -1;
  is_dying = kills;
  return count > 1 ? (ssize_t)(count / 2) : (ssize_t)count;
}

static ssize_t written(int file, ssize_t result) {
  if (is_dying) die();
  return told(result, file, "write");
}

ssize_t write(int file, const void *bytes, size_t count) {
  ssize_t length = writable(file, count, "write");
  return length < 0 ? -1 : written(file, syscall(SYS_write, file, bytes, length));
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  ssize_t length = writable(file, count, "pwrite");
  return length < 0 ? -1 : written(file, syscall(SYS_pwrite64, file, bytes, length, offset));
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  ssize_t length = writable(file, count, "pwrite64");
  return length < 0 ? -1 : written(file, syscall(SYS_pwrite64, file, bytes, length, offset));
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(writev);
  FAILING(WRITE, file, "writev", -1);
  return told(real(file, parts, count), file, "write");
}
ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *offset, size_t count,
                        unsigned flags) {
  REAL(copy_file_range);
  FAILING(READ, from, "copy_file_range", -1);
  FAILING(WRITE, to, "copy_file_range", -1);
  return told(real(from, start, to, offset, count, flags), to, "write");
}
ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
  REAL(sendfile);
  FAILING(READ, from, "sendfile", -1);
  FAILING(WRITE, to, "sendfile", -1);
  return told(real(to, from, offset, count), to, "write");
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  REAL(mmap);
  FAILING(MAP, file, "mmap", MAP_FAILED);
  return real(address, length, protection, flags, file, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset) {
  REAL(mmap64);
  FAILING(MAP, file, "mmap64", MAP_FAILED);
  return real(address, length, protection, flags, file, offset);
}

// MARK: Files are synced, cut off, locked

int fsync(int file) {
  FAILING(SYNC, file, "fsync", -1);
  return (int)told(syscall(SYS_fsync, file), file, "sync");
}
int fdatasync(int file) {
  FAILING(SYNC, file, "fdatasync", -1);
  return (int)told(syscall(SYS_fdatasync, file), file, "sync");
}
int ftruncate(int file, off_t length) {
  FAILING(TRUNCATE, file, "ftruncate", -1);
  return (int)told(syscall(SYS_ftruncate, file, length), file, "truncate");
}
int ftruncate64(int file, off64_t length) {
  FAILING(TRUNCATE, file, "ftruncate64", -1);
  return (int)told(syscall(SYS_ftruncate, file, length), file, "truncate");
}
int fallocate(int file, int mode, off_t offset, off_t length) {
  FAILING(TRUNCATE, file, "fallocate", -1);
  return (int)told(syscall(SYS_fallocate, file, mode, offset, length), file, "write");
}
int fallocate64(int file, int mode, off64_t offset, off64_t length) {
  FAILING(TRUNCATE, file, "fallocate64", -1);
  return (int)told(syscall(SYS_fallocate, file, mode, offset, length), file, "write");
}
int posix_fallocate(int file, off_t offset, off_t length) {
  REAL(posix_fallocate);
  FAILING(TRUNCATE, file, "posix_fallocate", error);
  return real(file, offset, length);
}
// Rights are synced with the content.
int chmod(const char *path, mode_t mode) {
  int result = (int)syscall(SYS_chmod, path, mode);
  return told_name(result, "write", number_of(AT_FDCWD, path), AT_FDCWD, path, 0, NULL);
}
int flock(int file, int operation) {
  FAILING(LOCK, file, "flock", -1);
  return (int)syscall(SYS_flock, file, operation);
}

#define FCNTL_CALL(name) \
  int name(int file, int command, ...) { \
    va_list arguments; \
    va_start(arguments, command); \
    void *argument = va_arg(arguments, void *); \
    va_end(arguments); \
    if (command == F_SETLK || command == F_SETLKW || command == F_GETLK) \
      FAILING(LOCK, file, #name, -1); \
    int result = (int)syscall(SYS_fcntl, file, command, argument); \
    if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && result >= 0) \
      watch(result, is_watched(file)); \
    return result; \
  }
FCNTL_CALL(fcntl)
FCNTL_CALL(fcntl64)

// MARK: Names are given, taken away and looked at

#define FAILING_AT(class, directory, path, name, result) \
  if (concerns(directory, path) && fails(class, name, path, -1)) return result

int rename(const char *from, const char *to) {
  FAILING_AT(RENAME, AT_FDCWD, to, "rename", -1);
  unsigned long long number = number_of(AT_FDCWD, from);
  return told_name((int)syscall(SYS_rename, from, to), "rename", number, AT_FDCWD, from, AT_FDCWD, to);
}
int renameat(int one, const char *from, int other, const char *to) {
  FAILING_AT(RENAME, other, to, "renameat", -1);
  unsigned long long number = number_of(one, from);
  return told_name((int)syscall(SYS_renameat, one, from, other, to), "rename", number, one, from, other, to);
}
int renameat2(int one, const char *from, int other, const char *to, unsigned flags) {
  if (is_plain && flags && concerns(other, to)) {
    errno = EINVAL;
    return -1;
  }
  FAILING_AT(RENAME, other, to, "renameat2", -1);
  unsigned long long number = number_of(one, from);
  const char *call = flags & RENAME_EXCHANGE ? "exchange" : "rename";
  return told_name((int)syscall(SYS_renameat2, one, from, other, to, flags), call, number, one, from, other, to);
}
int link(const char *from, const char *to) {
  FAILING_AT(RENAME, AT_FDCWD, to, "link", -1);
  unsigned long long number = number_of(AT_FDCWD, from);
  return told_name((int)syscall(SYS_link, from, to), "link", number, AT_FDCWD, from, AT_FDCWD, to);
}
int unlink(const char *path) {
  FAILING_AT(UNLINK, AT_FDCWD, path, "unlink", -1);
  unsigned long long number = concerns(AT_FDCWD, path) ? number_of(AT_FDCWD, path) : 0;
  int result = (int)syscall(SYS_unlink, path);
  return number ? told_name(result, "remove", number, AT_FDCWD, path, 0, NULL) : result;
}
int unlinkat(int directory, const char *path, int flags) {
  FAILING_AT(UNLINK, directory, path, "unlinkat", -1);
  unsigned long long number = concerns(directory, path) ? number_of(directory, path) : 0;
  int result = (int)syscall(SYS_unlinkat, directory, path, flags);
  return number ? told_name(result, "remove", number, directory, path, 0, NULL) : result;
}
int rmdir(const char *path) {
  FAILING_AT(UNLINK, AT_FDCWD, path, "rmdir", -1);
  return told_name((int)syscall(SYS_rmdir, path), "remove", 0, AT_FDCWD, path, 0, NULL);
}
int mkdir(const char *path, mode_t mode) {
  FAILING_AT(MAKE, AT_FDCWD, path, "mkdir", -1);
  return told_name((int)syscall(SYS_mkdir, path, mode), "make", 0, AT_FDCWD, path, 0, NULL);
}
char *mkdtemp(char *path) {
  REAL(mkdtemp);
  FAILING_AT(MAKE, AT_FDCWD, path, "mkdtemp", NULL);
  return real(path);
}

#define LOOK_CALL(name, type) \
  int name(const char *path, struct type *status) { \
    REAL(name); \
    FAILING_AT(LOOK, AT_FDCWD, path, #name, -1); \
    return real(path, status); \
  }
LOOK_CALL(stat, stat)
LOOK_CALL(stat64, stat64)
LOOK_CALL(lstat, stat)
LOOK_CALL(lstat64, stat64)

#define ROOM_CALL(name, type) \
  int name(const char *path, struct type *status) { \
    REAL(name); \
    FAILING_AT(LOOK, AT_FDCWD, path, #name, -1); \
    errno = ENOSYS; \
    return is_blind ? -1 : real(path, status); \
  }
ROOM_CALL(statvfs, statvfs)
ROOM_CALL(statvfs64, statvfs64)

#define LOOK_AT_FILE_CALL(name, type) \
  int name(int file, struct type *status) { \
    REAL(name); \
    FAILING(LOOK, file, #name, -1); \
    return real(file, status); \
  }
LOOK_AT_FILE_CALL(fstat, stat)
LOOK_AT_FILE_CALL(fstat64, stat64)

int access(const char *path, int mode) {
  FAILING_AT(LOOK, AT_FDCWD, path, "access", -1);
  return (int)syscall(SYS_access, path, mode);
}
ssize_t readlink(const char *path, char *target, size_t size) {
  FAILING_AT(LOOK, AT_FDCWD, path, "readlink", -1);
  return syscall(SYS_readlink, path, target, size);
}
char *realpath(const char *path, char *result) {
  REAL(realpath);
  FAILING_AT(LOOK, AT_FDCWD, path, "realpath", NULL);
  return real(path, result);
}
