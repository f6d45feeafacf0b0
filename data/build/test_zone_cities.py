"""Tests of zone_cities.py: python3 -m unittest test_zone_cities"""

import pathlib
import tempfile
import unittest

from zone_cities import ZoneCities, in_order

ZONES = """<ldmlBCP47><keyword><key name="tz">
<type name="egcai" alias="Africa/Cairo Egypt"/>
<type name="sgsin" alias="Asia/Singapore Singapore"/><type name="mnhvd" alias="Asia/Hovd"/>
<type name="jeruslm" alias="Asia/Jerusalem Israel"/>
<type name="cayzs" alias="America/Coral_Harbour"/>
<type name="usvin" alias="America/Indiana/Vincennes"/><type name="utc" alias="Etc/UTC UTC"/>
</key></keyword></ldmlBCP47>"""
NAMES = {
    "root": {"America/Coral_Harbour": "Atikokan"},
    "de": {"Africa/Cairo": "Kairo", "America/Indiana/Vincennes": "Vincennes, Indiana",
           "America/Coral_Harbour": "Atikokan auf Deutsch", "Asia/Hovd": "Chowd",
           "Asia/Singapore": "Singa\u00adpur"},
    "ca": {"Africa/Cairo": "Caire, el", "Asia/Jerusalem": "Jerusalem"},
}


class Sources:
    def __init__(self, folder):
        self.unicode_cldr = pathlib.Path(folder)
        (self.unicode_cldr / "bcp47").mkdir()
        (self.unicode_cldr / "main").mkdir()
        (self.unicode_cldr / "bcp47" / "timezone.xml").write_text(ZONES, encoding="utf-8")
        for tag, names in NAMES.items():
            zones = "".join(f'<zone type="{zone}"><exemplarCity>{name}</exemplarCity></zone>'
                            for zone, name in names.items())
            (self.unicode_cldr / "main" / f"{tag}.xml").write_text(
                f"<ldml><timeZoneNames>{zones}</timeZoneNames></ldml>", encoding="utf-8")


class ZoneCitiesTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cities = ZoneCities(Sources(folder.name), {
            1: ("Cairo", "EG", None, 9000), 2: ("Cairo", "US", None, 99000),
            3: ("Cairo", "EG", None, 8000), 4: ("Singapore", "SG", None, 5000),
            5: ("Jerusalem", "IL", None, 5000), 6: ("Coral Harbour", "CA", None, 1000),
            7: ("Vincennes", "US", None, 1000), 8: ("Atikokan", "CA", None, 1000),
            9: ("Hovd", "MN", None, 999)})

    def test_a_zone_is_of_the_largest_city_of_its_name_in_its_country(self):
        self.assertEqual(self.cities.name(1, "de"), "Kairo")
        self.assertIsNone(self.cities.name(2, "de"))
        self.assertIsNone(self.cities.name(3, "de"))

    def test_a_city_that_a_language_does_not_name_has_no_name(self):
        self.assertIsNone(self.cities.name(4, "ca"))
        self.assertIsNone(self.cities.name(4, "xx"))

    def test_soft_hyphens_are_left_out(self):
        self.assertEqual(self.cities.name(4, "de"), "Singapur")

    def test_a_hamlet_is_no_zone_s_city(self):
        self.assertIsNone(self.cities.name(9, "de"))

    def test_a_code_that_does_not_begin_with_the_country(self):
        self.assertEqual(self.cities.name(5, "ca"), "Jerusalem")

    def test_a_zone_that_is_called_after_another_city(self):
        self.assertIsNone(self.cities.name(6, "de"))
        self.assertEqual(self.cities.name(8, "de"), "Atikokan auf Deutsch")

    def test_zones_of_three_words_are_left_out(self):
        self.assertIsNone(self.cities.name(7, "de"))

    def test_an_article_behind_a_name_goes_in_front(self):
        self.assertEqual(self.cities.name(1, "ca"), "el Caire")
        self.assertEqual(in_order("Havana, l'"), "l'Havana")
        self.assertEqual(in_order("Paris"), "Paris")


if __name__ == "__main__":
    unittest.main()
