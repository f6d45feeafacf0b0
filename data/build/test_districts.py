"""Tests of second-level divisions: `python -m unittest` in this folder, with the tools of
requirements.txt."""

import pathlib
import tempfile
import types
import unittest

import numpy as np
import pyogrio
import shapely

import districts

ROWS = ["US.AA.001", "US.AA.002", "ES.10.A", "ES.10.B", "CO.1.01", "CO.1.02"]


def write_polygons(path, layer, polygons, **fields):
    pyogrio.raw.write(path, shapely.to_wkb(np.array(polygons, object)),
                      [np.array(v, object) for v in fields.values()],
                      list(fields), geometry_type="Polygon", crs="EPSG:4326", layer=layer,
                      driver="GPKG")


class DistrictsTests(unittest.TestCase):
    def setUp(self):
        self.countries, districts.NATURAL_EARTH = districts.NATURAL_EARTH, ("ES",)
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        self.border = shapely.LineString([(-100.0, 40), (-99.9, 40.3), (-100.1, 40.7), (-100, 41)])
        corners = [tuple(point) for point in shapely.get_coordinates(self.border)]
        self.counties = [shapely.Polygon([(-101, 41), (-101, 40), *corners]),
                         shapely.Polygon([*corners, (-99, 41), (-99, 40)])]
        write_polygons(folder / "counties.gpkg", "counties", self.counties, STATEFP=["07", "07"],
                       COUNTYFP=["001", "002"])
        write_polygons(folder / "regions.gpkg", "states_provinces",
                       [shapely.box(0, 40, 1, 41), shapely.box(1, 40, 2, 41)], iso_a2=["ES", "ES"])
        rows = "".join(f"Name of {code}\t\t{code}\n" for code in ROWS)
        (folder / "subdivisions.tsv").write_text(rows)
        self.sources = types.SimpleNamespace(
            us_counties=folder / "counties.gpkg", natural_earth_regions=folder / "regions.gpkg",
            subdivisions=folder / "subdivisions.tsv", subdivided_cities=folder / "cities.tsv")

    def tearDown(self):
        districts.NATURAL_EARTH = self.countries
        self.folder.cleanup()

    def districts(self, places):
        """places: (longitude, latitude, code or "", country and first-level division)."""
        cities = [{"geonameid": number + 1, "countrycode": first[:2],
                   "admin1": tuple(first.split(".")), "admin2name": ""}
                  for number, (_, _, _, first) in enumerate(places)]
        self.sources.subdivided_cities.write_text("".join(
            f"Town\t{number + 1}\t{ROWS.index(code) + 1 if code else ''}\t1\n"
            for number, (_, _, code, _) in enumerate(places)))
        return districts.Districts(self.sources, types.SimpleNamespace(
            cities=cities, longitude=np.array([place[0] for place in places]),
            latitude=np.array([place[1] for place in places]),
            country=np.array([first[:2] for *_, first in places]),
            population=np.full(len(places), 1000)))

    @staticmethod
    def kilometers(found, place):
        return districts.REACH_METERS * found.steps[place] ** 2 / 1000

    def test_without_polygons_the_reach_is_a_fifth_of_the_distance_to_another_division(self):
        found = self.districts([(-75, 5, "CO.1.01", "CO.1"), (-75, 5.1, "CO.1.01", "CO.1"),
                                (-75, 5.3, "CO.1.02", "CO.1"), (-75, 9, "CO.1.02", "CO.1")])
        for place, degrees in ((0, 0.3), (1, 0.2), (2, 0.2)):
            expected = degrees * districts.KILOMETERS_PER_DEGREE / 5
            self.assertLessEqual(self.kilometers(found, place), expected)
            self.assertGreater(self.kilometers(found, place), 0.9 * expected)
            self.assertEqual(found.name(place), "Name of " + found.code[place])
        self.assertEqual(found.steps[3], districts.LAST_STEP)

    def test_a_place_without_a_division_counts_as_one_with_another(self):
        found = self.districts([(-75, 5, "CO.1.01", "CO.1"), (-75, 5.1, "", "CO.1")])
        self.assertLessEqual(self.kilometers(found, 0), 0.1 * districts.KILOMETERS_PER_DEGREE / 5)
        self.assertEqual((found.name(1), found.steps[1]), ("", 0))

    def test_a_division_of_another_first_level_division_is_dropped(self):
        found = self.districts([(-75, 5, "CO.1.01", "CO.2")])
        self.assertEqual((found.name(0), found.steps[0]), ("", 0))

    def test_a_place_in_the_polygon_of_another_division_has_none(self):
        found = self.districts([(-100.5, 40.5, "US.AA.001", "US.AA"),
                                (-99.5, 40.5, "US.AA.002", "US.AA"),
                                (-99.6, 40.4, "US.AA.001", "US.AA"), (-99.4, 40.4, "", "US.AA"),
                                (0.2, 40.5, "ES.10.A", "ES.10"), (0.4, 40.5, "ES.10.A", "ES.10"),
                                (1.5, 40.5, "ES.10.B", "ES.10"), (1.6, 40.4, "ES.10.B", "ES.10"),
                                (0.9, 40.5, "ES.10.B", "ES.10")])
        self.assertEqual([found.name(place)[8:] for place in range(9)],
                         ["US.AA.001", "US.AA.002", "", "US.AA.002", "ES.10.A", "ES.10.A",
                          "ES.10.B", "ES.10.B", ""])

    def test_a_place_takes_the_division_of_its_polygon_only_in_its_own_first_level_division(self):
        found = self.districts([(-100.5, 40.5, "US.AA.001", "US.AA"),
                                (-99.5, 40.5, "US.AA.002", "US.AA"),
                                (-99.4, 40.4, "", "US.AA"), (-99.3, 40.4, "", "US.BB"),
                                (-99.4, 40.6, "ES.10.A", "US.AA"), (-99.3, 40.6, "", "US."),
                                (0.4, 40.5, "ES.10.A", "ES.10"), (1.5, 40.5, "ES.10.B", "ES.10"),
                                (0.5, 40.1, "", "ES.10"), (0.6, 40.9, "", "ES.11"),
                                (1.4, 40.1, "ES.10.B", "ES.11"), (1.6, 40.9, "CO.1.01", "ES.10")])
        self.assertEqual([found.name(place)[8:] for place in range(12)],
                         ["US.AA.001", "US.AA.002", "US.AA.002", "", "US.AA.002", "",
                          "ES.10.A", "ES.10.B", "ES.10.A", "", "", "ES.10.B"])

    def test_ground_within_the_reach_of_its_nearest_place_lies_in_its_polygon(self):
        random = np.random.default_rng(1)
        x, y = random.uniform(-100.9, -99.1, 60), random.uniform(40.1, 40.9, 60)
        home = [int(self.counties[1].contains(shapely.Point(point))) for point in zip(x, y)]
        found = self.districts(
            [(*point, ROWS[county], "US.AA") for *point, county in zip(x, y, home)])
        self.assertTrue((found.steps > 0).all())
        inside = 0
        for px, py in zip(random.uniform(-100.9, -99.1, 4000), random.uniform(40.1, 40.9, 4000)):
            away = (districts.KILOMETERS_PER_DEGREE
                    * np.hypot((x - px) * np.cos(np.radians((y + py) / 2)), y - py))
            nearest = away.argmin()
            if away[nearest] < self.kilometers(found, nearest):
                inside += 1
                self.assertEqual(int(self.counties[1].contains(shapely.Point(px, py))),
                                 home[nearest])
        self.assertGreater(inside, 2500)


if __name__ == "__main__":
    unittest.main()
