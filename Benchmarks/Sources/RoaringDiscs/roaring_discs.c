#include "roaring_discs.h"

#include <math.h>
#include <roaring/roaring.h>
#include <stdlib.h>

struct roaring_discs {
  double radius_steps, radians_per_step, steps_per_degree;
  uint64_t columns;
  uint32_t high_count;
  uint32_t last_high;
  roaring_bitmap_t *last;
  roaring_bitmap_t **parts;  // by the upper 32 bits of a number
};

roaring_discs *roaring_discs_create(double radius_meters, double sphere_radius_meters) {
  roaring_discs *set = calloc(1, sizeof *set);
  double step = radius_meters / 2 / 111000;
  set->steps_per_degree = 1 / step;
  set->radians_per_step = step * M_PI / 180;
  set->radius_steps = radius_meters / sphere_radius_meters / set->radians_per_step;
  set->columns = (uint64_t)ceil(360 / step - 1e-6);
  uint64_t rows = (uint64_t)ceil(180 / step - 1e-6);
  set->high_count = (uint32_t)((rows * set->columns) >> 32) + 1;
  set->parts = calloc(set->high_count, sizeof *set->parts);
  set->last_high = UINT32_MAX;
  return set;
}

void roaring_discs_free(roaring_discs *set) {
  for (uint32_t high = 0; high < set->high_count; high++)
    if (set->parts[high]) roaring_bitmap_free(set->parts[high]);
  free(set->parts);
  free(set);
}

static inline roaring_bitmap_t *part(roaring_discs *set, uint32_t high) {
  if (high != set->last_high) {
    if (!set->parts[high]) set->parts[high] = roaring_bitmap_create();
    set->last = set->parts[high];
    set->last_high = high;
  }
  return set->last;
}

static inline void add_range(roaring_discs *set, uint64_t first, uint64_t last) {
  uint32_t high = (uint32_t)(first >> 32);
  if (high == (uint32_t)(last >> 32)) {
    roaring_bitmap_add_range_closed(part(set, high), (uint32_t)first, (uint32_t)last);
  } else {
    roaring_bitmap_add_range_closed(part(set, high), (uint32_t)first, UINT32_MAX);
    roaring_bitmap_add_range_closed(part(set, high + 1), 0, (uint32_t)last);
  }
}

void roaring_discs_mark(roaring_discs *set, const double *positions, size_t count) {
  double w = set->radius_steps;
  for (size_t i = 0; i < count; i++) {
    double latitude = positions[2 * i] * (M_PI / 180);
    double y = (positions[2 * i] + 90) * set->steps_per_degree;
    double x = (positions[2 * i + 1] + 180) * set->steps_per_degree;
    double sine = sin(latitude), cosine = cos(latitude);
    int64_t row = (int64_t)ceil(y - w - 0.5);
    for (; row + 0.5 - y <= w; row++) {
      double dy = row + 0.5 - y, angle = dy * set->radians_per_step;
      double there = cosine * (1 - angle * angle / 2) - sine * angle;
      double half = sqrt((w * w - dy * dy) / (cosine * there));
      int64_t low = (int64_t)ceil(x - half - 0.5), high = (int64_t)floor(x + half - 0.5);
      uint64_t first = (uint64_t)row * set->columns;
      if (low <= high) add_range(set, first + low, first + high);
    }
  }
}

uint64_t roaring_discs_count(const roaring_discs *set) {
  uint64_t count = 0;
  for (uint32_t high = 0; high < set->high_count; high++)
    if (set->parts[high]) count += roaring_bitmap_get_cardinality(set->parts[high]);
  return count;
}

uint64_t roaring_discs_bytes(const roaring_discs *set) {
  uint64_t bytes = 0;
  for (uint32_t high = 0; high < set->high_count; high++)
    if (set->parts[high]) bytes += roaring_bitmap_portable_size_in_bytes(set->parts[high]);
  return bytes;
}

roaring_discs *roaring_discs_copy(const roaring_discs *set) {
  roaring_discs *copy = malloc(sizeof *copy);
  *copy = *set;
  copy->last_high = UINT32_MAX;
  copy->parts = calloc(set->high_count, sizeof *copy->parts);
  for (uint32_t high = 0; high < set->high_count; high++)
    if (set->parts[high]) copy->parts[high] = roaring_bitmap_copy(set->parts[high]);
  return copy;
}
