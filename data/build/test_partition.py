"""Tests of the packing: `python -m unittest` in this folder, with the tools of requirements.txt."""

import contextlib
import io
import unittest

import numpy as np
import shapely

import check
import partition

LEVEL = 0
GRID = partition.Grid(LEVEL)
STEP = GRID.step_e7 / 1e7
CELL_DEGREES = GRID.cell_e7 / 1e7


def packed(polygons, labels):
    with contextlib.redirect_stdout(io.StringIO()):
        return partition.build(np.array(polygons), labels, LEVEL)


def wrong_corners(sections, polygons, labels):
    with contextlib.redirect_stdout(io.StringIO()):
        return check.wrong_corners(
            check.PackedPartition(sections), np.array(polygons), labels, GRID, False,
            range(754, 772), range(554, 572))


def label_at(sections, longitude, latitude):
    point = np.rint((np.array([longitude, latitude]) + [180, 90]) * 1e7).astype(np.int64)
    return int(check.PackedPartition(sections).labels_at(point[:1], point[1:])[0])


class PartitionTests(unittest.TestCase):
    def test_a_small_island_never_turns_its_cell_inside_out(self):
        for seed in range(24):
            random = np.random.default_rng(seed)
            spot = random.uniform(0, CELL_DEGREES, 2) + [10, 50]
            size = STEP * random.uniform(0.2, 3)
            island = shapely.convex_hull(shapely.multipoints(spot + random.normal(0, size, (5, 2))))
            land = shapely.box(9, 50.6, 11, 51)
            sections = packed([island, land], [1, 2])
            self.assertEqual(wrong_corners(sections, [island, land], [1, 2]), [], seed)
            for corner in (0.01, 0.99):
                self.assertEqual(label_at(sections, 10 + corner * CELL_DEGREES, 50.01), 0, seed)

    def test_neighbors_that_rounding_crosses_have_one_label_at_each_corner(self):
        for seed in range(12):
            random = np.random.default_rng(seed)
            points = random.uniform([9.9, 49.9], [10.6, 50.6], (40, 2))
            points[:20] = [10.2, 50.2] + random.normal(0, 4 * STEP, (20, 2))
            cells = shapely.get_parts(shapely.voronoi_polygons(
                shapely.multipoints(points), extend_to=shapely.box(9.8, 49.8, 10.7, 50.7)))
            cells = shapely.intersection(cells, shapely.box(9.8, 49.8, 10.7, 50.7))
            labels = list(random.integers(1, 6, len(cells)))
            self.assertEqual(wrong_corners(packed(cells, labels), cells, labels), [], seed)

    def test_a_border_near_the_edge_of_a_cell_leaves_no_band(self):
        for off in (-0.9, -0.4, 0, 0.6):
            x, y = 10 + off * STEP, 50 + off * STEP
            quarters = [shapely.box(9, 49, x, y), shapely.box(x, 49, 11, y),
                        shapely.box(9, y, x, 51), shapely.box(x, y, 11, 51)]
            sections = packed(quarters, [1, 2, 3, 4])
            self.assertEqual(wrong_corners(sections, quarters, [1, 2, 3, 4]), [], off)
            for column in (0, 1):
                for row in (0, 1):
                    for away in (2 * STEP, 0.3 * CELL_DEGREES, 0.9 * CELL_DEGREES):
                        longitude = 10 + (away if column else -away)
                        latitude = 50 + (away if row else -away)
                        self.assertEqual(label_at(sections, longitude, latitude),
                                         1 + column + 2 * row, off)


if __name__ == "__main__":
    unittest.main()
