"""Tests of region_style.py: python3 -m unittest test_region_style"""

import unittest

from region_style import one_style


def styled(*names):
    return list(
        one_style({("XX", str(number)): name for number, name in enumerate(names)}).values())


class RegionStyleTests(unittest.TestCase):
    def test_a_kind_that_only_some_names_have_is_left_out(self):
        self.assertEqual(styled("Bursa Province", "Antalya", "Kars Province"),
                         ["Bursa", "Antalya", "Kars"])

    def test_a_kind_that_all_names_have_stays(self):
        self.assertEqual(styled("Bong County", "Nimba County"), ["Bong County", "Nimba County"])

    def test_a_kind_stays_where_another_division_has_the_rest_of_the_name(self):
        self.assertEqual(styled("Zagreb County", "Zagreb", "Istria County"),
                         ["Zagreb County", "Zagreb", "Istria"])
        self.assertEqual(styled("Hsinchu County", "Hsinchu City", "Yilan County"),
                         ["Hsinchu County", "Hsinchu City", "Yilan"])
        self.assertEqual(styled("Maputo City", "Jelgava Municipality", "Jelgava District"),
                         ["Maputo City", "Jelgava Municipality", "Jelgava District"])

    def test_case_does_not_matter(self):
        self.assertEqual(styled("Lima region", "Lima Province", "Ica region", "Cuzco"),
                         ["Lima region", "Lima Province", "Ica", "Cuzco"])

    def test_a_kind_stays_where_the_rest_is_no_name(self):
        names = ["Eastern Province", "Kigali", "Capital Region", "Free State",
                 "National Capital District", "Maribor City Municipality",
                 "Central Ethiopia Regional State", "South West Ethiopia Peoples' Region"]
        self.assertEqual(styled(*names), names)

    def test_a_direction_in_a_name_does_not_keep_the_kind(self):
        self.assertEqual(styled("Matabeleland South Province", "West Kordofan State", "Bulawayo"),
                         ["Matabeleland South", "West Kordofan", "Bulawayo"])

    def test_countries_are_apart(self):
        self.assertEqual(one_style({("AA", "1"): "Bong County", ("BB", "1"): "Antalya"}),
                         {("AA", "1"): "Bong County", ("BB", "1"): "Antalya"})

    def test_an_empty_name_stays_empty(self):
        self.assertEqual(styled("", "Bong County"), ["", "Bong County"])


if __name__ == "__main__":
    unittest.main()
