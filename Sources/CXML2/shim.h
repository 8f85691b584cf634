#ifndef DECANT_CXML2_SHIM_H
#define DECANT_CXML2_SHIM_H
#include <libxml/xmlreader.h>
#endif
