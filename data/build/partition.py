"""From labelled polygons that tile the plane to cells that answer "which label is here?" from a few bytes.

The plane is cut into cells of 0.25 or 0.5 degree. A cell inside one label is that label. A mixed cell holds the
border lines that cross it, cut at its edges, as chains of points on a lattice of 1/4000 of a cell (6.9 or 13.9 m),
with the label on the left and on the right of each chain, and the labels along its western edge (its "wall").
So the label of a point is the label on the eastern side of the first line met when walking west from it, or else
that of the wall. docs/formats/geodata.md has the bytes.
"""

import struct
from collections import defaultdict
from fractions import Fraction

import numpy as np
import shapely

CELL = 4_000  # steps of the lattice in a cell; a step needs 12 bits
BLOCK = 8  # cells on a side of a block


class Grid:
    """The cells: of 0.25 degree at level 0, of 0.5 degree at level 1."""

    def __init__(self, level):
        self.cell_e7 = 2_500_000 << level
        self.step_e7 = self.cell_e7 // CELL
        self.columns, self.rows = 1440 >> level, 720 >> level
        self.block_columns, self.block_rows = -(-self.columns // BLOCK), -(-self.rows // BLOCK)

    def to_lattice(self, coordinates):
        """Degrees as steps of the lattice, counted from 180 W, 90 S."""
        shifted = np.asarray(coordinates) * 1e7 + np.array([1.8e9, 9e8])
        return np.rint(shifted / self.step_e7).astype(np.int64)

    def to_degrees(self, x, y):
        """Steps of the lattice as degrees of longitude and latitude."""
        return np.asarray(x) * (self.step_e7 / 1e7) - 180, np.asarray(y) * (self.step_e7 / 1e7) - 90


class Locator:
    """The label of many points at once, by plain point-in-polygon tests; 0 where no polygon holds the point."""

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
            inside = inside[shapely.contains_xy(self.parts[part], longitude[inside], latitude[inside])]
            found[inside] = self.labels[part]
        return found


def border_edges(polygons, labels, grid):
    """Every edge between two different labels once, in ring order, as rows x0, y0, x1, y1, left, right."""
    rings, ring_labels = [], []
    for polygon, label in zip(polygons, labels):
        for part in shapely.get_parts(shapely.orient_polygons(polygon)):  # exterior rings counter-clockwise
            for ring in [part.exterior, *part.interiors]:
                points = grid.to_lattice(shapely.get_coordinates(ring))
                moved = np.r_[True, (np.diff(points, axis=0) != 0).any(axis=1)]
                points = points[moved]
                if len(points) >= 3:
                    rings.append(np.column_stack([points[:-1], points[1:]]))
                    ring_labels.append(np.full(len(points) - 1, label))
    edges = np.vstack(rings)
    left = np.concatenate(ring_labels)
    turned = (edges[:, 0] > edges[:, 2]) | ((edges[:, 0] == edges[:, 2]) & (edges[:, 1] > edges[:, 3]))
    canonical = np.where(turned[:, None], edges[:, [2, 3, 0, 1]], edges)
    _, group = np.unique(canonical, axis=0, return_inverse=True)
    group = group.ravel()

    sides = np.zeros((group.max() + 1, 2), np.int64)  # label left and right of the canonical direction
    crowded = 0
    for side in (0, 1):
        chosen = np.flatnonzero(turned == bool(side))
        crowded += len(chosen) - len(np.unique(group[chosen]))
        sides[group[chosen[::-1]], side] = left[chosen[::-1]]  # where rounding piled edges up, the first one wins
    owner = np.zeros(group.max() + 1, np.int64)
    owner[group[::-1]] = np.arange(len(group))[::-1]  # the first ring edge of each group emits it
    emitted = (owner[group] == np.arange(len(group))) & (sides[group, 0] != sides[group, 1])
    own_left = np.where(turned, sides[group, 1], sides[group, 0])
    own_right = np.where(turned, sides[group, 0], sides[group, 1])
    print(f"  {emitted.sum():,} border edges, {crowded} piled up by rounding", flush=True)
    return np.column_stack([edges, own_left, own_right])[emitted]


def cut_at_cells(edges):
    """The edges cut where they cross the lines between cells: yields column, row, x0, y0, x1, y1, left, right."""
    low = np.minimum(edges[:, [0, 1]], edges[:, [2, 3]])
    high = np.maximum(edges[:, [0, 1]], edges[:, [2, 3]])
    whole = (low // CELL == (high + CELL - 1) // CELL - 1).all(axis=1)
    for edge, is_whole in zip(edges.tolist(), whole.tolist()):
        x0, y0, x1, y1, left, right = edge
        if is_whole:
            yield min(x0, x1) // CELL, min(y0, y1) // CELL, *edge
            continue
        cuts = set()
        for a0, a1 in ((x0, x1), (y0, y1)):
            if a0 != a1:
                first, last = sorted((a0, a1))
                for line in range(-(-first // CELL) * CELL, last + 1, CELL):
                    cuts.add(Fraction(line - a0, a1 - a0))
        points = [(x0, y0)]
        for t in sorted(cuts | {Fraction(1)}):
            point = (round(x0 + t * (x1 - x0)), round(y0 + t * (y1 - y0)))
            if point != points[-1]:
                points.append(point)
        for (ax, ay), (bx, by) in zip(points, points[1:]):
            on_line = (ax == bx and ax % CELL == 0) or (ay == by and ay % CELL == 0)
            if not on_line:  # a line along the edge of a cell is told by the walls
                yield (ax + bx) // (2 * CELL), (ay + by) // (2 * CELL), ax, ay, bx, by, left, right


def chains_by_cell(edges):
    """For each cell (column, row) its chains: [left, right, [(x, y), ...]] in steps from the cell's corner."""
    cells = defaultdict(list)
    last = None
    for column, row, x0, y0, x1, y1, left, right in cut_at_cells(edges):
        ox, oy = column * CELL, row * CELL
        start, end = (x0 - ox, y0 - oy), (x1 - ox, y1 - oy)
        chain = cells[column, row][-1] if cells[column, row] else None
        if last == (column, row, x0, y0, left, right) and chain is not None:
            chain[2].append(end)
        else:
            cells[column, row].append([left, right, [start, end]])
        last = (column, row, x1, y1, left, right)
    return cells


def build(polygons, labels, level=0, extended=False, fill=None):
    """The sections GRID, BLKS, SUBS, CELL and EDGE of a partition.

    extended: a cell that knows only one label besides 0 is that label throughout, so that a layer whose coast
    means nothing does not spell it out.
    fill: {(row, column): label} for what of a cell has no label.
    """
    fill = fill or {}
    labels = list(labels)
    assert max(labels) < 0x8000
    grid = Grid(level)
    cells = chains_by_cell(border_edges(polygons, labels, grid))
    locator = Locator(polygons, labels)

    # Cells without a line have one label: that of their centre.
    pure = np.zeros((grid.rows, grid.columns), np.int64)
    mixed = np.zeros((grid.rows, grid.columns), bool)
    for column, row in cells:
        mixed[row, column] = True
    row, column = np.nonzero(~mixed)
    pure[row, column] = locator.labels_at(*grid.to_degrees((column + 0.5) * CELL, (row + 0.5) * CELL))

    for cell, label in fill.items():
        if pure[cell] == 0:
            pure[cell] = label

    # Walls: the western edge of each mixed cell, cut where lines touch it, labelled just east of it.
    runs = []
    for (column, row), chains in sorted(cells.items()):
        touched = {y for chain in chains for x, y in chain[2] if x == 0} | {0, CELL}
        heights = sorted(touched)
        runs += [(column, row, a, b) for a, b in zip(heights, heights[1:])]
    runs = np.array(runs)
    middle = runs[:, 1] * CELL + (runs[:, 2] + runs[:, 3]) / 2
    east = locator.labels_at(*grid.to_degrees(runs[:, 0] * CELL + 0.25, middle))
    walls = defaultdict(list)
    for (column, row, _, high), label in zip(runs.tolist(), east.tolist()):
        cell = walls[column, row]
        if cell and cell[-1][0] == label:
            cell[-1][1] = high
        else:
            cell.append([label, high])

    streams = {}
    for cell, chains in cells.items():
        known = {label for chain in chains for label in chain[:2]} | {wall[0] for wall in walls[cell]}
        if extended and len(known - {0}) <= 1:
            mixed[cell[1], cell[0]] = False
            pure[cell[1], cell[0]] = max(known)
            continue
        rest = fill.get((cell[1], cell[0]), 0)
        if 0 in known and rest:
            chains = [(left or rest, right or rest, points) for left, right, points in chains]
            chains = [chain for chain in chains if chain[0] != chain[1]]
            walls[cell] = [(label or rest, top) for label, top in walls[cell]]
        stream = bytearray(struct.pack("<H", len(walls[cell])))
        for label, top in walls[cell]:
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
    margin = ((0, grid.block_rows * BLOCK - grid.rows), (0, 0))  # half a block too much at the North Pole
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
    edges += b"\0"  # so that the last point, too, may be read as four bytes
    print(f"  {sub_count:,} blocks, {len(offsets) - 1:,} mixed cells, {len(edges):,} bytes of lines", flush=True)
    return [
        ("GRID", 1, struct.pack("<I", grid.cell_e7)),
        ("BLKS", blocks.size, blocks.tobytes()),
        ("SUBS", sub_count, bytes(subs)),
        ("CELL", len(offsets), np.array(offsets, "<u4").tobytes()),
        ("EDGE", len(edges), bytes(edges)),
    ]
