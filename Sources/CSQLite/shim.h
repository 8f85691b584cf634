#ifndef DECANT_CSQLITE_SHIM_H
#define DECANT_CSQLITE_SHIM_H
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import. */
static inline sqlite3_destructor_type decant_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* sqlite3_db_config is variadic, which Swift cannot call. */
static inline int decant_sqlite_db_config(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

/* sqlite3_config is variadic; SINGLETHREAD and SERIALIZED take no argument. */
static inline int decant_sqlite_config(int option) { return sqlite3_config(option); }

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
#endif
