#include "CSHA256.h"

// Swift has no intrinsics for the SHA extensions of x86-64, which hash several times as fast as
// plain instructions. That is the only reason for using C here; the rest is in Swift, in
// `ByteStreams/Hashing`.

#if defined(__x86_64__) && (defined(__clang__) || defined(__GNUC__))

#include <cpuid.h>
#include <immintrin.h>

/// CPUID leaf 7, EBX bit 29: SHA extensions; leaf 1, ECX bits 9 and 19: SSSE3 and SSE4.1.
int csha256_is_available(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 9)) || !(c & (1u << 19))) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29));
}

/// The instructions expect the state as the halves A B E F and C D G H, high word first.
__attribute__((target("sha,sse4.1,ssse3"))) void csha256_compress(
    uint32_t state[8], const uint8_t *blocks, size_t count, const uint32_t constants[64]) {
  const __m128i byteOrder = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i dcba = _mm_loadu_si128((const __m128i *)state);
  __m128i hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
  __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
  __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);

  for (; count > 0; count--, blocks += 64) {
    const __m128i abefBefore = abef, cdghBefore = cdgh;
    __m128i words[4];
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) {
      const int here = group & 3;
      if (group < 4) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(blocks + 16 * group));
        words[here] = _mm_shuffle_epi8(bytes, byteOrder);
      } else {
        // W[t] = σ1(W[t-2]) + W[t-7] + σ0(W[t-15]) + W[t-16], four at a time.
        const __m128i last = words[(group + 3) & 3];
        const __m128i seventh = _mm_alignr_epi8(last, words[(group + 2) & 3], 4);
        const __m128i early = _mm_sha256msg1_epu32(words[here], words[(group + 1) & 3]);
        words[here] = _mm_sha256msg2_epu32(_mm_add_epi32(early, seventh), last);
      }
      const __m128i k = _mm_loadu_si128((const __m128i *)(constants + 4 * group));
      const __m128i sum = _mm_add_epi32(words[here], k);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    }
    abef = _mm_add_epi32(abef, abefBefore);
    cdgh = _mm_add_epi32(cdgh, cdghBefore);
  }

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else

int csha256_is_available(void) { return 0; }

void csha256_compress(
    uint32_t state[8], const uint8_t *blocks, size_t count, const uint32_t constants[64]) {
  (void)state, (void)blocks, (void)count, (void)constants;
}

#endif
