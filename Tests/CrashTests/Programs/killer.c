// Kills its process before the nth call that changes a file. Loaded with LD_PRELOAD; KILL_AT is n.
// Where KILL_HALF is set and the call is a write, the first half is written. KILL_LOG names a file to which
// every such call adds a line: without KILL_AT, how many there are.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long count, end = -1;
static int writes_half;
static int log_file = -1;

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("KILL_AT");
  if (at) end = atol(at);
  writes_half = getenv("KILL_HALF") != 0;
  const char *name = getenv("KILL_LOG");
  if (name) log_file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  // Counted from here on: the log itself is none of the program's files.
  count = 0;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Whether this call is the last.
static int is_end(void) {
  long number = __sync_add_and_fetch(&count, 1);
  ssize_t (*put)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  if (log_file >= 0 && put(log_file, "\n", 1) != 1) abort();
  return number == end;
}

static int is_file(int file) {
  struct stat status;
  return file > 2 && file != log_file && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)

#define POSITIONED_WRITE(name, offset_type)                                        \
  ssize_t name(int file, const void *bytes, size_t size, offset_type offset) {     \
    REAL(name);                                                                    \
    if (is_file(file) && is_end()) {                                               \
      if (writes_half) (void)!real(file, bytes, size / 2, offset);                 \
      die();                                                                       \
    }                                                                              \
    return real(file, bytes, size, offset);                                        \
  }
POSITIONED_WRITE(pwrite, off_t)
POSITIONED_WRITE(pwrite64, off64_t)

ssize_t write(int file, const void *bytes, size_t size) {
  REAL(write);
  if (is_file(file) && is_end()) {
    if (writes_half) (void)!real(file, bytes, size / 2);
    die();
  }
  return real(file, bytes, size);
}

#define CALL(name, parameters, arguments) \
  int name parameters {                   \
    REAL(name);                           \
    if (is_end()) die();                  \
    return real arguments;                \
  }
CALL(fsync, (int file), (file))
CALL(fdatasync, (int file), (file))
CALL(ftruncate, (int file, off_t size), (file, size))
CALL(ftruncate64, (int file, off64_t size), (file, size))
CALL(unlink, (const char *path), (path))
CALL(link, (const char *path, const char *other), (path, other))
CALL(mkdir, (const char *path, mode_t mode), (path, mode))
CALL(rename, (const char *path, const char *other), (path, other))
CALL(renameat2, (int from, const char *path, int to, const char *other, unsigned flags),
     (from, path, to, other, flags))

// Opening counts where it makes a file, or empties one.
#define OPEN(name)                                                            \
  int name(const char *path, int flags, ...) {                                \
    REAL(name);                                                               \
    va_list list;                                                             \
    va_start(list, flags);                                                    \
    mode_t mode = va_arg(list, mode_t);                                       \
    va_end(list);                                                             \
    int changes = (flags & O_TRUNC) || access(path, F_OK) != 0;               \
    if ((flags & O_CREAT) && changes && is_end()) die();                      \
    return real(path, flags, mode);                                           \
  }
OPEN(open)
OPEN(open64)
