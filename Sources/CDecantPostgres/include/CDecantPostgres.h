#ifndef DECANT_CPOSTGRES_H
#define DECANT_CPOSTGRES_H
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

/* Loads libpq on the first call, and returns NULL, or the reason why it cannot be loaded. Nothing else of this file may be
   called before. */
const char *decant_pq_load(void);

/* The field codes of PQresultErrorField are character macros, which Swift does not import. */
static inline const char *decant_pq_context(const PGresult *result) { return PQresultErrorField(result, PG_DIAG_CONTEXT); }
static inline const char *decant_pq_sqlstate(const PGresult *result) { return PQresultErrorField(result, PG_DIAG_SQLSTATE); }
static inline const char *decant_pq_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
static inline const char *decant_pq_constraint(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
}

/* Notices of the server are not printed. */
static inline void decant_pq_ignore(void *argument, const PGresult *result) {
  (void)argument;
  (void)result;
}
static inline void decant_pq_silence(PGconn *connection) { PQsetNoticeReceiver(connection, decant_pq_ignore, NULL); }
#endif
