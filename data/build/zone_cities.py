"""Names of cities in other languages from Unicode CLDR.

CLDR has a name for each IANA time zone in each language, that of the zone's city: in German, Kairo
for Africa/Cairo. A zone's city is the largest place of its country with the zone's English name, of
LEAST_PEOPLE and more. A zone that is named after an island, or after a country without a city of
that name, has none.
"""

import xml.etree.ElementTree as ElementTree

from geonames import fold

#: The countries of the zones whose code in CLDR does not begin with the country's.
COUNTRIES = {"gazastrp": "PS", "hebron": "PS", "jeruslm": "IL", "ancur": "CW", "fimhq": "AX",
             "gpmsb": "MF", "gpsbh": "BL"}
LEAST_PEOPLE = 1_000
#: GeoNames' Portuguese names are Portugal's.
VARIANTS = {"pt": "pt_PT"}
#: Names of another place (Jaipur, the Aral Sea, an atoll), former ones (Saigon, Godthåb) and those
#: of another language, by language and zone.
WRONG = {
    ("ca", "Asia/Jayapura"), ("uk", "Asia/Jayapura"), ("bg", "Asia/Oral"), ("hu", "Pacific/Majuro"),
    ("ko", "Asia/Saigon"), ("ar", "America/Godthab"), ("ko", "America/Godthab"),
    ("th", "America/Godthab"), ("ca", "America/Rio_Branco"), ("hu", "America/Rio_Branco"),
    ("ca", "Asia/Kabul"),
}


class ZoneCities:
    """The names of zones' cities by GeoNames' number. cities: {number: (name, country, ISO 3166-2
    code, population)}."""

    def __init__(self, sources, cities):
        self.folder = sources.unicode_cldr
        self._names = {}
        largest = {}
        for number, (name, country, _, population) in cities.items():
            key = country, fold(name)
            if population < LEAST_PEOPLE:
                continue
            if key not in largest or population > cities[largest[key]][3]:
                largest[key] = number
        english = self._cities_of_zones("root") | self._cities_of_zones("en")
        #: {GeoNames' number: zone}
        self.zones = {}
        for country, zone in self._zones():
            name = english.get(zone, zone.split("/")[-1].replace("_", " "))
            if (country, fold(name)) in largest:
                self.zones[largest[country, fold(name)]] = zone

    def _zones(self):
        """(country, zone as CLDR's names have it) of each zone of a country. Those of three words
        are left out: the names of most are followed by a state's, "Vincennes, Indiana"."""
        for entry in ElementTree.parse(self.folder / "bcp47" / "timezone.xml").iter("type"):
            zone = (entry.get("alias") or "").split(" ")[0]
            if zone.count("/") == 1 and not zone.startswith(("Etc/", "Antarctica/")):
                code = entry.get("name")
                yield COUNTRIES.get(code, code[:2].upper()), zone

    def _cities_of_zones(self, tag):
        """{zone: name of its city} in a language."""
        path = self.folder / "main" / f"{tag}.xml"
        zones = ElementTree.parse(path).iter("zone") if path.exists() else []
        return {zone.get("type"): name for zone in zones
                if (name := zone.findtext("exemplarCity"))}

    def name(self, number, tag):
        """The name of a place in a language; None if CLDR has none."""
        zone = self.zones.get(number)
        if zone is None or (tag, zone) in WRONG:
            return None
        if tag not in self._names:
            self._names[tag] = (self._cities_of_zones(tag)
                                | self._cities_of_zones(VARIANTS.get(tag, "")))
        name = self._names[tag].get(zone)
        # German has a soft hyphen in Reykjavík.
        return in_order(name).replace("\u00ad", "") if name else None


def in_order(name):
    """A name with its article in front: CLDR's Catalan names are those of an index, such as "Caire,
    el"."""
    name, comma, article = name.partition(", ")
    if not comma:
        return name
    return article + name if article[-1] in "'’" else f"{article} {name}"
