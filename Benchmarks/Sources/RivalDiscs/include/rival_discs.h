#ifndef RIVAL_DISCS_H
#define RIVAL_DISCS_H

#include <stddef.h>
#include <stdint.h>

/// A set of cell numbers (row × columns + column) as roaring bitmaps: one of CRoaring's 32-bit bitmaps for each
/// value of the upper 32 bits, as its 64-bit map has them, with the last one at hand.
typedef struct rival_roaring rival_roaring;

rival_roaring *rival_roaring_create(double radius_meters);
void rival_roaring_free(rival_roaring *);
/// Adds the cells of the discs around coordinates (latitude, longitude in degrees): for each of four rows, one range
/// of numbers. A plain loop: no coordinate near a pole or ±180° is allowed.
void rival_roaring_mark(rival_roaring *, const double *latitudes_longitudes, size_t count);
uint64_t rival_roaring_count(const rival_roaring *);
/// Bytes of the bitmaps' portable serial form, about what they take in memory.
uint64_t rival_roaring_bytes(const rival_roaring *);
rival_roaring *rival_roaring_copy(const rival_roaring *);

#endif
