#include "CDecantBuild.h"

const char *decant_commit(void) { return DECANT_COMMIT; }
