#ifndef DECANT_CNETTLE_SHIM_H
#define DECANT_CNETTLE_SHIM_H
#include <nettle/hmac.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

/* The names of these functions are macros, which Swift does not import. */
static inline void decant_sha1_init(struct sha1_ctx *context) { sha1_init(context); }
static inline void decant_sha1_update(struct sha1_ctx *context, size_t count, const uint8_t *bytes) {
  sha1_update(context, count, bytes);
}
static inline void decant_sha1_digest(struct sha1_ctx *context, uint8_t *digest) {
  sha1_digest(context, SHA1_DIGEST_SIZE, digest);
}
static inline void decant_sha256_init(struct sha256_ctx *context) { sha256_init(context); }
static inline void decant_sha256_update(struct sha256_ctx *context, size_t count, const uint8_t *bytes) {
  sha256_update(context, count, bytes);
}
static inline void decant_sha256_digest(struct sha256_ctx *context, uint8_t *digest) {
  sha256_digest(context, SHA256_DIGEST_SIZE, digest);
}
static inline void decant_sha512_init(struct sha512_ctx *context) { sha512_init(context); }
static inline void decant_sha512_update(struct sha512_ctx *context, size_t count, const uint8_t *bytes) {
  sha512_update(context, count, bytes);
}
static inline void decant_sha512_digest(struct sha512_ctx *context, uint8_t *digest) {
  sha512_digest(context, SHA512_DIGEST_SIZE, digest);
}
static inline void decant_hmac_sha256_set_key(struct hmac_sha256_ctx *context, size_t count, const uint8_t *key) {
  hmac_sha256_set_key(context, count, key);
}
static inline void decant_hmac_sha256_update(struct hmac_sha256_ctx *context, size_t count, const uint8_t *bytes) {
  hmac_sha256_update(context, count, bytes);
}
static inline void decant_hmac_sha256_digest(struct hmac_sha256_ctx *context, uint8_t *digest) {
  hmac_sha256_digest(context, SHA256_DIGEST_SIZE, digest);
}
#endif
