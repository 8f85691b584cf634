#ifndef DECANT_CARCHIVE_SHIM_H
#define DECANT_CARCHIVE_SHIM_H
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stdbool.h>

/* The mask is a shift of macros, which Swift does not import. */
static inline locale_t decant_utf8_locale(void) {
  return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* The types of files are cast expressions, which Swift does not import. */
static inline bool decant_entry_is_file(struct archive_entry *entry) { return archive_entry_filetype(entry) == AE_IFREG; }
static inline bool decant_entry_is_folder(struct archive_entry *entry) { return archive_entry_filetype(entry) == AE_IFDIR; }
#endif
