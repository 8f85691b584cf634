#ifndef DECANT_CXML2_SHIM_H
#define DECANT_CXML2_SHIM_H
/* Debian's libxml2 names ICU in its headers, and Foundation brings an ICU of its own: seen together
   in one program, the two would not agree. decant uses nothing of it. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/xmlreader.h>
#endif
