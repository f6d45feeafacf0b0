"""The same tiles are in every archive, and in the folder."""

from pmtiles.reader import MemorySource, Reader

from browsing.checking import require

from . import archives


def check_archives(tiles, path):
    """MBTiles, PMTiles and a folder hold the same tiles."""
    packed = archives.mbtiles(path)
    loose = archives.folder(path.with_suffix(""))
    require(set(packed) == set(loose), f"{len(packed)} tiles in MBTiles, {len(loose)} in a folder")
    different = [key for key in packed if archives.unpacked(packed[key]) != loose[key]]
    require(not different, f"{len(different)} tiles differ in the folder")
    other = path.with_suffix(".pmtiles")
    header, found = archives.pmtiles(other)
    require(header["max_zoom"] == archives.ZOOM, f"the deepest zoom is {header['max_zoom']}")
    if found is None:  # tiles of all fog are addressed by the million: these are read one by one
        reader = Reader(MemorySource(other.read_bytes()))
        found = {key: reader.get(*key) for key in packed}
        fog = reader.get(archives.ZOOM, 0, 2 ** (archives.ZOOM - 1))
        require(fog is not None, "no tile of fog where nothing is explored")
    require(found == packed, "tiles of PMTiles differ from those of MBTiles")
    return f"{len(packed)} tiles, equal in three forms"
