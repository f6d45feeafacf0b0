"""Names of cities in other languages from Unicode CLDR.

CLDR has a name for each IANA time zone in each language, that of the zone's city: in German, Kairo
for Africa/Cairo. A zone's city is the largest place of its country with the zone's English name. A
zone that is named after an island, or after a country without a city of that name, has none.
"""

import xml.etree.ElementTree as ElementTree

from geonames import fold

#: The countries of the zones whose code in CLDR does not begin with the country's.
COUNTRIES = {"gazastrp": "PS", "hebron": "PS", "jeruslm": "IL"}
#: Names of another city, by language and zone: Jaipur.
WRONG = {("ca", "Asia/Jayapura")}


class ZoneCities:
    """The names of zones' cities by GeoNames' number. cities: {number: (name, country, ISO 3166-2
    code, population)}."""

    def __init__(self, sources, cities):
        self.folder = sources.unicode_cldr
        self._names = {}
        largest = {}
        for number, (name, country, _, population) in cities.items():
            key = country, fold(name)
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
        """(country, zone as CLDR's names have it) of each zone of a country, without those of three
        words, whose names are followed by a state's: "Vincennes, Indiana"."""
        for entry in ElementTree.parse(self.folder / "bcp47" / "timezone.xml").iter("type"):
            zone = (entry.get("alias") or "").split(" ")[0]
            if zone.count("/") == 1 and not zone.startswith("Etc/"):
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
            self._names[tag] = self._cities_of_zones(tag)
        name = self._names[tag].get(zone)
        return in_order(name).replace("’", "'") if name else None


def in_order(name):
    """A name with its article in front: CLDR's Catalan names are those of an index, such as "Caire,
    el"."""
    name, comma, article = name.partition(", ")
    return f"{article}{'' if article.endswith(chr(39)) else ' '}{name}" if comma else name
