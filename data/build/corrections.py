"""Corrections by hand: corrections.csv, each line with its source. A name or place that needs none stops the build.

what      which                               value
name      code of a first division            its name
place     GeoNames' number of a place         code of its first division
anchor    latitude and longitude of a spot    code of its first division; so is what lies nearest it in its polygon
redraw    name of a polygon, * for all        none: the polygon is divided among all places of the country
whole     name of a polygon                   none: the polygon is not divided
"""

import csv
import pathlib
import sys

KINDS = ("name", "place", "anchor", "redraw", "whole")


class Corrections:
    """The lines of the table by what they correct."""

    def __init__(self, path=pathlib.Path(__file__).with_name("corrections.csv")):
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            if not row["source"] or row["what"] not in KINDS:
                sys.exit(f"{path.name}: a line without a source, or of an unknown kind: {row}")
        self.names = {(row["country"], row["which"]): row["value"] for row in rows if row["what"] == "name"}
        self.places = {int(row["which"]): (row["country"], row["value"]) for row in rows if row["what"] == "place"}

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
        """Puts the names of the table into these, {(country, code): name}."""
        for key, name in self.names.items():
            self._need(names.get(key) != name, f"the name of {key}")
            names[key] = name

    def correct_places(self, divisions):
        """Puts the divisions of the table into these, {GeoNames' number: (country, code)}."""
        for number, key in self.places.items():
            self._need(number in divisions and divisions[number] != key, f"the division of place {number}")
            divisions[number] = key

    @staticmethod
    def _need(is_needed, what):
        if not is_needed:
            sys.exit(f"corrections.csv: {what} needs no correction any more; take the line out")
