#include "CNearbyDistance.h"

// A search within 10 km measures thousands of positions. Swift 6.3 on Linux calls the C library for
// each square root, and its SIMD types compile to code for one number at a time. So the loop is in
// C: four positions at once, without a branch. `NearbyDistanceTests` compares every bit with the
// same formula in Swift.

// Fused multiply-add would make the last bits differ between processors.
#pragma STDC FP_CONTRACT OFF

typedef double quad __attribute__((ext_vector_type(4)));
typedef double unaligned_quad __attribute__((ext_vector_type(4), aligned(8)));
typedef int32_t quad_of_int32 __attribute__((ext_vector_type(4)));

static inline __attribute__((always_inline)) double measure(
    const struct cnearby_series *restrict series, const int32_t *restrict positions, size_t count,
    double *restrict squared, double *restrict meters) {
  const quad m0 = series->meridian[0], m1 = series->meridian[1], m2 = series->meridian[2];
  const quad p0 = series->parallel[0], p1 = series->parallel[1], p2 = series->parallel[2];
  const quad p3 = series->parallel[3], t0 = series->turn[0], t1 = series->turn[1];
  const quad latitude = series->latitude, longitude = series->longitude, bend = series->bend;
  quad largest = 0;
  for (size_t first = 0; first < count; first += 4) {
    // The last position fills the unused places of the last four.
    const size_t left = count - first - 1;
    const int32_t *a = positions + 4 * first;
    const int32_t *b = a + 4 * (left < 1 ? left : 1);
    const int32_t *c = a + 4 * (left < 2 ? left : 2);
    const int32_t *d = a + 4 * (left < 3 ? left : 3);
    const quad_of_int32 latitudes = {a[0], b[0], c[0], d[0]};
    const quad_of_int32 longitudes = {a[1], b[1], c[1], d[1]};
    const quad north = __builtin_convertvector(latitudes, quad) - latitude;
    const quad east = __builtin_convertvector(longitudes, quad) - longitude;
    const quad x2 = east * east;
    const quad turn = x2 * (1 - x2 * (t0 - x2 * t1));
    const quad meridian = north * north * (m0 + north * (m1 + north * m2));
    const quad parallel = p0 + north * (p1 + north * (p2 + north * p3));
    const quad chord = meridian + parallel * turn;
    *(unaligned_quad *)(squared + first) = chord;
    *(unaligned_quad *)(meters + first) = __builtin_elementwise_sqrt(chord) * (1 + chord * bend);
    largest = largest > chord ? largest : chord;
  }
  const double one = largest.x > largest.y ? largest.x : largest.y;
  const double two = largest.z > largest.w ? largest.z : largest.w;
  return one > two ? one : two;
}

double cnearby_measure_portable(
    const struct cnearby_series *series, const int32_t *positions, size_t count, double *squared,
    double *meters) {
  return measure(series, positions, count, squared, meters);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static double measure_avx2(
    const struct cnearby_series *series, const int32_t *positions, size_t count, double *squared,
    double *meters) {
  return measure(series, positions, count, squared, meters);
}

double cnearby_measure(
    const struct cnearby_series *series, const int32_t *positions, size_t count, double *squared,
    double *meters) {
  // Reads a variable that was set when the program started.
  return __builtin_cpu_supports("avx2")
             ? measure_avx2(series, positions, count, squared, meters)
             : cnearby_measure_portable(series, positions, count, squared, meters);
}

#else

double cnearby_measure(
    const struct cnearby_series *series, const int32_t *positions, size_t count, double *squared,
    double *meters) {
  return cnearby_measure_portable(series, positions, count, squared, meters);
}

#endif
