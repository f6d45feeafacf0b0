"""Converts labeled polygons that tile the plane to cells that return the label of a point from a
few bytes.

The plane is cut into cells of 0.25 or 0.5 degree. A cell inside one label has that label. A mixed
cell contains the border lines that cross it, cut at its edges, as chains of points on a lattice of
1/4000 of a cell (6.9 or 13.9 m), with the label on the left and on the right of each chain, and the
labels along its western edge (its "left edge"). The label of a point is the label on the eastern
side of the first line met when walking west from it, or that of the left edge if there is none.
docs/formats/geodata.md describes the bytes.
"""

import struct
from collections import defaultdict

import numpy as np
import shapely

CELL = 4_000  # steps of the lattice in a cell; a step needs 12 bits
BLOCK = 8  # cells on a side of a block
ORIGIN_E7 = np.array([1.8e9, 9e8])  # the lattice begins at 180 W, 90 S


class Grid:
    """The cells: of 0.25 degree at level 0, of 0.5 degree at level 1."""

    def __init__(self, level):
        self.cell_e7 = 2_500_000 << level
        self.step_e7 = self.cell_e7 // CELL
        self.columns, self.rows = 1440 >> level, 720 >> level
        self.block_columns, self.block_rows = -(-self.columns // BLOCK), -(-self.rows // BLOCK)

    def to_degrees(self, x, y):
        """Lattice steps as degrees of longitude and latitude."""
        return np.asarray(x) * (self.step_e7 / 1e7) - 180, np.asarray(y) * (self.step_e7 / 1e7) - 90


class Locator:
    """The labels of many points at once, by simple point-in-polygon tests; 0 if no polygon contains
    the point."""

    def __init__(self, polygons, labels):
        parts, index = shapely.get_parts(polygons, return_index=True)
        self.parts, self.labels = parts, np.asarray(labels)[index]
        shapely.prepare(self.parts)
        self.tree = shapely.STRtree(self.parts)

    def labels_at(self, longitude, latitude):
        found = np.zeros(len(longitude), np.int64)
        points, parts = self.tree.query(shapely.points(longitude, latitude))
        order = np.argsort(parts, kind="stable")
        points, parts = points[order], parts[order]
        starts = np.flatnonzero(np.r_[True, parts[1:] != parts[:-1]]) if len(parts) else []
        for start, end in zip(starts, [*starts[1:], len(parts)]):
            inside = points[start:end]
            part = parts[start]
            inside = inside[shapely.contains_xy(self.parts[part], longitude[inside],
                                                latitude[inside])]
            found[inside] = self.labels[part]
        return found


def rounded_edges(polygons, grid):
    """Every edge of the polygons once, cut where it crosses a line between cells and rounded to the
    lattice, as rows x0, y0, x1, y1 from west to east (or from south to north). Each is in one cell,
    edges included."""
    starts, ends = [], []
    for ring in shapely.get_rings(shapely.get_parts(polygons)):
        points = (shapely.get_coordinates(ring) * 1e7 + ORIGIN_E7) / grid.step_e7
        starts.append(points[:-1])
        ends.append(points[1:])
    edges = np.column_stack([np.vstack(starts), np.vstack(ends)])
    turned = (edges[:, 0] > edges[:, 2]) | ((edges[:, 0] == edges[:, 2])
                                            & (edges[:, 1] > edges[:, 3]))
    edges = np.unique(np.where(turned[:, None], edges[:, [2, 3, 0, 1]], edges), axis=0)
    for axis in (0, 1):
        edges = cut(edges, axis)
    edges = np.rint(edges).astype(np.int64)
    edges = edges[(edges[:, :2] != edges[:, 2:]).any(axis=1)]
    return np.unique(edges, axis=0)


def cut(edges, axis):
    """The edges cut where they cross the lines between columns (axis 0) or rows (axis 1) of
    cells."""
    first = np.floor(np.minimum(edges[:, axis], edges[:, axis + 2]) / CELL) + 1
    last = np.ceil(np.maximum(edges[:, axis], edges[:, axis + 2]) / CELL) - 1
    crosses = first <= last
    parts = [edges[~crosses]]
    for edge, low, high in zip(edges[crosses], first[crosses], last[crosses]):
        lines = np.arange(low, high + 1) * CELL
        if edge[axis] > edge[axis + 2]:
            lines = lines[::-1]
        other = 1 - axis
        points = np.empty((len(lines) + 2, 2))
        points[0], points[-1] = edge[:2], edge[2:]
        points[1:-1, axis] = lines
        points[1:-1, other] = edge[other] + (lines - edge[axis]) / (edge[axis + 2] - edge[axis]) * (
            edge[other + 2] - edge[other])
        parts.append(np.column_stack([points[:-1], points[1:]]))
    return np.vstack(parts)


def rounded_faces(polygons, labels, grid):
    """(faces, labels): polygons in lattice steps that meet only at lattice points, without label 0.

    Rounding separates the two sides of a polygon: an island smaller than a step disappears or turns
    inside out, and lines cross. So labels are not taken from the polygons' sides. All rounded edges
    together are cut where they cross (snap rounding), and each face between them gets the label of
    the polygons at a point inside it. However rounding changes the lines, every point then has one
    label, and all cells agree.
    """
    edges = rounded_edges(polygons, grid)
    lines = shapely.linestrings(edges.reshape(-1, 2, 2).astype(float))
    lines = shapely.get_parts(shapely.union_all(lines, grid_size=1))
    faces = shapely.get_parts(shapely.polygonize(lines))
    inner = shapely.get_coordinates(shapely.point_on_surface(faces))
    found = Locator(polygons, labels).labels_at(*grid.to_degrees(*inner.T))
    print(f"  {len(edges):,} edges, {len(faces):,} faces, {np.sum(found == 0):,} of them without a "
          "label", flush=True)
    return faces[found > 0], found[found > 0]


def border_edges(faces, labels):
    """Every edge between two different labels once, in ring order, as rows x0, y0, x1, y1, left,
    right."""
    rings, ring_labels = [], []
    # exterior rings counter-clockwise
    for face, label in zip(shapely.orient_polygons(faces), labels):
        for ring in [face.exterior, *face.interiors]:
            points = shapely.get_coordinates(ring).astype(np.int64)
            rings.append(np.column_stack([points[:-1], points[1:]]))
            ring_labels.append(np.full(len(points) - 1, label))
    edges = np.vstack(rings)
    left = np.concatenate(ring_labels)
    turned = (edges[:, 0] > edges[:, 2]) | ((edges[:, 0] == edges[:, 2])
                                            & (edges[:, 1] > edges[:, 3]))
    canonical = np.where(turned[:, None], edges[:, [2, 3, 0, 1]], edges)
    _, group = np.unique(canonical, axis=0, return_inverse=True)
    group = group.ravel()

    # label left and right of the canonical direction
    sides = np.zeros((group.max() + 1, 2), np.int64)
    for side in (0, 1):
        chosen = np.flatnonzero(turned == bool(side))
        assert len(chosen) == len(np.unique(group[chosen])), "an edge has two faces on one side"
        sides[group[chosen], side] = left[chosen]
    owner = np.zeros(group.max() + 1, np.int64)
    owner[group[::-1]] = np.arange(len(group))[::-1]  # the first ring edge of each group emits it
    emitted = (owner[group] == np.arange(len(group))) & (sides[group, 0] != sides[group, 1])
    own_left = np.where(turned, sides[group, 1], sides[group, 0])
    own_right = np.where(turned, sides[group, 0], sides[group, 1])
    print(f"  {emitted.sum():,} border edges", flush=True)
    return np.column_stack([edges, own_left, own_right])[emitted]


def chains_by_cell(edges):
    """For each cell (column, row) its chains: [left, right, [(x, y), ...]] in steps from the cell's
    corner.

    A line along the edge of a cell is in no chain: the left edges of the cells have its labels."""
    along = ((edges[:, :2] == edges[:, 2:4]) & (edges[:, :2] % CELL == 0)).any(axis=1)
    edges = edges[~along]
    homes = (edges[:, :2] + edges[:, 2:4]) // (2 * CELL)
    cells = defaultdict(list)
    last = None
    for (column, row), (x0, y0, x1, y1, left, right) in zip(homes.tolist(), edges.tolist()):
        ox, oy = column * CELL, row * CELL
        start, end = (x0 - ox, y0 - oy), (x1 - ox, y1 - oy)
        assert 0 <= min(*start, *end) and max(*start, *end) <= CELL, \
            "a line crosses the edge of a cell"
        chain = cells[column, row][-1] if cells[column, row] else None
        if last == (column, row, x0, y0, left, right) and chain is not None:
            chain[2].append(end)
        else:
            cells[column, row].append([left, right, [start, end]])
        last = (column, row, x1, y1, left, right)
    return cells


def label_left_edges(cells, locator):
    """Left edges: the western edge of each mixed cell, cut where lines touch it: {(column, row):
    [[label, upper end], ...]}.

    No line crosses another one, so a part of the left edge has the label west of the first line
    that a walk east from it meets. If it meets none, the whole walk is in one face, whose label is
    used. The walk is half a step above the part's lower end, where no line ends or runs along it.
    """
    left_edges, asked = {}, []
    for cell, chains in sorted(cells.items()):
        heights = sorted({y for chain in chains for x, y in chain[2] if x == 0} | {0, CELL})
        edges = np.array([[*a, *b, left, right] for left, right, points in chains
                          for a, b in zip(points, points[1:])])
        left_edges[cell] = []
        for low, high in zip(heights, heights[1:]):
            left_edges[cell].append([first_label(edges, low + 0.5), high])
            if left_edges[cell][-1][0] < 0:
                asked.append((cell, len(left_edges[cell]) - 1, low + 0.5))
    x = np.array([(column + 0.5) * CELL for (column, _), _, _ in asked])
    y = np.array([row * CELL + middle for (_, row), _, middle in asked])
    for (cell, part, _), label in zip(asked, locator.labels_at(x, y).tolist()):
        left_edges[cell][part][0] = label
    for cell, parts in left_edges.items():  # neighbors with one label are one part
        left_edges[cell] = [part for part, after in zip(parts, [*parts[1:], [None]])
                            if part[0] != after[0]]
    return left_edges


def first_label(edges, y):
    """The label on the western side of the first edge (x0, y0, x1, y1, left, right) that a walk
    east at this height meets; -1 if it meets none."""
    low, high = np.minimum(edges[:, 1], edges[:, 3]), np.maximum(edges[:, 1], edges[:, 3])
    met = edges[(low <= y) & (y < high)]
    if not len(met):
        return -1
    slope = (met[:, 2] - met[:, 0]) / (met[:, 3] - met[:, 1])
    crossing = met[:, 0] + (y - met[:, 1]) * slope
    first = met[np.lexsort((slope, crossing))[0]]
    return int(first[4] if first[3] > first[1] else first[5])


def build(polygons, labels, level=0, extended=False, fill=None, needed=None):
    """The sections GRID, BLKS, SUBS, CELL and EDGE of a partition.

    extended: a cell with only one label besides 0 has that label everywhere, so that a layer whose
    coast has no meaning does not store it.

    fill: {(row, column): label} for the unlabeled area of a cell.

    needed: for each row and column of cells whether anybody asks there; other cells have the label
    of their center everywhere.
    """
    fill = fill or {}
    labels = list(labels)
    assert max(labels) < 0x8000
    grid = Grid(level)
    faces, face_labels = rounded_faces(polygons, labels, grid)
    cells = chains_by_cell(border_edges(faces, face_labels))
    locator = Locator(faces, face_labels)  # in lattice steps

    # Cells without a line have one label: that of their center.
    pure = np.zeros((grid.rows, grid.columns), np.int64)
    mixed = np.zeros((grid.rows, grid.columns), bool)
    if needed is not None:
        cells = {cell: chains for cell, chains in cells.items() if needed[cell[1], cell[0]]}
    for column, row in cells:
        mixed[row, column] = True
    row, column = np.nonzero(~mixed)
    pure[row, column] = locator.labels_at((column + 0.5) * CELL, (row + 0.5) * CELL)

    for cell, label in fill.items():
        if pure[cell] == 0:
            pure[cell] = label

    left_edges = label_left_edges(cells, locator)

    streams = {}
    for cell, chains in cells.items():
        known = ({label for chain in chains for label in chain[:2]}
                 | {part[0] for part in left_edges[cell]})
        if extended and len(known - {0}) <= 1:
            mixed[cell[1], cell[0]] = False
            pure[cell[1], cell[0]] = max(known)
            continue
        rest = fill.get((cell[1], cell[0]), 0)
        if 0 in known and rest:
            chains = [(left or rest, right or rest, points) for left, right, points in chains]
            chains = [chain for chain in chains if chain[0] != chain[1]]
            left_edges[cell] = [(label or rest, top) for label, top in left_edges[cell]]
        stream = bytearray(struct.pack("<H", len(left_edges[cell])))
        for label, top in left_edges[cell]:
            stream += struct.pack("<HH", label, top)
        for left, right, points in chains:
            stream += struct.pack("<HHH", left, right, len(points))
            for x, y in points:
                stream += (x | y << 12).to_bytes(3, "little")
        streams[cell] = stream
    return encode(grid, pure, mixed, streams)


def encode(grid, pure, mixed, streams):
    """The arrays of the file from the labels of pure cells and the streams of mixed ones."""
    blocks = np.zeros((grid.block_rows, grid.block_columns), "<u2")
    # Half a block more than needed at the North Pole.
    margin = ((0, grid.block_rows * BLOCK - grid.rows), (0, 0))
    pure, mixed = np.pad(pure, margin, mode="edge"), np.pad(mixed, margin)
    subs, offsets, edges = bytearray(), [0], bytearray()
    sub_count = 0
    for block_row in range(grid.block_rows):
        for block_column in range(grid.block_columns):
            rows = slice(block_row * BLOCK, block_row * BLOCK + BLOCK)
            columns = slice(block_column * BLOCK, block_column * BLOCK + BLOCK)
            part, part_mixed = pure[rows, columns].ravel(), mixed[rows, columns].ravel()
            if not part_mixed.any() and (part == part[0]).all():
                blocks[block_row, block_column] = part[0]
                continue
            entries = part.copy()
            subs += np.uint32(len(offsets) - 1).tobytes()
            for ordinal, place in enumerate(np.flatnonzero(part_mixed).tolist()):
                entries[place] = 0x8000 | ordinal
                cell = (block_column * BLOCK + place % BLOCK, block_row * BLOCK + place // BLOCK)
                edges += streams[cell]
                offsets.append(len(edges))
            subs += entries.astype("<u2").tobytes()
            blocks[block_row, block_column] = 0x8000 | sub_count
            sub_count += 1
    assert sub_count < 0x8000
    edges += b"\0"  # so that the last point can also be read as four bytes
    print(f"  {sub_count:,} blocks, {len(offsets) - 1:,} mixed cells, {len(edges):,} bytes of "
          "lines", flush=True)
    return [
        ("GRID", 1, struct.pack("<I", grid.cell_e7)),
        ("BLKS", blocks.size, blocks.tobytes()),
        ("SUBS", sub_count, bytes(subs)),
        ("CELL", len(offsets), np.array(offsets, "<u4").tobytes()),
        ("EDGE", len(edges), bytes(edges)),
    ]
