#ifndef DECANT_CYAML_SHIM_H
#define DECANT_CYAML_SHIM_H
#include <yaml.h>
#endif
