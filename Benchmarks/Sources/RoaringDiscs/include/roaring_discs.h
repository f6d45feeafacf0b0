#ifndef ROARING_DISCS_H
#define ROARING_DISCS_H

#include <stddef.h>
#include <stdint.h>

/// A set of cell numbers (row × columns + column) as roaring bitmaps: one of CRoaring's 32-bit
/// bitmaps for each value of the upper 32 bits, as in its 64-bit map. The last one used is cached.
typedef struct roaring_discs roaring_discs;

roaring_discs *roaring_discs_create(double radius_meters, double sphere_radius_meters);
void roaring_discs_free(roaring_discs *);
/// Adds the cells of the discs around coordinates (latitude, longitude in degrees): for each of
/// four rows, one range of numbers. A plain loop: no coordinate may be near a pole or ±180°.
void roaring_discs_mark(roaring_discs *, const double *latitudes_longitudes, size_t count);
uint64_t roaring_discs_count(const roaring_discs *);
/// Bytes of the bitmaps' portable serial form, which is about their size in memory.
uint64_t roaring_discs_bytes(const roaring_discs *);
roaring_discs *roaring_discs_copy(const roaring_discs *);

#endif
