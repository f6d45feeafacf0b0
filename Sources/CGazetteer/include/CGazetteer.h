#ifndef ROQUA_CGAZETTEER_H
#define ROQUA_CGAZETTEER_H

#include <stddef.h>

/// A packed data file, linked into the program: read-only, valid for the life of the process,
/// aligned to 16 bytes.
typedef struct {
  const void *_Nonnull bytes;
  size_t count;
} roqua_gazetteer_file;

/// Country and time-zone boundaries: (c) OpenStreetMap contributors, ODbL 1.0.
roqua_gazetteer_file roqua_gazetteer_boundaries(void);
/// Regions: made with Natural Earth.
roqua_gazetteer_file roqua_gazetteer_regions(void);
/// Land and sea: made with Natural Earth.
roqua_gazetteer_file roqua_gazetteer_land(void);
/// Places: GeoNames, CC BY 4.0.
roqua_gazetteer_file roqua_gazetteer_places(void);
/// Seas: made with Natural Earth.
roqua_gazetteer_file roqua_gazetteer_seas(void);
/// Names in other languages: Unicode CLDR, and GeoNames, CC BY 4.0.
roqua_gazetteer_file roqua_gazetteer_names(void);

/// Asks the processor to load the bytes at an address into its cache. The address need not be
/// valid: then nothing happens.
static inline void roqua_prefetch(const void *_Nonnull address) { __builtin_prefetch(address); }

#endif
