#include "CDecantPostgres.h"
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* The functions of libpq that decant calls: type, name, parameters, arguments. The compiler checks them against libpq's own
   declarations. They are found when they are needed: libpq loads 20 other libraries, which takes as long as the rest of a start. */
#define FUNCTIONS(F) \
  F(int, PQbackendPID, (const PGconn *connection), (connection)) \
  F(int, PQcancel, (PGcancel * request, char *error, int size), (request, error, size)) \
  F(void, PQclear, (PGresult * result), (result)) \
  F(char *, PQcmdTuples, (PGresult * result), (result)) \
  F(PGconn *, PQconnectdbParams, (const char *const *names, const char *const *values, int expands), (names, values, expands)) \
  F(void, PQconninfoFree, (PQconninfoOption * options), (options)) \
  F(PQconninfoOption *, PQconninfoParse, (const char *text, char **error), (text, error)) \
  F(int, PQconsumeInput, (PGconn * connection), (connection)) \
  F(char *, PQdb, (const PGconn *connection), (connection)) \
  F(char *, PQerrorMessage, (const PGconn *connection), (connection)) \
  F(void, PQfinish, (PGconn * connection), (connection)) \
  F(int, PQflush, (PGconn * connection), (connection)) \
  F(void, PQfreeCancel, (PGcancel * request), (request)) \
  F(void, PQfreemem, (void *memory), (memory)) \
  F(PGcancel *, PQgetCancel, (PGconn * connection), (connection)) \
  F(int, PQgetCopyData, (PGconn * connection, char **row, int isAsynchronous), (connection, row, isAsynchronous)) \
  F(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
  F(PGresult *, PQgetResult, (PGconn * connection), (connection)) \
  F(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
  F(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
  F(char *, PQhost, (const PGconn *connection), (connection)) \
  F(char *, PQhostaddr, (const PGconn *connection), (connection)) \
  F(int, PQisBusy, (PGconn * connection), (connection)) \
  F(int, PQnfields, (const PGresult *result), (result)) \
  F(int, PQntuples, (const PGresult *result), (result)) \
  F(char *, PQport, (const PGconn *connection), (connection)) \
  F(int, PQputCopyData, (PGconn * connection, const char *bytes, int count), (connection, bytes, count)) \
  F(int, PQputCopyEnd, (PGconn * connection, const char *error), (connection, error)) \
  F(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
  F(ExecStatusType, PQresultStatus, (const PGresult *result), (result)) \
  F(int, PQsendQuery, (PGconn * connection, const char *query), (connection, query)) \
  F(int, PQsendQueryParams, \
    (PGconn * connection, const char *query, int count, const Oid *types, const char *const *values, const int *lengths, \
     const int *formats, int resultFormat), \
    (connection, query, count, types, values, lengths, formats, resultFormat)) \
  F(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn * connection, PQnoticeReceiver receiver, void *argument), \
    (connection, receiver, argument)) \
  F(int, PQsetSingleRowMode, (PGconn * connection), (connection)) \
  F(int, PQsetnonblocking, (PGconn * connection, int isNonblocking), (connection, isNonblocking)) \
  F(int, PQsocket, (const PGconn *connection), (connection)) \
  F(int, PQsslInUse, (PGconn * connection), (connection)) \
  F(ConnStatusType, PQstatus, (const PGconn *connection), (connection)) \
  F(PGTransactionStatusType, PQtransactionStatus, (const PGconn *connection), (connection)) \
  F(char *, PQuser, (const PGconn *connection), (connection))

#define DEFINE(type, name, parameters, arguments) \
  static type(*loaded_##name) parameters; \
  type name parameters { return loaded_##name arguments; }

FUNCTIONS(DEFINE)

#if __APPLE__
static const char *const libraryName = "libpq.5.dylib";
#else
static const char *const libraryName = "libpq.so.5";
#endif

static pthread_once_t isLoaded = PTHREAD_ONCE_INIT;
static char *fault;

static void load(void) {
  void *library = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
#define FIND(type, name, parameters, arguments) \
  if (library != NULL) { \
    loaded_##name = (type(*) parameters)dlsym(library, #name); \
    if (loaded_##name == NULL) library = NULL; \
  }
  FUNCTIONS(FIND)
  if (library != NULL) return;
  const char *error = dlerror();
  fault = strdup(error == NULL ? libraryName : error);
}

const char *decant_pq_load(void) {
  pthread_once(&isLoaded, load);
  return fault;
}
