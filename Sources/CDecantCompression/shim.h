#ifndef DECANT_CCOMPRESSION_SHIM_H
#define DECANT_CCOMPRESSION_SHIM_H
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* LZMA_STREAM_INIT is an initialiser, which Swift does not import. */
static inline lzma_stream decant_lzma_stream(void) {
  lzma_stream stream = LZMA_STREAM_INIT;
  return stream;
}

/* Flags are cast expressions, which Swift does not import. */
static const uint32_t decant_lzma_flags = LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK;

/* A raw LZMA2 stream. One byte gives the size of its dictionary; liblzma reads the filter's options from it. */
static inline lzma_ret decant_lzma2_decoder(lzma_stream *stream, uint8_t dictionary) {
  lzma_filter filters[2] = {{LZMA_FILTER_LZMA2, NULL}, {LZMA_VLI_UNKNOWN, NULL}};
  lzma_ret code = lzma_properties_decode(filters, NULL, &dictionary, 1);
  if (code == LZMA_OK) code = lzma_raw_decoder(stream, filters);
  free(filters[0].options);
  return code;
}

/* ISA-L's stream has arrays too long for Swift to import, so it is made and fed here. */
typedef struct decant_isal { struct isal_zstream stream; uint8_t table[ISAL_DEF_LVL1_DEFAULT]; } decant_isal;

/* A bare deflate stream at ISA-L's level 1; free() ends it. */
static inline decant_isal *decant_isal_new(void) {
  decant_isal *isal = (decant_isal *)calloc(1, sizeof(decant_isal));
  if (!isal) return isal;
  isal_deflate_init(&isal->stream);
  isal->stream.level = 1;
  isal->stream.level_buf = isal->table;
  isal->stream.level_buf_size = sizeof isal->table;
  return isal;
}

/* Packs what it can of `*in`, and moves both pointers on; with a flush all of it, up to a whole byte of output. The
   result is ISA-L's code. */
static inline int decant_isal_step(decant_isal *isal, const uint8_t **in, uint32_t in_count, uint8_t **out,
                                   uint32_t out_count, int is_last, int is_flushed) {
  isal->stream.next_in = (uint8_t *)*in;
  isal->stream.avail_in = in_count;
  isal->stream.next_out = *out;
  isal->stream.avail_out = out_count;
  isal->stream.end_of_stream = is_last != 0;
  isal->stream.flush = is_flushed ? SYNC_FLUSH : NO_FLUSH;
  int code = isal_deflate(&isal->stream);
  *in = isal->stream.next_in;
  *out = isal->stream.next_out;
  return code;
}
static inline int decant_isal_is_done(const decant_isal *isal) {
  return isal->stream.internal_state.state == ZSTATE_END;
}

/* ISA-L's inflate state likewise. It is set to raw deflate data, and computes the CRC-32; free() ends it. */
static inline struct inflate_state *decant_inflate_new(void) {
  return (struct inflate_state *)malloc(sizeof(struct inflate_state));
}

/* Begins a deflate stream. */
static inline void decant_inflate_start(struct inflate_state *state) {
  isal_inflate_init(state);
  state->crc_flag = ISAL_GZIP_NO_HDR;
}

/* Unpacks what it can, and sets both counts to the bytes that were read and written; the result is ISA-L's code. */
static inline int decant_inflate_step(struct inflate_state *state, const uint8_t *in, uint32_t *in_count, uint8_t *out,
                                      uint32_t *out_count) {
  state->next_in = (uint8_t *)in;
  state->avail_in = *in_count;
  state->next_out = out;
  state->avail_out = *out_count;
  int code = isal_inflate(state);
  *in_count -= state->avail_in;
  *out_count -= state->avail_out;
  return code;
}
static inline int decant_inflate_is_done(const struct inflate_state *state) {
  return state->block_state == ISAL_BLOCK_FINISH;
}
static inline uint32_t decant_inflate_checksum(const struct inflate_state *state) { return state->crc; }

/* The whole bytes that were read beyond the end of the deflate stream: at most 8, the first one lowest. */
static inline uint64_t decant_inflate_rest(const struct inflate_state *state, int *count) {
  *count = state->read_in_length / 8;
  return *count ? state->read_in >> (state->read_in_length % 8) : 0;
}
#endif
