"""Measures how often the geocoder returns the wrong country, compared with independent maps or with
its own source.

    venv/bin/pip install netCDF4==1.7.5.1.post1
    venv/bin/python accuracy.py --cache CACHE --tool ../../.build/release/roqua [--truth maps|zones]

Truth "maps" is the area where Natural Earth (1:10 million) and the Digital Chart of the World (1:1
million, Debian gmt-dcw) agree; both are independent of OpenStreetMap and up to a kilometer off at
borders, so the figures are an upper bound. Truth "zones" is the zones of OpenStreetMap at full
resolution, on Natural Earth's land: it shows the error from simplifying and packing. The tool runs
`where --batch --json`. The points have a fixed seed and exclude Antarctica:

- area: uniform on land; population: places of GeoNames by population, moved by up to 10 km
- border: points of either kind within 10 km of a land border (one of eight points at 10 km is in
  another country)
- sea: uniform at sea according to both maps, and how far from the coast there is an answer
"""

import argparse
import json
import subprocess

import netCDF4
import numpy as np
import shapely

from natural_earth import NaturalEarthCountries
from partition import Locator
from places import Places
from sources import Sources


class ChartOfTheWorld:
    """Countries of gmt-dcw. A point is in a country if it is inside an odd number of its rings."""

    def __init__(self, path):
        data = netCDF4.Dataset(path)
        rings, owners = [], []
        self.codes = sorted({name[:2] for name in data.variables
                             if len(name) == 6 and name.endswith("_lon") and name[:2].isalpha()})
        for owner, code in enumerate(self.codes):
            x, gap = self._unpacked(data.variables[code + "_lon"])
            y, _ = self._unpacked(data.variables[code + "_lat"])
            starts = np.flatnonzero(gap)
            for start, end in zip(starts + 1, np.append(starts[1:], len(x))):
                if end - start >= 4:
                    ring = np.column_stack([x[start:end], y[start:end]])
                    rings.append(shapely.Polygon(np.vstack([ring, ring[:1]])))
                    owners.append(owner)
        self.rings, self.owners = np.array(rings), np.array(owners)
        shapely.prepare(self.rings)
        self.tree = shapely.STRtree(self.rings)

    @staticmethod
    def _unpacked(variable):
        variable.set_auto_maskandscale(False)
        raw = np.asarray(variable[:])
        return (raw / float(variable.getncattr("scale")) + float(variable.getncattr("min")),
                raw == 65535)

    def at(self, longitude, latitude):
        hits = []
        for turn in (0, 360, -360):
            points, rings = self.tree.query(shapely.points(longitude + turn, latitude))
            order = np.argsort(rings, kind="stable")
            points, rings = points[order], rings[order]
            starts = np.flatnonzero(np.r_[True, rings[1:] != rings[:-1]]) if len(rings) else []
            for start, end in zip(starts, [*starts[1:], len(rings)]):
                near, ring = points[start:end], rings[start]
                inside = shapely.contains_xy(self.rings[ring], longitude[near] + turn,
                                             latitude[near])
                hits.append(near[inside] * 1000 + self.owners[ring])
        keys, counts = np.unique(np.concatenate(hits), return_counts=True)
        keys = keys[counts % 2 == 1]
        found = np.full(len(longitude), "", dtype="U2")
        found[keys // 1000] = np.array(self.codes)[keys % 1000]
        return found


def ask(tool, longitude, latitude):
    """The tool's country for each point."""
    lines = "".join(f"{y:.7f},{x:.7f}\n" for x, y in zip(longitude, latitude))
    run = subprocess.run([tool, "where", "--batch", "--json"], input=lines, text=True,
                         capture_output=True, check=True)
    return np.array([json.loads(line)["countryCode"] or "" for line in run.stdout.splitlines()])


def moved(longitude, latitude, kilometers, angle):
    latitude_moved = np.clip(latitude + kilometers * np.sin(angle) / 111.195, -89.9, 89.9)
    longitude = longitude + kilometers * np.cos(angle) / 111.195 / np.cos(np.radians(latitude))
    return (longitude + 180) % 360 - 180, latitude_moved


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--truth", choices=["maps", "zones"], default="maps")
    parser.add_argument("--points", type=int, default=1_500_000)
    arguments = parser.parse_args()
    sources = Sources(arguments.cache)
    sources.fetch(for_accuracy=True)
    places = Places(sources)
    earth = NaturalEarthCountries(sources.natural_earth_countries)
    natural_earth = locate(earth.parts[earth.codes != ""], earth.codes[earth.codes != ""])
    if arguments.truth == "maps":
        chart = ChartOfTheWorld(sources.chart_of_the_world)
        other = chart.at
    else:
        other = zones(sources, earth, places)

    random = np.random.default_rng(20260315)
    weights = np.maximum(places.population, 1) / np.maximum(places.population, 1).sum()
    chosen = random.choice(len(weights), 400_000, p=weights)
    globe_y = np.degrees(np.arcsin(random.uniform(-1, 1, arguments.points)))
    globe_x = random.uniform(-180, 180, arguments.points)
    people = moved(places.longitude[chosen], places.latitude[chosen],
                   random.uniform(0, 10, len(chosen)), random.uniform(0, 2 * np.pi, len(chosen)))
    for name, (x, y) in (("area", (globe_x, globe_y)), ("population", people)):
        one, two = other(x, y), natural_earth(x, y)
        agree = one == two if arguments.truth == "maps" else two != ""
        solid = (one != "") & agree & (one != "AQ")
        px, py, truth = x[solid], y[solid], one[solid]
        wrong = ask(arguments.tool, px, py) != truth
        near = np.zeros(len(px), bool)
        for direction in range(8):
            beyond = other(*moved(px, py, 10, direction * np.pi / 4))
            near |= (beyond != "") & (beyond != truth)
        print(f"{name}: {100 * wrong.mean():.4f} % of {len(px):,} wrong; "
              f"within 10 km of a border {100 * wrong[near].mean():.3f} % of {near.sum():,}",
              flush=True)
        if name == "area" and arguments.truth == "maps":
            at_sea = (one == "") & (two == "") & (y > -60)
            sx, sy = x[at_sea], y[at_sea]
            answered = ask(arguments.tool, sx, sy) != ""
            print(f"sea: {100 * answered.mean():.2f} % of {len(sx):,} answered", flush=True)
            sx, sy = sx[answered], sy[answered]
            away = kilometers_to_coast(np.concatenate([earth.parts, chart.rings]), sx, sy)
            for miles in (12, 15, 18, 24):
                print(f"ocean: {(away > miles * 1.852).sum()} of these farther than {miles} "
                      "nautical miles from the land of both maps", flush=True)


def locate(polygons, codes):
    """A function that returns the codes of points, "" outside."""
    known = sorted(set(codes))
    locator = Locator(polygons, [known.index(code) + 1 for code in codes])
    return lambda longitude, latitude: np.array(
        ["", *known])[locator.labels_at(longitude, latitude)]


def zones(sources, earth, places):
    """The countries of points by OpenStreetMap's zones at full resolution."""
    import boundaries
    import land

    polygons, labels = boundaries.osm(sources, earth, land.open_ocean(sources, earth, places),
                                      tolerance=0)
    return locate(polygons, [country for country, _ in labels])


def kilometers_to_coast(polygons, longitude, latitude):
    """The distance of points at sea from the nearest coast, at most 60 km, to within about 1 km.

    The coast is the cells of 1/60 degree that its lines pass through.
    """
    rows, columns = 10_800, 21_600
    coast = np.zeros((rows, columns), bool)
    for part in np.array_split(polygons, 50):
        drawn = part[shapely.length(part) > 1e-9]
        x, y = shapely.get_coordinates(shapely.segmentize(drawn, 0.01)).T
        coast[np.clip(((y + 90) * 60).astype(int), 0, rows - 1),
              ((x + 180) * 60).astype(int) % columns] = True
    found = np.full(len(longitude), 60.0)
    for i, (x, y) in enumerate(zip(longitude, latitude)):
        row, column, stretch = (int((y + 90) * 60), int((x + 180) * 60),
                                np.cos(np.radians(min(abs(y), 89))))
        wide = int(34 / stretch)
        around = (column + np.arange(-wide, wide + 1)) % columns
        south = max(row - 34, 0)
        up, right = np.nonzero(coast[south:row + 35, around])
        if len(up):
            dx = (column - wide + right + 0.5) / 60 - 180 - x
            dy = (south + up + 0.5) / 60 - 90 - y
            found[i] = min(60.0, 111.195 * np.hypot(dx * stretch, dy).min())
    return found


if __name__ == "__main__":
    main()
