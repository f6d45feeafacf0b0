#ifndef ROQUA_CMAPPAGE_H
#define ROQUA_CMAPPAGE_H

#include <stddef.h>

/// A file of the map page, linked into the program: read-only, valid for the life of the process.
typedef struct {
  const void *_Nonnull bytes;
  size_t count;
} roqua_map_page_file;

/// The page, with places for its parts.
roqua_map_page_file roqua_map_page_html(void);
/// The style sheet.
roqua_map_page_file roqua_map_page_style(void);
/// The script of the page.
roqua_map_page_file roqua_map_page_script(void);
/// The script of its workers.
roqua_map_page_file roqua_map_page_worker(void);
/// The color themes.
roqua_map_page_file roqua_map_page_themes(void);
/// The base map: made with Natural Earth.
roqua_map_page_file roqua_map_page_base_map(void);
/// The outlines of letters: derived from Inter.
roqua_map_page_file roqua_map_page_letters(void);

#endif
