"""GDAL and tippecanoe open the tiles without a warning and see the explored area."""

import json
import pathlib
import shutil
import subprocess
import sys

import numpy
from PIL import Image

from browsing import slowlook, world
from browsing.checking import Failure, require

from . import archives, outlines

#: The opacity of fog in pictures, as docs/formats/map-tiles.md has it, to 255.
FOG = 0.85 * 255
#: Half of one of 64 steps, half of a 255th of the share, and two rounded opacities.
TOLERANCE = FOG / 63 / 2 + FOG / 255 / 2 + 0.75
#: Pixels along each side of a compared window.
SIDE = 600


def output(*command):
    """The standard output of a program that must say nothing else."""
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True)
    require(done.returncode == 0, f"{command[0]} failed: {done.stderr.strip()}")
    complaints = [line for line in done.stderr.splitlines() if "Warning" in line or "ERROR" in line]
    require(not complaints, f"{command[0]}: {complaints[:3]}")
    return done.stdout


def corner(place, size):
    """The left and top pixel of a window around a place, inside a raster of some size."""
    latitude, longitude = world.PLACES[place]
    width, height = size
    left = int((longitude / 360 + 0.5) % 1 * width) - SIDE // 2
    top = int(outlines.mercator(min(latitude, 85.05)) * width) - SIDE // 2
    return max(0, min(left, width - SIDE)), max(0, min(top, height - SIDE))


def check_gdal_pictures(tiles, days):
    """GDAL shows as much fog as there is unexplored ground."""
    information = json.loads(output("gdalinfo", "-json", tiles.pictures))
    bands = [band["colorInterpretation"] for band in information["bands"]]
    require(bands == ["Red", "Green", "Blue", "Alpha"], f"bands {bands}")
    pixels = 256 * 2**archives.ZOOM
    # Fog covers the world: nothing is cropped.
    require(information["size"] == [pixels] * 2, f"the raster has {information['size']} pixels")
    compared = 0
    for place in world.PLACES:
        left, top = corner(place, information["size"])
        picture = tiles.folder / f"{place}.png"
        output("gdal_translate", "-q", "-of", "PNG", "-srcwin", left, top, SIDE, SIDE,
               tiles.pictures, picture)
        alpha = numpy.asarray(Image.open(picture).convert("RGBA"))[:, :, 3].astype(float)
        shares = slowlook.Window(pixels, left, top, SIDE, SIDE).shares(days)
        require((shares > 0).any(), f"nothing is explored near {place}")
        wrong = numpy.abs(alpha - FOG * (1 - shares.clip(0, 1))) > TOLERANCE
        # Where an archive has no tile, all is fog.
        wrong &= ~((shares == 0) & (alpha == 0))
        require(not wrong.any(), f"{int(wrong.sum())} of {SIDE**2} pixels near {place} are wrong")
        compared += SIDE**2
    return f"{compared:,} pixels have the fog of their share"


def check_gdal_polygons(tiles, days):
    """GDAL reads the polygons, and they are the explored cells."""
    summary = output("ogrinfo", "-al", "-so", tiles.polygons)
    require("Layer name: explored" in summary, "no layer explored")
    output("ogrinfo", "-al", tiles.polygons)
    path = tiles.folder / "gdal.geojson"
    output("ogr2ogr", "-f", "GeoJSON", "-lco", "RFC7946=NO", path, tiles.polygons)
    found = outlines.of_geojson(path)
    return outlines.require_cells(found, days, "ogr2ogr")


def check_tippecanoe(tiles, days):
    """tippecanoe-decode reads both archives, and its polygons are the explored cells."""
    program = pathlib.Path(sys.executable).parent / "tippecanoe-decode"
    texts = []
    for path in (tiles.polygons, tiles.polygons.with_suffix(".pmtiles")):
        document = json.loads(output(program, "-Z", archives.ZOOM, "-z", archives.ZOOM, path))
        features = [
            feature
            for tile in document["features"]
            for layer in tile["features"]
            for feature in layer["features"]
        ]
        require(features, f"no features in {path.name}")
        said = outlines.require_cells(outlines.of_degrees(features), days, path.name)
        texts.append(json.dumps(document["features"]))
    require(texts[0] == texts[1], "MBTiles and PMTiles decode differently")
    return said


def missing():
    """Names of the programs of GDAL that are not installed."""
    names = ("gdalinfo", "gdal_translate", "ogrinfo", "ogr2ogr")
    return [name for name in names if not shutil.which(name)]
