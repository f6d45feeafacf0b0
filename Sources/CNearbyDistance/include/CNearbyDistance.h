#ifndef CNEARBYDISTANCE_H
#define CNEARBYDISTANCE_H

#include <stddef.h>
#include <stdint.h>

/// The series of `NearbyDistance`, whose documentation explains the formula.
struct cnearby_series {
  /// The center in units of 1e-7 degree, its longitude shifted by a turn where that is nearer.
  double latitude, longitude;
  /// The squared chord along the meridian is d² (m[0] + m[1] d + m[2] d²), where d is the
  /// difference of latitude in units of 1e-7 degree.
  double meridian[3];
  /// ρ₁ ρ₂ times the squared unit in radians, as a series of d.
  double parallel[4];
  /// 4 sin²(x / 2) divided by x² is 1 - x² (turn[0] - x² turn[1]).
  double turn[2];
  /// 1 / 24MN.
  double bend;
};

/// The squared chords of `ChordLimits`, in square meters: an entry is within the radius up to one,
/// and is not beyond the other.
struct cnearby_limits {
  double surely_inside, surely_outside;
};

/// A position in units of 1e-7 degree, and a number: 16 bytes.
struct cnearby_entry {
  int32_t latitude, longitude;
  int64_t id;
};

/// An entry that may be within the radius and its distance in meters: 24 bytes.
struct cnearby_hit {
  struct cnearby_entry entry;
  double meters;
};

/// How many hits there are, and for how many of them the exact distance must decide.
struct cnearby_found {
  size_t count, undecided;
};

/// Finds those of `count` entries, at most 256, that are not surely outside.
///
/// `hits` receives them in their order, and `places` where among the entries each is; both have
/// room for `count`, rounded up to a multiple of four, and what is beyond the hits is arbitrary. A
/// hit that is not surely inside has NaN as its distance: the exact distance must decide. Every
/// processor computes the same bits.
struct cnearby_found cnearby_find(
    const struct cnearby_series *series, struct cnearby_limits limits,
    const struct cnearby_entry *entries, size_t count, struct cnearby_hit *hits, uint8_t *places);

/// Does the same with instructions that every processor of the architecture has, for tests.
struct cnearby_found cnearby_find_portable(
    const struct cnearby_series *series, struct cnearby_limits limits,
    const struct cnearby_entry *entries, size_t count, struct cnearby_hit *hits, uint8_t *places);

#endif
