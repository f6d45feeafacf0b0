"""Natural Earth's countries (1:10 million, v5.1.1, public domain) with one ISO code for each
part."""

import numpy as np
import pyogrio
import shapely

#: Parts that Natural Earth assigns to another country although ISO 3166-1 has a code for them:
#: (code in the file, west, south, east, north of a box around the part's centroid, ISO code).
PARTS = [
    ("FR", -55.5, 1.5, -51.0, 6.5, "GF"),
    ("FR", -62.0, 15.7, -60.9, 16.7, "GP"),
    ("FR", -61.4, 14.2, -60.6, 15.1, "MQ"),
    ("FR", 55.0, -21.6, 56.0, -20.7, "RE"),
    ("FR", 44.8, -13.2, 45.5, -12.4, "YT"),
    ("NO", -180.0, 73.9, 180.0, 90.0, "SJ"),
    ("NO", -10.0, 70.0, -7.0, 72.0, "SJ"),
    ("NO", -180.0, -90.0, 180.0, 0.0, "BV"),
    ("NL", -180.0, -90.0, 180.0, 20.0, "BQ"),
    ("NZ", -180.0, -10.5, -170.0, -8.0, "TK"),
]

#: Areas without an ISO code, by Natural Earth's name; "" means no country.
NAMED = {
    "US Naval Base Guantanamo Bay": "CU", "Akrotiri Sovereign Base Area": "CY",
    "Dhekelia Sovereign Base Area": "CY", "Brazilian Island": "BR",
    "Bir Tawil": "", "Spratly Islands": "", "Scarborough Reef": "",
}


class NaturalEarthCountries:
    """The parts of all countries: `parts` (polygons), `codes` (ISO 3166-1 alpha-2 or ""),
    `names`."""

    def __init__(self, path):
        frame = pyogrio.raw.read(f"/vsizip/{path}", columns=["ADMIN", "ISO_A2_EH"],
                                 encoding="utf-8")
        meta, _, geometry, fields = frame
        columns = dict(zip(meta["fields"], fields))
        parts, index = shapely.get_parts(shapely.from_wkb(geometry), return_index=True)
        centroids = shapely.get_coordinates(shapely.centroid(parts))
        self.parts = parts
        self.names = columns["ADMIN"][index]
        self.codes = np.array([
            self._code(columns["ISO_A2_EH"][i], columns["ADMIN"][i], x, y)
            for i, (x, y) in zip(index, centroids)])

    @staticmethod
    def _code(code, name, x, y):
        if name in NAMED:
            return NAMED[name]
        if name == "Indian Ocean Territories":
            return "CX" if x > 100 else "CC"
        for of, west, south, east, north, iso in PARTS:
            if code == of and west < x < east and south < y < north:
                return iso
        return code if len(code) == 2 and code.isalpha() else ""

    def country(self, code):
        """The union of the parts of one country."""
        return shapely.union_all(self.parts[self.codes == code])

    def named(self, name):
        """The union of the parts with one of Natural Earth's own names."""
        return shapely.union_all(self.parts[self.names == name])
