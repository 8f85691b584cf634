#ifndef DECANT_CSQLITE_SHIM_H
#define DECANT_CSQLITE_SHIM_H
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import. */
static inline sqlite3_destructor_type decant_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* sqlite3_db_config is variadic, which Swift cannot call. */
static inline int decant_sqlite_db_config(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

/* sqlite3_config is variadic. Without its count of the memory in use, SQLite takes no lock to allocate some. */
static inline int decant_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Joins without Bloom filters, which SQLite added in version 3.38. Up to 3.40 at least their hash of a text is its length,
   although a collation may treat texts of different lengths as equal: such rows would be missing. sqlite3_test_control is
   variadic; the number is that of the optimization. */
static inline void decant_sqlite_join_without_bloom(sqlite3 *db) {
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, 0x00080000);
}

/* Reads through SQLite's own file handle: a second open() and close() of the same file
   would drop every POSIX lock this process holds on it. */
static inline int decant_sqlite_file(sqlite3 *db, const char *schema, int opcode, sqlite3_file **file) {
  return sqlite3_file_control(db, schema, opcode, file);
}
static inline int decant_sqlite_file_size(sqlite3_file *file, sqlite3_int64 *size) {
  if (!file || !file->pMethods) { *size = 0; return SQLITE_OK; }
  return file->pMethods->xFileSize(file, size);
}
static inline int decant_sqlite_file_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  if (!file || !file->pMethods) return SQLITE_IOERR_SHORT_READ;
  return file->pMethods->xRead(file, buffer, count, offset);
}

/* Copies the start of a write-ahead log's index, which all processes share, from where SQLite has mapped it.
   For a database whose log is open only: otherwise this would make an index. */
static inline int decant_sqlite_log_index(sqlite3_file *file, unsigned char *bytes, int count) {
  void volatile *map = 0;
  if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap)
    return SQLITE_IOERR;
  int code = file->pMethods->xShmMap(file, 0, 32768, 0, &map);
  /* Mapped for reading alone is as good. */
  if (code != SQLITE_OK && code != SQLITE_READONLY) return code;
  if (!map) return SQLITE_IOERR;
  for (int i = 0; i < count; i++) bytes[i] = ((unsigned char volatile *)map)[i];
  return SQLITE_OK;
}

/* A table that Swift answers for, and a cursor in it: what SQLite keeps, and what is behind it. */
typedef struct decant_table { sqlite3_vtab base; void *content; } decant_table;
typedef struct decant_cursor { sqlite3_vtab_cursor base; void *content; } decant_cursor;

/* sqlite3_vtab_config is variadic, which Swift cannot call. */
static inline int decant_sqlite_vtab_innocuous(sqlite3 *db) {
  return sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
}

/* sqlite3_mprintf is variadic; SQLite frees such a text itself. */
static inline char *decant_sqlite_copy(const char *text) { return sqlite3_mprintf("%s", text); }

/* sqlite3_snprintf is variadic. */
static inline void decant_sqlite_number(double number, char *text, int count) {
  sqlite3_snprintf(count, text, "%!.17g", number);
}
#endif
