#include "CNearbyDistance.h"

// A search within 10 km measures thousands of positions. Swift 6.3 on Linux calls the C library for
// each square root, and its SIMD types compile to code for one number at a time. So the loop is in
// C: four positions at once, with branches that are nearly always predicted, since neighbors in a
// row are mostly all inside or all outside. `NearbyDistanceTests` compares every bit with the same
// formula in Swift.

// Fused multiply-add would make the last bits differ between processors.
#pragma STDC FP_CONTRACT OFF

typedef double quad __attribute__((ext_vector_type(4)));
typedef int32_t quad_of_int32 __attribute__((ext_vector_type(4)));
typedef int32_t pair_of_int32 __attribute__((ext_vector_type(2)));
typedef _Bool quad_of_bool __attribute__((ext_vector_type(4)));
typedef __typeof__((quad)0 <= (quad)0) comparison;

// The layouts that Swift's entries and hits have.
_Static_assert(sizeof(struct cnearby_entry) == 16, "an entry is 16 bytes");
_Static_assert(offsetof(struct cnearby_hit, meters) == 16, "a hit begins with an entry");
_Static_assert(sizeof(struct cnearby_hit) == 24, "a hit is 24 bytes");

#define INLINED static inline __attribute__((always_inline))

// The center, the series and the limits, each number four times.
struct constants {
  quad latitude, longitude, m0, m1, m2, p0, p1, p2, p3, t0, t1, bend;
  quad surely_inside, surely_outside;
};

// Four entries. At the end of a block the last entry fills the unused places; `wanted` has a bit
// for each entry that counts.
struct four {
  const struct cnearby_entry *a, *b, *c, *d;
  unsigned wanted;
};

struct output {
  struct cnearby_hit *hits;
  uint8_t *places;
};

// A bit for each of four comparisons.
INLINED unsigned bits(const comparison *compared) {
#if defined(__x86_64__)
  // One instruction, movmskpd. Four bools fill half a byte.
  const quad_of_bool bools = __builtin_convertvector(*compared, quad_of_bool);
  uint8_t byte;
  __builtin_memcpy(&byte, &bools, 1);
  return byte & 15;
#else
  return (unsigned)__builtin_reduce_or(*compared & (comparison){1, 2, 4, 8});
#endif
}

INLINED pair_of_int32 position(const struct cnearby_entry *entry) {
  const pair_of_int32 pair = {entry->latitude, entry->longitude};
  return pair;
}

INLINED void put(
    struct output output, size_t at, const struct cnearby_entry *entry, double meters,
    size_t place) {
  output.hits[at].entry = *entry;
  output.hits[at].meters = meters;
  output.places[at] = (uint8_t)place;
}

// Measures four entries, the first of which is at `place`, and puts those that may be within the
// radius after the hits that were found before.
INLINED struct cnearby_found take(
    const struct constants k, const struct four at, size_t place, struct cnearby_found found,
    struct output output) {
  const quad_of_int32 ab =
      __builtin_shufflevector(position(at.a), position(at.b), 0, 2, 1, 3);
  const quad_of_int32 cd =
      __builtin_shufflevector(position(at.c), position(at.d), 0, 2, 1, 3);
  const quad_of_int32 latitudes = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
  const quad_of_int32 longitudes = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  const quad north = __builtin_convertvector(latitudes, quad) - k.latitude;
  const quad east = __builtin_convertvector(longitudes, quad) - k.longitude;
  const quad x2 = east * east;
  const quad turn = x2 * (1 - x2 * (k.t0 - x2 * k.t1));
  const quad meridian = north * north * (k.m0 + north * (k.m1 + north * k.m2));
  const quad parallel = k.p0 + north * (k.p1 + north * (k.p2 + north * k.p3));
  const quad chord = meridian + parallel * turn;
  quad meters = __builtin_elementwise_sqrt(chord) * (1 + chord * k.bend);
  const comparison is_sure = chord <= k.surely_inside;
  const comparison is_possible = chord <= k.surely_outside;
  const unsigned possible = bits(&is_possible) & at.wanted;
  const unsigned undecided = possible & ~bits(&is_sure);
  if (__builtin_expect(undecided != 0, 0)) {
    meters = is_sure ? meters : (quad)__builtin_nan("");
    found.undecided += (size_t)__builtin_popcount(undecided);
  }
  if (possible == 15) {
    put(output, found.count, at.a, meters.x, place);
    put(output, found.count + 1, at.b, meters.y, place + 1);
    put(output, found.count + 2, at.c, meters.z, place + 2);
    put(output, found.count + 3, at.d, meters.w, place + 3);
    found.count += 4;
  } else if (possible != 0) {
    // Each is written; unless it is a hit, the next overwrites it.
    put(output, found.count, at.a, meters.x, place);
    found.count += possible & 1;
    put(output, found.count, at.b, meters.y, place + 1);
    found.count += possible >> 1 & 1;
    put(output, found.count, at.c, meters.z, place + 2);
    found.count += possible >> 2 & 1;
    put(output, found.count, at.d, meters.w, place + 3);
    found.count += possible >> 3 & 1;
  }
  return found;
}

INLINED struct cnearby_found find(
    const struct cnearby_series *s, struct cnearby_limits limits,
    const struct cnearby_entry *entries, size_t count, struct output output) {
  const struct constants k = {
      s->latitude,    s->longitude,   s->meridian[0], s->meridian[1],       s->meridian[2],
      s->parallel[0], s->parallel[1], s->parallel[2], s->parallel[3],       s->turn[0],
      s->turn[1],     s->bend,        limits.surely_inside, limits.surely_outside};
  struct cnearby_found found = {0, 0};
  size_t first = 0;
  for (; first + 4 <= count; first += 4) {
    const struct cnearby_entry *a = entries + first;
    found = take(k, (struct four){a, a + 1, a + 2, a + 3, 15}, first, found, output);
  }
  if (first < count) {
    // One to three are left. The last of them fills the unused places.
    const struct cnearby_entry *a = entries + first, *last = entries + count - 1;
    const struct cnearby_entry *b = a == last ? a : a + 1;
    const unsigned wanted = (1u << (count - first)) - 1;
    found = take(k, (struct four){a, b, last, last, wanted}, first, found, output);
  }
  return found;
}

struct cnearby_found cnearby_find_portable(
    const struct cnearby_series *series, struct cnearby_limits limits,
    const struct cnearby_entry *entries, size_t count, struct cnearby_hit *hits, uint8_t *places) {
  return find(series, limits, entries, count, (struct output){hits, places});
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static struct cnearby_found find_avx2(
    const struct cnearby_series *series, struct cnearby_limits limits,
    const struct cnearby_entry *entries, size_t count, struct cnearby_hit *hits, uint8_t *places) {
  return find(series, limits, entries, count, (struct output){hits, places});
}

struct cnearby_found cnearby_find(
    const struct cnearby_series *series, struct cnearby_limits limits,
    const struct cnearby_entry *entries, size_t count, struct cnearby_hit *hits, uint8_t *places) {
  // Reads a variable that was set when the program started.
  return __builtin_cpu_supports("avx2")
             ? find_avx2(series, limits, entries, count, hits, places)
             : cnearby_find_portable(series, limits, entries, count, hits, places);
}

#else

struct cnearby_found cnearby_find(
    const struct cnearby_series *series, struct cnearby_limits limits,
    const struct cnearby_entry *entries, size_t count, struct cnearby_hit *hits, uint8_t *places) {
  return cnearby_find_portable(series, limits, entries, count, hits, places);
}

#endif
