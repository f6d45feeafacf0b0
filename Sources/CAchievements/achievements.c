// Links the catalog of achievements and its texts into the program. `#embed` is C23; clang 19 and
// later support it in every mode. To add a language, add its file here, twice.
#include "CAchievements.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char catalog[] = {
#embed "../../data/achievements/achievements.csv"
};

static const unsigned char continents[] = {
#embed "../../data/achievements/continents.csv"
};

static const unsigned char islands[] = {
#embed "../../data/achievements/islands.csv"
};

static const unsigned char english[] = {
#embed "../../data/achievements/en.txt"
};

static const unsigned char turkish[] = {
#embed "../../data/achievements/tr.txt"
};

static const roqua_achievement_file files[] = {
    {"achievements.csv", catalog, sizeof catalog},
    {"continents.csv", continents, sizeof continents},
    {"islands.csv", islands, sizeof islands},
    {"en.txt", english, sizeof english},
    {"tr.txt", turkish, sizeof turkish},
};

size_t roqua_achievement_file_count(void) { return sizeof files / sizeof files[0]; }

roqua_achievement_file roqua_achievement_file_at(size_t index) { return files[index]; }
