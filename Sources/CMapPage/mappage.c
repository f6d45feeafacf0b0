// Links the files of the map page into the program. `#embed` is C23; clang 19 and later support it
// in every mode. The files of a script are joined in the order in which they build on each other.
#include "CMapPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "page/page.html"
};

static const unsigned char style[] = {
#embed "page/style.css"
};

static const unsigned char script[] = {
#embed "page/shared/bytes.js"
,
'\n',
#embed "page/shared/mercator.js"
,
'\n',
#embed "page/app/icons.js"
,
'\n',
#embed "page/app/words.js"
,
'\n',
#embed "page/app/theme.js"
,
'\n',
#embed "page/app/view.js"
,
'\n',
#embed "page/app/flight.js"
,
'\n',
#embed "page/app/gestures.js"
,
'\n',
#embed "page/app/tiles.js"
,
'\n',
#embed "page/app/labels.js"
,
'\n',
#embed "page/app/labelsource.js"
,
'\n',
#embed "page/app/regions.js"
,
'\n',
#embed "page/app/spots.js"
,
'\n',
#embed "page/app/timeline.js"
,
'\n',
#embed "page/app/panel.js"
,
'\n',
#embed "page/app/search.js"
,
'\n',
#embed "page/app/details.js"
,
'\n',
#embed "page/app/menus.js"
,
'\n',
#embed "page/app/main.js"
};

static const unsigned char worker[] = {
#embed "page/shared/bytes.js"
,
'\n',
#embed "page/shared/mercator.js"
,
'\n',
#embed "page/worker/cells.js"
,
'\n',
#embed "page/worker/events.js"
,
'\n',
#embed "page/worker/fog.js"
,
'\n',
#embed "page/worker/basemap.js"
,
'\n',
#embed "page/worker/main.js"
};

static const unsigned char themes[] = {
#embed "../../data/themes/themes.csv"
};

static _Alignas(16) const unsigned char base_map[] = {
#embed "../../data/packed/basemap.bin"
};

static const unsigned char letters[] = {
#embed "../../data/letters/letters.bin"
};

roqua_map_page_file roqua_map_page_html(void) {
  return (roqua_map_page_file){html, sizeof html};
}

roqua_map_page_file roqua_map_page_style(void) {
  return (roqua_map_page_file){style, sizeof style};
}

roqua_map_page_file roqua_map_page_script(void) {
  return (roqua_map_page_file){script, sizeof script};
}

roqua_map_page_file roqua_map_page_worker(void) {
  return (roqua_map_page_file){worker, sizeof worker};
}

roqua_map_page_file roqua_map_page_themes(void) {
  return (roqua_map_page_file){themes, sizeof themes};
}

roqua_map_page_file roqua_map_page_base_map(void) {
  return (roqua_map_page_file){base_map, sizeof base_map};
}

roqua_map_page_file roqua_map_page_letters(void) {
  return (roqua_map_page_file){letters, sizeof letters};
}
