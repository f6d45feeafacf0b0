"""The archives of map tiles that are checked, and their tiles as SQLite and `pmtiles` read them."""

import gzip
import pathlib
import sqlite3

from pmtiles.reader import MemorySource, Reader, all_tiles

#: The zoom whose pixels and polygons are compared: the deepest one.
ZOOM = 12


class Archives:
    """A store's tiles as pictures and polygons, in both archives and a folder."""

    def __init__(self, store, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.pictures = self.folder / "pictures.mbtiles"
        self.polygons = self.folder / "polygons.mbtiles"
        for path in (self.pictures, self.polygons):
            for name in (path, path.with_suffix(".pmtiles"), path.with_suffix("")):
                store.run("map", str(name), "--format", self.format(path), "--zoom", f"0-{ZOOM}")

    @staticmethod
    def format(path):
        return "png" if path.stem == "pictures" else "mvt"


def mbtiles(path):
    """The tiles of an MBTiles file by zoom, column and row from the north."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles").fetchall()
    return {(zoom, x, 2**zoom - 1 - y): bytes(data) for zoom, x, y, data in rows}


def pmtiles(path):
    """The header of a PMTiles file and its tiles, without long runs of one picture of fog."""
    source = MemorySource(path.read_bytes())
    header = Reader(source).header()
    if header["addressed_tiles_count"] > 1_000_000:
        return header, None
    return header, dict(all_tiles(source))


def folder(path):
    """The tiles of a folder."""
    return {
        tuple(int(part) for part in file.relative_to(path).with_suffix("").parts): file.read_bytes()
        for file in path.glob("*/*/*.*")
    }


def unpacked(data):
    """A tile without the compression of archives."""
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
