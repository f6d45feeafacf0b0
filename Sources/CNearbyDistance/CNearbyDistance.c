#include "CNearbyDistance.h"

// A search within 10 km measures thousands of positions. Swift 6.3 on Linux calls the C library for
// each square root, and its SIMD types compile to code for one number at a time. So the loop is in
// C: four positions at once, with one branch that is nearly always predicted, since neighbors in a
// row are inside together. `NearbyDistanceTests` compares every bit with the same formula in Swift.

// Fused multiply-add would make the last bits differ between processors.
#pragma STDC FP_CONTRACT OFF

typedef double quad __attribute__((ext_vector_type(4)));
typedef int32_t quad_of_int32 __attribute__((ext_vector_type(4)));
typedef int32_t pair_of_int32 __attribute__((ext_vector_type(2)));
typedef _Bool quad_of_bool __attribute__((ext_vector_type(4)));
typedef __typeof__((quad)0 <= (quad)0) comparison;

#define INLINED static inline __attribute__((always_inline))

// The center and the series, each number four times.
struct constants {
  quad latitude, longitude, m0, m1, m2, p0, p1, p2, p3, t0, t1, bend, inside, outside;
};

// Four adjacent entries, of which the last ones may repeat others and are then not `wanted`: a bit
// for each entry.
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
  const quad_of_bool bools = __builtin_convertvector(*compared, quad_of_bool);
  uint8_t byte;
  __builtin_memcpy(&byte, &bools, 1);
  return byte & 15;
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

// Measures four entries, the first of which is at `place`, and puts those inside after the hits
// that were found before.
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
  const comparison is_sure = chord <= k.inside, is_possible = chord <= k.outside;
  const unsigned inside = bits(&is_possible) & at.wanted;
  const unsigned undecided = inside & ~bits(&is_sure);
  if (__builtin_expect(undecided != 0, 0)) {
    meters = is_sure ? meters : (quad)__builtin_nan("");
    found.undecided += (size_t)__builtin_popcount(undecided);
  }
  if (inside == 15) {
    put(output, found.count, at.a, meters.x, place);
    put(output, found.count + 1, at.b, meters.y, place + 1);
    put(output, found.count + 2, at.c, meters.z, place + 2);
    put(output, found.count + 3, at.d, meters.w, place + 3);
    found.count += 4;
  } else if (inside != 0) {
    // Each is put, and the next one over it unless it is inside.
    put(output, found.count, at.a, meters.x, place);
    found.count += inside & 1;
    put(output, found.count, at.b, meters.y, place + 1);
    found.count += inside >> 1 & 1;
    put(output, found.count, at.c, meters.z, place + 2);
    found.count += inside >> 2 & 1;
    put(output, found.count, at.d, meters.w, place + 3);
    found.count += inside >> 3 & 1;
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
