#ifndef DECANT_CXXHASH_SHIM_H
#define DECANT_CXXHASH_SHIM_H
#include <xxhash.h>
#endif
