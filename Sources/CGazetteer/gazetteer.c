// Links the packed data files into the program. `#embed` is C23; clang 19 and later support it
// in every mode.
#include "CGazetteer.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static _Alignas(16) const unsigned char boundaries[] = {
#embed "../../data/packed/boundaries.bin"
};

static _Alignas(16) const unsigned char regions[] = {
#embed "../../data/packed/regions.bin"
};

static _Alignas(16) const unsigned char land[] = {
#embed "../../data/packed/land.bin"
};

static _Alignas(16) const unsigned char places[] = {
#embed "../../data/packed/places.bin"
};

static _Alignas(16) const unsigned char seas[] = {
#embed "../../data/packed/seas.bin"
};

static _Alignas(16) const unsigned char names[] = {
#embed "../../data/packed/names.bin"
};

roqua_gazetteer_file roqua_gazetteer_boundaries(void) {
  return (roqua_gazetteer_file){boundaries, sizeof boundaries};
}

roqua_gazetteer_file roqua_gazetteer_regions(void) {
  return (roqua_gazetteer_file){regions, sizeof regions};
}

roqua_gazetteer_file roqua_gazetteer_land(void) {
  return (roqua_gazetteer_file){land, sizeof land};
}

roqua_gazetteer_file roqua_gazetteer_places(void) {
  return (roqua_gazetteer_file){places, sizeof places};
}

roqua_gazetteer_file roqua_gazetteer_seas(void) {
  return (roqua_gazetteer_file){seas, sizeof seas};
}

roqua_gazetteer_file roqua_gazetteer_names(void) {
  return (roqua_gazetteer_file){names, sizeof names};
}
