"""Tests of the seas: `python -m unittest` in this folder, with the tools of requirements.txt."""

import contextlib
import io
import pickle
import tempfile
import unittest

import numpy as np
import shapely

import check
import partition
import seas


class Areas:
    """A source with two seas side by side, an island, and a bay that overlaps one of them."""

    def __init__(self, file):
        western = [(0.1, 0.3), (10, 0), (10, 10), (0.4, 9.6), (0.1, 0.3)]
        island = [(2.0, 2.1), (4.1, 1.9), (3.9, 4.0), (2.2, 4.2), (2.0, 2.1)]
        indian = [(10, 0), (20.3, 0.2), (19.8, 9.7), (10, 10), (10, 0)]
        bay = [(9.03, 4.1), (10, 4.07), (10, 6.02), (9.1, 5.9), (9.03, 4.1)]
        areas = [("Western Sea", None, [(None, western), (None, island)]),
                 ("INDIAN OCEAN", None, [(None, indian)]), ("Small Bay", None, [(None, bay)])]
        pickle.dump({"marine": areas}, file)
        file.flush()
        self.marine_areas = file.name


class SeasTests(unittest.TestCase):
    def setUp(self):
        self.names, seas.NAMES = seas.NAMES, None
        with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as table:
            table.write("# source,english,reason\nINDIAN OCEAN,Indian Ocean,capitals\n")
        seas.NAMES = table.name
        with tempfile.NamedTemporaryFile() as file, contextlib.redirect_stdout(io.StringIO()):
            self.polygons, self.found = seas.tiling(Areas(file))

    def tearDown(self):
        seas.NAMES = self.names

    def sea_at(self, longitude, latitude):
        label = partition.Locator(self.polygons, np.arange(1, len(self.found) + 1)).labels_at(
            np.array([longitude]), np.array([latitude]))[0]
        return ["", *self.found][label]

    def test_a_point_in_a_sea_has_its_name_and_the_smaller_sea_goes_first(self):
        self.assertEqual(self.sea_at(1.0, 5.0), "Western Sea")
        self.assertEqual(self.sea_at(15.0, 5.0), "Indian Ocean")
        self.assertEqual(self.sea_at(9.5, 5.0), "Small Bay")

    def test_land_belongs_to_the_nearest_sea(self):
        self.assertEqual(self.sea_at(3.0, 3.0), "Western Sea")
        self.assertEqual(self.sea_at(-20.0, 5.0), "Western Sea")
        self.assertEqual(self.sea_at(40.0, 5.0), "Indian Ocean")
        self.assertAlmostEqual(shapely.union_all(self.polygons).area, 360 * 180, places=3)

    def test_a_pickle_with_anything_but_plain_values_is_refused(self):
        with self.assertRaises(pickle.UnpicklingError):
            seas.PlainUnpickler(io.BytesIO(pickle.dumps(print))).load()

    def test_a_cell_that_nobody_needs_has_one_label(self):
        labels = list(range(1, len(self.found) + 1))
        needed = np.ones((360, 720), bool)
        column, row = (10 + 180) * 2, (8 + 90) * 2  # the line between both seas is its western edge
        needed[row, column - 1:column + 1] = False
        with contextlib.redirect_stdout(io.StringIO()):
            packed = check.PackedPartition(
                partition.build(self.polygons, labels, level=1, needed=needed))
        at = [packed.labels_at(np.array([int((x + 180) * 1e7)]),
                               np.array([int((8.2 + 90) * 1e7)]))[0]
              for x in (9.6, 9.9, 10.1, 10.4)]
        self.assertEqual(at[0], at[1])
        self.assertEqual(at[2], at[3])
        self.assertEqual([self.found[label - 1] for label in at[::3]],
                         ["Western Sea", "Indian Ocean"])


if __name__ == "__main__":
    unittest.main()
