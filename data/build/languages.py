"""Names of regions and large cities in other languages, and local names: names.bin.

Regions have the names of Unicode CLDR by ISO 3166-2 code, cities those of GeoNames (Debian
libgeonames-common, cities of 15,000 people and more), otherwise those of CLDR's time zones
(zone_cities.py), and capitals that neither has those of capital_names.csv. A name is listed where
it differs from the one of places.bin. Cities are listed from MINIMUM_PEOPLE on, capitals and the
cities of time zones always, and where the language is spoken all of them.

The sources have wrong names. These are left out:

- names of a region whose code iso_codes.csv gives, if none of CLDR's names of that code is the
  region's name in places.bin: there CLDR's code means another region (Iran's codes of 2020);
- names in Latin letters in a language that has others, names with a footnote mark or a country;
- names of a city that was renamed since: corrections.csv names it, and the list has another English
  name for it;
- longer and shorter forms of the name in places.bin, such as "Kota Tangerang" and "New York City";
- Chinese names that are read otherwise than the name of the city, in China, and those that have no
  character in common with the Japanese one, elsewhere: those are streets and villages
  (han_names.py).

The local name is the one in the language that most people speak there: see SPOKEN_IN_REGIONS.
"""

import csv
import gettext
import json
import pathlib
import re
import struct
import sys
import unicodedata
import xml.etree.ElementTree as ElementTree

from city_names import fold
from container import StringPool, country_index
from corrections import Corrections
from geonames import plain
from han_names import Readings, without_city
from iso_codes import packed
from zone_cities import ZoneCities

#: The languages of names.bin, by BCP 47 tag.
LANGUAGES = ("ar bg ca cs da de el es fa fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk "
             "vi zh").split()
#: The smallest city that is listed in a language where it is not spoken: in the languages of
#: SELDOM, and in all others.
MINIMUM_PEOPLE = 200_000, 75_000
SELDOM = set("bg ca cs da el fa fi he hi hu id no ro sv th uk vi".split())
#: Cities that the lists call by a name of a few years, by GeoNames' number.
RENAMED = {
    939270,  # Emalahleni, Witbank until 2006
    941966,  # Bela Bela, Warmbaths until 2002
    946877,  # Kariega, Uitenhage until 2021
    964420,  # Gqeberha, Port Elizabeth until 2021
    971534,  # Mbombela, Nelspruit until 2009
    1261012,  # Dharashiv, Osmanabad until 2023
    1269939,  # Narmadapuram, Hoshangabad until 2021
    1273626,  # Medininagar, Daltonganj until 2004
    1278994,  # Prayagraj, Allahabad until 2018
    1526273,  # Astana, Nur-Sultan from 2019 to 2022
    3347019,  # Mossamedes, Namibe from 1985 to 2016
}
#: Where GeoNames' list has an unusual, former or wrong name, {zone: languages}: CLDR's goes first.
PREFERRED = {
    "America/Mendoza": "hu", "America/Havana": "ca",
    "America/Mexico_City": "tr", "America/Regina": "fr", "America/Santo_Domingo": "fr nl",
    "Asia/Hong_Kong": "pt", "Asia/Jayapura": "nl", "Asia/Karachi": "fr",
    "Europe/Chisinau": "ca de es fr it pt", "Europe/Kaliningrad": "de", "Europe/Kiev": "de",
    "Europe/Simferopol": "tr", "Pacific/Funafuti": "es pt", "Pacific/Tarawa": "it",
}
#: Languages that are not written in Latin letters.
OTHER_SCRIPTS = set(
    "am ar as be bg bn dz el fa gu he hi hy ja ka kk km kn ko ky lo mk ml mn mr my ne or pa ps ru "
    "si sr ta te tg th ti ug uk ur yi zh".split())
COUNTRY_BITS = 0x3FF  # of a place's country in places.bin
#: The pseudo-language of local names: BCP 47's "undetermined".
LOCAL = "und"
#: Where a division of a country speaks another language than the rest, by ISO 3166-2 code.
SPOKEN_IN_REGIONS = {
    "BE-VLG": "nl", "BE-WAL": "fr", "BE-BRU": "fr",
    "CA-QC": "fr",
    "CH-FR": "fr", "CH-GE": "fr", "CH-JU": "fr", "CH-NE": "fr", "CH-TI": "it", "CH-VD": "fr",
    "CH-VS": "fr",
    "ES-CT": "ca", "ES-IB": "ca", "ES-GA": "gl", "ES-PV": "eu",
    "FI-01": "sv",
    "IN-AP": "te", "IN-TG": "te", "IN-TS": "te", "IN-GJ": "gu", "IN-KA": "kn", "IN-KL": "ml",
    "IN-MH": "mr", "IN-OD": "or", "IN-OR": "or", "IN-PB": "pa", "IN-PY": "ta", "IN-TN": "ta",
    "IN-WB": "bn", "IN-TR": "bn", "IN-AS": "as",
    "UA-43": "uk",
}
#: Where the first language of GeoNames' list is not the one of most names, or is written in several
#: scripts.
SPOKEN_IN_COUNTRIES = {
    "BE": "nl", "CH": "de", "IN": "hi", "KZ": "kk", "BY": "be", "UA": "uk", "KG": "ky", "LU": "fr",
    "CY": "el", "IE": "en", "MT": "mt", "PH": "en", "SG": "en", "PK": "ur", "ZA": "en", "NG": "en",
    "KE": "en", "UG": "en", "TZ": "sw", "NZ": "en", "ME": "sr_Latn", "BA": "bs", "MK": "mk",
    "RS": "sr", "DZ": "ar", "MA": "ar", "TN": "ar",
    # Chinese characters differ between the mainland, Taiwan and Hong Kong; the lists have one form.
    "TW": None, "HK": None, "MO": None,
}


class PackedNames:
    """The names in places.bin, the file that the others are compared with."""

    def __init__(self, data):
        count, vintage = (struct.unpack_from("<I", data, 12)[0],
                          struct.unpack_from("<I", data, 24)[0])
        self.vintage = vintage
        rows = (struct.unpack_from("<4sIII", data, 32 + 16 * row) for row in range(count))
        sections = {tag.decode(): data[start:start + length] for tag, start, length, _ in rows}
        pool = sections["NAME"]

        def text(pool, offset):
            return pool[offset + 1:offset + 1 + pool[offset]].decode()

        #: {ISO 3166-2 code: name}, and the code of each row.
        self.regions, codes = {}, []
        for start in range(0, len(sections["ADM1"]), 16):
            country, suffix, name = struct.unpack_from("<HHI", sections["ADM1"], start + 8)
            code = f"{letters(country)}-{unpacked(suffix)}" if suffix else None
            codes.append(code)
            if code:
                self.regions.setdefault(code, text(pool, name))
        #: {GeoNames' number: (name, country, ISO 3166-2 code, population)}
        self.cities = {}
        offset, ids, places = 0, sections["PGID"], sections["PLCE"]
        size = len(places) * 3 // len(ids)
        for place in range(len(ids) // 3):
            name = text(sections["PNAM"], offset)
            offset += 1 + sections["PNAM"][offset]
            population, _, country, row = struct.unpack_from("<IHHH", places, size * place + 4)
            number = int.from_bytes(ids[3 * place:3 * place + 3], "little")
            if number and not population >> 31:
                self.cities[number] = (name, letters(country & COUNTRY_BITS),
                                       codes[row], population)


def letters(country):
    return chr(65 + country // 26) + chr(65 + country % 26)


def unpacked(suffix):
    from iso_codes import ALPHABET

    digits = suffix // 37 // 37, suffix // 37 % 37, suffix % 37
    return "".join(ALPHABET[digit - 1] for digit in digits if digit)


class Languages:
    """Names by language: of regions by ISO 3166-2 code, of cities by GeoNames' number."""

    def __init__(self, sources):
        self.subdivisions = sources.unicode_cldr / "subdivisions"
        self.cities_folder = sources.city_names
        self.countries = json.load(open(sources.countries, encoding="utf-8"))
        with open(sources.cities, encoding="utf-8") as file:
            self.main_names = {int(number): city["name"]
                               for number, city in json.load(file).items()}
        self.capitals = {(code, country["capital"]) for code, country in self.countries.items()}
        self._regions, self._cities = {}, {}

    def regions(self, tag):
        """{ISO 3166-2 code: name} in a language; empty if CLDR has none."""
        if tag not in self._regions:
            path = self.subdivisions / f"{tag}.xml"
            entries = ElementTree.parse(path).iter("subdivision") if path.exists() else []
            names = {f"{entry.get('type')[:2]}-{entry.get('type')[2:]}".upper():
                     clean(entry.text, tag) for entry in entries}
            self._regions[tag] = {code: name for code, name in names.items() if name}
        return self._regions[tag]

    def cities(self, tag):
        """{GeoNames' number: name} in a language; empty if the package has none."""
        if tag not in self._cities:
            path = self.cities_folder / {"no": "nb"}.get(tag, tag) / "LC_MESSAGES" / "geonames.mo"
            names = {}
            if path.exists():
                with open(path, "rb") as file:
                    catalog = gettext.GNUTranslations(file)._catalog
                names = {int(number): clean(name, tag) for number, name in catalog.items()
                         if str(number).isdigit()}
            self._cities[tag] = {number: name for number, name in names.items() if name}
        return self._cities[tag]

    def spoken(self, country, region=None):
        """The language in which people name a place of a country; None where that is unknown or
        English."""
        tag = SPOKEN_IN_REGIONS.get(region)
        if tag is None:
            tags = self.countries.get(country, {}).get("languages", "").split(",")
            tag = SPOKEN_IN_COUNTRIES.get(country, tags[0].split("-")[0])
        return {"nb": "no", "nn": "no", "iw": "he"}.get(tag, tag)


def clean(name, tag):
    """A name as it is packed, or nothing if it cannot be one in this language."""
    name = " ".join(re.sub(r" \([^)]*\)$", "", name or "").split())
    # Persian writes a zero-width non-joiner between the parts of a word.
    if (not name or len(name.encode()) > 255 or not name.replace("\u200c", "").isprintable()
            or re.search(r"[¹²³*\[\]|]", name)):
        return ""
    if tag in OTHER_SCRIPTS and re.search("[A-Za-z]", name):
        return ""
    # Georgian capitals are for headlines.
    return name if tag == "ka" else name[0].upper() + name[1:]


def without_country(name, known):
    """A name without what follows a comma, unless the name in places.bin has one too."""
    return re.split("[,،、]", name)[0].strip() if name and "," not in known else name


def is_same_but_for_accents(name, known):
    """Whether a name is the one in places.bin, or that one with its accents left out."""
    letters = unicodedata.normalize("NFD", known)
    plain_letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return name in (known, plain_letters)


def is_variant(name, known):
    """Whether one name has the letters of the other and at least four more."""
    short, long = sorted((fold(name), fold(known)), key=len)
    return len(short) >= 4 and short in long and len(long) - len(short) >= 4


class Names:
    """The sections of names.bin."""

    def __init__(self, sources, places):
        self.languages, self.places = Languages(sources), places
        english = self.languages.cities("en")
        self.renamed = RENAMED | {number for number in Corrections().renamed
                                  if fold(english.get(number, ""))
                                  != fold(places.cities.get(number, ("",))[0])}
        self.regions_called = self._names_of_codes()
        self.readings = Readings(sources)
        self.zones = ZoneCities(sources, places.cities)
        print(f"  {len(self.zones.zones)} cities have a time zone of their name", flush=True)
        with open(pathlib.Path(__file__).with_name("capital_names.csv"), encoding="utf-8",
                  newline="") as file:
            #: {(GeoNames' number, language): name}
            self.of_capitals = {
                (self._largest(row["country"], row["capital"]), row["language"]): row["name"]
                for row in csv.DictReader(file)}
        self.capitals_named = set()
        #: {(GeoNames' number, language)} of the cities of PREFERRED.
        self.by_zone = {(number, tag) for number, zone in self.zones.zones.items()
                        for tag in PREFERRED.get(zone, "").split()}

    def _largest(self, country, name):
        """The number of the largest place of a country with this name."""
        found = [(people, number)
                 for number, (known, owner, _, people) in self.places.cities.items()
                 if (owner, known) == (country, name)]
        if not found:
            sys.exit(f"capital_names.csv: {country} has no place {name}")
        return max(found)[1]

    def _names_of_codes(self):
        """The codes that mean the same region in CLDR: by agreement of CLDR's names with GeoNames'
        links, or, for codes that iso_codes.csv gives, because one of CLDR's names of it is the
        region's name."""
        with open(pathlib.Path(__file__).with_name("iso_codes.csv"), encoding="utf-8",
                  newline="") as file:
            by_hand = {row["iso"] for row in csv.DictReader(file)}
        called = {code: plain(name) for code, name in self.places.regions.items()}
        found = set(called) - by_hand
        for path in self.languages.subdivisions.glob("*.xml"):
            for code, name in self.languages.regions(path.stem).items():
                if code in called and plain(name) == called[code]:
                    found.add(code)
        print(f"  {len(found):,} of {len(called):,} codes are those of CLDR", flush=True)
        return found

    def _region(self, code, tag):
        """The name of a region in a language, if it is another one than in places.bin."""
        name = self.languages.regions(tag).get(code) if code in self.regions_called else None
        name = without_country(name, self.places.regions.get(code, ""))
        return name if name != self.places.regions.get(code) else None

    def _city(self, number, tag):
        """The name of a city in a language, if it is another one than in places.bin: that of
        GeoNames' list, otherwise that of its time zone, otherwise the one in capital_names.csv."""
        known = self.places.cities[number][0]
        of_zone = clean(self.zones.name(number, tag), tag).replace("’", "'")
        is_same = is_same_but_for_accents(of_zone, known.replace("’", "'"))
        if of_zone and (number, tag) in self.by_zone:
            return None if is_same else of_zone
        name = self._listed_city(number, tag) or (None if is_same else of_zone)
        if not name and (number, tag) in self.of_capitals:
            self.capitals_named.add((number, tag))
            return self.of_capitals[number, tag]
        return name or None

    def _listed_city(self, number, tag):
        """The name in GeoNames' list, unless it is left out."""
        known, country = self.places.cities[number][:2]
        name = without_country(self.languages.cities(tag).get(number), known)
        if not name or name == known or number in self.renamed:
            return None
        name = without_city(name, tag, country)
        if tag == "zh" and country == "CN":
            if not self.readings.is_read(name, known):
                return None
        elif tag == "zh":
            japanese = self.languages.cities("ja").get(number)
            characters = {letter for letter in japanese or "" if "\u4e00" <= letter <= "\u9fff"}
            if characters and not characters & set(name):
                return None
        if tag not in OTHER_SCRIPTS and is_variant(name, known):
            return None
        return name

    def local_regions(self):
        for code in self.places.regions:
            tag = self.languages.spoken(code[:2], code)
            local = self._region(code, tag) if tag and tag != "en" else None
            if local:
                yield code, local

    def local_cities(self):
        for number, (name, country, region, _) in self.places.cities.items():
            tag = self.languages.spoken(country, region)
            if not tag or tag == "en":
                continue
            # The main name is the local one where places.bin has the English one.
            local = self._city(number, tag) or (
                self.languages.main_names[number]
                if number not in self.renamed and tag not in OTHER_SCRIPTS else None)
            if local and local != name and not is_variant(local, name):
                yield number, local

    def regions(self, tag):
        for code in self.places.regions:
            name = self._region(code, tag)
            if name:
                yield code, name

    def cities(self, tag):
        least = MINIMUM_PEOPLE[tag not in SELDOM]
        for number, (known, country, region, population) in self.places.cities.items():
            is_listed = population >= least or number in self.zones.zones \
                or self.languages.spoken(country, region) == tag \
                or (country, known) in self.languages.capitals
            if not is_listed:
                continue
            name = self._city(number, tag)
            if name:
                yield number, name

    def sections(self):
        pool, table, regions, cities = StringPool(), bytearray(), bytearray(), bytearray()
        for tag in sorted([*LANGUAGES, LOCAL]):
            of_regions = sorted(self.local_regions() if tag == LOCAL else self.regions(tag),
                                key=region_key)
            of_cities = sorted(self.local_cities() if tag == LOCAL else self.cities(tag))
            table += struct.pack("<8sIIII", tag.encode(), len(regions) // 8, len(of_regions),
                                 len(cities) // 8, len(of_cities))
            for entry in of_regions:
                regions += struct.pack("<II", region_key(entry), pool.offset(entry[1]))
            for number, name in of_cities:
                cities += struct.pack("<II", number, pool.offset(name))
            print(f"  {tag}: {len(of_regions):,} regions, {len(of_cities):,} cities", flush=True)
        unused = sorted(set(self.of_capitals) - self.capitals_named)
        if unused:
            sys.exit(f"capital_names.csv: take out what the lists have, or what is no place: "
                     f"{unused}")
        return [
            ("LANG", len(table) // 24, bytes(table)),
            ("RNAM", len(regions) // 8, bytes(regions)),
            ("CNAM", len(cities) // 8, bytes(cities)),
            ("NAME", len(pool.bytes), bytes(pool.bytes)),
        ]


def region_key(entry):
    """An ISO 3166-2 code as a number that sorts by country and suffix."""
    country, suffix = entry[0].split("-")
    return country_index(country) << 16 | packed(suffix)
