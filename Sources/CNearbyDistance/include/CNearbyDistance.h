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

/// Computes the squared chords in square meters and the distances in meters from the center to
/// `count` positions, and returns the largest squared chord; 0 for no position.
///
/// A position is 16 bytes: latitude and longitude in units of 1e-7 degree, 32 bits each, and eight
/// bytes that are not read. `squared` and `meters` have room for `count` doubles, rounded up to a
/// multiple of four; what is beyond `count` is arbitrary. Every processor computes the same bits.
double cnearby_measure(
    const struct cnearby_series *series, const int32_t *positions, size_t count, double *squared,
    double *meters);

/// Does the same with instructions that every processor of the architecture has, for tests.
double cnearby_measure_portable(
    const struct cnearby_series *series, const int32_t *positions, size_t count, double *squared,
    double *meters);

#endif
