#ifndef DECANT_CFUZZER_SHIM_H
#define DECANT_CFUZZER_SHIM_H
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's, which comes with no header: it parses the options, then calls `input` until told otherwise. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*input)(const uint8_t *bytes, size_t count));
#endif
