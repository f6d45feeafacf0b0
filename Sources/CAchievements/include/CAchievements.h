#ifndef ROQUA_CACHIEVEMENTS_H
#define ROQUA_CACHIEVEMENTS_H

#include <stddef.h>

/// A file of `data/achievements`, linked into the program: read-only, valid for the life of the
/// process.
typedef struct {
  /// The name of the file.
  const char *_Nonnull name;
  const void *_Nonnull bytes;
  size_t count;
} roqua_achievement_file;

/// The number of files.
size_t roqua_achievement_file_count(void);
/// A file, counted from 0: the catalog, the continents, the islands, then a file for each language.
roqua_achievement_file roqua_achievement_file_at(size_t index);

#endif
