"""Manual corrections: corrections.csv, each line with its source. A correction that is no longer
needed for a name or place stops the build.

what      which                               value
name      code of a first division            its name
place     GeoNames' number of a place         code of its first division
sure      GeoNames' number of a place         GeoNames' code of its first division, which is right
                                              although the source's lines and its neighbors differ
city      GeoNames' number of a place         its English name
part      GeoNames' number of a place         none: it is a part of another city
position  GeoNames' number of a place         its latitude and longitude
anchor    latitude and longitude of a spot    code of its first division; so is what lies nearest it
                                              in its polygon
redraw    name of a polygon, * for all        none: the polygon is divided among all places of the
                                              country
whole     name of a polygon                   none: the polygon is not divided
"""

import csv
import pathlib
import sys

LEAST_MOVE_DEGREES = 0.002  # about 200 m: a position nearer than this needs no correction
KINDS = ("name", "place", "sure", "city", "part", "position", "anchor", "redraw", "whole")


class Corrections:
    """The lines of the table by what they correct."""

    def __init__(self, path=pathlib.Path(__file__).with_name("corrections.csv")):
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            if not row["source"] or row["what"] not in KINDS:
                sys.exit(f"{path.name}: a line without a source, or of an unknown kind: {row}")
        self.names = {(row["country"], row["which"]): row["value"] for row in rows
                      if row["what"] == "name"}
        self.places = {int(row["which"]): (row["country"], row["value"]) for row in rows
                       if row["what"] == "place"}
        self.sure = {int(row["which"]): (row["country"], row["value"]) for row in rows
                     if row["what"] == "sure"}

        self.positions = {int(row["which"]): tuple(map(float, row["value"].split()))
                          for row in rows if row["what"] == "position"}

        self.cities = {int(row["which"]): row["value"] for row in rows if row["what"] == "city"}
        #: The cities that have a new name.
        self.renamed = {int(row["which"]) for row in rows
                        if row["what"] == "city" and row["source"].startswith("renamed")}
        self.parts = {int(row["which"]) for row in rows if row["what"] == "part"}

        #: {country: [(longitude, latitude, (country, code))]}
        self.anchors, self.redrawn, self.whole = {}, set(), set()
        for row in rows:
            if row["what"] == "anchor":
                latitude, longitude = map(float, row["which"].split())
                self.anchors.setdefault(row["country"], []).append(
                    (longitude, latitude, (row["country"], row["value"])))
            elif row["what"] == "redraw":
                self.redrawn.add((row["country"], row["which"]))
            elif row["what"] == "whole":
                self.whole.add((row["country"], row["which"]))

    def correct_names(self, names):
        """Writes the names of the table into these, {(country, code): name}."""
        for key, name in self.names.items():
            self._need(names.get(key) != name, f"the name of {key}")
            names[key] = name

    def correct_places(self, divisions):
        """Writes the divisions of the table into these, {GeoNames' number: (country, code)}."""
        for number, key in self.places.items():
            self._need(number in divisions and divisions[number] != key,
                       f"the division of place {number}")
            divisions[number] = key

        for number, key in self.sure.items():
            self._need(divisions.get(number) == key, f"the division of place {number}")

    def check_sure(self, used):
        """used: the places whose divisions would be dropped without this table, by number."""
        self._need(used >= set(self.sure), f"the division of {sorted(set(self.sure) - used)}")

    def correct_cities(self, cities):
        """Puts the names of the table into these places."""
        known = {city["geonameid"]: city for city in cities}
        for number, name in self.cities.items():
            self._need(number in known and known[number]["name"] != name,
                       f"the name of place {number}")
            known[number]["name"] = name

    def correct_positions(self, cities):
        """Moves the places of the table."""
        known = {city["geonameid"]: city for city in cities}
        for number, (latitude, longitude) in self.positions.items():
            city = known.get(number)
            self._need(city
                       and max(abs(city["latitude"] - latitude), abs(city["longitude"] - longitude))
                       > LEAST_MOVE_DEGREES, f"the position of place {number}")
            city["latitude"], city["longitude"] = latitude, longitude

    @staticmethod
    def _need(is_needed, what):
        if not is_needed:
            sys.exit(f"corrections.csv: {what} needs no correction any more; take the line out")
